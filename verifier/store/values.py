"""Frozen values that the store takes and gives."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from verifier.domain.findings import Finding

Decision = Literal["confirmed", "rejected", "undetermined"]
DECISIONS: tuple[Decision, ...] = ("confirmed", "rejected", "undetermined")


class ReviewRecord(Struct, frozen=True, kw_only=True):
    """One reviewed recording. `folder` holds its files; times are seconds of media time, `coverage` is 0..1.

    `gaps` are the stretches (from, to, why) that nobody watched; None as `to` means to an unknown end. `video_path` is
    where the original lay when it was reviewed, as text (`names.path_of` leads back); it is only read. `superseded_by`
    is the review that took its place: of the file after it grew, or of a shift that this recording became part of.
    """

    id: str
    video_sha256: str
    video_name: str
    site: str | None
    table: str | None
    play_date: str | None
    rulebook: str
    law_as_of: str
    folder: str
    duration: float | None
    reviewed_seconds: float
    coverage: float
    gaps: list[tuple[float, float | None, str]] = []
    clock_start: str | None = None
    clock_end: str | None = None
    reviewed_at: str = ""
    video_path: str = ""
    superseded_by: str | None = None


class StoredFinding(Struct, frozen=True, kw_only=True):
    """A finding as it was stored; `clip` and `stills` are paths relative to the review's folder.

    `current` is False when a later run over the same recording no longer made this finding; `origin` tells whether the
    software or a person found it.
    """

    id: str
    review_id: str
    seq: int
    current: bool
    finding: Finding
    clip: str | None
    stills: list[str]
    dealer: str | None = None
    origin: str = "software"


class NewFinding(Struct, frozen=True, kw_only=True):
    """A finding with its evidence, about to be stored."""

    finding: Finding
    clip: str | None = None
    stills: list[str] = []
    dealer: str | None = None


class VerdictRecord(Struct, frozen=True, kw_only=True):
    """What a person said of a finding; never changed, a later one stands beside it. `decided_at` is ISO 8601 UTC.

    `seen`: whether the review room had shown the decisive seconds; None where nobody knows (an earlier version, or
    another way than the review room).
    """

    id: int
    finding_id: str
    decision: Decision
    reviewer: str
    note: str
    decided_at: str
    reason: str = ""
    seen: bool | None = None
