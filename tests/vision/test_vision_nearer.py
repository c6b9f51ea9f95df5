"""Chips that lie close are looked at from nearer."""

from __future__ import annotations

import numpy as np

from verifier.vision.nearer import windows, within


def squares(*chips: tuple[float, float], span: int = 200, size: tuple[int, int] = (1280, 720)):
    return windows(np.array(chips, np.float32).reshape(-1, 2), np.full(len(chips), 20, np.float32), span, size)


def test_single_chips_are_not_looked_at_again() -> None:
    assert squares() == []
    assert squares((300, 300), (330, 300), (300, 340)) == []


def test_a_row_has_one_square_about_its_middle() -> None:
    assert squares((300, 300), (314, 300), (328, 300)) == [(214, 200, 414, 400)]


def test_rows_in_one_square_share_it_and_others_have_their_own() -> None:
    near = squares((300, 300), (314, 300), (340, 330), (354, 330))
    assert len(near) == 1
    assert len(squares((300, 300), (314, 300), (700, 300), (714, 300))) == 2


def test_a_square_stays_in_the_picture() -> None:
    assert squares((5, 5), (15, 5)) == [(0, 0, 200, 200)]
    assert squares((1270, 715), (1275, 700)) == [(1080, 520, 1280, 720)]
    assert squares((50, 50), (60, 50), size=(100, 80)) == [(0, 0, 100, 80)]


def test_nothing_is_taken_from_a_squares_rim() -> None:
    square = (100, 100, 300, 300)
    assert within((200, 200), square)
    assert within((112, 288), square)
    assert not within((111, 200), square)
    assert not within((200, 289), square)
