"""Shuffle, cut, burn and the indicator card (99-01.3-08-08, 02(3), 12(13))."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec

from verifier.domain.events import (
    CardBurned,
    CardDealt,
    Cut,
    Event,
    IndicatorCard,
    Shuffle,
)
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

SHUFFLED = "ND-08-08.1-shuffle-before-play"
CUT = "ND-08-08.1-offer-cut"
DECLINED = "ND-08-08.1-all-decline"
TEN = "ND-08-08.1-cut-ten-cards"
INDICATOR = "ND-08-08.2-indicator-50-100"
ON_INDICATOR = "ND-08-08.2-reshuffle-on-indicator"
SHORTAGE = "ND-08-12.9-shoe-shortage"
ABOUT = 10
CUT_ABOUT = 2
"""Cards by which the depth of a cut, told from the height of the stack, may be off (site policy)."""
CARDS_IN_DECK, MOST_DECKS = 52, 8


def _whole(session: Session) -> list[Shuffle]:
    """Shuffles of all cards, which begin a shoe."""
    return [e for e in session.of(Shuffle) if e.scope != "discards"]


E = TypeVar("E", bound=Event)


def after(events: Sequence[E], t: float) -> Sequence[E]:
    """Events that end after `t`, in order."""
    return events[bisect_right(events, t, key=lambda e: e.t_end) :]


def until(events: Sequence[E], t: float) -> Sequence[E]:
    """Events that end by `t`, in order."""
    return events[: bisect_right(events, t, key=lambda e: e.t_end)]


def shoe_burns(session: Session) -> list[CardBurned]:
    """Burned cards that came from the shoe, not from a hand."""
    from_hands = {burn.id for game in session.rounds for _, _, burn in game.folded.burned}
    return [e for e in session.of(CardBurned) if e.id not in from_hands]


def at_round(instance: Instance, event: Event) -> Instance:
    """The instance as of the round of a record."""
    return msgspec.structs.replace(instance, round=event.round)


def amid_round(session: Session, shuffle: Shuffle) -> bool:
    """Whether cards were shuffled while a round was being dealt, as when the shoe runs short (12(9))."""
    own = (game for game in session.rounds if any(s.id == shuffle.id for s in game.of(Shuffle)))
    return any(game.first_card is not None and game.first_card.t_end <= shuffle.t_start for game in own)


@session_check(SHUFFLED)
def shuffled_before_shoe(session: Session) -> Iterator[Instance]:
    """Each shoe that begins in the log begins with a shuffle of all cards."""
    cards = [e for e in session.of(CardDealt) if e.shoe is not None]
    for before, first in itertools.pairwise([None, *cards]):
        assert first is not None
        since = before.t_end if before else float("-inf")
        shuffles = [s for s in session.of(Shuffle) if since <= s.t_end <= first.t_end]
        if before.shoe == first.shoe if before else not (shuffles and _begins_shoe(session, first)):
            continue
        whole: bool | None = any(s.scope != "discards" or amid_round(session, s) for s in shuffles)
        if not shuffles and _by_machine(session):
            whole = None
        yield at_round(
            judged(
                SHUFFLED,
                whole,
                key=first.id,
                at="shoe",
                events=[before, *shuffles, first],
                expected="all cards are shuffled before a new shoe is dealt",
                observed=f"shoe {first.shoe} was dealt "
                + ("with the discards alone shuffled" if shuffles else "without a shuffle"),
                also=_indicated(session, before, first) if before else [],
            ),
            first,
        )


def _by_machine(session: Session) -> bool:
    """Whether the site's shuffles may be a machine's, which stands out of view."""
    given = session.house.shuffle_method or []
    return any("machine" in method.casefold() for method in ([given] if isinstance(given, str) else given))


def _begins_shoe(session: Session, first: CardDealt) -> bool:
    """Whether the log's first card is the first of its shoe and of a round."""
    game = session.rounds[0]
    return first.seq == 1 and game.opened and game.first_card is not None and game.first_card.id == first.id


