"""Clauses that a reading of pixels cannot judge, for the acts that they turn on are in no record of it."""

from __future__ import annotations

from typing import Final

from verifier.domain.events import ButtonMoved, CardBurned, PotAwarded, Shuffle, WagerPlaced
from verifier.law.poker.checking import full
from verifier.law.poker.hand import hand_of
from verifier.law.poker.rounds import PokerRound
from verifier.law.poker.showdown import shown_early
from verifier.law.registry import POKER, withhold
from verifier.law.session import Session

_BETTING: Final = "who checks, calls or raises is not read from the picture, and stakes are lower bounds"
_AMOUNTS: Final = "amounts are not read from the picture: a stack shows its top chip"
_ALL_IN: Final = "that a player is all-in is not read from the picture"
_DECK: Final = "how the deck is held, and from where in it a card comes, is not read from the picture"
_REVIEW: Final = "that a deck is inspected and spread is not read from the picture"
_BACK: Final = "chips given back are not told from chips taken"

NEVER: Final[dict[str, str]] = {
    **dict.fromkeys(
        map(
            full,
            (
                "10-later-rounds", "10-round-ends", "11-heads-up-blind", "11-heads-up-switch",
                "16-short-call",
                "16-bet-made", "17-single-chip-call", "17-multi-chip-half-raise", "23-show-order",
            ),
        ),
        _BETTING,
    ),
    full("25-high-low"): _AMOUNTS,
    full("27-odd-chip"): _AMOUNTS,
    full("23.e-side-pot-first"): _ALL_IN,
    full("23.d-clockwise"): _ALL_IN,
    full("7-deal-from-hand"): _DECK,
    full("7-top-card"): _DECK,
    full("22-faced-deck-card"): _DECK,
    full("6-dealer-cut"): "the dealer's cut is not told from the shuffle",
    full("2-one-deck"): "two cards that read alike are held for a card that was misread",
    full("4-approve-deck"): _REVIEW,
    full("5-spread"): _REVIEW,
    full("5-shuffle-after"): _REVIEW,
    full("24.d-verbal-concession"): "a concession is spoken, and no act of play in a log made from pixels",
    full("19-fouled-no-recovery"): _BACK,
    full("28-defective-deck"): _BACK,
}  # fmt: skip
"""Clauses that no log of this package's own reading tells of, each with why."""
NO_BURNS: Final = "the log holds no burned card: the layout has no place for them, or none was seen"
NO_SHUFFLES: Final = "the log holds no shuffle: the dealer's place was not in view, or none was seen"
NO_AWARDS: Final = "nobody was seen to be pushed a pot"
NO_BUTTON: Final = "neither the button nor the blinds were seen, so that the first seat of the deal is not known"
NO_RUN_OUT: Final = (
    "no two hands were shown before further cards, by which alone the picture tells that players are all-in"
)
NO_DRAW: Final = "no draw for the button was seen"
_OF_AWARDS: Final = (
    "1-hand-ranking", "1.f-ace-low-straight", "18-fouled-hand", "24.a-too-many-cards", "24.b-cards-speak",
    "24.c-premature-discard", "24.f-faceup-discard-live", "24.g-facedown-retrieval", "24.h-facedown-dead",
    "24.j-no-kill-winner", "25-tie-break", "26-dealer-awards",
)  # fmt: skip


def unread(session: Session) -> dict[str, str]:
    """Return the clauses that this log cannot tell of, each with why; none where a person or the game wrote it."""
    if not session.from_pixels:
        return {}
    found = dict(NEVER)
    if not session.of(CardBurned):
        found[full("14-burn-policy")] = NO_BURNS
    if not session.of(Shuffle):
        found[full("6-shuffle-each-hand")] = found[full("7-order-undisturbed")] = NO_SHUFFLES
    if not session.of(PotAwarded):
        found.update(dict.fromkeys(map(full, _OF_AWARDS), NO_AWARDS))
    blinds = [wager for wager in session.of(WagerPlaced) if wager.blind == "small"]
    if not session.of(ButtonMoved) and not blinds:
        found[full("7-left-of-button")] = NO_BUTTON
    if not any(hand_of(game).drawn for game in session.rounds if isinstance(game, PokerRound)):
        found[full("8-first-button-random")] = found[full("8-suit-tiebreak")] = NO_DRAW
    if not any(shown_early(hand_of(game))[1] for game in session.rounds if isinstance(game, PokerRound)):
        found[full("24-all-in-show")] = NO_RUN_OUT
    return found


withhold(POKER, unread)
