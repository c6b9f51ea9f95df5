"""One person's whole way through the room in a real browser: a verdict, the document, the evidence, the zones."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import msgspec
import pytest
from first_walk import choose
from playwright.sync_api import Download, Locator, Page, expect
from pypdf import PdfReader
from review_fakes import FAN, finding
from test_dashboard_browser import PATIENCE_S, enter, stored

from verifier.domain.findings import Unconfirmed
from verifier.review.calibrate.drafts import drafts
from verifier.review.people.accounts import person_named
from verifier.review.products import keep_unconfirmed
from verifier.store.floor import Floor
from verifier.store.papers import Papers
from verifier.store.repository import Store


def shot(page: Page, name: str) -> None:
    """A picture of the page for who wants to look at it (VERIFIER_SCREENSHOTS names the folder)."""
    folder = os.environ.get("VERIFIER_SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def printed_text(page: Page, path: Path) -> str:
    """What stands on the page printed on paper, once the page is whole."""
    page.locator('[data-test-script-state="notRunning"]').wait_for()
    page.emulate_media(media="print")
    page.pdf(path=path)
    page.emulate_media(media="screen")
    if folder := os.environ.get("VERIFIER_SCREENSHOTS"):
        (Path(folder) / path.name).write_bytes(path.read_bytes())
    text = "".join(sheet.extract_text() for sheet in PdfReader(path).pages)
    return unicodedata.normalize("NFKC", text)  # ligatures


def turn_to(page: Page, title: str, heading: str) -> None:
    """Opens a page by its entry in the menu."""
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True).click()
    page.get_by_role("heading", name=heading).first.wait_for()


def downloaded(page: Page, button: str) -> Download:
    """What a download button gives."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button).click()
    return waiting.value


