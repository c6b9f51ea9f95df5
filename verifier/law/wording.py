"""Plain words for what was expected and what was seen."""

from __future__ import annotations


def hand_words(hand: str | None) -> str:
    """`both hands`, `the left hand`."""
    unseen = "a hand that could not be told"
    return {"both": "both hands", "unknown": unseen, None: unseen}.get(hand, f"the {hand} hand")
