"""What the check of a sample recording says."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal

from msgspec import Struct

from verifier.recording.decode import Picture

ItemVerdict = Literal["pass", "fail", "cannot_tell", "not_applicable"]
DUE_DAYS = 14
"""Days from the change to the submission of a sample recording, 08-04(10)."""
EXIT_TO_REVIEW = 4


class Item(Struct, frozen=True, kw_only=True):
    """One thing that the recording must show. `measured` is the figure, `says` a sentence, `stills` their names."""

    key: str
    title: str
    cite: str
    verdict: ItemVerdict
    says: str
    measured: str = ""
    stills: list[str] = []


class Cover(Struct, frozen=True, kw_only=True):
    """The cover sheet: what a person says about the submission. Days are ISO dates, empty if not given."""

    organization: str = ""
    site: str = ""
    table: str = ""
    trigger: str = ""
    changed: str = ""
    equipment: str = ""
    submitted: str = ""
    outcome: str = ""
    by: str = ""

    @property
    def due(self) -> str:
        """The day by which the sample must be submitted, empty if the day of the change is not given."""
        return (date.fromisoformat(self.changed) + timedelta(days=DUE_DAYS)).isoformat() if self.changed else ""


class SampleReport(Struct, frozen=True, kw_only=True):
    """The whole check of one recording."""

    recording: str
    sha256: str
    width: int
    height: int
    duration: float
    fps: float | None
    cover: Cover
    items: list[Item]

    @property
    def counts(self) -> dict[str, int]:
        """How many items have each verdict."""
        return {
            verdict: sum(item.verdict == verdict for item in self.items)
            for verdict in ("pass", "fail", "cannot_tell", "not_applicable")
        }

    @property
    def exit_code(self) -> int:
        """0 if everything passes, 4 if something fails or needs a person (docs/formats.md)."""
        return 0 if all(item.verdict in ("pass", "not_applicable") for item in self.items) else EXIT_TO_REVIEW


class Checked(Struct, frozen=True, kw_only=True):
    """A report with the pictures that its stills show, by name, and the moments that they show (s of media time)."""

    report: SampleReport
    pictures: dict[str, Picture]
    times: dict[str, float] = {}