def _indicated(session: Session, before: CardDealt, after: CardDealt) -> list[str]:
    """The clause on the indicator card, where one had appeared in the shoe that was dealt out."""
    shown = [c.t_end for c in session.of(IndicatorCard) if c.action == "appeared" and c.t_end <= after.t_end]
    dealt_on = bool(shown) and not any(shown[-1] <= s.t_end <= before.t_end for s in session.of(Shuffle))
    return [ON_INDICATOR] if dealt_on else []


@session_check(CUT, DECLINED, TEN)
def cut_offered(session: Session) -> Iterator[Instance]:
    """The stack is cut between the shuffle and the first card, ten cards or more from either end."""
    for shuffle in _whole(session):
        if shuffle.method == "machine":
            continue
        cards = after(session.of(CardDealt), shuffle.t_end)
        limit = cards[0].t_end if cards else None
        cuts = [c for c in session.of(Cut) if c.t_start >= shuffle.t_start and (limit is None or c.t_end <= limit)]
        if not cuts and (limit is None or session.from_pixels):
            continue
        unseen = bool(cuts) and all(cut.occluded for cut in cuts)
        was = "was seen" if unseen else "was made"
        yield judged(
            CUT,
            None if unseen else bool(cuts),
            key=shuffle.id,
            at="shoe",
            events=[shuffle],
            expected="the stack is offered for a cut after the shuffle",
            observed=f"no cut {was} between the shuffle and the first card",
            also=[DECLINED],
        )
    least = session.figures.cut_least_cards
    most = (session.house.deck_count or MOST_DECKS) * CARDS_IN_DECK - least
    for cut in session.of(Cut):
        if cut.depth_cards is not None:
            yield judged(
                TEN,
                _within(cut.depth_cards, least, most, CUT_ABOUT),
                key=cut.id,
                at="shoe",
                events=[cut],
                expected=f"the cutting card goes in {least} or more cards from either end",
                observed=f"it went in {cut.depth_cards} cards deep",
            )


def _within(value: int, least: int, most: int, slack: int) -> bool | None:
    """Whether a number is within two limits; None where it passes one by no more than its reading may be off."""
    return True if least <= value <= most else (None if least - slack <= value <= most + slack else False)


@session_check(INDICATOR)
def indicator_depth(session: Session) -> Iterator[Instance]:
    """The indicator card is about 50 to 100 cards from the bottom, by its record or else by counting the cards."""
    least, most = session.figures.indicator_least_cards, session.figures.indicator_most_cards
    for card in session.of(IndicatorCard):
        left = _counted(session, card) if card.cards_remaining is None else card.cards_remaining
        if left is None:
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
            expected=f"the indicator card is about {least} to {most} cards from the bottom",
            observed=f"it was {left} cards from the bottom",
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
        unseen = card.weak or (_by_machine(session) and following[0].shoe != card.shoe)
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


@session_check(SHORTAGE, statute=True)
def short_shoe(session: Session) -> Iterator[Instance]:
    """When the shoe runs short the discards are shuffled and cut, a card is burned and the round goes on."""
    burns = shoe_burns(session)
    for shuffle in session.of(Shuffle):
        cards = after(session.of(CardDealt), shuffle.t_end)
        before = until(session.of(CardDealt), shuffle.t_start)
        if (
            shuffle.round is None
            or not cards
            or not before
            or not (cards[0].round == shuffle.round == before[-1].round)
        ):
            continue
        cut = [c for c in session.of(Cut) if shuffle.t_start <= c.t_start and c.t_end <= cards[0].t_end]
        ready = max([shuffle.t_start, *(c.t_start for c in cut[:1])])
        burned = any(ready <= b.t_start and b.t_end <= cards[0].t_end for b in burns)
        right = burned and (bool(cut) or session.from_pixels)
        yield at_round(
            judged(
                SHORTAGE,
                right,
                key=shuffle.id,
                at="shoe",
                events=[shuffle, cards[0]],
                expected="the discards are shuffled and cut and a card is burned before the round goes on",
                observed="the round went on " + ("without a card burned after the cut" if cut else "without a cut"),
            ),
            cards[0],
        )
