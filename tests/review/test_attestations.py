"""Attestations: imported or signed in a form, kept in versions, and judged with the recordings of their days."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection
from datetime import date
from pathlib import Path

import msgspec
import pytest
from pypdf import PdfReader
from review_fakes import SHOWN, as_made, fake_stages, finding, write_inputs

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog
from verifier.domain.findings import ClauseVerdict, FindingsReport
from verifier.formats.events import read_events, write_events
from verifier.formats.findings import read_findings
from verifier.law.judge import judge
from verifier.review.documents.daily import gather_day
from verifier.review.documents.daily_files import daily_pdf
from verifier.review.intake import importing
from verifier.review.intake.importing import import_records, judge_again
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.review.recording import review_recording
from verifier.review.records import site
from verifier.review.records.attesting import Answer, Span, answered, asked, attest
from verifier.review.records.joining import Play, about
from verifier.review.records.site import SiteVerdict, check_site
from verifier.review.weekly import gather_week
from verifier.review.weekly_files import weekly_pdf
from verifier.review.weekly_values import Answers
from verifier.store.repository import Store
from verifier.store.site_records import SiteRecords

DAY = date(2026, 11, 17)
"""The day that the stand-in recording shows, of site 0123, table 2."""
MONDAY, SUNDAY = date(2026, 11, 16), date(2026, 11, 22)
DOME, SURGE, CASH = "ND-08-04.1.b-dome", "ND-08-04.1.b-surge-protector", "ND-08-06.1-cash-separate"
LEE = Person(name="lee", full_name="Lee Dahl", role=Role.REVIEWER)
WATCHER = Person(name="ag", full_name="A. G.", role=Role.ATTORNEY_GENERAL)
HEAD = "clause,from,to,table,fulfilled,signed_by,signed_on,statement"
WEEK = f"{DOME},2026-11-16,2026-11-22,,yes,Lee Dahl,2026-11-16,"
BAD_WEEK = f"{SURGE},2026-11-16,2026-11-22,,no,Lee Dahl,2026-11-16,it hangs on a switch"
TODAY = f"{CASH},2026-11-17,2026-11-17,2,yes,Lee Dahl,2026-11-17,"
Bring = Callable[..., int]


class Monday(date):
    """A clock on which the days of these tests are over."""

    @classmethod
    def today(cls) -> Monday:
        return cls(2026, 11, 23)


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bring:
    monkeypatch.setattr(importing, "date", Monday)

    def into(*rows: str) -> int:
        path = tmp_path / "attested.csv"
        path.write_text("\n".join([HEAD, *rows]) + "\n")
        return run(["records", "import", str(path), "--kind", "attestation", "--site", "0123"])

    return into


def review(folder: Path) -> Path:
    video, layout, house = write_inputs(folder)
    stages = msgspec.structs.replace(fake_stages(SHOWN, finding()), judge=judge)
    review_recording(video, layout, house, folder / "out", stages=stages)
    return folder / "out"


def row(clause: str) -> ClauseVerdict:
    report = read_findings(Path(Store().reviews()[0].folder) / "findings.json")
    return next(one for one in report.clauses if one.clause == clause)


def test_an_imported_statement_counts_in_the_review_and_is_told_as_a_statement(tmp_path: Path, bring: Bring) -> None:
    assert bring(WEEK, BAD_WEEK, TODAY) == 0
    out = review(tmp_path / "night")
    assert [(row(name).verdict, row(name).evidence) for name in (DOME, SURGE, CASH)] == [
        ("pass", "attested"),
        ("violation", "attested"),
        ("pass", "attested"),
    ]
    (found,) = [one.finding for one in Store().findings() if one.finding.clause == SURGE]
    assert found.attested and "a person's statement, not seen: Lee Dahl" in found.observed
    assert "it hangs on a switch" in found.observed and "brought in" in found.observed
    assert {one.source for one in read_events(out / "events.jsonl").events if one.id.startswith("record")} == {"manual"}


def test_outside_of_its_days_it_counts_for_nothing_and_the_row_says_so(tmp_path: Path, bring: Bring) -> None:
    bring(
        WEEK.replace("2026-11-16,2026-11-22", "2026-11-18,2026-11-24").replace("Dahl,2026-11-16", "Dahl,2026-11-18"),
        TODAY.replace(",2,", ",3,"),
    )
    review(tmp_path / "night")
    assert row(DOME).verdict == row(CASH).verdict == "not_assessed"
    assert row(DOME).why == "attested for 2026-11-18 to 2026-11-24, not for 2026-11-17"
    assert row(CASH).why == "attested for table 3, not for this one"


def test_a_play_over_midnight_needs_a_statement_for_both_days(tmp_path: Path, bring: Bring) -> None:
    bring(TODAY)
    log = read_events(review(tmp_path / "night") / "events.jsonl")
    both = about(Play("0123", "2", ("2026-11-17", "2026-11-18")))
    report = judge(log, about=both)
    found = next(one for one in report.clauses if one.clause == CASH)
    assert (found.verdict, found.why) == ("not_assessed", "a person attested it, but not for the whole play")


def test_a_form_signs_with_the_account_and_the_stored_reviews_are_judged_again(tmp_path: Path) -> None:
    review(tmp_path / "night")
    assert row(DOME).verdict == "not_assessed"
    span = Span(site="0123", first=MONDAY, last=SUNDAY)
    answers = [Answer(clause=DOME, fulfilled=True), Answer(clause=SURGE, fulfilled=None)]
    made = attest(Store(), LEE, span, "week", answers, DAY)
    assert [one.fields["signed_by"] for one in made.made.new] == ["Lee Dahl (lee)"]
    judge_again(Store(), made.changed)
    assert (row(DOME).verdict, row(SURGE).verdict) == ("pass", "not_assessed")
    assert answered(Store(), span, LEE) == {DOME: answers[0]}
    assert run(["evidence", "log"]) == 0


def test_another_answer_is_the_next_version_and_the_same_one_is_none() -> None:
    span = Span(site="0123", first=DAY, last=DAY, table="2")
    yes, no = (Answer(clause=CASH, fulfilled=one) for one in (True, False))
    for answer in (yes, yes, no):
        attest(Store(), LEE, span, "day", [answer], DAY)
    (one,) = SiteRecords(Store()).standing()
    assert (one.version, one.fields["fulfilled"], one.made_by) == (2, False, "lee")
    assert len(SiteRecords(Store()).versions(one)) == 2


def test_an_answer_that_is_taken_back_counts_no_longer_and_its_versions_stay(tmp_path: Path) -> None:
    review(tmp_path / "night")
    span = Span(site="0123", first=DAY, last=DAY, table="2")
    judge_again(Store(), attest(Store(), LEE, span, "day", [Answer(clause=CASH, fulfilled=True)], DAY).changed)
    assert row(CASH).verdict == "pass"
    (stood,) = SiteRecords(Store()).standing()
    done = attest(Store(), LEE, span, "day", [Answer(clause=CASH, fulfilled=None)], DAY)
    judge_again(Store(), done.changed)
    assert (row(CASH).verdict, SiteRecords(Store()).standing()) == ("not_assessed", [])
    assert [one.withdrawn for one in SiteRecords(Store()).versions(stood)] == [
        "the answer was taken back in the daily form",
        "",
    ]
    assert run(["evidence", "log"]) == 0


def test_an_import_never_takes_the_place_of_what_an_account_signed(tmp_path: Path, bring: Bring) -> None:
    review(tmp_path / "night")
    span = Span(site="0123", first=DAY, last=DAY, table="2")
    attest(Store(), LEE, span, "day", [Answer(clause=CASH, fulfilled=False)], DAY)
    assert bring(TODAY.replace("Lee Dahl", "Lee Dahl (lee)")) == 4  # the clause is open now, which is a new finding
    assert [(one.version, one.fields["fulfilled"]) for one in SiteRecords(Store()).standing()] == [
        (1, False),
        (1, True),
    ]
    assert row(CASH).verdict == "undetermined"
    (found,) = [one.finding for one in Store().findings() if one.finding.clause == CASH]
    assert "it was not kept" in found.observed and "on a paper that" in found.observed


def test_what_stands_is_attested_when_its_first_day_has_come(bring: Bring, capsys: pytest.CaptureFixture[str]) -> None:
    week = Span(site="0123", first=MONDAY, last=SUNDAY)
    with pytest.raises(BadInput, match="what stands from 2026-11-16 cannot be attested before that day"):
        attest(Store(), LEE, week, "week", [Answer(clause=DOME, fulfilled=True)], date(2026, 11, 15))
    assert attest(Store(), LEE, week, "week", [Answer(clause=DOME, fulfilled=True)], MONDAY).made.new
    assert bring(WEEK.replace(",Lee Dahl,2026-11-16", ",Lee Dahl,2026-11-15")) == 2
    assert "line 2, column signed_on: what stands from 2026-11-16" in capsys.readouterr().err


@pytest.mark.parametrize(("today", "kept"), [(date(2026, 11, 16), 1), (date(2026, 11, 15), 0)])
def test_nobody_signs_on_a_day_that_has_not_come(tmp_path: Path, today: date, kept: int) -> None:
    path = tmp_path / "attested.csv"
    path.write_text(f"{HEAD}\n{WEEK}\n")
    if kept:
        assert len(import_records(Store(), [path], "lee", "0123", "attestation", today=today).new) == kept
        return
    with pytest.raises(BadInput, match="2026-11-16 is after today, 2026-11-15"):
        import_records(Store(), [path], "lee", "0123", "attestation", today=today)
    assert SiteRecords(Store()).standing() == []


@pytest.mark.parametrize(
    ("clause", "last", "says"),
    [
        ("ND-08-04.1.b-dom", SUNDAY, "ND-08-04.1.b-dom is no clause that it asks"),
        ("ND-08-11.16.a-fan-payoff", SUNDAY, "is no clause that it asks"),
        (CASH, SUNDAY, f"{CASH} is no clause that it asks"),
        (DOME, date(2026, 11, 15), "2026-11-15 is not within a year from 2026-11-16 on"),
        (DOME, date(2027, 11, 17), "2027-11-17 is not within a year from 2026-11-16 on"),
    ],
)
def test_a_form_takes_its_own_clauses_and_no_more_than_a_year(clause: str, last: date, says: str) -> None:
    span = Span(site="0123", first=MONDAY, last=last)
    with pytest.raises(BadInput, match=says):
        attest(Store(), LEE, span, "week", [Answer(clause=clause, fulfilled=True)], DAY)
    assert SiteRecords(Store()).standing() == []


def test_a_form_may_be_about_a_year() -> None:
    span = Span(site="0123", first=MONDAY, last=date(2027, 11, 16))
    assert attest(Store(), LEE, span, "week", [Answer(clause=DOME, fulfilled=True)], MONDAY).made.new


def test_what_is_done_in_a_day_is_attested_when_it_is_over(bring: Bring, capsys: pytest.CaptureFixture[str]) -> None:
    span = Span(site="0123", first=DAY, last=DAY)
    with pytest.raises(BadInput, match="cannot be attested before"):
        attest(Store(), LEE, span, "day", [Answer(clause=CASH, fulfilled=True)], MONDAY)
    assert bring(TODAY.replace(",Lee Dahl,2026-11-17", ",Lee Dahl,2026-11-16")) == 2
    assert "line 2, column signed_on: what was done until 2026-11-17" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (WEEK.replace(DOME, "ND-08-04.1.b-dom"), "column clause: ND-08-04.1.b-dom is no clause that a person attests"),
        (WEEK.replace(DOME, "ND-08-11.16.a-fan-payoff"), "is no clause that a person attests"),
        (WEEK.replace(",yes,", ",,"), "column fulfilled: is empty"),
        (WEEK.replace(",yes,", ",(blank),"), "column fulfilled: is empty"),
        (WEEK.replace("Lee Dahl", ""), "column signed_by: is empty"),
        (
            WEEK.replace("-16,2026-11-22", "-16,2026-11-15"),
            "column to: 2026-11-15 is not within a year from 2026-11-16",
        ),
        (WEEK.replace("2026-11-22", "2027-11-17"), "column to: 2027-11-17 is not within a year from 2026-11-16"),
    ],
)
def test_bad_statements_are_refused_in_one_line(
    bring: Bring, capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    assert bring(text) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line and SiteRecords(Store()).standing() == []


def test_a_statement_may_hold_for_a_year_and_no_longer(bring: Bring) -> None:
    assert bring(WEEK.replace("2026-11-22", "2027-11-16")) == 0


def test_who_may_not_write_documents_may_not_attest() -> None:
    with pytest.raises(Forbidden):
        attest(Store(), WATCHER, Span(site="1", first=DAY, last=DAY), "day", [Answer(clause=CASH, fulfilled=True)], DAY)


def test_the_forms_ask_each_clause_once_and_none_that_does_not_apply() -> None:
    span = Span(site="0123", first=DAY, last=DAY)
    daily, weekly = ({one.id for one in asked(Store(), span, term)} for term in ("day", "week"))
    assert not daily & weekly and len(daily | weekly) == 33  # without house options nothing is known not to apply
    assert (CASH in daily, DOME in weekly) == (True, True)


def test_a_site_without_a_kept_table_has_the_options_of_its_reviews(tmp_path: Path) -> None:
    span = Span(site="123", first=DAY, last=DAY)
    assert len(asked(Store(), span, "day")) == 17
    out = review(tmp_path / "night")
    log = read_events(Path(Store().reviews()[0].folder) / "events.jsonl")
    header = msgspec.structs.replace(log.header, house={"video_surveillance": "present"})
    write_events(Path(Store().reviews()[0].folder) / "events.jsonl", type(log)(header, log.events))
    assert len(asked(Store(), span, "day")) == 17, "options that other hands wrote count for nothing"
    as_made(Path(Store().reviews()[0].folder) / "events.jsonl")
    assert len(asked(Store(), span, "day")) == 8 and out.exists()
    assert len(asked(Store(), msgspec.structs.replace(span, last=MONDAY), "day")) == 17  # before that review


def test_the_site_s_check_tells_a_statement_of_a_day_in_the_week_once(bring: Bring) -> None:
    bring(BAD_WEEK, TODAY.replace(",yes,", ",no,"))
    found = check_site(Store(), "0123", MONDAY, SUNDAY)
    assert sorted(one.clause for one in found.findings) == [SURGE, CASH]
    assert found.records == 2 and found.verdicts[CASH] == SiteVerdict(verdict="violation", evidence="attested")
    assert [one.clause for one in check_site(Store(), "0123", SUNDAY, SUNDAY).findings] == [SURGE]


def test_the_site_s_check_sees_a_statement_that_counts_again_when_a_later_one_ends(bring: Bring) -> None:
    bring(BAD_WEEK, f"{SURGE},2026-11-17,2026-11-18,,yes,Lee Dahl,2026-11-18,")
    verdicts = [check_site(Store(), "0123", day, SUNDAY).verdicts[SURGE].verdict for day in (MONDAY, DAY)]
    assert verdicts == ["violation", "violation"]
    assert check_site(Store(), "0123", DAY, DAY).verdicts[SURGE].verdict == "pass"


def test_the_site_s_check_judges_a_table_once_for_each_change_of_what_covers_it(
    bring: Bring, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged, read = [], []

    def judging(log: EventLog, **told: Collection[str]) -> FindingsReport:
        judged.append((log.header.table, log.header.date))
        return judge(log, **told)

    def reading(store: Store, name: str, day: date) -> dict[str, object]:
        read.append(day)
        return {}

    monkeypatch.setattr(site, "judge", judging)
    monkeypatch.setattr(site, "site_options", reading)
    bring(BAD_WEEK, TODAY, *(WEEK.replace(",,", f",{table},", 1) for table in ("4", "5")))
    check_site(Store(), "0123", MONDAY, SUNDAY)
    assert judged == [
        (None, "2026-11-22"),  # the records but for statements
        (None, "2026-11-16"),
        ("2", "2026-11-17"),
        ("4", "2026-11-16"),
        ("5", "2026-11-16"),
    ]
    assert sorted(read) == sorted(set(read))


def test_a_pass_on_a_person_s_word_is_told_as_such_wherever_verdicts_are_counted(
    tmp_path: Path, bring: Bring, capsys: pytest.CaptureFixture[str]
) -> None:
    says = "2 of those that passed rest on a person's statement, nobody saw them."
    bring(WEEK, TODAY)
    check = ["records", "check", "--site", "0123", "--from", "2026-11-17", "--to", "2026-11-17"]
    assert run(check) == 0 and says in capsys.readouterr().out
    assert run([*check, "--json"]) == 0
    told = msgspec.json.decode(capsys.readouterr().out)["verdicts"]
    assert told[DOME] == told[CASH] == {"verdict": "pass", "evidence": "attested"}
    out = review(tmp_path / "night")
    run(["check", str(out / "events.jsonl")])
    assert says in capsys.readouterr().out
    assert run([*check[:-1], "2026-11-23", "--from", "2026-11-23"]) == 0
    assert "person" not in capsys.readouterr().out


def test_the_weekly_and_the_daily_document_list_the_statements(tmp_path: Path, bring: Bring) -> None:
    bring(WEEK, BAD_WEEK, TODAY, TODAY.replace("11-17,2026-11-17", "11-09,2026-11-09").replace(CASH, DOME))
    review(tmp_path / "night")
    week = gather_week(Store(), "0123", "2026-W47", Answers())
    assert [(one.clause, one.says) for one in week.statements] == [(SURGE, "NOT KEPT"), (DOME, "kept"), (CASH, "kept")]
    text = text_of(weekly_pdf(week))
    assert "Attested by a person, not seen" in text and "it hangs on a switch" in " ".join(text.split())
    assert not any(one.clause == SURGE for one in week.papers)  # a review of the week tells it
    open_by_hand = next(one.clauses for one in week.not_assessed if one.channel == "a person's check")
    assert open_by_hand == 33 - len(week.statements)
    day = gather_day(Store(), "0123", DAY, [])
    assert len(day.statements) == 3 and "Attested by a person" in text_of(daily_pdf(day))
    assert gather_day(Store(), "0123", date(2026, 11, 24), []).statements == []


def text_of(pdf: bytes) -> str:
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)
