"""Daily log and percent-of-hold: clocks of repair, triggers, figures from CSV, documents that say what they are."""

from __future__ import annotations

import csv
import re
from datetime import date
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook
from pypdf import PdfReader
from review_fakes import fake_stages, finding, write_inputs

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.review.documents.daily import Check, gather_day
from verifier.review.documents.daily_checks import read_checks
from verifier.review.documents.daily_files import daily_pdf
from verifier.review.documents.daily_files import sheet as daily_sheet
from verifier.review.documents.hold import hold_report, summed
from verifier.review.documents.hold_figures import cents, read_figures
from verifier.review.documents.hold_files import hold_pdf, sheet
from verifier.review.documents.quarters import quarter_before, quarter_days
from verifier.review.documents.roster import read_roster
from verifier.review.documents.rules import rules_of
from verifier.review.recording import review_recording
from verifier.store.papers import HoldFigure, Papers
from verifier.store.repository import Store

DAY = date(2026, 11, 17)
HEADER = "site,day,game,dealer,gross_proceeds,prizes\n"


def figure(**changes: object) -> HoldFigure:
    fields = {
        "site": "0123",
        "day": "2026-08-01",
        "game": "twenty-one",
        "dealer": "Kim",
        "gross_cents": 100000,
        "prizes_cents": 80000,
        **changes,
    }
    return HoldFigure(**fields)  # type: ignore[arg-type]


def words(pdf: bytes, tmp_path: Path) -> str:
    (tmp_path / "a.pdf").write_bytes(pdf)
    return " ".join(" ".join(page.extract_text().split()) for page in PdfReader(tmp_path / "a.pdf").pages)


@pytest.mark.parametrize(
    ("game", "prizes", "cites"),
    [
        ("twenty-one", 90000, []),  # exactly 10 % is not below
        ("twenty-one", 90001, ["99-01.3-08-04(8)"]),
        ("paddlewheel", 85000, []),
        ("paddlewheel", 85001, ["99-01.3-08-04(8)"]),
        ("twenty-one", 100000, ["99-01.3-08-04(8)"]),  # prizes equal to proceeds do not exceed them
        ("twenty-one", 100001, ["99-01.3-08-04(8)", "99-01.3-08-01(3)"]),
    ],
)
def test_triggers_of_a_quarter(game: str, prizes: int, cites: list[str]) -> None:
    Papers(Store()).add_figures([figure(game=game, prizes_cents=prizes)], "Lee")
    report = hold_report(Store(), "2026-Q3", date(2026, 10, 20))
    assert [duty.cite for duty in report.duties] == cites
    assert bool(report.plan) is bool(cites)


def test_the_plan_is_six_continuous_weeks_from_the_next_monday_and_knows_what_was_documented() -> None:
    Papers(Store()).add_figures([figure(prizes_cents=99000)], "Lee")
    plan = hold_report(Store(), "2026-Q3", date(2026, 10, 20)).plan["0123"]
    assert [one.week for one in plan] == [f"2026-W{number}" for number in range(44, 50)]
    assert {one.document_version for one in plan} == {0}


def test_dealers_are_told_apart_by_site_and_summed_over_days() -> None:
    figures = [figure(), figure(day="2026-08-02"), figure(site="0456"), figure(dealer="Lee")]
    dealers = summed(figures, by_dealer=True)
    assert [(one.site, one.dealer, one.gross_cents) for one in dealers] == [
        ("0123", "Kim", 200000),
        ("0123", "Lee", 100000),
        ("0456", "Kim", 100000),
    ]


@given(st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), min_size=1, max_size=12))
def test_money_is_conserved_whichever_way_it_is_summed(amounts: list[tuple[int, int]]) -> None:
    figures = [figure(dealer=f"D{i % 3}", gross_cents=g, prizes_cents=p) for i, (g, p) in enumerate(amounts)]
    by_site, by_dealer = summed(figures, by_dealer=False), summed(figures, by_dealer=True)
    assert sum(one.agp_cents for one in by_site) == sum(one.agp_cents for one in by_dealer)
    assert sum(one.agp_cents for one in by_site) == sum(g - p for g, p in amounts)


def test_without_proceeds_there_is_no_percentage_and_no_trigger_but_prizes_count() -> None:
    Papers(Store()).add_figures([figure(gross_cents=0, prizes_cents=100)], "Lee")
    report = hold_report(Store(), "2026-Q3", date(2026, 10, 20))
    assert report.sites[0].percent is None
    assert [duty.cite for duty in report.duties] == ["99-01.3-08-01(3)"]


