"""Observations to events: resting cards and chips, hands, gestures and the grammar of a round.

`reconstruct` streams over observations and holds one round at a time. It lags the picture by at most one round: events
of a round are written when its last card has left the table, those between rounds with the round that follows.
"""

from verifier.reconstruct.reconstruction import reconstruct

__all__ = ["reconstruct"]
