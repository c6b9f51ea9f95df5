"""How cards come: where a hand's next one lies, which of several that show at once came first, which were held."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

from msgspec import structs

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.next_card import number_of
from verifier.reconstruct.table.zones import distance

Step = tuple[float, int, CardTrack]
"""When a card came to rest (0) or was moved (1)."""


def in_order(steps: Sequence[Step], follows: Callable[[CardTrack], bool]) -> Iterator[Step]:
    """Yield the steps; of cards that came at once the first is the one that follows what lies: nobody saw them come one
    by one.
    """
    left = list(steps)
    while left:
        together = itertools.takewhile(lambda step: not step[1] and step[0] <= left[0][0] + par.FOUND_AT_ONCE_S, left)
        step = next((step for step in together if follows(step[2])), left[0])
        left.remove(step)
        yield step


def as_dealt(cards: Sequence[CardTrack], hands: HandLog) -> list[CardTrack]:
    """Return the card tracks; of faceup cards that came while nobody looked, those first that are dealt first.

    Which look shows them first is chance. The deal goes round the table twice, and the dealer's cards lie in a row.
    """
    result = sorted(cards, key=lambda card: card.t_rest)
    for gap, group in itertools.groupby(list(result), key=lambda card: hands.unlooked(card.xy, card.t_first)):
        came = list(group)
        if gap is None or len(came) == 1 or any(card.face == "down" or card.turned or not card.place for card in came):
            continue
        first = result.index(came[0])
        turns = [(*_turn(card, result[:first], came), card) for card in came]
        own = iter(sorted((turn for turn in turns if turn[2].place == "dealer"), key=lambda turn: turn[0]))
        row = [next(own) if turn[2].place == "dealer" else turn for turn in turns]
        if max(turn for turn, _, _ in row) < 2:
            row.sort(key=lambda turn: turn[:2])
        result[first : first + len(came)] = [
            _came_at(card, at.t_first, at.t_rest) for (_, _, card), at in zip(row, came, strict=True)
        ]
    return result


def _turn(card: CardTrack, lying: Sequence[CardTrack], came: Sequence[CardTrack]) -> tuple[int, float]:
    """How many cards its place had before, nearer ones among those that came with it, and the place's turn."""
    before = [other for other in lying if other.place == card.place]
    with_it = [other for other in came if other.place == card.place and other is not card]
    nearer = [o for o in with_it if before and distance(o.xy, before[-1].xy) < distance(card.xy, before[-1].xy)]
    return len(before) + len(nearer), number_of(card) or math.inf


def _came_at(card: CardTrack, t_first: float, t_rest: float) -> CardTrack:
    (xy, _, until), *others = card.dwells
    return structs.replace(card, t_first=t_first, dwells=((xy, min(t_rest, until), until), *others))


def landed(card: CardTrack, t: float) -> CardTrack:
    """Return a card from `t` on, when it was laid where it lies: before that it was held on its way."""
    dwells = tuple(dwell for dwell in card.dwells if dwell[1] >= t)
    held_down = card.turned is not None and card.turned[1] <= t + par.ARRIVAL_TURNED_S
    face, turned = ("up", None) if held_down else (card.face, card.turned)
    return structs.replace(card, dwells=dwells, t_first=t, face=face, turned=turned)