def verifier(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command line, as the person at another desk does."""
    command = [sys.executable, "-c", "from verifier.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_from_the_queue_to_the_signed_evidence(address: str, page: Page, tmp_path: Path) -> None:
    enter(page, address, "kim")
    page.get_by_role("button", name="Look at it").first.wait_for()
    shot(page, "queue")
    page.get_by_role("button", name="Start with the first open finding").click()
    page.get_by_role("button", name="Confirm: it happened").wait_for()
    page.get_by_text("drawn:").wait_for()
    page.get_by_text("North Dakota twenty-one, text of 2025-01-01, law in force").wait_for()
    page.get_by_text("What was seen, in order").wait_for()
    shot(page, "finding")
    printed = " ".join(printed_text(page, tmp_path / "finding.pdf").split())
    assert "The payoff of $5.00 stayed a stack." in printed
    assert "What was seen, in order" in printed and "Sign out" not in printed, "the page to its end, without the menu"
    page.get_by_role("button", name="Confirm: it happened").click()
    page.get_by_text("The hands were out of the picture.").wait_for()
    turn_to(page, "Weekly document", "Weekly review documentation")
    (verdict,) = stored(1)
    assert verdict.decision == "confirmed"
    page.get_by_text("1 not yet decided").wait_for()
    page.get_by_role("button", name="Make the document").click()
    page.get_by_text("A draft was made.").wait_for()
    assert Papers(Store()).documents("weekly") == []
    page.get_by_text("I attest that I watched").click()
    page.get_by_role("button", name="Make the document").click()
    page.get_by_text("Version 1 made and kept.").wait_for()
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


CORNER = "space 1, corner 1"


def test_a_corner_is_dragged_taken_back_survives_signing_out_and_becomes_a_version(address: str, page: Page) -> None:
    enter(page, address, "kim")
    turn_to(page, "Draw a table's zones", "Draw a table's zones")
    page.get_by_text("Choose another picture of this recording").click()
    loaded = (
        "film => film.readyState > 1 || new Promise(done => film.addEventListener('loadeddata', done, {once: true}))"
    )
    page.locator(".player video").evaluate(loaded)
    page.get_by_role("button", name="+5 s").click()
    expect(page.locator(".player [data-part=clock]")).to_contain_text("0:05", timeout=PATIENCE_S * 1000)
    page.get_by_role("button", name="Draw on this picture").click()
    page.get_by_text("You draw on the picture at 0:05 of this recording.").wait_for()
    undo = page.get_by_role("button", name="Undo (Ctrl+Z)")
    before = drag(page, CORNER, (-6, -4))
    expect(undo).to_be_enabled()
    undo.click()
    assert at(page, CORNER) == before
    expect(undo).to_be_disabled()
    assert drag(page, CORNER, (-9, -4)) == before
    drag(page, CORNER, (0, -9))
    page.keyboard.press("Control+z")
    dragged = at(page, CORNER)
    assert dragged[0] < before[0] and dragged[1] < before[1]
    page.get_by_text("Your drawing waits on the server").wait_for()
    waits_with(dragged)

    page.reload()
    page.get_by_role("button", name="Discard it").wait_for()
    assert at(page, CORNER) == pytest.approx(dragged, abs=0.01)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in").wait_for()
    enter(page, address, "kim")
    turn_to(page, "Draw a table's zones", "Draw a table's zones")
    assert at(page, CORNER) == pytest.approx(dragged, abs=0.01)
    shot(page, "calibrate-draft")

    page.get_by_role("button", name="Keep the layout").click()
    page.get_by_text("Kept: version 1 of the layout of site 0123, table 2.").first.wait_for()
    shot(page, "calibrate")
    (table,) = Floor(Store()).tables()
    (version,) = table.of("layout")
    assert (table.label, version.made_by) == ("Site 0123, table 2", "kim")
    assert version.layout.spaces[1].area[0] == pytest.approx(dragged, abs=0.6)
    settled(page)
    page.reload()
    page.get_by_role("button", name="Keep the layout").wait_for()
    assert page.get_by_role("button", name="Discard it").count() == 0, "the draft is gone"
    assert at(page, CORNER) == pytest.approx(dragged, abs=0.6), "the kept zones"


def test_clock_and_tips_that_a_layout_lacks_can_be_drawn(address: str, page: Page) -> None:
    enter(page, address, "kim")
    turn_to(page, "Draw a table's zones", "Draw a table's zones")
    dot(page, CORNER).wait_for()
    assert page.get_by_role("slider", name="clock, corner 1").count() == 0
    for name in ("clock", "tips of the spaces"):
        page.get_by_label(f"Remove {name}", exact=True).click()
        settled(page)
    dot(page, "clock, corner 1").wait_for()
    expect(page.locator("svg text").filter(has_text="tip, assumed").first).to_be_attached()
    drag(page, "clock, corner 1", (-5, -2))
    clock = at(page, "clock, corner 1")
    choose(page, page.get_by_label("The dealer sits at the").first, "top")
    settled(page)
    shot(page, "calibrate-clock")
    page.get_by_role("button", name="Keep the layout").click()
    page.get_by_text("Kept: version 1").first.wait_for()
    (table,) = Floor(Store()).tables()
    layout = table.of("layout")[0].layout
    assert layout.dealer_side == "top"
    assert layout.zones.clock is not None and layout.zones.clock[0] == pytest.approx(clock, abs=0.6)
    assert all(space.tip and space.wager for space in layout.spaces.values())


def settled(page: Page) -> None:
    """Waits until the page has been run with what was last done."""
    page.wait_for_timeout(600)
    page.locator('[data-test-script-state="notRunning"]').wait_for()


def waits_with(corner: tuple[float, float]) -> None:
    """Waits until the server holds a drawing of Kim's whose first corner of space 1 is here."""
    kim, until = person_named(Store(), "kim"), time.monotonic() + PATIENCE_S
    while not any(one.drawing["space 1"][0] == pytest.approx(corner, abs=0.01) for one in drafts(kim).values()):
        assert time.monotonic() < until, "the server never got the drawing"
        time.sleep(0.1)


def dot(page: Page, corner: str) -> Locator:
    return page.get_by_role("slider", name=corner, exact=True)


def drag(page: Page, corner: str, by: tuple[float, float]) -> tuple[float, float]:
    """Drags a corner by so many pixels of the window; gives where it stood before, in the picture's."""
    before = at(page, corner)
    dot(page, corner).scroll_into_view_if_needed()
    box = dot(page, corner).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1])
    page.mouse.up()
    page.get_by_text(corner, exact=True).wait_for()
    return before


def at(page: Page, corner: str) -> tuple[float, float]:
    """Where a corner stands, in the picture's pixels."""
    dot = page.get_by_role("slider", name=corner, exact=True)
    x, y = dot.get_attribute("cx"), dot.get_attribute("cy")
    assert x is not None and y is not None
    return float(x), float(y)


def test_the_sample_recording_is_checked_on_its_page(address: str, page: Page) -> None:
    enter(page, address, "kim")
    turn_to(page, "Sample recording", "Sample recording")
    page.get_by_label("Organization").fill("North Valley")
    page.get_by_role("button", name="Check the recording").click()
    pictures = page.locator("[data-part=lanes]").get_by_role("button", name=re.compile("Picture to: "))
    pictures.first.wait_for()
    assert pictures.count() >= 2, "the stills of the items are marks below the player"
    page.get_by_role("button", name="Show it in the player").locator("visible=true").first.click()
    settled(page)
    page.get_by_role("button", name="Keep this check and make the PDF").click()
    document = downloaded(page, "Download the PDF")
    assert Path(document.path()).read_bytes().startswith(b"%PDF")
    shot(page, "sample-check")
    (kept,) = Papers(Store()).documents("sample")
    assert "North Valley" in msgspec.json.encode(kept).decode()


