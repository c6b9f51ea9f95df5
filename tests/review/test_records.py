"""The site's records: taken in as a whole or not at all, kept in versions, and judged with the recordings."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from batch_fakes import make_table, record
from batch_night import run_night
from pypdf import PdfReader
from review_fakes import SHOWN, fake_stages, finding, write_inputs

from verifier.cli import run
from verifier.domain.findings import FindingsReport
from verifier.formats.events import read_events
from verifier.formats.findings import read_findings
from verifier.review.documents.daily import gather_day
from verifier.review.documents.daily_files import daily_pdf
from verifier.review.recording import Reviewed, review_recording
from verifier.review.records.joining import OF_THE_SITE
from verifier.review.weekly import gather_week
from verifier.review.weekly_files import weekly_pdf
from verifier.review.weekly_values import Answers
from verifier.store.repository import Store
from verifier.store.site_records import SiteRecords

DAY = "2026-11-17"
"""The day that the stand-in recording shows, of site 0123, table 2."""
SLIPS = """\
number,site,date,time,table,game,chips.5,chips.1,grand_total,preparer_role,cashier_initials,runner_initials,original_kept
101,0123,2026-11-17,9:15 p.m.,2,21,20,50,$150.00,cashier,CC,RR,yes
"""
COUNTS = """\
site;activity_date;table;counters.1.name;counters.1.role;counters.2.name;counters.2.role;counts.1;counts.2;initials;dated
0123;2026-11-17;2;Ann;independent person;Bob;gaming employee;500.00;500.00;AA,BB;yes
"""
HEADER, TOTALS, TEAM = "ND-08-05.3.a-slip-header", "ND-08-05.3.b-slip-quantities", "ND-08-14.2-two-person-team"
Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return to


def reviewed(folder: Path) -> Reviewed:
    video, layout, house = write_inputs(folder)
    return review_recording(video, layout, house, folder / "out", stages=fake_stages(SHOWN, finding()))


def verdicts(report: FindingsReport) -> dict[str, str]:
    return {row.clause: row.verdict for row in report.clauses}


def stored(number: int = 0) -> FindingsReport:
    return read_findings(Path(Store().reviews()[number].folder) / "findings.json")


def test_slips_and_counts_are_judged_by_the_next_review(tmp_path: Path, write: Write) -> None:
    assert run(["records", "import", str(write("slips.csv", SLIPS)), "--kind", "fill_slip"]) == 0
    assert run(["records", "import", str(write("counts.csv", COUNTS)), "--kind", "drop_count"]) == 0
    made = reviewed(tmp_path / "night")
    assert {verdicts(made.report)[clause] for clause in (HEADER, TOTALS, TEAM)} == {"pass"}
    assert verdicts(stored()) == verdicts(made.report)
    assert read_events(made.out / "events.jsonl").events[0].name == "record_entry"


def test_without_records_these_clauses_are_not_assessed(tmp_path: Path) -> None:
    reviewed(tmp_path / "night")
    assert run(["recheck", "--save"]) == 4
    assert {verdicts(stored())[clause] for clause in (HEADER, TOTALS, TEAM)} == {"not_assessed"}


def test_a_night_judges_them_too(tmp_path: Path, write: Write) -> None:
    run(["records", "import", str(write("slips.csv", SLIPS)), "--kind", "fill_slip"])
    record(make_table(tmp_path / "table") / "a.mp4", 8, clock=f"{DAY}T21:00:00")
    run_night(tmp_path / "table")
    assert verdicts(stored())[HEADER] == "pass"


def test_an_import_judges_the_stored_reviews_of_its_days_again(
    tmp_path: Path, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    reviewed(tmp_path / "night")
    wrong = SLIPS.replace("$150.00", "$160.00")
    assert run(["records", "import", str(write("slips.csv", wrong)), "--kind", "fill_slip"]) == 4
    assert "fill slip number 101 (slips.csv: line 2): its total says $160.00" in capsys.readouterr().out
    (found,) = [one for one in Store().findings() if one.finding.clause == TOTALS and one.current]
    assert found.clip is None and found.finding.verdict == "violation"
    assert run(["records", "import", str(write("again.csv", SLIPS)), "--kind", "fill_slip"]) == 0
    assert verdicts(stored())[TOTALS] == "pass"
    assert not [one for one in Store().findings() if one.finding.clause == TOTALS and one.current]


def test_a_further_import_of_a_slip_is_its_next_version_and_the_earlier_one_stays(write: Write) -> None:
    store = Store()
    for name, text in (("a.csv", SLIPS), ("b.csv", SLIPS), ("c.csv", SLIPS.replace("CC", "CD"))):
        run(["records", "import", str(write(name, text)), "--kind", "fill_slip"])
    (one,) = SiteRecords(store).standing()
    assert (one.version, one.fields["cashier_initials"]) == (2, "CD")
    assert [each.fields["cashier_initials"] for each in SiteRecords(store).versions(one)] == ["CD", "CC"]
    assert [link.deed.detail["versions"] for link in store.audit(act="records") if link.deed] == ["0", "0", "1"]
    assert run(["evidence", "log"]) == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (SLIPS.replace("$150.00", "12,50"), "line 2"),
        (
            SLIPS + SLIPS.splitlines()[1].replace("101,", "102,").replace("2026-11-17", "11/02/2026"),
            "line 3, column date",
        ),
        (SLIPS.replace("cashier_initials", "cashier_initial"), "did you mean cashier_initials"),
        (SLIPS + SLIPS.splitlines()[1], "tells of the same fill_slip as line 2"),
        (SLIPS.replace(",0123,", ",,"), "tells no site"),
        (SLIPS.splitlines()[0], "holds no records"),
        ("", "holds no records"),
    ],
)
def test_bad_input_is_one_line_and_nothing_of_it_is_kept(
    write: Write, capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    good = write("good.csv", SLIPS.replace("101,", "99,"))
    assert run(["records", "import", str(good), str(write("bad.csv", text)), "--kind", "fill_slip"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line and "bad.csv" in line
    assert SiteRecords(Store()).standing() == [] and Store().audit(act="records") == []


def test_a_slip_of_another_table_or_day_says_nothing_of_this_play(tmp_path: Path, write: Write) -> None:
    first = SLIPS.splitlines()[1]
    others = [
        first.replace("p.m.,2,", "p.m.,3,").replace("CC", "(blank)"),
        first.replace("101,", "100,").replace("-17", "-16").replace("CC", "(blank)"),
    ]
    text = "\n".join([SLIPS.splitlines()[0], others[0].replace("101,", "102,").replace("9:15", "10:15"), others[1]])
    run(["records", "import", str(write("slips.csv", text)), "--kind", "fill_slip"])
    made = reviewed(tmp_path / "night")
    initials = "ND-08-05.3.c-slip-initials"
    assert verdicts(made.report)[initials] == "not_assessed"
    run(["records", "import", str(write("own.csv", SLIPS)), "--kind", "fill_slip"])
    assert verdicts(stored())[initials] == "pass"
    assert verdicts(stored())["ND-08-05.2-slip-numbering"] == "pass"  # it follows number 100 of the day before


def test_another_tables_record_is_no_pass_of_this_one(tmp_path: Path, write: Write) -> None:
    other = COUNTS.replace(";2;Ann", ";3;Ann").replace("table;", "table;drop_box_number;").replace(";3;Ann", ";3;3;Ann")
    run(["records", "import", str(write("counts.csv", other)), "--kind", "drop_count"])
    box = "ND-08-02.2-drop-box-number"
    assert verdicts(reviewed(tmp_path / "night").report)[box] not in ("pass", "violation")
    run(["records", "import", str(write("own.csv", other.replace(";3;3;", ";2;2;"))), "--kind", "drop_count"])
    assert verdicts(stored())[box] == "pass"


def test_a_fault_of_the_site_is_no_finding_of_each_recording(tmp_path: Path, write: Write) -> None:
    text = "site,date,hand_signals,age_21\n0123,2026-01-01,(blank),yes\n"
    run(["records", "import", str(write("posted.csv", text)), "--kind", "disclosure"])
    made = reviewed(tmp_path / "night")
    rows = {row.clause: row for row in made.report.clauses}
    signals = rows["ND-08-13.2.c-hand-signals"]
    assert (signals.verdict, signals.why) == ("violation", OF_THE_SITE)
    assert rows["ND-08-13.2.b-age-21"].verdict == "pass"
    assert "ND-08-13.2.c-hand-signals" not in {one.clause for one in made.report.findings}


def test_what_holds_until_it_is_changed_is_judged_as_of_the_day_of_play(tmp_path: Path, write: Write) -> None:
    text = "site,date,age_21\n0123,2026-01-01,(blank)\n0123,2026-11-17,yes\n0123,2026-11-18,(blank)\n"
    run(["records", "import", str(write("posted.csv", text)), "--kind", "disclosure"])
    assert verdicts(reviewed(tmp_path / "night").report)["ND-08-13.2.b-age-21"] == "pass"


def test_a_site_is_kept_under_the_name_that_the_store_knows(tmp_path: Path, write: Write) -> None:
    reviewed(tmp_path / "night")
    run(["records", "import", str(write("slips.csv", SLIPS.replace(",0123,", ",123,"))), "--kind", "fill_slip"])
    assert SiteRecords(Store()).sites() == ["0123"]


def test_the_site_is_told_its_faults_once_with_and_without_a_recording(
    tmp_path: Path, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    posted = "site,date,hand_signals,age_21\n0123,2026-01-01,(blank),yes\n"
    run(["records", "import", str(write("posted.csv", posted)), "--kind", "disclosure"])
    run(["records", "import", str(write("slips.csv", SLIPS.replace("CC", "(blank)"))), "--kind", "fill_slip"])
    capsys.readouterr()
    assert run(["records", "check", "--site", "0123", "--from", DAY, "--to", DAY]) == 4
    told = capsys.readouterr().out
    assert "ND-08-13.2.c-hand-signals" in told and "ND-08-05.3.c-slip-initials 2026-11-17" in told
    assert run(["records", "check", "--site", "0123", "--from", "2026-11-18", "--to", "2026-11-19"]) == 4
    later = capsys.readouterr().out
    assert "ND-08-13.2.c-hand-signals" in later and "slip-initials" not in later
    assert (
        run(["records", "check", "--site", "0123", "--from", "2025-11-18", "--to", "2025-11-19"]) == 0
    )  # not yet posted


def test_the_weekly_and_the_daily_document_tell_what_the_records_show(tmp_path: Path, write: Write) -> None:
    posted = "site,date,hand_signals\n0123,2026-01-01,(blank)\n"
    others = SLIPS.replace("CC", "(blank)").replace("p.m.,2,", "p.m.,3,") + SLIPS.splitlines()[1].replace(
        "101,", "102,"
    ).replace("CC", "(blank)")
    run(["records", "import", str(write("posted.csv", posted)), "--kind", "disclosure"])
    run(["records", "import", str(write("slips.csv", others)), "--kind", "fill_slip"])
    reviewed(tmp_path / "night")
    week = gather_week(Store(), "0123", "2026-W47", Answers())
    initials = [one.observed for one in week.findings if one.clause == "ND-08-05.3.c-slip-initials"]
    assert len(initials) == 1 and "number 102" in initials[0]
    assert [one.clause for one in week.papers if one.clause.startswith("ND-08-13")] == ["ND-08-13.2.c-hand-signals"]
    (table_3,) = [one for one in week.papers if one.clause == "ND-08-05.3.c-slip-initials"]
    assert "number 101" in table_3.observed
    day = gather_day(Store(), "0123", date.fromisoformat(DAY), [])
    assert {one.clause for one in day.papers} >= {"ND-08-13.2.c-hand-signals", "ND-08-05.3.c-slip-initials"}
    assert "Post: hand signals required" in text_of(weekly_pdf(week)) and "number 101" in text_of(daily_pdf(day))


def text_of(pdf: bytes) -> str:
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def test_a_withdrawn_record_counts_no_longer_and_its_versions_stay(
    tmp_path: Path, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    reviewed(tmp_path / "night")
    run(["records", "import", str(write("slips.csv", SLIPS)), "--kind", "fill_slip"])
    assert verdicts(stored())[HEADER] == "pass"
    (one,) = SiteRecords(Store()).standing()
    capsys.readouterr()
    assert run(["records", "withdraw", str(one.id), "--reason", "of another site"]) == 0
    assert "1 stored reviews judged again" in capsys.readouterr().out
    assert verdicts(stored())[HEADER] == "not_assessed" and SiteRecords(Store()).standing() == []
    assert [(each.version, each.withdrawn) for each in SiteRecords(Store()).versions(one)] == [
        (2, "of another site"),
        (1, ""),
    ]
    run(["records", "list", "--versions"])
    listed = capsys.readouterr().out
    assert "withdrawn: of another site" in listed and len(listed.splitlines()) == 2
    assert run(["evidence", "log"]) == 0
    again = run(["records", "import", str(write("again.csv", SLIPS)), "--kind", "fill_slip"])
    assert (again, verdicts(stored())[HEADER]) == (0, "pass")
    assert SiteRecords(Store()).standing()[0].version == 3


@pytest.mark.parametrize(
    ("number", "reason", "says"),
    [("99", "why", "record 99: is not kept"), ("1", "  ", "no reason is given"), ("1", "why", "withdrawn meanwhile")],
)
def test_what_cannot_be_withdrawn_is_told_in_one_line(
    write: Write, capsys: pytest.CaptureFixture[str], number: str, reason: str, says: str
) -> None:
    run(["records", "import", str(write("slips.csv", SLIPS)), "--kind", "fill_slip"])
    if says == "withdrawn meanwhile":
        run(["records", "import", str(write("next.csv", SLIPS.replace("CC", "CD"))), "--kind", "fill_slip"])
    capsys.readouterr()
    assert run(["records", "withdraw", number, "--reason", reason]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line and len(SiteRecords(Store()).standing()) == 1
