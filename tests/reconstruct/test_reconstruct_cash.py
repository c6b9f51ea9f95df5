"""Bills that a finder shows now and then: how they lie, what they are worth, where they go, and what stays open."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from inner_scenes import RIGHT, TRAY, along, bills, bring, drop, fan, look, push, run, spread, with_drop
from msgspec import UNSET, structs
from recon_scenes import bill, card, chain, layout
from test_reconstruct_inner import broken, named

from verifier.domain.house import House
from verifier.domain.observations import BillSeen, CardSeen, Observation, ObservationsHeader
from verifier.reconstruct import reconstruct
from verifier.reconstruct.between.cash import overlap
from verifier.reconstruct.resting.bill_dwells import BillDwell, rectangle
from verifier.reconstruct.resting.bills import BillLog
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

FLAT, SEQUENCE, INNER, EQUAL, CLEAR, FAN = (
    f"ND-08-07.3.b-{name}"
    for name in (
        "bills-face-down-flat",
        "bills-in-sequence",
        "bills-inner-area",
        "chips-equal-cash",
        "hands-clear-cash",
        "fan-buyin",
    )
)
FIVES = [500] * 5
ROW = (bill(440, 540), bill(514, 540), bill(588, 540, 500))


def seen_at(seen: Sequence[Observation], lying: Sequence[BillSeen], every: int = 5) -> list[Observation]:
    """The looks with bills, which are looked for in each fifth, each time anew."""
    return [
        one if n % every else structs.replace(one, bills=[structs.replace(b, p=b.p - n / 1e4) for b in lying])
        for n, one in enumerate(seen)
    ]


def test_a_look_that_is_told_again_because_nothing_moved_makes_no_sum_sure() -> None:
    repeated = [
        one if not one.bills else structs.replace(one, bills=[structs.replace(b, p=0.95) for b in one.bills])
        for one in bought(ROW)
    ]
    assert [one.cents for one in named(run(repeated), "currency_spread")] in ([], [None])


def bought(
    lying: Sequence[BillSeen],
    values: Sequence[int] = FIVES,
    *,
    rest: int = 10,
    before: Sequence[BillSeen] = (),
    after: Sequence[BillSeen] = (),
) -> list[Observation]:
    """A buy-in for bills that lie so, from the player's handing over to the drop; `before` and `after` lie then."""
    taken = chain(
        look(rest), bring(values, RIGHT, ()), spread(values, RIGHT, (), side="right"), push(values, RIGHT, ())
    )
    return [*seen_at(bills(), before), *seen_at(taken, lying), *seen_at(chain(drop(), look(30)), after, 3)]


def spread_of(events):
    (one,) = named(events, "currency_spread")
    return one


def test_columns_of_the_tray_that_pass_for_bills_are_none_though_a_hand_lay_there_and_goes_to_the_drop_box() -> None:
    columns = (bill(560, 740, across=True), bill(640, 742))
    resting = [*along([(560.0, 745.0)] * 8, (), "left"), *look(30)]
    events = run([*seen_at(resting, columns, 3), *seen_at(chain(drop(), look(30)), (), 3)])
    assert [one.name for one in events if one.name == "currency_spread"] == []


def test_bills_are_told_with_their_values_and_how_they_lie() -> None:
    events = run(bought(ROW))
    one = spread_of(events)
    assert (one.bills, one.cents, one.p > 0.9) == ({"1000": 2, "500": 1}, 2500, True)
    assert (one.face_down, one.perpendicular, one.monotone, one.overlap) == (True, True, True, False)
    (dropped,) = named(events, "currency_dropped")
    assert dropped.cents == 2500 and not dropped.weak
    assert broken(events) == set()


@pytest.mark.parametrize(
    ("lying", "values", "clause"),
    [
        ((bill(440, 540, face="up"), *ROW[1:]), FIVES, FLAT),
        ((bill(440, 540), bill(470, 540), bill(588, 540, 500)), FIVES, FLAT),
        ((ROW[2], bill(440, 540), bill(514, 540, 1000)), FIVES, None),
        ((bill(440, 540), bill(514, 540, 500), bill(588, 540, 1000)), FIVES, SEQUENCE),
        ((bill(420, 540, across=True), bill(580, 540, across=True), bill(500, 470, 500, across=True)), FIVES, INNER),
        (ROW, [500] * 6, EQUAL),
    ],
    ids=["face up", "overlapped", "in order", "out of order", "along the tray", "chips for more"],
)
def test_how_bills_lie_and_what_is_given_for_them_is_judged(
    lying: Sequence[BillSeen], values: Sequence[int], clause: str | None
) -> None:
    assert broken(run(bought(lying, values))) == ({clause} if clause else set())


