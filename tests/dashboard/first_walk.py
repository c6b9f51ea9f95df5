"""The way of a person who has a recording and a browser, from the first account to the weekly document."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page, TimeoutError

PASSWORD = "correct horse battery"
TOLD = {
    "Video surveillance": "present",
    "Dealer's second card": "no hole card",
    "Dealer hits soft 17": "no",
    "Insurance": "yes",
    "Double down": "equal or less",
    "Tip betting": "permitted",
    "Doubling a tip": "not permitted",
    "Decks in the shoe": "4",
}
"""House options that the site tells; the others keep the rule's default."""


OPENED_AGAIN, SEEN_MS = 5, 5_000
"""How often a list of options is opened again, and after how many milliseconds without its options."""
STAGES = re.compile(r"Starting|Reading which table|Looking at the recording|Watching:|Reconstructing")
"""What the bar of a review says while it is under way."""


def nothing(page: Page, name: str) -> None:
    """Takes no picture."""


def choose(page: Page, box: Locator, option: str) -> None:
    """Chooses `option` from the list of `box`. A list that closes because the page is drawn anew is opened again."""
    row = page.get_by_role("option", name=option, exact=True)
    page.locator('[data-test-script-state="notRunning"]').wait_for()
    box.click()
    for _ in range(OPENED_AGAIN):
        with suppress(TimeoutError):
            row.wait_for(timeout=SEEN_MS)
            break
        box.click()
    row.click()


@dataclass
class Walk:
    """A walk in one browser window; counts what the person does. `look` is shown each station by its name."""

    page: Page
    address: str
    look: Callable[[Page, str], None] = nothing
    clicks: int = 0
    typed: int = 0
    began: float = field(default_factory=time.monotonic)
    stations: dict[str, tuple[int, float]] = field(default_factory=dict)

    def click(self, target: Locator) -> None:
        self.clicks += 1
        target.click()

    def press(self, name: str) -> None:
        """Presses a button by its words."""
        self.click(self.page.get_by_role("button", name=name))

    def fill(self, label: str, text: str) -> None:
        self.typed += 1
        self.page.get_by_label(label, exact=False).first.fill(text)

    def choose(self, label: str, option: str) -> None:
        """Chooses from a list: two clicks."""
        choose(self.page, self.page.get_by_label(label, exact=False).first, option)
        self.clicks += 2

    def at(self, station: str) -> None:
        """A station: where the clicks and seconds so far are written down."""
        self.stations[station] = self.clicks, time.monotonic() - self.began
        self.look(self.page, station)

    def set_up(self, folder: Path, site: str) -> None:
        """The administrator's part: own account, the first manager, the folder."""
        page = self.page
        page.goto(self.address)
        page.get_by_text("Set up the first account").first.wait_for()
        self.at("first account")
        self.fill("Name to sign in with", "ada")
        self.fill("Full name", "Ada Admin")
        self.fill("Password", PASSWORD)
        self.press("Make the account")
        page.get_by_role("heading", name="First steps").wait_for()
        self.fill("Name to sign in with", "kim")
        self.fill("Full name", "Kim Olson")
        self.fill("First password", PASSWORD)
        self.at("first steps")
        self.press("Make the manager's account")
        page.get_by_text("Kim Olson (kim)").wait_for()
        self.fill("Site, as its sign", site)
        self.fill("Folder on this computer", str(folder))
        self.press("Allow this folder")
        page.get_by_text("All is ready.").wait_for()
        self.leave()

    def sign_in(self, name: str = "kim") -> None:
        """Signs in, and comes to the first page."""
        self.fill("Name", name)
        self.fill("Password", PASSWORD)
        self.press("Sign in")
        self.page.get_by_role("heading", name="This morning").wait_for()

    def leave(self) -> None:
        """Signs out."""
        self.press("Sign out")
        self.page.get_by_role("button", name="Sign in").wait_for()

    def propose(self, folder: str, recording: str) -> None:
        """A new review of a recording of a table that is new."""
        page = self.page
        self.press("Begin a new review")
        self.press(folder)
        self.click(page.get_by_text(recording))
        page.get_by_role("button", name="Propose the table from the recording").wait_for()
        self.at("new review")
        self.press("Propose the table from the recording")
        page.get_by_role("button", name="Keep this table and begin the review").wait_for()
        page.wait_for_timeout(500)

    def confirm(self) -> tuple[str, str]:
        """Looks the proposal over, tells what the site has adopted, and begins; gives site and table of the form."""
        page = self.page
        page.get_by_text("Which table do they show?").evaluate("one => one.scrollIntoView()")
        self.at("proposal")
        site = page.get_by_label("Site, as its sign says").input_value()
        table = page.get_by_label("Table, as its sign says").input_value()
        for label, option in TOLD.items():
            self.choose(label, option)
        self.at("house options")
        self.press("Keep this table and begin the review")
        self.under_way()
        return site, table

    def under_way(self) -> None:
        """Waits until a review is shown that waits or runs: one that can be stopped."""
        self.page.get_by_role("button", name="Stop", exact=True).wait_for()

    def interrupt(self) -> None:
        """In the middle of the review: reloads the page, signs out, and comes back."""
        self.page.reload()
        self.under_way()
        self.page.get_by_text(STAGES).first.wait_for()
        self.at("under way")
        self.leave()
        self.sign_in()
        self.under_way()
        self.click(self.page.get_by_role("link", name="New review"))

    def wait_for_findings(self) -> None:
        """Waits until the review is done and its findings are shown."""
        page = self.page
        page.get_by_text("Done ·").wait_for()
        page.get_by_role("button", name="Look at it").first.wait_for()
        page.get_by_role("button", name="Stop", exact=True).wait_for(state="detached")
        self.at("findings")

    def decide(self) -> None:
        """Looks at the first finding, and confirms it."""
        page = self.page
        self.click(page.get_by_role("button", name="Look at it").first)
        confirm = page.get_by_role("button", name="Confirm: it happened")
        confirm.wait_for()
        page.wait_for_timeout(1500)
        self.at("one finding")
        self.click(confirm)
        page.get_by_text("✔ Confirmed").first.wait_for()

    def write_weekly(self) -> None:
        """Makes the weekly document, and comes back to the first page."""
        page = self.page
        self.click(page.get_by_role("link", name="Weekly document"))
        make = page.get_by_role("button", name="Make the document")
        make.wait_for()
        self.click(page.get_by_text("I attest that I watched"))
        self.click(make)
        done = page.get_by_role("button", name="Download the PDF")
        done.wait_for()
        done.scroll_into_view_if_needed()
        self.at("weekly document")
        self.click(page.get_by_role("link", name="This morning"))
        page.get_by_role("heading", name="This morning").wait_for()
        self.at("this morning")
