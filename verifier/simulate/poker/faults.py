"""Breaches of N.D. Admin. Code 99-01.3-09-04 that the performance can plant, each with the clause that it breaks."""

from __future__ import annotations

import random
from typing import Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.simulate.poker.games import VARIANTS, Game, Variant
from verifier.simulate.poker.script import HandScript, random_hand


class Fault(Struct, frozen=True, kw_only=True):
    """A breach: the clause it breaks and the hand that it needs.

    `dealings`: least number of dealings after the first; `whole`: all of them; `shown`: least number of hands that
    are shown, not all of which win; `tie`: the pot is due to several; `later`: it needs a hand before it;
    `draw`: it is a breach of the draw for the first button, before the first hand. `run_out`: all betting is over
    before the last cards, as players are all-in. `callers`: so many players call
    before anybody else acts; `actors`: so many bet or fold in the first round. `games` in which it can happen.
    """

    clause: str
    dealings: int = 0
    whole: bool = False
    shown: int = 0
    tie: bool = False
    folds: bool = False
    later: bool = False
    draw: bool = False
    run_out: bool = False
    callers: int = 0
    actors: int = 0
    games: tuple[Variant, ...] = VARIANTS

    def fits(self, script: HandScript, game: Game) -> bool:
        """Tell whether the breach can be planted in a hand."""
        shown = [player for player, shows in script.shows if shows]
        losers = set(shown) - {player for player, _ in script.awards}
        folded = any(move.action == "fold" for street in script.streets for move in street)
        least = game.dealings if self.whole else min(self.dealings, game.dealings)
        dealt = [later for later in script.later if later.board or later.cards]
        opening = script.streets[0]
        actors = {move.player for move in opening if move.action != "check"}
        return (
            len(dealt) >= least
            and (not self.run_out or script.shown_after is not None)
            and len(opening) >= self.callers
            and all(move.action == "call" and move.player > 1 for move in opening[: self.callers])
            and len(actors) >= self.actors
            and len(shown) >= self.shown
            and (not self.shown or self.tie or self.run_out or bool(losers))
            and (not self.tie or len(script.awards) > 1)
            and (not self.folds or folded)
        )


_BOARD: Final[tuple[Variant, ...]] = ("holdem", "omaha")
_ANTES: Final[tuple[Variant, ...]] = ("seven_card_stud", "five_card_draw")
_MOST_TRIES: Final = 4000

FAULTS: Final[dict[str, Fault]] = {
    "no_burn": Fault(clause="ND-09-04.14-burn-policy", dealings=1),
    "two_burned": Fault(clause="ND-09-04.14-burn-policy", dealings=2),
    "turn_with_flop": Fault(clause="ND-09-04.14-burn-policy", dealings=2, games=_BOARD),
    "wrong_start": Fault(clause="ND-09-04.7-left-of-button"),
    "out_of_order": Fault(clause="ND-09-04.7-left-of-button"),
    "third_card": Fault(clause="ND-09-04.13-misdeal"),
    "skipped": Fault(clause="ND-09-04.13-misdeal"),
    "empty_seat": Fault(clause="ND-09-04.13-misdeal"),
    "exposed_stays": Fault(clause="ND-09-04.12-exposed-card"),
    "exposed_at_once": Fault(clause="ND-09-04.12-exposed-card", games=("holdem", "omaha", "five_card_draw")),
    "no_shuffle": Fault(clause="ND-09-04.6-shuffle-each-hand", later=True),
    "shuffled_amid": Fault(clause="ND-09-04.7-order-undisturbed", dealings=2),
    "wrong_winner": Fault(clause="ND-09-04.1-hand-ranking", whole=True, shown=2),
    "winner_killed": Fault(clause="ND-09-04.24.j-no-kill-winner", whole=True, shown=2),
    "tie_not_shared": Fault(clause="ND-09-04.25-tie-break", whole=True, shown=2, tie=True, games=("holdem",)),
    "folded_wins": Fault(clause="ND-09-04.24.c-premature-discard", whole=True, shown=2, folds=True),
    "awarded_early": Fault(
        clause="ND-09-04.26-dealer-awards", dealings=2, shown=2, games=("holdem", "omaha", "seven_card_stud")
    ),
    "shown_out_of_turn": Fault(clause="ND-09-04.23.d-clockwise", whole=True, shown=3, folds=True),
    "all_in_unshown": Fault(clause="ND-09-04.24-all-in-show", whole=True, shown=3, run_out=True, games=_BOARD),
    "ante_missing": Fault(clause="ND-09-04.9-ante", games=_ANTES),
    "ante_late": Fault(clause="ND-09-04.9-ante", games=_ANTES),
    "ante_raised": Fault(clause="ND-09-04.9-ante-fixed", games=_ANTES),
    "opened_out_of_turn": Fault(clause="ND-09-04.10-first-round-start", dealings=1, callers=2, games=_BOARD),
    "stays_unpaid": Fault(clause="ND-09-04.10-match-or-raise", dealings=1, callers=2, games=_BOARD),
    "misdeal_too_late": Fault(clause="ND-09-04.13-substantial-action", actors=3),
    "draw_not_highest": Fault(clause="ND-09-04.8-first-button-random", draw=True),
    "draw_seat_skipped": Fault(clause="ND-09-04.8-first-button-random", draw=True),
    "draw_lower_suit": Fault(clause="ND-09-04.8-suit-tiebreak", draw=True),
}
"""By name; nobody is all-in but where the hand is to be run out."""


def script_for(
    rng: random.Random, players: int, fault: Fault | None, game: Game, *, all_in: bool = False
) -> HandScript:
    """Return a random hand in which a breach can be planted; `all_in`: with a player all-in."""
    all_in = all_in or (fault is not None and fault.run_out)
    for _ in range(_MOST_TRIES):
        tie = fault is not None and fault.tie
        script = random_hand(rng, players, game, tie=tie, all_in=all_in)
        if fault is None or fault.fits(script, game):
            return script
    cause = f"no hand of {players} players found in which it can be planted"
    raise BadInput("--deviate", cause, "name more players with --spaces, or another breach")
