"""Decides 30 findings by keyboard in a headless Chromium, as fast as the review room allows, and tells what that takes.

`python benchmarks/scripted_reviewer.py [--findings 30] [--home FOLDER]` fills a store of 10 recordings of an hour with
50 findings each (or takes a folder that `room_pages.py` or an earlier run filled), opens the first open finding, and
decides one after another: it confirms, rejects with a reason, and cannot tell, in turn. It does not think: the seconds
are those that the software takes.

| told | what it is |
|---|---|
| stands | from the key that decided the finding before until this one can be judged: accusation, buttons, a picture of the clip |
| shown | from then until the decision's keys open: the clip plays its decisive seconds, which a person watches anyway |
| server | seconds that the server's process computed meanwhile, of all threads |
| keys | key presses: one, and one more for a rejection's reason |
"""  # noqa: E501

from __future__ import annotations

import argparse
import statistics
import time
from itertools import cycle, islice, pairwise
from typing import Final

from msgspec import Struct
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from room_pages import ARMED, IDLE, NOW, READY, enter
from room_store import Room, browser_page, own_seconds, served

DECISIONS: Final = (("confirm", "1"), ("reject", "2a"), ("cannot tell", "3"))
OTHER: Final = "(before) => new URLSearchParams(location.search).get('id') !== before"
AGAIN_MS: Final = 3000
"""After which a key is pressed again."""
TRIES: Final = 10
OPEN_REASONS: Final = "() => !!document.querySelector('[class*=st-key-reason] button:enabled')"


class Decided(Struct, frozen=True):
    """One finding: the decision, seconds until it stood and until its keys opened, the server's, key presses."""

    decision: str
    stands: float
    shown: float
    server: float
    keys: int


def main() -> None:
    """Fill the store, serve it, decide findings and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--findings", type=int, default=30)
    parser.add_argument("--home", help="a data folder that an earlier run filled")
    options = parser.parse_args()
    with served(options.home, 10, 50) as room, browser_page() as page:
        print_table(decide(page, room, options.findings))


def decide(page: Page, room: Room, count: int) -> list[Decided]:
    """Decides so many findings; gives what each took."""
    enter(page, room.address)
    page.get_by_role("button", name="Start with").wait_for()
    own, began = own_seconds(room.pid), time.perf_counter()
    page.keyboard.press("Enter")
    made = []
    for decision, keys in islice(cycle(DECISIONS), count):
        page.wait_for_function(READY, polling=20)
        stood = time.perf_counter()
        page.wait_for_function(ARMED, polling=20)
        armed, server = time.perf_counter(), own_seconds(room.pid)
        page.wait_for_function(IDLE, polling=20)
        took = (stood - began, armed - stood, server - own)
        own, began = own_seconds(room.pid), time.perf_counter()
        made.append(Decided(decision, *took, press(page, keys)))
    return made


def press(page: Page, keys: str) -> int:
    """Presses the keys of a decision, each as soon as what it is for is drawn, and waits for the next finding.

    A key that came too early is pressed again after AGAIN_MS, as a person would. Gives how many presses it took.
    """
    before, presses = page.evaluate(NOW), 0
    for number, key in enumerate(keys):
        done = OTHER if number == len(keys) - 1 else OPEN_REASONS
        for _ in range(TRIES):
            page.keyboard.press(key)
            presses += 1
            try:
                page.wait_for_function(done, arg=before, polling=20, timeout=AGAIN_MS)
            except PlaywrightTimeout:
                continue
            break
        else:
            raise RuntimeError(f"key {key} does nothing on finding {before}")
    return presses


def print_table(made: list[Decided]) -> None:
    """Print the first finding, then the median and the worst of each decision's next ones, and of all."""
    print(f"{'':16} findings  keys | stands: median worst | shown: median worst | whole: median worst | server")
    rest = made[1:]
    rows = {"the first": made[:1]} | {f"after {name}": some for name, _ in DECISIONS if (some := after(made, name))}
    for name, some in (rows | {"all but the first": rest}).items():
        if not some:
            continue
        wholes = [one.stands + one.shown for one in some]
        print(
            f"{name:18} {len(some):6}  {statistics.mean(one.keys for one in some):4.2f} |"
            f" {statistics.median(one.stands for one in some):14.2f} {max(one.stands for one in some):5.2f} |"
            f" {statistics.median(one.shown for one in some):13.2f} {max(one.shown for one in some):5.2f} |"
            f" {statistics.median(wholes):13.2f} {max(wholes):5.2f} |"
            f" {statistics.median(one.server for one in some):6.2f}"
        )


def after(made: list[Decided], decision: str) -> list[Decided]:
    """Those that came after a finding that was decided so."""
    return [two for one, two in pairwise(made) if one.decision == decision]


if __name__ == "__main__":
    main()
