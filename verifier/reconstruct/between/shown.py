"""Hands shown before a dealer leaves: each one's back and palm, over the inner area (99-01.3-08-11(18)(a))."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from msgspec import structs

from verifier.domain.events import HandsShown
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.facings import agreed
from verifier.reconstruct.scene import Between, Drafts, event
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.runs import runs_of
from verifier.reconstruct.table.zones import distance

Held = dict[tuple[str, str], list[HandDetection]]
"""Detections of hands by side and facing."""


@dataclass(frozen=True, slots=True)
class _Least:
    """Least probabilities from which a look counts: of a facing, the same where it is unknown, and of an open hand.

    `sides`: which hand a look counts for where that is in doubt.
    """

    facing: float
    unknown: float
    open: float
    sides: tuple[str, ...]


_SURE = _Least(par.SURE_FACING_P, 0.0, par.COUNTED_OPEN_P, ())
_MAYBE = _Least(1.0 - par.SURE_FACING_P, 1.0, 1.0 - par.SURE_FACING_P, ("left", "right"))


def hands_shown(between: Between, left: float) -> HandsShown | None:
    """Both hands held flat over the inner area, backs and palms, before the dealer leaves.

    A side that shows only in looks that are in doubt is None: it may have been shown.
    """
    frames = _over_inner(between, left)
    sure, maybe = _held(frames, _SURE), _held(frames, _MAYBE)
    palms = _palms(sure) or _palms(maybe)
    runs = runs_of(palms, par.PALMS_GAP_S)
    both = [t for t, hands in frames.items() if len(hands) >= 2]
    unseen = _unlooked(between, sorted(hand.t for group in sure.values() for hand in group))
    if len(both) < par.SURE_LOOKS or not (runs or unseen):
        return None
    p0, p1 = max(runs, key=lambda run: run[2])[:2] if runs else unseen[-1]
    sure, maybe = (_between(held, p0 - par.BACKS_BEFORE_S, p1 + 1.0) for held in (sure, maybe))
    begins = not between.played and p0 - par.BACKS_BEFORE_S < between.start  # the recording begins in it
    doubt = bool(unseen) or begins
    sides = itertools.product(("left", "right"), ("back", "palm"))
    seen = {
        key: _either(_side_shown(between, sure, key, doubt), _side_shown(between, maybe, key, doubt)) for key in sides
    }
    if not maybe or all(seen[side, "palm"] is False for side in ("left", "right")):
        return None
    hands = [hand for group in (sure or maybe).values() for hand in group]
    t0, t1 = min(hand.t for hand in hands), max(hand.t for hand in hands)
    return event(
        HandsShown,
        t0,
        t1,
        par.SEEN_P,
        left_palm=seen["left", "palm"],
        left_back=seen["left", "back"],
        right_palm=seen["right", "palm"],
        right_back=seen["right", "back"],
        fingers_extended=_extended(hands),
        duration=round(t1 - t0, 3),
    )


def _between(held: Held, t0: float, t1: float) -> Held:
    return {key: [hand for hand in group if t0 <= hand.t <= t1] for key, group in held.items()}


def _side_shown(between: Between, held: Held, key: tuple[str, str], doubt: bool) -> bool | None:
    """Tell whether one side of one hand was shown, by these looks."""
    looks = held.get(key, [])
    return _shown(looks, _beside(between, held, key) | _missed(between, looks), doubt)


def _either(surely: bool | None, perhaps: bool | None) -> bool | None:
    """Return what sure looks say, or None where they do not show it and those in doubt may."""
    return surely if surely or perhaps is False else None


def _over_inner(between: Between, left: float) -> dict[float, list[HandDetection]]:
    """Return the dealer's hands over the inner area in the last seconds before the dealer left, by look, with what
    looks that agree tell of their facing together.
    """
    frames: dict[float, list[HandDetection]] = {}
    for hand in between.hands.between(left - par.SHOWN_WITHIN_S, left, "dealer"):
        if between.table.near(hand.tip, "inner", par.SHOWN_INNER_MM):
            frames.setdefault(hand.t, []).append(hand)
    looks: dict[str, list[tuple[float, int]]] = {}
    for t, hands in frames.items():
        for number, hand in enumerate(hands):
            looks.setdefault(_side(hand, hands) or "", []).append((t, number))
    joined = {t: list(hands) for t, hands in frames.items()}
    for at in looks.values():
        told = agreed([frames[t][number].facings for t, number in at])
        for (t, number), facings in zip(at, told, strict=True):
            joined[t][number] = structs.replace(frames[t][number], facings=facings)
    return joined


def _extended(hands: Sequence[HandDetection]) -> bool | None:
    """Tell whether fingers were extended in most of the looks that tell it surely; None where no look does."""
    counts = [hand.open_p for hand in hands if hand.open_p is not None]
    told = [p >= par.SURE_FACING_P for p in counts if not _MAYBE.facing < p < par.SURE_FACING_P]
    return sum(told) >= par.VOTED_SHARE * len(told) if told else None


def shown_by(between: Between, shown: HandsShown, taken: float) -> HandsShown:
    """Return the showing of hands as it was when the receptacle was taken, where all that was shown had been shown by
    then.

    The hand that stays behind is open still.
    """
    earlier = hands_shown(between, taken) if shown.t_start < taken < shown.t_end else None
    return earlier if earlier is not None and _sides(earlier) == _sides(shown) else shown


def _sides(shown: HandsShown) -> tuple[bool | None, ...]:
    return shown.left_palm, shown.left_back, shown.right_palm, shown.right_back


def _held(frames: dict[float, list[HandDetection]], least: _Least) -> Held:
    """Return the hands held open and still, by side and facing; where no palm is so, hands that are closed."""
    held = _turned(frames, least)
    return held if _palms(held) else _closed(frames, least) or held


def _palms(held: Held) -> list[float]:
    """Return when palms showed."""
    return sorted(hand.t for (_, facing), group in held.items() if facing == "palm" for hand in group)


def _turned(frames: dict[float, list[HandDetection]], least: _Least) -> Held:
    """Return the hands that are open (or whose fingers nobody counted) and held still, by side and facing."""
    held: Held = {}
    for t, hands in frames.items():
        for hand in (one for one in hands if one.open_p is None or one.open_p >= least.open):
            side = _side(hand, hands)
            sides = least.sides if side is None else (side,)
            if sides and _still(frames, t, hand):
                for facing in ("back", "palm"):
                    if (hand.facings.get(facing, 0.0) if hand.facings else least.unknown) >= least.facing:
                        for one in sides:
                            held.setdefault((one, facing), []).append(hand)
    return held


def _closed(frames: dict[float, list[HandDetection]], least: _Least) -> Held | None:
    """Return the same for hands whose fingers were not counted as extended but whose palms were held up, each at one
    place.

    At rest and at work a dealer's palms are down, closed or not.
    """
    held = _turned(frames, replace(least, open=0.0))
    if not _palms(held):
        return None
    turned = {side: group for (side, facing), group in held.items() if facing == "palm"}
    for (side, facing), group in held.items():
        held[side, facing] = [
            hand
            for hand in group
            if any(distance(hand.xy, palm.xy) <= par.SHOWN_PLACE_MM for palm in turned.get(side, ()))
        ]
    return {key: group for key, group in held.items() if group}


def shown_unread(between: Between, left: float) -> Drafts:
    """Return a weak showing without a side where nothing tells which side of a hand is seen: other detectors may
    not.
    """
    hands = list(between.hands.between(left - par.SHOWN_WITHIN_S, left, "dealer"))
    if any(hand.facing != "unknown" for hand in hands):
        return []
    sides = dict.fromkeys(("left_palm", "left_back", "right_palm", "right_back", "fingers_extended"))
    return [event(HandsShown, left - 1.0, left, par.WEAK_P, **sides, duration=None, occluded=True)]


def _side(hand: HandDetection, hands: Sequence[HandDetection]) -> str | None:
    """Left or right by place where two hands are seen (they are not crossed when shown), else by the reading."""
    others = [other for other in hands if other is not hand]
    if others:
        other = max(others, key=lambda o: distance(o.xy, hand.xy))
        if abs(other.xy[0] - hand.xy[0]) > par.SHOWN_PLACE_MM:
            return "left" if hand.xy[0] < other.xy[0] else "right"
    return hand.side if hand.side != "unknown" else None


def _still(frames: dict[float, list[HandDetection]], t: float, hand: HandDetection) -> bool:
    """Tell whether a hand was at about the same place a moment before or after."""
    near = [
        other
        for u, hands in frames.items()
        if 0.0 < abs(u - t) <= par.SHOWN_STILL_S
        for other in hands
        if distance(other.xy, hand.xy) < par.SHOWN_PLACE_MM
    ]
    return bool(near)


def _unlooked(between: Between, open_at: Sequence[float]) -> list[tuple[float, float]]:
    """Stretches without a look while both hands were held open, too long to know what was shown in them.

    Not where they lie after it as before: hands that are turned move, and would have been looked at.
    """
    if not open_at:
        return []
    looks = between.hands.times_between(min(open_at), max(open_at) + par.RECORDING_GAP_S)
    return [(a, b) for a, b in itertools.pairwise(looks) if b - a >= par.RECORDING_GAP_S and not _rested(between, a, b)]


def _rested(between: Between, a: float, b: float) -> bool:
    """Tell whether the dealer's hands, those of two looks, lie at the same places with the same sides up."""
    one, other = (sorted(between.hands.between(t, t, "dealer"), key=lambda hand: hand.xy[0]) for t in (a, b))
    return len(one) == len(other) and all(
        first.facing == second.facing and distance(first.xy, second.xy) <= par.SHOWN_STILL_MM
        for first, second in zip(one, other, strict=True)
    )


