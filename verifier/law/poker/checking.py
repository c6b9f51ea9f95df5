"""How the checks of poker are registered: each gets a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps

from verifier.law.instances import Instance
from verifier.law.poker.hand import PokerHand, hand_of
from verifier.law.poker.rounds import PokerRound
from verifier.law.registry import POKER, Partial, round_check
from verifier.law.rounds import Round

HandCheck = Callable[[PokerHand], Iterator[Instance]]


def hand_check(
    *clauses: str,
    needs: dict[str, object] | None = None,
    partial: Partial = "drop",
    audio: bool = False,
    reads: tuple[str, ...] = (),
) -> Callable[[HandCheck], HandCheck]:
    """Register a check that judges each hand; clauses are given without their `ND-09-04.`."""

    def register(function: HandCheck) -> HandCheck:
        @wraps(function)
        def of_round(game: Round) -> Iterator[Instance]:
            assert isinstance(game, PokerRound)
            return function(hand_of(game))

        round_check(
            *(full(clause) for clause in clauses),
            rulebooks=POKER,
            needs=needs,
            partial=partial,
            audio=audio,
            reads=reads,
        )(of_round)
        return function

    return register


def full(clause: str) -> str:
    """Return the clause's whole id."""
    return f"ND-09-04.{clause}"
