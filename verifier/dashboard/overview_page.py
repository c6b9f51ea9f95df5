"""Overview: findings by week, table, clause and dealer, how often people agreed, minutes, percent-of-hold, coverage."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

import altair as alt
import msgspec
import pandas as pd
import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import STATE_WORDS, escaped, store
from verifier.domain.rulebooks import ABOUT
from verifier.law.catalogue import by_id
from verifier.review.documents.rules import Rules, rules_at
from verifier.review.overview import (
    Bar,
    Minutes,
    QuarterHold,
    Strip,
    Trust,
    findings_of,
    hold_by_quarter,
    minutes_of_weeks,
    strips_of,
    weeks_until,
)
from verifier.review.people.roles import Act, Person
from verifier.review.queue import OPEN, STATES, Filters
from verifier.review.weekly_values import HOUR_MINUTES

PERIODS: Final = {"4 weeks": 4, "13 weeks": 13, "52 weeks": 52}
COLOURS: Final = {"Confirmed": "#b3261e", "Rejected": "#8c9196", "Cannot tell": "#f0a202", "Open": "#ffffff"}
"""Told apart without colour by their brightness, and by their order in each bar."""
MOST_CLAUSES: Final = 15
"""Clauses that a plot shows; the table below it shows all of them."""
LINE: Final = "#3c4043"
_SHORT: Final = pd.Timedelta(minutes=20)
"""A day of which less was recorded shows seconds at its axis: minutes would repeat. Our own choice."""


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.READ)
    st.title("Overview")
    if not store().review_count():
        st.info("Nothing was reviewed yet.")
        return
    weeks, site = _choice()
    filters = Filters(sites=frozenset({site}) if site else frozenset())
    findings = findings_of(store(), person, filters, weeks)
    for column, state in zip(st.columns(len(STATES)), STATES, strict=True):
        column.metric(_state(state), findings.by_state[state])
    st.subheader("Findings by week")
    _bars(findings.by_week, "Week", names=list(weeks), upright=True)
    st.subheader("By table")
    _bars(findings.by_table, "Table")
    st.subheader("By rule")
    _bars(_with_titles(_most(findings.by_clause)), "Rule")
    if findings.by_dealer:
        st.subheader("By dealer")
        st.caption("Only managers see this. A dealer who deals more hands has more findings.")
        _bars(findings.by_dealer, "Dealer")
    _trust(findings.trust)
    _minutes(minutes_of_weeks(store(), weeks, site), _rules(site))
    _day(site)
    if person.may(Act.DOCUMENT):
        _hold(person, site)


def _choice() -> tuple[list[str], str | None]:
    """Ask for the weeks to look at, and the site (None: all)."""
    left, right = st.columns(2)
    period = left.segmented_control("Time", list(PERIODS), default="13 weeks", required=True)
    sites = [one for one in store().review_sites() if one]
    site = right.selectbox("Site", sites, index=None, placeholder="All sites")
    return weeks_until(date.today(), PERIODS[period]), site


def _state(state: str) -> str:
    return "Open" if state == OPEN else STATE_WORDS[state]


def _most(bars: Sequence[Bar]) -> list[Bar]:
    """Return the bars of the clauses with the most findings."""
    sums: dict[str, int] = {}
    for one in bars:
        sums[one.name] = sums.get(one.name, 0) + one.count
    most = sorted(sums, key=lambda name: (-sums[name], name))[:MOST_CLAUSES]
    return [one for one in bars if one.name in most]


def _with_titles(bars: Sequence[Bar]) -> list[Bar]:
    return [msgspec.structs.replace(one, name=_title(one.name)) for one in bars]


def _title(clause: str) -> str:
    """Return a clause's title and place, by which people know it: `Fan the payoff (08-11(16)(a))`."""
    for rulebook in ABOUT:
        found = by_id(rulebook).get(clause)
        if found is not None:
            return f"{found.title} ({found.cite.rpartition(' ')[2].removeprefix('99-01.3-')})"
    return clause


