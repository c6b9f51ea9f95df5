"""Breaches of N.D. Admin. Code 99-01.3-09-04 that the performance can plant, each with the clause that it breaks."""

from __future__ import annotations

import random
from typing import Final

from msgspec import Struct

from verifier.simulate.poker.script import HandScript, random_hand


class Fault(Struct, frozen=True, kw_only=True):
    """A breach: the clause it breaks and the hand that it needs.

    `board`: least number of board cards of the script; `shown`: least number of hands that are shown, not all of which
    win; `tie`: the pot is due to several; `later`: it needs a hand before it;
    `draw`: it is a breach of the draw for the first button, before the first hand.
    """

    clause: str
    board: int = 0
    shown: int = 0
    tie: bool = False
    folds: bool = False
    later: bool = False
    draw: bool = False

    def fits(self, script: HandScript) -> bool:
        """Tell whether the breach can be planted in a hand."""
        shown = [player for player, shows in script.shows if shows]
        losers = set(shown) - {player for player, _ in script.awards}
        folded = any(move.action == "fold" for street in script.streets for move in street)
        return (
            len(script.board) >= self.board
            and len(shown) >= self.shown
            and (not self.shown or self.tie or bool(losers))
            and (not self.tie or len(script.awards) > 1)
            and (not self.folds or folded)
        )


_MOST_TRIES: Final = 4000

FAULTS: Final[dict[str, Fault]] = {
    "no_burn": Fault(clause="ND-09-04.14-burn-policy", board=3),
    "two_burned": Fault(clause="ND-09-04.14-burn-policy", board=4),
    "turn_with_flop": Fault(clause="ND-09-04.14-burn-policy", board=4),
    "wrong_start": Fault(clause="ND-09-04.7-left-of-button"),
    "out_of_order": Fault(clause="ND-09-04.7-left-of-button"),
    "third_card": Fault(clause="ND-09-04.13-misdeal"),
    "skipped": Fault(clause="ND-09-04.13-misdeal"),
    "empty_seat": Fault(clause="ND-09-04.13-misdeal"),
    "exposed_stays": Fault(clause="ND-09-04.12-exposed-card"),
    "exposed_at_once": Fault(clause="ND-09-04.12-exposed-card"),
    "no_shuffle": Fault(clause="ND-09-04.6-shuffle-each-hand", later=True),
    "shuffled_amid": Fault(clause="ND-09-04.7-order-undisturbed", board=4),
    "wrong_winner": Fault(clause="ND-09-04.1-hand-ranking", board=5, shown=2),
    "winner_killed": Fault(clause="ND-09-04.24.j-no-kill-winner", board=5, shown=2),
    "tie_not_shared": Fault(clause="ND-09-04.25-tie-break", board=5, shown=2, tie=True),
    "folded_wins": Fault(clause="ND-09-04.24.c-premature-discard", board=5, shown=2, folds=True),
    "awarded_early": Fault(clause="ND-09-04.26-dealer-awards", board=4, shown=2),
    "shown_out_of_turn": Fault(clause="ND-09-04.23.d-clockwise", board=5, shown=3, folds=True),
    "draw_not_highest": Fault(clause="ND-09-04.8-first-button-random", draw=True),
    "draw_seat_skipped": Fault(clause="ND-09-04.8-first-button-random", draw=True),
    "draw_lower_suit": Fault(clause="ND-09-04.8-suit-tiebreak", draw=True),
}
"""By name; in no case is anybody all-in."""


def script_for(rng: random.Random, players: int, fault: Fault | None) -> HandScript:
    """Return a random hand in which a breach can be planted."""
    for _ in range(_MOST_TRIES):
        tie = fault is not None and fault.tie
        script = random_hand(rng, players, tie=tie)
        if fault is None or fault.fits(script):
            return script
    raise ValueError(f"no hand of {players} players found in which the breach can be planted")
