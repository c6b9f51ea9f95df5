"""The six required regions: in the picture, and nothing before them. And the dealer's perspective."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon as Shape
from shapely.geometry import box as rectangle

from verifier.domain.layout import Layout, Polygon
from verifier.recording.decode import Picture
from verifier.review.sample_check.looking import Looked
from verifier.review.sample_check.showing import Stills
from verifier.review.sample_check.values import Item, ItemVerdict
from verifier.vision.ocr import box_of

IN_VIEW: Final = 0.98
"""Share of a region that must lie within the picture."""
BLANK: Final = 7.0
"""Grey levels (standard deviation) below which a region that has a thing in it shows nothing of it."""
DIFFERS: Final = 35.0
"""Grey levels by which a pixel differs from how its region looks otherwise."""
HIDDEN: Final = 0.5
"""Share of a region that differs where something stands before it."""
ALIKE: Final = 0.3
"""Correlation with how the region looks otherwise, below which something else shows."""
OFTEN: Final = 0.25
"""Share of the pictures in which it does: hands pass, what stays covers."""
PATCH: Final = 96
RIM: Final = 9
"""Pixels of a patch that are left out at the edge of a region."""
REGIONS: Final = {
    "shoe": ("Face of the shoe", "99-01.3-08-04(1)(c)", "view-shoe"),
    "discard": ("Discard holder", "99-01.3-08-04(1)(c)", "view-discard"),
    "tray": ("Chip tray", "99-01.3-08-04(1)(c)", "view-tray"),
    "drop": ("Currency plunger", "99-01.3-08-04(1)(c)", "view-plunger"),
    "table_number": ("Table number", "99-01.3-08-04(1)(c)", "view-number"),
}
Grey = NDArray[np.float32]
Flags = NDArray[np.bool_]


def view_items(seen: Looked, layout: Layout | None, reference: Picture | None, stills: Stills) -> list[Item]:
    """Items on the six regions and the perspective. `reference` is a still of the clear table, of the same size."""
    return [
        *(_region(name, words, seen, layout, reference, stills) for name, words in _regions(layout)),
        _spaces(seen, layout, stills),
        _perspective(layout),
    ]


def _regions(layout: Layout | None) -> list[tuple[str, tuple[str, str, str]]]:
    """Return the regions that are asked for: a poker table has no shoe."""
    shoeless = layout is not None and layout.game == "poker"
    return [(name, words) for name, words in REGIONS.items() if not (shoeless and name == "shoe")]


def _region(
    name: str,
    words: tuple[str, str, str],
    seen: Looked,
    layout: Layout | None,
    reference: Picture | None,
    stills: Stills,
) -> Item:
    title, cite, key = words
    zone: Polygon | None = getattr(layout.zones, name) if layout is not None else None
    item = partial(Item, key=key, title=f"In view: {title.lower()}", cite=cite)
    if zone is None:
        says = "The layout does not say where it is." if layout else "Needs a layout."
        return item(verdict="cannot_tell", says=says)
    inside = share_in_view([zone], seen)
    first = seen.samples[0]
    if inside < IN_VIEW:
        shown = [stills.add(key, first, f"{title}: cut by the edge of the picture", [zone])]
        says, measured = "It is cut by the edge of the picture.", f"{inside:.0%} in the picture"
        return item(verdict="fail", says=says, measured=measured, stills=shown)
    hidden, blank = _covered(seen, zone, reference)
    covered = float(hidden.mean())
    measured = f"hidden in {covered:.0%} of the pictures"
    if covered > OFTEN:
        at = seen.samples[int(hidden.argmax())]
        shown = [stills.add(key, at, f"{at.t:.1f} s: it does not show", [zone])]
        says = "Nothing of it shows: it is covered." if blank.all() else "Something stays before it."
        return item(verdict="fail", says=says, measured=measured, stills=shown)
    shown = [stills.add(key, first, title, [zone])]
    return item(verdict="pass", says="It is in view and nothing stays before it.", measured=measured, stills=shown)


def _covered(seen: Looked, zone: Polygon, reference: Picture | None) -> tuple[Flags, Flags]:
    """Tell of each picture (n,) whether a zone is hidden in it, and whether it shows nothing at all there."""
    patches = [patch_of(sample.picture, zone) for sample in seen.samples]
    usual = patch_of(reference, zone) if reference is not None else np.median(np.stack(patches), axis=0)
    blank = np.array([float(patch.std()) < BLANK for patch in patches])
    return np.array([hides(patch, np.asarray(usual, np.float32)) for patch in patches]) | blank, blank


def share_in_view(zones: Sequence[Polygon], seen: Looked) -> float:
    """Return the smallest share of the zones (pixels) that lies within the picture."""
    frame = rectangle(0, 0, seen.probe.info.width, seen.probe.info.height)
    shapes = [Shape(zone).buffer(0) for zone in zones]
    return min((shape.intersection(frame).area / shape.area for shape in shapes if shape.area > 0), default=0.0)


def patch_of(picture: Picture, zone: Polygon) -> Grey:
    """Return the pixels of a zone in grey, (n,), from a picture of PATCH pixels a side; its rim is left out."""
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = box_of(zone)
    left, top = max(0, int(x0)), max(0, int(y0))
    right, bottom = max(left + 1, min(width, round(x1))), max(top + 1, min(height, round(y1)))
    grey = cv2.cvtColor(picture[top:bottom, left:right], cv2.COLOR_BGR2GRAY)
    small = np.asarray(cv2.resize(grey, (PATCH, PATCH), interpolation=cv2.INTER_AREA), np.float32)
    scale = np.array([PATCH / (right - left), PATCH / (bottom - top)])
    mask = np.zeros((PATCH, PATCH), np.uint8)
    cv2.fillPoly(mask, [np.round((np.asarray(zone) - (left, top)) * scale).astype(np.int32)], (1.0,))
    inner = cv2.erode(mask, np.ones((RIM, RIM), np.uint8)) > 0
    return small[inner] if inner.any() else small.reshape(-1)


def hides(patch: Grey, usual: Grey) -> bool:
    """Tell whether something else shows in a region than usual, its overall light set aside."""
    if float(usual.std()) >= BLANK and float(patch.std()) > 0 and float(np.corrcoef(patch, usual)[0, 1]) < ALIKE:
        return True
    return float((np.abs(patch - usual - np.median(patch - usual)) > DIFFERS).mean()) > HIDDEN


def _spaces(seen: Looked, layout: Layout | None, stills: Stills) -> Item:
    title, cite = "In view: all betting spaces", "99-01.3-08-04(1)(c)"
    if layout is None:
        return Item(key="view-spaces", title=title, cite=cite, verdict="cannot_tell", says="Needs a layout.")
    zones = {int(place.partition(":")[2]): area for place, area in sorted(layout.areas.items())}
    cut = [number for number, zone in zones.items() if share_in_view([zone], seen) < IN_VIEW]
    covered = sorted(set(_covered_spaces(seen, zones)) - set(cut))
    marked = [zones[number] for number in (cut or covered or zones)]
    shown = [stills.add("view-spaces", seen.samples[0], "Betting spaces", marked)]
    if cut or covered:
        why = "cut by the edge of the picture" if cut else "covered for most of the recording"
        says = f"Space {', '.join(map(str, cut or covered))}: {why}."
        return Item(key="view-spaces", title=title, cite=cite, verdict="fail", says=says, stills=shown)
    says = f"All {len(zones)} spaces of the layout are in the picture."
    return Item(key="view-spaces", title=title, cite=cite, verdict="pass", says=says, stills=shown)


def _covered_spaces(seen: Looked, zones: Mapping[int, Polygon]) -> list[int]:
    """Spaces that show another surface than the others do, nearly all of it, in most pictures."""
    if len(zones) < 3:
        return []
    means = {
        number: np.median([float(patch_of(sample.picture, zone).mean()) for sample in seen.samples])
        for number, zone in zones.items()
    }
    usual = float(np.median(list(means.values())))
    return [number for number, value in means.items() if abs(float(value) - usual) > 2 * DIFFERS]


def _perspective(layout: Layout | None) -> Item:
    title, cite = "Dealer's perspective, above the table's middle", "99-01.3-08-04(1)(b)"

    def item(verdict: ItemVerdict, says: str, measured: str = "") -> Item:
        return Item(key="perspective", title=title, cite=cite, verdict=verdict, says=says, measured=measured)

    if layout is None:
        return item("cannot_tell", "Needs a layout.")
    if layout.dealer_side != "bottom":
        return item("fail", f"The dealer sits at the {layout.dealer_side} of the picture, not at its bottom.")
    width = layout.image_size[0]
    points = np.concatenate([np.asarray(area) for area in layout.areas.values()])
    dealer = np.asarray(layout.zones.dealer).mean(axis=0)
    off = abs(float(points[:, 0].min() + points[:, 0].max()) / 2 - width / 2) / width
    measured = f"the spaces' middle lies {off:.0%} of the width off the picture's middle"
    if dealer[1] <= points[:, 1].mean():
        return item("fail", "The dealer's cards lie above the players' in the picture.", measured)
    if off > 0.15:
        return item("cannot_tell", "The camera may not hang above the middle: a person decides.", measured)
    return item("pass", "The dealer's side is at the bottom and the table in the middle.", measured)
