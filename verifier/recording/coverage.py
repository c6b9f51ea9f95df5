"""The parts of a recording that were watched, in seconds of media time."""

from __future__ import annotations

from dataclasses import dataclass, field

from verifier.domain.coverage import State


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of the recording that was not reviewed, from `start` to `end`, and why."""

    start: float
    end: float
    cause: str
    state: State = "damaged"


@dataclass(frozen=True, slots=True)
class Note:
    """Something odd about the recording's own times at `t`; no picture was lost by it."""

    t: float
    text: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the recording was reviewed. `recorded` and `reviewed` are seconds."""

    recorded: float
    reviewed: float
    gaps: tuple[Gap, ...] = field(default=())
    notes: tuple[Note, ...] = field(default=())

    @property
    def complete(self) -> bool:
        """Whether all of the recording was seen."""
        return not self.gaps

    @property
    def share(self) -> float:
        """Reviewed share of the recording, 0..1."""
        return min(1.0, self.reviewed / self.recorded) if self.recorded > 0 else 0.0
