"""Stored reviews judged again under other house options."""

from __future__ import annotations

import json
import time
from pathlib import Path

import batch_fakes
import pytest
from batch_fakes import make_table, record
from click.testing import CliRunner
from msgspec import structs
from review_fakes import as_made, finding

from verifier.cli import run
from verifier.domain.coverage import FitCheck
from verifier.domain.errors import BadInput
from verifier.domain.events import CardDealt, EventLog, EventsHeader
from verifier.domain.house import House
from verifier.formats.events import read_events, write_events
from verifier.formats.findings import read_findings
from verifier.formats.house import write_house
from verifier.law.judge import judge
from verifier.law.unseen_wagers import NO_WAGER
from verifier.reconstruct.reconstruction import Reconstruction
from verifier.review.fit.judgement import misfits
from verifier.review.pipeline.account import of_the_account
from verifier.review.pipeline.fit import PartFit, fits_of, report_of
from verifier.review.recheck import chosen, compared, recheck
from verifier.review.recheck_command import recheck_command
from verifier.review.recording import review_recording
from verifier.store.kept import file_name
from verifier.store.repository import Store
from verifier.store.values import NewFinding, ReviewRecord
from verifier.vision.glimpse import Glimpse, Text

FILES = ("a.mp4", "layout.yaml", "house.yaml")
MONEY_CLAUSES = ("ND-08-09.1-range-1-25", "ND-08-11.12-highest-wins", "ND-08-11.16.a-fan-payoff")
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
        as_made(folder / "events.jsonl")
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


@pytest.mark.parametrize("name", ["events.jsonl", "coverage.json"])
def test_a_log_that_other_hands_changed_is_judged_by_nobody_and_stays_told(store: Store, name: str) -> None:
    """Case log_check_forged: judged again, a forged log was written anew, and the deed vouched for it."""
    (review,) = chosen(store, ("flagged",))
    path = Path(review.folder) / name
    log = read_events(path.with_name("events.jsonl"))
    if name == "events.jsonl":
        write_events(path, EventLog(log.header, log.events[:-5]))
    else:
        path.write_bytes(b"{}")
    forged, before = path.read_bytes(), store.findings(["flagged"])
    results = {one.review: one for one in recheck(store, chosen(store), {"video_surveillance": "absent"}, save=True)}
    assert not results["clean"].stale, "the other one is judged"
    (told,) = results["flagged"].stale
    assert path.name in told and "see verifier evidence log" in told
    assert (results["flagged"].new, results["flagged"].gone) == ([], [])
    assert store.findings(["flagged"]) == before and path.read_bytes() == forged
    assert any(fault.where.endswith(f"flagged/{name}") for fault in store.compare({file_name(path)}).faults)
    said = CliRunner().invoke(recheck_command, [])
    assert "see verifier evidence log" in said.output and not said.exception


