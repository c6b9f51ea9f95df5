"""A drawing as a layout and back, and zones that are added to a drawing or taken out of it."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.domain.names import file_part
from verifier.formats.layout import layout_from, read_layout
from verifier.review.calibrate.proposal import Drawing, Picture, Points, inside, propose, ring
from verifier.store.database import home
from verifier.store.floor import Floor
from verifier.store.repository import Store

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,39}")
_SPACE: Final = re.compile(r"space ([1-7])(?: (wager|cards|tip|insurance))?")
_POINTS_MOST: Final = 60
REMOVABLE: Final = (
    "tray", "shoe", "discard", "drop", "tip_receptacle", "table_number", "site_id", "clock", "cards of the spaces",
    "tips of the spaces", "insurance of the spaces",
)  # fmt: skip
"""Zones that a table or its picture may lack."""
_PARTS: Final = {"cards of the spaces": "cards", "tips of the spaces": "tip", "insurance of the spaces": "insurance"}
_SPOT: Final = re.compile(r"space [1-7] wager")
Side = Literal["bottom", "top", "left", "right"]


class Table(Struct, frozen=True, kw_only=True):
    """Whose table it is, the size (width, height) of the picture in which its zones are drawn, and where in it the
    dealer sits.
    """

    site: str
    table: str
    size: tuple[int, int]
    dealer_side: Side = "bottom"
    dealer_seat: str | None = None


def layout_of_drawing(drawing: Drawing, table: Table) -> Layout:
    """Return the layout that a drawing describes. Raises BadInput, which names the zone that is wrong.

    Each space needs its wager spot: without it no chip is seen to be a wager, and nothing of money is checked.
    """
    _check_names(table)
    zones: dict[str, Points] = {}
    spaces: dict[int, dict[str, Points]] = {}
    for name, points in drawing.items():
        if len(points) > _POINTS_MOST:
            raise BadInput(name[:40], f"has {len(points)} corners", f"draw it with at most {_POINTS_MOST}")
        space = _SPACE.fullmatch(name)
        if space is not None:
            spaces.setdefault(int(space[1]), {})[space[2] or "area"] = points
        elif name != "card":
            zones[name] = points
    for number, parts in sorted(spaces.items()):
        if "wager" not in parts:
            raise BadInput(f"space {number}", "has no wager spot", "draw the spot, or no money is checked there")
    mapping: dict[str, object] = {
        "version": 1,
        "name": f"{table.site} table {table.table}",
        "site": table.site,
        "table": table.table,
        "image_size": list(table.size),
        "dealer_side": table.dealer_side,
        "card_px": _card_size(drawing.get("card", [])),
        "zones": zones,
        "spaces": spaces,
    }
    if table.dealer_seat is not None:
        mapping["dealer_seat"] = table.dealer_seat
    return layout_from(mapping, "drawing")


def drawing_of_layout(layout: Layout) -> Drawing:
    """Return a layout as a drawing to draw on; a spot that the layout leaves out is put where it is assumed to be."""
    zones = {name: getattr(layout.zones, name) for name in layout.zones.__struct_fields__}
    drawing: Drawing = {name: list(points) for name, points in zones.items() if points}
    for number, space in layout.spaces.items():
        drawing[f"space {number}"] = list(space.area)
        parts = {name: getattr(space, name) for name in ("wager", "cards", "tip", "insurance")}
        parts["wager"] = parts["wager"] or ring(_middle(space.area), 45.0 * layout.scale)
        drawing |= {f"space {number} {name}": list(points) for name, points in parts.items() if points}
    x, y = drawing["inner"][0]
    wide, high = layout.card_px or (63 * layout.scale, 88 * layout.scale)
    return drawing | {"card": [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]}


def without(drawing: Drawing, lacking: Collection[str]) -> Drawing:
    """Return a drawing without the zones of REMOVABLE that a table lacks."""
    parts = {f"space {number} {part}" for what, part in _PARTS.items() if what in lacking for number in range(1, 8)}
    return {name: points for name, points in drawing.items() if name not in parts and name not in lacking}


def with_usual(drawing: Drawing, lacking: Collection[str], picture: Picture) -> Drawing:
    """Return a drawing with every zone of REMOVABLE that it has not and that is not `lacking`, where such a zone
    usually lies: to be dragged to its place.
    """
    wanted = [name for name in REMOVABLE if name not in lacking and not _has(drawing, name)]
    if not wanted:
        return drawing
    spots = {name: points for name, points in drawing.items() if _SPOT.fullmatch(name)}
    usual = propose(picture, max(1, len(spots))) | {"clock": _clock(picture)}
    added: Drawing = {}
    for name in wanted:
        part = _PARTS.get(name)
        if part is None:
            added[name] = usual[name]
        else:
            before = _middle(drawing.get("dealer", usual["dealer"]))
            added |= {spot.replace("wager", part): _part(part, points, before) for spot, points in spots.items()}
    height, width = picture.shape[:2]
    return drawing | {name: [inside(point, width, height) for point in points] for name, points in added.items()}


def lacking_in(drawing: Drawing) -> list[str]:
    """Return the zones of REMOVABLE that a drawing does not have."""
    return [name for name in REMOVABLE if not _has(drawing, name)]


def _has(drawing: Drawing, name: str) -> bool:
    part = _PARTS.get(name)
    if part is None:
        return name in drawing
    return any(f"space {number} {part}" in drawing for number in range(1, 8))


def _clock(picture: Picture) -> Points:
    """Return a strip in the upper left corner, where most recorders write date and time."""
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = 0.02 * width, 0.02 * height, 0.25 * width, 0.07 * height
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _part(part: str, wager: Points, dealer: tuple[float, float]) -> Points:
    """Where a part of a space usually lies: tip beside the wager, cards before it, insurance half way to the dealer."""
    (x, y), radius = _middle(wager), _radius(wager)
    ahead = (dealer[0] - x, dealer[1] - y)
    far = max(1.0, math.hypot(*ahead))
    step = ahead[0] / far, ahead[1] / far
    if part == "tip":
        return ring((x - 1.7 * radius * step[1], y + 1.7 * radius * step[0]), 0.6 * radius)
    if part == "insurance":
        return ring((x + 0.5 * ahead[0], y + 0.5 * ahead[1]), radius)
    x, y = x + 3 * radius * step[0], y + 3 * radius * step[1]
    return [(x + a * 1.6 * radius, y + b * 1.6 * radius) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def _radius(points: Points) -> float:
    middle = _middle(points)
    return sum(math.dist(middle, point) for point in points) / len(points)


def _middle(points: Points) -> tuple[float, float]:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def kept_layout(store: Store, table: Table) -> Layout | None:
    """Return the layout of a table that holds now: the newest version, else the file that an earlier version of
    this software kept; None if there is none. Raises BadInput for names that are no plain names.
    """
    _check_names(table)
    known = Floor(store).table(table.site, table.table)
    version = known.in_force("layout", None) if known is not None else None
    if version is not None:
        return version.layout
    path = next((path for path in _paths_before(table) if path.exists()), None)
    layout = read_layout(path) if path is not None else None
    return layout if layout is not None and (layout.site, layout.table) == (table.site, table.table) else None


def layout_path(table: Table) -> Path:
    """Where a table's layout was kept as a file before tables had versions; no two tables have the same."""
    return home() / "layouts" / f"{file_part(table.site)}-{file_part(table.table)}.layout.yaml"


def _paths_before(table: Table) -> list[Path]:
    """Where earlier versions kept a drawn layout: up to 0.2.0 perhaps with another table's in its place."""
    return [layout_path(table), home() / "layouts" / f"{table.site}-{table.table}.layout.yaml"]


def _check_names(table: Table) -> None:
    for what, name in (("site", table.site), ("table", table.table)):
        if not _NAME.fullmatch(name):
            raise BadInput(what, f"{name[:40]!r} is no plain name", "use letters, digits, spaces, - and _, at most 40")


def _card_size(points: Points) -> list[float]:
    """Width and height (pixels) of the card that was fitted; opposite sides are averaged."""
    if len(points) != 4:
        raise BadInput("card", "has not four corners", "fit the card's outline to a card on the table")
    sides = [math.dist(points[index], points[(index + 1) % 4]) for index in range(4)]
    across, along = sorted(((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2))
    return [round(across, 2), round(along, 2)]
