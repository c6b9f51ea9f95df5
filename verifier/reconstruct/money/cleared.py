"""Hands that leave paid chips: when they were clear of them, and whether that was before the cards were taken up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import structs

from verifier.domain.events import AnyEvent, CardsCollected, ChipsCollected, HandsClear, PayoffPlaced
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import Drafts, RoundScene
from verifier.reconstruct.table.zones import Xy


def spread_by(scene: RoundScene, pile: Pile) -> float:
    """When the last chip of a pile was laid: one first seen with no hand of the dealer near lay there before."""
    moved = [
        dwell.t0
        for dwell in pile.dwells
        if any(
            hand.over(dwell.xy, par.HAND_OWNER_MM)
            for hand in scene.hands.between(dwell.t0 - par.LAYING_S, dwell.t0, "dealer")
        )
    ]
    return max(moved, default=min(dwell.t0 for dwell in pile.dwells))


def spread_from(scene: RoundScene, row: Pile, t: float) -> float:
    """When a hand began to spread a row that lay at `t`: it is over the row meanwhile."""
    hands = scene.hands.between(t - par.LAYING_S, t, "dealer")
    return min((hand.t for hand in hands if any(hand.over(dwell.xy, 0.0) for dwell in row.dwells)), default=t)


def touched_by(hands: HandLog, dwells: Sequence[ChipDwell], seen: float) -> float:
    """When a row that showed at `seen` was last touched: nothing spreads by itself, so it may have shown late."""
    left = last_over(hands, dwells, seen - par.INSTANT_S)
    return left if left < seen - par.LAYING_S else seen


def last_over(hands: HandLog, dwells: Sequence[ChipDwell], until: float) -> float:
    """When a hand of the dealer's was last over a row by `until`, which stands where none was lately.

    One that comes near when that hand has left has something else to do there.
    """
    looks = hands.between(until - par.CLEARED_LATE_S, until, "dealer")
    return max(
        (hand.t for hand in looks if any(hand.over(dwell.xy, par.HAND_OVER_MM) for dwell in dwells)), default=until
    )


def clear_stretch(scene: RoundScene, points: Sequence[Xy], since: float) -> tuple[float, float] | None:
    """Return the first stretch soon after `since` in which no hand of the dealer is at any of the points."""
    return scene.hands.off(points, since, min(scene.end, since + par.CLEARED_WITHIN_S))


def clear_in_time(scene: RoundScene, drafts: Iterable[AnyEvent]) -> Drafts:
    """Return the drafts without the `hands_clear` of spaces whose hands left only to take up cards, or after it.

    Where nobody looked between the payoff and that, it is a weak record; so it is where they left straight for the next
    stake to be taken, since looks do not tell whether they had left the chips before.
    """
    whole = list(drafts)
    drafts = [_unsure_straight(d, whole) if isinstance(d, HandsClear) else d for d in whole]
    picked = [(d.t_start, d.t_end) for d in drafts if isinstance(d, CardsCollected) and d.p >= par.CLEARED_SURE_P]
    result: Drafts = []
    for draft in drafts:
        late = _late(draft, drafts, picked) if isinstance(draft, HandsClear) else None
        if late is None or not isinstance(draft, HandsClear):
            result.append(draft)
        elif scene.hands.blind(scene.hands.look_before(late[0]), late[1]) is not None:
            result.append(structs.replace(draft, p=par.WEAK_P))
    return result


def _unsure_straight(clear: HandsClear, drafts: Iterable[AnyEvent]) -> HandsClear:
    """Return a `hands_clear`, weak where a stake of another space was taken right then."""
    then = (clear.t_start, clear.t_start + par.CLEARED_STRAIGHT_S)
    own = clear.region.partition("/")[0]
    taken = (d for d in drafts if isinstance(d, ChipsCollected) and d.at.partition("/")[0] != own)
    straight = own.startswith("space:") and any(then[0] <= d.t_start < then[1] for d in taken)
    return structs.replace(clear, p=par.WEAK_P) if straight else clear


def _late(
    clear: HandsClear, drafts: Sequence[AnyEvent], picked: Sequence[tuple[float, float]]
) -> tuple[float, float] | None:
    """When a space was paid and by when the first cards were taken up, where the hands left its chips no sooner."""
    paid = [
        d.t_end for d in drafts if isinstance(d, PayoffPlaced) and d.at == clear.region and d.t_end <= clear.t_start
    ]
    first = min((pick for pick in picked if paid and pick[0] > max(paid)), default=None)
    return (max(paid), first[1]) if first is not None and first[0] <= clear.t_start else None
