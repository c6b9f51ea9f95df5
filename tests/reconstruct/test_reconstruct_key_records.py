"""What a key frame missed, by the one before and those after it."""

from __future__ import annotations

import pytest
from recon_scenes import card, layout

from verifier.domain.observations import Observation
from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.records import record_of, whole
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
FIRST, SECOND = ("8", 300, 300), ("8", 267, 345)
OTHERS = (("T", 600, 300), ("9", 567, 345), ("7", 600, 540))


def record(*cards):
    seen = [card(x, y, rank, face="down" if rank is None else "up") for rank, x, y in cards]
    return record_of(Observation(t=0.0, cards=seen), TABLE)


def shown(one):
    return {(seen.rank, *TABLE.mm(seen.quad[0])) for seen in one.observation.cards}


def missed(before, now, *after):
    """What `now` missed."""
    whole_one = whole(record(*before), record(*now), [record(*later) for later in after])
    added = shown(whole_one) - shown(record(*now))
    assert len(whole_one.observation.cards) == len(whole_one.cards) == len(now) + len(added)
    names = {next(iter(shown(record(one)))): one for later in (before, *after) for one in later}
    return {names[one] for one in added}


def test_a_card_that_shows_again_lay_on():
    every = (FIRST, SECOND, *OTHERS)
    assert missed(every, (FIRST, *OTHERS), every) == {SECOND}
    assert missed(every, OTHERS, (FIRST, *OTHERS), every) == {FIRST, SECOND}
    assert missed(every, (FIRST, *OTHERS), *[(FIRST, *OTHERS)] * (par.KEY_RECORDS_AHEAD - 1), every) == {SECOND}


def test_a_card_read_otherwise_there_later_is_another():
    assert missed((FIRST, SECOND, *OTHERS), (FIRST, *OTHERS), (FIRST, ("K", 267, 345), *OTHERS)) == set()


def test_a_card_of_the_next_round_is_another():
    """Nothing of the last one lay meanwhile."""
    assert missed((FIRST, *OTHERS), (), (FIRST,), (FIRST, ("T", 600, 300))) == set()
    assert missed((FIRST, *OTHERS), OTHERS[2:], (), (FIRST,)) == set()


def test_a_hole_card_that_was_missed_lay_on_and_both_cards_away_were_in_the_reader():
    up, down = ("T", 600, 540), (None, 672, 540)
    every = (FIRST, SECOND, up, down)
    assert missed(every, (FIRST, SECOND, up), every) == {down}
    assert missed(every, (FIRST, SECOND), every) == set()


@pytest.mark.parametrize("now", ((FIRST,), (SECOND,), ()))
def test_a_pair_lies_until_it_is_parted(now):
    """Though one of the two lies elsewhere after that, or both do."""
    left = {FIRST, SECOND} - set(now)
    parted = (FIRST, ("8", 380, 300)) if FIRST in now else (SECOND, ("8", 380, 300))
    both = (("8", 240, 300), ("8", 380, 300))
    assert missed((FIRST, SECOND, *OTHERS), (*now, *OTHERS), ((*parted, *OTHERS) if now else (*both, *OTHERS))) == left


def test_of_a_king_and_a_queen_that_are_parted_the_one_that_was_missed_lies_till_then():
    king, queen = ("K", 300, 300), ("Q", 267, 345)
    assert missed((king, queen, *OTHERS), (king, *OTHERS), (king, ("Q", 380, 300), *OTHERS)) == {queen}


def test_a_pair_of_which_one_has_moved_is_not_whole():
    """The other card like it is dealt where the moved one lay."""
    moved = (FIRST, ("8", 380, 300), *OTHERS)
    assert missed((FIRST, SECOND, *OTHERS), moved, (*moved, SECOND)) == set()
    later = (("8", 240, 300), ("8", 380, 300), ("8", 207, 345), *OTHERS)
    assert missed((FIRST, SECOND, *OTHERS), (*moved[1:], ("8", 240, 300)), later) == set()


def test_a_card_dealt_to_another_hand_parts_no_pair():
    six = ("6", 267, 345)
    assert missed((FIRST, six, *OTHERS), (FIRST, *OTHERS), (FIRST, *OTHERS, ("6", 534, 390))) == set()


def test_a_players_card_lies_until_its_hand_is_taken():
    every = (FIRST, ("6", 267, 345), ("4", 234, 390), *OTHERS)
    now = (FIRST, ("4", 234, 390), *OTHERS)
    assert missed(every, now, OTHERS) == {("6", 267, 345)}
    assert missed(every, now, now, OTHERS) == {("6", 267, 345)}
    assert missed(every, now, now, now) == set()


def test_most_of_a_hand_that_has_gone_was_taken():
    """A hand that was split off lies on for a while."""
    every = (FIRST, ("6", 267, 345), ("T", 234, 390), ("8", 380, 300), *OTHERS)
    assert missed(every, (("8", 380, 300), *OTHERS), OTHERS) == set()


def test_a_card_of_the_dealers_that_goes_before_the_others_was_taken_back():
    up, down, late = ("9", 600, 540), ("T", 672, 540), ("5", 744, 540)
    assert missed((FIRST, up, down, late), (FIRST, up, down), (up, down), ()) == set()


def test_of_two_new_cards_a_players_was_laid_as_a_record_was_written_that_shows_nothing_new():
    new, dealers = ("4", 234, 390), ("T", 672, 540)
    lying = (FIRST, ("6", 267, 345), *OTHERS)
    assert missed(lying, lying, (*lying, dealers, new)) == {new}
    assert missed(lying, lying, (*lying, dealers), (*lying, dealers, new, ("2", 534, 390))) == {new}
    assert missed(lying, lying, (*lying, new), (*lying, new, dealers)) == set()
    assert missed(lying, (*lying, ("2", 534, 390)), (*lying, ("2", 534, 390), dealers, new)) == set()


def test_cards_that_were_moved_are_not_new():
    lying = (FIRST, SECOND, *OTHERS)
    assert missed(lying, lying, (("8", 240, 300), ("8", 380, 300), *OTHERS)) == set()
