"""The weekly document: which week, what it says, how long it is kept, and a CSV that runs no formula."""

from __future__ import annotations

import csv
import io
import time
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pytest
from openpyxl import load_workbook
from pypdf import PdfReader
from review_fakes import FAN, SHOWN, fake_stages, finding, write_inputs

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.review.documents.daily import Check, gather_day
from verifier.review.documents.daily_files import write_daily
from verifier.review.documents.hold import hold_report
from verifier.review.documents.hold_files import hold_pdf, write_hold
from verifier.review.documents.keeping import shows_video
from verifier.review.documents.notice import NOTICE
from verifier.review.documents.rules import rules_of
from verifier.review.documents.sheets import guard_formula
from verifier.review.people.accounts import NewAccount, create, create_first
from verifier.review.people.makers import maker_of
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.review.queue import load_queue
from verifier.review.recording import Reviewed, review_recording
from verifier.review.weekly import gather_week
from verifier.review.weekly_files import weekly_csv, weekly_pdf, weekly_xlsx, write_weekly
from verifier.review.weekly_lines import finding_line
from verifier.review.weekly_stills import week_stills
from verifier.review.weekly_target import read_minutes, target_week
from verifier.review.weekly_values import Answers, NotAssessed, Weekly
from verifier.review.weeks import keep_until, quarter_of, week_days, week_of
from verifier.review.wording import plain_certainty
from verifier.store.papers import Document, Duty, HoldFigure, Papers
from verifier.store.repository import Store
from verifier.store.room.tables import WatchedRow

WEEK = "2026-W47"
KIM = Person(name="kim", full_name="Kim Olson", role=Role.MANAGER)


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    video, layout, house = write_inputs(tmp_path)
    return review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding(), SHOWN))


@pytest.fixture
def hours(reviewed: Reviewed) -> Reviewed:
    """The same table's recording of the next day, two hours long."""
    Store().save_review(msgspec.structs.replace(reviewed.review, id="hours", duration=7200.0), [])
    return reviewed


def weekly(**answers: object) -> Weekly:
    return gather_week(Store(), "0123", WEEK, Answers(**answers))  # type: ignore[arg-type]


def test_it_holds_findings_with_what_people_decided(reviewed: Reviewed) -> None:
    Store().add_verdict(reviewed.findings[0].id, "confirmed", "Kim", "clear")
    rows = {one.clause: one for one in weekly().findings}
    assert (rows[FAN].decision, rows[FAN].decided_by, rows[FAN].note) == ("confirmed", "Kim", "clear")
    assert rows[SHOWN.clause].decision == "open"


def test_when_a_finding_was_is_told_by_the_recordings_clock_where_it_has_none(reviewed: Reviewed) -> None:
    found = load_queue(Store())[0]
    stored = msgspec.structs.replace(found.stored, finding=finding(clock=None, t_start=65.9))
    told = []
    for clock in ("2026-11-17T23:59:00", None):
        review = msgspec.structs.replace(found.review, clock_start=clock)
        told.append(finding_line(msgspec.structs.replace(found, stored=stored, review=review)).time)
    assert told == ["2026-11-18 00:00:05", f"1:05 into {found.review.video_name}"]


def test_the_paper_says_nothing_twice_and_cites_instead_of_clause_names(reviewed: Reviewed) -> None:
    week = weekly()
    text = " ".join("".join(sheet.extract_text() for sheet in PdfReader(io.BytesIO(weekly_pdf(week))).pages).split())
    for one in week.findings:
        assert one.cite in text
        assert one.clause not in text
        assert (one.observed == one.says, text.count(one.observed)) == (True, 1)
    assert all(one.clause.encode() in weekly_csv(week) for one in week.findings), "tables keep them"


def test_silence_is_stated_as_not_assessed(reviewed: Reviewed) -> None:
    assert {one.channel.split(" ")[0] for one in weekly().not_assessed} >= {"speech", "paper"}


def test_how_sure_a_finding_is_says_no_more_than_is_known(reviewed: Reviewed) -> None:
    unknown = msgspec.structs.replace(SHOWN, verdict="undetermined", p=0.5)
    assert plain_certainty(unknown, "software") == "likelihood unknown"
    assert plain_certainty(msgspec.structs.replace(unknown, p=0.8), "software") == "80% likely"
    assert plain_certainty(msgspec.structs.replace(SHOWN, verdict="violation", p=0.98), "software") == "98% sure"
    assert plain_certainty(SHOWN, "person") == "found by a person"


