"""The pages and who finds them in the menu. A page asks again by itself: a hidden entry protects nothing."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Final

import streamlit as st
from msgspec import Struct

from verifier.dashboard.common import shown_errors
from verifier.review.people.roles import Act, Person


class Entry(Struct, frozen=True):
    """A page: its address, the section of the menu, title, icon, and the act it is for.

    `show` of the module `<address>_page` draws it; the module is loaded when the page is opened.
    """

    key: str
    section: str
    title: str
    icon: str
    act: Act


ENTRIES: Final = (
    Entry("today", "Review", "This morning", ":material/wb_twilight:", Act.READ),
    Entry("new", "Review", "New review", ":material/add_circle:", Act.BEGIN),
    Entry("queue", "Review", "Findings", ":material/checklist:", Act.READ),
    Entry("finding", "Review", "One finding", ":material/search:", Act.READ),
    Entry("overview", "Review", "Overview", ":material/monitoring:", Act.READ),
    Entry("watch", "Review", "Watch a recording", ":material/play_circle:", Act.WATCH),
    Entry("sample", "Review", "Blind sample", ":material/shuffle:", Act.WATCH),
    Entry("weekly", "Documents", "Weekly document", ":material/description:", Act.DOCUMENT),
    Entry("daily", "Documents", "Daily log", ":material/today:", Act.DOCUMENT),
    Entry("hold", "Documents", "Percent-of-hold", ":material/percent:", Act.DOCUMENT),
    Entry("records", "Documents", "Records", ":material/receipt_long:", Act.READ),
    Entry("submission", "Documents", "Sample recording", ":material/fact_check:", Act.DOCUMENT),
    Entry("papers", "Documents", "Kept documents", ":material/folder_open:", Act.READ),
    Entry("evidence", "Documents", "Evidence", ":material/verified_user:", Act.READ),
    Entry("retention", "Administration", "Retention", ":material/auto_delete:", Act.RETAIN),
    Entry("calibrate", "Administration", "Draw a table's zones", ":material/polyline:", Act.CALIBRATE),
    Entry("guide", "Administration", "First steps", ":material/flag:", Act.FOLDERS),
    Entry("tables", "Administration", "Tables", ":material/table_restaurant:", Act.READ),
    Entry("folders", "Administration", "Folders", ":material/folder_shared:", Act.FOLDERS),
    Entry("people", "Administration", "People", ":material/group:", Act.PEOPLE),
    Entry("account", "Administration", "Your account", ":material/key:", Act.READ),
)


def menu(person: Person) -> dict[str, list[st.Page]]:
    """Return the sections of the menu with the pages that are for this person; remember them for going from page
    to page.
    """
    sections: dict[str, list[st.Page]] = {}
    pages: dict[str, st.Page] = {}
    for entry in ENTRIES:
        if not person.may(entry.act):
            continue
        page = st.Page(_guarded(entry), title=entry.title, icon=entry.icon, url_path=entry.key)
        pages[entry.key] = page
        sections.setdefault(entry.section, []).append(page)
    st.session_state["pages"] = pages
    home = st.Page(_home, title="Review room", url_path="home", default=True, visibility="hidden")
    return {**sections, "": [home]}


def _home() -> None:
    """Lead from the address without a page to the first page, which so keeps an address of its own."""
    st.switch_page(next(iter(st.session_state["pages"].values())))


def _guarded(entry: Entry) -> Callable[[], None]:
    def draw() -> None:
        with shown_errors():
            importlib.import_module(f"verifier.dashboard.{entry.key}_page").show()

    draw.__name__ = entry.key
    return draw
