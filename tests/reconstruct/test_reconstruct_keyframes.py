"""Key frames: records of cards alone where something changed, and looks so rare that one shows a bust's last card."""

from __future__ import annotations

import pickle
from itertools import count, pairwise

import pytest
from alone_scenes import SPACE_1, dealer, hand, log_of, lying, seen, splits, told
from msgspec.structs import replace
from recon_scenes import chip, layout

from verifier.domain.house import House
from verifier.domain.observations import Observation, ObservationsHeader, Quality, VideoInfo
from verifier.law.judge import judge
from verifier.reconstruct import parameters as par
from verifier.reconstruct.reconstruction import Reconstruction, reconstruct
from verifier.reconstruct.table.standing import Standing
from verifier.reconstruct.table.zones import TableMap

X, Y = SPACE_1
QUALITY = Quality(sharpness=200.0, obstructed=0.0, luma=100.0)


def keyed(cards, until=60.0):
    """The looks at cards that show another thing than the look before."""
    records = []
    for look in seen(cards, hz=10.0, until=until):
        if not records or look.cards != records[-1].cards:
            records.append(look)
    return records


def without(records, t, rank, x=None):
    """The records, of which those at `t` miss a card."""
    return [
        replace(one, cards=[c for c in one.cards if not (c.rank == rank and x in (None, c.quad[0][0] + 31.5))])
        if abs(one.t - t) < 0.05
        else one
        for one in records
    ]


def log_of_records(records, house=None, header=None):
    return reconstruct(records, layout(), house or House(), header or ObservationsHeader())


def accused(log):
    return [(one.clause, one.observed) for one in judge(log).findings if one.verdict == "violation"]


def round_of(start, ranks="K68", bust=0.6):
    """A hand that busts and is taken up `bust` s after its last card, one that stands, and the dealer's."""
    first, second, last = ranks
    taken = start + 9.0 + bust
    return [
        lying(start, taken, X, Y, first),
        lying(start + 3.1, taken, X - 33, Y + 45, second),
        lying(start + 9.0, taken, X - 66, Y + 90, last),
        lying(start + 1.0, start + 19.0, 600.0, 300.0, "T"),
        lying(start + 4.2, start + 19.0, 567.0, 345.0, "9"),
        lying(start + 2.2, start + 20.5, 600.0, 540.0, "7"),
        lying(start + 5.1, start + 20.5, 672.0, 540.0, "T", turned=start + 15.0),
    ]


def test_what_a_key_frame_shows_lay_until_the_next():
    log = log_of_records(keyed([*round_of(3.0), *round_of(30.0, "T59")]))
    dealt = [(e.round, e.to, e.card[0]) for e in log.events if e.name == "card_dealt" and e.to == "space:1"]
    assert dealt == [(1, "space:1", r) for r in "K68"] + [(2, "space:1", r) for r in "T59"]
    taken = [(e.round, e.from_, e.t_end) for e in log.events if e.name == "cards_collected"]
    assert [t for _, place, t in taken if place == "space:1"] == [pytest.approx(12.6), pytest.approx(39.6)]
    assert len([e for e in log.events if e.name == "round_started"]) == 2
    assert accused(log) == []


def pair_parted():
    cards = [
        lying(1.0, 24.0, X, Y, "8"),
        lying(3.0, 8.0, X - 33, Y + 45, "8"),
        lying(8.0, 24.0, X + 80, Y, "8"),
        lying(9.6, 24.0, X - 33, Y + 45, "K"),
        lying(12.0, 24.0, X + 47, Y + 45, "9"),
        *hand(600.0, 300.0, "T", 1.9, 25.0),
        lying(4.4, 25.0, 567.0, 345.0, "9"),
        lying(6.6, 25.0, 534.0, 390.0, "2"),
        *dealer(26.0),
    ]
    return keyed(cards)


@pytest.mark.parametrize("missed", ((6.6, "8", X - 33), (6.6, "8", X), (4.4, "8", None), (12.0, "K", None)))
def test_a_card_that_a_key_frame_missed_lies_on(missed):
    records = pair_parted()
    assert any(abs(one.t - missed[0]) < 0.05 for one in records)
    log = log_of_records(without(records, *missed))
    assert splits(log) == [("space:1", "space:1/1")]
    assert told(log, "space:1") == ["8", "8", "K"] and told(log, "space:1/1") == ["9"]
    assert accused(log) == []


