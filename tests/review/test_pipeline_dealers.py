"""The manifest's dealers in the events that are judged: who came, who came back, and whom nobody names."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from verifier.domain.events import CardDealt, DealerShift, EventLog, EventsHeader, HandsShown
from verifier.law.judge import judge
from verifier.review.pipeline.dealers import read_dealers, with_dealers

FIRST = datetime(2026, 11, 17, 21)
BURN = "ND-08-08.3-new-dealer-burn"
LEFT = "ND-08-10.2-left-hand-draw"


def clock_at(t: float) -> str:
    return (FIRST + timedelta(seconds=int(t))).isoformat()


def event(kind: Any, t: float, **own: Any) -> Any:
    """An event as `reconstruct` writes it; `dealer` is the number of who sits there."""
    own = {"round": None, "shoe": 1, "dealer": "D1" if t < 1800 else "D2", **own}
    return kind(id=f"e{round(t):05d}", t_start=t, t_end=t + 0.5, p=0.98, source="video", **own)


def dealt(t: float, number: int, **own: Any) -> Any:
    return event(CardDealt, t, round=number, card="Th", to="space:2", face="up", seq=None, **own)


def recorded(rulebook: str = "nd-twenty-one", **house: Any) -> EventLog:
    """A recording from 21:00 on: a round at 21:10, another dealer at 21:30, who burns no card, a round at 21:40."""
    shown = dict.fromkeys(("left_palm", "left_back", "right_palm", "right_back", "fingers_extended"), True)
    events = (
        dealt(600.0, 1, from_hand="right"),
        event(HandsShown, 1790.0, duration=2.0, **shown),
        event(DealerShift, 1795.0, phase="end", how=None),
        event(DealerShift, 1800.0, phase="start", how=None),
        dealt(2400.0, 2, from_hand="left"),
    )
    return EventLog(
        EventsHeader(
            format="verifier-events", version=1, rulebook=rulebook, house=house, video="0" * 64, channels=("video",)
        ),
        events,
    )


def named(text: str, log: EventLog | None = None) -> EventLog:
    return with_dealers(log or recorded(), read_dealers(text, clock_at(0)), clock_at)


def verdict(log: EventLog, clause: str) -> str:
    return next(row.verdict for row in judge(log).clauses if row.clause == clause)


@pytest.mark.parametrize("told", ["21:30", "21:16", "21:44", "21:45"])
def test_a_change_that_was_seen_near_the_told_time_is_that_change(told: str) -> None:
    """Kim ends where Pat was seen to come, whatever the minute in the manifest."""
    log = named(f"Kim 20:00, Pat {told}")
    assert [one.dealer for one in log.events] == ["Kim", "Kim", "Kim", "Pat", "Pat"]
    assert [one.how for one in log.events if isinstance(one, DealerShift)] == [None, "log"]


def test_another_dealer_by_the_manifest_who_burns_no_card_breaks_the_law() -> None:
    assert verdict(recorded(), BURN) == "undetermined"
    assert verdict(named("Kim 20:00, Pat 21:30"), BURN) == "violation"


@pytest.mark.parametrize("text", ["Kim", "Kim 20:00, Pat 22:30", "Kim 20:00, Pat 21:10"])
def test_who_came_at_a_change_that_the_manifest_does_not_tell_stays_open(text: str) -> None:
    """A paper that tells of no change is no proof that the same dealer came back."""
    log = named(text)
    assert log.events[3].dealer is None and verdict(log, BURN) == "undetermined"


@pytest.mark.parametrize(("told", "who"), [("21:24", "Kim"), ("21:25", None), ("21:55", None), ("21:56", "Kim")])
def test_around_a_change_that_was_not_seen_nobody_is_named(told: str, who: str | None) -> None:
    """Cards at 21:40, and nobody was seen to come: fifteen minutes around the told change are open."""
    quiet = EventLog(recorded().header, (dealt(600.0, 1), dealt(2400.0, 2)))
    after = {"21:24": "Pat"}.get(told, who)
    assert named(f"Kim 20:00, Pat {told}", quiet).events[1].dealer == after


@pytest.mark.parametrize(("who", "expected"), [("Kim", "pass"), ("Pat", "violation")])
def test_a_dealer_with_a_disability_is_known_by_the_name(who: str, expected: str) -> None:
    """The first dealer draws with the right hand; 10(2) does not bind a dealer who cannot use the left."""
    log = named("Kim 20:00, Pat 21:30", recorded(disabled_dealer=[who]))
    assert verdict(log, LEFT) == expected


def test_a_number_is_no_name_of_a_dealer_with_a_disability() -> None:
    """Of a recording without a manifest nobody knows whether that dealer sits there."""
    assert verdict(recorded(disabled_dealer=["Kim"]), LEFT) == "undetermined"


def test_nobody_is_named_without_turns_and_where_the_dealer_is_a_seat() -> None:
    assert named("") == recorded()
    assert named("Kim 20:00", recorded("wa-blackjack-a")) == recorded("wa-blackjack-a")
