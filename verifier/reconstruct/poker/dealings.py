"""Cards that come to players after the first deal: a card to each in stud, those exchanged in a draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from verifier.domain.poker import DRAW, FULL_HAND, HOLE_CARDS, STUD
from verifier.reconstruct import parameters as par
from verifier.reconstruct.poker.card_dwells import CardDwell, one_card
from verifier.reconstruct.poker.ordering import dealt_in_order
from verifier.reconstruct.table.zones import distance

USUAL = "holdem"
"""The game of a house that names none."""


class SeatCards(Struct, frozen=True, kw_only=True):
    """The cards of a seat: of the first deal, those that came later, and those of the first that were thrown away."""

    first: tuple[CardDwell, ...]
    further: tuple[CardDwell, ...] = ()
    thrown: tuple[CardDwell, ...] = ()

    @property
    def kept(self) -> list[CardDwell]:
        """All but those thrown away, in the order in which they came."""
        return [card for card in (*self.first, *self.further) if not any(card is other for other in self.thrown)]


class Given(Struct, frozen=True):
    """A card of a later dealing: when it is told to have come; `card` is None where no look shows it."""

    seat: str
    t: float
    card: CardDwell | None


def deals_later(variant: str) -> bool:
    """Tell whether players get cards after the first deal."""
    return variant in (STUD, DRAW)


def first_count(variant: str) -> int:
    """Return how many cards a player gets in the first deal."""
    return HOLE_CARDS[variant]


def further_of(
    variant: str, first: Sequence[CardDwell], late: Sequence[CardDwell], mucked: Sequence[float]
) -> SeatCards:
    """Divide a seat's cards; `late` are those seen only after the first deal, `mucked` when cards came to the muck.

    What shows where a card of the seat lay before is that one, seen again.
    """
    cards, thrown = list(first), list[CardDwell]()
    further: list[CardDwell] = []
    if variant == DRAW:
        thrown = [card for card in first if _thrown(card, first, late, mucked)]
    room = FULL_HAND[variant] - len(first) + len(thrown)
    for card in late:
        own = [index for index, one in enumerate(cards) if one.until <= card.rest and one not in thrown]
        again = [index for index in own if distance(cards[index].xy, card.xy) <= par.POKER_SAME_CARD_MM]
        if len(further) < room and not again and (variant == STUD or thrown):
            further.append(card)
        elif own:
            index = min(own, key=lambda i: distance(cards[i].xy, card.xy))
            cards[index] = one_card(cards[index], card)
    return SeatCards(first=tuple(cards), further=tuple(further), thrown=tuple(thrown))


def _thrown(card: CardDwell, first: Sequence[CardDwell], late: Sequence[CardDwell], mucked: Sequence[float]) -> bool:
    """Tell whether a card was thrown away for another: it went to the muck while the player played on.

    What shows later on its very spot is that card, lost from sight meanwhile.
    """
    if any(other.rest >= card.until and distance(other.xy, card.xy) <= par.POKER_SAME_CARD_MM for other in late):
        return False
    remains = any(other.until > card.gone for other in first) or any(other.rest > card.gone for other in late)
    return card.ended and remains and any(abs(rest - card.until) <= par.POKER_TAKEN_S for rest in mucked)


def dealings_of(cards: Iterable[CardDwell], burns: Sequence[float]) -> list[list[CardDwell]]:
    """Return the later dealings in order of time: a pause, or a burned card, lies between two of them.

    Cards seen later than the others of their dealing come to seats that had none in it.
    """
    groups: list[list[CardDwell]] = []
    for card in sorted(cards, key=lambda one: one.rest):
        last = groups[-1] if groups else []
        parted = last and (
            card.early - last[-1].rest > par.POKER_DEALING_GAP_S
            or any(last[-1].rest < burn < card.early for burn in burns)
        )
        if last and (not parted or (card.place not in {one.place for one in last} and not _burned(last, card, burns))):
            last.append(card)
        else:
            groups.append([card])
    return groups


def _burned(group: Sequence[CardDwell], card: CardDwell, burns: Sequence[float]) -> bool:
    return any(group[-1].rest < burn < card.rest for burn in burns)


def given_in(
    group: Sequence[CardDwell], due: Mapping[str, int], order: Sequence[str], *, together: bool
) -> list[Given]:
    """Return the cards of a dealing in the order in which they are told.

    `due`: how many cards each seat should get in it; one that no look shows, or only long after the others came, is
    told in its turn by `order`, the seats as they were dealt to first. `together`: a player gets all cards at once.
    """
    pairs = pairwise(group)
    late = [card for before, card in pairs if card.early - before.rest > par.POKER_DEALING_GAP_S]
    seen = [card for card in group if not any(card is other for other in late)]
    given = [Given(card.place, t, card) for t, card, _ in dealt_in_order(seen, order, together=together)]
    rank = {seat: index for index, seat in enumerate(order)}
    for seat, count in due.items():
        for _ in range(count - sum(one.seat == seat for one in given)):
            after = [index for index, one in enumerate(given) if rank.get(one.seat, 0) <= rank.get(seat, 0)]
            place = after[-1] + 1 if after else 0
            near = given[place - 1].t + par.POKER_ORDER_STEP_S / 2 if place else given[0].t - par.POKER_ORDER_STEP_S / 2
            given.insert(place, Given(seat, near, None))
    return given
