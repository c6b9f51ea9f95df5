"""Whether the table's layout fits a recording: an alarm where it does not, and the checks, closed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import streamlit as st

from verifier.dashboard.common import escaped
from verifier.domain.coverage import Fit, FitCheck
from verifier.domain.errors import BadInput
from verifier.formats.coverage import read_coverage
from verifier.review.fit.wording import TITLES, fit_line
from verifier.review.products import KEPT_COVERAGE
from verifier.store.values import ReviewRecord

_SIGNS = {True: "✓", False: "✗", None: "?"}


def fit_alarm(review: ReviewRecord) -> None:
    """Say it where a review's layout does not fit."""
    with suppress(BadInput):  # the panel says that it cannot be shown
        fit = _fit(review)
        if fit is not None and not fit.ok:
            st.error(escaped(f"{fit_line(fit)} Nothing of it was judged, and it does not count as clean."))


def fit_panel(review: ReviewRecord) -> None:
    """Draw the checks of a review's layout; nothing where it was not checked."""
    try:
        fit = _fit(review)
    except BadInput as error:
        st.caption(escaped(f"Whether the layout fits cannot be shown: {error}"))
        return
    if fit is None:
        return
    with st.expander(escaped(fit_line(fit)) if fit.ok else "The checks", icon=":material/fit_screen:"):
        for check in fit.checks:
            st.text(_row(check))


def _fit(review: ReviewRecord) -> Fit | None:
    kept = Path(review.folder) / KEPT_COVERAGE
    return read_coverage(kept).fit if kept.exists() else None


def _row(check: FitCheck) -> str:
    evidence = [f"expected {check.expected}"] if check.expected else []
    evidence += [f"seen {check.seen}"] if check.seen else []
    evidence += [f"{check.p:.0%} sure"] if check.p is not None else []
    told = f" ({', '.join(evidence)})" if evidence else ""
    return f"{_SIGNS[check.ok]} {TITLES.get(check.name, check.name)}: {check.says}{told}"
