"""The queue's filters: kept in the address, so that a reload or a shared link shows the same findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

import streamlit as st

from verifier.dashboard.common import STATE_WORDS
from verifier.review.queue import STATES, Choices, Filters

_VERDICTS: Final = {"violation": "Violation", "undetermined": "Undetermined (the picture does not show it)"}


def chosen_filters(choices: Choices) -> Filters:
    """Draws the filters in the sidebar and gives what is chosen."""
    with st.sidebar:
        st.subheader("Show only")
        filters = Filters(
            states=_pick("Decision", "state", STATES, STATE_WORDS),
            verdicts=_pick("What the software says", "says", tuple(_VERDICTS), _VERDICTS),
            sites=_pick("Site", "site", choices.sites),
            tables=_pick("Table", "table", choices.tables),
            dealers=_pick("Dealer", "dealer", choices.dealers),
            clauses=_pick("Clause", "clause", choices.clauses),
            reviewers=_pick("Decided by", "by", choices.reviewers),
            day_from=_day("Played from", "from"),
            day_to=_day("Played until", "until"),
        )
    st.session_state["filters"] = filters
    return filters


def filters_in_use() -> Filters:
    """The filters that the list was left with; after a reload those of the address."""
    kept = st.session_state.get("filters")
    return kept if isinstance(kept, Filters) else _of_address()


def _of_address() -> Filters:
    def picked(name: str) -> frozenset[str]:
        return frozenset(st.query_params.get_all(name))

    return Filters(
        states=picked("state"),
        verdicts=picked("says"),
        sites=picked("site"),
        tables=picked("table"),
        dealers=picked("dealer"),
        clauses=picked("clause"),
        reviewers=picked("by"),
        day_from=st.query_params.get("from"),
        day_to=st.query_params.get("until"),
    )


def _pick(title: str, name: str, options: Sequence[str], words: Mapping[str, str] | None = None) -> frozenset[str]:
    known = words or {}
    found: list[Any] = st.multiselect(
        title,
        list(options),
        format_func=lambda value: known.get(value, value).split(":")[0],
        placeholder="all",
        key=name,
        bind="query-params",
    )
    return frozenset(found)


def _day(title: str, name: str) -> str | None:
    found = st.date_input(title, value=None, key=name, bind="query-params", format="YYYY-MM-DD")
    return found.isoformat() if isinstance(found, date) else None
