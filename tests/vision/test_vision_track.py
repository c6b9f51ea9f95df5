from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest
from vision_fakes import Kings, detection

from verifier.domain.cards import RANKS
from verifier.recording.decode import Picture
from verifier.vision.detection import Detection
from verifier.vision.evidence import Evidence
from verifier.vision.looker import Looker
from verifier.vision.overlapping import KEEP_MORE
from verifier.vision.readers import CardReading
from verifier.vision.seen import CHANGED, COUNTS
from verifier.vision.track import CARD_RULES, HAND_RULES, Tracker

STEP = 2 / 15
PICTURE = np.random.default_rng(0).integers(0, 255, (400, 500, 3)).astype(np.uint8)


def tracker(rules=CARD_RULES) -> Tracker[None]:
    return Tracker(rules, itertools.count(1), lambda: None)


def ids(tracker: Tracker[None], t: float, *places: tuple[float, float]) -> list[int]:
    return [track.id for track in tracker.update(t, [detection("card_up", x, y, 40, 60) for x, y in places])]


def test_resting_objects_keep_their_ids_in_any_order() -> None:
    cards = tracker()
    assert ids(cards, 0.0, (100, 100), (85, 121), (300, 100)) == [1, 2, 3]
    assert ids(cards, STEP, (300, 101), (100, 99), (86, 121)) == [3, 1, 2]


def test_a_moving_object_keeps_its_id() -> None:
    cards = tracker()
    seen = [ids(cards, n * STEP, (100 + 70 * n, 100), (100, 300)) for n in range(6)]
    assert seen == [[1, 2]] * 6


def test_a_resting_card_outlasts_a_hand_above_it_and_a_new_one_elsewhere_is_new() -> None:
    cards = tracker()
    for n in range(8):
        ids(cards, n * STEP, (100, 100))
    for n in range(8, 20):
        ids(cards, n * STEP)
    assert ids(cards, 20 * STEP, (101, 100), (180, 100)) == [1, 2]


def test_a_rested_card_that_is_missed_is_not_taken_for_a_thing_far_off() -> None:
    cards = tracker()
    for n in range(8):
        ids(cards, n * STEP, (100, 100))
    ids(cards, 8 * STEP)
    ids(cards, 9 * STEP)
    assert ids(cards, 10 * STEP, (100 + 5 * 49, 100)) == [2]
    assert ids(cards, 11 * STEP, (100, 100)) == [1]


def test_a_rested_card_that_creeps_keeps_its_id_and_one_missed_does_not_leap_to_its_neighbour() -> None:
    cards = tracker()
    for n in range(8):
        ids(cards, n * STEP, (100, 100))
    assert ids(cards, 8 * STEP, (100 + 0.5 * 49, 100)) == [1]
    for n in range(9, 16):
        ids(cards, n * STEP, (100 + 0.5 * 49, 100))
    assert ids(cards, 16 * STEP, (100 + 1.5 * 49, 100)) == [2]


def test_what_was_long_out_of_sight_is_new() -> None:
    cards = tracker()
    for n in range(8):
        ids(cards, n * STEP, (100, 100))
    for n in range(8, 60):
        ids(cards, n * STEP)
    assert ids(cards, 60 * STEP, (100, 100)) == [2]


def test_a_pause_in_looking_ends_no_track() -> None:
    hands = tracker(HAND_RULES)
    assert [ids(hands, float(t), (100, 100)) for t in range(4)] == [[1]] * 4


def reading(rank: str, p: float) -> dict[str, float]:
    rest = (1 - p) / 12
    return {name: p if name == rank else rest for name in RANKS}


def test_agreeing_looks_make_surer_but_many_alike_looks_do_not_make_certain() -> None:
    one, many = Evidence(RANKS), Evidence(RANKS)
    one.add(reading("K", 0.8))
    for _ in range(200):
        many.add(reading("K", 0.8))
    assert one.posterior["K"] == pytest.approx(0.8, abs=0.01)
    assert 0.95 < many.posterior["K"] < 0.9965
    assert sum(many.posterior.values()) == pytest.approx(1.0)


