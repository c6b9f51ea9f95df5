"""How near a hand must be, for how long and how lately, for what is told of it: just on this side, and on the other.

The figures stand here as numbers, not as the parameters that they are, so that a change of one is noticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from msgspec.structs import replace
from recon_scenes import bill, card, dwell, hand, layout, scene
from test_reconstruct_gaps import card_track

from verifier.domain.observations import Observation
from verifier.reconstruct.cards.peek import peek_events
from verifier.reconstruct.cards.reader import reader_events
from verifier.reconstruct.dealt_hands import CardHand, Layout
from verifier.reconstruct.hands.hands import Cover, HandLog
from verifier.reconstruct.money.cleared import clear_stretch, spread_by, spread_from, touched_by
from verifier.reconstruct.money.currency import currency_events
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.money.taps import tap_events
from verifier.reconstruct.resting.bills import BillLog, BillLook
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.detections import Body, HandDetection, detections_of
from verifier.reconstruct.table.zones import TableMap, Xy

TABLE = TableMap.of(layout())
EMPTY = detections_of(Observation(t=0.0, frame=0), TABLE, Body.of(TABLE))
(HAND,) = detections_of(Observation(t=0.0, frame=0, hands=[hand(600, 500)]), TABLE, Body.of(TABLE)).hands
WAGER = TABLE.spaces[2].wager
AWAY = 500.0


def point(at: Xy, off: float, t: float = 0.0, owner: str = "dealer") -> HandDetection:
    """A hand seen as one point, so many millimetres right of a place."""
    x, y = at[0] + off, at[1]
    return replace(HAND, t=t, xy=(x, y), tip=(x, y), elbow=(x, y), box=(x, y, x, y), owner=owner)


def ticks(first: int, last: int) -> range:
    """Tenths of a second, the last included."""
    return range(first, last + 1)


def log_of(looks: Mapping[int, float], at: Xy = WAGER, unlooked: Iterable[int] = ()) -> HandLog:
    """Looks of 40 s, ten a second; a hand is off a place by so many mm at those tenths of a second, else far away."""
    log, dark = HandLog(), set(unlooked)
    for tick in ticks(0, 400):
        if tick not in dark:
            seen = (point(at, looks.get(tick, AWAY), tick / 10),)
            log.add(replace(EMPTY, t=tick / 10, hands=seen))
    return log


def dealers(*cards: CardTrack) -> Layout:
    return Layout(hands=[CardHand(0, cards=list(cards))])


HOLE = replace(card_track(3, (32.0, 140.0), 5.0, "dealer"), face="down")


@pytest.mark.parametrize(
    ("near", "far", "until", "told"),
    [
        (53.9, 90.1, 110, 1),
        (54.1, 90.1, 110, 0),
        (53.9, 89.9, 110, 0),
        (53.9, 90.1, 109, 0),
        (53.9, 90.1, 130, 1),
        (53.9, 90.1, 131, 0),
    ],
    ids=["for a second", "too far off", "it was there before", "too briefly", "for three seconds", "at rest"],
)
def test_a_hand_that_comes_to_the_hole_card_and_lingers_may_look_under_it(
    near: float, far: float, until: int, told: int
) -> None:
    looks = dict.fromkeys(ticks(0, 400), far) | dict.fromkeys(ticks(100, until), near)
    assert len(peek_events(scene(log_of(looks, HOLE.xy)), dealers(HOLE), 30.0)) == told


@pytest.mark.parametrize(("missed", "told"), [(4, 1), (5, 0)])
def test_a_hand_at_the_hole_card_that_three_looks_miss_has_not_left(missed: int, told: int) -> None:
    there = [*ticks(100, 105), *ticks(105 + missed, 115)]
    log = log_of(dict.fromkeys(there, 0.0), HOLE.xy, ticks(106, 104 + missed))
    assert len(peek_events(scene(log), dealers(HOLE), 30.0)) == told


@pytest.mark.parametrize(
    ("gone", "back", "hole_back", "seldom", "told"),
    [
        (150, 158, 15.8, False, [0.9]),
        (150, 157, 15.7, False, [0.45]),
        (150, 210, 21.0, False, [0.9]),
        (150, 211, 21.1, False, [0.45]),
        (150, 158, 16.05, False, [0.9]),
        (150, 158, 16.15, False, []),
        (150, 158, 15.8, True, [0.45]),
    ],
    ids=["0.8 s", "less", "six seconds", "more", "one came back later", "too much later", "one look in it"],
)
def test_both_of_the_dealers_cards_away_from_their_bare_place_were_in_the_reader(
    gone: int, back: int, hole_back: float, seldom: bool, told: list[float]
) -> None:
    away = (gone / 10, back / 10)
    up = replace(card_track(0, (-40.0, 140.0), 4.0, "dealer"), unseen=(away,))
    later = replace(HOLE, dwells=((HOLE.xy, hole_back, 30.0),))
    hole = replace(HOLE, unseen=(away,)) if hole_back <= back / 10 else later
    log = log_of({}, unlooked=[tick for tick in ticks(gone + 1, back - 1) if seldom and tick != gone + 4])
    with_reader = replace(scene(log), reader=True)
    assert [one.p for one in reader_events(with_reader, dealers(up, hole), 30.0)] == told


@pytest.mark.parametrize(
    ("off", "there", "clear"),
    [
        (11.9, [*ticks(100, 105), *ticks(110, 400)], (10.6, 11.0)),
        (11.9, [*ticks(100, 105), *ticks(109, 400)], None),
        (12.1, [*ticks(100, 105)], (10.0, 22.0)),
        (11.9, [*ticks(100, 105)], (10.6, 22.0)),
        (11.9, [*ticks(100, 215)], (21.6, 22.0)),
        (11.9, [*ticks(100, 216)], None),
    ],
    ids=["for 0.4 s", "for less", "beside them all the time", "for good", "late", "too late"],
)
def test_hands_have_left_chips_where_none_is_over_them_for_a_while(
    off: float, there: list[int], clear: tuple[float, float] | None
) -> None:
    assert clear_stretch(scene(log_of(dict.fromkeys(there, off))), [WAGER], 10.0) == clear


@pytest.mark.parametrize(
    ("tick", "off", "touched"),
    [(70, 11.9, 7.0), (69, 11.9, 10.0), (70, 12.1, 10.0), (95, 11.9, 9.5), (96, 11.9, 10.0)],
    ids=["three seconds before", "earlier", "beside it", "shortly before", "as it showed"],
)
def test_a_row_that_shows_late_was_spread_by_the_hand_that_was_there_last(
    tick: int, off: float, touched: float
) -> None:
    assert touched_by(log_of({tick: off}), [dwell(0, 0, 10.0, 30.0)], 10.0) == touched


@pytest.mark.parametrize(("tick", "off", "spread"), [(76, 44.9, 8.0), (76, 45.1, 5.0), (75, 44.9, 5.0)])
def test_a_pile_is_spread_by_when_a_hand_laid_its_last_chip(tick: int, off: float, spread: float) -> None:
    pile = Pile((dwell(0, 200, 5.0, 30.0), dwell(0, 0, 8.0, 30.0)))
    assert spread_by(scene(log_of({tick: off})), pile) == spread


@pytest.mark.parametrize(("tick", "begun"), [(96, 9.6), (95, 10.0)])
def test_a_row_is_spread_while_a_hand_is_over_it(tick: int, begun: float) -> None:
    assert spread_from(scene(log_of({tick: 0.0})), Pile((dwell(0, 0, 10.0, 30.0),)), 10.0) == begun


@pytest.mark.parametrize(("tick", "off", "since"), [(41, 59.9, 4.1), (39, 59.9, None), (41, 60.1, None)])
def test_what_shows_with_no_hand_near_was_laid_by_the_dealers_hand_that_was_there_in_the_last_six_seconds(
    tick: int, off: float, since: float | None
) -> None:
    assert log_of({tick: off}).hidden_since(WAGER, 10.0) == since


@pytest.mark.parametrize(("tick", "left"), [(96, 9.6), (98, None), (89, None), (90, 9.0)])
def test_the_hand_that_laid_what_looks_missed_had_left_within_the_last_second(tick: int, left: float | None) -> None:
    assert log_of({tick: 59.9}).left(WAGER, 10.0) == left


@pytest.mark.parametrize(("back", "lost"), [(103, (10.0, 10.3)), (102, None), (115, (10.0, 11.5)), (116, None)])
def test_a_hand_that_is_missed_for_a_moment_near_a_box_was_lost_there(
    back: int, lost: tuple[float, float] | None
) -> None:
    log = HandLog()
    for tick in (99, 100, back):
        log.add(replace(EMPTY, t=tick / 10, hands=(point(WAGER, 0.0, tick / 10),)))
    assert log.lost_near((*WAGER, *WAGER), 9.0, 12.0, 40.0) == lost


@pytest.mark.parametrize(("off", "side"), [(94.9, "right"), (95.1, None)])
def test_the_hand_whose_fingertips_are_near_worked_there(off: float, side: str | None) -> None:
    assert log_of({100: off, 101: off}).side_at([WAGER], 10.0, 10.1) == side


@pytest.mark.parametrize(
    ("off", "hides", "near"),
    [(27.9, True, True), (61.9, True, True), (62.1, False, True), (69.9, False, True), (70.1, False, False)],
)
def test_what_a_hand_hides_and_may_have_handled(off: float, hides: bool, near: bool) -> None:
    cover = Cover((point(WAGER, off),))
    assert (cover.hides(WAGER), cover.near(WAGER)) == (hides, near)


@pytest.mark.parametrize(("off", "hides"), [(27.9, True), (28.1, False)])
def test_a_hand_hides_what_its_box_is_near_to(off: float, hides: bool) -> None:
    far = replace(point(WAGER, off), elbow=(WAGER[0] + AWAY, WAGER[1]), xy=(WAGER[0] + AWAY, WAGER[1]))
    assert Cover((far,)).hides(WAGER) == hides


@pytest.mark.parametrize(
    ("until", "way", "blind"),
    [(105, 25.1, (10.0, 10.5)), (104, 25.1, None), (105, 24.9, None)],
    ids=["half a second", "less", "hands at rest"],
)
def test_nobody_looked_where_looks_are_far_apart_and_hands_moved_meanwhile(
    until: int, way: float, blind: tuple[float, float] | None
) -> None:
    moved = dict.fromkeys(ticks(until, 400), AWAY + way)
    assert log_of(moved, unlooked=ticks(101, until - 1)).blind(9.0, 12.0) == blind


@pytest.mark.parametrize(("step", "blind"), [(60.1, (10.0, 11.0)), (59.9, None)])
def test_a_hand_on_its_way_as_looks_stop_moved_on(step: float, blind: tuple[float, float] | None) -> None:
    moved = dict.fromkeys(ticks(100, 400), AWAY + step)
    assert log_of(moved, unlooked=ticks(101, 109)).blind(9.0, 12.0) == blind


def test_of_whom_the_hand_is_that_acts_at_a_place() -> None:
    log = HandLog()
    for tick, owner in ((0, "dealer"), (1, "player"), (2, "player"), (3, "unknown"), (4, "unknown"), (5, "unknown")):
        log.add(replace(EMPTY, t=tick / 10, hands=(point(WAGER, 44.9, tick / 10, owner),)))
    assert (log.owner_at(WAGER, 0.0, 1.0), log.owner_at(WAGER, 0.0, 0.0)) == ("player", "dealer")
    assert log.owner_at(WAGER, 0.0, 1.0, 44.8) is None


@pytest.mark.parametrize(
    ("since", "until", "told"),
    [(1.9, 5.1, 1), (2.1, 5.1, 0), (1.9, 4.9, 0)],
    ids=["through the deal", "since the first card", "taken before the second"],
)
def test_a_note_wagered_lies_from_before_the_first_card_until_after_the_second(
    since: float, until: float, told: int
) -> None:
    x, y = 600.0, 140.0
    seen = [
        Observation(t=t, frame=0, bills=[replace(bill(x, y), p=0.95 - n / 100)])
        for n, t in enumerate((since, (since + until) / 2, until))
    ]
    looks = tuple(BillLook(one.t, detections_of(one, TABLE, Body.of(TABLE)).bills or ()) for one in seen)
    cards = [card_track(0, (0.0, -100.0), 2.0), card_track(1, (-33.0, -55.0), 5.0)]
    play: RoundScene = replace(scene(HandLog()), bills=looks)
    notes = currency_events(play, Layout(hands=[CardHand(2, cards=cards)]))
    assert [(one.at, one.p) for one in notes] == [("space:2", 0.95)] * told


@pytest.mark.parametrize(
    ("p", "values", "cards"),
    [(0.5, 0.5, 0), (0.49, 0.5, 1), (0.5, 0.49, 1), (0.8, 0.49, 0)],
    ids=["a bill", "an unsure bill", "of no value", "plainly a bill"],
)
def test_a_back_within_a_bank_note_is_none(p: float, values: float, cards: int) -> None:
    note = replace(bill(600, 400), p=p, values={"1000": values})
    seen = detections_of(Observation(t=1.0, frame=0, bills=[note]), TABLE, Body.of(TABLE))
    back = detections_of(Observation(t=2.5, frame=0, cards=[card(600, 400, face="down")]), TABLE, Body.of(TABLE))
    log = BillLog()
    log.add(seen.t, seen.bills)
    assert len(log.without_bills(back).cards) == cards
    assert len(log.without_bills(replace(back, t=2.51)).cards) == 1, "the look is too old"


@pytest.mark.parametrize(
    ("off", "until", "p"),
    [(0.0, 103, 0.9), (0.0, 102, None), (69.9, 103, 0.9), (70.1, 103, None)],
    ids=["a tap", "passing", "beside it", "too far off"],
)
def test_a_hand_that_dwells_at_a_tie_tapped_it(off: float, until: int, p: float | None) -> None:
    tie = Stake("original", 2, "space:2", [replace(dwell(0, 0, 2.0, 39.0), seen_to=39.0)])
    play = scene(log_of(dict.fromkeys(ticks(100, until), off)), {2: tie.dwells})
    assert [one.p for one in tap_events(play, tie, 8.0)] == ([] if p is None else [p])
