"""Layouts of poker tables: seats, board, pot and muck, and no shoe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from verifier.domain.errors import BadInput
from verifier.formats.layout import layout_from, read_layout, write_layout


def _box(x: float, y: float, side: float = 40.0) -> list[list[float]]:
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


def _table(**changes: Any) -> dict[str, Any]:
    zones = {"dealer": _box(100, 150), "inner": _box(100, 100), "board": _box(60, 60), "pot": _box(20, 60)}
    zones |= {"muck": _box(150, 60)}
    table = {"version": 1, "image_size": [200, 200], "pixels_per_mm": 1.0, "zones": zones}
    return {**table, "seats": {1: {"area": _box(0, 0), "cards": _box(2, 2, 10)}, 12: {"area": _box(50, 0)}}, **changes}


def test_a_poker_table_needs_no_shoe(tmp_path: Path) -> None:
    layout = layout_from(_table())
    assert layout.game == "poker"
    assert list(layout.areas) == ["seat:1", "seat:12"]
    write_layout(tmp_path / "layout.yaml", layout)
    assert read_layout(tmp_path / "layout.yaml") == layout


def test_a_table_of_spaces_is_of_twenty_one() -> None:
    zones = {"dealer": _box(100, 150), "inner": _box(100, 100)}
    layout = layout_from(_table(seats=None, zones=zones, spaces={1: {"area": _box(0, 0)}}))
    assert layout.game == "twenty-one"
    assert list(layout.areas) == ["space:1"]


def _without(name: str) -> dict[str, Any]:
    return {**_table(), "zones": {k: v for k, v in _table()["zones"].items() if k != name}}


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (_table(seats={}), "no betting space is given"),
        (_table(spaces={1: {"area": _box(0, 0)}}), "both betting spaces and seats"),
        (_table(seats=None, spaces={1: {"area": _box(0, 0)}}), "board is a zone of a poker table"),
        (_without("board"), "needs a zone board"),
        (_without("pot"), "needs a zone pot"),
        (_without("muck"), "needs a zone muck"),
        (_table(seats={20: {"area": _box(0, 0)}}), "from 1 to 19"),
        (_table(seats={1: {"area": [[0, 0], [40, 40], [40, 0], [0, 40]]}}), "crosses itself"),
    ],
)
def test_what_is_no_table_is_refused(table: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says) as refused:
        layout_from(table)
    assert refused.value.remedy
