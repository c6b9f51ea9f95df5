"""What the pages share: the store, plain words for verdicts, going from page to page, errors as one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import quote

import streamlit as st

from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog
from verifier.domain.rulebooks import is_law, named
from verifier.formats.events import read_events
from verifier.review.pending import Pending
from verifier.review.people.roles import Forbidden
from verifier.review.people.views import Views
from verifier.review.queue import OPEN, QueueItem
from verifier.review.wording import accused_at, clock_text, plain_certainty
from verifier.store.audit.check import Fault
from verifier.store.database import database_url
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord

VERDICT_WORDS: Final = {
    "violation": ":material/cancel: :red-badge[Violation]",
    "undetermined": ":material/help: :orange-badge[Undetermined]",
}
STATE_WORDS: Final = {
    OPEN: "Open: nobody decided yet",
    "confirmed": "Confirmed",
    "rejected": "Rejected",
    "undetermined": "Cannot tell",
}
STATE_MARKS: Final = {OPEN: "○", "confirmed": "✔", "rejected": "✘", "undetermined": "?"}
SEVERITY_WORDS: Final = {"critical": "Critical", "major": "Major", "minor": "Minor"}


@st.cache_resource
def _store(url: str) -> Store:
    return Store(url)


def store() -> Store:
    """Return the configured store, opened once."""
    return _store(database_url())


@st.cache_resource
def _views(url: str) -> Views:
    return Views(_store(url))


def views() -> Views:
    """Where it is written down who saw what."""
    return _views(database_url())


@st.cache_resource
def _pending(url: str) -> Pending:
    return Pending(_store(url))


def pending() -> Pending:
    """Return the decisions that wait and can still be taken back."""
    return _pending(database_url())


@st.cache_resource(max_entries=8, show_spinner=False)
def _events(path: str, _changed: float) -> EventLog:
    return read_events(path)


def events_of(item: QueueItem) -> EventLog | None:
    """Return the event log of a finding's review; None if it is no longer there."""
    return log_of(item.review)


def log_of(review: ReviewRecord) -> EventLog | None:
    """Return the event log of a review; None if it is no longer there."""
    path = Path(review.folder) / "events.jsonl"
    return _events(str(path), path.stat().st_mtime) if path.exists() else None


@contextmanager
def shown_errors() -> Iterator[None]:
    """Give a block whose errors, where a person can act on them, are shown as messages on the page."""
    try:
        yield
    except Forbidden as error:
        st.error(str(error), icon=":material/block:")
    except BadInput as error:
        st.error(str(error), icon=":material/error:")


def tell_faults(names: Iterable[str]) -> None:
    """Say on the page what of these rows and files is not as the audit log's deeds made it."""
    for fault in store().compare(names).faults:
        st.error(escaped(fault_text(fault)), icon=":material/gpp_bad:")
        st.caption(f"For the keeper of the audit log: {escaped(f'{fault.where} {fault.says}')}.")


def fault_text(fault: Fault) -> str:
    """Return in plain words what is wrong with a stored record or file."""
    kept, _, name = fault.where.partition("/")
    thing = f"The file {name.rpartition('/')[2]}" if kept == "file" else f"The stored record {kept} {name}"
    changed = {
        "deleted": "is gone, and nobody took it away in the review room",
        "edited": "was changed outside of the review room",
        "added": "was not made in the review room",
    }
    said = changed.get(fault.kind, fault.says)
    return f"{thing} {said}. Base no decision on it, and tell the keeper of the audit log."


def state_text(state: str) -> str:
    """Return a state with its mark: `✔ Confirmed`."""
    return f"{STATE_MARKS[state]} {STATE_WORDS[state]}"


def open_finding(finding_id: str) -> None:
    """Remembers which finding the finding page shows, here and in the address."""
    st.session_state["finding"] = finding_id
    st.query_params["id"] = finding_id


def go_to(page: str) -> None:
    """Go to another page of the dashboard, where the pages are known (a page that runs alone stays)."""
    pages = st.session_state.get("pages", {})
    if page in pages:
        st.switch_page(pages[page], query_params=())  # without these it refuses to leave a page of filters


def sure_text(item: QueueItem) -> str:
    """How serious a finding is and how sure."""
    finding = item.stored.finding
    return f"{SEVERITY_WORDS[finding.severity]}, {plain_certainty(finding, item.stored.origin)}"


def where_text(item: QueueItem) -> str:
    """Site, table, day and time of a finding in one line; a rulebook that is not law in force is named."""
    finding = item.stored.finding
    parts = [
        f"Site {item.review.site or '?'}",
        f"table {item.review.table or '?'}",
        *([f"dealer {item.stored.dealer}"] if item.stored.dealer else []),
        f"round {finding.round}" if finding.round is not None else "between rounds",
        when_text(item),
        *([] if is_law(item.review.rulebook) else [named(item.review.rulebook)]),
    ]
    return ", ".join(parts)


def when_text(item: QueueItem) -> str:
    """When a finding's accusation begins, by the table's clock; where it was not read, how far into which file."""
    finding = item.stored.finding
    shown = accused_at(finding, item.review.clock_start)
    if shown is not None:
        return shown.strftime("%Y-%m-%d %H:%M:%S")
    day = item.review.play_date or "day unknown"
    return f"{day}, {minutes_text(finding.t_start)} into {item.review.video_name}"


def minutes_text(t: float) -> str:
    """Seconds as `1:44`, or `2:01:44`."""
    return clock_text(None, t)


def still(finding_id: str, number: int, shows: str) -> None:
    """Draw still `number` (from 0) of a finding; `shows` says to who cannot see it what it shows."""
    address = f"/room/still/{quote(finding_id, safe='')}/{number}"
    st.html(f"<img class='still' loading='lazy' alt='{escape(shows)}' src='{address}'>")


def escaped(text: str) -> str:
    """Text for markdown in which nothing is markup."""
    return "".join("\\" + letter if letter in r"\`*_{}[]<>()#+-!|~:$&" else letter for letter in text)
