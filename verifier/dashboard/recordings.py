"""Choosing a recording: site, day of play, recording; never a list of all that there are."""

from __future__ import annotations

from typing import Final

import streamlit as st

from verifier.dashboard.common import store
from verifier.domain.findings import Finding
from verifier.review.originals import number_at
from verifier.store.values import ReviewRecord

NOTHING_REVIEWED = (
    "No recording was reviewed yet. “New review” in the menu begins one; the night shift reviews all of a night."
)
_MOST = 500
_BEFORE_S: Final = 10.0
"""Seconds before a finding at which watching it in the whole recording begins."""
_UNDATED = "day unknown"


def chosen_recording() -> ReviewRecord | None:
    """Return the recording that the person chooses, or that the address (`recording=`) names; None if there is none.

    It stays chosen from page to page.
    """
    sites = store().review_sites()
    if not sites:
        st.info(NOTHING_REVIEWED)
        return None
    kept = store().review(str(st.query_params.get("recording") or st.session_state.get("recording") or ""))
    left, middle, right = st.columns([1, 1, 3])
    site = _choice(left, "Site", sites, (kept.site or "") if kept else None, {"": "(none)"})
    days = [*store().review_days(site), *([_UNDATED] if store().undated_videos(site) else [])]
    day = _choice(middle, "Day of play", days, (kept.play_date or _UNDATED) if kept else None, {})
    reviews = {one.id: one for one in _of_day(site, day)}
    titles = {name: _title(one) for name, one in reviews.items()}
    chosen = _choice(right, "Recording", list(reviews), kept.id if kept else None, titles)
    st.query_params["recording"] = st.session_state["recording"] = chosen
    return reviews[chosen]


def open_recording(review: ReviewRecord, t: float) -> None:
    """Chooses a recording for the next page, which plays it from the moment `t` (s) on."""
    for name in ("Site", "Day of play", "Recording"):
        st.session_state.pop(f"choose {name}", None)
    st.session_state["recording"] = review.id
    st.session_state[f"resume {review.id}"] = t
    st.session_state[f"asked {review.id}"] = asked_for(review) + 1
    st.session_state[f"file {review.id}"] = number_at(review, t)


def open_recording_before(review: ReviewRecord, finding: Finding) -> None:
    """Chooses a recording for the next page, which plays it from shortly before a finding on."""
    open_recording(review, max(0.0, finding.t_start - _BEFORE_S))


def asked_for(review: ReviewRecord) -> int:
    """How often a moment of this recording was asked for; so the same one can be asked for again."""
    return int(st.session_state.get(f"asked {review.id}", 0))


def _title(review: ReviewRecord) -> str:
    """`Table 6, 20:00 to 20:30, cam3.mp4`, without hours where the picture shows no clock."""
    hours = [clock[11:16] for clock in (review.clock_start, review.clock_end) if clock]
    return ", ".join([f"Table {review.table or '?'}", *([" to ".join(hours)] if hours else []), review.video_name])


def _choice(
    place: st.delta_generator.DeltaGenerator, label: str, options: list[str], kept: str | None, words: dict[str, str]
) -> str:
    key = f"choose {label}"
    if key not in st.session_state and kept in options:
        st.session_state[key] = kept
    return place.selectbox(label, options, key=key, format_func=lambda one: words.get(one, one))


def _of_day(site: str, day: str) -> list[ReviewRecord]:
    if day == _UNDATED:
        found = [one for one in store().reviews(site=site) if one.play_date is None]
    else:
        found = store().reviews(site=site, first=day, last=day, limit=_MOST)
    return sorted(found, key=lambda one: (one.table or "", one.clock_start or "", one.video_name))