def test_what_one_look_alone_told_leads_to_the_moment_and_to_a_finding_of_ones_own(address: str, page: Page) -> None:
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
        expect(page.locator("[data-part=clock]")).to_have_text([re.compile("0:05 of 0:08")])
        page.get_by_role("button", name="Go there").first.click()
        expect(page.locator("[data-part=clock]")).to_have_text([re.compile("0:00 of 0:08")])
    shot(page, "one-look")
    page.get_by_role("button", name="I saw it too").first.click()
    page.get_by_label("What you saw").fill("The dealer left the stack as it was.")
    shot(page, "one-look-own")
    page.get_by_role("button", name="Add the finding").click()
    page.get_by_text("Stored as your own finding").wait_for()
    (own,) = [one.finding for one in Store().findings() if one.origin == "person"]
    assert (own.clause, own.at, own.t_start, own.t_end) == (FAN, "space:3", 4.0, 5.0)
    assert own.observed == "The dealer left the stack as it was."


def test_a_timeline_of_the_recording_and_a_finding_where_the_player_stands(address: str, page: Page) -> None:
    expect.set_options(timeout=PATIENCE_S * 1000)
    enter(page, address, "kim")
    turn_to(page, "Watch a recording", "Watch a recording")
    expect(page.get_by_role("button", name="21:00:00: round 1")).to_be_attached()
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.locator("[data-part=lanes]")).to_be_in_viewport(ratio=1)  # below the picture, without scrolling
    page.get_by_role("button", name="The payoff of $5.00 stayed a stack. (open)").click()
    clock = page.locator("[data-part=clock]")
    expect(clock).to_have_text(re.compile("21:00:04 · 0:04 of 0:08"))
    page.keyboard.press("Space")
    expect(page.locator("[data-part=play]")).to_have_text("Pause")
    page.wait_for_timeout(700)  # on to where the second of the table's clock is not that of the recording
    page.locator("[data-part=stage]").click()
    expect(page.locator("[data-part=play]")).to_have_text("Play")
    page.get_by_role("button", name="Bookmark here").click()
    words = page.get_by_role("textbox", name="Words of the bookmark at 21:00:0")
    words.fill("the payoff")
    words.press("Enter")
    page.get_by_role("button", name="the payoff").wait_for()
    stands = clock.inner_text()[:8]
    page.get_by_role("button", name="Finding here").click()
    expect(page.get_by_role("textbox", name="From")).to_have_value(stands)
    shot(page, "watch-own")


def test_a_timeline_is_one_stop_of_the_tab_key_and_arrow_keys_go_from_mark_to_mark(address: str, page: Page) -> None:
    expect.set_options(timeout=PATIENCE_S * 1000)
    enter(page, address, "kim")
    turn_to(page, "Watch a recording", "Watch a recording")
    expect(page.get_by_role("button", name="21:00:00: round 1")).to_be_attached()
    stops = page.locator("[data-part=lanes] button[tabindex='0']")
    expect(stops).to_have_count(1)
    assert page.locator("[data-part=lanes] button").count() > 1
    found = page.get_by_role("button", name="The payoff of $5.00 stayed a stack. (open)")
    expect(found).to_have_attribute("tabindex", "0")
    clock = page.locator("[data-part=clock]")
    before = clock.inner_text()
    found.focus()
    page.keyboard.press("ArrowUp")
    above = page.locator("[data-part=lanes] button:focus")
    expect(above).to_have_accessible_name("21:00:00: round 1")
    expect(stops).to_have_count(1)
    expect(above).to_have_attribute("tabindex", "0")
    assert clock.inner_text() == before  # to go from mark to mark steps no frame
    page.keyboard.press("ArrowDown")
    expect(found).to_be_focused()
    page.keyboard.press("Enter")
    expect(clock).to_have_text(re.compile("21:00:04 · 0:04 of 0:08"))
    page.keyboard.press("Tab")
    assert page.locator("[data-part=lanes] button:focus").count() == 0


def test_who_only_reads_finds_no_page_that_writes(address: str, page: Page) -> None:
    enter(page, address, "agent")
    shot(page, "queue-read-only")
    for name in ("weekly", "submission", "calibrate", "people", "retention", "watch"):
        page.goto(f"{address}/{name}")
        page.get_by_role("heading", name="This morning").wait_for()  # the first page, where no such page is known
        page.wait_for_url(lambda url, name=name: not url.endswith(name))
        assert page.get_by_test_id("stFormSubmitButton").count() == 0