def test_what_one_look_misreads_does_not_count_and_what_half_of_them_do_accuses_nobody() -> None:
    wrong = (bill(440, 540, face="up"), bill(514, 540, 500), bill(588, 540, 5000))

    def told(every: int):
        seen, looks = bought(ROW), 0
        for n, one in enumerate(seen):
            if one.bills and one.bills[0].quad == ROW[0].quad:
                looks += 1
                misread = [structs.replace(b, p=b.p - n / 1e4) for b in wrong]
                seen[n] = structs.replace(one, bills=misread) if looks % every == 1 else one
        return run(seen)

    once, often = told(100), told(2)
    assert spread_of(once).cents == 2500
    assert (spread_of(often).bills, spread_of(often).cents, spread_of(often).monotone) == (None, None, None)
    assert spread_of(often).face_down is None
    assert broken(once) == broken(often) == set()


@pytest.mark.parametrize(("other", "told"), [(500, False), (100, False), (5000, None)])
def test_order_is_told_where_every_value_that_a_bill_may_have_makes_it_so(other: int, told: bool | None) -> None:
    """Bills of 10, 50 and 20 dollars, of which the first may be worth something else."""
    unsure = structs.replace(bill(440, 540), values={"1000": 0.5, str(other): 0.45})
    one = spread_of(run(bought((unsure, bill(514, 540, 5000), bill(588, 540, 2000)))))
    assert (one.bills, one.monotone) == (None, told)


@pytest.mark.parametrize(("glimpsed", "clauses"), [(False, {EQUAL}), (True, set())], ids=["never", "in one look"])
def test_chips_fall_short_of_cash_unless_a_look_shows_the_one_that_lacks(glimpsed: bool, clauses: set[str]) -> None:
    seen = bought(ROW, [500] * 4)
    row = [n for n, one in enumerate(seen) if len(one.chips) == 4]
    if glimpsed:
        seen[row[4]] = structs.replace(seen[row[4]], chips=fan(RIGHT, FIVES))
    assert broken(run(seen)) == clauses


def test_cash_for_which_no_chips_are_seen_is_told_if_it_was_dropped() -> None:
    def shown(after: list[Observation]):
        return [one.name for one in run([*bills(), *seen_at(look(30), ROW), *after]) if "currency" in one.name]

    assert shown(seen_at(chain(drop(), look(30)), (), 3)) == ["currency_spread", "currency_dropped"]
    assert shown(seen_at(look(60), (), 3)) == []


@pytest.mark.parametrize(("rest", "clauses"), [(0, {FAN}), (14, set())], ids=["at once", "after a rest"])
def test_chips_that_a_hand_takes_from_the_tray_right_to_the_player_were_not_fanned(
    rest: int, clauses: set[str]
) -> None:
    """They show in no look: where the hand left them on its way, they were missed and may have been fanned."""
    taken = along([*[TRAY] * 4, (640.0, 650.0), (640.0, 520.0)], (), "right") + look(rest)
    given = along([(640.0, 470.0), (640.0, 330.0), (640.0, 290.0), (740.0, 460.0)], (), "right")
    events = run([*bills(), *seen_at(chain(look(30), taken, given), ROW), *seen_at(chain(drop(), look(30)), (), 3)])
    assert broken(events) == clauses
    assert len(named(events, "chips_pushed")) == len(clauses)


def test_bills_seen_once_accuse_nobody() -> None:
    seen = bought((bill(440, 540, face="up"), bill(470, 540, across=True)), [500] * 6)
    shown = [n for n, one in enumerate(seen) if one.bills]
    for n in shown[1:]:
        seen[n] = structs.replace(seen[n], bills=[])
    assert broken(run(seen)) == set()


def test_how_the_player_laid_them_down_is_no_spread() -> None:
    chip_group = [structs.replace(one, face="up") for one in (bill(600, 470, across=True), bill(604, 474, across=True))]
    events = run(bought(ROW, before=chip_group))
    assert spread_of(events).bills == {"1000": 2, "500": 1}
    assert broken(events) == set()


