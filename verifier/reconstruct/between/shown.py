"""Hands shown before a dealer leaves: each one's back and palm, over the inner area (99-01.3-08-11(18)(a))."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence, Set

from verifier.domain.events import HandsShown
from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import Between, Drafts, event
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.runs import runs_of
from verifier.reconstruct.table.zones import distance

Held = dict[tuple[str, str], list[HandDetection]]
"""Detections of hands by side and facing."""


def hands_shown(between: Between, left: float) -> HandsShown | None:
    """Both hands held flat over the inner area, backs and palms, before the dealer leaves."""
    frames = _over_inner(between, left)
    held, palms = _turned(frames, par.OPEN_FINGERS)
    if not palms:
        held, palms = _closed(frames) or (held, palms)
    runs = runs_of(palms, par.PALMS_GAP_S)
    both = [t for t, hands in frames.items() if len(hands) >= 2]
    unseen = _unlooked(between, sorted(hand.t for group in held.values() for hand in group))
    if len(both) < par.SURE_LOOKS or not (runs or unseen):
        return None
    p0, p1 = max(runs, key=lambda run: run[2])[:2] if runs else unseen[-1]
    held = {
        key: [hand for hand in group if p0 - par.BACKS_BEFORE_S <= hand.t <= p1 + 1.0] for key, group in held.items()
    }
    begins = not between.played and p0 - par.BACKS_BEFORE_S < between.start  # the recording begins in it
    doubt = bool(unseen) or begins
    sides = itertools.product(("left", "right"), ("back", "palm"))
    seen = {
        key: _shown(held.get(key, []), _beside(between, held, key) | _missed(between, held.get(key, [])), doubt)
        for key in sides
    }
    if not held or all(seen[side, "palm"] is False for side in ("left", "right")):
        return None
    hands = [hand for group in held.values() for hand in group]
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


def _over_inner(between: Between, left: float) -> dict[float, list[HandDetection]]:
    """Return the dealer's hands over the inner area in the last seconds before the dealer left, by look."""
    frames: dict[float, list[HandDetection]] = {}
    for hand in between.hands.between(left - par.SHOWN_WITHIN_S, left, "dealer"):
        if between.table.near(hand.tip, "inner", par.SHOWN_INNER_MM):
            frames.setdefault(hand.t, []).append(hand)
    return frames


def _extended(hands: Sequence[HandDetection]) -> bool | None:
    """Tell whether fingers were extended in most of the looks that count them; None where no look does."""
    counts = [hand.fingers for hand in hands if hand.fingers is not None]
    return sum(count >= par.OPEN_FINGERS for count in counts) >= par.VOTED_SHARE * len(counts) if counts else None


def shown_by(between: Between, shown: HandsShown, taken: float) -> HandsShown:
    """Return the showing of hands as it was when the receptacle was taken, where all that was shown had been shown by
    then.

    The hand that stays behind is open still.
    """
    earlier = hands_shown(between, taken) if shown.t_start < taken < shown.t_end else None
    return earlier if earlier is not None and _sides(earlier) == _sides(shown) else shown


def _sides(shown: HandsShown) -> tuple[bool | None, ...]:
    return shown.left_palm, shown.left_back, shown.right_palm, shown.right_back


def _turned(frames: dict[float, list[HandDetection]], fingers: int) -> tuple[Held, list[float]]:
    """Hands of so many extended fingers or more (or uncounted) held still, by side and facing; when palms showed."""
    held: Held = {}
    for t, hands in frames.items():
        for hand in (one for one in hands if one.fingers is None or one.fingers >= fingers):
            side = _side(hand, hands)
            if side is not None and hand.facing in ("back", "palm") and _still(frames, t, hand):
                held.setdefault((side, hand.facing), []).append(hand)
    return held, sorted(hand.t for (_, facing), group in held.items() if facing == "palm" for hand in group)


def _closed(frames: dict[float, list[HandDetection]]) -> tuple[Held, list[float]] | None:
    """Return the same for hands whose fingers were not counted as extended but whose palms were held up, each at one
    place.

    At rest and at work a dealer's palms are down, closed or not.
    """
    held, palms = _turned(frames, 0)
    if not palms:
        return None
    turned = {side: group for (side, facing), group in held.items() if facing == "palm"}
    for (side, facing), group in held.items():
        held[side, facing] = [
            hand
            for hand in group
            if any(distance(hand.xy, palm.xy) <= par.SHOWN_PLACE_MM for palm in turned.get(side, ()))
        ]
    return {key: group for key, group in held.items() if group}, palms


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
