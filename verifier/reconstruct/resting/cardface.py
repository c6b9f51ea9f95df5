"""Which face, rank and suit all looks at a card tell.

The reading is a tempered geometric mean of the rank posteriors. Frames of one resting card are far from independent, so
that many of them count as little more than one look: a reader that errs, errs in all of them, and a tracker has joined
them already. Both constants make the readings of 564 cards of 21 recordings likeliest (benchmarks/replay.py's).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

from verifier.domain.cards import RANKS
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.tracks import Track
from verifier.reconstruct.table.detections import CardDetection


def value_of(rank: str | None) -> str | None:
    """Return a rank, all of value ten alike: two of those may be split."""
    return "T" if rank is not None and rank in "TJQK" else rank


def rested(track: Track[CardDetection]) -> list[tuple[float, CardDetection]]:
    """Return the looks at a card at rest with their times; all where it never was."""
    return [(t, detection) for t, detection in track.trail if t >= track.t_rest] or list(track.trail)


def read_ranks(track: Track[CardDetection]) -> dict[str, float]:
    """Rank posterior over all detections of a track's face; empty where none was read."""
    return posterior([detection for _, detection in rested(track)])


def posterior(detections: Sequence[CardDetection]) -> dict[str, float]:
    """Rank posterior over some looks; empty where they read none."""
    read = [detection for detection in detections if detection.ranks and detection.face == "up"]
    if not read:
        return {}
    weights = [look_weight(detection) for detection in read]
    total = sum(weights)
    power = pooling_power(len(read))
    logs = {
        rank: power
        * sum(w * math.log(max(par.FACE_FLOOR_P, s.ranks.get(rank, 0.0))) for w, s in zip(weights, read, strict=True))
        / total
        for rank in RANKS
    }
    top = max(logs.values())
    raw = {rank: math.exp(value - top) for rank, value in logs.items()}
    whole = sum(raw.values())
    return {rank: round(value / whole, 4) for rank, value in raw.items() if value / whole >= par.LEAST_KEPT_P}


def look_weight(detection: CardDetection) -> float:
    """How much a look counts among those at one card."""
    return max(par.FACE_LEAST_VISIBLE_SHARE, detection.visible) ** 2 * detection.p


def pooling_power(looks: int) -> float:
    """As how many independent looks so many at one card count."""
    return min(par.FACE_INDEPENDENT_LOOKS, 1.0 + par.FACE_LOOK_WEIGHT * (looks - 1))


def agreement(a: Track[CardDetection], b: Track[CardDetection]) -> float | None:
    """Probability that two readings name the same rank; None where one has none."""
    one, other = read_ranks(a), read_ranks(b)
    return sum(one[rank] * other.get(rank, 0.0) for rank in one) if one and other else None


def suit_of(detections: Sequence[CardDetection]) -> str | None:
    """Return the suit that most looks read; None where they are at odds."""
    votes = Counter(detection.suit for detection in detections if detection.suit and detection.face == "up")
    if not votes:
        return None
    suit, count = votes.most_common(1)[0]
    return suit if count >= par.VOTED_SHARE * votes.total() else None


def suit_near(track: Track[CardDetection], t: float) -> str | None:
    """Return the suit as it was read about `t`: a card that others cover later may be misread then."""
    seen_at_rest = rested(track)
    return suit_of(
        [detection for seen, detection in seen_at_rest if abs(seen - t) <= par.SUIT_S]
        or [detection for _, detection in seen_at_rest]
    )


def faces_of(detections: Sequence[tuple[float, CardDetection]]) -> tuple[str, tuple[float, float] | None]:
    """Return the face that it was laid with, and when it was turned up: last detection of its back, first of its
    face.
    """
    head = [detection.face for _, detection in detections[:7]]
    backs = list(itertools.takewhile(lambda pair: pair[1].face == "down", detections))
    lasting = len(backs) >= 2 and backs[-1][0] - backs[0][0] >= par.FACE_BACK_S
    if not lasting and head.count("down") * 2 <= len(head):
        return "up", None
    for i in range(2, len(detections) - 2):
        ahead = [detection.face for _, detection in detections[i : i + 5]]
        if (
            detections[i][1].face == "up"
            and ahead.count("up") >= min(par.FACE_AHEAD_LOOKS, len(ahead))
            and _remains_up(detections[i:])
        ):
            known = _read_before(
                [detection for _, detection in detections[:i]], [detection for _, detection in detections[i:]]
            )
            return ("up", None) if known else ("down", (detections[i - 1][0], detections[i][0]))
    return "down", None


def _read_before(before: Sequence[CardDetection], after: Sequence[CardDetection]) -> bool:
    """Tell whether a face was read, surely and as it is read later, before a card seemed to be turned: it had lain
    open.

    Once in many backs it was read for a moment with another card's reading.
    """
    later = posterior(after)
    read = [
        detection
        for detection in before
        if detection.face == "up"
        and sum(p * later.get(rank, 0.0) for rank, p in detection.ranks.items()) >= par.FACE_ALIKE_P
    ]
    return sum(detection.p for detection in read) >= par.FACE_LEAST_OPEN_SHARE * len(before)


def _remains_up(detections: Sequence[tuple[float, CardDetection]]) -> bool:
    """Tell whether a card shows its face for good: one that surely shows its back again was only misread."""
    runs = [list(run) for back, run in itertools.groupby(detections, key=lambda pair: _sure_back(pair[1])) if back]
    lasting = any(run[-1][0] - run[0][0] >= par.FACE_BACK_AGAIN_S for run in runs)
    return not lasting and sum(detection.face == "up" for _, detection in detections) >= par.FACE_UP_SHARE * len(
        detections
    )


def _sure_back(detection: CardDetection) -> bool:
    return detection.face == "down" and detection.p >= par.BACK_AGAIN_P
