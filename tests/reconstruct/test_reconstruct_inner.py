"""Chips bought and exchanged between rounds: what is told of them, and where nothing may be told."""

from __future__ import annotations

import pytest
from inner_scenes import (
    LEFT,
    RECEPTACLE,
    REST_LEFT,
    RIGHT,
    TRAY,
    bills,
    bring,
    drop,
    fan,
    handed,
    look,
    push,
    put,
    run,
    spread,
    stack,
    with_drop,
)
from msgspec import structs
from msgspec.structs import replace
from recon_scenes import chain, chip, dwell, hand, layout

from verifier.domain.events import EventLog, EventsHeader, RoundEnded
from verifier.domain.house import House
from verifier.domain.observations import ObservationsHeader
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.reconstruct.between.chip_group_events import fan as spread_as
from verifier.reconstruct.between.chip_group_events import to_tray, worth
from verifier.reconstruct.between.chip_groups import chip_groups_of
from verifier.reconstruct.between.hand_paths import FELT as FELT_SIDE
from verifier.reconstruct.between.hand_paths import HandPath
from verifier.reconstruct.between.missed_chips import with_misread
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.table.zones import TableMap

FIVES, ONES = [500] * 3, [100] * 5
BOUGHT = [*FIVES, *ONES]


def named(events, name):
    return [event for event in events if event.name == name]


def broken(events):
    """Clauses that a log calls broken; a round has ended before, so that it does not begin amid the exchange."""
    header = EventsHeader(
        format="verifier-events",
        version=1,
        rulebook="nd-twenty-one",
        house={"video_surveillance": "present"},
        video="0" * 64,
        channels=("video",),
    )
    before = RoundEnded(id="e00000", t_start=0.0, t_end=0.0, p=1.0, source="video", round=1)
    findings = judge(EventLog(header, (before, *events))).findings
    return {finding.clause for finding in findings if finding.verdict == "violation"}


def bought(*, fanned=True, dropped="last", cash=True, side="right"):
    """A buy-in of eight chips by the player of space 2."""
    parts = [bills(), look(8)] if cash else []
    parts.append(bring(BOUGHT, RIGHT, (), side=side))
    if dropped == "first":
        parts.append(in_front(drop(), stack(RIGHT, BOUGHT)))
    if fanned:
        parts.append(spread(BOUGHT, RIGHT, (), side="right"))
    parts.append(push(BOUGHT, RIGHT, ()))
    return [*parts, drop()] if dropped == "last" else parts


def in_front(seen, chips):
    """The same looks with chips that lie all the while."""
    return [type(one)(t=one.t, frame=one.frame, chips=[*one.chips, *chips], hands=one.hands) for one in seen]


def test_a_buy_in_is_told_by_its_chips_and_by_the_hands_that_handle_the_bills():
    events = run(*bought())
    (fanned,) = named(events, "chips_fanned")
    assert (fanned.owner, fanned.cents, fanned.set_sizes) == ("buy_in", 2000, [3, 5])
    (pushed,) = named(events, "chips_pushed")
    assert (pushed.at, pushed.cents, pushed.reason) == ("space:2", 2000, "buy_in")
    (taken,) = named(events, "chips_from_tray")
    assert (taken.cents, taken.hand, taken.origin) == (2000, "right", "buy_in")
    (spread_out,) = named(events, "currency_spread")
    assert spread_out.cents is None and spread_out.bills is None and not spread_out.weak
    (dropped,) = named(events, "currency_dropped")
    assert dropped.t_start > pushed.t_start and dropped.cents is None
    assert len([one for one in named(events, "hands_clear") if one.region == "inner"]) == 2
    assert broken(events) == set()


@pytest.mark.parametrize(
    ("how", "clause"),
    [
        ({"dropped": "first"}, "ND-08-07.3.b-cash-to-drop-last"),
        ({"side": "left"}, "ND-08-07.3.b-stack-right-hand"),
        ({"cash": False, "dropped": "never"}, "ND-08-06.1-cash-only"),
    ],
)
def test_what_is_wrong_with_a_buy_in_is_found(how, clause):
    assert broken(run(*bought(**how))) == {clause}


def test_two_columns_that_were_not_fanned_state_no_amount():
    events = run(*bought(fanned=False))
    assert named(events, "chips_fanned") == []
    assert [one.cents for one in named(events, "chips_pushed")] == [None]


def test_hands_that_stay_on_the_fan_are_no_view_of_it():
    parts = [bills(), look(8), bring(BOUGHT, RIGHT, ())]
    parts.append(in_front(look(5, right=(RIGHT + 30.0, 560.0)), fan(RIGHT, BOUGHT)))
    events = run(*parts, push(BOUGHT, RIGHT, ()), drop())
    assert all(one.t_start < named(events, "chips_from_tray")[0].t_start for one in named(events, "hands_clear"))
    assert [one.cents for one in named(events, "chips_fanned")] == [None]


