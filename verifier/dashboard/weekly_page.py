"""The weekly document: choose site and week, say what was watched, get PDF and CSV."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import store
from verifier.review.people.roles import Act
from verifier.review.queue import OPEN
from verifier.review.weekly import HOUR_MINUTES, Answers, Weekly, gather_week
from verifier.review.weekly_files import WeeklyFiles, write_weekly
from verifier.review.weeks import week_of
from verifier.store.database import home
from verifier.store.values import ReviewRecord


def show() -> None:
    """Draws the page."""
    person = person_who_may(Act.DOCUMENT)
    st.session_state["reviewer"] = person.full_name
    st.title("Weekly review documentation")
    st.caption("N.D. Admin. Code 99-01.3-08-04(8): at least one hour of video a week for each active table.")
    dated = [review for review in store().reviews() if review.play_date]
    if not dated:
        st.info("No reviewed recording has a day of play yet, so there is no week to document.")
        return
    site, week = _choose(dated)
    weekly = gather_week(store(), site, week, Answers())
    _state(weekly)
    _form(weekly)
    _made(site, week)


def _choose(reviews: list[ReviewRecord]) -> tuple[str, str]:
    left, right = st.columns(2)
    site = left.selectbox(
        "Site", sorted({one.site or "" for one in reviews}), format_func=lambda name: name or "(none)"
    )
    weeks = sorted({week_of(one.play_date or "") for one in reviews if (one.site or "") == site}, reverse=True)
    return site, right.selectbox("Week of play", weeks)


def _state(weekly: Weekly) -> None:
    left_open = sum(finding.decision == OPEN for finding in weekly.findings)
    st.markdown(
        f"Recordings: {len(weekly.tables)}. Tables: {len(weekly.watched)}. Findings: {len(weekly.findings)}, "
        f"**{left_open} not yet decided**."
    )
    if left_open:
        st.warning("Findings that nobody decided appear in the document as not yet decided.")


def _form(weekly: Weekly) -> None:
    with st.form("weekly"):
        st.markdown(
            "**How many minutes did you watch yourself?** What the software watched does not count. "
            f"The rule asks for at least {HOUR_MINUTES} minutes for each active table."
        )
        columns = st.columns(max(2, min(4, len(weekly.watched))))
        minutes = {
            table: float(columns[index % len(columns)].number_input(f"Table {table}, minutes", 0, 10080, 0, step=5))
            for index, table in enumerate(weekly.watched)
        }
        left, right = st.columns(2)
        answers = Answers(
            reviewer=left.text_input("Reviewer", value=str(st.session_state.get("reviewer", ""))),
            role=right.text_input("Role", placeholder="gaming manager, shift manager, independent person"),
            organization=left.text_input("Organization"),
            percent_of_hold=right.text_input("Percent-of-hold of the quarter"),
            week_number=left.text_input("Week of the six", placeholder="1 of 6"),
            dealers=right.text_input("Dealers on the footage"),
            excluded_tables=left.text_input("Active tables left out, and why"),
            access_authority=right.text_input("Your access authority under 08-04(4)(a)"),
            conclusion=st.text_area("Conclusion: reason for the low percent-of-hold, or what is done next"),
            independent=st.checkbox("I did not conduct twenty-one or paddlewheel at this site on the reviewed shifts."),
            minutes=minutes,
        )
        if st.form_submit_button("Make the document", type="primary"):
            _make(weekly, answers)


def _make(weekly: Weekly, answers: Answers) -> None:
    if not answers.reviewer.strip():
        st.error("The document needs a reviewer: write your name.")
        return
    full = gather_week(store(), weekly.site, weekly.week, answers)
    files = write_weekly(full, home() / "documents", store())
    st.session_state["weekly files"] = (weekly.site, weekly.week, files)
    if full.short_tables:
        st.warning(f"Watched less than an hour: table {', '.join(full.short_tables)}. The document says so.")


def _made(site: str, week: str) -> None:
    made: tuple[str, str, WeeklyFiles] | None = st.session_state.get("weekly files")
    if made is None or made[:2] != (site, week):
        return
    files = made[2]
    st.success(f"Made and kept in {files.pdf.parent}")
    left, right = st.columns(2)
    _download(left, "Download the PDF", files.pdf, "application/pdf")
    _download(right, "Download the CSV", files.csv, "text/csv")


def _download(place: st.delta_generator.DeltaGenerator, label: str, path: Path, kind: str) -> None:
    place.download_button(label, path.read_bytes(), file_name=path.name, mime=kind, width="stretch")