def test_one_bad_look_is_outvoted() -> None:
    card = Evidence(RANKS)
    for n in range(8):
        card.add(reading("Q" if n == 3 else "K", 0.97))
    assert card.top(0.5) == "K"


def test_an_unreadable_card_has_no_rank() -> None:
    card = Evidence(RANKS)
    for _ in range(30):
        card.add(reading("K", 0.9), weight=0.2)
    assert card.top(0.5) is None


def test_many_looks_at_what_hardly_shows_make_it_no_surer_than_two() -> None:
    two, many = Evidence(RANKS), Evidence(RANKS)
    for card, looks in ((two, 2), (many, 200)):
        for _ in range(looks):
            card.add(reading("K", 0.9), weight=0.4)
    assert many.posterior == pytest.approx(two.posterior)
    assert many.posterior["K"] < 0.5


def test_a_half_hidden_look_weighs_little() -> None:
    card = Evidence(RANKS)
    card.add(reading("7", 0.95), weight=1.0)
    for _ in range(5):
        card.add(reading("2", 0.6), weight=0.3)
    assert card.top(0.5) == "7"


def look(looker: Looker, t: float, *found, picture=PICTURE) -> tuple[list, list, list]:
    seen = looker.look(t, picture, list(found))
    return seen.cards, seen.chips, seen.hands


WHITE, PINK, RED = (235, 235, 235), (185, 150, 238), (45, 38, 190)


def painted(*chips: tuple[int, int, tuple[int, int, int]]) -> Picture:
    """Felt with plain chips (x, y, colour) of 13 pixels' radius."""
    picture = np.full((400, 500, 3), (60, 100, 30), np.uint8)
    for x, y, colour in chips:
        cv2.circle(picture, (x, y), 13, colour, -1)
    return picture


def test_a_look_gives_the_fields_of_the_format() -> None:
    looker = Looker(Kings())
    cards, chips, hands = look(
        looker,
        0.0,
        detection("card_up", 100, 100, 40, 60),
        detection("card_down", 200, 100, 40, 60),
        detection("chip", 300, 100, 20, 20),
        detection("hand", 150, 250, 80, 100, angle=1.5708),
    )
    up, down = cards
    assert (up.face, up.rank, up.suit) == ("up", "K", "h")
    assert up.ranks is not None
    assert set(up.ranks) == {"K", "Q"}
    assert (down.face, down.rank, down.suit, down.ranks) == ("down", None, None, None)
    (chip,) = chips
    assert (chip.colour, chip.cents, chip.center, chip.radius) == ("red", 500, (300.0, 100.0), 10.0)
    (hand,) = hands
    assert (hand.owner, hand.side, hand.facing, hand.fingers) == ("dealer", "left", "back", 5)
    assert hand.box == pytest.approx((100, 210, 200, 290), abs=0.1)
    assert len({up.id, down.id, chip.id, hand.id}) == 4


class Changing(Kings):
    """Cards read as `rank` and one of `suits`, surely; counts the reads."""

    rank, suits, reads = "5", "h", 0

    def cards(self, picture, found):
        self.reads += len(found)
        suits = dict.fromkeys(self.suits, 1.0 / len(self.suits))
        return [CardReading(reading(self.rank, 0.97), suits, 0.01) for _ in found]


def test_another_card_on_the_same_place_is_another_object() -> None:
    readers = Changing()
    looker = Looker(readers)
    card = detection("card_up", 100, 100, 40, 60)
    for n in range(8):
        ((first,), _, _) = look(looker, n * STEP, card)
    readers.rank = "9"
    for n in range(8, 40):
        ((last,), _, _) = look(looker, n * STEP, card)
    assert (first.rank, last.rank) == ("5", "9")
    assert first.id != last.id


@pytest.mark.parametrize(
    ("suits", "another"),
    [("s", True), ("cs", True), ("hd", False)],
    ids=["another suit", "black, of a suit in doubt", "red as before, of a suit in doubt"],
)
def test_a_card_of_another_suit_or_colour_is_another_object(suits: str, another: bool) -> None:
    readers = Changing()
    looker = Looker(readers)
    card = detection("card_up", 100, 100, 40, 60)
    for n in range(8):
        ((first,), _, _) = look(looker, n * STEP, card)
    readers.suits = suits
    for n in range(8, 40):
        ((last,), _, _) = look(looker, n * STEP, card)
    assert first.suit == "h"
    assert (first.id != last.id, last.suit == "h") == (another, not another)


