"""What of a recording was watched: the account that stands beside the findings (docs/formats.md, section 3)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from verifier.domain.observations import Probability

COVERAGE_FORMAT = "verifier-coverage"
COVERAGE_VERSION = 1

State = Literal["watched", "gap", "damaged", "frozen", "obstructed", "other_view", "not_watched"]
"""What became of a stretch. `gap`: there are no pictures. `damaged`: there are, but they cannot be decoded. `frozen`:
the same picture comes again and again. `obstructed`: the table is covered or dark. `other_view`: the camera shows
another place. `not_watched`: the pictures do not fit the layout, or watching ended early."""


class Stretch(Struct, frozen=True, kw_only=True):
    """A stretch of the recording, in seconds of media time, with the burned-in clock at its ends.

    `why` tells what is special about it: always set where `state` is not watched, and where a watched stretch begins
    with a fault of the recording's own times.
    """

    t_start: float
    t_end: float
    clock_start: str | None = None
    clock_end: str | None = None
    state: State
    why: str | None = None


class FitCheck(Struct, frozen=True, kw_only=True):
    """One check of whether the layout fits a recording: `ok` is True (fits), False (does not) or None (unknown).

    `says` is a sentence about what was found, `expected` and `seen` its evidence, `p` how surely `seen` was read.
    """

    name: str
    ok: bool | None
    expected: str | None = None
    seen: str | None = None
    p: Probability | None = None
    says: str
    t_start: float
    t_end: float


class Fit(Struct, frozen=True, kw_only=True):
    """Whether the layout fits: `ok` is False where a check says that it does not. Nothing of those times is judged."""

    ok: bool
    checks: list[FitCheck]


class CoverageReport(Struct, frozen=True, kw_only=True):
    """`coverage.json`. Stretches are in order, do not overlap and leave no holes.

    `recorded` is the length of all stretches together. `watched` is the sum of what the pictures stand for that were
    decoded and compared; frozen ones are among them, although nothing can be told from them.
    """

    format: Literal["verifier-coverage"] = "verifier-coverage"
    version: Literal[1] = 1
    recorded: float
    watched: float
    stretches: list[Stretch]
    fit: Fit | None = None

    @property
    def complete(self) -> bool:
        """Whether every stretch was watched; False where there is none."""
        return bool(self.stretches) and not self.unwatched

    @property
    def unwatched(self) -> list[Stretch]:
        """The stretches that do not count as watched, in order."""
        return [one for one in self.stretches if one.state != "watched"]

    @property
    def share(self) -> float:
        """The watched share of the recording, 0..1."""
        return min(1.0, self.watched / self.recorded) if self.recorded > 0 else 0.0
