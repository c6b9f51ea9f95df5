"""How probable each outcome is when cards were read with doubt: the readings weighted by their probabilities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from verifier.engine.outcomes import DealerState, HandFacts, HandState, Outcome, outcome, up_class
from verifier.engine.rules import TWENTY_ONE, Rules
from verifier.engine.totals import ANY_RANK, hand_total, is_natural

Chances = Mapping[str, float]
"""Probability of each rank that a card may have; they add up to one."""

UNREAD: Chances = {rank: 1 / len(ANY_RANK) for rank in sorted(ANY_RANK)}
"""A card of which nothing was read: every rank is equally probable."""


def rank_chances(rank: str | None, posterior: Mapping[str, float] | None) -> Chances:
    """Chances of a card's ranks from its reading and the reading's posterior (what that leaves is spread evenly)."""
    if not posterior:
        return UNREAD if rank is None else {rank: 1.0}
    named = {r: p for r, p in posterior.items() if r in ANY_RANK and p > 0}
    rest = max(0.0, 1.0 - sum(named.values()))
    if rank is not None and rank not in named:
        named[rank] = rest
    elif rest > 0:
        others = sorted(ANY_RANK - named.keys()) if rank is None else [rank]
        for other in others:
            named[other] = named.get(other, 0.0) + rest / len(others)
    total = sum(named.values())
    return {r: p / total for r, p in named.items()} if total else UNREAD


def hand_chances(cards: Sequence[Chances], *, split: bool = False) -> dict[HandState, float]:
    """Chance of each state of a player's hand, its cards in the order dealt."""
    found: dict[HandState, float] = defaultdict(float)
    for (total, natural, _), chance in _totals(cards, 0).items():
        found[HandState(total, natural and not split)] += chance
    return dict(found)


def dealer_chances(cards: Sequence[Chances], up_index: int) -> dict[DealerState, float]:
    """Chance of each state of the dealer's kept cards; `cards[up_index]` is the faceup card."""
    found: dict[DealerState, float] = defaultdict(float)
    for (total, natural, up), chance in _totals(cards, up_index).items():
        found[DealerState(up_class(up), total, natural)] += chance
    return dict(found)


def outcome_chances(
    hands: Mapping[HandState, float], dealers: Mapping[DealerState, float], facts: HandFacts, rules: Rules = TWENTY_ONE
) -> dict[Outcome, float]:
    """Chance of each outcome of a hand against the dealer."""
    found: dict[Outcome, float] = defaultdict(float)
    for hand, p in hands.items():
        for dealer, q in dealers.items():
            found[outcome(hand, dealer, facts, rules)] += p * q
    return dict(found)


def _totals(cards: Sequence[Chances], marked: int) -> dict[tuple[int, bool, str], float]:
    """Chance of best total, of a natural in the first two cards, and of the marked card's rank together."""
    states: dict[tuple[int, bool, str, bool, str], float] = {(0, False, "", False, ""): 1.0}
    for index, card in enumerate(cards):
        grown: dict[tuple[int, bool, str, bool, str], float] = defaultdict(float)
        for (hard, ace, first, natural, up), chance in states.items():
            for rank, p in card.items():
                key = (
                    hard + hand_total((rank,)).best - (10 if rank == "A" else 0),
                    ace or rank == "A",
                    rank if index == 0 else first,
                    is_natural((first, rank)) if index == 1 else natural,
                    rank if index == marked else up,
                )
                grown[key if index < 1 else (key[0], key[1], "", key[3], key[4])] += chance * p
        states = grown
    found: dict[tuple[int, bool, str], float] = defaultdict(float)
    for (hard, ace, _, natural, up), chance in states.items():
        found[hard + 10 if ace and hard + 10 <= 21 else hard, natural, up] += chance
    return found
