"""Compares the pictures of two files whose clocks say that they show the same moments.

Two files of one table look alike while nothing happens. They show the same only if every compared moment is equal up to
what encoding changes, and if enough moves between these moments to tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from msgspec import Struct
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from verifier.domain.layout import Polygon
from verifier.recording.probe import Probe
from verifier.review.frames import frames_at
from verifier.vision.clock import STRIP

SAME: Final = 4.0
"""Grey levels up to which two pictures are equal. Measured on seconds 93 to 113 of sample_videos/flagged in pairs of
encodings: at most 2.3 (H.264 at crf 18 against crf 32, MPEG-4 at q 12 and full colour range); crf 40
reaches 7.1 and is then not recognised as the same."""
MOVES: Final = 8.0
"""Grey levels from which two pictures of one file differ because something moved: twice SAME. Pictures of that
recording a second apart differ by 20 in the median."""
MOVED: Final = 2
"""Steps between neighbouring moments that must show movement: one may be a light that is switched."""
MOMENTS: Final = 8
"""Moments that are compared, spread over the overlap."""
LEAST: Final = 3
"""Moments that both files must hold."""
SEARCH_S: Final = 1.5
"""Seconds by which the clocks of two files, each read to the second, may be off."""
STEP_S: Final = 0.03
"""Seconds between the pictures of a search: a picture at 30 a second lasts 0.033."""
NEAR: Final = 2
"""Steps by which a moment may be off the others, for frames that come unevenly."""
SIZE: Final = (160, 90)
CELL: Final = 10
"""Width and height of the pictures that are compared, and the side of their cells, in pixels."""

Grey = NDArray[np.uint8]
Verdict = Literal["same", "other", "unclear"]


class Likeness(Struct, frozen=True, kw_only=True):
    """Whether two files show the same. `unclear`: nothing moves by which to tell, or a file could not be read.

    `offset` is the media time of the first file, in seconds, at which the second begins; it counts for `same` only.
    """

    verdict: Verdict
    offset: float = 0.0


class Film(Struct, frozen=True):
    """A file to compare: its length in seconds, and its width and height in pixels."""

    video: Path | Probe
    seconds: float
    size: tuple[int, int]


def likeness(first: Film, second: Film, claimed: float, clock: Polygon | None = None) -> Likeness:
    """Compare two files; by their clocks the second begins `claimed` seconds after the first.

    `clock` is where the burned-in clock stands, in pixels of the recordings. Raises BadInput if a file cannot be
    opened.
    """
    overlap = min(first.seconds - claimed, second.seconds)
    moments = [(place + 0.5) / MOMENTS * overlap for place in range(MOMENTS)]
    lags = np.arange(-round(SEARCH_S / STEP_S), round(SEARCH_S / STEP_S) + 1) * STEP_S
    wanted = np.round(np.asarray(moments)[:, None] + claimed + lags[None, :], 3)
    inside = (wanted >= 0) & (wanted <= first.seconds - STEP_S)
    theirs = pictures_at(second.video, moments)
    mine = pictures_at(first.video, wanted[inside].tolist())
    hidden = _hidden(clock, first.size)
    apart = np.full(wanted.shape, np.inf)
    for place, moment in enumerate(moments):
        for lag in np.flatnonzero(inside[place]):
            pair = theirs.get(moment), mine.get(float(wanted[place, lag]))
            apart[place, lag] = _apart_or_far(pair, hidden)
    steps = [_apart_or_far((theirs.get(a), theirs.get(b)), hidden) for a, b in pairwise(moments)]
    return judged(apart, np.asarray(steps, np.float64), np.asarray(lags + claimed, np.float64))


def pictures_at(video: Path | Probe, times: Iterable[float]) -> Mapping[float, Grey]:
    """Small grey pictures (90, 160) of a recording by their wanted media times, as far as it holds them."""
    return {t: _small(picture) for t, picture in frames_at(video, times)}


def judged(apart: NDArray[np.float64], steps: NDArray[np.float64], offsets: NDArray[np.float64]) -> Likeness:
    """Return the verdict on measured differences, in grey levels.

    `apart` (moments, offsets): between both files, infinite if the first has no picture. `steps` (moments - 1,):
    between neighbouring moments of the second file. `offsets` (offsets,): seconds, as in `Likeness`.
    """
    beside = np.pad(apart, ((0, 0), (NEAR, NEAR)), constant_values=np.inf)
    near = sliding_window_view(beside, 2 * NEAR + 1, axis=1).min(axis=-1)
    shown = np.isfinite(near)
    equal = (shown.sum(axis=0) >= LEAST) & np.all((near <= SAME) | ~shown, axis=0)
    if not equal.any():
        return Likeness(verdict="other")
    moved = (shown[:-1] & shown[1:] & (steps >= MOVES)[:, None]).sum(axis=0)
    told = equal & (moved >= MOVED)
    if not told.any():
        return Likeness(verdict="unclear")
    mean = np.array(
        [near[shown[:, i], i].mean() + _exact(apart[:, i]) if told[i] else np.inf for i in range(len(told))]
    )
    return Likeness(verdict="same", offset=round(float(offsets[int(mean.argmin())]), 3))


def _exact(apart: NDArray[np.float64]) -> float:
    """Return the mean difference at an offset itself; it decides between neighbouring offsets."""
    known = apart[np.isfinite(apart)]
    return float(known.mean()) if known.size else 0.0


def difference(one: Grey, other: Grey, hidden: NDArray[np.bool_]) -> float:
    """Grey levels by which two pictures differ in the cell that differs most, the overall light set aside.

    `hidden` (90, 160): pixels that are left out.
    """
    step = one.astype(np.float32) - other
    step = np.abs(step - np.median(step[~hidden]))
    step[hidden] = 0.0
    rows, columns = SIZE[1] // CELL, SIZE[0] // CELL
    return float(step.reshape(rows, CELL, columns, CELL).mean(axis=(1, 3)).max())


def _apart_or_far(pair: tuple[Grey | None, Grey | None], hidden: NDArray[np.bool_]) -> float:
    one, other = pair
    return float("inf") if one is None or other is None else difference(one, other, hidden)


def _small(picture: NDArray[np.uint8]) -> Grey:
    small = cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def _hidden(clock: Polygon | None, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Where a clock stands, or may stand: equal clocks are why the files are compared, and tell nothing."""
    hidden = np.zeros((SIZE[1], SIZE[0]), np.bool_)
    strip = round(STRIP * SIZE[1])
    hidden[:strip] = hidden[-strip:] = True
    if clock:
        corners = np.asarray(clock) * (SIZE[0] / size[0], SIZE[1] / size[1])
        (left, top), (right, bottom) = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
        hidden[max(0, int(top)) : int(bottom) + 1, max(0, int(left)) : int(right) + 1] = True
    return hidden
