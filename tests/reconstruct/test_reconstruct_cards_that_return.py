"""A card that went out of sight and shows where it had lain is the same card, unless a hand may have laid another."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from test_reconstruct_flicker import card_track, dwell, hands_at

from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.again import odds, shown_again
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.distinct import distinct
from verifier.reconstruct.table.zones import Xy

HERE = (0.0, -100.0)
UNKNOWN = HandLog()


def nine(at: Xy, t: float, until: float = 30.0, suit: str = "s", n: int = 50) -> CardTrack:
    """A nine that lies at a place from `t` until `until` seconds."""
    return replace(card_track(int(t), at, t, n=n), suit=suit, dwells=((at, t, until),), t_last=until, gone=until + 0.1)


LOST = nine(HERE, 2.0, 12.0)
"""The nine of spades that lies there and is lost from sight at 12 s."""


def king(until: float) -> CardTrack:
    return replace(card_track(9, (30.0, -130.0), 1.0), ranks={"K": 0.95}, gone=until)


@pytest.mark.parametrize(
    ("again", "cards", "hands", "expected"),
    [
        (nine(HERE, 14.0), [], UNKNOWN, -2.0),
        (nine(HERE, 12.5), [], UNKNOWN, 0.5),
        (nine(HERE, 12.51), [], UNKNOWN, -2.0),
        (nine(HERE, 14.0), [king(30.0)], UNKNOWN, 2.5),
        (nine(HERE, 14.0), [king(13.9)], UNKNOWN, -2.0),
        (nine(HERE, 14.0, suit="c"), [king(30.0)], UNKNOWN, 0.5),
        (nine(HERE, 14.0), [], hands_at(), 0.5),
        (nine(HERE, 14.0), [], hands_at((13.9, 600, 380)), -2.0),
        (nine(HERE, 12.4, suit="c"), [], UNKNOWN, -1.5),
    ],
    ids=[
        "two seconds later, nothing else known",
        "half a second later",
        "a moment more",
        "its hand lay on",
        "its hand was taken up before",
        "its hand lay on, read as a club",
        "nobody came",
        "a hand laid it",
        "half a second later, read as a club",
    ],
)
def test_what_speaks_for_a_card_being_the_one_that_lay_there(
    again: CardTrack, cards: list[CardTrack], hands: HandLog, expected: float
) -> None:
    assert odds(LOST, again, [LOST, again, *cards], hands) == pytest.approx(expected)
    assert len(shown_again([LOST, again, *cards], hands)) == len(cards) + (1 if expected >= 0.0 else 2)


@pytest.mark.parametrize(
    ("again", "told"),
    [
        (nine((21.9, -100.0), 12.2), 1),
        (nine((22.1, -100.0), 12.2), 2),
        (nine(HERE, 12.2, suit="h"), 2),
        (replace(nine(HERE, 12.2), ranks={"8": 0.95}), 2),
        (replace(nine(HERE, 12.2), place="space:1"), 2),
        (replace(nine(HERE, 12.2), face="down"), 2),
    ],
    ids=["22 mm aside", "farther", "of another colour", "of another rank", "of another space", "a back"],
)
def test_a_card_that_differs_or_lies_elsewhere_is_another(again: CardTrack, told: int) -> None:
    assert len(shown_again([LOST, again, king(30.0)])) == told + 1


@pytest.mark.parametrize(
    ("laid", "lifted", "told"),
    [(12.0, 18.0, 1), (14.9, 30.0, 1), (15.1, 30.0, 2), (2.0, 15.1, 1), (2.0, 14.9, 2)],
    ids=["all the while", "for most of it", "for less", "lifted early", "lifted too early"],
)
def test_a_card_under_chips_lies_on(laid: float, lifted: float, told: int) -> None:
    chips = [dwell(20.0, -100.0, laid, lifted, 40, 5)]
    assert len(shown_again([LOST, nine(HERE, 18.0)], UNKNOWN, chips)) == told


@pytest.mark.parametrize(("x", "told"), [(39.9, 1), (40.1, 2)], ids=["upon it", "beside it"])
def test_chips_lie_upon_a_card_near_its_middle(x: float, told: int) -> None:
    assert len(shown_again([LOST, nine(HERE, 18.0)], UNKNOWN, [dwell(x, -100.0, 12.0, 18.0, 40, 5)])) == told


@pytest.mark.parametrize(
    ("came", "at", "told"),
    [(13.0, 11.9, 1), (13.0, 13.0, 2), (17.0, 11.9, 1)],
    ids=["a hand had passed over it", "a hand was there as it came", "however long after"],
)
def test_a_card_that_shows_again_while_nobody_is_there_lay_on(came: float, at: float, told: int) -> None:
    (first, *_) = left = shown_again([LOST, nine((3.0, -101.0), came)], hands_at((at, 600, 380)))
    assert len(left) == told
    assert first.gone == (30.1 if told == 1 else 12.1)


@pytest.mark.parametrize("turned", [None, 20.0], ids=["a face", "the hole card"])
@pytest.mark.parametrize(("n", "x", "told"), [(9, 1.0, 1), (90, 1.0, 1), (9, 70.0, 2)])
def test_a_card_that_seems_to_creep_away_and_shows_again_where_it_lay_is_one(
    n: int, x: float, told: int, turned: float | None
) -> None:
    lying = card_track(0, HERE, 2.0, moved=((26.0, -98.0), 29.0))
    lying = replace(lying, face="up" if turned is None else "down", turned=None if turned is None else (19.0, turned))
    home = replace(card_track(1, (x, -99.0), 30.0, n=n), dwells=(((x, -99.0), 30.0, 40.0),), gone=40.0)
    cards = shown_again(distinct([lying, home]))
    assert len(cards) == told
    assert told == 2 or (cards[0].gone, cards[0].turned, cards[0].t_first) == (40.0, lying.turned, 2.0)


def test_the_reading_of_the_longer_look_is_the_cards() -> None:
    sure = replace(nine(HERE, 12.2, n=80), ranks={"9": 0.99})
    (one,) = shown_again([LOST, sure])
    assert (one.ranks, one.n, one.number, one.t_first, one.t_last) == ({"9": 0.99}, 130, 2, 2.0, 30.0)
    assert one.unseen == ((12.0, 12.2),)
