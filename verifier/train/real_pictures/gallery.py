"""Contact sheets of pictures that failed: what is there in green, what was seen in red, what is wrong above."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from verifier.domain.observations import Observation
from verifier.train.labels import box_quad, chip_quad

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
CELL: Final = (320, 320)
"""Width and height of a picture on a sheet."""
COLUMNS: Final = 5
ROWS: Final = 5
TRUE, SEEN = (80, 220, 80), (60, 60, 255)


class Failure(Struct, frozen=True):
    """A picture (BGR), the true outlines (4, 2) where labelled, what was seen, and what is wrong with it in words."""

    name: str
    image: Image
    truth: Sequence[Floats]
    seen: Observation
    wrong: str


def write_sheets(folder: Path, name: str, failures: Sequence[Failure]) -> list[Path]:
    """Write `name`-1.png, `name`-2.png ... of COLUMNS by ROWS pictures; return the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    each = COLUMNS * ROWS
    out = []
    for number, first in enumerate(range(0, len(failures), each), 1):
        cells = [_cell(failure) for failure in failures[first : first + each]]
        sheet = np.zeros((-(-len(cells) // COLUMNS) * CELL[1], COLUMNS * CELL[0], 3), np.uint8)
        for index, cell in enumerate(cells):
            y, x = index // COLUMNS * CELL[1], index % COLUMNS * CELL[0]
            sheet[y : y + CELL[1], x : x + CELL[0]] = cell
        out.append(folder / f"{name}-{number}.png")
        cv2.imwrite(str(out[-1]), sheet)
    return out


def _cell(failure: Failure) -> Image:
    h, w = failure.image.shape[:2]
    scale = min(CELL[0] / w, (CELL[1] - 20) / h)
    size = (round(w * scale), round(h * scale))
    small = np.array(cv2.resize(failure.image, size, interpolation=cv2.INTER_AREA), np.uint8)
    for quad in failure.truth:
        _draw(small, quad * scale, TRUE)
    for card in failure.seen.cards:
        _draw(small, np.array(card.quad, np.float32) * scale, SEEN, f"{card.rank or '?'}{card.suit or ''}")
    for chip in failure.seen.chips:
        _draw(small, chip_quad(chip) * scale, SEEN)
    for hand in failure.seen.hands:
        _draw(small, box_quad(hand.box) * scale, SEEN, f"{hand.fingers} {hand.facing[0]}{hand.side[0]}")
    out = np.zeros((CELL[1], CELL[0], 3), np.uint8)
    out[20 : 20 + small.shape[0], : small.shape[1]] = small[: CELL[1] - 20, : CELL[0]]
    words = f"{failure.wrong}  {failure.name}"[:52]
    cv2.putText(out, words, (3, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 255, 255), 1, cv2.LINE_AA)
    return out


def _draw(image: NDArray[np.uint8], quad: Floats, colour: tuple[int, int, int], words: str = "") -> None:
    cv2.polylines(image, [np.round(quad).astype(np.int32)], True, colour, 1, cv2.LINE_AA)
    if words:
        at = (int(quad[:, 0].min()) + 2, int(quad[:, 1].min()) + 11)
        cv2.putText(image, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 255, 255), 1, cv2.LINE_AA)
