"""Play at the limits of what is told: just on this side of a number or a time, and just on the other.

The figures stand here as numbers, not as the parameters that they are, so that a change of one is noticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import pytest
from inner_scenes import RIGHT, bills, bring, drop, look, push, run, spread
from msgspec.structs import replace
from recon_scenes import bill, card, dwell, frames, hand, layout, scene
from test_reconstruct_gaps import BODY, TABLE, between, card_track
from test_reconstruct_hand_limits import EMPTY, HAND, WAGER, log_of, point, ticks
from test_reconstruct_limits import detected

from verifier.domain.events import (
    CardReplaced,
    CardRevealed,
    ChipsCollected,
    ChipsFanned,
    ChipsFromTray,
    HandsShown,
    ViewCheck,
)
from verifier.domain.observations import BillSeen, Drift, Observation, Quality
from verifier.reconstruct.between.cash import Cash, spread_out
from verifier.reconstruct.between.cash import overlap as bill_overlap
from verifier.reconstruct.between.hand_paths import came_from
from verifier.reconstruct.between.handled import taken_first
from verifier.reconstruct.between.session import session_events
from verifier.reconstruct.between.shuffles import shuffles_by_backs
from verifier.reconstruct.cards.dealt import dealt_events
from verifier.reconstruct.cards.overlap import overlap as card_overlap
from verifier.reconstruct.dealt_hands import CardHand, Dealing, Layout
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.chip_spaces import chips_by_space
from verifier.reconstruct.money.collected import tray_events
from verifier.reconstruct.money.laid import laid_before
from verifier.reconstruct.money.piles import with_weak
from verifier.reconstruct.money.returned import returned_events
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.money.taps import tap_events, taps_of_space
from verifier.reconstruct.money.tips import moved_tips
from verifier.reconstruct.open_rounds import is_sure
from verifier.reconstruct.parameters.tolerances import CARD_TOLERANCES
from verifier.reconstruct.resting.bill_dwells import BillDwell, bill_dwells, rectangle
from verifier.reconstruct.resting.bills import BillLook
from verifier.reconstruct.resting.cardmoves import crosswise
from verifier.reconstruct.resting.cardsettle import CardSettler
from verifier.reconstruct.resting.existence import existing
from verifier.reconstruct.resting.replaced import Replacement
from verifier.reconstruct.scene import BackSeen, event
from verifier.reconstruct.table.detections import detections_of
from verifier.reconstruct.table.records import record_of, whole
from verifier.reconstruct.table.standing import Standing
from verifier.reconstruct.view import ViewLog

# Cards


@pytest.mark.parametrize(("changed", "at"), [(9.0, "space:2"), (11.0, "space:2/1")])
def test_a_card_exchanged_before_its_pair_was_split_was_so_at_the_space(changed: float, at: str) -> None:
    change = Replacement(
        t0=changed - 0.2,
        t1=changed,
        ranks_before={"9": 1.0},
        suit_before="h",
        ranks={"5": 1.0},
        suit="s",
        p=0.99,
        odds=9.0,
        settled=True,
    )
    hand_of = CardHand(2, 1, cards=[replace(card_track(0, WAGER, 3.0), replaced=change)], split_at=10.0)
    laid = Layout(hands=[hand_of], dealings=[Dealing(hand_of.cards[0], "space:2", hand_of, None)])
    (told,) = [one for one in dealt_events(scene(HandLog()), laid) if isinstance(one, CardReplaced)]
    assert told.at == at


@pytest.mark.parametrize(("off", "begun"), [(19.9, 9.6), (20.1, 9.8)], ids=["hand at it", "hand beside it"])
def test_a_hole_card_is_turned_from_when_a_hand_is_at_it(off: float, begun: float) -> None:
    """Its back was seen until 9.9 s, its face from 10.6 s on; else it was turned in 0.8 s."""
    xy = (32.0, 140.0)
    hole = replace(card_track(0, xy, 4.0, "dealer"), turned=(9.0, 10.6))
    of = CardHand(0, cards=[hole])
    laid = Layout(hands=[of], dealings=[Dealing(hole, "dealer", of, None)])
    log = log_of(dict.fromkeys(ticks(96, 105), off), at=xy)
    (told,) = [one for one in dealt_events(scene(log), laid) if isinstance(one, CardRevealed)]
    assert told.t_start == pytest.approx(begun)


@pytest.mark.parametrize(("off", "kept"), [(35.0, 3), (37.0, 2)])
def test_the_card_that_made_a_bust_lay_where_its_hands_next_card_belongs(off: float, kept: int) -> None:
    """It was taken up with the others as soon as it lay."""
    lying = [replace(card_track(i, (-33.0 * i, -150.0 + 45.0 * i), 2.0 + i), t_last=24.0, gone=24.1) for i in range(2)]
    bust = replace(card_track(2, (-66.0, -60.0 + off), 23.6), n=4, steady=0.4, t_last=24.0, gone=24.2)
    bust = replace(bust, dwells=((bust.xy, 23.6, 24.0),))
    assert len(existing([*lying, bust], HandLog())) == kept


@pytest.mark.parametrize(("long", "across"), [(11.4, False), (11.6, True)])
def test_a_card_that_seems_square_may_lie_either_way(long: float, across: bool) -> None:
    """A camera that stands low makes cards' sides alike."""
    assert crosswise((0.0, (10.0, long)), (90.0, (10.0, long))) == across


