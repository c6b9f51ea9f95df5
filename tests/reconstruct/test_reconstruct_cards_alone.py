"""Cards alone, as another detector or a person may give them: they lie, and are gone, from one look to the next."""

from __future__ import annotations

import pytest
from alone_scenes import SPACE_1, dealer, hand, log_of, lying, seen, split_pair, splits, told
from msgspec import structs
from recon_scenes import layout

from verifier.domain.house import House
from verifier.domain.observations import ObservationsHeader
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.reconstruct.resting.cardmoves import crosswise

UPRIGHT, ACROSS = (0.0, (63.0, 88.0)), (90.0, (63.0, 88.0))


@pytest.mark.parametrize("after", (0.1, 0.5, 1.4))
@pytest.mark.parametrize("hz", (2.0, 7.5, 30.0))
def test_a_card_laid_at_once_where_the_split_one_lay_is_another(after, hz):
    log = log_of(split_pair("8", after, "K"), hz=hz)
    assert splits(log) == [("space:1", "space:1/1")]
    assert told(log, "space:1") == ["8", "8", "K"] and told(log, "space:1/1") == ["9"]


def test_the_next_card_may_be_of_the_pairs_rank_and_is_split_off_too():
    x, y = SPACE_1
    cards = [
        lying(1.0, 24.0, x, y, "3"),
        lying(3.0, 8.0, x - 33, y + 45, "3"),
        lying(8.2, 24.0, x + 80, y, "3"),
        lying(9.0, 10.5, x - 33, y + 45, "3"),
        lying(10.7, 24.0, x + 160, y, "3"),
        lying(12.0, 24.0, x - 33, y + 45, "K"),
        lying(14.0, 24.0, x + 47, y + 45, "J"),
        lying(16.0, 24.0, x + 127, y + 45, "5"),
        *dealer(24.0),
    ]
    wide = layout()
    wide.spaces[1].area[:] = [(100.0, 40.0), (560.0, 40.0), (560.0, 420.0), (100.0, 420.0)]
    wide.spaces.pop(2)
    log = reconstruct(seen(cards), wide, House(), ObservationsHeader())
    assert splits(log) == [("space:1", "space:1/1"), ("space:1", "space:1/2")]
    assert [told(log, place) for place in ("space:1", "space:1/1", "space:1/2")] == [["3", "3", "3", "K"], ["J"], ["5"]]


def test_a_mirrored_picture_is_turned_back():
    table = layout()
    table.spaces[1], table.spaces[3] = table.spaces[3], table.spaces[1]
    x, y = 900.0, 300.0
    cards = [
        lying(1.0, 24.0, x, y, "8"),
        lying(3.0, 8.0, x + 33, y + 45, "8"),
        lying(8.2, 24.0, x - 80, y, "8"),
        lying(9.0, 24.0, x + 33, y + 45, "K"),
        lying(12.0, 24.0, x - 47, y + 45, "9"),
        *dealer(24.0),
    ]
    log = log_of(cards, table)
    assert splits(log) == [("space:1", "space:1/1")]
    assert told(log, "space:1") == ["8", "8", "K"] and told(log, "space:1/1") == ["9"]


def test_two_rare_looks_tell_of_a_card_that_lay():
    cards = [*hand(*SPACE_1, "K6", 1.0, 9.5, pace=2.0), lying(7.5, 9.5, SPACE_1[0] - 66, SPACE_1[1] + 90, "8")]
    log = log_of([*cards, *hand(600.0, 300.0, "T9", 2.0, 20.0, pace=2.0), *dealer(20.0)], hz=1.0)
    assert told(log, "space:1") == ["K", "6", "8"]


def test_a_card_missed_in_the_second_of_rare_looks_came_in_the_first():
    cards = [*hand(*SPACE_1, "K2", 1.0, 20.0, pace=2.0), lying(7.9, 20.0, SPACE_1[0] - 66, SPACE_1[1] + 90, "4")]
    cards += [lying(8.5, 20.0, SPACE_1[0] - 99, SPACE_1[1] + 135, "3"), *dealer(20.0)]
    looks = (
        structs.replace(one, cards=[c for c in one.cards if not (one.t == 9.0 and c.rank == "4")])
        for one in seen(cards, hz=1.0)
    )
    log = reconstruct(looks, layout(), House(), ObservationsHeader())
    assert told(log, "space:1") == ["K", "2", "4", "3"]


def test_a_card_like_one_that_was_taken_up_with_its_hand_is_dealt_anew():
    cards = split_pair("T", 1.0, "6")
    busted = [(t0, min(t1, 14.0), x, *rest) if x <= 300.0 else (t0, t1, x, *rest) for t0, t1, x, *rest in cards[:4]]
    log = log_of([*busted, lying(14.6, 24.0, 347.0, 345.0, "T"), *dealer(24.0)])
    assert told(log, "space:1/1") == ["T"]


