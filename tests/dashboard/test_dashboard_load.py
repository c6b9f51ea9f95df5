"""Thirty reviewers at once over their own connections to the served dashboard: none loses a verdict; its memory."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from browsing import PASSWORD, PATIENCE_S
from review_fakes import finding
from room_session import RoomSession

from verifier.review.bundle.whole import check_log
from verifier.review.originals import KEPT_ORIGINALS
from verifier.review.people.accounts import NewAccount, create
from verifier.review.people.roles import Person, Role
from verifier.store.kept import file_name
from verifier.store.repository import Store
from verifier.store.values import NewFinding

PEOPLE, EACH = 30, 2
MOST_MIB = 1024
"""Memory of the server's process at its peak: a computer of 4 GiB holds it beside a review."""
REFUSALS = ("is held by", "is looking at this finding", "the store cannot be used")
"""What the page says where a verdict is not kept."""
CHIEF = Person(name="ada", full_name="Ada Admin", role=Role.ADMINISTRATOR)

pytestmark = pytest.mark.browser


def test_thirty_reviewers_at_once_lose_no_verdict_and_stay_below_1_gib(address: str) -> None:
    (review,) = Store().reviews()
    told = [finding(observed=f"The payoff {number} stayed a stack.") for number in range(3 * PEOPLE)]
    made = [NewFinding(finding=one) for one in told]
    findings = Store().save_review(msgspec.structs.replace(review, video_path=""), made)
    original = Path(review.folder) / KEPT_ORIGINALS
    original.unlink()  # no original: what is measured is the store, not decoding
    for number in range(PEOPLE):
        new = NewAccount(name=f"p{number:02d}", full_name=f"Person {number}", role=Role.MANAGER, password=PASSWORD)
        create(Store(), CHIEF, new)
    names = {f"p{number:02d}": findings[2 * number].id for number in range(PEOPLE)}
    together = threading.Barrier(PEOPLE)
    with ThreadPoolExecutor(PEOPLE) as pool:
        notes = dict(zip(names, pool.map(lambda one: judged(address, *one, together), names.items()), strict=True))
    until = time.monotonic() + PATIENCE_S
    while len(Store().verdicts()) < PEOPLE * EACH and time.monotonic() < until:
        time.sleep(0.2)  # each person's last decision waits
    kept = [(one.reviewer.rpartition("(")[2].rstrip(")"), one.note) for one in Store().verdicts()]
    assert sorted(kept) == sorted((name, note) for name, said in notes.items() for note in said)
    assert len(kept) == PEOPLE * EACH
    assert {one.seen for one in Store().verdicts()} == {False}, "decided without the clip"
    assert [fault.where for fault in check_log(Store())[1]] == [file_name(original)], (
        "taken away above, and nothing else"
    )
    (peak,) = peaks()
    assert peak < MOST_MIB


def peaks() -> list[int]:
    """The peak memory of each process that this one began and that serves the dashboard, MiB."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):  # it has ended
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
            serves = b"dashboard" in status.with_name("cmdline").read_bytes().split(b"\0")
            if serves and int(fields["PPid"]) == os.getpid():
                found.append(int(fields["VmHWM"].split()[0]) >> 10)
    return found


def judged(address: str, name: str, first: str, together: threading.Barrier) -> list[str]:
    """Signs in, begins at the same moment as all others, confirms one finding after another; gives the notes kept."""
    with RoomSession(address, name, PASSWORD, PATIENCE_S) as session:
        together.wait(PATIENCE_S)
        session.open("finding", f"id={first}")
        notes: list[str] = []
        while len(notes) < EACH:
            if not session.shows("decide confirmed"):  # another one holds it
                session.press("next ")
                continue
            if session.shows("arm "):  # no clip is there: the person says so; a browser that does not decides nothing
                session.press("decide confirmed")
                assert not any("to be stored" in text for text in session.texts) or notes
                session.press("arm ")
            note = f"{name} saw {len(notes)}"
            session.press("decide confirmed", note=note)
            if any("to be stored" in text for text in session.texts):
                notes.append(note)
            else:
                refused = [text for text in session.texts if any(why in text for why in REFUSALS)]
                assert refused, "; ".join(text for text in session.texts if len(text) < 200)
        return notes
