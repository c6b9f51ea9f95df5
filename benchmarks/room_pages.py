"""Times each page of the dashboard in a real browser, with 50,000 findings of 200 recordings in the store.

`python benchmarks/room_pages.py [--reviews 200] [--findings 250] [--times 5]` fills a store in a temporary folder,
starts the dashboard, signs in, opens page after page by the menu, and judges findings by keyboard.

| told | what it is |
|---|---|
| paint | until the page's heading stands |
| whole | until the server has drawn all of the page; of a finding: until it can be judged, that is, the accusation, the buttons and a picture of the clip stand |
| server | seconds that the server's process computed, of all threads: what `whole` would be on a computer that does nothing else |

All are seconds: the first time, then the median and the worst of the others.
"""  # noqa: E501

from __future__ import annotations

import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from playwright.sync_api import Page, sync_playwright
from room_store import PASSWORD, fill

PAGES = {
    "today": "This morning", "queue": "Findings to look at", "finding": "", "overview": "Overview",
    "watch": "Watch a recording", "sample": "Blind sample", "weekly": "Weekly review documentation",
    "daily": "Daily surveillance review log", "hold": "Percent-of-hold", "records": "Records",
    "submission": "Sample recording", "papers": "Kept documents", "evidence": "Evidence", "retention": "Retention",
    "calibrate": "Draw a table's zones", "tables": "Tables", "account": "Your account",
}  # fmt: skip
HEADS = "() => [...document.querySelectorAll('h1, h2')].map((one) => one.innerText.trim())"
STANDS = "(heading) => [...document.querySelectorAll('h1')].some((one) => one.innerText.trim() === heading)"
IDLE = """() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'
  && !document.querySelector('[data-stale=true]')"""
PLAYER = "[...document.querySelectorAll('*')].map((one) => one.shadowRoot?.querySelector('.player')).find(Boolean)"
PAINTED = """(before) => {
  const id = new URLSearchParams(location.search).get('id');
  return id && id !== before && [...document.querySelectorAll('h2')].length > 0
    && [...document.querySelectorAll('[data-testid=stCaptionContainer]')].some((one) => one.innerText.includes(id));
}"""
READY = f"""() => {{
  const id = new URLSearchParams(location.search).get('id'), player = {PLAYER};
  const video = player?.querySelector('video');
  return id && player?.verifierPlayer?.data?.finding === id && video.readyState >= 2 && !video.seeking
    && !!document.querySelector(`[class*="st-key-decide-confirmed-${{id}}"] button`);
}}"""
ARMED = """() => {
  const id = new URLSearchParams(location.search).get('id');
  return !!document.querySelector(`[class*="st-key-decide-confirmed-${id}"] button:enabled`);
}"""
NOW = "() => new URLSearchParams(location.search).get('id')"


class Taken(Struct, frozen=True):
    """Seconds of one opening: until the heading stands, until all does, and what the server computed."""

    paint: float
    whole: float
    server: float


def main() -> None:
    """Fills, serves, times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=int, default=200)
    parser.add_argument("--findings", type=int, default=250)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--home", help="a data folder that an earlier run filled")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VERIFIER_HOME"] = options.home or folder
        os.environ.pop("VERIFIER_DATABASE_URL", None)
        if not options.home:
            fill(options.reviews, options.findings)
        port = free_port()
        server = serve(port)
        try:
            visit(f"http://localhost:{port}", server.pid, options.times)
        finally:
            server.terminate()
            server.wait(10)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serve(port: int) -> subprocess.Popen[bytes]:
    """Starts the dashboard and waits until it listens."""
    start = [
        sys.executable,
        "-c",
        "from verifier.cli import main; main()",
        "dashboard",
        "--no-open",
        "--port",
        str(port),
    ]
    server = subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server
        time.sleep(0.1)
    raise RuntimeError("the dashboard did not start")


def own_seconds(pid: int) -> float:
    """Seconds that a process has computed so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def enter(page: Page, address: str) -> None:
    """Signs in as the manager."""
    page.goto(f"{address}/today")
    page.locator("input[autocomplete=username]").fill("kim")
    page.locator("input[autocomplete=current-password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_function(STANDS, arg=PAGES["today"])
    page.wait_for_function(IDLE)


def visit(address: str, pid: int, times: int) -> None:
    """Signs in and times every page and the acts of triage."""
    with sync_playwright() as playwright:
        found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(
            executable_path=found, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(60_000)
        enter(page, address)
        taken: dict[str, list[Taken]] = {}
        for _ in range(times + 1):
            for key, heading in PAGES.items():
                if key == "finding":
                    triage(page, taken, pid)
                else:
                    opened(page, taken, pid, key, heading)
        browser.close()
    print_table(taken)


def print_table(taken: dict[str, list[Taken]]) -> None:
    """Prints a row for each page and act."""
    print(f"{'page':24} | paint: first median worst | whole: first median worst | server: first median")
    for name, every in taken.items():
        rest = every[1:] or every
        told = [f"{name:24}"]
        for column in ("paint", "whole"):
            values = [getattr(one, column) for one in rest]
            told.append(f"{getattr(every[0], column):12.2f} {statistics.median(values):6.2f} {max(values):5.2f}")
        told.append(f"{every[0].server:13.2f} {statistics.median(one.server for one in rest):6.2f}")
        print(" | ".join(told))


def opened(page: Page, taken: dict[str, list[Taken]], pid: int, key: str, heading: str) -> None:
    """Opens a page by its entry in the menu and times it."""
    link = page.get_by_test_id("stSidebarNav").locator(f"a[href$='/{key}']")

    def stands() -> None:
        page.wait_for_function(STANDS, arg=heading, polling=20)

    def whole() -> None:
        page.wait_for_function(IDLE, polling=20)

    timed(taken, pid, key, link.click, stands, whole)


def triage(page: Page, taken: dict[str, list[Taken]], pid: int) -> None:
    """Opens the first open finding, walks on, confirms one after its clip was shown."""
    button = page.get_by_role("button", name="Start with")
    to_finding(page, taken, pid, "finding: the first", button.click)
    to_finding(page, taken, pid, "finding: next (N)", lambda: page.keyboard.press("n"))
    page.wait_for_function(ARMED)
    page.wait_for_function(IDLE)
    to_finding(page, taken, pid, "finding: confirm (1)", lambda: page.keyboard.press("1"))


def to_finding(page: Page, taken: dict[str, list[Taken]], pid: int, name: str, act: Callable[[], object]) -> None:
    """Does what leads to another finding, and times it until that one can be judged."""
    before = page.evaluate(NOW)

    def painted() -> None:
        page.wait_for_function(PAINTED, arg=before, polling=20)

    def ready() -> None:
        page.wait_for_function(READY, polling=20)

    timed(taken, pid, name, act, painted, ready)
    page.wait_for_function(IDLE)


def timed(
    taken: dict[str, list[Taken]],
    pid: int,
    name: str,
    act: Callable[[], object],
    painted: Callable[[], None],
    whole: Callable[[], None],
) -> None:
    """Does `act` and waits for both."""
    own, began = own_seconds(pid), time.perf_counter()
    act()
    painted()
    paint = time.perf_counter() - began
    whole()
    taken.setdefault(name, []).append(Taken(paint, time.perf_counter() - began, own_seconds(pid) - own))


if __name__ == "__main__":
    main()
