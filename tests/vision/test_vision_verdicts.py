"""Cards that the detector mistakes, weighed against what their reader sees in them."""

from dataclasses import replace

import numpy as np
import pytest
from vision_fakes import Kings, detection

from verifier.vision.detection import CARD_DOWN, CARD_UP
from verifier.vision.looker import Looker
from verifier.vision.readers import CardReading
from verifier.vision.verdicts import Judge, verdict

PICTURE = np.zeros((400, 400, 3), np.uint8)
WEIGHTS = {CARD_UP: (1.0, 0.0, 0.0, -2.0, 1.0), CARD_DOWN: (0.0, -2.0, 1.0, 0.0, 1.0)}
RANKS = {rank: 0.7 if rank == "5" else 0.025 for rank in "A23456789TJQK"}


class Faces(Kings):
    """Readers to whom every card shows the same face; counts the reads."""

    def __init__(self, up: float, down: float) -> None:
        self.face = {"up": up, "down": down, "none": 1 - up - down}
        self.reads = 0

    def cards(self, picture, found):
        self.reads += len(found)
        return [CardReading(RANKS, {"h": 1.0}, 1 - self.face["up"], self.face) for _ in found]


def judged(readers, *found, weights=WEIGHTS):
    return Judge(readers, weights).look(PICTURE, list(found)).found


def card(kind: str, p: float = 0.9, x: float = 100):
    return detection(kind, x, 100, 40, 60, p)


def test_a_back_that_was_taken_for_a_face_lies_face_down() -> None:
    (one,) = judged(Faces(0.005, 0.99), card(CARD_UP, 0.9))
    assert one.kind == CARD_DOWN and one.p > 0.5


def test_a_face_that_was_taken_for_a_back_lies_face_up() -> None:
    (one,) = judged(Faces(0.995, 0.004), card(CARD_DOWN, 0.6))
    assert one.kind == CARD_UP and one.p > 0.5


@pytest.mark.parametrize("p", [0.42, 0.5])
def test_what_the_reader_sees_no_card_in_is_left_out(p: float) -> None:
    assert judged(Faces(0.01, 0.01), card(CARD_UP, p)) == []


def test_chips_and_hands_are_not_judged_and_faint_hands_are_kept() -> None:
    readers = Faces(0.01, 0.01)
    things = [detection("chip", 50, 50, 20, 20), replace(detection("hand", 200, 200, 90, 90, 0.2), faint=True)]
    assert judged(readers, *things) == things and readers.reads == 0


def test_without_weights_cards_are_as_the_detector_says() -> None:
    readers = Faces(0.01, 0.98)
    sure = card(CARD_UP, 0.6)
    assert judged(readers, sure, weights={}) == [sure] and readers.reads == 0


def test_each_sighting_is_read_once_and_keeps_its_verdict() -> None:
    readers = Faces(0.01, 0.98)
    judge, back = Judge(readers, WEIGHTS), card(CARD_UP, 0.8)
    first, second = (judge.look(PICTURE, [back]) for _ in range(2))
    assert first.found == second.found and readers.reads == 1
    assert list(first.readings) == first.found and second.readings == {}
    judge.look(PICTURE, [card(CARD_UP, 0.8)])
    assert readers.reads == 2


def test_the_judges_reading_serves_the_looker_too() -> None:
    readers = Faces(0.98, 0.01)
    judged = Judge(readers, WEIGHTS).look(PICTURE, [card(CARD_UP)])
    seen = Looker(readers).look(0.0, PICTURE, judged.found, judged.readings)
    assert seen.cards[0].rank == "5" and readers.reads == 1


def test_a_verdict_rises_with_the_detector_and_with_the_reader() -> None:
    def up(p: float, q: float) -> float:
        reading = CardReading(RANKS, {"h": 1.0}, 0.1, {"up": q, "down": 0.01, "none": 0.99 - q})
        return verdict(card(CARD_UP, p), reading, WEIGHTS[CARD_UP])[CARD_UP]

    assert up(0.2, 0.5) < up(0.6, 0.5) < up(0.6, 0.9)
    said = verdict(card(CARD_UP), CardReading(RANKS, {}, 0.5, None), WEIGHTS[CARD_UP])
    assert said[CARD_UP] > 0.8 and sum(said.values()) <= 1.0
