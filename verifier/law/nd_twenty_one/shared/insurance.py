"""Which hands are insured."""

from __future__ import annotations

from verifier.law.hands import Hand
from verifier.law.rounds import Round


def insured(game: Round) -> list[Hand]:
    """First hands of the spaces with an insurance bet."""
    return [hand for hand in game.hands if "insurance" in hand.tips]
