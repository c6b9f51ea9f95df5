"""A person with a recording and a browser: from the first account to the weekly document, without a file edited."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from browsing import free_port, wait_for
from first_walk import Walk
from playwright.sync_api import Page
from test_dashboard_browser import pytestmark
from test_dashboard_walk import shot

from verifier.cli import run
from verifier.review.order_values import order_of, progress_of
from verifier.review.orders.runner import LEASE
from verifier.store.floor import Floor
from verifier.store.home import database_url
from verifier.store.night.lease import Lease
from verifier.store.papers import Papers
from verifier.store.queue import ReviewQueue
from verifier.store.repository import Store

pytestmark = [*pytestmark, pytest.mark.slow]

PATIENCE_S = 600
"""Seconds for which one thing is waited for: a computer that tests something else beside it takes longer."""
CLICKS_MOST = 35
"""Clicks of the whole way: 34 were counted, with the administrator's part, eight house options at two clicks each, and
signing out and in amid the review."""
BREACH = "ND-08-11.18.a-show-hands"


@pytest.fixture
def simulated(tmp_path: Path) -> Path:
    """A round of 52 s that is simulated anew, in which the dealer leaves without showing the hands."""
    made = tmp_path / "simulated"
    play = ["--seed", "4711", "--rounds", "1", "--spaces", "3", "--difficulty", "easy", "--fps", "15", "--no-shuffle"]
    breach = ["--deviate", BREACH, "--no-shift-change"]
    assert run(["simulate", *play, *breach, "--out", str(made), "--quiet"]) == 0
    return made


@pytest.fixture
def recordings(simulated: Path, tmp_path: Path) -> Path:
    """A recorder's folder with the recording and nothing else of it: no layout, no options, no truth."""
    folder = tmp_path / "recordings" / "table-5"
    folder.mkdir(parents=True)
    (simulated / "video.mp4").rename(folder / "video.mp4")
    return folder.parent


@pytest.fixture
def address() -> Iterator[str]:
    """The dashboard of a home in which nobody has an account yet."""
    port = free_port()
    command = [sys.executable, "-m", "verifier", "dashboard", "--no-open", "--port", str(port)]
    server = subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(10)
        _end_runner()


def _end_runner() -> None:
    """Ends the process that works off the queue, which outlives the dashboard."""
    holder = Lease(database_url(), LEASE).held_by()
    if holder is not None:
        runner = psutil.Process(int(holder.split(":")[1]))
        for process in [*runner.children(recursive=True), runner]:
            process.kill()


def test_from_a_recorders_folder_to_the_weekly_document(
    simulated: Path,
    recordings: Path,
    address: str,
    page: Page,
    record_property: Callable[[str, object], None],
) -> None:
    page.set_default_timeout(PATIENCE_S * 1000)
    page.set_viewport_size({"width": 1440, "height": 900})
    walk = Walk(page, address, shot)
    walk.set_up(recordings, site="")
    walk.sign_in()
    walk.propose("table-5", "video.mp4")
    proposed = walk.confirm()
    walk.interrupt()
    walk.wait_for_findings()
    walk.decide()
    walk.write_weekly()

    look = json.loads((simulated / "scene.json").read_text())["look"]
    signs = look["site"], look["table"]
    assert proposed == signs, "read from the picture"
    store = Store()
    (table,) = Floor(store).tables()
    assert (table.site, table.table, len(table.versions)) == (*signs, 2)
    proposal, reviewed = reversed(ReviewQueue(store).orders())
    assert (order_of(proposal).propose, proposal.state, reviewed.state) == (True, "done", "done")
    (review,) = store.reviews(ids=progress_of(reviewed).reviews)
    assert (review.site, review.table, review.coverage) == (*signs, 1.0)
    (found,) = store.findings([review.id])
    assert (found.finding.clause, found.finding.verdict) == (BREACH, "violation")
    (verdict,) = store.verdicts()
    assert (verdict.finding_id, verdict.decision, verdict.reviewer) == (found.id, "confirmed", "Kim Olson (kim)")
    (document,) = Papers(store).documents("weekly")
    assert (document.site, document.made_by) == (look["site"], "Kim Olson (kim)")
    assert [path.name for path in recordings.rglob("*") if path.is_file()] == ["video.mp4"]
    record_property("clicks and seconds", {name: (n, round(s)) for name, (n, s) in walk.stations.items()})
    assert walk.clicks <= CLICKS_MOST
