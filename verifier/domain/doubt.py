"""How a reading that is in doubt is shown to people."""

from __future__ import annotations

from typing import Final

SURE: Final = 0.9
"""A reading with this probability is sure; with less it is in doubt."""

MORE: Final = 0.5
"""With this probability that more cards lie at one than were found, their number is in doubt."""


def marked(word: str, p: float) -> str:
    """Return a word, with a question mark where its probability is below SURE."""
    return word if p >= SURE else f"{word}?"
