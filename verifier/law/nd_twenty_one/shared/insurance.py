"""Which hands are insured, and at which space a thing of insurance lies."""

from __future__ import annotations

from verifier.law.hands import Hand, hand_key
from verifier.law.rounds import Round


def insured(game: Round) -> list[Hand]:
    """First hands of the spaces with an insurance bet."""
    return [hand for hand in game.hands if "insurance" in hand.tips]


def space_of(place: str) -> int:
    """Return the number of a place's space; 0 where it is none."""
    key = hand_key(place)
    return key[0] if key else 0
