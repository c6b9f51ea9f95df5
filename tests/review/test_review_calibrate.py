"""Drawing a table: the proposal finds the felt and what lies on it, a bad drawing is told, names stay names."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from review_fakes import make_layout

from verifier.domain.errors import BadInput
from verifier.review.calibrate.drawing import (
    REMOVABLE,
    Side,
    Table,
    drawing_of_layout,
    keep_layout,
    kept_layout,
    layout_of_drawing,
    without,
)
from verifier.review.calibrate.proposal import Drawing, propose
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.store.repository import Store

KIM = Person(name="kim", full_name="Kim", role=Role.MANAGER)
TABLE = Table(site="0123", table="2", size=(1280, 720))


def table_picture() -> np.ndarray:
    picture = np.full((720, 1280, 3), (40, 44, 60), np.uint8)
    cv2.rectangle(picture, (100, 60), (1180, 690), (70, 120, 30), -1)
    cv2.rectangle(picture, (430, 560), (820, 650), (20, 20, 20), -1)
    cv2.rectangle(picture, (130, 520), (220, 650), (30, 30, 160), -1)
    return picture


def middle(points: list[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


@pytest.mark.parametrize("spaces", [1, 5, 7])
def test_a_proposal_is_a_valid_layout(spaces: int) -> None:
    layout = layout_of_drawing(propose(table_picture(), spaces), TABLE)
    assert sorted(layout.spaces) == list(range(1, spaces + 1))
    lefts = [middle(layout.spaces[number].area)[0] for number in sorted(layout.spaces)]
    assert lefts == sorted(lefts)


def test_the_tray_and_the_shoe_are_found_where_they_lie() -> None:
    drawing = propose(table_picture(), 7)
    assert middle(drawing["tray"]) == pytest.approx((625, 605), abs=6)
    assert middle(drawing["shoe"]) == pytest.approx((175, 585), abs=6)


def test_a_picture_without_a_felt_gives_a_drawing_all_the_same() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), np.uint8)
    assert "space 7" in propose(noise, 7)


def test_the_fitted_card_gives_the_scale() -> None:
    drawing = propose(table_picture(), 3) | {"card": [(100.0, 100.0), (188.0, 100.0), (188.0, 163.0), (100.0, 163.0)]}
    layout = layout_of_drawing(drawing, TABLE)
    assert layout.card_px == (63.0, 88.0)
    assert layout.scale == 1.0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"inner": [(0.0, 0.0), (100.0, 100.0), (100.0, 0.0), (0.0, 100.0)]}, "crosses itself"),
        ({"tray": [(5000.0, 0.0), (5100.0, 0.0), (5100.0, 90.0)]}, "outside the picture"),
        ({"card": [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]}, "four corners"),
        ({"wheel": [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)]}, "wheel"),
        ({"inner": [(float(i), 0.0) for i in range(99)]}, "99 corners"),
    ],
)
def test_a_bad_drawing_is_told(change: Drawing, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        layout_of_drawing(propose(table_picture(), 3) | change, TABLE)


@pytest.mark.parametrize("side", ["bottom", "top", "left", "right"])
def test_spots_clock_and_the_dealer_s_side_are_written(side: Side) -> None:
    clock = [(20.0, 20.0), (280.0, 20.0), (280.0, 50.0), (20.0, 50.0)]
    spot = [(300.0, 200.0), (340.0, 200.0), (320.0, 240.0)]
    drawing = propose(table_picture(), 3) | {"clock": clock, "space 2 wager": spot, "space 2 insurance": spot}
    layout = layout_of_drawing(drawing, msgspec.structs.replace(TABLE, dealer_side=side))
    assert layout.dealer_side == side
    assert layout.zones.clock == clock
    assert layout.spaces[2].wager == layout.spaces[2].insurance == spot
    assert all(space.wager for space in layout.spaces.values())
    again = layout_of_drawing(drawing_of_layout(layout), msgspec.structs.replace(TABLE, dealer_side=side))
    assert (again.zones, again.spaces) == (layout.zones, layout.spaces)


def test_a_space_without_its_spot_is_refused() -> None:
    drawing = propose(table_picture(), 3)
    del drawing["space 3 wager"]
    with pytest.raises(BadInput, match="space 3: has no wager spot"):
        layout_of_drawing(drawing, TABLE)


@pytest.mark.parametrize("name", REMOVABLE)
def test_what_a_table_lacks_can_be_removed(name: str) -> None:
    spot = [(300.0, 200.0), (340.0, 200.0), (320.0, 240.0)]
    drawing = propose(table_picture(), 2) | {"clock": spot}
    drawing |= {f"space {number} {part}": spot for number in (1, 2) for part in ("cards", "tip", "insurance")}
    left = without(drawing, [name])
    assert len(left) == len(drawing) - (2 if name.endswith("spaces") else 1)
    layout_of_drawing(left, TABLE)


def test_a_layout_is_kept_beside_the_one_before(own_home: Path) -> None:
    store = Store()
    layout = layout_of_drawing(drawing_of_layout(make_layout((1280, 720))), TABLE)
    keep_layout(store, KIM, layout)
    keep_layout(store, KIM, layout)
    assert kept_layout(TABLE) == layout
    assert len(list((own_home / "layouts").iterdir())) == 2
    with pytest.raises(Forbidden):
        keep_layout(store, Person(name="a", full_name="A", role=Role.ATTORNEY_GENERAL), layout)


@pytest.mark.parametrize("name", ["../../etc/passwd", "..", "a/b", "", "x" * 41, "a\0b", ".hidden"])
def test_names_that_are_paths_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match="no plain name"):
        kept_layout(Table(site=name, table="2", size=(10, 10)))