def test_where_the_table_has_no_drop_box_nobody_is_accused_of_keeping_the_bills():
    from recon_scenes import layout

    events = run(*bought(), table=layout())
    assert all(one.weak for one in named(events, "currency_dropped"))
    assert broken(events) == set()


def test_one_odd_chip_in_a_column_may_be_misread_and_leaves_the_amount_open():
    odd = [*fan(RIGHT, [500] * 3), chip(RIGHT, 569.0, 100)]
    parts = [bills(), look(8), bring([500] * 4, RIGHT, ()), look(12, odd), push([500] * 4, RIGHT, ()), drop()]
    assert [one.cents for one in named(run(*parts), "chips_fanned")] == [None]


@pytest.mark.parametrize(("due", "told"), [(800, 800), (700, None), (None, None)])
def test_a_chip_that_reads_otherwise_than_its_column_is_as_the_column_where_only_so_it_is_what_is_due(due, told):
    values = (500, 100, 50, 100)
    lying = [dwell(-80.0 + 47.0 * (n > 0), 360.0 + 23.0 * max(0, n - 1), 9.4, 20.0, c) for n, c in enumerate(values)]
    (chip_group,) = chip_groups_of(
        [replace(one, seen_to=20.0) for one in lying], TableMap.of(layout()), HandLog(), 0.0, 40.0
    )
    assert (chip_group.best.cents, with_misread(chip_group, due).best.cents) == (None, told)


@pytest.mark.parametrize(("gap", "told"), [(46.0, 1000), (69.0, None)], ids=["room for one", "room for two"])
def test_a_chip_that_is_missed_amid_a_column_lies_there_where_only_so_it_is_what_is_due(gap, told):
    steps = (0.0, 23.0, 23.0 + gap)
    lying = [dwell(-33.0, 360.0 + step, 9.4, 20.0, 200) for step in steps] + [dwell(-80.0, 360.0, 9.4, 20.0, 200)]
    (chip_group,) = chip_groups_of(
        [replace(one, seen_to=20.0) for one in lying], TableMap.of(layout()), HandLog(), 0.0, 40.0
    )
    assert (chip_group.best.cents, with_misread(chip_group, 1000).best.cents) == (None, told)


def test_chips_that_went_while_nobody_looked_were_pushed_where_a_hand_then_comes_back_from_the_players():
    parts = [bills(), look(8), bring(BOUGHT, RIGHT, ()), spread(BOUGHT, RIGHT, (), side="right")]
    seen = chain(look(15), *parts, push(BOUGHT, RIGHT, ()), drop(), look(15))
    last = max(n for n, one in enumerate(seen) if one.chips)
    watched = [one for n, one in enumerate(seen) if not last < n <= last + 3]
    events = reconstruct(watched, with_drop(), House(), ObservationsHeader()).events
    (pushed,) = named(events, "chips_pushed")
    assert (pushed.at, pushed.weak) == ("space:2", False)


@pytest.mark.parametrize(("later", "weak"), [(0.1, [True]), (3.0, [])], ids=["as the other was pushed", "later"])
def test_a_heap_that_is_lost_from_sight_as_a_hand_pushes_the_other_may_have_gone_to_the_tray_later(later, weak):
    lying = [replace(dwell(x, 360.0, 9.4, 20.0), seen_to=20.0) for x in (-200.0, 0.0)]
    chip_group, other = chip_groups_of(lying, TableMap.of(layout()), HandLog(), 0.0, 40.0)
    ways = [HandPath(FELT_SIDE, 20.0 + late, 20.5 + late, "right", (0.0, 0.0)) for late in (later, 0.0)]
    told = to_tray(replace(chip_group, went=ways[0]), "exchange", replace(other, went=ways[1]))
    assert [one.weak for one in told] == weak


@pytest.mark.parametrize(("taken_up", "weak"), [(19.9, [True]), (21.0, [])], ids=["right after", "later"])
def test_chips_may_have_been_spread_while_nobody_looked_where_they_were_taken_up_right_after(taken_up, weak):
    lying = [dwell(x, 360.0, 17.4, taken_up) for x in (-200.0, -150.0)]
    (chip_group,) = chip_groups_of(lying, TableMap.of(layout()), HandLog(), 0.0, 40.0)
    told = spread_as(replace(chip_group, unlooked=(18.0, 19.2), t1=taken_up), "buy_in")
    assert [one.weak for one in told] == weak