@pytest.mark.parametrize(("rest", "left"), [(10, set()), (0, {CLEAR})], ids=["left alone", "taken at once"])
def test_whether_hands_leave_the_bills_is_told_by_where_they_lie(rest: int, left: set[str]) -> None:
    assert broken(run(bought(ROW, rest=rest))) == left


def test_bills_that_lie_on_were_not_dropped_and_some_of_them_were_not_all() -> None:
    rest = run(bought(ROW, after=ROW[2:]))
    assert [one.cents for one in named(rest, "currency_dropped")] == [2000]
    assert named(run(bought(ROW, after=ROW)), "currency_dropped") == []


def test_bills_that_no_look_shows_after_a_hand_dwelt_at_the_drop_box_were_dropped() -> None:
    """The next round begins before they were out of sight for long."""
    assert [one.cents for one in named(run(bought(ROW)[:-27]), "currency_dropped")] == [2500]


def test_where_bills_are_looked_for_in_vain_the_hands_tell_less_surely() -> None:
    looked = run(bought(()))
    without = run([structs.replace(one, bills=UNSET) for one in bought(())])
    assert spread_of(looked).p < spread_of(without).p
    assert broken(looked) == set()


def test_a_card_that_cannot_be_read_and_lies_within_a_bill_is_none() -> None:
    def shown(of: CardSeen, lying: Sequence[BillSeen]) -> int:
        table = TableMap.of(layout())
        log = BillLog()
        seen = detections_of(Observation(t=1.0, cards=[of], bills=list(lying)), table, Body.of(table))
        log.add(seen.t, seen.bills)
        return len(log.without_bills(seen).cards)

    assert shown(card(600, 500, face="down"), [bill(600, 540)]) == 0
    assert shown(card(600, 500, None), [bill(600, 540)]) == 0
    assert shown(card(600, 500, "K"), [bill(600, 540)]) == 1
    assert shown(card(700, 500, face="down"), [bill(600, 540)]) == 1
    assert shown(card(600, 500, face="down"), []) == 1


@pytest.mark.parametrize(
    ("bill_p", "value", "card_p", "kept"),
    [(0.72, None, 0.9, 1), (0.72, None, 0.6, 0), (0.86, None, 0.9, 0), (0.72, "2000", 0.9, 0)],
    ids=["cards that are shuffled", "hardly a card", "surely a bill", "a bill that is read"],
)
def test_a_back_surely_found_in_what_may_be_a_row_of_cards_is_a_card(
    bill_p: float, value: str | None, card_p: float, kept: int
) -> None:
    """Packs that are shuffled pass for bank notes that cannot be read."""
    values = {value: 0.9} if value else {"10000": 0.3}
    lying = structs.replace(bill(600, 540), p=bill_p, cents=None, face=None, values=values)
    table, log = TableMap.of(layout()), BillLog()
    back = card(600, 500, face="down", p=card_p)
    seen = detections_of(Observation(t=1.0, cards=[back], bills=[lying]), table, Body.of(table))
    log.add(seen.t, seen.bills)
    assert len(log.without_bills(seen).cards) == kept


@pytest.mark.parametrize(("turned", "told"), [(8.0, None), (16.0, True)], ids=["square", "askew"])
def test_bills_that_seem_to_touch_only_where_a_look_turns_them_lie_side_by_side(
    turned: float, told: bool | None
) -> None:
    dwells = [
        BillDwell(
            xy=(x, 160.0),
            angle=angle,
            size=(63.0, 154.0),
            corners=rectangle((x, 160.0), angle, (63.0, 154.0)),
            before=0.0,
            t0=1.0,
            t1=3.0,
            gone=None,
            values={1000: 0.99},
            face="down",
            times=(1.0, 1.2, 1.4, 1.6),
        )
        for x, angle in ((0.0, 0.0), (61.0, turned))
    ]
    assert overlap(dwells) is told


def test_bills_that_the_first_look_after_a_gap_missed_were_laid_in_it() -> None:
    """No hand is seen to lay them, nor one that does not leave them."""
    looks = chain(look(15), bought(ROW), look(15))
    gap = range(15 + len(bills()) - 6, 15 + len(bills()))
    first = next(n for n, one in enumerate(looks) if one.bills and n not in gap and n >= gap.stop)
    looks[first] = structs.replace(looks[first], bills=looks[first].bills[:1])
    seen = [one for n, one in enumerate(looks) if n not in gap]
    events = reconstruct(seen, with_drop(), House(), ObservationsHeader()).events
    assert spread_of(events).t_end <= looks[gap.stop].t
    assert broken(events) == set()
