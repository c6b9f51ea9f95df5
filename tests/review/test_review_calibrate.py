"""Drawing a table: the proposal finds the felt and what lies on it, a bad drawing is told, names stay names."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from review_fakes import make_layout

from verifier.domain.errors import BadInput
from verifier.formats.layout import write_layout
from verifier.review.calibrate.doubts import assumed, told_together
from verifier.review.calibrate.drafts import (
    DRAFTS_MOST,
    Draft,
    discard,
    draft_of,
    drafts,
    keep_draft,
    picture_id,
    picture_of,
)
from verifier.review.calibrate.drawing import (
    REMOVABLE,
    Side,
    Table,
    drawing_of_layout,
    kept_layout,
    lacking_in,
    layout_of_drawing,
    with_usual,
    without,
)
from verifier.review.calibrate.proposal import Drawing, propose
from verifier.review.floor.keeping import keep_layout_version
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.review.stills import draw_layout
from verifier.store.repository import Store
from verifier.zones.proposing import ASSUMED

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


def test_the_layout_that_holds_now_is_the_newest_version_else_a_file_of_an_earlier_release(own_home: Path) -> None:
    store, layout = Store(), layout_of_drawing(drawing_of_layout(make_layout((1280, 720))), TABLE)
    assert kept_layout(store, TABLE) is None
    (own_home / "layouts").mkdir()
    write_layout(own_home / "layouts" / "0123-2.layout.yaml", layout)
    assert kept_layout(store, TABLE) == layout
    newer = msgspec.structs.replace(layout, dealer_side="top")
    keep_layout_version(store, KIM, newer, since="2026-11-20", reason="the camera was moved")
    assert kept_layout(store, TABLE) == newer


@pytest.mark.parametrize("name", ["../../etc/passwd", "..", "a/b", "", "x" * 41, "a\0b", ".hidden"])
def test_names_that_are_paths_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match="no plain name"):
        kept_layout(Store(), Table(site=name, table="2", size=(10, 10)))


@pytest.mark.parametrize("name", REMOVABLE)
def test_what_a_drawing_lacks_can_be_drawn(name: str) -> None:
    picture = table_picture()
    drawing = without(propose(picture, 4), REMOVABLE)
    assert lacking_in(drawing) == list(REMOVABLE)
    more = with_usual(drawing, [one for one in REMOVABLE if one != name], picture)
    assert len(more) - len(drawing) == (4 if name.endswith("spaces") else 1)
    assert name not in lacking_in(more) and len(lacking_in(more)) == len(REMOVABLE) - 1
    layout_of_drawing(more, TABLE)
    assert with_usual(more, REMOVABLE, picture) == more, "what is drawn stays where it is"


def test_a_draft_is_of_its_person_and_picture_and_is_gone_when_discarded() -> None:
    picture, other = table_picture(), table_picture()[:, ::-1].copy()
    draft = Draft(site="0123", table="2", drawing=propose(picture, 3), doubts={"shoe": "?"}, changed_at="1")
    keep_draft(KIM, picture, draft)
    assert draft_of(KIM, picture) == draft and draft.spaces == 3
    assert draft_of(KIM, other) is None
    lee = Person(name="lee", full_name="Lee", role=Role.MANAGER)
    assert drafts(lee) == {} and draft_of(lee, picture) is None
    assert (picture_of(KIM, picture_id(picture)) == picture).all(), "found again by the same pixels"
    with pytest.raises(BadInput, match="not there any more"):
        picture_of(lee, picture_id(picture))
    discard(KIM, picture_id(picture))
    assert draft_of(KIM, picture) is None


def test_who_may_not_draw_has_no_drafts() -> None:
    agent = Person(name="a", full_name="A", role=Role.ATTORNEY_GENERAL)
    with pytest.raises(Forbidden):
        keep_draft(agent, table_picture(), Draft(drawing={}))
    with pytest.raises(Forbidden):
        drafts(agent)


def test_the_draft_changed_longest_ago_goes_first() -> None:
    pictures = [np.full((8, 8, 3), shade, np.uint8) for shade in range(DRAFTS_MOST + 1)]
    for number, picture in enumerate(pictures[:-1]):
        keep_draft(KIM, picture, Draft(drawing={}, changed_at=f"{number:03}"))
    assert len(drafts(KIM)) == DRAFTS_MOST and draft_of(KIM, pictures[0]) is not None
    keep_draft(KIM, pictures[-1], Draft(drawing={}, changed_at="999"))
    assert len(drafts(KIM)) == DRAFTS_MOST and draft_of(KIM, pictures[0]) is None
    assert draft_of(KIM, pictures[1]) is not None


def test_parts_with_the_same_reason_are_told_in_one_sentence() -> None:
    spaces = (1, 2, 3, 4, 6)
    doubts = {f"space {number} {part}": ASSUMED.reason for number in spaces for part in ("tip", "insurance")}
    told = told_together(doubts | {"tip_receptacle": "not found", "drop": "not found", "space 7": "far"})
    assert told == [
        ("Tip and insurance of spaces 1 to 4 and 6", ASSUMED.reason),
        ("Tip receptacle and drop", "not found"),
        ("Area of space 7", "far"),
    ]
    assert assumed(doubts | {"drop": "not found"}) == list(doubts)


def test_the_picture_of_a_proposal_shows_each_spot_and_which_are_assumed() -> None:
    layout = make_layout((1280, 720))
    spot = [(300.0, 200.0), (340.0, 200.0), (320.0, 240.0)]
    spaces = {1: msgspec.structs.replace(layout.spaces[1], wager=spot, tip=spot)}
    layout, picture = msgspec.structs.replace(layout, spaces=spaces), np.zeros((720, 1280, 3), np.uint8)
    seen, unsure = draw_layout(picture, layout), draw_layout(picture, layout, ["space 1 tip"])
    assert seen[190:250, 290:350].any()
    assert (seen != unsure).any(), "what is assumed is told apart"
