"""Colour, resolution, sharpness and exposure over the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from verifier.domain.layout import CARD_MM, Layout
from verifier.recording.decode import Picture
from verifier.review.sample_check.looking import Looked
from verifier.review.sample_check.showing import Stills
from verifier.review.sample_check.values import Item, ItemVerdict
from verifier.vision.quality import COLOURED, GREY, colourfulness, exposure, of_table, sharpness

CITE: Final = "99-01.3-08-04(1)(b)"
SMALLEST, HIGH = (640, 480), (1280, 720)
"""Below SMALLEST no high resolution, from HIGH on some (this product's policy; the rule names no number)."""
SMALL_CARD: Final = 28.0
"""Pixels of a card's width below which its index is not to be read."""
BLURRED, SHARP = 12.0, 30.0
"""Variance of the Laplacian over the table, in a picture scaled to REFERENCE_WIDTH."""
REFERENCE_WIDTH: Final = 1280
DARK, DIM, BRIGHT = 28.0, 40.0, 215.0
"""Mean luma of the table: below DARK too dark, from DIM on enough, above BRIGHT too bright."""
LOST: Final = 0.35
"""Share of the table that may be without detail, crushed to black or blown out."""


def picture_items(seen: Looked, layout: Layout | None, stills: Stills) -> list[Item]:
    """All items on the picture itself, measured over the table where a layout says where it is."""
    tables = [of_table(sample.picture, layout) if layout is not None else sample.picture for sample in seen.samples]
    return [
        _colour(seen, tables, stills),
        _resolution(seen, layout),
        _one_size(seen),
        _sharpness(seen, tables, stills),
        _exposure(seen, tables, stills),
    ]


def _worst(seen: Looked, values: Sequence[float], stills: Stills, key: str, what: str) -> list[str]:
    sample = seen.samples[int(np.argmin(values))]
    return [stills.add(key, sample, f"{sample.t:.1f} s: {what}")]


def _item(key: str, title: str, verdict: ItemVerdict, says: str, measured: str, stills: list[str]) -> Item:
    return Item(key=key, title=title, cite=CITE, verdict=verdict, says=says, measured=measured, stills=stills)


def _colour(seen: Looked, tables: Sequence[Picture], stills: Stills) -> Item:
    values = [colourfulness(table) for table in tables]
    value = float(np.median(values))
    measured = f"{value:.0f} of 255 between the colours"
    if value >= COLOURED:
        return _item("colour", "Colour", "pass", "The recording is in colour.", measured, [])
    shown = _worst(seen, values, stills, "colour", "hardly any colour")
    if value < GREY:
        return _item("colour", "Colour", "fail", "The recording is black and white.", measured, shown)
    return _item("colour", "Colour", "cannot_tell", "The colours are faint: a person decides.", measured, shown)


def _resolution(seen: Looked, layout: Layout | None) -> Item:
    info, title = seen.probe.info, "High resolution"
    card = CARD_MM[0] * layout.scale if layout is not None else None
    measured = f"{info.width} x {info.height} pixels" + (f", a card is {card:.0f} pixels wide" if card else "")
    if info.width < SMALLEST[0] or info.height < SMALLEST[1] or (card is not None and card < SMALL_CARD):
        return _item("resolution", title, "fail", "Indices of cards are too small to be read.", measured, [])
    if info.width >= HIGH[0] and info.height >= HIGH[1]:
        return _item("resolution", title, "pass", "The picture is large enough.", measured, [])
    return _item("resolution", title, "cannot_tell", "Less than 1280 x 720: a person decides.", measured, [])


def _one_size(seen: Looked) -> Item:
    title = "One size of picture"
    others = [gap for gap in seen.coverage.gaps if gap.state == "not_watched"]
    if others:
        says = f"From {others[0].start:.1f} s to {others[0].end:.1f} s {others[0].cause}."
        return _item("one-size", title, "fail", says, f"{len(others)} stretches of another size", [])
    sizes = {run.shape.own_size: None for run in seen.probe.facts.runs}
    if len(sizes) > 1:
        measured = ", ".join(f"{width}x{height}" for width, height in sizes)
        return _item("one-size", title, "fail", "The picture changes its size.", measured, [])
    return _item("one-size", title, "pass", "All pictures are of one size.", "", [])


def _sharpness(seen: Looked, tables: Sequence[Picture], stills: Stills) -> Item:
    scale = min(1.0, REFERENCE_WIDTH / seen.probe.info.width)
    values = []
    for table in tables:
        grey = np.asarray(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY), np.uint8)
        grey = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        values.append(sharpness(grey))
    value = float(np.median(values))
    measured = f"sharpness {value:.0f} (from {SHARP:.0f} on sharp, below {BLURRED:.0f} out of focus)"
    if value >= SHARP:
        return _item("sharpness", "Sharp over the table", "pass", "Fine detail shows.", measured, [])
    shown = _worst(seen, values, stills, "sharpness", "out of focus")
    if value < BLURRED:
        return _item("sharpness", "Sharp over the table", "fail", "The picture is out of focus.", measured, shown)
    return _item("sharpness", "Sharp over the table", "cannot_tell", "Soft: a person decides.", measured, shown)


def _exposure(seen: Looked, tables: Sequence[Picture], stills: Stills) -> Item:
    greys = [np.asarray(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY), np.uint8) for table in tables]
    values = [float(grey.mean()) for grey in greys]
    value, lost = float(np.median(values)), float(np.median([_without_detail(grey) for grey in greys]))
    measured = f"mean brightness {value:.0f} of 255, {lost:.0%} without detail"
    title = "Light over the table"
    if DIM <= value <= BRIGHT and lost <= LOST:
        return _item("exposure", title, "pass", "The table is well lit.", measured, [])
    shown = _worst(seen, values, stills, "exposure", "light over the table")
    if value < DARK or value > BRIGHT or lost > LOST:
        says = "Too bright: detail is lost." if value > BRIGHT else "Too dark, or detail is lost."
        return _item("exposure", title, "fail", says, measured, shown)
    return _item("exposure", title, "cannot_tell", "Dim: a person decides.", measured, shown)


def _without_detail(grey: Picture) -> float:
    found = exposure(grey)
    return found.dark + found.bright
