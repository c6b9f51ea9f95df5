"""Rows of chips of which one more may lie under a hand that never left their end."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.piles import Pile, ordered
from verifier.reconstruct.table.zones import Xy, distance


def with_open_ends(hands: HandLog, own: Pile, won: Pile, odds: Fraction) -> Pile:
    """A payoff's row, without an amount where it is not right as it reads and an end of it was never seen free."""
    if own.cents is None or won.cents is None or not won.fan or won.cents == own.cents * odds:
        return won
    until = min(stay.seen_to for stay in won.stays)
    looks = hands.times_between(won.since, until)
    over = [list(hands.between(t, t)) for t in looks]
    hidden = any(all(any(hand.over(end, 0.0) for hand in each) for each in over) for end in _beyond(won))
    return replace(won, unsure=True) if looks and hidden else won


def _beyond(row: Pile) -> list[Xy]:
    """Where the next chip of a row would lie, at either end."""
    stays = ordered(row.stays)
    ends = []
    for last, inner in ((stays[0], stays[1]), (stays[-1], stays[-2])):
        share = par.SETS_LINK_RADII * last.radius / max(distance(last.xy, inner.xy), 1.0)
        ends.append((last.xy[0] + share * (last.xy[0] - inner.xy[0]), last.xy[1] + share * (last.xy[1] - inner.xy[1])))
    return ends
