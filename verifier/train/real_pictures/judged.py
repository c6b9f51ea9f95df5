"""What was right and wrong of one real picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from verifier.domain.doubt import SURE
from verifier.train.matching import Floats


class Judged(Struct, frozen=True):
    """One picture's counts, the true outlines (4, 2) where they are labelled, and what is wrong ("" if nothing)."""

    counts: Counter[str]
    truth: Sequence[Floats] = ()
    wrong: str = ""


def share(part: int, whole: int) -> float:
    """Return a part of a whole, to four places; 0 of nothing."""
    return round(part / max(1, whole), 4)


def how_sure(answer: str | None, probabilities: Mapping[str, float] | None, truth: str) -> str:
    """Return "surely right", "surely wrong" or "in doubt"; without probabilities what is told is sure."""
    if answer is None or (probabilities is not None and probabilities.get(answer, 0.0) < SURE):
        return "in doubt"
    return "surely right" if answer == truth else "surely wrong"


def doubt_figures(n: Counter[str], what: str) -> dict[str, float]:
    """Return the shares of what was found that are told surely and right, in doubt, and surely and wrong."""
    kinds = {"surely right": "surely, right", "in doubt": "in doubt", "surely wrong": "surely, wrong"}
    found = sum(n[f"{what} {kind}"] for kind in kinds)
    return {f"{what} {words}": share(n[f"{what} {kind}"], found) for kind, words in kinds.items()}
