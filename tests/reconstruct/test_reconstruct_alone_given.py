"""Cards alone as others may give them: by boxes along the picture's sides, all cards of a pile, hands that run far."""

from __future__ import annotations

import math

import pytest
from alone_scenes import SPACE_1, dealer, hand, log_of, lying, seen, splits, told
from msgspec import structs
from recon_scenes import layout

from verifier.domain.house import House
from verifier.domain.observations import ObservationsHeader
from verifier.reconstruct import reconstruct


def boxed(one, turn):
    """A look whose cards lie turned by `turn` degrees and are given by the boxes round them."""
    sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))

    def box(quad):
        (x0, y0), (x1, y1) = quad[0], quad[2]
        x, y, w, h = (x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2
        w, h = w * cosine + h * sine, w * sine + h * cosine
        return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)

    return structs.replace(one, cards=[structs.replace(card, quad=box(card.quad)) for card in one.cards])


@pytest.mark.parametrize("turn, told_of", ((0.0, True), (10.0, False), (25.0, False)))
def test_what_cards_cover_is_not_told_of_boxes_in_which_they_lie_aslant(turn, told_of):
    cards = [*hand(*SPACE_1, "K9", 1.0, 20.0, pace=2.0), *dealer(20.0)]
    log = reconstruct((boxed(one, turn) for one in seen(cards)), layout(), House(), ObservationsHeader())
    second = [e for e in log.events if e.name == "card_dealt" and e.to == "space:1"][1]
    assert (second.overlap is not None) is told_of


def test_whether_a_card_lies_across_is_not_told_of_a_box_as_wide_as_high():
    cards = [*hand(*SPACE_1, "65", 1.0, 20.0, pace=2.0), lying(6.0, 20.0, 234.0, 390.0, "8", across=True)]
    log = reconstruct(
        (boxed(one, 44.0) for one in seen([*cards, *dealer(20.0)])), layout(), House(), ObservationsHeader()
    )
    assert [e.angle for e in log.events if e.name == "card_dealt" and e.to == "space:1"] == [None, None, None]


def test_cards_that_were_seen_apart_are_as_many_in_a_pile():
    x, y = SPACE_1
    hold = (x - 120, 140.0)
    cards = [
        *hand(x, y, "Q69", 1.0, 12.0, pace=2.0),
        *(lying(12.1, 24.0, *hold, rank) for rank in "Q69"),
        *hand(600.0, 300.0, "K7", 1.5, 22.0, pace=2.0),
        *dealer(24.0),
    ]
    log = log_of(cards)
    assert told(log, "space:1") == ["Q", "6", "9"] and splits(log) == []


def test_cards_keep_the_ranks_that_they_had_before_the_pile():
    x, y = SPACE_1
    times, ranks = (7.1, 12.1, 18.1, 24.0), ("Q69", "69Q", "9Q6")
    pile = [
        lying(a, b, x - 120 + i, 140.0, order[i])
        for a, b, order in zip(times, times[1:], ranks, strict=False)
        for i in range(3)
    ]
    log = log_of([*hand(x, y, "Q69", 1.0, 7.0, pace=2.0), *pile, *hand(600.0, 300.0, "K7", 1.5, 22.0), *dealer(24.0)])
    assert told(log, "space:1") == ["Q", "6", "9"]


def test_two_cards_that_are_laid_on_one_another_are_no_split():
    x, y = SPACE_1
    cards = [
        *hand(x, y, "88", 1.0, 12.0, pace=2.0),
        lying(12.2, 24.0, x + 90, y, "8"),
        lying(12.2, 24.0, x + 94, y + 4, "8"),
        *hand(600.0, 300.0, "K7", 1.5, 22.0, pace=2.0),
        *dealer(24.0),
    ]
    assert splits(log_of(cards)) == []


def test_a_dealers_next_card_is_the_dealers_though_a_players_long_hand_reaches_there():
    cards = [
        *hand(690.0, 340.0, "22", 1.0, 26.0, pace=2.0),
        lying(2.0, 26.0, 395.0, 590.0, "3"),
        lying(4.0, 26.0, 462.0, 590.0, "A", turned=17.0),
        *(lying(8.0 + i, 26.0, 624.0 - 33 * i, 430.0 + 45 * i, rank) for i, rank in enumerate("345")),
        lying(19.0, 26.0, 528.0, 588.0, "7"),
    ]
    log = log_of(cards)
    assert told(log, "space:2") == ["2", "2", "3", "4", "5"] and told(log, "dealer") == ["3", "?", "7"]


def test_a_dealers_long_row_goes_on_beyond_the_dealers_place():
    row = [lying(16.0 + 1.5 * i, 30.0, 744.0 + 72 * i, 540.0, rank) for i, rank in enumerate("2A322")]
    log = log_of(
        [
            *hand(*SPACE_1, "K9", 1.0, 30.0, pace=2.0),
            *dealer(30.0, "34")[:1],
            lying(4.0, 30.0, 672.0, 540.0, "4", turned=14.0),
            *row,
        ],
        until=45.0,
    )
    assert told(log, "dealer") == ["3", "?", "2", "A", "3", "2", "2"]


def test_cards_that_come_to_the_dealers_place_after_others_went_are_told():
    cards = [
        *hand(*SPACE_1, "K9", 1.0, 24.0, pace=2.0),
        lying(2.0, 10.0, 600.0, 540.0, "7"),
        lying(4.0, 10.0, 672.0, 540.0, "8"),
        *(lying(12.0 + 1.5 * i, 24.0, 600.0 + 72 * i, 540.0, rank) for i, rank in enumerate("562")),
    ]
    assert told(log_of(cards), "dealer") == ["7", "8", "5", "6", "2"]