def test_a_card_that_two_key_frames_missed_before_its_hand_was_taken_lay_till_then():
    records = keyed([*round_of(3.0, "K64", 3.0), lying(13.0, 23.0, 534.0, 390.0, "2")])
    log = log_of_records(without(without(records, 12.0, "6"), 13.0, "6"))
    taken = [e.t_end for e in log.events if e.name == "cards_collected" and e.from_ == "space:1"]
    assert taken == [pytest.approx(15.0)] and told(log, "space:1") == ["K", "6", "4"]


def test_a_key_frame_that_shows_nothing_new_was_written_for_the_card_that_it_missed():
    records = without(keyed(round_of(3.0)), 7.2, "9")
    before, blank = (one for one in records if one.t in (pytest.approx(6.1), pytest.approx(7.2)))
    assert before.cards == blank.cards
    dealt = {e.card[0]: e.t_end for e in log_of_records(records).events if e.name == "card_dealt" and e.to == "space:2"}
    assert dealt["9"] == pytest.approx(7.2 + 0.75, abs=0.8) and dealt["9"] < 8.1


def test_a_card_that_was_drawn_too_much_and_taken_back_does_not_lie_on():
    cards = [*round_of(3.0), lying(19.0, 21.0, 744.0, 540.0, "5")]
    log = log_of_records(keyed(cards))
    assert [e.card[0] for e in log.events if e.name == "card_burned"] == ["5"]


def looks_of(records, **how):
    standing = Standing(TableMap.of(layout()), **how)
    given = [look for one in records for look in standing.step(one)]
    return [*given, *standing.flush()], standing


@pytest.mark.parametrize("hz", (0.5, 1.0, 2.0, 5.0, 25.0))
@pytest.mark.parametrize("kept", (1.0, 0.6))
def test_looks_at_a_steady_rate_are_no_key_frames(hz, kept):
    """Though some of them are missed, and cards in all."""
    looks = [one for i, one in enumerate(seen(round_of(3.0), hz=hz, until=130.0)) if (i * 7919) % 100 < 100 * kept]
    looks = [replace(one, cards=[c for j, c in enumerate(one.cards) if (i + 3 * j) % 9]) for i, one in enumerate(looks)]
    given, standing = looks_of(looks)
    assert given == looks and not standing.keyed


@pytest.mark.parametrize(
    "more", ({"chips": [chip(600, 140)]}, {"quality": QUALITY}, {"bills": []}, {"cut_cards": []}), ids=str
)
def test_who_tells_of_more_than_cards_writes_no_key_frames(more):
    """And waits for none."""
    standing = Standing(TableMap.of(layout()))
    records = [replace(one, **more) for one in keyed(round_of(3.0))]
    assert [standing.step(one) for one in records] == [[one] for one in records]
    assert standing.flush() == []


def test_a_key_frame_that_looks_follow_stands_until_they_come():
    records = keyed([*round_of(3.0), *round_of(30.0)])
    after = Observation(t=records[-1].t + 1.0, quality=QUALITY)
    given, standing = looks_of([*records, after])
    assert given[-1] == after and not standing.keyed
    assert all(a.t < b.t for a, b in pairwise(given))


def test_a_key_frame_stands_at_a_steady_rate_for_no_longer_than_some_minutes():
    records = keyed(round_of(3.0))
    late = replace(records[0], t=7200.0)
    given, standing = looks_of([*records, late])
    assert standing.keyed and [one for one in given if one.t == late.t] == [late]
    assert all(b.t - a.t <= par.KEY_FRAME_STEP_S + 0.6 for a, b in pairwise(given) if b.t < 300.0)
    assert (
        len(given) < (par.KEY_FRAME_LONGEST_S + 40.0) / par.KEY_FRAME_STEP_S
        and given[-1].t <= late.t + par.KEY_FRAME_LAST_S
    )


def test_the_last_key_frame_stands_no_longer_than_the_recording():
    records = keyed(round_of(3.0))
    assert looks_of(records, duration=records[-1].t + 1.0)[0][-1].t < records[-1].t + 1.0
    video = VideoInfo(name="v", width=1200, height=800, duration=records[-1].t)
    log = log_of_records(records, header=ObservationsHeader(video=video))
    assert max(e.t_start for e in log.events) <= records[-1].t


def test_no_more_is_held_back_than_tells_key_frames_from_looks():
    standing = Standing(TableMap.of(layout()))
    held = 0
    for look in seen(round_of(3.0), hz=2.0, until=300.0):
        held += 1 - len(standing.step(look))
        assert held < par.KEY_FRAME_MOST_RECORDS
    assert held == 0


