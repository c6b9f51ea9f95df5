"""What a jump of a clock is."""

from __future__ import annotations

from datetime import datetime

import pytest

from verifier.domain.clock_change import ClockChange, clock_change, summer_time_shift, told_change


def change(before: str, after: str, passed: float = 1.0, zone: str | None = None) -> ClockChange | None:
    return clock_change(datetime.fromisoformat(before), datetime.fromisoformat(after), passed, 2.0, zone)


@pytest.mark.parametrize(
    ("before", "after", "zone", "kind", "seconds"),
    [
        ("2026-11-01T01:59:59", "2026-11-01T01:00:00", None, "summer_time_ends", -3600.0),
        ("2026-11-01T01:59:59", "2026-11-01T01:00:02", None, "summer_time_ends", -3600.0),
        ("2026-11-01T01:59:59", "2026-11-01T01:00:03", None, "set_back", -3597.0),
        ("2026-11-01T13:10:00", "2026-11-01T12:10:01", None, "summer_time_ends", -3600.0),
        ("2026-11-01T15:10:00", "2026-11-01T14:10:01", None, "set_back", -3600.0),
        ("2026-11-08T01:59:59", "2026-11-08T01:00:00", None, "set_back", -3600.0),
        ("2026-03-08T01:59:59", "2026-03-08T03:00:00", None, "summer_time_begins", 3600.0),
        ("2026-03-08T01:59:59", "2026-03-08T03:00:00", "America/Phoenix", "set_forward", 3600.0),
        ("2026-03-08T01:59:59", "2026-03-08T03:00:00", "America/Denver", "summer_time_begins", 3600.0),
        ("2026-04-05T01:59:59", "2026-04-05T01:30:00", "Australia/Lord_Howe", "summer_time_ends", -1800.0),
        ("2026-09-05T23:59:59", "2026-09-06T01:00:00", "America/Santiago", "summer_time_begins", 3600.0),
        ("2026-06-01T12:00:00", "2026-06-01T12:00:05", None, "set_forward", 4.0),
    ],
)
def test_a_jump_is_the_change_of_time_or_a_clock_that_was_set(
    before: str, after: str, zone: str | None, kind: str, seconds: float
) -> None:
    found = change(before, after, zone=zone)
    assert found is not None
    assert (found.kind, found.seconds, found.summer_time) == (kind, seconds, kind.startswith("summer"))


def test_a_clock_that_runs_on_within_the_slack_has_no_change() -> None:
    assert change("2026-11-01T01:59:59", "2026-11-01T02:00:02") is None
    assert change("2026-11-01T01:59:59", "2026-11-01T02:00:03") is not None


def test_a_recorders_clock_that_was_never_set_is_read_too() -> None:
    assert summer_time_shift(datetime(1, 1, 1), datetime(9999, 12, 31), None) == 0.0


def test_the_words() -> None:
    assert told_change(ClockChange("set_back", -5.0)) == "was set back by 5 s"
    assert told_change(ClockChange("summer_time_begins", 3600.0)) == "was set forward by 3600 s: summer time began"
