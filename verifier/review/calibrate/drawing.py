"""A drawing as a layout and back; layouts that were drawn here are kept in the data folder."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.domain.names import file_part
from verifier.formats.layout import layout_from, read_layout, write_layout
from verifier.formats.whole import make_folder, place_file, put_in_place
from verifier.review.calibrate.proposal import Drawing, Points
from verifier.review.people.roles import Act, Person, require
from verifier.store.database import home
from verifier.store.kept import file_digest, file_name
from verifier.store.repository import Store

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,39}")
_SPACE: Final = re.compile(r"space ([1-7])")
_POINTS_MOST: Final = 60


class Table(Struct, frozen=True, kw_only=True):
    """Whose table it is, and the size (width, height) of the picture in which its zones are drawn."""

    site: str
    table: str
    size: tuple[int, int]


def layout_of_drawing(drawing: Drawing, table: Table) -> Layout:
    """The layout that a drawing says; raises BadInput naming the zone that is wrong."""
    _check_names(table)
    zones: dict[str, Points] = {}
    spaces: dict[int, dict[str, Points]] = {}
    for name, points in drawing.items():
        if len(points) > _POINTS_MOST:
            raise BadInput(name[:40], f"has {len(points)} corners", f"draw it with at most {_POINTS_MOST}")
        space = _SPACE.fullmatch(name)
        if space is not None:
            spaces[int(space[1])] = {"area": points}
        elif name != "card":
            zones[name] = points
    mapping: dict[str, Any] = {
        "version": 1, "name": f"{table.site} table {table.table}", "site": table.site, "table": table.table,
        "image_size": list(table.size), "card_px": _card_size(drawing.get("card", [])), "zones": zones,
        "spaces": spaces,
    }  # fmt: skip
    return layout_from(mapping, "drawing")


def drawing_of_layout(layout: Layout) -> Drawing:
    """A layout as a drawing, to be drawn on."""
    zones = {name: getattr(layout.zones, name) for name in layout.zones.__struct_fields__}
    drawing: Drawing = {name: list(points) for name, points in zones.items() if points}
    drawing |= {f"space {number}": list(space.area) for number, space in layout.spaces.items()}
    x, y = drawing["inner"][0]
    wide, high = layout.card_px or (63 * layout.scale, 88 * layout.scale)
    return drawing | {"card": [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]}


def keep_layout(store: Store, person: Person, layout: Layout) -> Path:
    """Writes a layout into the data folder; an earlier one of the same table stays beside it."""
    require(person, Act.CALIBRATE)
    table = Table(site=layout.site or "", table=layout.table or "", size=layout.image_size)
    path, subject = layout_path(table), f"site/{table.site}/table/{table.table}"
    make_folder(path.parent)
    ready, files = path.with_name(f".{path.name}"), {}
    write_layout(ready, layout)
    aside = _free(path.with_name(f"{path.stem}-until-{store.now()[:19].replace(':', '')}.yaml"))
    if path.exists():
        known = store.ledger().vouched(file_name(path))
        files[file_name(aside)] = known or file_digest(path)
    files[file_name(path)] = file_digest(ready)
    store.announce(person.name, subject, files)
    with store.acting(person.name, "layout", subject, {"file": path.name}, files):
        if path.exists():
            place_file(path, aside)
        put_in_place(ready, path)
    return path


def kept_layout(table: Table) -> Layout | None:
    """The layout of a table that was drawn before; None where there is none."""
    path = next((path for path in (layout_path(table), _path_before(table)) if path.exists()), None)
    layout = read_layout(path) if path is not None else None
    return layout if layout is not None and (layout.site, layout.table) == (table.site, table.table) else None


def layout_path(table: Table) -> Path:
    """Where a table's layout is kept, and no other's; raises BadInput for names that are no plain names."""
    _check_names(table)
    return home() / "layouts" / f"{file_part(table.site)}-{file_part(table.table)}.layout.yaml"


def _path_before(table: Table) -> Path:
    """Where versions up to 0.2.0 kept it, perhaps with another table's in its place."""
    return home() / "layouts" / f"{table.site}-{table.table}.layout.yaml"


def _free(path: Path) -> Path:
    """The path, with a number where one of that name is there already."""
    numbered = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in itertools.count(2))
    return next(one for one in itertools.chain([path], numbered) if not one.exists())


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
