"""What was said, as a transcript tells it (docs/formats.md)."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from verifier.domain.observations import Probability

TRANSCRIPT_FORMAT = "verifier-transcript"
TRANSCRIPT_VERSION = 1
DEALER: Final = re.compile(r"\bdealers?\b", re.IGNORECASE)
"""Names of a speaker who deals."""
OTHERS: Final = re.compile(
    r"\b(players?|guests?|patrons?|customers?|seat|space|spot|pit|boss|floor|supervisor|manager|cashier|runner)\b",
    re.IGNORECASE,
)
"""Names of a speaker who does not deal."""


class SaidLine(Struct, frozen=True, kw_only=True):
    """Words from `t_start` to `t_end` (s of the transcript's own time); `speaker` is None where it is not told.

    `p` is the probability that these words were said; None where it is not told.
    """

    t_start: float
    t_end: float
    text: str
    speaker: str | None = None
    p: Probability | None = None


class Transcript(Struct, frozen=True, kw_only=True):
    """The lines of a transcript in order of their beginning.

    `offset` (s) is added to their times to have media time. `complete`: all that was said is in it, so that what is not
    there was not said.
    """

    lines: list[SaidLine]
    offset: float = 0.0
    complete: bool = False

    @property
    def end(self) -> float:
        """Media time (s) at which the last line ends: the transcript tells nothing of what comes later."""
        return max((line.t_end for line in self.lines), default=0.0) + self.offset
