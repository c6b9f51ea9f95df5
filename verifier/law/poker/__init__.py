"""The checks of nd-poker (N.D. Admin. Code 99-01.3-09-04); importing this package registers them."""

from verifier.law.poker import (
    award,
    bets,
    burns,
    button,
    by_chips,
    conclusion,
    dead,
    deal,
    deck,
    showdown,
    spoken,
    turns,
    unread,
)
from verifier.law.poker.rounds import poker_rounds
from verifier.law.registry import POKER, explain, group_by

group_by(POKER, poker_rounds)

explain(
    {
        "ND-09-04.2-identical-backs": "what the backs of the cards look like is not in an event log",
        "ND-09-04.3-replacement-colour": "the colour of the backs is not in an event log",
        "ND-09-04.21-show-one-show-all": "to whom a player showed a hand is not in an event log",
        "ND-09-04.24-may-muck": "a permission, which cannot be violated",
        "ND-09-04.24.i-protect-hand": "it burdens the player alone, and nobody can break it",
        "ND-09-04.26-dispute-window": "that a reading or an account was disputed is not in an event log",
    }
)

__all__ = [
    "award",
    "bets",
    "burns",
    "button",
    "by_chips",
    "conclusion",
    "dead",
    "deal",
    "deck",
    "showdown",
    "spoken",
    "turns",
    "unread",
]
