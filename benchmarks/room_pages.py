"""Times each page of the dashboard in a real browser, with 50,000 findings of 200 recordings in the store.

`python benchmarks/room_pages.py [--reviews 200] [--findings 250] [--times 5]` fills a store in a temporary folder,
starts the dashboard, signs in, and opens page after page by the menu. A page has answered when its heading stands and
the server has drawn all of it. Prints seconds on the wall: the first time, the median and the worst of the others; and
the median of the server's own seconds, which say how long it would have been on a computer that does nothing else.
"""

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

from playwright.sync_api import Page, sync_playwright
from room_store import PASSWORD, fill

PAGES = {
    "queue": "Findings to look at", "finding": "", "watch": "Watch a recording", "sample": "Blind sample",
    "weekly": "Weekly review documentation", "daily": "Daily surveillance review log", "hold": "Percent-of-hold",
    "submission": "Sample recording", "evidence": "Evidence", "retention": "Retention",
    "calibrate": "Draw a table's zones",
}  # fmt: skip
DRAWN = """([heading, before]) => {
  const app = document.querySelector('[data-testid=stApp]');
  const heads = [...document.querySelectorAll('h1, h2')].map((one) => one.innerText.trim());
  const idle = app && app.dataset.testScriptState === 'notRunning' && !document.querySelector('[data-stale=true]');
  return idle && heads.some((one) => heading === null || (heading ? one === heading : !before.includes(one)));
}"""
Taken = dict[str, list[tuple[float, float]]]
"""What was opened -> seconds on the wall and of the server, each time."""
HEADS = "() => [...document.querySelectorAll('h1, h2')].map((one) => one.innerText.trim())"


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


def visit(address: str, pid: int, times: int) -> None:
    """Signs in and times every page and the acts of triage."""
    with sync_playwright() as playwright:
        found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(
            executable_path=found, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(120_000)
        page.goto(f"{address}/queue")
        page.get_by_label("Name").fill("kim")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        drawn(page, PAGES["queue"], [])
        taken: Taken = {}
        for _ in range(times + 1):
            for key, heading in PAGES.items():
                if key == "finding":
                    triage(page, taken, pid)
                else:
                    timed(page, taken, pid, key, heading, lambda key=key: open_page(page, key))
        browser.close()
    print(f"{'page':28} first   median  worst   own (s)")
    for name, pairs in taken.items():
        walls, own = [wall for wall, _ in pairs], statistics.median(own for _, own in pairs[1:] or pairs)
        rest = walls[1:] or walls
        print(f"{name:28} {walls[0]:5.2f}   {statistics.median(rest):5.2f}   {max(rest):5.2f}   {own:5.2f}")


def triage(page: Page, taken: Taken, pid: int) -> None:
    """Opens the first open finding, walks on, decides (this store has no clips)."""
    timed(
        page, taken, pid, "finding: open the first", "", lambda: page.get_by_role("button", name="Start with").click()
    )
    timed(page, taken, pid, "finding: next", None, lambda: page.keyboard.press("n"))
    timed(page, taken, pid, "finding: without the clip", None, lambda: page.keyboard.press("0"))
    timed(page, taken, pid, "finding: confirm, the next", None, lambda: page.keyboard.press("1"))


def timed(page: Page, taken: Taken, pid: int, name: str, heading: str | None, act: Callable[[], object]) -> None:
    """Does `act` and waits for the heading (empty: another one than now; None: any run of the script)."""
    before = page.evaluate(HEADS)
    own, began = own_seconds(pid), time.perf_counter()
    act()
    if heading is None:
        page.wait_for_timeout(60)  # until the server was told
        drawn(page, None, [])
    else:
        drawn(page, heading, before)
    taken.setdefault(name, []).append((time.perf_counter() - began, own_seconds(pid) - own))


def drawn(page: Page, heading: str | None, before: list[str]) -> None:
    """Waits until the page with this heading stands and the server is done with it."""
    page.wait_for_function(DRAWN, arg=[heading, before], polling=20)


def open_page(page: Page, key: str) -> None:
    """Opens a page by its entry in the menu."""
    page.get_by_test_id("stSidebarNav").locator(f"a[href$='/{key}']").click()


if __name__ == "__main__":
    main()