def test_figures_are_read_from_csv(tmp_path: Path) -> None:
    path = tmp_path / "figures.csv"
    path.write_text("﻿" + HEADER + '0123,2026-08-01,Twenty-One,Kim,"$1,234.50",1000\n', encoding="utf-8")
    (one,) = read_figures(path)
    assert (one.gross_cents, one.prizes_cents, one.game) == (123450, 100000, "twenty-one")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("0123,2026-08-01,bingo,Kim,1,1", "line 2: game"), ("0123,2026-13-01,twenty-one,Kim,1,1", "is no date"),
        ("0123,2026-08-01,twenty-one,Kim,1.005,1", "no amount"), ("0123,2026-08-01,twenty-one,Kim,-1,1", "no amount"),
        ("0123,2026-08-01,twenty-one,,1,1", "dealer is empty"), ("0123,2026-08-01,twenty-one,Kim,NaN,1", "no amount"),
        ("", "holds no figures"),
        ("0123,2026-08-01,twenty-one,Kim,5,1\n0123,2026-08-01,twenty-one,Kim,500,1",
         "line 3: Kim has figures of twenty-one on 2026-08-01 in line 2 already"),
    ],
)  # fmt: skip
def test_bad_figures_are_refused_with_the_line(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "f.csv").write_text(HEADER + line)
    with pytest.raises(BadInput, match=says):
        read_figures(tmp_path / "f.csv")


@pytest.mark.parametrize(
    "amount",
    [
        "1e999999",
        "-1e999999",
        "1e-999999",
        "9" * 4000,
        "Infinity",
        "sNaN",
        "100000000.01",
        "1_0",
        "1e3",
        "١٢",
        '"1,2,3"',
    ],
)
@pytest.mark.parametrize("column", ["gross_proceeds", "prizes"])
def test_a_figure_that_no_till_knows_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], column: str, amount: str
) -> None:
    """The case hold_overflow, in each column: the line and the column are named, and nothing is stored."""
    amounts = (amount, "1") if column == "gross_proceeds" else ("1", amount)
    (tmp_path / "f.csv").write_text(HEADER + f"0123,2026-08-01,twenty-one,Kim,{','.join(amounts)}\n")
    asked = ["hold", "--quarter", "2026-Q3", "--figures", str(tmp_path / "f.csv"), "--out", str(tmp_path / "out")]
    assert run(asked) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert f"line 2, {column}" in line
    assert len(line) < 400
    assert Papers(Store()).figures("2026-01-01", "2026-12-31") == []


