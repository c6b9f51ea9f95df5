"""Watching counts each minute once and never more than the clock allows; blind samples tell what is missed."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from review_fakes import SHOWN, fake_stages, finding, write_inputs

from verifier.dashboard.parts.player import _number
from verifier.domain.errors import BadInput
from verifier.formats.events import read_events
from verifier.review.people.accounts import NewAccount, create, create_first
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.review.queue import item
from verifier.review.recording import review_recording
from verifier.review.watch.marks import (
    NOTE_MOST,
    OwnFinding,
    add_own,
    bookmark,
    bookmarks,
    forget_bookmark,
    say_bookmark,
)
from verifier.review.watch.minutes import LIVE_S, SLACK_S, joined, minutes_of, report, watched
from verifier.review.watch.policy import allow
from verifier.review.watch.sampling import answer, interval, misses, next_round, rounds_of
from verifier.review.watch.whole import along
from verifier.review.wording import CUT_OFF_S, accused_at, clock_text, moment, seconds_told
from verifier.store.repository import Store
from verifier.store.room.tables import WatchingRow

KIM = Person(name="kim", full_name="Kim Olson", role=Role.MANAGER)
LEE = Person(name="lee", full_name="Lee", role=Role.INDEPENDENT)


class Wall:
    """A clock that goes on when told."""

    seconds = 0

    def now(self) -> str:
        return (datetime(2026, 11, 20, 2, tzinfo=UTC) + timedelta(seconds=self.seconds)).isoformat(timespec="seconds")


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def store(tmp_path: Path, wall: Wall) -> Store:
    kept = Store(now=wall.now)
    video, layout, house = write_inputs(tmp_path)
    review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(SHOWN, finding()), store=kept)
    return kept


def recording_id(store: Store) -> str:
    return store.reviews()[0].id


def test_a_minute_counts_once_however_often_it_is_played(store: Store, wall: Wall) -> None:
    report(store, KIM, recording_id(store), 0.0, 0.0)
    for start, end in ((0.0, 3.0), (1.0, 3.0), (6.0, 7.0)):
        wall.seconds += 10
        report(store, KIM, recording_id(store), start, end)
    found = watched(store, KIM, recording_id(store))
    assert (found.seconds, found.stretches, found.position) == (4.0, [(0.0, 3.0), (6.0, 7.0)], 7.0)
    assert watched(store, LEE, recording_id(store)).seconds == 0


def test_more_than_the_clock_allows_is_not_believed(store: Store, wall: Wall) -> None:
    report(store, KIM, recording_id(store), 0.0, 0.0)
    wall.seconds += 2
    assert report(store, KIM, recording_id(store), 0.0, 8.0).stretches == [(6.0, 8.0)]
    assert report(store, KIM, recording_id(store), 0.0, 6.0).seconds == pytest.approx(2.0)


@pytest.mark.parametrize(("silent", "counted"), [(LIVE_S, 8.0), (LIVE_S + 1, 0.0), (4200.0, 0.0)])
def test_who_told_nothing_for_a_while_begins_anew(store: Store, wall: Wall, silent: float, counted: float) -> None:
    report(store, KIM, recording_id(store), 0.0, 0.0)
    wall.seconds += int(silent)
    assert report(store, KIM, recording_id(store), 0.0, 8.0).seconds == counted
    wall.seconds += 2
    assert report(store, KIM, recording_id(store), 0.0, 8.0).seconds == max(counted, 2.0)


def test_what_is_left_over_for_a_message_that_comes_early_is_little(store: Store, wall: Wall) -> None:
    report(store, KIM, recording_id(store), 0.0, 0.0)
    wall.seconds += 60
    report(store, KIM, recording_id(store), 0.0, 1.0)
    assert report(store, KIM, recording_id(store), 1.0, 8.0).seconds == pytest.approx(1.0 + SLACK_S)


def test_all_recordings_and_tabs_share_one_allowance(store: Store, wall: Wall) -> None:
    """Case watched_minutes."""
    one = store.reviews()[0]
    ids = [one.id]
    for number in range(9):
        other = msgspec.structs.replace(one, id=f"other{number}", duration=7200.0)
        store.save_review(other, [])
        ids.append(other.id)
    for name in ids:
        report(store, KIM, name, 0.0, 0.0)
    for step in range(6):
        wall.seconds += 1
        for name in ids:
            report(store, KIM, name, float(step), step + 1.0)
    assert sum(minutes_of(store, ids).values()) * 60 == pytest.approx(6.0)
    report(store, LEE, one.id, 0.0, 0.0)
    wall.seconds += 3
    assert report(store, LEE, one.id, 0.0, 3.0).seconds == 3.0, "another person has an allowance of their own"


def test_an_allowance_that_was_forged_gives_no_more_than_an_early_message(store: Store, wall: Wall) -> None:
    report(store, KIM, recording_id(store), 0.0, 0.0)
    with store.writing() as session:
        row = session.get_one(WatchingRow, "kim")
        row.left_over, row.told_at = 1e9, "2020-01-01T00:00:00+00:00"
    assert report(store, KIM, recording_id(store), 0.0, 8.0).seconds == 0.0
    with store.writing() as session:
        session.get_one(WatchingRow, "kim").left_over = 1e9
    assert report(store, KIM, recording_id(store), 0.0, 8.0).seconds == SLACK_S


def test_what_was_watched_stands_in_the_log(store: Store, wall: Wall) -> None:
    report(store, KIM, recording_id(store), 0.0, 0.0)
    wall.seconds += 5
    report(store, KIM, recording_id(store), 1.0, 4.0)
    deed = store.audit(act="watched")[-1].deed
    assert deed is not None
    assert (deed.actor, deed.detail, list(deed.made)) == ("kim", {"from": "1.00", "to": "4.00"}, ["watched/1"])


def test_a_site_may_allow_a_faster_speed(store: Store, wall: Wall) -> None:
    report(store, KIM, recording_id(store), 0.0, 0.0)
    allow(store, KIM, "0123", 2.0)
    wall.seconds += 2
    assert report(store, KIM, recording_id(store), 1.0, 8.0).seconds == pytest.approx(4.0)
    with pytest.raises(BadInput, match="none that can be allowed"):
        allow(store, KIM, "0123", 16.0)
    with pytest.raises(Forbidden):
        allow(store, LEE, "0123", 1.5)


@pytest.mark.parametrize(("start", "end"), [(-1.0, 2.0), (5.0, 4.0), (0.0, 3600.0)])
def test_a_stretch_that_is_none_is_refused(store: Store, start: float, end: float) -> None:
    with pytest.raises(BadInput, match="no stretch of the recording"):
        report(store, KIM, recording_id(store), start, end)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy computer is no fault of the code
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), max_size=12))
def test_joined_stretches_hold_the_same_seconds_once(stretches: list[tuple[int, int]]) -> None:
    found = joined([(float(a), float(b)) for a, b in stretches])
    seconds = {second for a, b in stretches for second in range(a, b)}
    assert {second for a, b in found for second in range(int(a), int(b))} == seconds
    assert sum(b - a for a, b in found) == len(seconds)
    assert all(first[1] < second[0] for first, second in pairwise(found))


def test_bookmarks_are_kept_and_only_ones_own_go(store: Store) -> None:
    bookmark(store, KIM, recording_id(store), 4.2, "look again")
    (one,) = bookmarks(store, LEE, recording_id(store))
    forget_bookmark(store, LEE, one.id)
    assert len(bookmarks(store, KIM, recording_id(store))) == 1
    forget_bookmark(store, KIM, one.id)
    assert bookmarks(store, KIM, recording_id(store)) == []


@pytest.mark.parametrize("t", [math.nan, math.inf, -2.0, 1e308, 9000.0])
def test_a_bookmark_at_no_moment_of_the_recording_is_refused(store: Store, t: float) -> None:
    """A script may send what the player never does: a page that says when it is opened for nobody any more."""
    entries = len(store.audit())
    with pytest.raises(BadInput, match="no moment of the recording"):
        bookmark(store, KIM, recording_id(store), t)
    assert bookmarks(store, KIM, recording_id(store)) == [] and len(store.audit()) == entries
    assert _number({"t": t}, "t") is None or abs(t) <= 9000.0
    assert _number({"t": 10**400}, "t") is None


def test_a_bookmark_gets_words_of_its_own_person_alone(store: Store) -> None:
    bookmark(store, KIM, recording_id(store), 4.2)
    (one,) = bookmarks(store, KIM, recording_id(store))
    say_bookmark(store, LEE, one.id, "not Lee's")
    say_bookmark(store, KIM, one.id, "the cut card" + "!" * NOTE_MOST)
    (said,) = bookmarks(store, KIM, recording_id(store))
    assert said.note.startswith("the cut card!") and len(said.note) == NOTE_MOST
    assert store.compare([f"bookmarks/{one.id}"]).faults == [], "as its deed made it"


def test_a_whole_recording_on_one_line(store: Store, wall: Wall) -> None:
    """Rounds, findings, gaps, stretches by whom, bookmarks; who may not watch is told nothing."""
    name = recording_id(store)
    report(store, LEE, name, 0.0, 0.0)
    wall.seconds += 10
    report(store, LEE, name, 1.0, 3.0)
    bookmark(store, KIM, name, 4.2, "look again")
    bookmark(store, KIM, name, 5.0)
    review = msgspec.structs.replace(store.reviews()[0], gaps=[(6.0, 7.0, "dark"), (7.5, None, "cut off")])
    log = read_events(Path(review.folder) / "events.jsonl")
    told = [(one.kind, one.t, one.t_end, one.lane, one.says) for one in along(store, KIM, review, log)]
    assert [one for one in told if one[0] != "finding"] == [
        ("round", 0.5, 4.6, "rounds", "round 1"),
        ("gap", 6.0, 7.0, "not watched", "not watched by the software: dark"),
        ("gap", 7.5, 8.0, "not watched", "not watched by the software: cut off"),
        ("watched", 1.0, 3.0, "lee", "watched by lee"),
        ("mark", 4.2, 4.2, "bookmarks", "look again"),
        ("mark", 5.0, 5.0, "bookmarks", "bookmark of kim"),
    ]
    findings = [one for one in told if one[0] == "finding"]
    assert len(findings) == 2 and ("The payoff of $5.00 stayed a stack. (open)") in [one[4] for one in findings]
    assert not [one for one in along(store, KIM, review, None) if one.kind == "round"]
    with pytest.raises(Forbidden):
        along(store, Person(name="x", full_name="X", role=Role.REVIEWER), review, log)


def test_a_person_has_one_name_along_a_recording(store: Store, wall: Wall) -> None:
    chief = create_first(store, "ada", "Ada Admin", "correct horse battery")
    create(store, chief, NewAccount(name="kim", full_name="Kim Olson", role=Role.MANAGER, password="battery horse"))
    name = recording_id(store)
    report(store, KIM, name, 0.0, 0.0)
    wall.seconds += 10
    report(store, KIM, name, 1.0, 3.0)
    bookmark(store, KIM, name, 5.0)
    told = [
        (one.lane, one.says) for one in along(store, KIM, store.reviews()[0], None) if one.kind in ("watched", "mark")
    ]
    assert told == [("Kim Olson", "watched by Kim Olson"), ("bookmarks", "bookmark of Kim Olson")]


def test_a_moment_of_a_finding_is_told_by_the_recordings_clock_or_by_its_own() -> None:
    own, none = finding(), finding(clock=None)
    assert moment(own, 4.9, "2026-11-17T21:00:00.200") == moment(none, 4.9, "2026-11-17T21:00:00.200") == "21:00:05"
    assert moment(own, 4.9, None) == moment(own, 4.9, "2026-11-17") == "21:00:04"
    assert moment(none, 4.9, "2026-11-17") == moment(none, 4.9, None) == "0:04"


@pytest.mark.parametrize(
    ("read", "told"),
    [
        ("21:00:04", "21:00:04"),
        ("21:00:12", "21:00:04"),  # read at the end of an event of eight seconds
        ("21:00:13", "21:00:04"),
        ("21:00:14", "21:00:14"),  # beyond the events' end and what is cut off: the clock has jumped
        ("21:00:03", "21:00:04"),
        ("21:00:02", "21:00:02"),
        ("20:00:08", "20:00:08"),  # the night on which the clock is set back
    ],
)
def test_a_findings_time_is_when_the_accusation_begins(read: str, told: str) -> None:
    assert CUT_OFF_S == 1.0
    one = finding(t_start=4.0, t_end=12.0, clock=f"2026-11-17T{read}")
    assert accused_at(one, "2026-11-17T21:00:00") == datetime.fromisoformat(f"2026-11-17T{told}")
    assert accused_at(one, None) == datetime.fromisoformat(f"2026-11-17T{read}")
    assert accused_at(finding(t_start=4.0, clock=None), "2026-11-17T21:00:00") == datetime(2026, 11, 17, 21, 0, 4)
    assert accused_at(finding(clock=None), None) is None


@pytest.mark.parametrize("begins", ["2026-11-17T21:00:00", None])
def test_a_sum_of_times_tells_no_other_second(begins: str | None) -> None:
    """0.7 + 0.2 + 0.1 is a little less than 1: the browser tells second 1, and so do the pages and the papers."""
    assert 0.7 + 0.2 + 0.1 < 1.0
    assert clock_text(begins, 0.7 + 0.2 + 0.1)[-2:] == "01"
    assert clock_text(begins, 0.999)[-2:] == "00"
    assert moment(finding(), 4.9996, None) == clock_text("2026-11-17T21:00:04", 0.9996) == "21:00:05"


@pytest.mark.parametrize(
    ("begins", "t", "text"),
    [
        ("2026-11-17T21:00:00", 65.9, "21:01:05"),
        ("2026-11-17T23:59:58", 3.0, "00:00:01"),
        (None, 65.9, "1:05"),
        (None, 3725.0, "1:02:05"),
        ("2026-11-17", 5.0, "0:05"),
    ],
)
def test_the_tables_clock_is_told_and_read_back(begins: str | None, t: float, text: str) -> None:
    assert clock_text(begins, t) == text
    assert seconds_told(begins, f" {text} ") == int(t)


@pytest.mark.parametrize(
    ("t", "text", "back"),
    [(0.0, "21:00:00", 0.0), (4.699, "21:00:04", 3.7), (4.7, "21:00:05", 4.7), (4.9996, "21:00:05", 4.7)],
)
def test_a_recording_that_begins_within_a_second_is_told_as_the_player_tells_it(
    t: float, text: str, back: float
) -> None:
    begins = "2026-11-17T21:00:00.300000"
    assert clock_text(begins, t) == text
    assert seconds_told(begins, text) == back


@pytest.mark.parametrize(
    ("begins", "text"),
    [("2026-11-17T21:00:00", "1:05"), ("2026-11-17T21:00:00", "24:00:00"), (None, "1:60"), (None, "60:00"), (None, "")],
)
def test_what_is_no_time_is_refused(begins: str | None, text: str) -> None:
    with pytest.raises(BadInput, match="time"):
        seconds_told(begins, text)


def test_an_own_finding_stands_in_the_queue_and_survives_a_second_review(store: Store, tmp_path: Path) -> None:
    own = OwnFinding(clause=finding().clause, t_start=2.0, t_end=3.0, observed="the payoff lay on the wager")
    name = add_own(store, KIM, recording_id(store), own)
    review_recording(*write_inputs(tmp_path), tmp_path / "out", stages=fake_stages(SHOWN), store=store)
    found = item(store, KIM, name)
    assert found is not None
    assert (found.state, found.stored.origin, found.stored.current) == ("confirmed", "person", True)
    assert (Path(found.review.folder) / str(found.stored.clip)).stat().st_size > 0


def test_a_blind_round_is_the_same_until_it_is_judged(store: Store) -> None:
    (only,) = rounds_of(store, recording_id(store))
    assert (only.number, only.flagged) == (1, True)
    shown = next_round(store, KIM, recording_id(store))
    assert shown == next_round(store, KIM, recording_id(store)) == only
    answer(store, KIM, only, "clean", "")
    assert next_round(store, KIM, recording_id(store)) is None
    with pytest.raises(BadInput, match="judged by you before"):
        answer(store, KIM, only, "clean", "")
    assert misses(store, KIM).judged == 0


def test_the_missed_share_has_an_exact_interval() -> None:
    found = interval(1, 20)
    assert (found.share, round(found.low, 4), round(found.high, 4)) == (0.05, 0.0013, 0.2487)
    assert interval(0, 0).share is None
    assert interval(0, 10).low == 0.0
