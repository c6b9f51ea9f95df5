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
    CardsInspected,
    Cut,
    Event,
    IndicatorCard,
    PlayerPresence,
    Shuffle,
    TableState,
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
ONLY_WHEN = "ND-08-08.2-reshuffle-only-when"
SHORTAGE = "ND-08-12.9-shoe-shortage"
FEWEST_CUT, LEAST_LEFT, MOST_LEFT, ABOUT = 10, 50, 100, 10
CARDS_IN_DECK, MOST_DECKS = 52, 8


def _whole(session: Session) -> list[Shuffle]:
    """Shuffles of all cards, which begin a shoe."""
    return [e for e in session.of(Shuffle) if e.scope != "discards"]


E = TypeVar("E", bound=Event)


def after(events: Sequence[E], t: float) -> Sequence[E]:
    """Events that end after `t`, in order."""
    return events[bisect_right(events, t, key=lambda e: e.t_end) :]


def _until(events: Sequence[E], t: float) -> Sequence[E]:
    """Events that end by `t`, in order."""
    return events[: bisect_right(events, t, key=lambda e: e.t_end)]


def shoe_burns(session: Session) -> list[CardBurned]:
    """Burned cards that came from the shoe, not from a hand."""
    from_hands = {burn.id for game in session.rounds for _, _, burn in game.folded.burned}
    return [e for e in session.of(CardBurned) if e.id not in from_hands]


def at_round(instance: Instance, event: Event) -> Instance:
    """The instance as of the round of a record."""
    return msgspec.structs.replace(instance, round=event.round)


@session_check(SHUFFLED)
def shuffled_before_shoe(session: Session) -> Iterator[Instance]:
    """Each shoe after the first seen begins with a shuffle."""
    cards = [e for e in session.of(CardDealt) if e.shoe is not None]
    for before, after in itertools.pairwise(cards):
        if before.shoe == after.shoe:
            continue
        between = [s for s in session.of(Shuffle) if before.t_end <= s.t_end <= after.t_end]
        yield at_round(judged(
            SHUFFLED, bool(between), key=after.id, at="shoe", events=[before, after],
            expected="all cards are shuffled before a new shoe is dealt",
            observed=f"shoe {after.shoe} was dealt without a shuffle", also=_indicated(session, before, after),
        ), after)  # fmt: skip


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
            CUT, None if unseen else bool(cuts), key=shuffle.id, at="shoe", events=[shuffle],
            expected="the stack is offered for a cut after the shuffle",
            observed=f"no cut {was} between the shuffle and the first card", also=[DECLINED],
        )  # fmt: skip
    most = (session.house.deck_count or MOST_DECKS) * CARDS_IN_DECK - FEWEST_CUT
    for cut in session.of(Cut):
        if cut.depth_cards is not None:
            yield judged(
                TEN, FEWEST_CUT <= cut.depth_cards <= most, key=cut.id, at="shoe", events=[cut],
                expected="the cutting card goes in ten or more cards from either end",
                observed=f"it went in {cut.depth_cards} cards deep",
            )  # fmt: skip


@session_check(INDICATOR)
def indicator_depth(session: Session) -> Iterator[Instance]:
    """The indicator card is about 50 to 100 cards from the bottom."""
    for card in session.of(IndicatorCard):
        if card.cards_remaining is not None:
            yield judged(
                INDICATOR, LEAST_LEFT - ABOUT <= card.cards_remaining <= MOST_LEFT + ABOUT, key=card.id, at="shoe",
                events=[card], expected="the indicator card is about 50 to 100 cards from the bottom",
                observed=f"it was {card.cards_remaining} cards from the bottom",
            )  # fmt: skip


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
        yield at_round(judged(
            ON_INDICATOR, shuffled or (None if card.weak else False), key=card.id, at="shoe",
            events=[card, following[0]],
            expected="the cards are reshuffled after the round in which the indicator card appears",
            observed="a new round was dealt from the same shoe",
        ), following[0])  # fmt: skip


@session_check(SHORTAGE, statute=True)
def short_shoe(session: Session) -> Iterator[Instance]:
    """When the shoe runs short the discards are shuffled and cut, a card is burned and the round goes on."""
    burns = shoe_burns(session)
    for shuffle in session.of(Shuffle):
        cards = after(session.of(CardDealt), shuffle.t_end)
        before = _until(session.of(CardDealt), shuffle.t_start)
        if (
            shuffle.round is None
            or not cards
            or not before
            or not (cards[0].round == shuffle.round == before[-1].round)
        ):
            continue
        cut = any(shuffle.t_start <= c.t_start and c.t_end <= cards[0].t_end for c in session.of(Cut))
        burned = any(shuffle.t_start <= b.t_start and b.t_end <= cards[0].t_end for b in burns)
        yield at_round(judged(
            SHORTAGE, burned and (cut or session.from_pixels), key=shuffle.id, at="shoe", events=[shuffle, cards[0]],
            expected="the discards are shuffled and cut and a card is burned before the round goes on",
            observed="the round went on " + ("without a burned card" if cut else "without a cut"),
        ), cards[0])  # fmt: skip


@session_check(ONLY_WHEN)
def shuffle_grounds(session: Session) -> Iterator[Instance]:
    """Cards are reshuffled only on a lawful ground."""
    shuffles = list(session.of(Shuffle))
    for before, shuffle in zip([None, *shuffles], shuffles, strict=False):
        cards = _until(after(session.of(CardDealt), before.t_end if before else float("-inf")), shuffle.t_start)
        if not cards:
            continue
        ground = _ground(session, before, shuffle, cards)
        passed = ground if ground or before is not None else None
        yield judged(
            ONLY_WHEN, passed, key=shuffle.id, at="shoe", events=[shuffle],
            expected="cards are reshuffled when the indicator appears, after inactivity, on reopening, or when short",
            observed="the cards were reshuffled without any of these grounds",
        )  # fmt: skip


def _ground(session: Session, before: Shuffle | None, shuffle: Shuffle, cards: Sequence[CardDealt]) -> bool | None:
    """Whether there was a ground; None where only a weak record tells of one."""
    since = before.t_end if before else float("-inf")

    def between(events: Sequence[Event]) -> list[Event]:
        return [e for e in events if since <= e.t_start <= shuffle.t_end]

    shown = [e for e in between(session.of(IndicatorCard)) if getattr(e, "action", "") == "appeared"]
    if any(not e.weak for e in shown):
        return True
    if shuffle.scope == "discards" or between(session.of(CardsInspected)):
        return True
    recent = cards[-1].t_end
    if any(e.t_start >= recent for e in between(session.of(TableState))):
        return True
    if any(getattr(e, "phase", "") == "leave" or e.t_start >= recent for e in between(session.of(PlayerPresence))):
        return True
    minutes = session.house.inactivity_reshuffle
    last = _until(session.events, shuffle.t_start)[-1].t_end
    if minutes is not None and shuffle.t_start - last >= minutes * 60:
        return True
    return None if shown else False
