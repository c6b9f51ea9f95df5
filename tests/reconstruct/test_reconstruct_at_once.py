"""Chips between rounds that went from the tray to a player at once, or came and went while nobody looked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from inner_scenes import (
    LEFT,
    RIGHT,
    TRAY,
    along,
    bills,
    bring,
    drop,
    fan,
    handed,
    look,
    push,
    put,
    spread,
    stack,
    with_drop,
)
from recon_scenes import bill, chain, chip
from test_reconstruct_cash import ROW, seen_at

from verifier.domain.events import AnyEvent, EventLog, EventsHeader, RoundEnded
from verifier.domain.house import House
from verifier.domain.observations import ChipSeen, Observation, ObservationsHeader
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct

ONES = [100] * 5


def run(*parts: list[Observation], without: range = range(0)) -> tuple[AnyEvent, ...]:
    """The events of the parts one after another, `without` some of their looks."""
    seen = chain(look(15), *parts, look(15))
    seen = [one for number, one in enumerate(seen) if number - 15 not in without]
    return reconstruct(seen, with_drop(), House(), ObservationsHeader()).events


def verdicts(events: Sequence[AnyEvent], clause: str) -> set[str]:
    header = EventsHeader(
        format="verifier-events",
        version=1,
        rulebook="nd-twenty-one",
        house={"video_surveillance": "present"},
        video="0" * 64,
        channels=("video",),
    )
    before = RoundEnded(id="e00000", t_start=0.0, t_end=0.0, p=1.0, source="video", round=1)
    rows = [row for row in judge(EventLog(header, (before, *events))).clauses if clause in row.clause]
    return {row.verdict for row in rows if row.verdict in ("violation", "undetermined")}


def named(events: Sequence[AnyEvent], name: str) -> list[AnyEvent]:
    return [event for event in events if event.name == name]


def at_once(lying: Sequence[ChipSeen], shown: Sequence[ChipSeen] = ()) -> list[Observation]:
    """The right hand takes chips from the tray and brings them to a player; one look shows some of them."""
    way = [TRAY, TRAY, TRAY, TRAY, (620.0, 640.0), (660.0, 560.0)]
    return [
        *along(way, lying, "right"),
        *along([(650.0, 560.0)], [*lying, *shown], "right"),
        *along([(650.0, 470.0), (620.0, 330.0), (600.0, 290.0), (740.0, 460.0)], lying, "right"),
        *look(4, lying),
    ]


def exchanged_at_once(shown: Sequence[ChipSeen] = ()) -> list[list[Observation]]:
    """Five ones, spread and left, are exchanged for a chip that the dealer's hand does not leave."""
    lying = fan(LEFT, ONES)
    spread_out = spread(ONES, LEFT, (), side="left")
    return [handed(ONES), spread_out, at_once(lying, shown), put(TRAY, LEFT, lying, (), side="left")]


def test_an_exchange_for_chips_that_the_hand_never_left_is_told_and_found() -> None:
    events = run(*exchanged_at_once([chip(RIGHT, 500.0, 500)]))
    (pushed,) = named(events, "chips_pushed")
    assert (pushed.at, pushed.cents, pushed.reason) == ("space:2", 500, "exchange")
    assert verdicts(events, "exchange-hands-clear-out") == {"violation"}
    assert verdicts(events, "exchange-equal") == set()


@pytest.mark.parametrize("shown", [[], [chip(RIGHT, 500.0, 2500)]], ids=["none shows", "another value"])
def test_chips_given_at_once_that_no_look_shows_are_of_unknown_worth(shown: list[ChipSeen]) -> None:
    events = run(*exchanged_at_once(shown))
    assert [one.cents for one in named(events, "chips_pushed")] == [None]
    assert verdicts(events, "exchange-equal") == {"undetermined"}


def test_a_hand_that_may_have_left_the_chips_while_nobody_looked_accuses_nobody() -> None:
    parts = exchanged_at_once([chip(RIGHT, 500.0, 500)])
    first = len(parts[0]) + len(parts[1]) + 5
    events = run(*parts, without=range(first, first + 4))
    assert verdicts(events, "exchange-hands-clear-out") <= {"undetermined"}


def test_a_chip_that_the_hand_takes_as_looks_come_again_went_where_that_hand_goes() -> None:
    red = stack(LEFT, [500])
    parts = [handed([500]), look(10, red), bring(ONES, RIGHT, red), spread(ONES, RIGHT, red, side="right")]
    parts += [push(ONES, RIGHT, red), put(TRAY, LEFT, red, (), side="left")]
    taken = sum(len(part) for part in parts[:-1])
    whole, gap = run(*parts), run(*parts, without=range(taken - 4, taken + 2))
    assert [one.weak for one in named(whole, "chips_to_tray")] == [False]
    assert [one.weak for one in named(gap, "chips_to_tray")] == [False]
    assert verdicts(gap, "exchange-order") == set()


def bought(*, seen: bool) -> tuple[list[list[Observation]], range]:
    """Bills lie spread; chips are brought, and spread while nobody looks; they lie there for a while and are pushed."""
    values = [500, 500, 100, 100, 100, 100, 100]
    parts = [bills(), look(8), bring(values, RIGHT, ()), spread(values, RIGHT, (), side="right", seconds=2.4)]
    parts += [push(values, RIGHT, ()), drop()]
    first = len(parts[0]) + len(parts[1]) + len(parts[2])
    notes = [bill(450.0, 540.0, 1000), bill(520.0, 540.0, 500)]
    lying = range(len(parts[0]) - 1, sum(map(len, parts)) - len(parts[-1]) + 1)
    flat = [one for part in parts for one in part]
    for number, one in enumerate(flat):
        flat[number] = Observation(
            t=one.t, frame=one.frame, chips=one.chips, hands=one.hands, bills=notes if number in lying else []
        )
    return [flat], range(0) if seen else range(first - 3, first + 9)


@pytest.mark.parametrize("seen", [True, False], ids=["watched", "nobody looked"])
def test_chips_spread_while_nobody_looked_were_brought_by_the_hand_that_laid_them(seen: bool) -> None:
    parts, without = bought(seen=seen)
    events = run(*parts, without=without)
    assert [one.cents for one in named(events, "chips_from_tray")] == [1500]
    assert verdicts(events, "fan-buyin") == set()


def test_chips_spread_while_nobody_looked_were_fetched_by_the_hand_that_went_to_the_tray_before() -> None:
    parts, without = bought(seen=False)
    events = run(*parts, without=range(without.start - 3, without.start + 3))
    (taken,) = named(events, "chips_from_tray")
    assert (taken.cents, taken.weak) == (1500, False)
    assert verdicts(events, "fan-buyin") == set()


@pytest.mark.parametrize("given", [True, False], ids=["none lay", "others lay"])
def test_a_hand_that_passes_the_tray_gave_no_chips_at_once_where_chips_lay_there_meanwhile(given: bool) -> None:
    lying = [] if given else [chip(RIGHT, 500.0, 500)]
    taken = seen_at(chain(look(10, lying), along([TRAY] * 3, lying, "right"), push((), RIGHT, lying)), ROW)
    seen = [*seen_at(bills(), ()), *taken, *seen_at(chain(drop(), look(30)), (), 3)]
    assert len(named(run(seen), "chips_pushed")) == given
