"""Splits told by cards alone: wide ones, at rare looks, over a gap, with a next card like the one that was moved."""

from __future__ import annotations

import pytest
from alone_scenes import SPACE_1, dealer, hand, log_of, lying, seen, splits, told
from msgspec import structs
from recon_scenes import layout

from verifier.domain.house import House
from verifier.domain.observations import ObservationsHeader
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct


def split_twice(first, second, third):
    """Eights split twice: at x + `second` and x + `third` the moved ones; each hand's next cards lie as is usual."""
    x, y = SPACE_1
    return [
        lying(1.0, 24.0, x, y, "8"),
        lying(3.0, 8.0, x - 33, y + 45, "8"),
        lying(8.2, 24.0, x + second, y, "8"),
        lying(9.5, 11.0, x - 33, y + 45, "8"),
        lying(11.2, 24.0, x + third, y, "8"),
        *(
            lying(13.0 + i, 24.0, x + dx - 33, y + 45, rank)
            for i, (dx, rank) in enumerate(((0, first), (second, "Q"), (third, "9")))
        ),
        lying(16.5, 24.0, x + third - 66, y + 90, "2"),
        *hand(600.0, 300.0, "K7", 1.5, 22.0, pace=2.0),
        *dealer(24.0),
    ]


@pytest.mark.parametrize("second, third", ((85, 170), (95, 190)))
def test_a_hand_split_off_into_the_next_spaces_area_stays_its_players(second, third):
    log = log_of(split_twice("K", second, third))
    assert splits(log) == [("space:1", "space:1/1"), ("space:1", "space:1/2")]
    assert told(log, "space:1") == ["8", "8", "8", "K"] and told(log, "space:2") == ["K", "7"]
    assert told(log, "space:1/1") == ["Q"] and told(log, "space:1/2") == ["9", "2"]


def test_a_hand_split_off_beyond_all_areas_stays_its_players():
    table = layout()
    table.spaces[1].area[:] = [(160.0, 40.0), (330.0, 40.0), (330.0, 420.0), (160.0, 420.0)]
    table.spaces[2].area[:] = [(560.0, 40.0), (740.0, 40.0), (740.0, 420.0), (560.0, 420.0)]
    x, y = SPACE_1
    cards = [
        lying(1.0, 24.0, x, y, "8"),
        lying(3.0, 8.0, x - 33, y + 45, "8"),
        lying(8.2, 24.0, x + 130, y, "8"),
        lying(10.0, 24.0, x - 33, y + 45, "K"),
        lying(12.0, 24.0, x + 97, y + 45, "9"),
        *dealer(24.0),
    ]
    log = log_of(cards, table)
    assert splits(log) == [("space:1", "space:1/1")]
    assert told(log, "space:1") == ["8", "8", "K"] and told(log, "space:1/1") == ["9"]


def test_a_split_that_nobody_looked_at_is_told_by_the_next_look():
    x, y = SPACE_1
    cards = [
        lying(1.0, 24.0, x, y, "8"),
        lying(3.0, 11.0, x - 33, y + 45, "8"),
        lying(11.2, 24.0, x + 80, y, "8"),
        lying(13.0, 24.0, x - 33, y + 45, "K"),
        lying(15.0, 24.0, x + 47, y + 45, "9"),
        *dealer(24.0),
    ]
    looks = (one for one in seen(cards) if not 7.5 < one.t < 11.3)
    log = reconstruct(looks, layout(), House(), ObservationsHeader())
    assert splits(log) == [("space:1", "space:1/1")]
    assert told(log, "space:1") == ["8", "8", "K"] and told(log, "space:1/1") == ["9"]


@pytest.mark.parametrize("hz", (1.0, 2.0, 5.0))
def test_an_ace_laid_across_where_the_split_one_lay_is_another(hz):
    x, y = SPACE_1
    cards = [
        lying(1.0, 24.0, x, y, "A"),
        lying(3.5, 8.0, x - 33, y + 45, "A"),
        lying(8.1, 24.0, x + 80, y, "A"),
        lying(9.2, 24.0, x - 33, y + 45, "A", across=True),
        lying(12.0, 24.0, x + 47, y + 45, "9", across=True),
        *dealer(24.0),
    ]
    log = log_of(cards, hz=hz)
    assert splits(log) == [("space:1", "space:1/1")]
    assert told(log, "space:1") == ["A", "A", "A"] and told(log, "space:1/1") == ["9"]
    assert [e.angle for e in log.events if e.name == "card_dealt" and e.to == "space:1"] == [None, 0.0, 90.0]
    assert [e.angle_p for e in log.events if e.name == "card_dealt" and e.to == "space:1"] == [None, 1.0, 1.0]