def _beside(
    between: Between, held: Mapping[tuple[str, str], Sequence[HandDetection]], key: tuple[str, str]
) -> set[float]:
    """Return the looks in which that side of the other hand alone was seen, and this hand nowhere."""
    other = [hand.t for (side, facing), group in held.items() if side != key[0] and facing == key[1] for hand in group]
    return {t for t in other if len(list(between.hands.between(t, t, "dealer"))) == 1}


def _missed(between: Between, hands: Sequence[HandDetection]) -> set[float]:
    """Return the looks between two near ones at a hand that show fewer than both hands: it was lost from sight."""
    times = sorted({hand.t for hand in hands})
    return {
        t
        for a, b in itertools.pairwise(times)
        if b - a <= par.HAND_MISSED_S
        for t in between.hands.times_between(a, b)
        if a < t < b and len(list(between.hands.between(t, t, "dealer"))) < 2
    }


def _shown(hands: Sequence[HandDetection], beside: Set[float], unseen: bool) -> bool | None:
    """Tell whether one side of a hand was shown for long enough; None where it may have been while nobody looked.

    Looks `beside` in which it was lost from sight count with two of its own that are as far apart; else they leave it
    open.
    """
    times = {hand.t for hand in hands}
    if _long(times) and len(times | beside) >= par.SURE_LOOKS:
        return True
    return None if unseen or (len(times) >= 2 and _long(times | beside)) else False


def _long(times: Set[float]) -> bool:
    return len(times) >= 2 and max(times) - min(times) >= par.FACING_S
