"""The indicator card (99-01.3-08-08(2))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardDealt, IndicatorCard, Shuffle
from verifier.law import say
from verifier.law.instances import Instance, judged, untold
from verifier.law.registry import session_check
from verifier.law.session import Session
from verifier.law.shoes import after, at_round, shoe_burns, until

INDICATOR = "ND-08-08.2-indicator-50-100"
ON_INDICATOR = "ND-08-08.2-reshuffle-on-indicator"
ABOUT = 10
CARDS_IN_DECK, MOST_DECKS = 52, 8


def by_machine(session: Session) -> bool:
    """Tell whether the site's shuffles may be a machine's, which stands out of view."""
    given = session.house.shuffle_method or []
    return any("machine" in method.casefold() for method in ([given] if isinstance(given, str) else given))


@session_check(INDICATOR)
def indicator_depth(session: Session) -> Iterator[Instance]:
    """Check that the indicator card is about 50 to 100 cards from the bottom, by its record or else by counting the
    cards.
    """
    least, most = session.figures.indicator_least_cards, session.figures.indicator_most_cards
    for card in session.of(IndicatorCard):
        left = _counted(session, card) if card.cards_remaining is None else card.cards_remaining
        if left is None:
            yield untold(INDICATOR, "how many cards lay behind the indicator card", card, at="shoe")
            continue
        right: bool | None = least - ABOUT <= left <= most + ABOUT
        if not right and card.cards_remaining is None and (session.from_pixels or not 0 <= left < least):
            right = None  # what lies before a shoe's end may have no record
        yield judged(
            INDICATOR,
            right,
            key=card.id,
            at="shoe",
            events=[card],
            expected=say.that(
                "the indicator card is about {least} to {most} cards from the bottom",
                least=say.figure("indicator_least_cards", least),
                most=say.figure("indicator_most_cards", most),
            ),
            observed=say.that("it was {left} cards from the bottom", left=left),
        )


def _counted(session: Session, card: IndicatorCard) -> int | None:
    """Cards left when the indicator appeared; None where not every card since all were shuffled is in the log."""
    decks, shuffles = session.house.deck_count, until(session.of(Shuffle), card.t_start)
    if card.action != "appeared" or decks is None or not shuffles or shuffles[-1].scope != "all":
        return None
    begun = shuffles[-1].t_end
    games = [g for g in session.rounds if g.events[-1].t_end > begun and g.events[0].t_start < card.t_end]
    if any(game.card_missing or game.jumped or game.interrupted for game in games):
        return None
    gone = [*after(session.of(CardDealt), begun), *after(shoe_burns(session), begun)]
    return decks * CARDS_IN_DECK - sum(event.t_end <= card.t_end for event in gone)


@session_check(ON_INDICATOR)
def reshuffled_on_indicator(session: Session) -> Iterator[Instance]:
    """Once the indicator appears, no new round begins before a reshuffle."""
    firsts = [game.first_card for game in session.rounds if game.first_card is not None]
    for card in session.of(IndicatorCard):
        if card.action != "appeared":
            continue
        following = [f for f in firsts if f is not None and f.t_start >= card.t_end]
        if not following:
            continue
        shuffled = any(card.t_end <= s.t_end <= following[0].t_end for s in session.of(Shuffle))
        unseen = card.weak or (by_machine(session) and following[0].shoe != card.shoe)
        yield at_round(
            judged(
                ON_INDICATOR,
                shuffled or (None if unseen else False),
                key=card.id,
                at="shoe",
                events=[card, following[0]],
                expected="the cards are reshuffled after the round in which the indicator card appears",
                observed="a new round was dealt from the same shoe",
            ),
            following[0],
        )
