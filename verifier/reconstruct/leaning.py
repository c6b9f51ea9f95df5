"""Somebody who leans over the players' side hides what is done there: chips go out of sight with no hand over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import Cover
from verifier.reconstruct.resting.chip_dwells import ChipDwell, shows_again
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import distance


def hidden_at(scene: RoundScene, number: int, t0: float, t1: float) -> tuple[float, float] | None:
    """Return a stretch of [t0, t1] in which a chip at a space's wager spot was hidden, and no hand was seen over it."""
    spot = scene.table.spaces[number].wager
    near = [dwell for dwell in scene.dwells.get(number, ()) if distance(dwell.xy, spot) <= par.LEAN_WAGER_MM]
    for dwell, a, b in _gaps(near):
        start, end = max(a, t0), min(b, t1)
        if end - start >= par.BLIND_S and hidden_from(scene, dwell, a, b):
            return start, end
    return None


def _gaps(dwells: Sequence[ChipDwell]) -> Iterator[tuple[ChipDwell, float, float]]:
    """Each chip with the stretches in which it was out of sight; it may seem to have gone and come again.

    Nobody leans over chips for longer than `HIDDEN_S`: what shows there after that is another chip, as a later
    round lays it where an earlier one's had lain.
    """
    for dwell in dwells:
        for a, b in dwell.unseen:
            yield dwell, a, b
        later = [other.t0 for other in dwells if shows_again(dwell, other, dwell.seen_to + par.HIDDEN_S)]
        if later:
            yield dwell, dwell.seen_to, min(later)


def hidden_from(scene: RoundScene, dwell: ChipDwell, a: float, b: float) -> bool:
    """Tell whether a chip last seen at `a` and next at `b` was not taken, just missed, or under a hand in between."""
    bare = _bare(scene, dwell, a, b)
    long = bool(bare) and bare[-1] - bare[0] >= par.BLIND_S
    return long and not seen_taken(scene, dwell, a) and _not_missed(scene, dwell, a, b, len(bare))


def _bare(scene: RoundScene, dwell: ChipDwell, a: float, b: float) -> list[float]:
    """Return the looks between `a` and `b` with no hand over a chip."""
    looks = scene.hands.times_between(a, b)[1:-1]
    return [t for t in looks if not Cover(tuple(scene.hands.between(t, t))).hides(dwell.xy)]


def _not_missed(scene: RoundScene, dwell: ChipDwell, a: float, b: float, count: int) -> bool:
    """Tell whether a chip that is seen as often as this one would hardly be missed in `count` looks between `a`
    and `b`.
    """
    amid = len(scene.hands.times_between(a, b)[1:-1]) if b <= dwell.seen_to else 0
    others = scene.hands.frames(dwell.t0, dwell.seen_to) - amid
    missed = max(0, others - dwell.n)
    return bool(((missed + 1) / (others + 2)) ** count < par.LOST_CHANCE_P)


def seen_taken(scene: RoundScene, dwell: ChipDwell, last: float | None = None) -> bool:
    """Tell whether a hand of the dealer's is seen at a chip as it goes, or soon after its `last` sight.

    A hand that comes only when the chip has been hidden by something, as somebody leans over it, does not tell.
    """
    since, until = (dwell.seen_to, dwell.t1) if last is None else (last, last)
    hands = scene.hands.between(since, until + par.LEAN_TAKEN_S, "dealer")
    came = next((hand.t for hand in hands if hand.over(dwell.xy, par.HAND_AT_MM)), None)
    if came is None:
        return False
    return last is not None or not _not_missed(scene, dwell, since, came, len(_bare(scene, dwell, since, came)))