@pytest.mark.parametrize(
    ("quarter", "site"), [("2026-Q5", None), ("2026-Q2", None), ("2026-Q4", None), ("2026-Q3", "0124")]
)
def test_figures_of_another_quarter_or_site_than_asked_are_not_stored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], quarter: str, site: str | None
) -> None:
    (tmp_path / "f.csv").write_text(HEADER + "0123,2026-07-01,twenty-one,Kim,2,1\n0123,2026-09-30,twenty-one,Kim,2,1\n")
    asked = ["hold", "--figures", str(tmp_path / "f.csv"), "--out", str(tmp_path / "out")]
    assert run([*asked, "--quarter", quarter, *(["--site", site] if site else [])]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert Papers(Store()).figures("2026-01-01", "2026-12-31") == []
    assert run([*asked, "--quarter", "2026-Q3"]) in (0, 4)
    assert "Stored: 2 figures" in capsys.readouterr().out
    assert len(Papers(Store()).figures("2026-07-01", "2026-09-30")) == 2


def test_the_largest_amount_is_taken() -> None:
    assert cents("x", "100000000") == 100_000_000_00


def test_amounts() -> None:
    assert [cents("x", text) for text in ("0", "12.5", "$1,000.00", "12.05 ")] == [0, 1250, 100000, 1205]


def test_the_hold_document_tells_figures_duties_plan_and_forms(tmp_path: Path) -> None:
    Papers(Store()).add_figures([figure(prizes_cents=101000, dealer="=Kim")], "Lee")
    report = hold_report(Store(), "2026-Q3", date(2026, 10, 20))
    text = words(hold_pdf(report, 2), tmp_path)
    for part in ("2026-Q3", "BELOW 10 %", "$1,000.00", "−$10.00", "2026-W44", "SFN 18863", "08-04(7)", "2026-10-30"):
        assert part in text
    assert sheet(report.dealers)["dealer"].tolist() == ["'=Kim"]


@pytest.mark.parametrize(
    ("check", "day", "overdue"),
    [
        (Check(table="2", first_seen="2026-11-13T20:00", active_hours=48), DAY, False),
        (Check(table="2", first_seen="2026-11-13T20:00", active_hours=48.1), DAY, True),
        (Check(table="2", first_seen="2026-11-13T20:00", active_hours=1), date(2026, 11, 18), True),
        (Check(table="2", first_seen="2026-11-13T20:00", active_hours=60, repaired="2026-11-14T12:00"), DAY, False),
        (Check(table="2", first_seen="2026-11-13T20:00", active_hours=60, action="closed"), DAY, False),
        (Check(table="2", first_seen="2026-11-13T20:00", active_hours=60, action="Limited to $2"), DAY, False),
        (Check(table="2", first_seen="2026-11-13T20:00", active_hours=60, action="vendor called"), DAY, True),
    ],
)
def test_a_repair_has_48_hours_of_activity_or_4_calendar_days_08_04_6(check: Check, day: date, overdue: bool) -> None:
    log = gather_day(Store(), "0123", day, [check])
    assert bool(log.overdue) is overdue


def test_the_software_supports_and_the_employee_attests(tmp_path: Path) -> None:
    video, layout, house = write_inputs(tmp_path)
    review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding("ND-08-04.3-clean-dome")))
    bare = gather_day(Store(), "0123", DAY, [])
    assert not bare.attested
    assert "Not yet a record" in words(daily_pdf(bare), tmp_path)
    assert any("Payoff fanned" in line for line in bare.lines[0].support)
    full = gather_day(Store(), "0123", DAY, [Check(table="2", unobstructed=True)], employee="Kim Olson", initials="KO")
    assert full.attested
    text = words(daily_pdf(full), tmp_path)
    assert "Kim Olson" in text
    assert "Not yet a record" not in text
    assert full.keep_until == "2029-12-31"


def test_checks_are_read_from_csv(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("table,unobstructed,cards,first_seen,active_hours\n2,Yes,no,2026-11-16T20:00,3.5\n")
    assert read_checks(path) == [
        Check(table="2", unobstructed=True, cards=False, first_seen="2026-11-16T20:00", active_hours=3.5)
    ]
    for bad in ("table,x\n2,1\n", "table,cards\n2,maybe\n", "table,first_seen\n2,noon\n", "table,active_hours\n2,-1\n"):
        path.write_text(bad)
        with pytest.raises(BadInput):
            read_checks(path)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "f.csv").write_text(HEADER + "0123,2026-08-01,twenty-one,Kim,1000,950\n")
    (tmp_path / "r.csv").write_text("site,day,shift,person,duty\n0123,2026-11-17,evening,Kim,Twenty-one\n")
    out = ["--out", str(tmp_path / "docs"), "--by", "Lee"]
    assert run(["hold", "--quarter", "2026-Q3", "--figures", str(tmp_path / "f.csv"), *out]) == 4
    assert run(["hold", "--quarter", "2026-Q3", *out]) == 2
    assert "--reason" in capsys.readouterr().err
    assert run(["hold", "--quarter", "2026-Q2", *out]) == 2
    assert run(["roster", str(tmp_path / "r.csv")]) == 0
    assert read_roster(tmp_path / "r.csv")[0].duty == "twenty-one"
    daily = ["daily", "--site", "0123", "--date", "2026-11-17", "--table", "2", "--out", str(tmp_path / "docs")]
    assert run(daily) == 0
    assert run(daily) == 0, "a draft is made anew without a reason"
    assert (tmp_path / "docs" / "daily-0123-2026-11-17-draft.xlsx").exists()
    assert Papers(Store()).documents("daily") == []
    assert daily_versions(tmp_path / "docs" / "daily-0123-2026-11-17-draft") == {"DRAFT: nobody has attested it"}
    (tmp_path / "c.csv").write_text("table,unobstructed\n2,yes\n")
    attested = [*daily, "--checks", str(tmp_path / "c.csv"), "--employee", "Kim Olson"]
    assert [run(attested), run(attested)] == [0, 2]
    assert "--reason" in capsys.readouterr().err
    assert (tmp_path / "docs" / "daily-0123-2026-11-17-v1.xlsx").exists()
    assert daily_versions(tmp_path / "docs" / "daily-0123-2026-11-17-v1") == {"1"}
    empty = msgspec.structs.replace(gather_day(Store(), "0123", date(2026, 11, 17), []), lines=[])
    told = daily_sheet(empty, 0)["version"].tolist()
    assert told == ["DRAFT: nobody has attested it"], "a log without tables tells it too"


