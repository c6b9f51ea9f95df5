"""Chips that the dealer gives back.

Before the cards, what a wager holds above the table's limit (99-01.3-08-09(1)); at the settlement, double and split
wagers that a natural makes void (11(10)(e)): the flat hand pushes them toward the player, where they lie on. So does
half of a wager where a house's rules know surrender.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from verifier.domain.events import AnyEvent, ChipsCollected, ChipsReturned
from verifier.domain.places import space as space_text
from verifier.reconstruct import parameters as par
from verifier.reconstruct.leaning import hidden_from
from verifier.reconstruct.money.stakes import Stake, left_bare
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.zones import SpaceMap, Xy, distance


def with_returned(scene: RoundScene, stakes: Sequence[Stake], drafts: Sequence[AnyEvent]) -> Drafts:
    """Return the events, where a stake that left its place and lies farther out then was given back, not collected."""
    given = {place: dwell.t0 for place, dwell in given_back(scene, stakes).items()}
    hidden = {place: dwell.t0 for place, dwell in given_back(scene, stakes, hidden=True).items()}
    surrendered = [
        _surrendered(draft, given[draft.kind, draft.at])
        for draft in drafts
        if isinstance(draft, ChipsCollected) and draft.kind == "original" and (draft.kind, draft.at) in given
    ]
    return surrendered + [
        event(
            ChipsReturned,
            draft.t_start,
            t1,
            par.PUSHED_P if place in given else par.WEAK_P,
            kind=draft.kind,
            at=draft.at,
            cents=None,
            reason="void",
        )
        if isinstance(draft, ChipsCollected)
        and draft.kind != "original"
        and (t1 := given.get(place, hidden.get(place))) is not None
        else draft
        for draft in drafts
        for place in [(getattr(draft, "kind", ""), getattr(draft, "at", ""))]
    ]


def _surrendered(taken: ChipsCollected, t: float) -> ChipsReturned:
    """Return that a part of a wager was pushed back, as the rest was taken: a surrender."""
    return event(
        ChipsReturned, taken.t_start, t, par.PUSHED_P, kind="original", at=taken.at, cents=None, reason="surrender"
    )


def given_back(scene: RoundScene, stakes: Sequence[Stake], *, hidden: bool = False) -> dict[tuple[str, str], ChipDwell]:
    """By kind and place the stakes that the dealer pushed back to their players, as they lie there.

    `hidden`: those that may have been, while somebody leant over them.
    """
    return {
        (stake.kind, stake.place): pushed
        for stake in stakes
        if stake.kind in ("double", "split", "tip_double") or (stake.kind == "original" and scene.surrenders)
        for others in [[dwell for other in stakes if other is not stake for dwell in other.dwells]]
        for pushed in [_pushed_out(scene, stake, others, hidden=hidden)]
        if pushed is not None
    }


def _pushed_out(scene: RoundScene, stake: Stake, others: Sequence[ChipDwell], *, hidden: bool) -> ChipDwell | None:
    """Return the chips of a stake as they came to lie nearer to the player, where none had lain and the dealer's hand
    had been.

    Its place is bare then: no row grew out of it, beside which its payoff was laid. Nobody sees the hand while somebody
    leans over it.
    """
    last, spot = stake.last, scene.table.spaces[stake.space]
    if not left_bare(stake, scene.dwells.get(stake.space, ()), others):
        return None
    longest = par.HIDDEN_S if hidden else par.PUSHED_S
    later = [
        dwell
        for dwells in scene.dwells.values()
        for dwell in dwells
        if dwell.first and last.seen_to <= dwell.t0 <= last.seen_to + longest and _outward(spot, last.xy, dwell.xy)
    ]
    pushed = min(later, key=lambda dwell: dwell.t0, default=None)
    if pushed is None or hidden:
        return pushed if pushed is not None and hidden_from(scene, last, last.seen_to, pushed.t0) else None
    if not _dealer_at(scene, last.xy, last.seen_to - par.LAYING_S, pushed.t0):
        return None
    return pushed if _dealer_at(scene, pushed.xy, last.seen_to, pushed.t0 + par.TWO_LOOKS_S) else None


def _outward(spot: SpaceMap, old: Xy, new: Xy) -> bool:
    """Tell whether `new` lies out from `old`, away from the dealer, as far as chips are pushed."""
    (ox, oy), (dx, dy) = spot.outward, (new[0] - old[0], new[1] - old[1])
    return par.PUSHED_MM[0] <= dx * ox + dy * oy <= par.PUSHED_MM[1] and abs(dx * oy - dy * ox) <= par.RETURN_ASIDE_MM


def returned_events(scene: RoundScene) -> Drafts:
    """`chips_returned` of wagers whose top chips a dealer's hand took before the first card, baring dearer ones.

    How many were taken does not show from above, so that no amount is told.
    """
    drafts: Drafts = []
    for number, spot in sorted(scene.table.spaces.items()):
        early = [
            dwell
            for dwell in scene.dwells.get(number, ())
            if scene.since <= dwell.t0 < scene.start and distance(dwell.xy, spot.wager) <= 2 * par.STAKE_OWN_ROW_MM
        ]
        for top, below in pairwise(sorted(early, key=lambda dwell: dwell.t0)):
            if _lifted(top, below) and _dealer_at(
                scene, below.xy, top.seen_to - par.LAYING_S, below.t0 + par.TWO_LOOKS_S
            ):
                drafts.append(
                    event(
                        ChipsReturned,
                        top.seen_to,
                        below.t0,
                        par.RETURNED_P,
                        kind="original",
                        at=space_text(number),
                        cents=None,
                        reason="excess",
                    )
                )
    return drafts


def _lifted(top: ChipDwell, below: ChipDwell) -> bool:
    """Tell whether a dearer chip showed where a cheaper one had lain: stacks have the dearest chips lowest."""
    if top.cents is None or below.cents is None or below.cents <= top.cents:
        return False
    return distance(top.xy, below.xy) <= par.STAKE_OWN_ROW_MM and 0.0 <= below.t0 - top.seen_to <= par.RETURN_LIFTED_S


def _dealer_at(scene: RoundScene, xy: Xy, t0: float, t1: float) -> bool:
    """Tell whether it was the dealer's hand, and no player's, that was there."""
    at: Sequence[str] = [
        hand.owner
        for hand in scene.hands.between(t0, t1)
        if distance(hand.tip, xy) <= par.RETURN_HAND_MM or hand.over(xy, 0.0)
    ]
    return at.count("dealer") >= par.TWICE_LOOKS and at.count("player") < at.count("dealer")