class Stack(Kings):
    """Chips read as white; the one in the middle, once it is `spread`, as pink, for the white one half covers it."""

    spread = False

    def chips(self, picture, found):
        half = {"pink": 0.8, "white": 0.15, "red": 0.05}
        white = {"white": 0.97, "pink": 0.03}
        return [half if self.spread and d.centre[0] < 310 else white for d in found]


@pytest.mark.parametrize(("aside", "colours"), [(18, ["pink", "white"]), (90, ["white", "white"])])
def test_a_stack_whose_top_is_moved_aside_shows_the_chip_below(aside: int, colours: list[str]) -> None:
    readers = Stack()
    looker = Looker(readers)
    stack, top = detection("chip", 300, 100, 26, 26), detection("chip", 300 + aside, 100, 26, 26)
    for n in range(8):
        look(looker, n * STEP, stack, picture=painted((300, 100, WHITE)))
    readers.spread = True
    spread = painted((300, 100, PINK if "pink" in colours else WHITE), (300 + aside, 100, WHITE))
    for n in range(8, 14):
        _, chips, _ = look(looker, n * STEP, stack, top, picture=spread)
    assert [chip.colour for chip in chips] == colours


def test_a_resting_card_is_not_read_at_every_look() -> None:
    readers = Changing()
    looker = Looker(readers)
    for n in range(75):
        look(looker, n * STEP, detection("card_up", 100, 100, 40, 60))
    assert 12 <= readers.reads <= 20


class Counter(Kings):
    """Counts two cards at a card with the probabilities `two`, look for look."""

    def __init__(self, *two: float) -> None:
        self.two, self.counted = list(two), 0

    def counts(self, picture, quads):
        self.counted += len(quads)
        p = self.two[min(self.counted, len(self.two)) - 1]
        return [{"1": 1 - p, "2": p, "3": 0.0, "4": 0.0} for _ in quads]


def test_that_more_cards_lie_there_than_were_found_is_told_with_the_mean_of_its_looks() -> None:
    looker = Looker(Counter(0.9, 0.9, 0.6))
    seen = [look(looker, n * STEP, detection("card_up", 100, 100, 40, 60))[0][0].more for n in range(75)]
    assert seen[0] is None, "nobody counts cards that have not come to rest"
    told = [more for more in dict.fromkeys(seen) if more is not None]
    assert told[:3] == [0.9, 0.8, 0.75], "the fourth count weighs a quarter, as all after it do"
    assert COUNTS == 4 and 0.6 < told[-1] < 0.63


@pytest.mark.parametrize(("other", "more"), [((120, 100), None), ((138.7, 100), None), ((138.9, 100), 0.9)])
def test_cards_that_were_found_there_are_not_more(other: tuple[float, float], more: float | None) -> None:
    """Two cards are counted. The other one found covers half of the card, or a little more or less than FOUND of it."""
    looker = Looker(Counter(0.9))
    both = (detection("card_up", 100, 100, 40, 60), detection("card_up", *other, 40, 60))
    for n in range(20):
        (seen, _), _, _ = look(looker, n * STEP, *both)
    assert seen.more == more


def test_a_part_of_a_card_is_no_card_that_was_found_there() -> None:
    """A tight pair in one box, and a second box of the strip that looks out: it is told as no card, so it counts as
    none.
    """

    class Pair(Counter):
        def cards(self, picture, found):
            whole = super().cards(picture, found)
            return [
                one if np.ptp(quad[:, 0]) > 20 else CardReading(one.ranks, one.suits, 1.0)
                for one, quad in zip(whole, found, strict=True)
            ]

    looker = Looker(Pair(0.9))
    whole, strip = detection("card_up", 100, 100, 44, 60), detection("card_up", 84, 100, 12, 60, p=0.5)
    for n in range(20):
        cards, _, _ = look(looker, n * STEP, whole, strip)
    ((rank, more),) = [(card.rank, card.more) for card in cards]
    assert (rank, more) == ("K", 0.9)


