"""The page of records: a manager brings a file in, a reader sees what is kept and brings nothing in."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page
from test_dashboard_browser import CHROMIUM, REQUIRED, sign_in

from verifier.cli import run
from verifier.review.people.accounts import NewAccount, create, create_first
from verifier.review.people.roles import Act, Person, Role
from verifier.store.repository import Store
from verifier.store.site_records import SiteRecords

SLIPS = """\
number,date,time,table,game,chips.5,grand_total,preparer_role,cashier_initials
101,2026-11-17,9:15 p.m.,2,21,20,$110.00,cashier,CC
"""


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None and not REQUIRED, reason="no Chromium is installed")
def test_a_manager_brings_slips_in_and_the_review_tells_their_fault(
    address: str,
    page: Page,
    tmp_path: Path,
) -> None:
    """A file with a fault keeps nothing and says where; the mended one is kept, judged and listed."""
    sign_in(page, address, "kim")
    page.goto(f"{address}/records")
    bring_in(page, tmp_path / "wrong.csv", SLIPS.replace("2026-11-17", "11/02/2026"))
    page.get_by_text("wrong.csv: line 2, column date: 11/2/2026 may be either of two days").wait_for()
    assert SiteRecords(Store()).standing() == []
    bring_in(page, tmp_path / "slips.csv", SLIPS)
    page.get_by_text("1 new, 0 in a further version").wait_for()
    page.get_by_text("Reviews judged again: 1").wait_for()
    (kept,) = SiteRecords(Store()).standing()
    assert (kept.site, kept.made_by) == ("0123", "kim")
    (found,) = [one for one in Store().findings() if one.finding.clause == "ND-08-05.3.b-slip-quantities"]
    assert "its total says $110.00" in found.finding.observed


def bring_in(page: Page, file: Path, text: str) -> None:
    """Uploads a file of slips of site 0123."""
    file.write_text(text)
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text(file.name).first.wait_for()
    page.get_by_label("Site of rows that name none").fill("0123")
    choice = page.get_by_test_id("stForm").get_by_role("combobox")
    choice.fill("Fill slips")
    page.get_by_role("option", name="Fill slips", exact=True).click()
    page.get_by_role("button", name="Keep these records").click()


@pytest.mark.parametrize("role", list(Role))
def test_a_manager_and_an_administrator_may_keep_records_and_nobody_else(tmp_path: Path, role: Role) -> None:
    chief = create_first(Store(), "ada", "Ada Admin", "correct horse battery")
    create(Store(), chief, NewAccount(name="max", full_name="Max Berg", role=role, password="correct horse battery"))
    may = Person(name="max", full_name="Max Berg", role=role, authority=True).may(Act.RECORDS)
    assert may == (role in (Role.MANAGER, Role.ADMINISTRATOR))
    file = tmp_path / "slips.csv"
    file.write_text(SLIPS)
    command = ["records", "import", str(file), "--site", "0123", "--kind", "fill_slip", "--by", "max"]
    assert run(command) == (0 if may else 2)
    assert len(SiteRecords(Store()).standing()) == may
    (*_, deed) = [link.deed for link in Store().audit() if link.deed]
    assert not may or (deed.act, deed.detail["named"]) == ("records", "max")


def test_an_account_that_is_none_brings_nothing_in(tmp_path: Path) -> None:
    file = tmp_path / "slips.csv"
    file.write_text(SLIPS)
    assert run(["records", "import", str(file), "--site", "0123", "--kind", "fill_slip", "--by", "nobody"]) == 2
    assert SiteRecords(Store()).standing() == []
