"""Makes the pictures of the review room in `docs/images` anew, so that they show the pages as they are.

`python benchmarks/room_pictures.py [--home FOLDER] [--out docs/images]` reviews the sample recording in a temporary
data folder (or takes one of an earlier run), serves the room, opens the pages in a headless Chromium and takes their
pictures; of the weekly document the first page (by `pdftoppm`, Debian: poppler-utils).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Page
from room_pages import ARMED, IDLE, READY, STANDS, enter
from room_store import PASSWORD, browser_page, served

from verifier.cli import run
from verifier.review.people.accounts import NewAccount, create, create_first
from verifier.review.people.roles import Role
from verifier.store.papers import Papers
from verifier.store.repository import Store

ROOT: Final = Path(__file__).parents[1]
SAMPLE: Final = ROOT / "sample_videos" / "flagged"
DRAWN: Final = "() => !document.querySelector('[data-testid=stSkeleton]')"
"""No part of the page is still being loaded."""
DOTS: Final = 75
"""Dots an inch of a document's page."""


def main() -> None:
    """Reviews, serves, takes the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", help="a data folder that an earlier run filled")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or folder
        os.environ["VERIFIER_HOME"] = home
        prepare(Path(folder) / "out")
        with served(home, 0, 0) as room, browser_page() as page:
            enter(page, room.address)
            take(page, room.address, options.out)
        document_page(options.out)


def prepare(out: Path) -> None:
    """Make a review of the sample recording, an administrator and a manager, where they are not there yet."""
    if not Store().review_count():
        files = ["--layout", str(SAMPLE / "layout.yaml"), "--house", str(SAMPLE / "house.yaml")]
        run(["review", str(SAMPLE / "video.mp4"), *files, "--out", str(out)])
        chief = create_first(Store(), "ada", "Ada Admin", PASSWORD)
        create(Store(), chief, NewAccount(name="kim", full_name="Kim Olson", role=Role.MANAGER, password=PASSWORD))


def take(page: Page, address: str, out: Path) -> None:
    """Take a picture of each page."""
    opened(page, f"{address}/queue", "Findings to look at")
    page.wait_for_function("() => [...document.querySelectorAll('img.still')].every((one) => one.naturalWidth > 0)")
    page.screenshot(path=out / "queue.png")
    page.get_by_role("button", name="Start with").click()
    for stands in (READY, ARMED, IDLE, DRAWN):
        page.wait_for_function(stands)
    page.keyboard.press("k")
    page.wait_for_timeout(500)
    page.screenshot(path=out / "finding.png")
    opened(page, f"{address}/calibrate", "Draw a table's zones")
    page.get_by_role("slider", name="space 1, corner 1", exact=True).wait_for()
    page.get_by_role("button", name="Undo (Ctrl+Z)").scroll_into_view_if_needed()
    page.screenshot(path=out / "calibrate.png")
    opened(page, f"{address}/weekly", "Weekly review documentation")
    page.screenshot(path=out / "weekly.png")
    page.get_by_text("I attest that I watched").click()
    if (reason := page.get_by_label("What is corrected")).count():
        reason.fill("the pictures of the docs are made anew")
    page.get_by_role("button", name="Make the document").click()
    page.get_by_text("made and kept").wait_for()
    opened(page, f"{address}/papers", "Kept documents")
    page.screenshot(path=out / "papers.png")


def opened(page: Page, address: str, heading: str) -> None:
    """Open a page and wait until it is drawn."""
    page.goto(address)
    page.wait_for_function(STANDS, arg=heading)
    page.wait_for_function(IDLE)
    page.wait_for_function(DRAWN)


def document_page(out: Path) -> None:
    """Write a picture of the first page of the newest weekly document."""
    document = Papers(Store()).documents("weekly")[0]
    pdf = next(Path(document.folder) / name for name in document.files if name.endswith(".pdf"))
    command = ["pdftoppm", "-r", str(DOTS), "-png", "-f", "1", "-l", "1", "-singlefile", str(pdf)]
    subprocess.run([*command, str(out / "weekly-document-1")], check=True)


if __name__ == "__main__":
    main()