def _bars(bars: Sequence[Bar], what: str, *, names: Sequence[str] | None = None, upright: bool = False) -> None:
    """Bars with one part for each decision, their counts written in them, and the same as a table."""
    rows = pd.DataFrame([{what: one.name, "Decision": _state(one.state), "Findings": one.count} for one in bars])
    if rows.empty:
        st.caption("No findings.")
        return
    order = [_state(state) for state in ("confirmed", "rejected", "undetermined", OPEN)]
    rows["Place"] = rows["Decision"].map(order.index)
    named = alt.X if upright else alt.Y
    counted = alt.Y if upright else alt.X
    across, along = ("x", "y") if upright else ("y", "x")
    sums = rows.groupby(what)["Findings"].sum().sort_values(ascending=False, kind="stable")
    sort = list(names) if names is not None else list(sums.index)
    scale = alt.Scale(domain=list(names)) if names is not None else alt.Undefined
    colour = alt.Color(
        "Decision:N",
        sort=order,
        scale=alt.Scale(domain=order, range=[COLOURS[name] for name in order]),
        legend=alt.Legend(orient="top", title=None, columns=2, symbolStrokeColor=LINE, symbolStrokeWidth=1),
    )
    counted_axis = counted("Findings:Q", stack="zero", title="Findings", axis=alt.Axis(tickMinStep=1, format="d"))
    channels: dict[str, Any] = {
        across: named(f"{what}:N", sort=sort, scale=scale, title=None, axis=alt.Axis(labelLimit=320)),
        along: counted_axis,
    }
    told = _tooltips(what, "Decision", "Findings:Q")
    base = alt.Chart(rows).encode(order=alt.Order("Place:Q"), tooltip=told, **channels)
    drawn = base.mark_bar(stroke=LINE, strokeWidth=1).encode(color=colour)
    middle: dict[str, Any] = {along: counted("Findings:Q", stack="zero", bandPosition=0.5)}
    ink = alt.when(alt.datum.Decision == order[0]).then(alt.value("white")).otherwise(alt.value("black"))
    texts = base.mark_text().encode(text=alt.Text("Findings:Q"), color=ink, **middle)
    st.altair_chart(drawn + texts, width="stretch")
    _table(rows[[what, "Decision", "Findings"]])


def _tooltips(*fields: str) -> list[alt.Tooltip]:
    """Fields with their kinds; told so, none is tried against the schema of every channel, which takes long."""
    return [alt.Tooltip(one if one[-2:-1] == ":" else f"{one}:N") for one in fields]


def _table(rows: pd.DataFrame) -> None:
    with st.expander("As a table"):
        st.dataframe(rows, hide_index=True, width="stretch")


def _trust(found: Sequence[Trust]) -> None:
    st.subheader("How often people agreed with the software")
    st.caption(
        "The share of the program's violations that people confirmed, of all that they confirmed or rejected. The line "
        "is the range in which the true share lies, with 95 % confidence. Few decisions give a long line."
    )
    if not found:
        st.caption("Nothing was decided yet.")
        return
    rows = pd.DataFrame(
        {
            "Rule": [_title(one.clause) for one in found],
            "Confirmed, %": [100 * one.share for one in found],
            "From": [100 * one.low for one in found],
            "To": [100 * one.high for one in found],
            "Decisions": [f"{one.confirmed} of {one.confirmed + one.rejected}" for one in found],
        }
    )
    whole = alt.Scale(domain=[0, 100])
    base = alt.Chart(rows.head(MOST_CLAUSES)).encode(
        y=alt.Y("Rule:N", sort=None, title=None, axis=alt.Axis(labelLimit=320))
    )
    lines = base.mark_rule(strokeWidth=2, color=LINE).encode(
        x=alt.X("From:Q", scale=whole, title="Confirmed, % of those decided"), x2=alt.X2("To:Q")
    )
    points = base.mark_point(filled=True, size=90, color=COLOURS["Confirmed"], opacity=1).encode(
        x=alt.X("Confirmed, %:Q", scale=whole), tooltip=_tooltips("Rule", "Decisions", "From:Q", "To:Q")
    )
    texts = base.mark_text(dy=-11).encode(x=alt.X("Confirmed, %:Q", scale=whole), text=alt.Text("Decisions:N"))
    st.altair_chart(lines + points + texts, width="stretch", height=60 + 38 * min(len(rows), MOST_CLAUSES))
    _table(rows.round(1))


def _rules(site: str | None) -> Rules:
    """Return the rules that the tables of the site, or of all sites, are played by."""
    return rules_at(store(), [site] if site else store().review_sites())