@pytest.mark.parametrize(("p", "sure"), [(0.71, False), (0.73, True)])
def test_a_back_that_holds_a_round_open_is_seen_more_surely_than_print(p: float, sure: bool) -> None:
    settler = CardSettler(CARD_TOLERANCES)
    for one in frames(2.0, cards=[card(600, 300, face="down", p=p)]):
        found = detections_of(one, TABLE, BODY)
        settler.step(found.t, found.cards, HandLog().cover(found))
    (track,) = settler.tracks
    assert is_sure(track) == sure


def record(t: float, number: int) -> Observation:
    """A record of cards alone, unlike the one before."""
    return Observation(t=round(t, 3), frame=None, cards=[card(300 + 40 * number, 300, "9")])


@pytest.mark.parametrize(("long", "keyed"), [(1.9, False), (2.1, True)], ids=["under twice as long", "over"])
def test_records_at_steps_of_very_different_length_are_key_frames(long: float, keyed: bool) -> None:
    steps = [1.0, 1.0, long] * 24
    standing = Standing(TABLE)
    for number, t in enumerate(accumulate(steps)):
        standing.step(record(t, number % 20))
    standing.flush()
    assert standing.keyed == keyed


@pytest.mark.parametrize("seen", [1.3, 1.4])
def test_a_card_that_alone_seems_far_too_large_tells_nothing_of_the_cameras_slant(seen: float) -> None:
    """It counts as a quarter too large."""
    lower = replace(card_track(0, (0.0, -100.0), 2.0), size=(63.0 * 1.6, 88.9 * 1.6))
    upper = replace(card_track(1, (-33.0, -55.0), 12.0), size=(63.0 * seen, 88.9 * seen))
    assert card_overlap(lower, upper, 12.0) == pytest.approx(0.35, abs=0.01)


@pytest.mark.parametrize(("apart", "lies"), [(109.0, 1), (111.0, 0)])
def test_a_card_that_a_key_frame_misses_lies_on_if_its_pair_is_parted_next(apart: float, lies: int) -> None:
    """Both eights lay no farther apart than cards of one hand do."""
    others = [card(600, 300, "T"), card(567, 345, "9"), card(600, 540, "7")]
    one, other, moved = card(300, 300, "8"), card(300, 300 + apart, "8"), card(380, 300, "8")
    before, now, after = (
        record_of(Observation(t=0.0, cards=[*shown, *others]), TABLE) for shown in ([one, other], [one], [one, moved])
    )
    assert len(whole(before, now, [after]).cards) - len(now.cards) == lies


# Chips


@pytest.mark.parametrize(("off", "chips"), [(5.9, 3), (6.1, 2)])
def test_a_half_covered_chip_of_a_row_lies_midway_between_two(off: float, chips: int) -> None:
    row = [dwell(0, 0, 1.0, 30.0), dwell(0, 44, 1.0, 30.0)]
    assert len(with_weak(row, [replace(dwell(off, 22, 1.0, 30.0), mean=0.5)])) == chips


@pytest.mark.parametrize(("space", "moved"), [(1, 1), (2, 0)], ids=["a neighbour's wager", "its own wager"])
def test_a_tip_that_goes_as_its_hands_wager_is_taken_is_lost(space: int, moved: int) -> None:
    tip = Stake("tip", 2, "space:2", [dwell(-60, 30, 0.2, 20.0)])
    at = TABLE.spaces[space].wager
    wager = replace(dwell(0, 0, 0.2, 19.5), xy=at)
    carried = replace(dwell(-60, 400, 21.0, 38.0), xy=TABLE.mm((540.0, 540.0)))
    told = moved_tips(
        scene(HandLog(), {0: [carried], space: [wager]}),
        [tip, Stake("original", space, f"space:{space}", [wager])],
        15.0,
    )
    assert len(told) == moved


