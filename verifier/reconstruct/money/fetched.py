"""Chips fetched from the tray for a payoff: by which hand and when, or with those of the payoff before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import structs

from verifier.domain.events import AnyEvent, ChipsFromTray, PayoffPlaced
from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import Drafts, RoundScene
from verifier.reconstruct.table.zones import Xy, distance


def brought(scene: RoundScene, points: Sequence[Xy], placed: float) -> tuple[str | None, float | None]:
    """Which hand brought what was laid at the points from the tray, and when a hand was last there; None: not seen.

    It is the one that was at the tray last: the other may have been there before, and rest near the payoff now. A
    side that two hands have at one time tells nothing, nor does a visit before a gap in which there may have been one.
    """
    at_tray = [
        hand
        for hand in scene.hands.between(placed - par.FETCH_VISIT_S, placed - par.TWO_LOOKS_S, "dealer")
        if scene.table.within(hand.tip, "tray")
    ]
    there = {
        hand.side
        for hand in scene.hands.between(placed - par.LAYING_S, placed + par.SLACK_S, "dealer")
        if min(distance(hand.tip, xy) for xy in points) < par.HAND_SIDE_MM
    }
    last = at_tray[-1].t if at_tray else None
    if last is not None and scene.hands.blind(last, placed) is not None:
        return None, None
    late = [hand for hand in at_tray[-5:] if last is not None and last - hand.t < par.FETCH_AT_ONCE_S]
    sides = {hand.side for hand in late} & {"left", "right"}
    twice = any(
        sum(one.side == hand.side for one in scene.hands.between(hand.t, hand.t, "dealer")) > 1 for hand in late
    )
    side = next(iter(sides)) if len(sides) == 1 and not twice else None
    return side if side in there else None, last


def fetched_together(scene: RoundScene, drafts: Iterable[object]) -> Drafts:
    """Return the records of chips taken from the tray, where a payoff without a visit of its own came with the one
    before.

    That no hand came to the tray is told only where the dealer's hands were watched from the payoff before on.
    """
    taken = sorted((d for d in drafts if isinstance(d, ChipsFromTray)), key=lambda d: d.t_end)
    placed = sorted(d.t_end for d in drafts if isinstance(d, PayoffPlaced))
    result: list[ChipsFromTray] = []
    for one in taken:
        laid = min(placed, key=lambda t: abs(t - par.FETCH_CARRY_S - par.FETCH_GRIP_S - one.t_start), default=one.t_end)
        before = max((t for t in placed if t < laid), default=laid - par.FETCH_VISIT_S)
        unseen = one.p == par.FETCH_UNSEEN_P and result and _stayed_away(scene, before, laid)
        if not unseen:
            result.append(one)
        elif result[-1].cents is not None and one.cents is not None:
            result[-1] = structs.replace(result[-1], cents=result[-1].cents + one.cents, chips=None)
    return [*result]


def begun_at_tray(drafts: Sequence[AnyEvent]) -> Drafts:
    """Return the records; each payoff begins as the hand left the tray with its chips, where that was seen.

    What is laid after another payoff of the same visit is begun then.
    """
    left = [d.t_end for d in drafts if isinstance(d, ChipsFromTray) and d.p > par.FETCH_UNSEEN_P]
    placed = [d.t_end for d in drafts if isinstance(d, PayoffPlaced)]
    result: Drafts = []
    for one in drafts:
        if isinstance(one, PayoffPlaced) and not one.weak:
            since = max([one.t_end - par.FETCH_CARRIED_S, *(t for t in placed if t < one.t_end)])
            begun = max((t for t in left if since <= t < one.t_start), default=one.t_start)
            one = structs.replace(one, t_start=begun)
        result.append(one)
    return result


def _stayed_away(scene: RoundScene, since: float, laid: float) -> bool:
    """Tell whether both hands of the dealer were in sight from the payoff before on, and neither came to the tray."""
    hands = list(scene.hands.between(since - par.FETCH_S, laid, "dealer"))
    if any(
        scene.table.within((hand.tip[0], hand.tip[1] + par.FETCH_SHORT_MM), "tray") for hand in hands if hand.t >= since
    ):
        return False
    return all(_watched([since, *(hand.t for hand in hands if hand.side == side), laid]) for side in ("left", "right"))


def _watched(times: Sequence[float]) -> bool:
    """Tell whether detections of a hand at these times leave no room for a visit to the tray between them."""
    return len(times) > 2 and all(b - a <= par.FETCH_S for a, b in pairwise(sorted(times)))
