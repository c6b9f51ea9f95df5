"""Plain words for what was expected and what was seen."""

from __future__ import annotations

from typing import Final

from verifier.law.hands import Hand
from verifier.law.rounds import Round

OUTCOME_WORDS: Final = {
    "even_money": "even money, paid the original wager",
    "bust": "over 21, loses its stake",
    "natural_push": "a tie of naturals, neither paid nor collected",
    "natural_loss": "loses its original wager to the dealer's natural, split and double wagers go back",
    "natural": "a natural, paid 3 to 2",
    "win": "wins, paid its stake",
    "push": "a tie, neither paid nor collected",
    "lose": "loses its stake",
}


def hand_against_dealer(game: Round, hand: Hand) -> str:
    """`dealer 10-6-5 = 21; space:3 had 10-10 = 20`."""
    return f"{game.dealer.text()}; {hand.place} had {hand.text()}"


def hand_words(hand: str | None) -> str:
    """`both hands`, `the left hand`."""
    unseen = "a hand that could not be told"
    return {"both": "both hands", "unknown": unseen, None: unseen}.get(hand, f"the {hand} hand")