def daily_versions(stem: Path) -> set[str]:
    """What the two tables of a daily log tell as its version."""
    (first, *lines), book = list(csv.reader(stem.with_suffix(".csv").open())), load_workbook(stem.with_suffix(".xlsx"))
    head, *rows = book["Daily log"].iter_rows(values_only=True)
    told = [line[first.index("version")] for line in lines]
    return {*told, *(str(row[head.index("version")]) for row in rows)}


def test_quarters() -> None:
    assert quarter_days("2026-Q4") == (date(2026, 10, 1), date(2026, 12, 31))
    assert quarter_before(date(2026, 2, 3)) == "2025-Q4"
    for wrong in ("2026-Q5", "Q1", "2026"):
        with pytest.raises(BadInput):
            quarter_days(wrong)


@pytest.mark.parametrize(
    ("rulebook", "says"),
    [
        ("house-manual", "a casino's own rules, not law"),
        ("wa-blackjack-a", "a proposal of 1999 that is not shown as adopted"),
    ],
)
def test_papers_of_another_rulebook_cite_no_section_of_north_dakota(rulebook: str, says: str, tmp_path: Path) -> None:
    """The heads of the daily log and of percent-of-hold follow the rules that the tables are played by."""
    video, layout, house = write_inputs(tmp_path)
    review_recording(video, layout, house, tmp_path / "out", stages=fake_stages())
    (review,) = Store().reviews()
    store = Store()
    store.save_review(msgspec.structs.replace(review, rulebook=rulebook), [])
    Papers(store).add_figures([figure(site=review.site, gross_cents=10000, prizes_cents=12000)], "Kim")
    log = gather_day(store, review.site or "", date.fromisoformat(review.play_date or ""), [])
    daily = words(daily_pdf(log), tmp_path).replace("\u2019", "'")
    held = words(hold_pdf(hold_report(store, "2026-Q3", DAY)), tmp_path).replace("\u2019", "'")
    for text in (daily, held):
        assert says in text
        assert "not by North Dakota's rules" in text
        assert re.search(r", text of \d{4}-01-01", text)
        assert not re.search(r"99-01\.3|SFN|attorney general", text)
    store.save_review(msgspec.structs.replace(review, id="another", table="9"), [])
    both = words(hold_pdf(hold_report(store, "2026-Q3", DAY)), tmp_path)
    assert "N.D. Admin. Code 99-01.3-08-01(3)" in both
    assert "at some of the tables" in both


def test_the_head_of_a_page_says_whose_rules_apply() -> None:
    """A page over a table of another rulebook names that rulebook in the place of North Dakota's section."""
    section = "99-01.3-08-04(6)"
    assert rules_of([]).cited(section, "look.") == "N.D. Admin. Code 99-01.3-08-04(6): look."
    washington = rules_of(["wa-blackjack-b"]).cited(section, "look.")
    assert washington.startswith(
        "Look. Judged by Washington blackjack, proposal B (WAC 230-40-125, second version; a proposal"
    )
    assert washington.endswith("not by North Dakota's rules.")
    assert section not in washington
    assert rules_of(["wa-blackjack-b", "nd-twenty-one"]).cited(section, "look.").endswith("at some of the tables.")
    poker = rules_of(["nd-poker"]).cited(section, "look.")
    assert "North Dakota poker (N.D. Admin. Code section 99-01.3-09-04; law in force)" in poker
    assert poker.endswith("not by North Dakota's rules of twenty-one.") and section not in poker


def test_documents_name_the_games_that_were_played() -> None:
    assert rules_of([]).games == rules_of(["house-manual"]).games == "twenty-one"
    assert rules_of(["nd-poker"]).games == "poker"
    both = rules_of(["nd-poker", "nd-twenty-one"])
    assert both.games == "twenty-one and poker" and both.north_dakota and len(both.others) == 1
