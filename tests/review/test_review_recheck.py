"""Stored reviews judged again under other house options."""

from __future__ import annotations

import json
from pathlib import Path

import batch_fakes
import pytest
from batch_fakes import make_table, record
from click.testing import CliRunner
from msgspec import structs

from verifier.domain.errors import BadInput
from verifier.formats.events import read_events, write_events
from verifier.law.judge import judge
from verifier.review.pipeline.account import of_the_account
from verifier.review.recheck import chosen, recheck
from verifier.review.recheck_command import recheck_command
from verifier.review.recording import review_recording
from verifier.store.repository import Store
from verifier.store.values import NewFinding, ReviewRecord

FILES = ("a.mp4", "layout.yaml", "house.yaml")
SAMPLES = Path(__file__).parents[2] / "sample_videos"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Two stored reviews: the clean and the flagged sample as they truly happened."""
    kept = Store()
    for name, day in (("clean", "2026-11-02"), ("flagged", "2026-11-09")):
        folder = tmp_path / name
        folder.mkdir()
        log = read_events(SAMPLES / name / "truth.events.jsonl")
        write_events(folder / "events.jsonl", log)
        report = judge(log)
        review = ReviewRecord(
            id=name,
            video_sha256=name * 8,
            video_name=f"{name}.mp4",
            site="0123",
            table="2",
            play_date=day,
            rulebook=report.rulebook,
            law_as_of=report.law_as_of,
            folder=str(folder),
            duration=60.0,
            reviewed_seconds=60.0,
            coverage=1.0,
        )
        kept.save_review(review, [NewFinding(finding=f, clip=f"{i}.mp4") for i, f in enumerate(report.findings)])
    return kept


def test_under_the_same_options_nothing_changes(store: Store) -> None:
    results = list(recheck(store, chosen(store), {}))
    assert all(not (r.new or r.gone or r.changed) for r in results)
    assert {r.review: r.same for r in results}["flagged"] > 0


def test_other_options_bring_new_findings_and_take_some_away(store: Store) -> None:
    (review,) = chosen(store, ("flagged",))
    before = judge(read_events(Path(review.folder) / "events.jsonl"))
    (result,) = recheck(store, [review], {"video_surveillance": "absent"})
    gone = [f for f in before.findings if f.clause not in {n.clause for n in result.new}]
    assert result.gone and len(result.gone) + result.same + len(result.changed) == len(before.findings)
    assert gone


def test_only_what_is_asked_is_judged_again(store: Store) -> None:
    assert [r.id for r in chosen(store, since="2026-11-05")] == ["flagged"]
    assert [r.id for r in chosen(store, until="2026-11-05")] == ["clean"]
    assert chosen(store, site="0999") == []
    with pytest.raises(BadInput, match="not in the store"):
        chosen(store, ("nothing",))


def test_what_was_not_watched_stays_a_finding_with_its_own_clip(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "table")
    record(folder / "a.mp4", 24, dark=[1.0, 7.0], jump=[10.0, 60.0], clock="2026-11-17T21:00:00")
    kept = Store()
    stages = structs.replace(batch_fakes.chain(), judge=judge)
    made = review_recording(*(folder / name for name in FILES), tmp_path / "out", stages=stages, store=kept)
    account = [one for one in made.findings if of_the_account(one.finding)]
    assert len(account) == 2
    (result,) = recheck(kept, [made.review], {}, save=True)
    assert (result.new, result.gone, result.changed) == ([], [], [])
    now = [one for one in kept.findings() if one.current]
    assert [(one.id, one.clip) for one in now] == [(one.id, one.clip) for one in made.findings]


def test_saving_keeps_the_evidence_of_what_stays(store: Store) -> None:
    (review,) = chosen(store, ("flagged",))
    list(recheck(store, [review], {}, save=True))
    kept = [s for s in store.findings(["flagged"]) if s.current]
    assert kept and all(s.clip for s in kept)


def test_an_unknown_option_is_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="house options"):
        list(recheck(store, chosen(store), {"hit_soft_seventeen": True}))


@pytest.mark.usefixtures("store")
def test_recheck_command() -> None:
    plain = CliRunner().invoke(
        recheck_command, ["flagged", "--set", "video_surveillance=absent"], standalone_mode=False
    )
    assert plain.exception is None
    assert (
        "flagged  site 0123 table 2 2026-11-09" in plain.output and "1 review judged again, 1 changed" in plain.output
    )
    found = CliRunner().invoke(recheck_command, ["--json"], standalone_mode=False)
    rows = json.loads(found.output)
    assert [r["review"] for r in rows["reviews"]] == ["flagged", "clean"] and rows["inconsistent"] == []
    assert found.return_value == 4
