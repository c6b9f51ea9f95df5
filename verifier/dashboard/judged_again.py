"""What a page says once after records changed: what was done, and what judging the reviews again has told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from verifier.dashboard.common import escaped
from verifier.review.recheck import Rechecked

_DONE: Final = "records changed"
_STALE: Final = "records changed, transcripts"


def remember(done: str, results: Sequence[Rechecked]) -> None:
    """Keep for the next drawing of the page what was done, and what judging the reviews again has told."""
    new = sum(len(one.new) for one in results)
    st.session_state[_DONE] = f"{done} Reviews judged again: {len(results)}; new findings: {new}."
    st.session_state[_STALE] = [says for one in results for says in stale(one)]


def show_remembered() -> None:
    """Draw what was kept, once: what was done, and each transcript that is not as it was when its review was made."""
    if _DONE in st.session_state:
        st.success(st.session_state.pop(_DONE), icon=":material/check_circle:")
    for says in st.session_state.pop(_STALE, []):
        st.warning(escaped(says), icon=":material/warning:")


def stale(result: Rechecked) -> list[str]:
    """Return what of a review's transcripts is not as it was when the recording was reviewed."""
    where = f"Review of table {result.table or '?'}, {result.play_date or 'no date'}"
    return [f"{where}: {says}." for says in result.stale]