def test_thousands_of_findings_are_compared_in_no_time(store: Store) -> None:
    """Their number squared took seconds for five thousand."""
    (review,) = chosen(store, ("clean",))
    before = [finding(round=number // 2, observed=f"stack {number}") for number in range(5000)]
    began = time.process_time()
    result = compared(review, before, before[1:])
    assert time.process_time() - began < 2.0
    assert (len(result.gone), len(result.changed), result.same, result.new) == (1, 1, 4998, [])


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


def test_a_recording_of_which_nothing_could_be_watched_keeps_its_findings_and_stops_nobody(store: Store) -> None:
    (review,) = chosen(store, ("clean",))
    (Path(review.folder) / "events.jsonl").unlink()
    with pytest.raises(BadInput, match="events of this review are gone"):
        list(recheck(store, chosen(store), {}))
    unusable = structs.replace(review, gaps=[(0.0, None, "no video")], reviewed_seconds=0.0, coverage=0.0)
    store.save_review(unusable, [NewFinding(finding=finding())])
    results = {one.review: one for one in recheck(store, chosen(store), {}, save=True)}
    assert (results["clean"].new, results["clean"].gone, results["clean"].same) == ([], [], 1)
    assert results["flagged"].same > 0
    assert len([one for one in store.findings(["clean"]) if one.current]) == 1


@pytest.mark.parametrize("options", [{}, {"deck_count": 8}])
def test_what_the_layout_did_not_fit_passes_no_clause_when_judged_again(
    tmp_path: Path, options: dict[str, object]
) -> None:
    """No event was told of it, so that the log alone would pass the clauses that ask for no picture."""
    folder = make_table(tmp_path / "table")
    write_house(folder / "house.yaml", House(deck_count=6))
    record(folder / "a.mp4", 8, clock="2026-11-17T21:00:00")
    kept = Store()
    sign = Text(what="site", says="0026", score=0.98, box=(200, 150, 240, 160))
    stages = structs.replace(
        batch_fakes.chain(),
        reconstructor=Reconstruction,
        judge=judge,
        glimpse=lambda facts, layout: Glimpse(pictures=3, texts=(sign,) * 3),
    )
    made = review_recording(*(folder / name for name in FILES), tmp_path / "out", stages=stages, store=kept)
    alone = judge(read_events(Path(made.review.folder) / "events.jsonl"))
    assert "pass" in {row.verdict for row in alone.clauses}
    list(recheck(kept, [made.review], options, save=True))
    report = read_findings(Path(made.review.folder) / "findings.json")
    assert "pass" not in {row.verdict for row in report.clauses} and report.summary["pass"] == 0
    assert [one.observed for one in report.findings] == [one.finding.observed for one in made.findings]


def test_what_fits_passes_clauses_when_judged_again(store: Store) -> None:
    """No account is kept with these reviews: nobody checked whether the layout fits."""
    list(recheck(store, chosen(store), {}, save=True))
    for review in store.reviews():
        assert "pass" in {row.verdict for row in read_findings(Path(review.folder) / "findings.json").clauses}


def cards_without_wagers() -> EventLog:
    """A hand at one space as a detector writes it, of a table whose betting spots nobody drew."""
    deal = [("space:1", "8h"), ("dealer", "9c"), ("space:1", "Th"), ("dealer", "7d")]
    cards = [
        CardDealt(
            id=f"c{n}", t_start=n, t_end=n + 0.5, p=0.97, source="video", round=1, card=card, to=to, face="up", seq=n
        )
        for n, (to, card) in enumerate(deal, start=1)
    ]
    house = {"video_surveillance": "present", "dealing_method": "hole_card_no_peek"}
    header = EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one", house=house, video="0" * 64)
    return EventLog(header, tuple(cards))


@pytest.mark.parametrize("options", [{}, {"deck_count": 8}])
def test_money_stays_undetermined_when_judged_again_where_no_wager_was_seen(
    store: Store, options: dict[str, object]
) -> None:
    """The kept log tells that a detector wrote it, of which a missing wager says nothing of the money."""
    (review,) = chosen(store, ("clean",))
    log = cards_without_wagers()
    write_events(Path(review.folder) / "events.jsonl", log)
    as_made(Path(review.folder) / "events.jsonl")
    before = judge(log)
    store.save_review(review, [NewFinding(finding=one) for one in before.findings])
    assert [one.verdict for one in before.findings if NO_WAGER in one.observed] == ["undetermined"]
    for _ in range(2):
        (result,) = recheck(store, [review], options, save=True)
        assert options or (result.new, result.gone, result.changed) == ([], [], [])
        report = read_findings(Path(review.folder) / "findings.json")
        assert [one.verdict for one in report.findings if NO_WAGER in one.observed] == ["undetermined"]
        verdicts = {row.clause: row.verdict for row in report.clauses}
        assert {verdicts[clause] for clause in MONEY_CLAUSES} == {"undetermined"}
        current = [stored.finding for stored in store.findings(["clean"]) if stored.current]
        assert [one.verdict for one in current if NO_WAGER in one.observed] == ["undetermined"]


@pytest.mark.parametrize("seen", [("0026", "0026"), ("0123", "0026"), ("0123", "0123")])
def test_the_fit_of_each_file_is_read_back_as_it_was_written(seen: tuple[str, str]) -> None:
    def check(name: str, site: str, start: float) -> FitCheck:
        return FitCheck(name=name, ok=site == "0123", says=f"site {site}", t_start=start, t_end=start + 8.0)

    files = [[check("site_sign", site, 8.0 * i), check("clock", "0123", 8.0 * i)] for i, site in enumerate(seen)]
    fits = [PartFit(8.0 * i, 8.0 * i + 8.0, checks, misfits(checks)) for i, checks in enumerate(files)]
    assert fits_of(report_of(fits)) == fits
    assert fits_of(None) == []


def test_saving_keeps_the_evidence_of_what_stays(store: Store) -> None:
    (review,) = chosen(store, ("flagged",))
    list(recheck(store, [review], {}, save=True))
    kept = [s for s in store.findings(["flagged"]) if s.current]
    assert kept and all(s.clip for s in kept)


def test_an_unknown_option_is_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="house options"):
        list(recheck(store, chosen(store), {"hit_soft_seventeen": True}))


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize("setting", ["deck_count=abc", "hit_soft_seventeen=true", "deck_count=" + "[" * 100_000])
def test_a_wrong_option_is_refused_where_no_review_is_stored_too(setting: str) -> None:
    assert run(["recheck", "--set", setting]) == 2


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
