"""Percent-of-hold: figures in, triggers and the six-week plan out, with charts."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import altair as alt
import pandas as pd
import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import escaped, shown_errors, store
from verifier.dashboard.downloads import ask_reason, folder, offer, versions
from verifier.review.documents.hold import TRIGGERS, Hold, HoldReport, hold_report
from verifier.review.documents.hold_figures import COLUMNS, cents, read_figures
from verifier.review.documents.hold_files import sheet, write_hold
from verifier.review.documents.quarters import quarter_before
from verifier.review.people.roles import Act, Person
from verifier.store.papers import HoldFigure, Papers


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.DOCUMENT)
    st.title("Percent-of-hold")
    left, right = st.columns(2)
    quarter = left.text_input("Quarter", value=quarter_before(date.today()))
    determined = right.date_input("Day on which the figures became known", value="today", format="YYYY-MM-DD")
    with st.expander("Enter figures"):
        _enter(person)
    report = hold_report(store(), quarter, determined or date.today())
    if not report.sites:
        st.info("No figures of this quarter were entered yet.")
        return
    says = "adjusted gross proceeds over gross proceeds."
    st.caption(escaped(report.rules.cited("99-01.3-08-01(3) and 08-04(8)", says)))
    _duties(report)
    _chart(report)
    st.subheader("Dealers and wheel operators" + (" (SFN 18863)" if report.rules.north_dakota else ""))
    st.dataframe(sheet(report.dealers), hide_index=True, width="stretch")
    _make(report, person)


def _enter(person: Person) -> None:
    given = st.file_uploader(f"CSV with the columns {', '.join(COLUMNS)}", type="csv", max_upload_size=5)
    if given is not None and st.button("Add these figures"):
        with shown_errors(), TemporaryDirectory() as name:
            path = Path(name) / "figures.csv"
            path.write_bytes(given.getvalue())
            figures = read_figures(path)
            Papers(store()).add_figures(figures, person.name)
            st.success(f"{len(figures)} figures added.")
    with st.form("figure", clear_on_submit=True):
        columns = st.columns(6)
        site, dealer = columns[0].text_input("Site"), columns[1].text_input("Dealer")
        day = columns[2].date_input("Day", value="today", format="YYYY-MM-DD")
        game = columns[3].selectbox("Game", list(TRIGGERS))
        gross, prizes = columns[4].text_input("Gross proceeds, $"), columns[5].text_input("Prizes, $")
        if st.form_submit_button("Add"):
            with shown_errors():
                _add(person, site, dealer, day, str(game), gross, prizes)


def _add(person: Person, site: str, dealer: str, day: date | None, game: str, gross: str, prizes: str) -> None:
    if not site.strip() or not dealer.strip() or day is None:
        st.error("Site, dealer and day are needed.")
        return
    figure = HoldFigure(
        site=site.strip(),
        day=day.isoformat(),
        game=game,
        dealer=dealer.strip(),
        gross_cents=cents("gross proceeds", gross),
        prizes_cents=cents("prizes", prizes),
    )
    Papers(store()).add_figures([figure], person.name)
    st.success("Added. A second figure for the same dealer and day replaces the first.")


def _duties(report: HoldReport) -> None:
    if not report.duties:
        st.success("No figure asks for a review.", icon=":material/check_circle:")
    for duty in report.duties:
        text = f"**Site {duty.site}, {duty.game}.** {duty.says} ({duty.cite}, by {duty.by})"
        st.warning(text.replace("$", "\\$"), icon=":material/priority_high:")
    for site, weeks in report.plan.items():
        st.markdown(f"**Review plan of site {site}**")
        for column, one in zip(st.columns(len(weeks)), weeks, strict=True):
            state = f"✔ documented, version {one.document_version}" if one.document_version else "○ open"
            column.markdown(f"Week {one.number}  \n{one.week}  \n{state}")


def _chart(report: HoldReport) -> None:
    rows = pd.DataFrame(_bar(one) for one in report.sites)
    base = alt.Chart(rows).encode(y=alt.Y("Site and game", title=None))
    bars = base.mark_bar().encode(
        x=alt.X("Percent-of-hold", title="Percent-of-hold (the tick is the trigger)"),
        color=alt.Color("State", scale=alt.Scale(domain=["below the trigger", "above"], range=["#b3261e", "#0b5c3b"])),
    )
    texts = base.mark_text(align="left", dx=4).encode(x="Percent-of-hold", text="Says")
    st.altair_chart(bars + texts + base.mark_tick(thickness=3, color="black").encode(x="Trigger"), width="stretch")


def _bar(hold: Hold) -> dict[str, object]:
    """Return a line of the chart; words beside the bar, not its colour alone, say that it is low."""
    percent, trigger = (hold.percent or 0.0) * 100, TRIGGERS[hold.game] * 100
    low = hold.percent is not None and percent < trigger
    return {
        "Site and game": f"{hold.site}, {hold.game}",
        "Percent-of-hold": percent,
        "Trigger": trigger,
        "State": "below the trigger" if low else "above",
        "Says": f"{percent:.2f}" + (" ! below the trigger" if low else ""),
    }


def _make(report: HoldReport, person: Person) -> None:
    sites = {one.site for one in report.sites}
    earlier = versions(person, "hold", next(iter(sites)) if len(sites) == 1 else "all", report.quarter)
    reason = ask_reason(earlier)
    if st.button("Make the document", type="primary"):
        with shown_errors():
            st.session_state["hold made"] = write_hold(
                store(), report, folder(), person.signature, reason, actor=person.name
            )
    if "hold made" in st.session_state:
        offer(st.session_state["hold made"])
