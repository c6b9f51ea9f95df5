"""The dealer's total that a settlement implies (docs/law.md)."""

from __future__ import annotations

from math import inf
from typing import Final, cast

from verifier.engine.chances import dealer_chances
from verifier.engine.totals import LIMIT
from verifier.law.hands import Hand
from verifier.law.money import moved, settled_against, until
from verifier.law.rounds import Round

MISCOUNT: Final = "miscount"
_BUST: Final = LIMIT + 1
_TOTALS: Final = (17, 18, 19, 20, 21, _BUST)


Implied = tuple[tuple[Hand, ...], frozenset[int], bool]


def implied(game: Round, before: float = inf) -> Implied | None:
    """Hands settled by comparison, every dealer total that explains all of them, and whether the true one is not
    among them, by the chips that were moved before a time (s). None where there is nothing to say: a dealer natural,
    fewer than two hands, cards or chips not known."""
    if ("implied", before) not in game.memo:
        game.memo["implied", before] = _implied(game, before)
    return cast("Implied | None", game.memo["implied", before])


def _implied(game: Round, before: float) -> Implied | None:
    hands = compared(game, before)
    if len(hands) < 2:
        return None
    explaining = frozenset(g for g in _TOTALS if all(_agrees(game, hand, g, before) for hand in hands))
    if not explaining:
        return None
    true = {min(state.total, _BUST) for state in settled_against(game)}
    if len(true) > 1 and true & explaining and not true <= explaining:
        return None
    return hands, explaining, not true & explaining and min(true) >= _TOTALS[0]


def miscounted(game: Round) -> bool:
    """Tell whether the round was settled against a total that the dealer did not have."""
    found = implied(game)
    return found is not None and found[2]


def chance_of_total(game: Round, totals: frozenset[int]) -> float:
    """How probable it is, by the readings of the dealer's cards, that the total is one of these."""
    if game.dealer.up_index is None:
        return 0.0
    found = dealer_chances([card.chances for card in game.dealer.cards], game.dealer.up_index)
    return sum(p for state, p in found.items() if min(state.total, _BUST) in totals)


def compared(game: Round, before: float = inf) -> tuple[Hand, ...]:
    """Hands that are decided by comparing totals: neither bust nor natural, and settled in a closed round, before a
    time (s)."""
    if not game.closed or game.dealer.natural is not False or not game.dealer.totals:
        return ()
    found = []
    for hand in game.playing:
        if hand.bust is False and hand.natural is False:
            if until(moved(game, hand), before).sign is None:
                return ()
            found.append(hand)
    doubled_naturals = [h for h in game.playing if h.natural and h.doubled and h.bust is False]
    return tuple(found + [h for h in doubled_naturals if h not in found])


def explained_by(game: Round, hand: Hand) -> bool:
    """Tell whether a hand is among those that a miscount explains."""
    return hand in compared(game)


def _agrees(game: Round, hand: Hand, dealer_total: int, before: float) -> bool:
    sign = until(moved(game, hand), before).sign
    for total in hand.totals:
        won = dealer_total > LIMIT or total.best > dealer_total
        expected = 1 if won else (0 if total.best == dealer_total else -1)
        if expected == sign:
            return True
    return False
