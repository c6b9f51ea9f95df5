"""Cards whose reading leaves several ranks: they are unread cards of one of these ranks."""

from __future__ import annotations

from msgspec import structs

from verifier.domain.events import AnyEvent, CardDealt, CardRevealed
from verifier.engine.totals import RankSet, plausible_ranks
from verifier.law.readings import POSSIBLE_RANK


def ranks_left(event: CardDealt | CardRevealed) -> RankSet:
    """Return the ranks that a card may have, by its text and the probabilities of its reading."""
    rank = None if event.card[0] == "?" else event.card[0]
    return plausible_ranks(rank, event.ranks, least=POSSIBLE_RANK)


def as_read(event: AnyEvent) -> AnyEvent:
    """Return an event; where its card may have several ranks, its rank is not read."""
    if not isinstance(event, CardDealt | CardRevealed) or len(ranks_left(event)) == 1:
        return event
    return structs.replace(event, card="?" + event.card[1])
