"""Hands that lay there as the recording began: which cards are of one hand is told by how they lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.cardface import value_of
from verifier.reconstruct.table.runs import nearest_first
from verifier.reconstruct.table.zones import Xy, distance


def found_lying(cards: Iterable[CardTrack]) -> dict[str, list[CardTrack]]:
    """Return, for each space, the first cards of the deal that were there together when a card was first seen."""
    known = sorted(cards, key=lambda card: card.t_rest)
    spaces: dict[str, list[CardTrack]] = {}
    for card in known:
        if card.place.startswith("space") and card.t_rest <= known[0].t_rest + par.FOUND_AT_ONCE_S:
            spaces.setdefault(card.place, []).append(card)
    return {place: lying for place, lying in spaces.items() if len(lying) > 1}


def hands_found(lying: Sequence[CardTrack], step: Xy, reach: float) -> list[list[CardTrack]]:
    """Return the hands, the leftmost first, that a space's cards form where each next card lies a `step` on, within
    `reach` mm.

    More than one only where they begin with cards of one value, beside each other, as split hands do; none where the
    cards do not lie so.
    """
    gaps = (
        (distance((one.xy[0] + step[0], one.xy[1] + step[1]), other.xy), i, j)
        for (i, one), (j, other) in permutations(enumerate(lying), 2)
    )
    following = nearest_first(pair for pair in gaps if pair[0] <= reach)
    heads = [i for i in range(len(lying)) if i not in following.values()]
    if not heads or not all(_split_apart(lying[a], lying[b]) for a, b in combinations(heads, 2)):
        return []
    chains = []
    for head in sorted(heads, key=lambda i: lying[i].xy[0]):
        chain = [head]
        while chain[-1] in following:
            chain.append(following[chain[-1]])
        chains.append([lying[i] for i in chain])
    return chains


def _split_apart(one: CardTrack, other: CardTrack) -> bool:
    """Tell whether two cards lie as the first ones of two split hands."""
    level = abs(one.xy[1] - other.xy[1]) <= par.FOUND_LEVEL_MM
    alike = one.rank is not None and value_of(one.rank) == value_of(other.rank)
    return level and alike and distance(one.xy, other.xy) >= par.LEAST_APART_MM
