"""One person's whole way through the room in a real browser: a verdict, the document, the evidence, the zones."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Download, Page, expect
from pypdf import PdfReader
from review_fakes import FAN, finding
from test_dashboard_browser import PATIENCE_S, address, enter, page, pytestmark  # noqa: F401 - fixtures and marks

from verifier.domain.findings import Unconfirmed
from verifier.formats.layout import read_layout
from verifier.review.products import keep_unconfirmed
from verifier.store.papers import Papers
from verifier.store.repository import Store


def shot(page: Page, name: str) -> None:  # noqa: F811
    """A picture of the page for who wants to look at it (VERIFIER_SCREENSHOTS names the folder)."""
    folder = os.environ.get("VERIFIER_SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def printed_text(page: Page, path: Path) -> str:  # noqa: F811
    """What stands on the page printed on paper, once the page is whole."""
    page.locator('[data-test-script-state="notRunning"]').wait_for()
    page.emulate_media(media="print")
    page.pdf(path=path)
    page.emulate_media(media="screen")
    if folder := os.environ.get("VERIFIER_SCREENSHOTS"):
        (Path(folder) / path.name).write_bytes(path.read_bytes())
    text = "".join(sheet.extract_text() for sheet in PdfReader(path).pages)
    return unicodedata.normalize("NFKC", text)  # ligatures


def turn_to(page: Page, title: str, heading: str) -> None:  # noqa: F811
    """Opens a page by its entry in the menu."""
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True).click()
    page.get_by_role("heading", name=heading).first.wait_for()


def downloaded(page: Page, button: str) -> Download:  # noqa: F811
    """What a download button gives."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button).click()
    return waiting.value