def collected_at_10() -> ChipsCollected:
    """The dealer's right hand has collected a wager at space 2 by 10 s."""
    return event(
        ChipsCollected,
        9.5,
        10.0,
        0.97,
        kind="original",
        at="space:2",
        cents=None,
        to="hand",
        hand="right",
    )


@pytest.mark.parametrize(("on", "p"), [(11.0, 0.45), (13.0, 0.75)], ids=["it stops there", "it goes on"])
def test_a_hand_that_stops_above_the_tray_did_not_hurry_to_it(on: float, p: float) -> None:
    """It took chips until 10 s, is 100 mm above the tray at 10.2 s, and is lost from sight after 10.3 s."""
    x, y = TABLE.mm((600.0, 560.0))
    way = {101: y - 150.0, 102: y, 103: y + on}
    log = HandLog()
    for tick in ticks(0, 400):
        at = (x, way.get(tick, y - 300.0))
        seen = replace(HAND, t=tick / 10, xy=at, tip=at, elbow=at, box=(*at, *at), owner="dealer", side="right")
        log.add(replace(EMPTY, t=tick / 10, hands=(seen,) if tick <= 103 else ()))
    taken = collected_at_10()
    (told,) = tray_events(scene(log), [taken])
    assert told.p == p


@pytest.mark.parametrize(("off", "told"), [(23.9, 1), (24.1, 0)])
def test_a_dearer_chip_that_a_lifted_one_bares_had_lain_below_it(off: float, told: int) -> None:
    top, below = dwell(0, 0, 0.2, 0.5, 100), dwell(off, 0, 0.7, 30.0, 2500)
    log = log_of(dict.fromkeys(ticks(2, 7), 0.0), at=below.xy)
    assert len(returned_events(scene(log, {2: [replace(top, seen_to=0.45), below]}))) == told


@pytest.mark.parametrize(
    ("shows", "unlooked", "stake"),
    [(11.4, (), True), (11.6, (), False), (11.4, ticks(89, 94), False)],
    ids=["before anything is paid", "later", "nobody looked right before the hole card was turned"],
)
def test_a_chip_that_shows_soon_after_the_hole_card_was_turned_had_been_laid_before(
    shows: float, unlooked: range, stake: bool
) -> None:
    """A player's hand was there at 7 s, and away since; the hole card was turned at 10 s."""
    chip, log = dwell(40, 0, shows, 30.0), HandLog()
    for tick in ticks(0, 400):
        if tick not in unlooked:
            off = 0.0 if tick == 70 else 400.0 if tick < 90 else 600.0
            log.add(replace(EMPTY, t=tick / 10, hands=(point(chip.xy, off, tick / 10, "player"),)))
    assert laid_before(scene(log), chip, 10.0) == stake


@pytest.mark.parametrize(("until", "p"), [(126, 0.45), (128, 0.9)], ids=["0.6 s", "0.8 s"])
def test_a_hand_puts_no_chips_down_in_a_short_visit_to_the_tray_from_which_it_brings_others(
    until: int, p: float
) -> None:
    at = TABLE.mm((600.0, 720.0))
    log = log_of(dict.fromkeys(ticks(120, until), 0.0), at=at)
    taken = collected_at_10()
    fetched = event(ChipsFromTray, 12.0, 12.5, 0.9, cents=None, hand="right", origin="settlement")
    (told,) = tray_events(scene(log), [taken, fetched])
    assert told.p == p


@pytest.mark.parametrize(("radii", "space"), [(2.55, True), (2.65, False)])
def test_a_row_that_reaches_out_of_its_space_goes_on_from_chip_to_chip(radii: float, space: bool) -> None:
    """A chip is 39 mm wide; the farther one lies beyond all spaces."""
    beyond, within = (replace(dwell(0, 0, 1.0, 9.0), xy=TABLE.mm((180.0, 430.0 - y))) for y in (0.0, 19.5 * radii))
    assert (beyond in chips_by_space([beyond, within], TABLE)[1]) == space


