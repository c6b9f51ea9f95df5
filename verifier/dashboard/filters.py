"""The queue's filters: kept in the address, so that a reload or a shared link shows the same findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

import streamlit as st

from verifier.dashboard.common import STATE_WORDS, escaped
from verifier.review.queue import STATES, Choices, Filters

_VERDICTS: Final = {"violation": "Violation", "undetermined": "Undetermined (the picture does not show it)"}

_NAMES: Final = {
    "state": "states",
    "says": "verdicts",
    "site": "sites",
    "table": "tables",
    "dealer": "dealers",
    "clause": "clauses",
    "by": "reviewers",
    "from": "day_from",
    "until": "day_to",
}
"""Names in the address, and the fields of the filters."""


def chosen_filters(choices: Choices) -> Filters:
    """Draw the filters and give what is chosen: as the address says, else as the list was left."""
    _restore()
    st.markdown("**Show only**")
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
    if filters != Filters():
        st.button("Take all filters away", on_click=_clear, width="stretch")
    return filters


def _restore() -> None:
    """Restore the filters that the list was left with, where the address names none and none is set yet."""
    kept = st.session_state.get("filters")
    if not isinstance(kept, Filters) or any(name in st.session_state or name in st.query_params for name in _NAMES):
        return
    for name, field in _NAMES.items():
        value = getattr(kept, field)
        if value:
            st.session_state[name] = sorted(value) if isinstance(value, frozenset) else date.fromisoformat(value)


def _clear() -> None:
    st.session_state.pop("filters", None)
    for name in _NAMES:
        st.session_state[name] = None if name in ("from", "until") else []


def filters_in_use() -> Filters:
    """Return the filters that the list was left with; after a reload those of the address."""
    kept = st.session_state.get("filters")
    return kept if isinstance(kept, Filters) else _of_address()


def keep_in_address(filters: Filters) -> None:
    """Write the filters into the address of a page that draws none of them, so that they outlast a reload there."""
    for name, field in _NAMES.items():
        value = getattr(filters, field)
        wanted = sorted(value) if isinstance(value, frozenset) else [value] if value else []
        if st.query_params.get_all(name) != wanted:
            st.query_params[name] = wanted


def _of_address() -> Filters:
    def picked(name: str, words: Mapping[str, str] | None = None) -> frozenset[str]:
        return frozenset(_meant(name, (), words or {}))

    return Filters(
        states=picked("state", STATE_WORDS),
        verdicts=picked("says", _VERDICTS),
        sites=picked("site"),
        tables=picked("table"),
        dealers=picked("dealer"),
        clauses=picked("clause"),
        reviewers=picked("by"),
        day_from=_day_of_address("from"),
        day_to=_day_of_address("until"),
    )


def _meant(name: str, options: Sequence[str], words: Mapping[str, str]) -> list[str]:
    """Return what the address names for a filter: the filter's words, as a page writes them, and the plain values
    alike.
    """
    values = {_told(one, words): one for one in (*options, *words)}
    return list(dict.fromkeys(values.get(one, one) for one in st.query_params.get_all(name)))


def _told(value: str, words: Mapping[str, str]) -> str:
    return words.get(value, value).split(":")[0]


def _pick(title: str, name: str, options: Sequence[str], words: Mapping[str, str] | None = None) -> frozenset[str]:
    """Return a filter. A value that no finding has, which an address may name, stands as chosen and finds nothing."""
    known = words or {}
    if name not in st.session_state and (meant := _meant(name, options, known)):
        st.session_state[name] = meant
    unknown = [one for one in st.session_state.get(name, ()) if one not in options]
    found = st.multiselect(
        title,
        [*options, *unknown],
        format_func=lambda value: _told(value, known),
        placeholder="all",
        key=name,
        bind="query-params",
    )
    for one in unknown:
        if one in found:
            st.caption(escaped(f"{title}: no finding has “{one}”."))
    return frozenset(found)


def _day(title: str, name: str) -> str | None:
    asked = st.query_params.get(name)
    if asked and _day_of_address(name) is None:
        st.caption(escaped(f"{title}: “{asked}” is no day. Write it as 2026-11-17."))
    found = st.date_input(title, value=None, key=name, bind="query-params", format="YYYY-MM-DD")
    return found.isoformat() if isinstance(found, date) else None


def _day_of_address(name: str) -> str | None:
    try:
        return date.fromisoformat(st.query_params.get(name, "")).isoformat()
    except ValueError:
        return None
