"""Key frames of cards alone, and the cards that one of them missed.

What a record misses seems gone until the next one, however long that takes. So the records that follow are asked:
nobody lays a card back where it lay, parts a pair of which one card has gone, or takes up a hand in two goes; and a
record that shows nothing new was written for a card that it missed.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from verifier.domain.observations import CardSeen, Observation
from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.zones import TableMap, Xy, centre_of, distance

TENS = "TJQK"


class Lying(Struct, frozen=True):
    """A card of a record, where it lies in mm, and the name of that place."""

    seen: CardSeen
    xy: Xy
    place: str

    @property
    def value(self) -> str | None:
        """Its rank, all of value ten alike; None where it was not read."""
        rank = self.seen.rank if self.seen.face == "up" else None
        return "T" if rank is not None and rank in TENS else rank

    def at(self, other: Lying) -> bool:
        """Tell whether another card lies where this one does."""
        return distance(self.xy, other.xy) <= par.STEADY_NEAR_MM

    def like(self, other: Lying) -> bool:
        """Tell whether their readings do not rule out that they are one card."""
        ranks = self.seen.rank, other.seen.rank
        return self.seen.face == other.seen.face and (ranks[0] == ranks[1] or None in ranks)


class Record(Struct, frozen=True):
    """An observation and its cards."""

    observation: Observation
    cards: tuple[Lying, ...]

    @property
    def t(self) -> float:
        return self.observation.t

    def shows(self, card: Lying) -> bool:
        """Tell whether a card that may be this one lies where it lay."""
        return any(card.at(other) and card.like(other) for other in self.cards)

    def bare(self, card: Lying) -> bool:
        """Tell whether nothing lies where a card lay."""
        return not any(card.at(other) for other in self.cards)

    def come(self, card: Lying, before: Record) -> list[Lying]:
        """Return the cards that may be this one, laid elsewhere since the record `before`."""
        return [
            new
            for new in self.cards
            if card.value is not None
            and new.seen.rank == card.seen.rank
            and distance(card.xy, new.xy) <= par.KEY_RECORD_FAR_MM
            and not before.shows(new)
        ]


def record_of(observation: Observation, table: TableMap) -> Record:
    """Return an observation with its cards in millimetres."""
    middles = [centre_of([table.mm(corner) for corner in card.quad]) for card in observation.cards]
    cards = (Lying(c, xy, table.card_place(xy) or "") for c, xy in zip(observation.cards, middles, strict=True))
    return Record(observation, tuple(cards))


def alike(before: Record, after: Record) -> bool:
    """Tell whether two records show the same cards."""
    return all(after.shows(card) for card in before.cards) and all(before.shows(card) for card in after.cards)


def whole(before: Record, record: Record, after: Sequence[Record]) -> Record:
    """Return a record with the cards that it missed, by the one `before`, which is whole, and those `after`.

    A dealer's cards that were both away were in the reader.
    """
    dealers = [card for card in before.cards if card.place == "dealer"]
    read = len(dealers) > 1 and all(record.bare(card) for card in dealers)
    bare = [card for card in before.cards if record.bare(card) and not record.come(card, before)]
    asked = [card for card in bare if not (read and card.place == "dealer")]
    seen = [card for card in asked if _shows_again(card, before, record, after) or _parted(card, before, record, after)]
    record = _with(record, seen)
    record = _with(record, [c for c in asked if record.bare(c) and _taken_together(c, before, record, after)])
    return _with(record, _just_laid(before, record, after))


def _with(record: Record, missed: Sequence[Lying]) -> Record:
    """Return a record with cards that it missed."""
    if not missed:
        return record
    cards = [*record.observation.cards, *(card.seen for card in missed)]
    return Record(structs.replace(record.observation, cards=cards), (*record.cards, *missed))


def _shows_again(card: Lying, before: Record, record: Record, after: Sequence[Record]) -> bool:
    """Tell whether a card lies where it lay soon, and another one lay on meanwhile: else it would be of another
    round.
    """
    others = [other for other in before.cards if not card.at(other)]
    for between, later in zip((record, *after), after, strict=False):
        others = [other for other in others if between.shows(other)]
        if later.shows(card) or not others:
            return bool(others)
    return False


def _parted(card: Lying, before: Record, record: Record, after: Sequence[Record]) -> bool:
    """Tell whether a card is one of a pair that the next record shows laid apart."""
    pair = [
        m
        for m in before.cards
        if m.value == card.value is not None and 0.0 < distance(card.xy, m.xy) <= par.TAKEN_BESIDE_MM
    ]
    if len(pair) != 1 or not after or not after[0].come(card, record):
        return False
    return after[0].shows(pair[0]) or bool(after[0].come(pair[0], record))


def _just_laid(before: Record, record: Record, after: Sequence[Record]) -> list[Lying]:
    """Return the cards for which a record was written that shows nothing new: of those that the next record with more
    than one new card shows, a player's first.
    """
    if not alike(before, record):
        return []
    lying = list(record.cards)
    for later in after:
        moved = [card for card in lying if later.bare(card)]
        new = [card for card in later.cards if not any(card.at(other) for other in lying)]
        laid = [card for card in new if card.place and not any(card.like(other) for other in moved)]
        if len(laid) > 1:
            return [min(laid, key=lambda card: (not card.place.startswith("space"), card.place))]
        lying += new
    return []


def _taken_together(card: Lying, before: Record, record: Record, after: Sequence[Record]) -> bool:
    """Tell whether a card lay in a player's hand most of which lies on, and goes soon: a hand goes as a whole."""
    lay = [other for other in before.cards if other.place == card.place]
    still = [other for other in lay if record.shows(other)]
    return (
        card.place.startswith("space")
        and 2 * len(still) >= len(lay)
        and any(all(other.place != card.place for other in later.cards) for later in after)
    )
