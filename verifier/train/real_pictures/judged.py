"""What was right and wrong of one real picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from verifier.train.matching import Floats


class Judged(Struct, frozen=True):
    """One picture's counts, the true outlines (4, 2) where they are labelled, and what is wrong ("" if nothing)."""

    counts: Counter[str]
    truth: Sequence[Floats] = ()
    wrong: str = ""


def share(part: int, whole: int) -> float:
    """Return a part of a whole, to four places; 0 of nothing."""
    return round(part / max(1, whole), 4)