@pytest.mark.parametrize(("minutes", "short"), [({}, ["2"]), ({"2": 59.9}, ["2"]), ({"2": 60}, [])])
def test_an_hour_watched_by_a_person_is_asked_for(hours: Reviewed, minutes: dict[str, float], short: list[str]) -> None:
    assert weekly(minutes=minutes).short_tables == short


@pytest.mark.parametrize(("minutes", "refused"), [(121.0, False), (121.1, True), (600.0, True)])
def test_more_minutes_than_were_recorded_are_refused(hours: Reviewed, minutes: float, refused: bool) -> None:
    """120 minutes and 8 seconds were recorded, a begun minute counts."""
    if refused:
        with pytest.raises(BadInput, match=r"120\.1 were"):
            weekly(minutes={"2": minutes})
    else:
        assert weekly(minutes={"2": minutes}).watched == {"2": 121.0}


def test_stated_minutes_are_marked_and_counted_ones_are_not(hours: Reviewed) -> None:
    made = weekly(minutes={"2": 75.0})
    assert (made.counted, made.stated) == ({}, ["75 minutes of table 2; the review room counted 0."])
    with Store().acting("kim", "watched") as session:
        session.add(
            WatchedRow(review_id="hours", person="kim", stretches="[]", seconds=3930.0, position=0.0, reported_at="")
        )
    room = gather_week(Store(), "0123", WEEK, Answers(minutes={"2": 65.0}), KIM)
    assert (room.counted, room.watched, room.stated) == ({"2": 65.5}, {"2": 65.5}, [])
    more = gather_week(Store(), "0123", WEEK, Answers(minutes={"2": 66.0}), KIM)
    assert (more.watched, more.stated) == ({"2": 66.0}, ["66 minutes of table 2; the review room counted 65.5."])


def test_minutes_of_a_table_that_was_not_reviewed_are_refused(reviewed: Reviewed) -> None:
    with pytest.raises(BadInput, match="give minutes of table 2"):
        weekly(minutes={"1": 75.0})


@pytest.mark.parametrize(("site", "week"), [("0123", "2026-W46"), ("9999", WEEK)])
def test_a_week_without_reviews_is_refused_and_names_what_there_is(reviewed: Reviewed, site: str, week: str) -> None:
    with pytest.raises(BadInput, match="0123 on 2026-11-17"):
        gather_week(Store(), site, week, Answers())


@pytest.mark.parametrize(
    ("minutes", "says"),
    [({"2": 75.0}, "I watched the minutes stated above"), ({}, "no minutes of watching are stated")],
)
def test_nobody_attests_minutes_that_are_not_stated(
    hours: Reviewed, tmp_path: Path, minutes: dict[str, float], says: str
) -> None:
    answers = Answers(reviewer="Kim Olson", minutes=minutes, attested=True)
    made = write_weekly(gather_week(Store(), "0123", WEEK, answers), tmp_path / "docs", Store())
    text = " ".join(" ".join(page.extract_text().split()) for page in PdfReader(made.files["pdf"]).pages)
    assert says in text
    assert ("I watched" in text) is bool(minutes)


def test_the_pdf_says_it_all(hours: Reviewed, tmp_path: Path) -> None:
    answers = Answers(reviewer="Kim #Olson *bold*", minutes={"2": 75.0}, independent=True, attested=True)
    made = write_weekly(gather_week(Store(), "0123", WEEK, answers), tmp_path / "docs", Store())
    text = " ".join(" ".join(page.extract_text().split()) for page in PdfReader(made.files["pdf"]).pages)
    for part in (
        "Kim #Olson *bold*",
        "2026-W47",
        "Payoff fanned",
        "NOT YET DECIDED",
        "2027-12-31",
        "Signature",
        "75",
        "is no account's name",
        "Stated, not counted: 75 minutes",
        "at the command line",
        "Head of the audit",
        "need speech (a transcript tells it); ",
    ):
        assert part in text
    assert "08-04(7)" in NOTICE
    assert "supplementary" in text
    (kept,) = Papers(Store()).documents("weekly", "0123", WEEK)
    assert set(kept.files) == {path.name for path in made.files.values()}