def test_at_one_look_a_second_the_next_card_may_be_of_the_pairs_rank():
    x, y = SPACE_1
    cards = [
        lying(1.0, 24.0, x, y, "4"),
        lying(3.5, 8.3, x - 33, y + 45, "4"),
        lying(8.8, 24.0, x + 175, y, "4"),
        lying(10.7, 24.0, x - 33, y + 45, "4"),
        lying(13.0, 24.0, x + 142, y + 45, "9"),
        *hand(600.0, 300.0, "K7", 1.5, 22.0, pace=2.0),
        *dealer(24.0),
    ]
    log = log_of(cards, hz=1.0)
    assert splits(log) == [("space:1", "space:1/1")]
    assert told(log, "space:1") == ["4", "4", "4"] and told(log, "space:1/1") == ["9"]


def test_a_card_hidden_as_one_of_its_rank_is_dealt_beside_it_is_no_split():
    x, y = SPACE_1
    cards = [
        lying(1.0, 8.0, x, y, "K"),
        lying(9.2, 20.0, x, y, "K"),
        lying(3.0, 20.0, x - 33, y + 45, "5"),
        lying(8.1, 20.0, x - 66, y + 90, "K"),
        *hand(600.0, 300.0, "J7", 1.5, 22.0, pace=2.0),
        *dealer(22.0),
    ]
    log = log_of(cards, hz=5.0)
    assert splits(log) == [] and told(log, "space:1") == ["K", "5", "K"]


def test_a_dealers_card_that_comes_back_into_sight_with_a_misread_look_had_lain_there():
    cards = [*hand(*SPACE_1, "J7", 1.5, 22.0, pace=2.0), *dealer(22.0, "4T")]
    looks = (
        structs.replace(
            one,
            cards=[
                structs.replace(c, rank="J") if c.rank == "4" and one.t == 10.0 else c
                for c in one.cards
                if c.rank != "4" or not 8.0 < one.t < 9.5
            ],
        )
        for one in seen(cards, hz=5.0)
    )
    log = reconstruct(looks, layout(), House(), ObservationsHeader())
    assert told(log, "dealer") == ["4", "?"]


def test_split_hands_that_lie_as_the_recording_begins_are_told_by_how_they_lie():
    x, y = SPACE_1
    cards = [
        *hand(x + 80, y, "K42", 0.0, 24.0, pace=0.0),
        *hand(x, y, "T9", 0.0, 24.0, pace=0.0),
        lying(4.0, 24.0, x - 66, y + 90, "3"),
        *hand(600.0, 300.0, "J7", 0.0, 22.0, pace=0.0),
        lying(0.0, 24.0, 600.0, 540.0, "7"),
    ]
    log = log_of(cards)
    assert told(log, "space:1") == ["T", "9", "3"] and told(log, "space:1/1") == ["K", "4", "2"]
    assert told(log, "space:2") == ["J", "7"] and splits(log) == []
    assert [one.observed for one in judge(log).findings if one.verdict == "violation"] == []


def test_cards_side_by_side_as_the_recording_begins_are_one_hand():
    x, y = SPACE_1
    cards = [lying(0.0, 24.0, x, y, "K"), lying(0.0, 24.0, x + 66, y, "9"), lying(4.0, 24.0, x + 132, y, "2")]
    log = log_of([*cards, lying(0.0, 24.0, 600.0, 540.0, "7")])
    assert sorted(told(log, "space:1")) == ["2", "9", "K"]


def test_split_hands_count_from_where_both_cards_lie_at_last():
    """The table is seen turned: the second card lies farther left until it is moved, after the first one was."""
    cards = [
        lying(1.0, 8.2, 300.0, 300.0, "T"),
        lying(3.0, 8.7, 250.0, 334.0, "T"),
        lying(8.4, 24.0, 254.0, 285.0, "T"),
        lying(8.8, 24.0, 345.0, 315.0, "T"),
        lying(10.4, 24.0, 206.0, 318.0, "8"),
        lying(12.0, 24.0, 297.0, 348.0, "9"),
        *dealer(24.0),
    ]
    log = log_of(cards, hz=5.0)
    assert splits(log) == [("space:1", "space:1/1")]
    assert told(log, "space:1") == ["T", "T", "8"] and told(log, "space:1/1") == ["9"]


def test_the_third_card_may_be_like_the_second_which_is_out_of_sight_meanwhile():
    x, y = SPACE_1
    cards = [
        lying(1.0, 20.0, x, y, "4"),
        lying(3.0, 8.0, x - 33, y + 45, "2"),
        lying(9.8, 20.0, x - 32, y + 46, "2"),
        lying(9.4, 20.0, x - 66, y + 90, "2"),
        *hand(600.0, 300.0, "J7", 1.5, 22.0, pace=2.0),
        *dealer(22.0),
    ]
    log = log_of(cards, hz=5.0)
    assert splits(log) == [] and told(log, "space:1") == ["4", "2", "2"]
