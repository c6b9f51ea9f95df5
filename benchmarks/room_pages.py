"""Times each page of the dashboard in a real browser, with 50,000 findings of 200 recordings in the store.

`python benchmarks/room_pages.py [--reviews 200] [--findings 250] [--times 5] [--only PAGE ...]` fills a store in a temporary folder,
starts the dashboard, signs in, opens page after page by the menu, and judges findings by keyboard.

| told | what it is |
|---|---|
| paint | until the page's heading stands |
| whole | until the server has drawn all of the page; of a finding: until it can be judged, that is, the accusation, the buttons and a picture of the clip stand |
| server | seconds that the server's process computed until `whole`, of all threads |
| browser | seconds that the browser's processes computed until `whole` (Linux); both together bound `whole` on an idle computer |

All are seconds: the first time, then the median and the worst of the others.
"""  # noqa: E501

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from msgspec import Struct
from playwright.sync_api import Page
from room_store import PASSWORD, Room, browser_page, browser_seconds, own_seconds, served

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
PLAYER = """(window.verifierTimed = window.verifierTimed?.isConnected ? window.verifierTimed
  : [...document.querySelectorAll('*')].map((one) => one.shadowRoot?.querySelector('.player')).find(Boolean))"""
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
    """Seconds of one opening: until the heading stands, until all does, what server and browser computed till then."""

    paint: float
    whole: float
    server: float
    browser: float


def main() -> None:
    """Fill the store, serve it and time its pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=int, default=200)
    parser.add_argument("--findings", type=int, default=250)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--home", help="a data folder that an earlier run filled")
    parser.add_argument("--only", nargs="*", choices=list(PAGES), help="these pages only")
    options = parser.parse_args()
    pages = {key: heading for key, heading in PAGES.items() if not options.only or key in options.only}
    with served(options.home, options.reviews, options.findings) as room, browser_page() as page:
        visit(page, room, options.times, pages)


def enter(page: Page, address: str) -> None:
    """Signs in as the manager."""
    page.goto(f"{address}/today")
    page.locator("input[autocomplete=username]").fill("kim")
    page.locator("input[autocomplete=current-password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_function(STANDS, arg=PAGES["today"])
    page.wait_for_function(IDLE)


def visit(page: Page, room: Room, times: int, pages: dict[str, str]) -> None:
    """Signs in and times every page and the acts of triage."""
    enter(page, room.address)
    taken: dict[str, list[Taken]] = {}
    for _ in range(times + 1):
        for key, heading in pages.items():
            if key == "finding":
                triage(page, taken, room)
            else:
                opened(page, taken, room, key, heading)
    print_table(taken)


def print_table(taken: dict[str, list[Taken]]) -> None:
    """Print a row for each page and act."""
    heads = ("paint: first median worst", "whole: first median worst", "server: first median", "browser: first median")
    print(" | ".join([f"{'page':24}", *heads]))
    for name, every in taken.items():
        rest = every[1:] or every
        told = [f"{name:24}"]
        for column in ("paint", "whole"):
            values = [getattr(one, column) for one in rest]
            told.append(f"{getattr(every[0], column):12.2f} {statistics.median(values):6.2f} {max(values):5.2f}")
        told.append(f"{every[0].server:13.2f} {statistics.median(one.server for one in rest):6.2f}")
        told.append(f"{every[0].browser:14.2f} {statistics.median(one.browser for one in rest):6.2f}")
        print(" | ".join(told))


def opened(page: Page, taken: dict[str, list[Taken]], room: Room, key: str, heading: str) -> None:
    """Open a page by its entry in the menu and time it."""
    link = page.get_by_test_id("stSidebarNav").locator(f"a[href$='/{key}']")

    def stands() -> None:
        page.wait_for_function(STANDS, arg=heading, polling=20)

    def whole() -> None:
        page.wait_for_function(IDLE, polling=20)

    timed(taken, room, key, link.click, stands, whole)


def triage(page: Page, taken: dict[str, list[Taken]], room: Room) -> None:
    """Open the first open finding, walk on, and confirm one after its clip was shown."""
    button = page.get_by_role("button", name="Start with")
    to_finding(page, taken, room, "finding: the first", button.click)
    to_finding(page, taken, room, "finding: next (N)", lambda: page.keyboard.press("n"))
    page.wait_for_function(ARMED)
    page.wait_for_function(IDLE)
    to_finding(page, taken, room, "finding: confirm (1)", lambda: page.keyboard.press("1"))


def to_finding(page: Page, taken: dict[str, list[Taken]], room: Room, name: str, act: Callable[[], object]) -> None:
    """Do what leads to another finding, and time it until that one can be judged."""
    before = page.evaluate(NOW)

    def painted() -> None:
        page.wait_for_function(PAINTED, arg=before, polling=20)

    def ready() -> None:
        page.wait_for_function(READY, polling=20)

    timed(taken, room, name, act, painted, ready)
    page.wait_for_function(IDLE)


def timed(
    taken: dict[str, list[Taken]],
    room: Room,
    name: str,
    act: Callable[[], object],
    painted: Callable[[], None],
    whole: Callable[[], None],
) -> None:
    """Do `act`, wait for `painted` and `whole`, and note the times."""
    server, browser, began = own_seconds(room.pid), browser_seconds(), time.perf_counter()
    act()
    painted()
    paint = time.perf_counter() - began
    whole()
    took = time.perf_counter() - began
    taken.setdefault(name, []).append(Taken(paint, took, own_seconds(room.pid) - server, browser_seconds() - browser))


if __name__ == "__main__":
    main()
