"""Observations of a poker table to the events of hold'em hands (docs/poker.md)."""

from verifier.reconstruct.poker.decoder import PokerReconstructor

__all__ = ["PokerReconstructor"]
