"""What lasts long: rounds that are cut, pauses told in parts, hands that stay away, chips hidden again and again."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import card, chip, dwell, hand, layout

from verifier.domain.house import House
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.reconstruct import parameters as par
from verifier.reconstruct import reconstruct
from verifier.reconstruct.between.cash import monotone
from verifier.reconstruct.between.indicator import CutCards
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.parameters.tolerances import CHIP_TOLERANCES
from verifier.reconstruct.resting.bill_dwells import BillDwell
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell, chip_dwells
from verifier.reconstruct.resting.lain_on import buried
from verifier.reconstruct.resting.settle import ChipSettler
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

IDLE = [hand(400, 640, side="left", fingers=2), hand(800, 640, side="right", fingers=2)]
TAKING = [hand(400, 640, side="left", fingers=2), hand(950, 770, side="right", fingers=0)]
LAID = [card(600, 300, "9"), card(567, 345, "8"), card(560, 540, "7"), card(632, 540, face="down")]
WAGER = [chip(600, 140)]


def told(*parts):
    """The events of parts (seconds, looks a second, what is seen)."""
    looks, t = [], 0.0
    for seconds, pace, seen in parts:
        for i in range(round(seconds * pace)):
            looks.append(Observation(t=round(t + i / pace, 3), frame=len(looks), **seen))
        t += seconds
    return reconstruct(looks, layout(), House(), ObservationsHeader()).events


def named(events, name):
    return [event for event in events if event.name == name]


def a_round(lies):
    """A round whose cards lie for so long, with a dealer who takes them up."""
    return [
        (2.0, 7.5, {"chips": WAGER, "hands": IDLE}),
        *(
            (1.0, 7.5, {"chips": WAGER, "cards": LAID[: n + 1], "hands": [hand(*at)]})
            for n, at in enumerate([(600, 360), (567, 405), (560, 600)])
        ),
        (min(lies, 5.0), 7.5, {"chips": WAGER, "cards": LAID, "hands": IDLE}),
        (max(0.0, lies - 5.0), 1.0, {"chips": WAGER, "cards": LAID, "hands": IDLE}),
        (1.0, 7.5, {"cards": LAID, "hands": [hand(600, 180)]}),
        (1.0, 7.5, {"cards": LAID[2:], "hands": [hand(600, 300)]}),
        (1.0, 7.5, {"hands": [hand(600, 540)]}),
        (8.0, 7.5, {"hands": IDLE}),
    ]


def test_a_round_that_is_cut_for_its_length_is_told_once_and_the_next_one_as_ever():
    events = told(*a_round(1000.0), *a_round(10.0))
    assert [one.round for one in named(events, "round_started")] == [1, 2]
    dealt = [one.card for one in named(events, "card_dealt") if one.to == "space:2" and not one.weak]
    assert dealt == ["9h", "8h"] * 2


@pytest.mark.parametrize("away", [60.0, 135.0, 300.0])
def test_a_dealer_who_comes_back_after_the_pause_was_told_in_part_is_another(away):
    beginning = [(100.0, 2.0, {"hands": IDLE}), (1.0, 7.5, {"hands": TAKING})]
    events = told(*beginning, (away, 2.0, {}), (10.0, 7.5, {"hands": IDLE}), *a_round(10.0))
    assert [one.phase for one in named(events, "dealer_shift")] == ["end", "start"]
    assert [one.state for one in named(events, "table_state")] == ["temp_closed", "open"]
    assert {one.dealer for one in named(events, "card_dealt")} == {"D2"}


def test_a_doubtful_face_on_a_table_that_no_hand_came_to_for_long_begins_no_round():
    face = {"cards": [card(600, 300, "9", p=0.6)]}
    events = told((60.0, 2.0, {"hands": IDLE}), (540.0, 1.0, {}), (20.0, 7.5, face), (10.0, 7.5, {}))
    assert named(events, "card_dealt") == []


def lying(t0: float, t1: float, *, last: float) -> CardTrack:
    """A card upon the chip of the stays below, from `t0` to `t1`."""
    at = dwell(0, 0, 0.0, 1.0).xy
    return CardTrack(
        number=1,
        place="space:2",
        dwells=((at, t0, t1),),
        angle=0.0,
        face="up",
        turned=None,
        ranks={"9": 1.0},
        suit="h",
        p=0.99,
        n=50,
        steady=1.0,
        t_first=t0,
        t_last=last,
        gone=t1,
    )


def chips() -> list[ChipDwell]:
    spans = [(1.0, 5.0), (6.0, 9.0), (10.0, 14.0)]
    return [replace(dwell(0, 0, t0, t1), seen_to=t1) for t0, t1 in spans]


def test_a_chip_that_one_card_after_another_is_laid_on_lies_on_under_both():
    upon = [lying(5.0, 6.0, last=5.8), lying(9.0, 10.0, last=9.8)]
    assert [(one.t0, one.t1) for one in buried({2: chips()}, upon)[2]] == [(1.0, 14.0)]


def test_what_passed_for_a_cut_card_long_ago_is_forgotten():
    cards = CutCards()
    for number in range(300):
        for t in (2.0, 2.5, 3.0):
            cards.add(60.0 * number + t, ((float(number % 7) * 80.0, 500.0),))
        cards.forget_before(60.0 * number + 40.0)
    assert cards.appeared(0.0, 60.0 * 300) == []


def test_of_print_that_seems_to_go_to_and_fro_for_hours_only_the_last_ten_minutes_are_kept():
    """Each spot for ten looks; nothing else happens, and nobody comes near."""
    table = TableMap.of(layout())
    settler, log, told = ChipSettler(CHIP_TOLERANCES), HandLog(), []
    for number in range(3 * par.TRAIL_LOOKS):
        t = number / 7.5
        seen = Observation(t=t, frame=number, chips=[chip(600 + 10 * (number // 10 % 2), 140)])
        detection = detections_of(seen, table, Body.of(table))
        settler.step(t, detection.chips, log.cover(detection))
        if number % 500 == 499:
            before = chip_dwells(settler.settled())
            settler.forget_before(t)
            assert chip_dwells(settler.settled()) == before
            told.append(len(before))
    (track,) = settler.settled()
    assert len(track.dwells) == told[-1] == par.TRAIL_LOOKS // 10


def bill(x: float) -> BillDwell:
    return BillDwell(
        xy=(x, 0.0),
        angle=0.0,
        size=(66.0, 156.0),
        corners=(),
        before=0.0,
        t0=1.0,
        t1=9.0,
        gone=None,
        times=(1.0, 2.0, 3.0),
        values={500: 0.5, 2000: 0.5},
        face="up",
    )


def test_of_many_bills_that_may_be_either_of_two_no_sequence_is_told():
    """Without a limit on the ways to read them this would not end."""
    assert monotone([bill(70.0 * i) for i in range(40)]) is None
