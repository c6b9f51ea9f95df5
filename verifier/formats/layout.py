"""The layout of a table (`layout.yaml`, docs/formats.md): which part of the picture is what."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator
from typing import Final

import msgspec
from shapely.geometry import Polygon as Shape
from shapely.geometry import box

from verifier.domain.errors import BadInput
from verifier.domain.layout import OF_POKER, Layout, Polygon
from verifier.domain.names import is_hidden, shown
from verifier.domain.observations import VideoInfo
from verifier.formats.files import PathLike
from verifier.formats.house import with_line
from verifier.formats.records import convert_object
from verifier.formats.yamls import read_yaml, write_yaml

LEAST_INSIDE: Final = 0.9
"""A zone may reach over the picture's edge, but this share of it must lie inside."""


def read_layout(path: PathLike) -> Layout:
    """Read and validate a layout. Raises BadInput naming file, line and field."""
    document = read_yaml(path)
    try:
        return layout_from(document.value, path)
    except BadInput as error:
        raise with_line(error, document) from error


def layout_from(mapping: dict[str, object], source: PathLike = "layout") -> Layout:
    """Return a layout from builtins, validated. Raises BadInput naming the field."""
    layout: Layout = convert_object(source, _without_null(mapping), Layout, "layout")
    check_layout(layout, source)
    return layout


def check_layout(layout: Layout, source: PathLike = "layout") -> None:
    """Raise BadInput for an unusable scale or name, a table of no game or of two, or a zone that crosses itself or
    leaves the picture.
    """
    _check_scale(layout, source)
    for field in ("site", "table"):
        _check_name(getattr(layout, field), field, source)
    _check_players(layout, source)
    frame = box(0, 0, *layout.image_size)
    for field, polygon in _polygons(layout):
        _check_polygon(polygon, frame, layout, field, source)


def _check_players(layout: Layout, source: PathLike) -> None:
    """Check that the layout is of one game's table: betting spaces, or seats with the zones that poker needs."""
    if not layout.spaces and not layout.seats:
        remedy = "draw the spaces of a twenty-one table, or the seats of a poker table"
        raise _bad(source, "spaces", "no betting space is given, expected at least one of 1 to 7, or seats", remedy)
    if layout.spaces and layout.seats:
        remedy = "keep the spaces for a twenty-one table, the seats for a poker table"
        raise _bad(source, "seats", "both betting spaces and seats are given", remedy)
    drawn = [name for name in OF_POKER if getattr(layout.zones, name) is not None]
    if drawn and not layout.seats:
        cause = f"{drawn[0]} is a zone of a poker table, but no seats are given"
        raise _bad(source, f"zones.{drawn[0]}", cause, "draw the seats, or take the zone out")
    for name in ("board", "pot", "muck"):
        if layout.seats and name not in drawn:
            raise _bad(source, f"zones.{name}", f"a poker table needs a zone {name}", "draw it")


def check_size(video: VideoInfo, layout: Layout, path: PathLike) -> None:
    """Raise BadInput where the picture's size is not the one that the layout was drawn in."""
    if (video.width, video.height) != tuple(layout.image_size):
        drawn = "x".join(str(side) for side in layout.image_size)
        raise BadInput(
            video.name,
            f"its picture is {video.width}x{video.height}, but the layout is drawn in {drawn}",
            "use the layout of this camera, or draw it anew in this size",
            where=f"layout {path}",
        )


def write_layout(path: PathLike, layout: Layout) -> None:
    """Write a layout so that reading it gives an equal one. Raises BadInput for an invalid layout."""
    check_layout(layout, path)
    write_yaml(path, _without_null(msgspec.to_builtins(layout)))


def _check_name(name: str | None, field: str, source: PathLike) -> None:
    """Check that no letter of a name is hidden or of another width: a name that only looks like another's is not among
    that one's documents.
    """
    if name is None:
        return
    if name != " ".join(unicodedata.normalize("NFKC", name).split()) or any(map(is_hidden, name)):
        cause = f"{shown(ascii(name))} holds letters that do not show, or that only look like others"
        raise _bad(source, field, cause, "type it anew, without blanks around it")


def _check_scale(layout: Layout, source: PathLike) -> None:
    if (layout.pixels_per_mm is None) == (layout.card_px is None):
        found = "neither is given" if layout.card_px is None else "both are given"
        remedy = "give the scale one way: pixels_per_mm, or card_px as a card's width and height in pixels"
        raise _bad(source, "pixels_per_mm", f"{found}, expected exactly one of pixels_per_mm and card_px", remedy)
    values = layout.card_px or (layout.pixels_per_mm or 0.0,)
    if not all(math.isfinite(value) and value > 0 for value in values):
        field = "card_px" if layout.card_px else "pixels_per_mm"
        raise _bad(source, field, "expected finite numbers above 0", "measure a card in the picture")


def _check_polygon(polygon: Polygon, frame: Shape, layout: Layout, field: str, source: PathLike) -> None:
    if not all(math.isfinite(number) for point in polygon for number in point):
        raise _bad(source, field, "a point is not a finite number", "draw the zone again")
    shape = Shape(polygon)
    if not shape.is_valid or shape.area <= 0:
        raise _bad(source, field, "the outline crosses itself or has no area", "draw its corners in order round it")
    if shape.intersection(frame).area < LEAST_INSIDE * shape.area:
        size = f"{layout.image_size[0]} x {layout.image_size[1]}"
        raise _bad(source, field, f"the zone lies outside the picture of {size} pixels", "check image_size and points")


def _polygons(layout: Layout) -> Iterator[tuple[str, Polygon]]:
    for name in layout.zones.__struct_fields__:
        if (zone := getattr(layout.zones, name)) is not None:
            yield f"zones.{name}", zone
    for kind, places in (("spaces", layout.spaces), ("seats", layout.seats or {})):
        for number, place in sorted(places.items()):
            for name in place.__struct_fields__:
                if (zone := getattr(place, name)) is not None:
                    yield f"{kind}.{number}.{name}", zone


def _without_null(value: dict[str, object]) -> dict[str, object]:
    """Return a map, and the maps in it, without what is null."""
    return {
        key: _without_null(item) if isinstance(item, dict) else item for key, item in value.items() if item is not None
    }


def _bad(source: PathLike, field: str, cause: str, remedy: str) -> BadInput:
    return BadInput(source, cause, remedy, where=f"layout, field {field}")