def test_where_the_chips_given_cannot_be_read_those_received_may_have_been_single():
    red = stack(LEFT, [500])
    unread = [*fan(RIGHT, ONES[:4]), chip(RIGHT, 592.0, 200)]
    given = in_front(look(12), [*red, *unread])
    parts = [handed([500]), look(10, red), bring(ONES, RIGHT, red), given, push(ONES, RIGHT, red)]
    events = run(*parts, put(TRAY, LEFT, red, (), side="left"))
    (fanned,) = [one for one in named(events, "chips_fanned") if one.owner == "exchange_in"]
    assert fanned.weak and fanned.cents is None
    assert broken(events) == set()


def test_a_lone_chip_received_whose_value_cannot_be_read_may_have_been_single():
    unread = [replace(one, colour="other", cents=None) for one in stack(LEFT, [500])]
    given = in_front(look(12), [*unread, *fan(RIGHT, ONES)])
    parts = [handed([500]), look(10, unread), bring(ONES, RIGHT, unread), given, push(ONES, RIGHT, unread)]
    events = run(*parts, put(TRAY, LEFT, unread, (), side="left"))
    (fanned,) = [one for one in named(events, "chips_fanned") if one.owner == "exchange_in"]
    assert fanned.weak and fanned.cents is None
    assert broken(events) == set()


def test_a_hand_that_rests_at_the_tray_brought_nothing_from_there():
    seen = [one for part in exchanged() for one in part]
    assert broken(run(resting_low(seen))) == set()
    assert [one.at for one in named(run(resting_low(seen)), "chips_received")] == ["space:2"]


def resting_low(seen):
    """The same looks with a left hand that rests at the tray between its ways."""
    low = hand(380.0, 705.0, side="left")
    return [
        type(one)(
            t=one.t,
            frame=one.frame,
            chips=one.chips,
            hands=[low if h.box[0] == REST_LEFT[0] - 45 else h for h in one.hands],
        )
        for one in seen
    ]


def exchanged(given=ONES, *, fanned=True, trayed="last"):
    """Five dollars are exchanged for ones: one red chip at the left, white ones at the right."""
    red = stack(LEFT, [500])
    parts = [handed([500]), look(10, red)]
    if trayed == "first":
        parts += [put(TRAY, LEFT, red, (), side="left")]
    lying = red if trayed == "last" else []
    parts += [bring(given, RIGHT, lying)]
    if fanned:
        parts += [spread(given, RIGHT, lying, side="right")]
    parts += [push(given, RIGHT, lying)]
    return [*parts, put(TRAY, LEFT, red, (), side="left")] if trayed == "last" else parts


def test_a_chip_exchange_is_told_whole():
    events = run(*exchanged())
    (received,) = named(events, "chips_received")
    assert (received.at, received.cents) == ("space:2", 500)
    assert [(one.owner, one.cents) for one in named(events, "chips_fanned")] == [
        ("exchange_in", 500),
        ("exchange_out", 500),
    ]
    (pushed,) = named(events, "chips_pushed")
    (trayed,) = named(events, "chips_to_tray")
    assert (pushed.reason, trayed.origin) == ("exchange", "exchange")
    assert trayed.t_end > pushed.t_end
    assert named(events, "currency_spread") == []
    assert broken(events) == set()


def test_a_chip_lost_from_sight_went_with_the_hand_that_came_there_next():
    *before, spreading, pushing, taking = exchanged()
    red = stack(LEFT, [500])[0]
    unseen = [
        [structs.replace(one, chips=[each for each in one.chips if each.center != red.center]) for one in part]
        for part in (spreading, pushing, taking)
    ]
    whole, events = run(*exchanged()), run(*before, *unseen)
    (trayed,), (seen,) = named(events, "chips_to_tray"), named(whole, "chips_to_tray")
    assert not trayed.weak
    assert trayed.t_start == pytest.approx(seen.t_start, abs=0.3)
    assert broken(events) == set()


def test_a_nail_that_passes_for_a_chip_as_another_is_laid_down_is_none_of_it():
    seen = chain(look(15), *exchanged(), look(15))
    first = next(i for i, one in enumerate(seen) if any(c.center[0] < 450 and c.center[1] > 480 for c in one.chips))
    (red,) = seen[first].chips
    nail = [chip(red.center[0] + 12, red.center[1] - 40, 100)]
    seen[first - 4 : first] = [structs.replace(one, chips=nail) for one in seen[first - 4 : first]]
    events = reconstruct(seen, with_drop(), House(), ObservationsHeader()).events
    fans = [(one.owner, one.cents) for one in named(events, "chips_fanned")]
    assert fans == [("exchange_in", 500), ("exchange_out", 500)]


def test_an_exchange_for_more_is_found():
    assert broken(run(*exchanged([100] * 6))) == {"ND-08-07.3.c-exchange-equal"}


def test_an_exchange_for_more_is_found_though_nobody_looked_as_the_players_chip_was_taken():
    seen = chain(look(15), *exchanged([100] * 6), look(15))
    taken = range(15 + 4, 15 + len(handed([500])) - 1)
    watched = [one for n, one in enumerate(seen) if n not in taken]
    events = reconstruct(watched, with_drop(), House(), ObservationsHeader()).events
    assert broken(events) == {"ND-08-07.3.c-exchange-equal"}
    assert [(one.at, one.weak) for one in named(events, "chips_received")] == [("space:2", False)]


