"""The dashboard in a real browser: from the queue to a finding, a verdict and the weekly document."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlparse

import pytest
from review_fakes import SHOWN, fake_stages, finding, write_inputs

from verifier.review.recording import review_recording
from verifier.store.repository import Store

REQUIRED = "VERIFIER_REQUIRE_BROWSER" in os.environ
"""Set where a missing browser is a failure and no reason to skip."""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE_S = 40

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None and not REQUIRED, reason="no Chromium is installed"),
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("VERIFIER_DATABASE_URL", raising=False)
    video, layout, house = write_inputs(tmp_path)
    review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding(), SHOWN))
    port = free_port()
    command = [
        sys.executable,
        "-c",
        "from verifier.cli import main; main()",
        "dashboard",
        "--no-open",
        "--port",
        str(port),
    ]
    server = subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(10)


def wait_for(port: int) -> None:
    for _ in range(PATIENCE_S * 10):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the dashboard did not start")


def test_from_the_queue_to_the_document(address: str, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    asked: set[str] = set()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 1000}, accept_downloads=True)
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("request", lambda request: asked.add(urlparse(request.url).hostname or "inside the page"))

        page.goto(address)
        page.get_by_text("Findings to look at").wait_for()
        page.get_by_role("textbox", name="Your name or initials").fill("Kim Olson")
        page.get_by_role("textbox", name="Your name or initials").press("Enter")
        page.get_by_role("button", name="Start with the first open finding").click()

        page.get_by_text("The payoff of $5.00 stayed a stack.").wait_for()
        assert page.get_by_text("First write your name").count() == 0
        page.wait_for_function(
            "() => { const clip = document.querySelector('video'); return clip && clip.readyState > 2 }"
        )
        assert page.evaluate("() => document.querySelector('video').videoWidth") == 320
        page.get_by_role("textbox", name="Note (needed for a rejection)").fill("clear on the clip")
        page.get_by_role("textbox", name="Note (needed for a rejection)").press("Control+Enter")
        page.get_by_role("button", name="Confirm: it happened").click()

        page.get_by_text("The hands were out of the picture.").wait_for()
        page.get_by_role("link", name="Weekly document").click()
        page.get_by_text("1 not yet decided").wait_for()
        page.get_by_role("spinbutton", name="Table 2, minutes").fill("75")
        page.get_by_role("button", name="Make the document").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download the PDF").click()
        download.value.save_as(tmp_path / "weekly.pdf")
        browser.close()

    (verdict,) = Store().verdicts()
    assert (verdict.decision, verdict.reviewer, verdict.note) == ("confirmed", "Kim Olson", "clear on the clip")
    assert (tmp_path / "weekly.pdf").read_bytes().startswith(b"%PDF")
    assert asked <= {"localhost", "127.0.0.1", "inside the page"}