@pytest.mark.parametrize("step", ((18.0, -22.0), (33.0, -45.0), (32.0, 0.0), (0.0, 34.0)))
def test_split_hands_grow_the_way_the_table_lays_its_cards(step):
    x, y = 220.0, 250.0
    end = 24.0
    cards = [
        lying(1.0, end, x, y, "8"),
        lying(3.0, 8.0, x + step[0], y + step[1], "8"),
        lying(8.2, end, x + 120, y, "8"),
        *hand(x + step[0], y + step[1], "K5", 9.0, end, step),
        *hand(x + 120 + step[0], y + step[1], "24", 13.0, end, step),
        *dealer(end),
    ]
    log = log_of(cards)
    assert told(log, "space:1") == ["8", "8", "K", "5"] and told(log, "space:1/1") == ["2", "4"]


def test_looks_a_second_apart_show_the_dealers_cards():
    log = log_of([*hand(*SPACE_1, "K9", 1.0, 20.0, pace=2.0), *dealer(20.0)], hz=1.0)
    assert told(log, "dealer") == ["7", "?"] and told(log, "space:1") == ["K", "9"]
    assert [e.card[0] for e in log.events if e.name == "card_revealed"] == ["T"]


def test_a_hole_card_whose_back_no_detector_saw_had_lain_there():
    log = log_of([*hand(*SPACE_1, "K9", 1.0, 20.0, pace=2.0), *dealer(20.0)], backs=False)
    assert told(log, "dealer") == ["7", "?"]
    assert [e.card[0] for e in log.events if e.name == "card_revealed"] == ["T"]
    assert [one.observed for one in judge(log).findings if one.verdict == "violation"] == []


def test_a_long_hand_that_reaches_the_dealers_place_holds_no_hole_card():
    cards = [*hand(660.0, 320.0, "22", 1.0, 24.0, pace=2.0), lying(2.0, 24.0, 740.0, 540.0, "7")]
    cards += [lying(8.0 + 1.5 * i, 24.0, 594.0 - 33 * i, 410.0 + 45 * i, rank) for i, rank in enumerate("345")]
    log = log_of([*cards, lying(20.0, 24.0, 672.0, 540.0, "T")], backs=False)
    assert told(log, "space:2") == ["2", "2", "3", "4", "5"] and told(log, "dealer") == ["7", "?"]


def test_two_cards_dealt_face_up_at_the_dealers_place_are_told_so():
    cards = [*hand(*SPACE_1, "K9", 1.0, 20.0, pace=2.0), lying(2.0, 20.0, 600.0, 540.0, "7")]
    assert told(log_of([*cards, lying(4.0, 20.0, 672.0, 540.0, "T")]), "dealer") == ["7", "T"]


def test_a_hole_card_laid_close_beside_a_face_of_its_rank_is_another():
    cards = [
        *hand(*SPACE_1, "K9", 1.0, 20.0, pace=2.0),
        lying(2.0, 20.0, 600.0, 540.0, "7"),
        lying(4.0, 20.0, 618.0, 532.0, "7", turned=16.0),
    ]
    log = log_of(cards)
    assert told(log, "dealer") == ["7", "?"]
    assert [e.card[0] for e in log.events if e.name == "card_revealed"] == ["7"]


def test_a_card_that_the_dealer_drew_too_much_and_took_back_was_burned():
    late = lying(17.5, 19.5, 744.0, 540.0, "5")
    log = log_of([*hand(*SPACE_1, "K9", 1.0, 24.0, pace=2.0), *dealer(24.0, "9T"), late])
    assert [e.card[0] for e in log.events if e.name == "card_burned"] == ["5"]


def test_a_card_laid_far_over_another_counts_though_the_detector_is_half_sure_of_it():
    log = log_of([*hand(*SPACE_1, "K9", 1.0, 20.0, (18.0, -22.0), 2.0), *dealer(20.0)], p=0.6)
    assert told(log, "space:1") == ["K", "9"]


@pytest.mark.parametrize(
    "one, other, expected",
    [
        (UPRIGHT, ACROSS, True),
        (UPRIGHT, (176.0, (63.0, 88.0)), False),
        ((50.0, (63.0, 88.0)), (52.0, (63.0, 88.0)), False),
        ((0.0, (62.0, 63.0)), (90.0, (62.0, 64.0)), False),
        ((90.0, (62.0, 63.0)), (90.0, (44.0, 88.0)), True),
    ],
)
def test_a_low_camera_does_not_turn_cards_across(one, other, expected):
    assert crosswise(one, other) is expected
