"""Watching counts each minute once and never more than the clock allows; blind samples tell what is missed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from review_fakes import SHOWN, fake_stages, finding, write_inputs

from verifier.domain.errors import BadInput
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.review.queue import item
from verifier.review.recording import review_recording
from verifier.review.watch.marks import OwnFinding, add_own, bookmark, bookmarks, forget_bookmark
from verifier.review.watch.minutes import joined, report, watched
from verifier.review.watch.policy import allow
from verifier.review.watch.sampling import answer, interval, misses, next_round, rounds_of
from verifier.store.repository import Store

KIM = Person(name="kim", full_name="Kim Olson", role=Role.MANAGER)
LEE = Person(name="lee", full_name="Lee", role=Role.INDEPENDENT)


class Wall:
    """A clock that goes on when told."""

    seconds = 0

    def now(self) -> str:
        return f"2026-11-20T02:{self.seconds // 60:02d}:{self.seconds % 60:02d}+00:00"


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
    for start, end in ((0.0, 3.0), (1.0, 3.0), (6.0, 7.0)):
        wall.seconds += 10
        report(store, KIM, recording_id(store), start, end)
    found = watched(store, KIM, recording_id(store))
    assert (found.seconds, found.stretches, found.position) == (4.0, [(0.0, 3.0), (6.0, 7.0)], 7.0)
    assert watched(store, LEE, recording_id(store)).seconds == 0


def test_more_than_the_clock_allows_is_not_believed(store: Store) -> None:
    report(store, KIM, recording_id(store), 0.0, 1.0)
    assert report(store, KIM, recording_id(store), 1.0, 8.0).seconds == pytest.approx(1.0 + 3.0)


def test_a_site_may_allow_a_faster_speed(store: Store, wall: Wall) -> None:
    report(store, KIM, recording_id(store), 0.0, 0.5)
    allow(store, KIM, "0123", 2.0)
    wall.seconds += 2
    assert report(store, KIM, recording_id(store), 1.0, 8.0).seconds == pytest.approx(7.5)
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