def test_other_rules_than_north_dakotas_stand_in_the_papers_head(reviewed: Reviewed) -> None:
    """The head and the foot of a table that is played by a house's own manual cite no rule of North Dakota."""
    own = " ".join(pages_of(weekly_pdf(weekly())))
    assert "99-01.3-08-04(8)" in own
    assert "Judged by Casino dealer manual" not in own
    Store().save_review(msgspec.structs.replace(reviewed.review, id="manual", rulebook="house-manual"), [])
    both = " ".join(" ".join(pages_of(weekly_pdf(weekly()))).split())
    assert "99-01.3-08-04(8)" in both
    assert "a casino's own rules, not law), where the recording's line says so" in both.replace("’", "'")
    manual = msgspec.structs.replace(weekly(), rules=rules_of(["house-manual"]))
    alone = " ".join(pages_of(weekly_pdf(manual))[0].split()).replace("’", "'")
    assert "Judged by Casino dealer manual (blackjack dealer manual" in alone
    assert "a casino's own rules, not law), not by North Dakota's rules" in alone
    assert "04(8). For carrying over" not in alone
    assert "99-01.3-08-16(1)(h)" not in alone


def test_a_week_of_poker_is_headed_by_the_section_on_poker(reviewed: Reviewed) -> None:
    poker = msgspec.structs.replace(weekly(), rules=rules_of(["nd-poker"]))
    page = " ".join(pages_of(weekly_pdf(poker))[0].split()).replace("’", "'")
    assert "Review of recorded poker play, North Dakota poker, text of 2024-10-01." in page
    assert "99-01.3-09-04; law in force), not by North Dakota's rules of twenty-one" in page
    assert "Game Poker" in page
    assert "04(8). For carrying over" not in page


