from __future__ import annotations

import cv2
import numpy as np
import pytest

from verifier.domain.observations import Box
from verifier.vision.ocr import Line, TextReader
from verifier.vision.signs import DOUBT, NEAR_LINES, SignSeen, find_signs, plain_number, pooled, sign_in_zone, signs_in

BOX: Box = (100.0, 600.0, 200.0, 620.0)


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("TABLE 7", [("table", "7")]),
        ("Table7", [("table", "7")]),
        ("TABLE NO. 12", [("table", "12")]),
        ("TBL #3", [("table", "3")]),
        ("TABLE B-4", [("table", "B-4")]),
        ("SITE 0131", [("site", "0131")]),
        ("SITE ID: O131", [("site", "0131")]),
        ("SITE ID0131", [("site", "0131")]),
        ("SITE 0I31", [("site", "0131")]),
        ("SITE 0131 TABLE 7 2026-11-16 21:07:47", [("site", "0131"), ("table", "7")]),
        ("SITE0131TABLE7", [("site", "0131"), ("table", "7")]),
        ("CHARITABLE 7", []),
        ("TABLE LIMIT 5", []),
        ("TABLE MAX $25", []),
        ("TABLE", []),
        ("DEALER STANDS ON ALL 17S", []),
        ("2026-11-16 21:07:47", []),
    ],
)
def test_signs_say_what_they_are(text: str, signs: list[tuple[str, str]]) -> None:
    assert [(one.what, one.number) for one in signs_in([Line(text, 0.9, BOX)])] == signs


def below(gap: float) -> list[Line]:
    """The word TABLE, 20 pixels high, and a number that begins `gap` pixels below it."""
    return [Line("TABLE", 0.9, BOX), Line("7", 0.8, (140.0, 620.0 + gap, 160.0, 660.0 + gap))]


def test_a_number_stands_below_its_word() -> None:
    (sign,) = signs_in(below(NEAR_LINES * 20))
    assert (sign.number, sign.score, sign.box) == ("7", 0.8, (100.0, 600.0, 200.0, 660.0 + NEAR_LINES * 20))
    assert signs_in(below(NEAR_LINES * 20 + 1)) == []


def test_a_number_stands_to_the_right_of_its_word_not_above_or_to_its_left() -> None:
    label = Line("SITE NO", 0.9, BOX)
    assert [one.number for one in signs_in([label, Line("0131", 0.9, (210.0, 600.0, 250.0, 620.0))])] == ["0131"]
    assert signs_in([label, Line("0131", 0.9, (50.0, 600.0, 90.0, 620.0))]) == []
    assert signs_in([label, Line("0131", 0.9, (100.0, 570.0, 200.0, 590.0))]) == []


def seen(number: str, score: float = 0.95) -> SignSeen:
    return SignSeen("site", number, f"SITE {number}", score, BOX)


def test_looks_are_pooled_by_their_scores() -> None:
    assert pooled("site", []) is None
    one = pooled("site", [seen("0131", 0.9)])
    assert one is not None and (one.number, one.reads) == ("0131", 1) and one.p == pytest.approx(0.9 / (0.9 + DOUBT))
    five = pooled("site", [seen("0131")] * 4 + [seen("0181")])
    assert five is not None and (five.number, five.reads) == ("0131", 4)
    assert five.p == pytest.approx(3.8 / (4.75 + DOUBT))


def test_reads_that_mean_the_same_number_are_one() -> None:
    sign = pooled("site", [seen("0131"), seen("O131", 0.8), seen("131", 0.7)])
    assert sign is not None and (sign.number, sign.reads) == ("0131", 3)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("Table 07", "7", True), ("0131", "SITE O131", True), ("Site No. 131", "0131", True), ("1", "11", False),
     ("0131", "0181", False), ("0", "00", True), ("B-4", "b4", True)],
)  # fmt: skip
def test_names_are_compared_without_words_and_leading_noughts(one: str, other: str, same: bool) -> None:
    assert (plain_number(one) == plain_number(other)) is same


def painted(texts: dict[str, tuple[int, int]], size: tuple[int, int] = (720, 1280), height: float = 0.7) -> np.ndarray:
    picture = np.full((*size, 3), (60, 110, 40), np.uint8)
    for text, (x, y) in texts.items():
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, height, 2)
        cv2.rectangle(picture, (x - 6, y - h - 8), (x + w + 6, y + 8), (235, 235, 235), -1)
        cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, height, (20, 20, 20), 2, cv2.LINE_AA)
    return picture


@pytest.fixture(scope="module")
def reader() -> TextReader:
    return TextReader()


def test_signs_are_found_in_a_picture_where_they_stand(reader: TextReader) -> None:
    found = find_signs(painted({"SITE 0131": (200, 630), "TABLE 7": (900, 660)}), reader)
    assert {(one.what, one.number) for one in found} == {("site", "0131"), ("table", "7")}
    site = next(one for one in found if one.what == "site")
    assert site.box == pytest.approx((200, 610, 310, 635), abs=15)


def test_signs_of_a_small_picture_are_found_too(reader: TextReader) -> None:
    small = cv2.resize(
        painted({"SITE 0131": (200, 630), "TABLE 7": (900, 660)}), (640, 360), interpolation=cv2.INTER_AREA
    )
    found = find_signs(np.asarray(small, np.uint8), reader)
    assert {(one.what, one.number) for one in found} == {("site", "0131"), ("table", "7")}
    assert next(one for one in found if one.what == "site").box == pytest.approx((100, 305, 155, 318), abs=8)


def test_a_sign_in_its_zone_needs_no_word(reader: TextReader) -> None:
    picture = painted({"0131": (200, 630)})
    zone = [(190.0, 600.0), (290.0, 600.0), (290.0, 645.0), (190.0, 645.0)]
    sign = sign_in_zone("site", picture, reader, zone)
    assert sign is not None and sign.number == "0131"
    empty = [(x + 500.0, y) for x, y in zone]
    assert sign_in_zone("site", picture, reader, empty) is None
    assert find_signs(picture, reader) == []
