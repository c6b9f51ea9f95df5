"""What a person attests: it counts for its days and its table, and is told as a statement."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from record_rows import DAY, given

from verifier.domain.events import EventLog
from verifier.domain.findings import ClauseVerdict, FindingsReport
from verifier.law.attested import NO_DAY, NOBODY, STATED, UNDATED, UNSIGNED, attestable
from verifier.law.catalogue import RULEBOOKS, clauses
from verifier.law.judge import judge

DOME, CASH = "ND-08-04.1.b-dome", "ND-08-06.1-cash-separate"
BEFORE, AFTER = "2026-11-01", "2026-11-03"
PLAY = {"site": "0123", "table": "2", "date": DAY}


def said(**own: Any) -> tuple[str, dict[str, Any]]:
    base = {"clause": DOME, "from": DAY, "to": DAY, "fulfilled": True, "signed_by": "Lee", "signed_on": DAY}
    return "attestation", {"on": None, **base, **own}


def judged(*rows: tuple[str, dict[str, Any]], clause: str = DOME, **house: Any) -> ClauseVerdict:
    return of(given(list(rows), **house).judge(**PLAY), clause)


def of(report: FindingsReport, clause: str) -> ClauseVerdict:
    return next(one for one in report.clauses if one.clause == clause)


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        ([said()], "pass"),
        ([said(fulfilled="yes")], "pass"),
        ([said(fulfilled=False)], "violation"),
        ([said(**{"from": BEFORE, "to": AFTER})], "pass"),
        ([said(**{"from": BEFORE})], "pass"),
        ([said(to=AFTER)], "pass"),
        ([said(), said(fulfilled=False)], "undetermined"),
        ([said(**{"from": BEFORE}, fulfilled=False), said()], "pass"),
        ([said(**{"from": BEFORE}), said(fulfilled=False)], "violation"),
        # a later signature of the same person goes before, whenever its days begin
        ([said(fulfilled=False), said(**{"from": BEFORE}, to=AFTER, signed_on=AFTER)], "pass"),
        ([said(fulfilled=False, to=AFTER), said(signed_by="LEE ", signed_on=AFTER)], "pass"),
        # of all tables and of this one: this one goes before, and is not undone by a word about all
        ([said(fulfilled=False), said(table="2", signed_on=AFTER)], "pass"),
        ([said(table="2", fulfilled=False), said(signed_on=AFTER)], "undetermined"),
        # another person's word undoes nothing
        ([said(table="2", fulfilled=False, **{"from": BEFORE}), said(signed_by="Kim")], "undetermined"),
        ([said(fulfilled=False, signed_by="Kim"), said(signed_on=AFTER)], "undetermined"),
        ([said(fulfilled=False, account="lee"), said(signed_on=AFTER)], "undetermined"),
        ([said(fulfilled=False, account="lee"), said(account="lee", signed_by="L. Dahl", signed_on=AFTER)], "pass"),
        ([said(), said(signed_by="Kim", **{"from": BEFORE})], "pass"),
    ],
)
def test_a_statement_counts_for_the_days_that_it_names(rows: list[Any], verdict: str) -> None:
    found = judged(*rows)
    assert (found.verdict, found.evidence, found.why) == (verdict, "attested", None)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], NOBODY),
        ([said(clause=CASH)], NOBODY),
        ([said(fulfilled=None)], NOBODY),
        ([said(**{"from": BEFORE, "to": BEFORE})], f"attested for {BEFORE}, not for {DAY}"),
        ([said(**{"from": AFTER, "to": "2026-11-05"})], f"attested for {AFTER} to 2026-11-05, not for {DAY}"),
        ([said(to=None)], f"attested for days that it does not tell, not for {DAY}"),
        ([said(table="99")], "attested for table 99, not for this one"),
        ([said(signed_by=None)], UNSIGNED),
        ([said(signed_by=" ", fulfilled=False)], UNSIGNED),
        ([said(signed_on=None)], UNDATED),
        ([said(signed_on=BEFORE)], f"a statement was signed on {BEFORE}, ahead of {DAY}"),
    ],
)
def test_outside_of_its_days_and_table_the_clause_is_not_assessed(rows: list[Any], why: str) -> None:
    found = judged(*rows)
    assert (found.verdict, found.evidence, found.why) == ("not_assessed", None, why)


def test_what_is_done_in_a_day_counts_when_it_is_signed_on_its_last_day_or_later() -> None:
    whole = {"clause": CASH, "from": BEFORE, "to": AFTER}
    assert judged(said(**whole, signed_on=AFTER), clause=CASH).verdict == "pass"
    early = judged(said(**whole, signed_on=DAY), clause=CASH)
    assert (early.verdict, early.why) == ("not_assessed", f"a statement was signed on {DAY}, ahead of {AFTER}")


def test_what_stands_counts_when_it_is_signed_on_its_first_day_or_later() -> None:
    assert judged(said(**{"from": BEFORE}, to=AFTER, signed_on=BEFORE)).verdict == "pass"


def test_a_statement_that_nobody_signed_takes_nothing_from_one_that_stands() -> None:
    assert judged(said(), said(fulfilled=False, signed_by=None)).verdict == "pass"


def test_a_statement_about_another_site_counts_for_nothing() -> None:
    assert judged(said(site="9")).verdict == "not_assessed"


def test_a_log_may_be_judged_by_some_clauses_alone() -> None:
    log = given([said(fulfilled=False), said(clause=CASH)]).build(**PLAY)
    report = judge(log, only={DOME})
    assert [(one.clause, one.verdict) for one in report.clauses] == [(DOME, "violation")]
    assert report.clauses[0] == of(judge(log), DOME) and len(report.findings) == 1


def test_a_log_without_a_day_is_attested_by_nobody() -> None:
    assert of(judge(given([said()]).build()), DOME).why == NO_DAY


def test_a_finding_says_who_stated_it_and_that_nobody_saw_it() -> None:
    report = given([said(fulfilled=False, statement="it is cracked")]).judge(**PLAY)
    (found,) = [one for one in report.findings if one.clause == DOME]
    assert found.attested and found.evidence == "attested"
    assert found.observed == f'{STATED}: Lee signed on {DAY} for {DAY} that it was not kept ("it is cracked")'
    assert not any(one.attested for one in report.findings if one.clause != DOME)


def test_two_who_say_the_opposite_leave_it_open_and_both_are_named() -> None:
    report = given([said(), said(fulfilled=False, signed_by="Kim")]).judge(**PLAY)
    (found,) = [one for one in report.findings if one.clause == DOME]
    assert found.verdict == "undetermined" and "Lee" in found.observed and "Kim" in found.observed


WITH_VIDEO = (
    *("02.2-drop-box-spec", "02.4-shoe-capacity", "03.2-chip-imprint", "04.1.a-locked-cabinet"),
    *("04.1.a-recorder-outlet", "04.1.a-memory-backup", "04.1.a-playback-frame-step", "04.1.a-playback-scan"),
    *("04.1.b-surge-protector", "04.1.b-dome", "04.1.d-onsite-monitor", "04.1.e-export-files", "04.3-clean-dome"),
    *("04.5-safe-storage", "05.1-slip-access", "06.1-checks-cashier", "06.1-cash-separate"),
    *("06.2-redemption-procedure", "06.3-chips-in-gaming-area", "07.2-shoe-stored", "11.2-no-altered-outcome"),
    *("13.0-posted-or-handout", "14.1-drop-box-escort", "14.3-key-control"),
)
WITHOUT_VIDEO = (
    *("06.2-tips-actual-chips", "07.3.a-novideo-spread-cash", "07.3.a-novideo-chips", "11.15.a-normal"),
    *("11.15.b-split", "11.15.c-double", "11.15.d-insurance", "11.15.e-natural", "11.15.f-tip"),
)


@pytest.mark.parametrize(("answer", "verdict"), [(True, "pass"), (False, "violation")])
@pytest.mark.parametrize(
    ("clause", "video"), [*((one, "present") for one in WITH_VIDEO), *((one, "absent") for one in WITHOUT_VIDEO)]
)
def test_each_clause_is_judged_by_what_is_stated_of_it(clause: str, video: str, answer: bool, verdict: str) -> None:
    found = judged(said(clause=f"ND-08-{clause}", fulfilled=answer), clause=f"ND-08-{clause}", video_surveillance=video)
    assert (found.verdict, found.evidence) == (verdict, "attested")


@pytest.mark.parametrize("clause", WITHOUT_VIDEO)
def test_what_is_done_without_video_is_not_asked_of_a_table_with_video(clause: str) -> None:
    statement = said(clause=f"ND-08-{clause}", fulfilled=False)
    assert judged(statement, clause=f"ND-08-{clause}", video_surveillance="present").verdict == "not_applicable"
    assert judged(statement, clause=f"ND-08-{clause}", video_surveillance=None).verdict == "violation"
    assert judged(said(fulfilled=False), video_surveillance="absent").verdict == "not_applicable"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_clauses_that_surveillance_decides_say_so_in_a_field(rulebook: str) -> None:
    for one in clauses(rulebook):
        if one.applies_when.startswith("no video surveillance"):
            assert one.video == "absent", one.id
        else:
            assert (one.video == "present") == (one.applies_when == "video surveillance present"), one.id


def test_the_two_lists_are_all() -> None:
    assert {f"ND-08-{one}" for one in WITH_VIDEO + WITHOUT_VIDEO} == {one.id for one in attestable("nd-twenty-one")}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_all_clauses_that_only_a_person_can_tell_can_be_attested(rulebook: str) -> None:
    asked = {one.id for one in attestable(rulebook)}
    alone = {one.id for one in clauses(rulebook) if one.observability == "manual"}
    assert alone - asked <= {
        "ND-08-11.5-player-computes",
        "ND-08-11.8-reader-gap",
        "HM-conduct.b-player-total",
        "ND-09-04.24.i-protect-hand",
    }


@pytest.mark.parametrize(("answer", "verdict"), [(True, "pass"), (False, "violation")])
@pytest.mark.parametrize(
    "clause", ["ND-09-04.3-replacement-deck", "ND-09-04.20-deliberate-foul", "ND-09-04.28-knowing-bet-forfeit"]
)
def test_clauses_of_poker_are_attested_too(clause: str, answer: bool, verdict: str) -> None:
    header = {"format": "verifier-events", "version": 1, "rulebook": "nd-poker", "date": DAY}
    kind, fields = said(clause=clause, fulfilled=answer)
    row = {"event": "record_entry", "id": "a", "t_start": 0, "t_end": 0, "p": 1, "source": "manual", "type": kind}
    log = msgspec.convert({"header": header, "events": [{**row, "fields": fields}]}, EventLog)
    assert of(judge(log), clause).verdict == verdict