@pytest.mark.parametrize(("lost", "p"), [(9, 0.9), (11, 0.45)], ids=["0.9 s", "1.1 s"])
def test_a_hand_that_is_lost_from_sight_at_a_tie_for_a_moment_had_not_left_it(lost: int, p: float) -> None:
    """Two looks show it there before that, two after; a tap takes four."""
    tie = Stake("original", 2, "space:2", [replace(dwell(0, 0, 2.0, 39.0), seen_to=39.0)])
    at = {100, 101, 101 + lost, 102 + lost}
    log = HandLog()
    for tick in ticks(0, 400):
        seen = (point(WAGER, 0.0 if tick in at else 500.0, tick / 10),)
        log.add(replace(EMPTY, t=tick / 10, hands=seen if tick in at or not 100 < tick < 101 + lost else ()))
    assert [one.p for one in tap_events(scene(log, {2: tie.dwells}), tie, 8.0)] == [p]


@pytest.mark.parametrize(("first", "second", "begun"), [(11.0, 35.0, 11.0), (12.0, 34.0, 10.0)])
def test_taps_of_one_space_are_told_apart_by_half_the_way_between_its_ties(
    first: float, second: float, begun: float
) -> None:
    """The ties lie 46 mm apart. Taps nearer to each other may both have begun with the first."""
    ties = [
        Stake("original", 2, "space:2", [replace(dwell(0, 0, 2.0, 39.0), seen_to=39.0)]),
        Stake("split", 2, "space:2/1", [replace(dwell(46, 0, 2.1, 39.0), seen_to=39.0)]),
    ]
    log = log_of({**dict.fromkeys(ticks(100, 104), first), **dict.fromkeys(ticks(110, 114), second)})
    told = taps_of_space(scene(log, {2: [*ties[0].dwells, *ties[1].dwells]}), ties, 8.0)
    assert [(one.t_start, one.t_end) for one in told] == [(10.0, 10.4), (begun, 11.4)]


# Between rounds


@pytest.mark.parametrize(("sure", "cents"), [(0.42, 2500), (0.38, None)], ids=["badly", "hardly"])
def test_a_chip_amid_a_fan_is_counted_if_looks_show_it_at_all(sure: float, cents: int | None) -> None:
    """Five chips of five dollars are bought; else a gap leaves the amount open."""
    values = [500] * 5
    fanned = [
        replace(one, chips=[replace(seen, p=sure) if seen.center == (RIGHT, 546.0) else seen for seen in one.chips])
        for one in spread(values, RIGHT, (), side="right")
    ]
    events = run(bills(), look(8), bring(values, RIGHT, ()), fanned, push(values, RIGHT, ()), drop())
    assert [one.cents for one in events if isinstance(one, ChipsFanned)] == [cents]


@pytest.mark.parametrize(("looks", "told"), [(17, 0), (18, 1)], ids=["2.13 s", "2.27 s"])
def test_cards_that_show_in_the_inner_area_for_over_two_seconds_are_shuffled(looks: int, told: int) -> None:
    log, backs = HandLog(), []
    for one in frames(20.0):
        shown = 75 <= one.frame < 75 + looks  # type: ignore[operator]
        log.add(detections_of(replace(one, hands=[hand(600, 540) if shown else hand(200, 780)]), TABLE, BODY))
        backs += [BackSeen(one.t, TABLE.mm((x, 540.0)), 0.9) for x in (560.0, 640.0, 600.0) if shown]
    assert len(shuffles_by_backs(between(log, *backs))) == told


@pytest.mark.parametrize(("away", "told"), [(2.3, False), (2.8, True)])
def test_a_dealer_whose_hands_are_gone_for_two_and_a_half_seconds_is_absent(away: float, told: bool) -> None:
    """The one who comes then sits down at a receptacle that the one before had taken."""
    log = HandLog()
    for one in frames(20.0):
        gone = 9.0 <= one.t < 9.0 + away
        at = hand(950, 720) if 8.0 <= one.t < 9.0 else hand(760, 640)
        log.add(detections_of(replace(one, hands=[] if gone else [hand(400, 640, side="left"), at]), TABLE, BODY))
    assert any(one.name == "dealer_shift" for one in session_events(between(log))) == told