def _minutes(found: Sequence[Minutes], rules: Rules) -> None:
    st.subheader("Minutes watched by people")
    says = "an hour of video a week for each table. White: none. Dark: the hour."
    st.caption(escaped(rules.cited("99-01.3-08-04(8)", says)))
    if not found:
        st.caption("Nothing was recorded in these weeks.")
        return
    rows = pd.DataFrame(
        {
            "Week": [one.week for one in found],
            "Table": [one.where for one in found],
            "Minutes": [round(one.watched, 1) for one in found],
            "Short of the hour": [max(0.0, round(one.wanted - one.watched, 1)) for one in found],
        }
    )
    base = alt.Chart(rows).encode(
        x=alt.X("Week:N", title=None), y=alt.Y("Table:N", title=None, axis=alt.Axis(labelLimit=320))
    )
    fields = base.mark_rect(stroke=LINE).encode(
        color=alt.Color(
            "Minutes:Q",
            scale=alt.Scale(domain=[0, HOUR_MINUTES], range=["#ffffff", "#0b5c3b"], interpolate="rgb", clamp=True),
            legend=alt.Legend(orient="top", title="Minutes"),
        ),
        tooltip=_tooltips("Week", "Table", "Minutes:Q", "Short of the hour:Q"),
    )
    ink = alt.when(alt.datum.Minutes > HOUR_MINUTES / 2).then(alt.value("white")).otherwise(alt.value("black"))
    texts = base.mark_text().encode(text=alt.Text("Minutes:Q", format=".0f"), color=ink)
    plot = (fields + texts).properties(height=alt.Step(30))
    st.altair_chart(plot, width="stretch")
    _table(rows)


def _day(site: str | None) -> None:
    st.subheader("What the software watched of a day")
    days = store().review_days(site)
    day = st.selectbox("Day of play", days, index=0 if days else None)
    if day is None:
        st.caption("No day of play is known.")
        return
    strips, undated = strips_of(store(), day, site)
    if strips:
        _strips(strips)
    for name in undated:
        st.caption(f":material/schedule: {name}: its clock is not known, so no strip shows it.")


def _strips(strips: Sequence[Strip]) -> None:
    """Draw a line for each table: watched stretches high and dark, others low and light, with the reason."""
    rows = pd.DataFrame(
        {
            "Table": [one.where for one in strips],
            "From": pd.to_datetime([one.start for one in strips]),
            "To": pd.to_datetime([one.end for one in strips]),
            "State": ["watched" if one.why is None else "not watched" for one in strips],
            "Why": [one.why or "" for one in strips],
        }
    )
    states = ["watched", "not watched"]
    long = rows["To"].max() - rows["From"].min() > _SHORT
    ticks = "%H:%M" if long else "%H:%M:%S"
    plot = (
        alt.Chart(rows)
        .mark_bar(stroke=LINE, strokeWidth=1)
        .encode(
            y=alt.Y("Table:N", title=None, axis=alt.Axis(labelLimit=320)),
            x=alt.X("From:T", title="Clock of the table", axis=alt.Axis(format=ticks)),
            x2=alt.X2("To:T"),
            color=alt.Color(
                "State:N",
                scale=alt.Scale(domain=states, range=["#0b5c3b", "#ffffff"]),
                legend=alt.Legend(orient="top", title=None, symbolStrokeColor=LINE, symbolStrokeWidth=1),
            ),
            size=alt.Size("State:N", scale=alt.Scale(domain=states, range=[22, 10]), legend=None),
            tooltip=[
                alt.Tooltip("Table:N"),
                alt.Tooltip("From:T", format="%H:%M:%S"),
                alt.Tooltip("To:T", format="%H:%M:%S"),
                *_tooltips("State", "Why"),
            ],
        )
    )
    st.altair_chart(plot, width="stretch", height=90 + 44 * rows["Table"].nunique())
    _table(rows)


def _hold(person: Person, site: str | None) -> None:
    st.subheader("Percent-of-hold by quarter")
    says = "below the dashed trigger the tables must be reviewed."
    st.caption(escaped(_rules(site).cited("99-01.3-08-04(8)", says)))
    found: list[QuarterHold] = hold_by_quarter(store(), person, date.today(), site)
    if not found:
        st.caption("No figures are kept. They are entered on the page Percent-of-hold.")
        return
    rows = pd.DataFrame(
        {
            "Quarter": [one.quarter for one in found],
            "Site and game": [f"{one.site}, {one.game}" for one in found],
            "Percent-of-hold": [round(100 * one.percent, 2) for one in found],
            "Trigger": [100 * one.trigger for one in found],
        }
    )
    for name, some in rows.groupby("Site and game"):
        base = alt.Chart(some, title=str(name)).encode(x=alt.X("Quarter:N", title=None))
        percent = alt.Y("Percent-of-hold:Q", title="%", scale=alt.Scale(zero=True))
        lines = base.mark_line(point=True, color="#0b5c3b").encode(y=percent, tooltip=list(rows.columns))
        texts = base.mark_text(dy=-10).encode(y=percent, text="Percent-of-hold:Q")
        trigger = base.mark_line(strokeDash=[5, 3], color="#b3261e").encode(y="Trigger:Q")
        st.altair_chart(lines + texts + trigger, width="stretch", height=200)
    _table(rows)
