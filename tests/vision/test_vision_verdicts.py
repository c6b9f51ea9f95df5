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


def looks_of_a_back(readers: Faces, *looks) -> list[int]:
    """How often a card was read in all after each (picture, detection)."""
    judge, reads = Judge(readers, WEIGHTS), []
    for picture, seen in looks:
        judge.look(picture, [seen])
        reads.append(readers.reads)
    return reads


def test_a_card_found_anew_among_unchanged_pixels_is_not_read_again_for_its_verdict() -> None:
    judge = Judge(Faces(0.01, 0.98), WEIGHTS)
    noise = np.random.default_rng(3).integers(0, 20, (400, 400, 3), np.uint8)
    judge.look(PICTURE, [card(CARD_UP, 0.8)])
    again = judge.look(noise // 4, [card(CARD_UP, 0.7, x=101)])
    assert judge._readers.reads == 1 and again.readings == {}
    assert [d.kind for d in again.found] == [CARD_DOWN] and again.found[0].p <= 0.7


def test_a_card_is_read_again_where_it_lies_otherwise_or_anything_on_it_changed() -> None:
    back, fingertip = card(CARD_UP, 0.8), PICTURE.copy()
    fingertip[110:118, 105:113] = 60
    turned = detection(CARD_UP, 100, 100, 40, 60, 0.8, 0.2)
    looks = [(PICTURE, back), (fingertip, card(CARD_UP, 0.8)), (fingertip, card(CARD_UP, 0.8, x=104))]
    assert looks_of_a_back(Faces(0.01, 0.98), *looks, (fingertip, turned)) == [1, 2, 3, 4]


def test_what_changes_slowly_is_read_again_once_it_has_changed_enough() -> None:
    looks = [(np.full_like(PICTURE, 4 * level), card(CARD_UP, 0.8)) for level in range(7)]
    assert looks_of_a_back(Faces(0.01, 0.98), *looks) == [1, 1, 1, 2, 2, 2, 3]


def test_an_unsure_reading_does_not_stand_for_the_next_look() -> None:
    looks = [(PICTURE, card(CARD_UP, 0.8)), (PICTURE, card(CARD_UP, 0.8))]
    assert looks_of_a_back(Faces(0.5, 0.45), *looks) == [1, 2]


def test_a_card_at_the_edge_of_the_picture_is_compared_within_it() -> None:
    looks = [(PICTURE, card(CARD_UP, 0.8, x=390)), (PICTURE, card(CARD_UP, 0.8, x=390))]
    assert looks_of_a_back(Faces(0.01, 0.98), *looks) == [1, 1]


def test_a_card_whose_reading_stands_is_read_by_the_looker_when_that_is_due() -> None:
    readers = Faces(0.98, 0.01)
    judge, looker = Judge(readers, WEIGHTS), Looker(readers)
    for number in range(3):
        judged = judge.look(PICTURE, [card(CARD_UP)])
        looker.look(0.13 * number, PICTURE, judged.found, judged.readings)
    assert readers.reads == 3


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
