"""How many decks a shoe holds (99-01.3-08-02(3))."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from verifier.domain.cards import Card
from verifier.domain.events import AnyEvent, CardBurned, CardDealt, CardRevealed, Shuffle
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.readings import ranks_of
from verifier.law.registry import session_check
from verifier.law.session import Session
from verifier.law.shoes import at_round, shoe_burns

DECKS = "ND-08-02.3-deck-count"


@session_check(DECKS, needs={"deck_count": None})
def lawful_decks(session: Session) -> Iterator[Instance]:
    """Check that the game uses four, six or eight decks."""
    decks, lawful = session.house.deck_count, session.figures.decks
    yield judged(
        DECKS,
        decks in lawful,
        key="option",
        at="shoe",
        events=session.events[:1],
        expected=say.that(
            "the game uses {lawful} or {lawful_2} decks", lawful=say.listed(", ", lawful[:-1]), lawful_2=lawful[-1]
        ),
        observed=say.that("it uses {decks}", decks=decks),
    )


@session_check(DECKS)
def cards_per_shoe(session: Session) -> Iterator[Instance]:
    """No card shows more often in a shoe than the decks allow; all that do in one shoe are one matter."""
    decks = session.house.deck_count or session.rules.most_decks
    seen: Counter[tuple[int | None, str]] = Counter()
    sure: Counter[tuple[int | None, str]] = Counter()
    over: dict[str, AnyEvent] = {}
    counted = False
    first_shown = _first_shown(session)
    for event in session.events:
        if isinstance(event, Shuffle):
            yield from _too_many(over, decks, sure)
            seen.clear()
            sure.clear()
            over.clear()
        card = _card_of(event) if event.id in first_shown else None
        if card is None:
            continue
        counted = True
        seen[event.shoe, card] += 1
        sure[event.shoe, card] += _surely_read(event)
        if seen[event.shoe, card] > decks:
            over.setdefault(card, event)
    yield from _too_many(over, decks, sure)
    if counted:
        yield judged(DECKS, True)


def _surely_read(event: AnyEvent) -> bool:
    """Tell whether no other rank than the one told is possible by the reading of a card."""
    ranks = getattr(event, "ranks", None)
    return not ranks or len(ranks_of(getattr(event, "card", "??"), ranks)) == 1


def _too_many(
    over: Mapping[str, AnyEvent], decks: int, sure: Mapping[tuple[int | None, str], int]
) -> Iterator[Instance]:
    """Yield a violation for the cards that showed once too often in a shoe (`over`: each with the event that showed
    it), in the round of the first; it is open where none did by those that were surely read (`sure`: their number).
    """
    if over:
        first = next(iter(over.values()))
        yield at_round(
            judged(
                DECKS,
                False if any(sure[event.shoe, card] > decks for card, event in over.items()) else None,
                at="shoe",
                key=first.id,
                events=list(over.values()),
                expected=say.that("no card shows more than {decks} times in a shoe of {decks} decks", decks=decks),
                observed=say.that(
                    "{over} {which} dealt more than {decks} times",
                    over=say.listed(", ", over),
                    which="was" if len(over) == 1 else "were",
                    decks=decks,
                ),
            ),
            first,
        )


def _first_shown(session: Session) -> set[str]:
    """Return the ids of the records by which a card of the shoe shows for the first time.

    Cards that are burned from a hand were seen when dealt, and a dealer's card that is turned twice is one card.
    """
    shown = {burn.id for burn in shoe_burns(session)}
    hidden: Counter[int | None] = Counter()
    for event in session.events:
        if isinstance(event, CardDealt):
            shown.add(event.id)
            hidden[event.round] += event.to == "dealer" and _card_of(event) is None
        elif isinstance(event, CardRevealed) and event.at == "dealer" and hidden[event.round] > 0:
            shown.add(event.id)
            hidden[event.round] -= 1
    return shown


def _card_of(event: AnyEvent) -> str | None:
    """Return the card of a record, where its rank and suit were read."""
    if not isinstance(event, CardDealt | CardRevealed | CardBurned):
        return None
    card = Card.parse(event.card)
    return event.card if card.rank and card.suit else None
