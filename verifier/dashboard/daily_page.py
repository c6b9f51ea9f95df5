"""The daily surveillance review log: one table of ticks, the employee's attestation, the clocks of repair."""

from __future__ import annotations

from datetime import date
from typing import Final

import msgspec
import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from verifier.dashboard import attest_panel
from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import escaped, shown_errors, store
from verifier.dashboard.downloads import ask_reason, offer, place_of, settle, versions
from verifier.review.documents.daily import Check, DailyLog, gather_day
from verifier.review.documents.daily_checks import check_of
from verifier.review.documents.daily_files import write_daily
from verifier.review.documents.drafts import body_of
from verifier.review.documents.rules import rules_at
from verifier.review.people.makers import maker_of
from verifier.review.people.roles import Act, Person

_TICKS: Final = ("recorder", "clock", "unobstructed", "cards", "chips", "currency")
_WORDS: Final = {True: "yes", False: "no", None: ""}
_HEADS: Final = {
    "table": "Table",
    "game": "Game",
    "time": "Time checked",
    "recorder": "Recorder runs",
    "clock": "Clock right",
    "unobstructed": "Unobstructed",
    "cards": "Cards clear",
    "chips": "Chips clear",
    "currency": "Currency clear",
    "deficiency": "Deficiency",
    "first_seen": "First seen (2026-11-17T21:30)",
    "active_hours": "Hours in play since",
    "repaired": "Repaired",
    "action": "Action (closed, limited to $2)",
}


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.DOCUMENT)
    st.title("Daily surveillance review log")
    site, day = _choose()
    if not site or day is None:
        return
    rules = rules_at(store(), [site], day=day.isoformat())
    says = "look at every table yourself. What the software saw is support only."
    st.caption(escaped(rules.cited("99-01.3-08-04(6)", says)))
    draft = _draft(person, site, day.isoformat())
    bare = gather_day(store(), site, day, [line.check for line in draft.lines] if draft else [])
    _form(person, site, day, draft, bare)
    attest_panel.show(person, site, (day, day), "day", [line.check.table for line in bare.lines])
    _support(bare)
    _made()


def _choose() -> tuple[str, date | None]:
    left, right = st.columns(2)
    sites = store().review_sites()
    site = left.selectbox("Site", sites) if sites else left.text_input("Site")
    return str(site or ""), right.date_input("Day", value="today", format="YYYY-MM-DD")


def _form(person: Person, site: str, day: date, draft: DailyLog | None, bare: DailyLog) -> None:
    """Draw the log's form, filled in with `bare`, what is known before; make the log where it is pressed."""
    earlier = versions(person, "daily", site, day.isoformat())
    with st.form("daily"):
        edited = st.data_editor(
            _table(bare),
            num_rows="dynamic",
            hide_index=True,
            width="stretch",
            column_config=_columns(),
            placeholder="",  # what is not filled in is empty, not "None"
        )
        left, middle, right = st.columns(3)
        employee = left.text_input("Employee", value=person.full_name)
        initials = middle.text_input("Initials", value=draft.initials if draft else "")
        organization = right.text_input("Organization", value=draft.organization if draft else "")
        reason = ask_reason(earlier)
        attested = st.checkbox(
            "I looked at the picture of each of these tables on this day.",
            help="Attested, and with a look at every table, the log is kept. Without, a draft is made.",
        )
        if st.form_submit_button("Make the log", type="primary"):
            with shown_errors():
                signer = employee if attested else ""
                log = gather_day(store(), site, day, _checks(edited), (), signer, initials, organization, person)
                made = write_daily(store(), log, place_of(person, attested=log.attested), reason, maker_of(person))
                settle(person, made)
                st.session_state["daily made"] = (log, made)


def _made() -> None:
    """Offer the log that was just made, with what is wrong with it."""
    if "daily made" not in st.session_state:
        return
    log, made = st.session_state["daily made"]
    offer(made)
    for line in log.overdue:
        st.error(line, icon=":material/timer_off:")
    if log.typed:
        st.warning(f"{log.typed} The log says so.")
    if not log.attested:
        st.warning("Not yet a record: every table needs a look, and the employee's attestation.")


def _draft(person: Person, site: str, day: str) -> DailyLog | None:
    """Return the person's draft of this log, with which the form begins; None if there is none that can be read."""
    body = body_of(person, "daily", site, day)
    try:
        return msgspec.json.decode(body, type=DailyLog) if body is not None else None
    except msgspec.DecodeError:
        return None


def _columns() -> dict[str, ColumnConfig]:
    ticks = {name: st.column_config.SelectboxColumn(_HEADS[name], options=["", "yes", "no"]) for name in _TICKS}
    texts = {name: st.column_config.TextColumn(title) for name, title in _HEADS.items() if name not in ticks}
    return {**texts, **ticks, "active_hours": st.column_config.NumberColumn(_HEADS["active_hours"], min_value=0.0)}


def _table(log: DailyLog) -> pd.DataFrame:
    rows = [{name: getattr(line.check, name) for name in _HEADS} for line in log.lines] or [{}]
    table = pd.DataFrame(rows, columns=list(_HEADS)).astype(object).fillna("")
    for name in _TICKS:
        table[name] = [_WORDS.get(value, "") for value in table[name]]
    table["active_hours"] = pd.to_numeric(table["active_hours"])
    return table


def _checks(table: pd.DataFrame) -> list[Check]:
    rows = [{str(name): _text(value) for name, value in row.items()} for row in table.to_dict("records")]
    return [check_of("the log", f"line {line}", row) for line, row in enumerate(rows, start=1) if row["table"]]


def _text(value: object) -> str:
    return "" if value is None or value != value else str(value).strip()


def _support(log: DailyLog) -> None:
    st.subheader("What the software saw")
    if not log.lines:
        st.info("No recording of this day was reviewed by software.")
    for line in log.lines:
        st.markdown(f"**Table {line.check.table}**")
        for text in line.support:
            st.text(text)
