"""Makes the pictures of docs/first-recording.md: `python benchmarks/first_recording.py VIDEO OUT`.

Walks the way of tests/dashboard/first_walk.py in a home of its own, with VIDEO in a recorder's folder, and tells the
clicks and seconds of each station.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "dashboard"), str(ROOT)]

from first_walk import Walk  # noqa: E402
from test_dashboard_browser import CHROMIUM, FLAGS, free_port, wait_for  # noqa: E402

WIDTH = 900
"""Pixels across of a picture: enough to read, small enough for a page."""


def make_small(picture: Path, out: Path) -> None:
    """Write a picture of the window as a small JPEG."""
    shown = cv2.imread(str(picture))
    size = (WIDTH, round(shown.shape[0] * WIDTH / shown.shape[1]))
    small = cv2.resize(shown, size, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(out), small, [cv2.IMWRITE_JPEG_QUALITY, 80])


def main(video: Path, out: Path) -> None:
    """Walk through the stations, and write a picture of each."""
    out.mkdir(parents=True, exist_ok=True)

    def look(page: Page, station: str) -> None:
        path = out / f"first-{station.replace(',', '').replace(' ', '-')}.png"
        page.screenshot(path=path)
        make_small(path, path.with_suffix(".jpg"))
        path.unlink()

    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "recordings" / "table-1"
        table.mkdir(parents=True)
        shutil.copy(video, table / "video.mp4")
        port = free_port()
        command = [sys.executable, "-m", "verifier", "dashboard", "--no-open", "--port", str(port)]
        own = {**os.environ, "VERIFIER_HOME": f"{folder}/home", "PYTHONPATH": str(ROOT)}
        server = subprocess.Popen(command, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                page.set_default_timeout(1_800_000)
                walk = Walk(page, f"http://localhost:{port}", look)
                walk.set_up(table.parent, "")
                walk.sign_in()
                walk.propose("table-1", "video.mp4")
                walk.confirm()
                walk.interrupt()
                walk.wait_for_findings()
                walk.decide()
                walk.write_weekly()
                browser.close()
        finally:
            server.terminate()
            server.wait(10)
    for station, (clicks, seconds) in walk.stations.items():
        print(f"{station}: {clicks} clicks, {seconds:.0f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
