"""What of a night a person must look at: each finding with its still, its address in the dashboard, and what to do."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import quote

import cv2
from msgspec import Struct

from verifier.domain.findings import Finding
from verifier.domain.names import shown
from verifier.law.sentences import capital
from verifier.review.wording import accusation, accused_at, clock_text, plain_certainty, plain_place
from verifier.store.repository import Store
from verifier.store.room.urgency import urgency
from verifier.store.values import ReviewRecord, StoredFinding, VerdictRecord

VARIABLE: Final = "VERIFIER_DASHBOARD_URL"
USUAL: Final = "http://localhost:8501"
"""Where the dashboard answers, unless VERIFIER_DASHBOARD_URL tells another address."""
PICTURED: Final = 30
"""Findings that are shown with their still, the most serious; our own bound: a still takes some 25 kB of an e-mail."""
WIDTH: Final = 480
"""Pixels across of a still in the report."""
SURVEILLANCE: Final = "N.D. Admin. Code 99-01.3-08-04"
"""The section on cameras and recorders: what breaks it is put right at the equipment, not with a dealer."""
_STATES: Final = {"confirmed": "confirmed", "rejected": "rejected", "undetermined": "cannot tell"}


class ToLookAt(Struct, frozen=True, kw_only=True):
    """A finding of a night, in the words of the report. `says` is the accusation in one sentence; `shortened`
    where `observed` tells more.

    `when` is the recorder's clock, else how far into the recording. `still` is the path of a picture as text, None
    if there is none; `link` is its address in the dashboard. `decided` tells who decided it and how; None while
    nobody did.
    """

    finding: str
    review: str
    clause: str
    cite: str
    title: str
    says: str
    shortened: bool
    verdict: str
    severity: str
    sure: str
    site: str
    table: str
    when: str
    where: str
    recording: str
    expected: str
    observed: str
    still: str | None
    link: str
    to_do: str
    decided: str | None = None


def to_look_at(store: Store, reviews: Iterable[str]) -> list[ToLookAt]:
    """Return the current findings of these reviews: those that nobody decided first, and of these the most serious."""
    records = {one.id: one for one in store.reviews(ids=list(reviews))}
    found = [one for one in store.findings(records) if one.current]
    decided = {one.finding_id: one for one in store.verdicts()} if found else {}
    found.sort(key=lambda one: (one.id in decided, urgency(one.finding), one.id))
    return [_told(one, records[one.review_id], decided.get(one.id)) for one in found]


def dashboard_link(finding_id: str) -> str:
    """Return the address of a finding in the dashboard."""
    return f"{(os.environ.get(VARIABLE) or USUAL).rstrip('/')}/finding?id={quote(finding_id)}"


def small_still(path: str) -> bytes | None:
    """Return a still as a small JPEG; None if it is not there or cannot be read."""
    picture = cv2.imread(path)
    if picture is None:
        return None
    share = min(1.0, WIDTH / picture.shape[1])
    size = max(1, round(picture.shape[1] * share)), max(1, round(picture.shape[0] * share))
    done, jpeg = cv2.imencode(".jpg", cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
    return jpeg.tobytes() if done else None


def _told(one: StoredFinding, review: ReviewRecord, verdict: VerdictRecord | None) -> ToLookAt:
    finding, shown_now = one.finding, one.finding.worded_now()
    paths = [path for name in one.stills if (path := Path(review.folder) / name).exists()]
    return ToLookAt(
        finding=one.id,
        review=review.id,
        clause=finding.clause,
        cite=finding.cite,
        title=finding.title,
        says=accusation(finding),
        shortened=shown_now.shortened,
        verdict=finding.verdict,
        severity=finding.severity,
        sure=plain_certainty(finding, one.origin),
        site=shown(review.site or "?"),
        table=shown(review.table or "?"),
        when=_when(finding, review),
        where=_where(finding),
        recording=shown(review.video_name),
        expected=capital(shown_now.expected),
        observed=capital(shown_now.observed),
        still=str(paths[-1]) if paths else None,
        link=dashboard_link(one.id),
        to_do=what_to_do(finding),
        decided=f"{_STATES[verdict.decision]} by {verdict.reviewer}" if verdict is not None else None,
    )


def _when(finding: Finding, review: ReviewRecord) -> str:
    """When the accusation begins by the table's clock; where that is not known, how far into the recording."""
    begins = accused_at(finding, review.clock_start)
    if begins is not None:
        return begins.strftime("%Y-%m-%d %H:%M:%S")
    return f"{review.play_date or 'day unknown'}, {clock_text(None, finding.t_start)} into the recording"


def _where(finding: Finding) -> str:
    """Return the place of a finding, and its round."""
    told = [plain_place(finding.at)] if finding.at else []
    return ", ".join([*told, f"round {finding.round}" if finding.round is not None else "between rounds"])


def what_to_do(finding: Finding) -> str:
    """Return what a person is to do about a finding."""
    if finding.cite.startswith(SURVEILLANCE):
        return "See to the camera or recorder; what it did not record or show counts as not watched."
    if finding.verdict == "violation":
        return "Watch its clip and decide: it happened, it did not, or the clip does not tell."
    return "The software could not decide it. Watch its clip, and decide it if the clip tells."
