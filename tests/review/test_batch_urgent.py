"""What is reviewed first: the manifest, flagged shifts, and tables under the six-week review."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import msgspec
import pytest
from batch_fakes import make_table, record
from batch_night import run_night
from review_fakes import finding

from verifier.review.batch.urgent import urgent_now
from verifier.review.documents.hold import hold_report
from verifier.review.documents.hold_files import write_hold
from verifier.review.pipeline.values import Source
from verifier.store.papers import HoldFigure, Papers, Retained
from verifier.store.repository import Store
from verifier.store.values import NewFinding, ReviewRecord

FLAGGED, SIX_WEEK, NORMAL = 0, 1, 2
REVIEW = ReviewRecord(
    id="aa",
    video_sha256="aa" * 32,
    video_name="a.mp4",
    site="0123",
    table="2",
    play_date="2026-11-17",
    rulebook="nd-twenty-one",
    law_as_of="2023-01-01",
    folder="/tmp/aa",
    duration=60.0,
    reviewed_seconds=60.0,
    coverage=1.0,
    video_path="/r/a.mp4",
)
TODAY = date(2026, 11, 18)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'store.sqlite'}", now=lambda: "2026-11-05T08:00:00+00:00")


def source(path: str = "/r/b.mp4", site: str = "0123", table: str = "2") -> Source:
    return Source(path=path, layout=None, house=None, site=site, table=table)


def test_the_rest_of_a_shift_with_a_confirmed_finding_comes_first(store: Store) -> None:
    (stored,) = store.save_review(REVIEW, [NewFinding(finding=finding())])
    assert urgent_now(store, TODAY).rank(source(), "2026-11-17T23:00:00") == NORMAL
    store.add_verdict(stored.id, "confirmed", "pat")
    urgent = urgent_now(store, TODAY)
    assert urgent.rank(source(), "2026-11-17T23:00:00") == FLAGGED
    assert urgent.rank(source("/r/a.mp4"), None) == FLAGGED
    assert urgent.rank(source(), "2026-11-18T00:10:00") == NORMAL
    assert urgent.rank(source(table="3"), "2026-11-17T23:00:00") == NORMAL
    store.add_verdict(stored.id, "rejected", "pat")
    assert urgent_now(store, TODAY).rank(source("/r/a.mp4"), "2026-11-17T23:00:00") == NORMAL


def test_a_recording_on_hold_comes_first_until_it_is_released(store: Store) -> None:
    store.save_review(REVIEW, [])
    for act, rank in (("hold", FLAGGED), ("release", NORMAL)):
        Papers(store).add_retained(Retained(act=act, item="video/aa", reason="case", actor="pat"))  # type: ignore[arg-type]
        assert urgent_now(store, TODAY).rank(source("/r/a.mp4"), None) == rank


def figures(store: Store, gross: int, prizes: int, game: str = "twenty-one") -> None:
    day = HoldFigure(site="0123", day="2026-09-30", game=game, dealer="Kim", gross_cents=gross, prizes_cents=prizes)
    Papers(store).add_figures([day], "clerk")


@pytest.mark.parametrize(
    ("day", "rank"),
    [("2026-11-04", NORMAL), ("2026-11-05", SIX_WEEK), ("2026-12-20", SIX_WEEK), ("2026-12-21", NORMAL)],
)
def test_a_low_hold_brings_a_sites_tables_forward_until_the_sixth_week_ends(store: Store, day: str, rank: int) -> None:
    figures(store, 10_000, 9_500)
    urgent = urgent_now(store, date.fromisoformat(day))
    assert urgent.rank(source(), None) == rank
    assert urgent.rank(source(site="0999"), None) == NORMAL
    assert urgent.rank(msgspec.structs.replace(source(), priority="flagged"), None) == FLAGGED


def test_a_hold_at_the_trigger_or_of_another_game_brings_nothing_forward(store: Store) -> None:
    figures(store, 10_000, 9_000)
    figures(store, 10_000, 9_900, "paddlewheel")
    assert urgent_now(store, TODAY).rank(source(), None) == NORMAL


def test_the_day_in_the_hold_document_counts(store: Store, tmp_path: Path) -> None:
    figures(store, 10_000, 9_500)
    write_hold(store, hold_report(store, "2026-Q3", date(2026, 10, 5)), tmp_path, "clerk")
    assert urgent_now(store, date(2026, 11, 15)).rank(source(), None) == SIX_WEEK
    assert urgent_now(store, date(2026, 11, 16)).rank(source(), None) == NORMAL


def test_a_night_begins_with_the_most_urgent_table(tmp_path: Path) -> None:
    for table in ("1", "2"):
        record(make_table(tmp_path / "r" / table, table=table) / "a.mp4", 2)

    def rank(one: Source, clock: str | None) -> int:
        return 0 if "/2/" in one.path else 2

    run_night(tmp_path / "r", rank=rank)
    told = (tmp_path / "home" / "logs" / "night.jsonl").read_text().splitlines()
    begun = [entry["recording"] for entry in map(json.loads, told) if entry.get("task") == "examine"]
    assert [Path(name).parent.name for name in begun] == ["2", "1"]