def test_an_exchange_that_went_to_the_tray_first_is_found():
    assert "ND-08-07.3.c-exchange-order" in broken(run(*exchanged(trayed="first")))


def tips_exchanged(given=(500,), *, last="receptacle", tips_at=LEFT, given_at=RIGHT):
    """Five ones out of the receptacle for one red chip."""
    lying = stack(tips_at, ONES)
    way = [RECEPTACLE] * 6
    emptied = [one for at in way for one in look(1, right=at)]
    carried = [
        one for at in ((700.0, 600.0), (tips_at + 20, 555.0), (tips_at + 20, 555.0)) for one in look(1, right=at)
    ]
    spread_out = spread(ONES, tips_at, (), side="left")
    tips, red = fan(tips_at, ONES), stack(given_at, given)
    parts = [emptied, carried, look(2, lying), spread_out, bring(given, given_at, tips), look(10, [*tips, *red])]
    if last == "receptacle":
        parts += [put(TRAY, tips_at, [*tips, *red], red, side="left"), put(RECEPTACLE, given_at, red, (), side="right")]
    else:
        parts += [
            put(RECEPTACLE, given_at, [*tips, *red], tips, side="right"),
            put(TRAY, tips_at, tips, (), side="left"),
        ]
    return parts


def test_the_steps_of_a_tip_exchange_are_told_in_their_order():
    steps = named(run(*tips_exchanged()), "tip_exchange")
    assert [(one.step, one.cents) for one in steps] == [
        (step, 500)
        for step in (
            "emptied",
            "placed_left",
            "fanned_in",
            "taken",
            "placed_right",
            "fanned_out",
            "to_tray",
            "to_receptacle",
        )
    ]


def test_a_lawful_tip_exchange_breaks_nothing():
    assert broken(run(*tips_exchanged())) == set()


@pytest.mark.parametrize(
    ("how", "clause"),
    [
        ({"given": (500, 100)}, "ND-08-11.18.b-equal-value"),
        ({"last": "tray"}, "ND-08-11.18.b-tray-then-receptacle"),
        ({"tips_at": RIGHT, "given_at": LEFT}, "ND-08-11.18.b-place-left"),
    ],
)
def test_what_is_wrong_with_a_tip_exchange_is_found(how, clause):
    assert broken(run(*tips_exchanged(**how))) == {clause}


def test_one_chip_given_for_tips_that_is_as_much_in_another_colour_accuses_nobody():
    events = run(*tips_exchanged((200,)))
    assert [one.cents for one in named(events, "chips_fanned")] == [500, None]
    assert broken(events) == set()


def test_one_chip_beside_others_of_which_only_the_tops_show_is_worth_what_it_reads():
    lying = [dwell(-200.0, 360.0, 10.0, 20.0, 500), dwell(100.0, 360.0, 14.0, 20.0, 100)]
    red, top = chip_groups_of(lying, TableMap.of(layout()), HandLog(), 0.0, 40.0)
    assert (red.best.cents, worth(red, top)) == (500, 500)


def test_chips_from_the_tray_that_go_back_there_are_no_buy_in():
    back = put(TRAY, RIGHT, fan(RIGHT, BOUGHT), (), side="right")
    events = run(bring(BOUGHT, RIGHT, ()), spread(BOUGHT, RIGHT, (), side="right"), back)
    assert {one.name for one in events} <= {"view_check"}


def test_a_chip_of_a_column_that_is_off_now_and_then_is_one_chip():
    rows = [(0.0, 90), (12.0, 4), (21.0, 3), (43.0, 90), (64.0, 90)]
    lying = [replace(dwell(0.0, 360.0 + step, 9.4, 20.0, 100), seen_to=20.0, n=n) for step, n in rows]
    (chip_group,) = chip_groups_of(lying, TableMap.of(layout()), HandLog(), 0.0, 40.0)
    assert chip_group.best.size == 4


def test_a_chip_of_a_fan_that_is_found_late_is_no_part_of_what_is_laid_beside_it_then():
    fan_of_five = [dwell(0.0, 340.0 + 22.0 * n, 12.5 if n == 2 else 9.4, 20.0, 100) for n in range(5)]
    lying = [replace(one, seen_to=20.0) for one in (*fan_of_five, dwell(0.0, 465.0, 13.0, 20.0, 500))]
    chip_groups = chip_groups_of(lying, TableMap.of(layout()), HandLog(), 0.0, 40.0)
    assert [(chip_group.t0, chip_group.best.size) for chip_group in chip_groups] == [(9.4, 5), (13.0, 1)]
