"""Recordings, their overlays and pictures, entries in records, and what reviewers did."""

from __future__ import annotations

from datetime import date as calendar_day
from typing import Annotated, Any, Literal

from msgspec import Meta

from verifier.domain.events.base import Event


class RecordingSegment(Event, frozen=True, kw_only=True):
    start: Any = None
    end: Any = None
    fps: float | None = None
    dropped_frames: Any = None
    clock_gaps: Any = None
    recorder_id: str | None = None
    sha256: str | None = None
    resolution: Any = None
    colour: Any = None


class OverlayRead(Event, frozen=True, kw_only=True):
    what: Literal["clock", "table_number", "site_id", "plaque", "drop_box_number", "felt"]
    text: str | None = None
    region: Any = None


class ViewCheck(Event, frozen=True, kw_only=True):
    orientation: Any = None
    homography_drift: float | None = None
    regions_ok: dict[str, bool | None] | None = None
    sharpness: float | None = None
    occlusion: float | None = None
    readable_share: Any = None


class RecordEntry(Event, frozen=True, kw_only=True):
    type: str
    date: Annotated[str, Meta(pattern=r"^(\d{4}-\d{2}-\d{2}|$)", description="a day such as 2026-11-02")] | None = None
    fields: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.date:
            try:
                calendar_day.fromisoformat(self.date[:10])
            except ValueError:
                raise ValueError(f"date {self.date[:10]} is no day of the calendar") from None


class ReviewAction(Event, frozen=True, kw_only=True):
    reviewer_id: str | None = None
    role: str | None = None
    table: str | None = None
    footage_from: Any = None
    footage_to: Any = None
    watched_seconds: float | None = None
    verdict: Literal["confirmed", "rejected", "undetermined"] | None = None
    note: str | None = None


RecordEvent = RecordingSegment | OverlayRead | ViewCheck | RecordEntry | ReviewAction