def verifier(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command line, as the person at another desk does."""
    command = [sys.executable, "-c", "from verifier.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_from_the_queue_to_the_signed_evidence(address: str, page: Page, tmp_path: Path) -> None:  # noqa: F811
    enter(page, address, "kim")
    page.get_by_role("button", name="Look at it").first.wait_for()
    shot(page, "queue")
    page.get_by_role("button", name="Start with the first open finding").click()
    page.get_by_role("button", name="Confirm: it happened").wait_for()
    page.get_by_text("with what the software saw in it").wait_for()
    page.get_by_text("North Dakota twenty-one, text of 2025-01-01, law in force").wait_for()
    page.get_by_text("What was seen, in order").wait_for()
    shot(page, "finding")
    printed = " ".join(printed_text(page, tmp_path / "finding.pdf").split())
    assert "The payoff of $5.00 stayed a stack." in printed
    assert "What was seen, in order" in printed and "Sign out" not in printed, "the page to its end, without the menu"
    page.get_by_role("button", name="Confirm: it happened").click()
    page.get_by_text("The hands were out of the picture.").wait_for()
    (verdict,) = Store().verdicts()
    assert verdict.decision == "confirmed"

    turn_to(page, "Weekly document", "Weekly review documentation")
    page.get_by_text("1 not yet decided").wait_for()
    page.get_by_role("button", name="Make the document").click()
    document = downloaded(page, "Download the PDF")
    assert Path(document.path()).read_bytes().startswith(b"%PDF")
    shot(page, "weekly")
    assert [one.version for one in Papers(Store()).documents("weekly")] == [1]

    turn_to(page, "Evidence", "Evidence")
    page.get_by_text("A review", exact=True).click()
    page.get_by_role("button", name="Make the bundle").click()
    bundle = tmp_path / "given.evidence.zip"
    downloaded(page, "Download the bundle").save_as(bundle)
    shot(page, "evidence")
    checked = verifier("evidence", "verify", str(bundle))
    assert (checked.returncode, "SOUND" in checked.stdout) == (0, True), checked.stdout + checked.stderr
    whole = bundle.read_bytes()
    bundle.write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    assert verifier("evidence", "verify", str(bundle)).returncode != 0


def test_a_corner_is_dragged_to_its_place_and_the_layout_stored(address: str, page: Page) -> None:  # noqa: F811
    enter(page, address, "kim")
    turn_to(page, "Draw a table's zones", "Draw a table's zones")
    corner = page.get_by_role("slider", name="space 1, corner 1", exact=True)
    before = at(page, "space 1, corner 1")
    corner.scroll_into_view_if_needed()
    box = corner.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 6, y - 4)
    page.mouse.up()
    page.get_by_text("space 1, corner 1", exact=True).wait_for()
    dragged = at(page, "space 1, corner 1")
    assert dragged[0] < before[0] and dragged[1] < before[1]
    page.get_by_role("button", name="Store the layout").click()
    page.get_by_text("Stored:").wait_for()
    shot(page, "calibrate")
    (stored,) = (Path(os.environ["VERIFIER_HOME"]) / "layouts").glob("**/*.yaml")
    assert read_layout(stored).spaces[1].area[0] == pytest.approx(dragged, abs=0.6)


def at(page: Page, corner: str) -> tuple[float, float]:  # noqa: F811
    """Where a corner stands, in the picture's pixels."""
    dot = page.get_by_role("slider", name=corner, exact=True)
    x, y = dot.get_attribute("cx"), dot.get_attribute("cy")
    assert x is not None and y is not None
    return float(x), float(y)


def test_the_sample_recording_is_checked_on_its_page(address: str, page: Page) -> None:  # noqa: F811
    enter(page, address, "kim")
    turn_to(page, "Sample recording", "Sample recording")
    page.get_by_label("Organization").fill("North Valley")
    page.get_by_role("button", name="Check the recording").click()
    page.get_by_role("button", name="Keep this check and make the PDF").click()
    document = downloaded(page, "Download the PDF")
    assert Path(document.path()).read_bytes().startswith(b"%PDF")
    shot(page, "sample-check")
    (kept,) = Papers(Store()).documents("sample")
    assert "North Valley" in msgspec.json.encode(kept).decode()


def test_what_one_look_alone_told_leads_to_the_moment_and_to_a_finding_of_ones_own(address: str, page: Page) -> None:  # noqa: F811
    told = Unconfirmed(
        look="first", told=finding(at="space:3/1"), instead=[finding(at="space:3/1", verdict="undetermined")]
    )
    keep_unconfirmed(Path(Store().reviews()[0].folder), [told, Unconfirmed(look="closer", told=finding(round=None))])
    expect.set_options(timeout=PATIENCE_S * 1000)
    enter(page, address, "kim")
    turn_to(page, "Watch a recording", "Watch a recording")
    page.get_by_text("Seen in one look only (2), no findings").click()
    page.get_by_text("First look: nothing of the kind there").wait_for()
    for _ in range(2):  # the same moment can be asked for again
        page.get_by_role("button", name="+5 s").click()
        expect(page.locator("[data-part=clock]")).to_have_text(["5.0 s of 8 s"])
        page.get_by_role("button", name="Go there").first.click()
        expect(page.locator("[data-part=clock]")).to_have_text(["0.0 s of 8 s"])
    shot(page, "one-look")
    page.get_by_role("button", name="I saw it too").first.click()
    page.get_by_label("What you saw").fill("The dealer left the stack as it was.")
    shot(page, "one-look-own")
    page.get_by_role("button", name="Add the finding").click()
    page.get_by_text("Stored as your own finding").wait_for()
    (own,) = [one.finding for one in Store().findings() if one.origin == "person"]
    assert (own.clause, own.at, own.t_start, own.t_end) == (FAN, "space:3", 4.0, 5.0)
    assert own.observed == "The dealer left the stack as it was."


def test_who_only_reads_finds_no_page_that_writes(address: str, page: Page) -> None:  # noqa: F811
    enter(page, address, "agent")
    shot(page, "queue-read-only")
    for name in ("weekly", "submission", "calibrate", "people", "retention", "watch"):
        page.goto(f"{address}/{name}")
        page.get_by_role("heading", name="This morning").wait_for()  # the first page, where no such page is known
        page.wait_for_url(lambda url, name=name: not url.endswith(name))
        assert page.get_by_test_id("stFormSubmitButton").count() == 0
