"""Passwords are hashed as cheaply as can be. A dashboard with a review in it, and a page of a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from browsing import CHROMIUM, FLAGS, PASSWORD, PATIENCE_S, free_port, wait_for
from dashboards import Dashboards
from playwright.sync_api import Browser, Page, sync_playwright
from review_fakes import SHOWN, fake_stages, finding, write_inputs

from verifier.review.people import passwords
from verifier.review.people.accounts import NewAccount, create, create_first
from verifier.review.people.roles import Role
from verifier.review.recording import review_recording
from verifier.store.repository import Store


@pytest.fixture(autouse=True)
def _cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    passwords._nobody.cache_clear()


@pytest.fixture(scope="session")
def dashboards() -> Iterator[Dashboards]:
    """One for each of the processes that the tests run in."""
    program = Dashboards()
    yield program
    program.close()


@pytest.fixture
def reviewed_home(tmp_path: Path) -> Path:
    """A home with one review, its two findings, and an account of each kind."""
    video, layout, house = write_inputs(tmp_path)
    review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding(), SHOWN))
    chief = create_first(Store(), "ada", "Ada Admin", PASSWORD)
    for name, full_name, role in (("kim", "Kim Olson", Role.MANAGER), ("agent", "Agent", Role.ATTORNEY_GENERAL)):
        create(Store(), chief, NewAccount(name=name, full_name=full_name, role=role, password=PASSWORD))
    return tmp_path


@pytest.fixture
def address(reviewed_home: Path, dashboards: Dashboards) -> Iterator[str]:
    """The dashboard of that home, in a process of its own."""
    port = free_port()
    server = dashboards.begin("dashboard", "--no-open", "--port", str(port))
    try:
        wait_for(port)
        yield f"http://localhost:{port}"
    finally:
        dashboards.end(server)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for a file of tests: while Playwright is open, nothing else may run an event loop."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(address: str, browser: Browser) -> Iterator[Page]:
    """A page of a profile of its own: no cookie, no store and no cache of another test."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_S * 1000)
    refused: list[str] = []
    opened.on("console", lambda told: refused.append(told.text) if "Content Security Policy" in told.text else None)
    yield opened
    for one in browser.contexts:
        one.close()
    assert refused == [], "the pages work under their own policy"
