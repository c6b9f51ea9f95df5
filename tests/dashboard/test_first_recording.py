"""A person with a recording and a browser: from the first account to the weekly document, without a file edited."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from first_walk import Walk
from playwright.sync_api import Page, sync_playwright
from test_dashboard_browser import CHROMIUM, FLAGS, REQUIRED, free_port, wait_for

from verifier.cli import run
from verifier.review.orders.values import order_of, progress_of
from verifier.store.floor import Floor
from verifier.store.papers import Papers
from verifier.store.queue import ReviewQueue
from verifier.store.repository import Store

SITE, TABLE = "0131", "1"
PATIENCE_S = 900
CLICKS_MOST = 60
"""Clicks of the whole way, the administrator's part and eight house options included."""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None and not REQUIRED, reason="no Chromium is installed"),
]


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    """A folder with one recording that is simulated anew, and nothing else of it: no layout, no options, no truth."""
    made = tmp_path / "simulated"
    told = ["--seed", "4711", "--rounds", "1", "--spaces", "3", "--difficulty", "easy", "--fps", "15", "--no-shuffle"]
    breach = ["--deviate", "ND-08-11.18.a-show-hands", "--no-shift-change"]
    assert run(["simulate", *told, *breach, "--out", str(made), "--quiet"]) == 0
    folder = tmp_path / "recordings" / "table-1"
    folder.mkdir(parents=True)
    (made / "video.mp4").rename(folder / "video.mp4")
    return folder.parent


@pytest.fixture
def address() -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "verifier", "dashboard", "--no-open", "--port", str(port)]
    server = subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(10)


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        opened = browser.new_page(viewport={"width": 1440, "height": 900})
        opened.set_default_timeout(PATIENCE_S * 1000)
        yield opened
        browser.close()


def test_from_a_recorders_folder_to_the_weekly_document(
    recordings: Path, address: str, page: Page, record_property: Callable[[str, object], None]
) -> None:
    walk = Walk(page, address)
    walk.set_up(recordings, SITE)
    walk.sign_in()
    walk.propose("table-1", "video.mp4")
    walk.confirm(TABLE)
    walk.wait_for_findings()
    walk.decide()
    walk.write_weekly()

    store = Store()
    (table,) = Floor(store).tables()
    assert (table.site, table.table, len(table.versions)) == (SITE, TABLE, 2)
    proposed, reviewed = reversed(ReviewQueue(store).orders())
    assert (order_of(proposed).propose, proposed.state) == (True, "done")
    (review,) = store.reviews(ids=progress_of(reviewed).reviews)
    assert (review.site, review.table) == (SITE, TABLE)
    (verdict,) = store.verdicts()
    assert (verdict.decision, verdict.reviewer) == ("confirmed", "Kim Olson (kim)")
    (document,) = Papers(store).documents("weekly")
    assert (document.site, document.made_by) == (SITE, "Kim Olson (kim)")
    assert [path.name for path in recordings.rglob("*") if path.is_file()] == ["video.mp4"]
    record_property("clicks and seconds", {name: (n, round(s)) for name, (n, s) in walk.stations.items()})
    assert walk.clicks <= CLICKS_MOST