def test_key_frames_can_be_gone_on_with_after_any_of_them():
    records = keyed([*round_of(3.0), *round_of(30.0)])
    reconstruction = Reconstruction(layout(), House(), ObservationsHeader())
    for record in records:
        reconstruction = pickle.loads(pickle.dumps(reconstruction))
        reconstruction.take(record)
    assert reconstruction.log() == log_of_records(records)


READER = House(dealing_method="hole_card_reader")


def tens(away):
    """A round against a ten, whose two cards are away for 2 s after the deal where `away`."""
    cards = [card for card in round_of(3.0) if card[3] != 540.0]
    shown = ((5.2, 9.0), (11.0, 23.5)) if away else ((5.2, 23.5),)
    down = ((8.1, 9.0), (11.0, 23.5)) if away else ((8.1, 23.5),)
    cards += [lying(t0, t1, 600.0, 540.0, "T") for t0, t1 in shown]
    return keyed([*cards, *(lying(t0, t1, 672.0, 540.0, "9", turned=18.0) for t0, t1 in down)])


def test_a_reader_that_key_frames_do_not_show_accuses_nobody():
    log = log_of_records(tens(away=False), READER)
    assert [(e.p < 0.5, e.occluded) for e in log.events if e.name == "hole_card_check"] == [(True, True)]
    assert accused(log) == []


def test_cards_that_key_frames_show_away_were_in_the_reader():
    log = log_of_records(tens(away=True), READER)
    found = [e for e in log.events if e.name == "hole_card_check"]
    assert [(e.how, e.occluded) for e in found] == [("reader", False)] and found[0].p > 0.5
    assert told(log, "dealer") == ["T", "?"]


@pytest.mark.parametrize("hz", (1.0, 2.0))
def test_one_of_rare_looks_shows_a_busts_last_card(hz):
    log = log_of(round_of(3.0, bust=0.8 / hz), hz=hz)
    assert told(log, "space:1") == ["K", "6", "8"]
    assert accused(log) == []


def test_a_card_of_one_look_that_makes_no_bust_is_none():
    assert told(log_of(round_of(3.0, "K62", 0.8), hz=1.0), "space:1") == ["K", "6"]


def test_a_card_of_one_look_as_hands_are_taken_after_the_dealers_draws_is_none():
    cards = [one for one in round_of(3.0) if one[4] != "8"]
    kept = [(t0, 22.9 if x <= X and y < 500.0 else t1, x, y, *rest) for t0, t1, x, y, *rest in cards]
    log = log_of([*kept, lying(21.9, 22.9, X - 66, Y + 90, "8")], hz=1.0)
    assert told(log, "space:1") == ["K", "6"]


@pytest.mark.parametrize("gap, looks", ((0.3, 1), (0.5, 1), (0.6, 4), (2.0, 15)))
def test_what_the_next_key_frame_follows_at_once_may_have_been_on_its_way(gap, looks):
    records = keyed(round_of(3.0))
    again = replace(records[-1], t=records[-1].t + 5.0, cards=records[0].cards)
    passing = replace(records[-1], t=again.t - gap, cards=records[3].cards)
    given, _ = looks_of([*records, passing, again])
    assert len([one for one in given if passing.t <= one.t < again.t]) == looks


def test_how_a_card_lay_that_one_look_showed_is_not_known():
    cards = [one if one[4] != "8" else lying(*one[:2], X - 52, Y + 70, "8") for one in round_of(3.0, bust=0.8)]
    dealt = [e for e in log_of(cards, hz=1.0).events if e.name == "card_dealt" and e.to == "space:1"]
    assert [(e.card[0], e.overlap is None) for e in dealt] == [("K", True), ("6", False), ("8", True)]


@pytest.mark.parametrize("every, verdict", ((1000, "violation"), (6, "undetermined")))
def test_a_breach_that_key_frames_show_is_found_unless_they_miss_too_many_cards(every, verdict):
    cards = [*round_of(3.0), *round_of(33.0), lying(49.0, 53.5, 744.0, 540.0, "3"), *round_of(63.0)]
    records, number = keyed(cards, until=90.0), count(1)
    log = log_of_records([replace(one, cards=[card for card in one.cards if next(number) % every]) for one in records])
    found = [one.verdict for one in judge(log).findings if one.clause == "ND-08-11.10.g-stand-17"]
    assert found == [verdict]
    assert [r for r in told(log, "dealer") if r != "?"] == ["7", "7", "3", "7"]
