"""A table without a dealer for a while: when it was left and opened again, and what nobody can have covered before."""

from __future__ import annotations

from itertools import pairwise

from verifier.domain.events import TableState
from verifier.reconstruct.scene import Between, Drafts, event
from verifier.reconstruct.table.sights import HandSight
from verifier.reconstruct.table.zones import TableMap

CLOSED_SECONDS = 10.0
"""Dealers who relieve each other are back sooner."""
WATCHED_SECONDS = 1.3
"""Looks farther apart may have missed a hand that covered something."""
PLAY_SECONDS = 0.8
"""For so long after a round, or a burned card, the hands may still be where cards and chips went."""
COVER_MM, OVER_MM = 20.0, 15.0
"""How near to a fixture a hand that covers it comes; how far over the tray it reaches."""
OPEN_SECONDS = 3.0
OPEN_P, CLOSED_P = 0.7, 0.85


def table_states(
    between: Between, handled: float, left: float, back: float | None, burned: float | None, drawn: float = 0.0
) -> Drafts:
    """`table_state` of an absence from `left` to `back` (None: until the end), if it is long enough for a closed table.

    Covers are not detected. What no hand was at between the end of play and `handled`, when the dealer began to leave,
    cannot have been covered; of anything else nothing is said. `burned` is when the next dealer burned a card, `drawn`
    when one was last burned before: shoe and discard holder were uncovered then.
    """
    until = between.end if back is None else back
    if until - left < CLOSED_SECONDS:
        return []
    tray = _uncovered(between, "tray", between.start, handled)
    cards, shoe = (_uncovered(between, zone, max(between.start, drawn), handled) for zone in ("discard", "shoe"))
    closed = event(
        TableState,
        left + 0.3,
        left + 1.0,
        CLOSED_P,
        state="temp_closed",
        dealer_present=False,
        tray="open" if tray else None,
        cards_covered=False if cards else None,
        shoe_covered=False if shoe else None,
    )
    if back is None:
        return [closed]
    return [closed, _opened(back, burned)]


def opened_again(between: Between, left: float, back: float, burned: float | None) -> Drafts:
    """`table_state` where somebody `left` in a stretch before, which told of the closed table if that was long."""
    if between.start - left >= CLOSED_SECONDS:
        return [_opened(back, burned)]
    return table_states(between, left, left, back, burned)


def _opened(back: float, burned: float | None) -> TableState:
    opened = back + OPEN_SECONDS if burned is None else burned
    return event(TableState, opened - 0.2, opened - 0.1, OPEN_P, state="open", dealer_present=True, tray=None)


def _uncovered(between: Between, zone: str, used: float, until: float) -> bool:
    """Whether a fixture was watched from the time it was last `used`, and no hand came to it."""
    table, hands = between.table, between.hands
    since = used + PLAY_SECONDS
    looks = hands.times_between(since, until)
    if zone not in table.zones or len(looks) < 2 or any(b - a > WATCHED_SECONDS for a, b in pairwise(looks)):
        return False
    return not any(_at(table, zone, hand) for hand in hands.between(since, until))


def _at(table: TableMap, zone: str, hand: HandSight) -> bool:
    """Whether a hand may cover a fixture: the tray it reaches over, before which hands rest; to the others it comes."""
    x, y = hand.tip
    if zone == "tray":
        return table.within((x, y - OVER_MM), zone)
    return table.near(hand.tip, zone, COVER_MM) or table.within(hand.xy, zone)
