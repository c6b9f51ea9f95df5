"""Cards that nobody saw come one by one, that were held on their way, and those of a hand that reaches to the shoe."""

from __future__ import annotations

from alone_scenes import SPACE_1, dealer, hand, log_of, lying, told

from verifier.reconstruct.cardstory import CardStory
from verifier.reconstruct.deal import lay_out
from verifier.reconstruct.hands import HandLog
from verifier.reconstruct.zones import Xy

Stay = tuple[Xy, float, float]


def story(number: int, place: str, rank: str, *stays: Stay, turned: tuple[float, float] | None = None) -> CardStory:
    return CardStory(
        number=number, place=place, stays=stays, angle=0.0, face="down" if turned else "up", turned=turned,
        ranks={rank: 0.99}, suit="h", p=0.98, n=50, steady=3.0, t_first=stays[0][1], t_last=30.0, gone=30.0,
    )  # fmt: skip


def test_of_cards_that_show_at_once_the_one_that_follows_its_hands_last_came_first() -> None:
    pair = [story(0, "space:1", "2", ((0, 0), 1.0, 30.0)),
            story(1, "space:1", "2", ((-33, 45), 2.0, 4.0), ((105, 0), 4.5, 30.0))]  # fmt: skip
    aces = [story(2, "space:1", "A", ((-66, 90), 8.8, 30.0)), story(3, "space:1", "A", ((-33, 45), 8.93, 30.0))]
    layout = lay_out([*pair, *aces], HandLog())
    assert [[card.number for card in one.cards] for one in layout.hands] == [[0, 3, 2], [1]]


def test_a_card_that_was_held_on_its_way_is_dealt_where_it_comes_to_lie() -> None:
    cards = [story(0, "space:1", "5", ((0, 0), 1.0, 30.0)), story(1, "space:1", "4", ((-33, 45), 2.0, 30.0)),
             story(2, "", "9", ((200, 200), 5.7, 9.6), ((-66, 90), 9.9, 30.0), turned=(9.6, 9.73)),
             story(3, "", "8", ((200, 200), 12.0, 13.6), ((300, 190), 13.9, 30.0))]  # fmt: skip
    layout = lay_out(cards, HandLog())
    (last,) = [dealing.card for dealing in layout.dealings if dealing.card.number > 1]
    assert (last.number, last.t_rest, last.face) == (2, 9.9, "up")


def test_a_long_hand_that_reaches_into_the_shoes_area_keeps_its_last_card() -> None:
    x, y = SPACE_1
    long = [lying(1.0 + 2.0 * i, 24.0, x - 33 * i, y + 45 * i, rank) for i, rank in enumerate("234A25")]
    log = log_of([*long, *hand(600.0, 300.0, "K7", 1.5, 22.0, pace=2.0), *dealer(24.0)])
    assert told(log, "space:1") == [*"234A25"]
