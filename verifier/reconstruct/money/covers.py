"""Chips that a player who deals and banks lays beside the wagers: covers, and what a natural is paid beyond one.

A cover that lies on when its hand's cards are taken up, or that a player's hand takes, is the payoff. One that the
dealer/banker takes before goes back to the bank: with a lost wager, or at a tie.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from verifier.domain.events import PayoffPlaced, WagerCovered
from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.payments import settlement_events
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.money.settlement import Settled
from verifier.reconstruct.money.stakes import TIPS, Stake
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.zones import distance


class Cover(Struct, frozen=True):
    """A stack beside a stake; `dwells` are its visible chips. `extra`: laid on a natural's cover, as the rest of its
    payoff.
    """

    stake: Stake
    dwells: tuple[ChipDwell, ...]
    extra: bool = False

    @property
    def laid(self) -> float:
        return self.dwells[0].t0

    @property
    def last(self) -> ChipDwell:
        return self.dwells[-1]


def covers_of(scene: RoundScene, stakes: Sequence[Stake], naturals: Mapping[str, float]) -> list[Cover]:
    """Return the covers of all stakes; `naturals` has when the hands that are one were complete.

    A stake is covered once, in the order in which stakes and chips were laid; what comes to a natural that is covered
    is the rest of its payoff.
    """
    found: list[Cover] = []
    for number, dwells in scene.dwells.items():
        mine = sorted((s for s in stakes if s.space == number and s.kind not in TIPS), key=lambda stake: stake.placed)
        known = [dwell for stake in mine for dwell in stake.dwells]
        for dwell in (one for one in dwells if mine and one not in known and _cover_like(scene, one, mine)):
            again = next((i for i, cover in enumerate(found) if _one_stack(cover, dwell)), None)
            if again is not None:
                found[again] = replace(found[again], dwells=(*found[again].dwells, dwell))
                continue
            covered = [cover.stake for cover in found]
            bare = [stake for stake in mine if stake not in covered and stake.placed <= dwell.t0]
            if bare:
                found.append(Cover(bare[-1], (dwell,)))
            elif naturals.get(mine[0].place, math.inf) < dwell.t0:
                found.append(Cover(mine[0], (dwell,), extra=True))
    return found


def without_covers(scene: RoundScene, stakes: Sequence[Stake]) -> list[Stake]:
    """Return the stakes without doubles, splits and tips that are covers: a chip that was lost from sight where one had
    lain beside the wager before, or what was laid beside a hand that had doubled, which it does once.
    """
    if not scene.banked:
        return [*stakes]
    return [
        stake
        for stake in stakes
        if stake.kind == "original" or not (_lay_before(scene, stake) or _doubled_before(stakes, stake))
    ]


def _doubled_before(stakes: Sequence[Stake], stake: Stake) -> bool:
    """Tell whether a double follows another one of its hand: that one came before, or at once and nearer to the
    wager.
    """
    wager = next((one for one in stakes if one.space == stake.space and one.kind == "original"), stake)
    own = [one for one in stakes if one.kind == stake.kind == "double" and one.place == stake.place]
    first = min(own, key=lambda one: (one.dwells[0].t0, distance(one.dwells[0].xy, wager.dwells[0].xy)), default=stake)
    return first is not stake


def _lay_before(scene: RoundScene, stake: Stake) -> bool:
    first = stake.dwells[0]
    return stake.kind in TIPS or any(
        scene.since <= dwell.t0 < first.t0 and distance(dwell.xy, first.xy) < par.CHIP_RADIUS_MM
        for dwell in scene.dwells.get(stake.space, ())
        if dwell not in stake.dwells
    )


def _cover_like(scene: RoundScene, dwell: ChipDwell, stakes: Sequence[Stake]) -> bool:
    """Tell whether a chip was laid beside a stake in this round, and not by a player."""
    there = scene.since <= dwell.t0 < scene.end and dwell.t1 - dwell.t0 > par.RESTING_S
    sure = dwell.n >= par.NEW_COLOUR_LOOKS and dwell.mean >= par.SURE_CHIP_MEAN_P
    near = min(distance(dwell.xy, stake.dwells[0].xy) for stake in stakes)
    if not (there and sure and par.SPOT_MM < near <= par.COVER_MM):
        return False
    t0, t1 = dwell.t0 - par.LAID_BY_S, dwell.t0 + par.SLACK_S
    dealer = any(hand.over(dwell.xy, par.HAND_OWNER_MM) for hand in scene.hands.between(t0, t1, "dealer"))
    return dealer or scene.hands.laid_by(dwell.xy, dwell.t0) != "player"


def _one_stack(cover: Cover, dwell: ChipDwell) -> bool:
    """Tell whether a chip shows where a cover lies: it was lost from sight, or reads otherwise."""
    return distance(cover.last.xy, dwell.xy) < par.CHIP_RADIUS_MM


def settled_by_covers(
    scene: RoundScene, group: Sequence[Settled], covers: Sequence[Cover], picked: Mapping[str, float]
) -> list[Settled]:
    """Return what settlement left of each stake: its cover, and what was added to that, are its payoff.

    `picked` has when the cards of each hand went.
    """
    result = []
    for one in group:
        own = [cover for cover in covers if cover.stake is one.stake and not one.taken]
        kept = [cover for cover in own if _kept(scene, cover, picked.get(one.stake.place))]
        payoffs = tuple(Pile((cover.last,)) for cover in kept)
        result.append(replace(one, own=None, payoffs=payoffs))
    return result


def _kept(scene: RoundScene, cover: Cover, picked: float | None) -> bool:
    """Tell whether a cover stayed with its stake as the payoff."""
    last = cover.last
    if picked is None:
        return False
    if last.seen_to > picked - par.TWO_LOOKS_S:
        return True
    return scene.hands.took(last.xy, last.seen_to) == "player"


def cover_events(covers: Sequence[Cover]) -> Drafts:
    """`wager_covered` of each cover: from above a stack shows its top chip, so that its amount is a lower bound."""
    return [
        event(
            WagerCovered,
            cover.laid - par.LAYING_S,
            cover.laid,
            Pile((cover.dwells[0],)).laid_p,
            at=cover.stake.place,
            cents=cover.dwells[0].cents,
            lower_bound=True,
        )
        for cover in covers
        if not cover.extra
    ]


def banked_settlement(
    scene: RoundScene, group: Sequence[Settled], covers: Sequence[Cover], settle_from: float, until: float
) -> Drafts:
    """Events of one space's settlement where the dealer banks: collections, ties tapped, and covers that are payoffs.

    `until`: when the first cards of the space were taken up.
    """
    plain = [one for one in group if not one.payoffs]
    drafts = settlement_events(scene, plain, settle_from)
    for one in group:
        if not one.payoffs:
            continue
        for cover in (c for c in covers if c.stake is one.stake and any(c.last in pile.dwells for pile in one.payoffs)):
            t0, t1 = paid_at(scene, cover, settle_from, until)
            drafts.append(
                event(
                    PayoffPlaced,
                    t0,
                    t1,
                    Pile((cover.last,)).laid_p,
                    kind=one.stake.kind,
                    at=one.stake.place,
                    cents=cover.last.cents,
                    lower_bound=True,
                )
            )
    return drafts


def paid_at(scene: RoundScene, cover: Cover, settle_from: float, until: float) -> tuple[float, float]:
    """When chips became a payoff: added ones as they were laid, a cover while a hand of the dealer's was over it.

    Where none was seen there, some time between settlement's beginning and the taking up of the cards.
    """
    if cover.extra:
        return cover.laid - par.LAYING_S, cover.laid
    since = max(settle_from, cover.laid)
    over = [h.t for h in scene.hands.between(since, until, "dealer") if h.over(cover.last.xy, par.COVER_POINTED_MM)]
    if not over:
        return since, max(since, until)
    ends = [a for a, b in pairwise([*over, math.inf]) if b - a > par.THREE_LOOKS_S]
    return over[0], ends[0]