@pytest.mark.parametrize(("p", "told"), [(KEEP_MORE, 0.01), (KEEP_MORE - 0.001, None)])
def test_what_is_hardly_likely_is_left_out(p: float, told: float | None) -> None:
    looker = Looker(Counter(p))
    for n in range(20):
        ((seen,), _, _) = look(looker, n * STEP, detection("card_up", 100, 100, 40, 60))
    assert seen.more == told


@pytest.mark.parametrize(("wider", "void"), [(1.0 + 2 * CHANGED - 0.01, False), (1.0 + 2 * CHANGED + 0.01, True)])
def test_counts_are_void_once_the_box_has_changed(wider: float, void: bool) -> None:
    """As another card is laid closely on it."""
    readers = Counter(0.0)
    looker = Looker(readers)
    for n in range(30):
        look(looker, n * STEP, detection("card_up", 100, 100, 40, 60))
    readers.two = [0.9]
    for n in range(30, 60):
        ((seen,), _, _) = look(looker, n * STEP, detection("card_up", 100, 100, 40 * wider, 60))
    assert (seen.more == 0.9) == void
    assert 0 < (seen.more or 0.0) <= 0.9


def test_a_card_that_is_turned_up_keeps_its_id() -> None:
    looker = Looker(Kings())
    ((down,), _, _) = look(looker, 0.0, detection("card_down", 100, 100, 40, 60))
    ((up,), _, _) = look(looker, STEP, detection("card_up", 102, 100, 40, 60))
    assert (down.id, down.face, up.face, up.rank) == (up.id, "down", "up", "K")


def faint(x: float, p: float = 0.15) -> Detection:
    return replace(detection("hand", x, 300, 90, 110, p), faint=True)


def test_a_blurred_hand_is_followed_but_a_faint_one_never_begins_nor_stays() -> None:
    looker = Looker(Kings())
    assert look(looker, 0.0, faint(100))[2] == []
    for n in range(3):
        look(looker, n * STEP, detection("hand", 100 + 60 * n, 300, 90, 110))
    hand, other = (look(looker, n * STEP, faint(100 + 60 * n))[2][0] for n in (3, 4))
    assert hand.id == other.id
    assert 0.3 < hand.p < 0.9
    resting = [look(looker, n * STEP, faint(340))[2] for n in range(5, 15)]
    assert resting[-1] == []


def test_a_hands_side_follows_when_hands_have_crossed() -> None:
    readers = Sides()
    looker = Looker(readers)
    sides = []
    for n in range(20):
        readers.side = "left" if n < 10 else "right"
        sides.append(look(looker, n * STEP, detection("hand", 100, 300, 90, 110))[2][0].side)
    assert sides[:10] == ["left"] * 10
    assert sides[13:] == ["right"] * 7


class Sides(Kings):
    side = "left"

    def hands(self, picture, found):
        side = {"left": 0.05, "right": 0.05, self.side: 0.95}
        return [replace(reading, side=side) for reading in super().hands(picture, found)]


class Once(Kings):
    """Reads chips as red first, and as hardly white or pink from a time on."""

    red = True

    def chips(self, picture, found):
        now = {"red": 0.97, "white": 0.03} if self.red else {"white": 0.5, "pink": 0.45, "red": 0.05}
        return [now for _ in found]


@pytest.mark.parametrize(("gone", "colour"), [(14, "white"), (3, "red")], ids=["for two seconds", "under a hand"])
def test_a_chip_that_was_out_of_sight_is_read_anew(gone: int, colour: str) -> None:
    reader = Once()
    looker, wager = Looker(reader), detection("chip", 300, 100, 26, 26)
    for n in range(20):
        look(looker, n * STEP, wager, picture=painted((300, 100, RED)))
    reader.red = False
    for n in range(20, 20 + gone):
        look(looker, n * STEP)
    for n in range(20 + gone, 30 + gone):
        _, chips, _ = look(looker, n * STEP, wager, picture=painted((300, 100, WHITE)))
    assert [chip.colour for chip in chips] == [colour]