def test_the_accusation_stands_first_and_a_decision_in_the_time_of_this_place(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/Chicago")
    time.tzset()
    try:
        Store().add_verdict(reviewed.findings[0].id, "confirmed", "kim")
        week = weekly()
        decided = datetime.fromisoformat(week.findings[0].decided_at).astimezone(ZoneInfo("America/Chicago"))
        text = " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(weekly_pdf(week))).pages).split())
    finally:
        monkeypatch.undo()
        time.tzset()
    first = week.findings[0]
    assert first.says == "The payoff of $5.00 stayed a stack."
    assert text.index(first.says) < text.index(f"{first.title} N.D. Admin. Code") < text.index("Expected")
    assert f"kim, {decided:%Y-%m-%d %H:%M %Z}" in text and "UTC" not in text


def test_the_same_week_gives_the_same_pdf(reviewed: Reviewed) -> None:
    assert weekly_pdf(weekly()) == weekly_pdf(weekly())


def test_a_correction_is_a_new_version_with_a_reason_and_the_old_one_stays(reviewed: Reviewed, tmp_path: Path) -> None:
    week = weekly(reviewer="Kim", attested=True)
    first = write_weekly(week, tmp_path, Store())
    with pytest.raises(BadInput, match="say why it is corrected"):
        write_weekly(week, tmp_path, Store())
    second = write_weekly(week, tmp_path, Store(), "minutes were missing")
    assert [first.document.version, second.document.version] == [1, 2]
    text = PdfReader(second.files["pdf"]).pages[0].extract_text()
    assert "corrected: minutes were missing" in " ".join(text.split())
    assert all(path.exists() for path in first.files.values())


def pages_of(pdf: Path | bytes) -> list[str]:
    source = io.BytesIO(pdf) if isinstance(pdf, bytes) else pdf
    return [" ".join(page.extract_text().split()) for page in PdfReader(source).pages]


@pytest.mark.parametrize("answers", [{}, {"reviewer": "Kim"}, {"attested": True}, {"attested": True, "reviewer": " "}])
def test_what_nobody_attested_is_a_draft_that_is_made_anew_and_never_kept(
    reviewed: Reviewed, tmp_path: Path, answers: dict[str, object]
) -> None:
    deeds = len(Store().audit())
    for _ in range(2):
        made = write_weekly(weekly(**answers), tmp_path, Store())
        assert made.draft and {path.name for path in made.files.values()} == {
            f"weekly-0123-{WEEK}-draft.{ending}" for ending in ("pdf", "csv", "xlsx")
        }
    assert Papers(Store()).documents() == [] and len(Store().audit()) == deeds
    pages = pages_of(made.files["pdf"])
    assert len(pages) > 1 and all("DRAFT, attested by nobody" in page for page in pages)
    book = load_workbook(made.files["xlsx"])
    assert {row[0].value: row[1].value for row in book["Week"].iter_rows()}["version"].startswith("DRAFT")
    lines = list(csv.DictReader(made.files["csv"].open(newline="")))
    assert lines and all(line["version"].startswith("DRAFT") for line in lines)


def test_attesting_makes_version_1_and_an_unattested_one_of_before_keeps_its_number(
    reviewed: Reviewed, tmp_path: Path
) -> None:
    write_weekly(weekly(), tmp_path, Store())
    made = write_weekly(weekly(reviewer="Kim", attested=True), tmp_path, Store())
    assert (made.draft, made.document.version) == (False, 1)
    assert not any("DRAFT" in page for page in pages_of(made.files["pdf"]))
    old = msgspec.to_builtins(weekly())
    for name in ("attested",):
        del old["answers"][name]
    del old["with_stills"]
    before = Document(
        kind="weekly", site="0999", period=WEEK, made_by="Kim", body=msgspec.json.encode(old).decode(), version=1
    )
    Papers(Store()).add_document(before)
    (kept,) = Papers(Store()).documents("weekly", "0999")
    assert kept.version == 1 and not msgspec.json.decode(kept.body, type=Weekly).attested
    later = msgspec.structs.replace(weekly(reviewer="Kim", attested=True), site="0999")
    with pytest.raises(BadInput, match="say why it is corrected"):
        write_weekly(later, tmp_path, Store())
    assert write_weekly(later, tmp_path, Store(), "attested now").document.version == 2


def test_the_command_attests_only_with_a_reviewers_name(
    reviewed: Reviewed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["weekly", "--review", str(reviewed.out), "--out", str(tmp_path / "docs")]
    assert [run(asked), run(asked)] == [0, 0]
    assert "Draft: " in capsys.readouterr().out
    assert run([*asked, "--attest"]) == 2
    assert "name the person who attests with --reviewer" in capsys.readouterr().err
    assert run([*asked, "--attest", "--reviewer", "Kim Olson"]) == 0
    assert [one.version for one in Papers(Store()).documents("weekly")] == [1]


def test_the_signature_stands_with_what_is_signed(reviewed: Reviewed) -> None:
    week = weekly()
    for count in range(1, 9):
        many = msgspec.structs.replace(week, findings=week.findings[:1] * count)
        last = pages_of(weekly_pdf(many))[-1]
        assert last.index("Not assessed") < last.index("Conclusion") < last.index("Signature of the reviewer")


def test_one_clause_is_told_as_one(reviewed: Reviewed) -> None:
    few = [NotAssessed(channel="a person's check", clauses=1), NotAssessed(channel="speech", clauses=3)]
    told = " ".join(pages_of(weekly_pdf(msgspec.structs.replace(weekly(), not_assessed=few)))[-1].split())
    assert "1 clause that needs a person's check; 3 clauses that need speech" in told.replace("’", "'")


def images(pdf: Path) -> int:
    return sum(len(page.images) for page in PdfReader(pdf).pages)


def test_stills_stand_in_it_only_where_asked_for_and_a_deed_tells_it(reviewed: Reviewed, tmp_path: Path) -> None:
    week, maker = weekly(), maker_of(KIM)
    without = write_weekly(week, tmp_path / "without", Store())
    assert images(without.files["pdf"]) == 0 and not shows_video(without.document)
    stills = week_stills(Store(), week, maker, KIM)
    assert all(stills[one.id] for one in week.findings)
    made = write_weekly(week, tmp_path / "with", Store(), stills=stills)
    assert images(made.files["pdf"]) == sum(len(some) for some in stills.values())
    assert shows_video(made.document)
    assert all("only for those who may see video" in page for page in pages_of(made.files["pdf"]))
    (deed,) = [link.deed for link in Store().audit(act="stills")]
    assert deed is not None and (deed.actor, deed.subject) == ("kim", f"document/weekly/0123/{WEEK}")
    rob = Person(name="rob", full_name="Rob Reviewer", role=Role.REVIEWER)
    with pytest.raises(Forbidden):
        week_stills(Store(), week, maker_of(rob), rob)
    assert len(Store().audit(act="stills")) == 1


def test_a_still_that_was_exchanged_is_left_out(reviewed: Reviewed) -> None:
    week = weekly()
    first = Store().findings([reviewed.review.id])[0]
    folder = Path(Store().reviews()[0].folder)
    for name in first.stills:
        (folder / name).write_bytes(b"another picture")
    stills = week_stills(Store(), week, maker_of(KIM), KIM)
    assert stills[first.id] == [] and any(some for some in stills.values())


@pytest.mark.parametrize(
    ("person", "shift", "verdict"),
    [("kim olson", "", "conflict"), ("Kim Olson", "day", "unknown"), ("Lee", "", "unknown"), ("", "", "unknown")],
)
def test_the_reviewer_must_not_have_dealt_on_the_shift_08_04_8(
    reviewed: Reviewed, person: str, shift: str, verdict: str
) -> None:
    duty = Duty(site="0123", day="2026-11-17", shift="evening", person="Kim Olson", duty="paddlewheel")
    Papers(Store()).set_roster([duty], "Max")
    assert weekly(reviewer=person, shift=shift).independence == verdict


def test_what_is_known_is_computed(reviewed: Reviewed, tmp_path: Path) -> None:
    papers = Papers(Store())
    papers.set_roster([Duty(site="0123", day="2026-11-17", shift="evening", person="Lee", duty="twenty-one")], "Max")
    figure = HoldFigure(
        site="0123", day="2026-08-01", game="twenty-one", dealer="Lee", gross_cents=1000000, prizes_cents=950000
    )
    papers.add_figures([figure], "Max")
    assert weekly().week_number == "", "nobody told when the figure became known"
    write_hold(Store(), hold_report(Store(), "2026-Q3", date(2026, 11, 9)), tmp_path / "docs", "Max")
    assert (weekly().answers.determined, weekly().week_number) == ("2026-11-09", "2 of 6")
    report = hold_report(Store(), "2026-Q3", date(2026, 11, 9))
    for count in range(22, 34, 3):
        last = pages_of(hold_pdf(msgspec.structs.replace(report, dealers=report.dealers[:1] * count)))[-1]
        assert last.index("Signed for the percent of hold of quarter 2026-Q3") < last.index("Signature of the person")
    week = weekly(determined="2026-11-10")
    assert week.hold is not None
    assert (week.hold_quarter, week.hold.percent, week.dealers, week.week_number) == ("2026-Q3", 0.05, "Lee", "1 of 6")


def test_the_workbook_holds_header_tables_and_findings_as_text(reviewed: Reviewed) -> None:
    book = load_workbook(io.BytesIO(weekly_xlsx(weekly(conclusion="=1+1", reviewer="Kim"))))
    assert book.sheetnames == ["Week", "Tables", "Findings", "Records", "Attested", "Not assessed"]
    values = {row[0].value: row[1] for row in book["Week"].iter_rows()}
    assert (values["conclusion"].value, values["conclusion"].data_type) == ("'=1+1", "s")
    assert book["Findings"].max_row == 3


@pytest.mark.parametrize(("version", "told"), [(0, "DRAFT: nobody has attested it"), (2, "2")])
@pytest.mark.parametrize("some", [True, False])
def test_the_weekly_tables_tell_the_version_with_or_without_findings(
    reviewed: Reviewed, version: int, told: str, some: bool
) -> None:
    week = weekly() if some else msgspec.structs.replace(weekly(), findings=[])
    rows = list(csv.DictReader(io.StringIO(weekly_csv(week, version).decode(), newline="")))
    assert {row["version"] for row in rows} == {told} and len(rows) == max(1, len(week.findings))
    assert any(row["clause"] for row in rows) == some
    head, *lines = load_workbook(io.BytesIO(weekly_xlsx(week, version)))["Findings"].iter_rows(values_only=True)
    assert {str(line[head.index("version")]) for line in lines} == {told}


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_text_becomes_a_formula(reviewed: Reviewed, text: str) -> None:
    base = weekly()
    nasty = msgspec.structs.replace(base.findings[0], note=text, decided_by=text)
    made = weekly_csv(msgspec.structs.replace(base, findings=[nasty]))
    (row,) = csv.DictReader(io.StringIO(made.decode(), newline=""))
    assert (row["note"], row["decided_by"]) == ("'" + text, "'" + text)


@pytest.mark.parametrize("value", ["plain", "", 3, None, "a=b"])
def test_other_values_stay_as_they_are(value: object) -> None:
    assert guard_formula(value) == value


@pytest.mark.parametrize(
    ("activity", "until"),
    [("2026-11-17", "2027-12-31"), ("2026-01-01", "2027-03-31"), ("2026-06-30", "2027-06-30")],
)
def test_keep_one_year_from_the_end_of_the_quarter_16_1_h(activity: str, until: str) -> None:
    assert keep_until(date.fromisoformat(activity)).isoformat() == until


def test_weeks() -> None:
    assert week_days(WEEK) == (date(2026, 11, 16), date(2026, 11, 22))
    assert week_of("2027-01-01") == "2026-W53"
    assert quarter_of(date(2026, 10, 1)) == "2026-Q4"
    for wrong in ("2026-47", "2026-W54", "W47", ""):
        with pytest.raises(BadInput):
            week_days(wrong)


def test_a_review_folder_tells_site_and_week(reviewed: Reviewed) -> None:
    assert target_week(Store(), None, None, reviewed.out) == ("0123", WEEK)
    with pytest.raises(BadInput, match="--site"):
        target_week(Store(), None, WEEK, None)


@pytest.mark.parametrize("week", [None, WEEK])
def test_a_review_without_a_day_is_to_be_made_again_with_one(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch, week: str | None
) -> None:
    """recording_without_clock: to name the week does not help, as the review would be in none."""
    undated = msgspec.structs.replace(reviewed.review, play_date=None)
    monkeypatch.setattr("verifier.review.weekly_target.read_review", lambda *_: undated)
    with pytest.raises(BadInput, match="no clock was read in the picture; review the recording again with --date"):
        target_week(Store(), None, week, reviewed.out)


def test_minutes_are_read_by_table() -> None:
    assert read_minutes(["2=70", "3=5.5", "2=5"]) == {"2": 75.0, "3": 5.5}
    for wrong in ("2", "=5", "2=x", "2=-1", "2=nan"):
        with pytest.raises(BadInput):
            read_minutes([wrong])


@pytest.mark.parametrize("typed", ["Rob Reviewer", "rob", "R. Reviewer", "Agent AG (agent)", "Röb  Reviewer"])
def test_independence_is_judged_by_the_account_however_the_name_is_typed(reviewed: Reviewed, typed: str) -> None:
    duty = Duty(site="0123", day="2026-11-17", shift="evening", person="rob  REVIEWER", duty="twenty-one")
    Papers(Store()).set_roster([duty], "max")
    rob = Person(name="rob", full_name="Rob Reviewer", role=Role.REVIEWER)
    made = gather_week(Store(), "0123", WEEK, Answers(reviewer=typed), rob)
    assert made.independence == "conflict"
    lee = Person(name="lee", full_name="Lee Dahl", role=Role.REVIEWER)
    assert gather_week(Store(), "0123", WEEK, Answers(reviewer="Lee Dahl"), lee).independence == "clear"


def test_a_typed_name_is_a_statement_and_never_the_actor(reviewed: Reviewed, tmp_path: Path) -> None:
    """Case typed_names_as_actors."""
    first = create_first(Store(), "rob", "Rob Reviewer", "correct horse battery")
    create(Store(), first, NewAccount(name="kim", full_name="Kim Olson", role=Role.MANAGER))
    for typed, says in (
        ("Agent AG (agent)", "it is no account's name, and Rob Reviewer (rob) was signed in"),
        ("Kim Olson (kim)", "it is the name of the account kim, and Rob Reviewer (rob) was signed in"),
    ):
        made = gather_week(Store(), "0123", WEEK, Answers(reviewer=typed, attested=True), first)
        assert says in made.typed
        kept = write_weekly(made, tmp_path, Store(), "again", maker_of(first)).document
        deed = Store().audit(act="document")[-1].deed
        assert deed is not None
        assert (deed.actor, kept.made_by) == ("rob", "Rob Reviewer (rob)")
        log = gather_day(
            Store(), "0123", date(2026, 11, 17), [Check(table="2", unobstructed=True)], (), typed, person=first
        )
        daily = write_daily(Store(), log, tmp_path, "again", maker_of(first)).document
        assert (daily.made_by, says in daily.body) == ("Rob Reviewer (rob)", True)
    assert gather_week(Store(), "0123", WEEK, Answers(reviewer="rob reviewer"), first).typed == ""
    write_weekly(weekly(reviewer="Kim Olson", attested=True), tmp_path, Store(), "again")
    deed = Store().audit(act="document")[-1].deed
    assert deed is not None and deed.actor.endswith(" at the command line")
