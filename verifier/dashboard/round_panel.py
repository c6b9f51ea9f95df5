"""The round's cards and money: a drawing of the table, and what happened in order."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from verifier.dashboard.table_drawing import draw_table
from verifier.domain.events import EventLog
from verifier.domain.findings import Finding
from verifier.review.round_view import RoundView, view_round


def round_panel(log: EventLog, finding: Finding) -> None:
    """Draws the round that a finding speaks of."""
    view = view_round(log, finding)
    st.divider()
    st.subheader(f"Round {view.number}" if view.number is not None else "Around this moment (between rounds)")
    if view.number is not None and (view.hands or view.dealer.cards):
        st.image(draw_table(view, finding.at), width="stretch")
    _steps(view)


def _steps(view: RoundView) -> None:
    st.markdown("**What was seen, in order** (▶ marks what this finding rests on)")
    rows = [
        {
            "": "▶" if step.cited else "",
            "Time (s)": round(step.t, 1),
            "What": step.what,
            "Sure": f"{step.p:.0%}" + (" (hardly seen)" if step.weak else ""),
        }
        for step in view.steps
    ]
    if rows:
        widths = {"": st.column_config.TextColumn(width=20), "Time (s)": st.column_config.NumberColumn(width=60)}
        widths |= {"What": st.column_config.TextColumn(width=600), "Sure": st.column_config.TextColumn(width=110)}
        height = min(440, 35 * (len(rows) + 1) + 3)
        st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch", height=height, column_config=widths)
    else:
        st.caption("Nothing was seen here.")
