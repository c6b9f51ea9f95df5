"""The marks that the player draws on its timelines."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from verifier.review.watch.whole import Along


class Mark(Struct, frozen=True, kw_only=True):
    """A stretch on the timeline, seconds of the review's time; `lane` is the row in which it stands.

    `kind` is the class by which it is drawn; empty for an event.
    """

    t: float
    t_end: float
    lane: str
    label: str
    cited: bool = False
    weak: bool = False
    kind: str = ""


def mark_of(one: Along) -> Mark:
    """Return the mark of a stretch of the whole recording."""
    return Mark(t=one.t, t_end=one.t_end, lane=one.lane, label=one.says, kind=one.kind)


def whole_told(known: Sequence[Along], length: float) -> bytes:
    """Return the JSON of a whole recording of `length` s, as the player of a finding asks for it."""
    return msgspec.json.encode({"extent": (0.0, length), "marks": [mark_of(one) for one in known]})
