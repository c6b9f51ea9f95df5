"""The weekly document: choose site and week, say what was watched, get a draft, attest it; PDF, CSV and XLSX."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import streamlit as st

from verifier.dashboard import attest_panel
from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import shown_errors, store
from verifier.dashboard.downloads import ask_reason, offer, place_of, settle, versions
from verifier.review.documents.drafts import body_of
from verifier.review.documents.roster import read_roster
from verifier.review.people.makers import maker_of
from verifier.review.people.roles import ROLE_WORDS, Act, Person
from verifier.review.queue import OPEN
from verifier.review.weekly import gather_week
from verifier.review.weekly_files import write_weekly
from verifier.review.weekly_stills import week_stills
from verifier.review.weekly_values import HOUR_MINUTES, Answers, Weekly
from verifier.review.weeks import plain_week, week_days, week_of
from verifier.store.papers import Papers


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.DOCUMENT)
    st.title("Weekly review documentation")
    st.caption("N.D. Admin. Code 99-01.3-08-04(8): at least one hour of video a week for each active table.")
    site, week = _choose()
    if week is None:
        st.info("No reviewed recording of this site has a day of play yet, so there is no week to document.")
        return
    answers = Answers(reviewer=person.full_name, account=person.name)
    weekly = gather_week(store(), site, week, answers, person)
    _state(weekly)
    _roster(person, missing=weekly.independence == "unknown")
    earlier = versions(person, "weekly", site, week)
    _form(weekly, person, earlier)
    made = st.session_state.get("weekly made")
    if made is not None and (made.document.site, made.document.period) == (site, week):
        offer(made)
    attest_panel.show(person, site, week_days(week), "week", list(weekly.watched))


def _draft(person: Person, site: str, week: str) -> Answers | None:
    """Return the answers of the person's draft, with which the form begins; None if there is none that can be
    read.
    """
    body = body_of(person, "weekly", site, week)
    try:
        return msgspec.json.decode(body, type=Weekly).answers if body is not None else None
    except msgspec.DecodeError:
        return None


def _choose() -> tuple[str, str | None]:
    left, right = st.columns(2)
    site = left.selectbox("Site", store().review_sites() or [""], format_func=lambda name: name or "(none)")
    weeks = dict.fromkeys(week_of(day) for day in store().review_days(site))
    return site, right.selectbox("Week of play", list(weeks), format_func=plain_week) if weeks else None


def _state(weekly: Weekly) -> None:
    left_open = sum(finding.decision == OPEN for finding in weekly.findings)
    st.markdown(
        f"Recordings: {len(weekly.tables)}. Tables: {len(weekly.watched)}. Findings: {len(weekly.findings)}, "
        f"**{left_open} not yet decided**."
    )
    if left_open:
        st.warning("Findings that nobody decided appear in the document as not yet decided.")
    if weekly.independence == "conflict":
        st.error(
            f"{weekly.independence_says} Another person must review this week (08-04(8)).", icon=":material/block:"
        )
    else:
        st.caption(weekly.independence_says)


def _roster(person: Person, *, missing: bool) -> None:
    """Take a roster, against which the reviewer is checked."""
    with st.expander("Add a roster: who dealt on which shift (CSV)", expanded=missing):
        st.caption(
            "Columns: site, day, shift, person, duty; for example 0123, 2026-11-17, evening, Lee Dahl, twenty-one."
        )
        given = st.file_uploader("Roster", type="csv", max_upload_size=2, key="roster")
        if given is not None and st.button("Add the roster"):
            with shown_errors():
                _add_roster(given.getvalue(), person)
                st.rerun()


def _add_roster(content: bytes, person: Person) -> None:
    with TemporaryDirectory() as name:
        path = Path(name) / "roster.csv"
        path.write_bytes(content)
        Papers(store()).set_roster(read_roster(path), person.name)


def _form(weekly: Weekly, person: Person, earlier: int) -> None:
    draft = _draft(person, weekly.site, weekly.week)
    said = draft or Answers()
    if draft is not None:
        st.caption(":material/cloud_done: The form begins with your draft, which waits on the server.")
    with st.form("weekly"):
        answers = _answers(weekly, person, said, _minutes(weekly, said))
        stills = person.may(Act.VIDEO) and st.checkbox(
            "Show the findings' stills: for readers who may see video, 08-04(4)(a)",
            help="Without them the document may also go to people who may not see video.",
        )
        reason = ask_reason(earlier)
        if st.form_submit_button("Make the document", type="primary"):
            with shown_errors():
                _make(person, weekly, answers, reason, stills=stills)


def _minutes(weekly: Weekly, said: Answers) -> dict[str, float]:
    """Ask for the minutes that the person watched of each table."""
    st.markdown(
        "**How many minutes did you watch yourself?** Minutes that the program watched do not count. The form holds "
        "the minutes that you watched here. If you enter more, the document marks them as your statement. "
        f"The rule asks for at least {HOUR_MINUTES} minutes for each active table."
    )
    columns = st.columns(max(2, min(4, len(weekly.watched))))
    return {
        table: float(
            columns[index % len(columns)].number_input(
                f"Table {table}, minutes", 0, 10080, int(max(said.minutes.get(table, 0), counted)), step=5
            )
        )
        for index, (table, counted) in enumerate(weekly.watched.items())
    }


def _answers(weekly: Weekly, person: Person, said: Answers, minutes: dict[str, float]) -> Answers:
    """Ask for the rest; fields begin with what the draft says, else with what the store knows."""
    hold = f"{weekly.hold.percent:.2%}" if weekly.hold and weekly.hold.percent is not None else ""
    determined = said.determined or weekly.answers.determined
    number = said.week_number or weekly.week_number
    left, right = st.columns(2)
    return Answers(
        reviewer=left.text_input("Reviewer", value=person.full_name),
        role=right.text_input("Role", value=ROLE_WORDS[person.role]),
        organization=left.text_input("Organization", value=said.organization),
        percent_of_hold=right.text_input(
            f"Percent-of-hold of {weekly.hold_quarter}", value=said.percent_of_hold or hold
        ),
        week_number=left.text_input("Week of the six", value=number, placeholder="1 of 6"),
        determined=right.text_input("Day on which it became known", value=determined, placeholder="2026-10-20"),
        shift=left.text_input("Shift reviewed", value=said.shift or weekly.shift),
        dealers=right.text_input("Dealers on the footage", value=said.dealers or weekly.dealers),
        excluded_tables=left.text_input("Active tables left out, and why", value=said.excluded_tables),
        access_authority=right.text_input("Your access authority under 08-04(4)(a)", value=_authority(person)),
        conclusion=st.text_area(
            "Conclusion: reason for the low percent-of-hold, or what is done next", value=said.conclusion
        ),
        independent=st.checkbox("I did not conduct twenty-one or paddlewheel at this site on the reviewed shifts."),
        attested=st.checkbox(
            "I attest that I watched these minutes, and that the document is right as far as I know.",
            help="Attested, it is kept as a version that stays. Without, a draft is made, any number of times.",
        ),
        minutes=minutes,
    )


def _authority(person: Person) -> str:
    """On what the person's access to stored video rests."""
    return ROLE_WORDS[person.role] if person.may(Act.VIDEO) else ""


def _make(person: Person, weekly: Weekly, answers: Answers, reason: str, *, stills: bool) -> None:
    if not answers.reviewer.strip():
        st.error("The document needs a reviewer: write your name.")
        return
    full = gather_week(store(), weekly.site, weekly.week, answers, person)
    maker = maker_of(person)
    pictures = week_stills(store(), full, maker, person) if stills else None
    made = write_weekly(full, place_of(person, attested=full.attested), store(), reason, maker, pictures)
    settle(person, made)
    st.session_state["weekly made"] = made
    if full.typed:
        st.warning(f"{full.typed} The document says so.")
    for says in full.stated:
        st.warning(f"Stated, not counted: {says} The document says so.")
    if full.short_tables:
        st.warning(f"Watched less than an hour: table {', '.join(full.short_tables)}. The document says so.")