@pytest.mark.parametrize(("until", "taken"), [(19.45, True), (19.35, False)])
def test_a_receptacle_is_taken_right_before_hands_are_shown(until: float, taken: bool) -> None:
    shown = event(
        HandsShown,
        20.0,
        22.0,
        0.97,
        left_palm=True,
        left_back=True,
        right_palm=True,
        right_back=True,
        fingers_extended=True,
    )
    log = HandLog()
    for tick in range(300):
        t = tick / 10
        at = hand(950, 720) if until - 0.5 <= t <= until + 0.01 else hand(760, 640)
        log.add(detections_of(Observation(t=t, frame=tick, hands=[hand(400, 640, side="left"), at]), TABLE, BODY))
    assert (taken_first(between(log), shown) is not None) == taken


@pytest.mark.parametrize(("right", "whole"), [(-60.0, True), (70.0, None), (150.0, False)])
def test_a_region_that_is_half_in_the_picture_is_neither_in_view_nor_out_of_it(
    right: float, whole: bool | None
) -> None:
    """The discard holder ends 20 mm before the picture's right rim; the camera is knocked aside."""
    log = ViewLog(layout())
    drift = Drift(dx=right, dy=0.0, roll=0.0, scale=1.0, p=1.0)
    quality = Quality(sharpness=200.0, obstructed=0.0, luma=100.0, view="shifted", drift=drift)
    seen = [Observation(t=float(second), frame=second, quality=quality) for second in range(130)]
    found = [check for one in seen for check in log.step(one) if isinstance(check, ViewCheck)]
    assert found[0].regions_ok is not None and found[0].regions_ok["discard"] is whole


@pytest.mark.parametrize(("looks", "place"), [(2, "tray"), (1, None)])
def test_chips_came_from_the_tray_if_two_looks_show_the_hand_there(looks: int, place: str | None) -> None:
    way = [*[(860, 600)] * 4, *[(600, 750)] * looks, *[(650, 540)] * 6]
    log = HandLog()
    for number, at in enumerate(way):
        seen = Observation(t=number / 7.5, frame=number, hands=[hand(*at)])
        log.add(detections_of(seen, TABLE, BODY))
    came = came_from(log, TABLE, [TABLE.mm((650, 490))], (4 + looks) / 7.5)
    assert (came and came.place) == place


def lying(x: float, looks: int = 4) -> BillDwell:
    """A bill in the inner area, as many millimetres right of its middle."""
    xy, size = (x, 160.0), (63.0, 154.0)
    times = tuple(1.0 + 0.2 * number for number in range(looks))
    return BillDwell(
        xy=xy,
        angle=0.0,
        size=size,
        corners=rectangle(xy, 0.0, size),
        before=0.0,
        t0=1.0,
        t1=3.0,
        gone=None,
        values={1000: 0.99},
        face="down",
        times=times,
    )


@pytest.mark.parametrize(("apart", "told"), [(50.0, True), (52.0, None), (62.0, False)])
def test_bills_overlap_surely_by_more_than_their_places_may_be_off(apart: float, told: bool | None) -> None:
    """A bill is 63 mm wide."""
    assert bill_overlap([lying(0.0), lying(apart)]) is told


@pytest.mark.parametrize(("looks", "p"), [(3, 0.95), (2, 0.7)])
def test_cash_that_two_looks_show_is_less_sure_than_what_three_do(looks: int, p: float) -> None:
    (told,) = spread_out(between(HandLog()), Cash((lying(0.0, looks),), (1.0, 1.0), 1.0), None)
    assert told.p == p


def seen_often(looks: Sequence[Sequence[BillSeen]]) -> list[BillLook]:
    """Looks for bills a second apart, none of them the same picture as the one before."""
    varied = [[replace(one, p=0.95 - n / 100) for one in bills] for n, bills in enumerate(looks)]
    return [BillLook(float(n), detected(bills=bills).bills or ()) for n, bills in enumerate(varied)]


@pytest.mark.parametrize(("down", "face"), [(8, "down"), (7, None)])
def test_a_bills_side_is_the_one_that_four_of_five_looks_show(down: int, face: str | None) -> None:
    sides = ["down"] * down + ["up"] * (10 - down)
    looks = seen_often([[bill(440, 540, face=side)] for side in sides])
    (lain,) = bill_dwells(looks, HandLog())
    assert lain.face == face


@pytest.mark.parametrize(("missed", "bills"), [(2, 1), (3, 2)])
def test_a_bill_whose_place_three_looks_show_bare_was_taken(missed: int, bills: int) -> None:
    """Another one lies there after that."""
    seen = [[bill(440, 540)]] * 4 + [[]] * missed + [[bill(440, 540)]] * 4
    looks = seen_often(seen)
    assert len(bill_dwells(looks, HandLog())) == bills
