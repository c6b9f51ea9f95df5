"""What the dealer must say, where a transcript is given (99-01.3-08-09(2), 11(1), (10), (13), (19))."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from verifier.domain.events import Announcement, AnyEvent, ChipsPushed
from verifier.engine.totals import possible_totals
from verifier.law.entries import plain
from verifier.law.hands import Dealer, Hand
from verifier.law.instances import Instance, judged
from verifier.law.money import even_money, outcomes
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session

UPCARD = "ND-08-11.1-announce-upcard"
TWO_CARDS = "ND-08-11.10-announce-two-card"
EACH = "ND-08-11.10.f-announce"
FINAL = "ND-08-11.10.g-announce-final"
PUSH = "ND-08-11.13-announce-push"
OFFERED = "ND-08-09.2.b-ask-insurance"
CLOSED = "ND-08-09.2.b-insurance-closed"
EVEN = "ND-08-09.2.b-even-money-announce"
COLOUR_UP = "ND-08-11.19-colour-up-announce"
COLOUR_UP_ASK = "ND-08-11.19-colour-up-ask"
_NAMES: Final = {
    "ace": "A", "two": "2", "deuce": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "T", "jack": "J", "queen": "Q", "king": "K", "10": "T",
    **{str(pips): str(pips) for pips in range(2, 10)},
}  # fmt: skip
_WORDS: Final = (
    "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "twenty one", "twenty two",
    "twenty three", "twenty four", "twenty five", "twenty six",
)  # fmt: skip
"""Totals in words, from four on ("one card" is no total): more than 26 no hand has."""
_SPELLED: Final = re.compile(r"\b(" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")\b")
_LAST: Final = "inf"


def said(game: Round, *topics: str) -> list[Announcement]:
    """What was said of these topics in the round."""
    return [event for event in game.of(Announcement) if plain(event.topic) in topics]


def _total(event: Announcement) -> set[int]:
    """The numbers that an announcement names: a total, or for a soft hand both of its values."""
    if isinstance(event.total, int) and not isinstance(event.total, bool):
        return {event.total}
    text = str(event.total or event.text or "").lower().replace("-", " ")
    spelled = {_WORDS.index(word) + 4 for word in _SPELLED.findall(text)}
    return spelled | {int(number) for number in re.findall(r"\d+", text)}


@round_check(UPCARD, audio=True)
def upcard_announced(game: Round) -> Iterator[Instance]:
    """The dealer announces the faceup card once."""
    up, act = game.dealer.up, _first_act(game)
    if up is None or (act is None and not game.closed):
        return
    spoken = said(game, "upcard")
    yield judged(
        UPCARD,
        bool(spoken),
        at="dealer",
        events=[up.dealt, *spoken],
        expected="the dealer announces the faceup card to all players",
        observed="nothing was announced",
    )
    named = {
        _NAMES[word] for e in spoken for word in re.findall(r"[a-z]+|\d+", (e.text or "").lower()) if word in _NAMES
    }
    if len(named) == 1:
        (rank,) = named
        tens = set("TJQK")
        yield judged(
            UPCARD,
            rank in up.ranks or (rank == "T" and bool(tens & up.ranks)),
            at="dealer",
            key="named",
            events=[up.dealt, *spoken],
            expected=f"the faceup card, {up.text}, is announced",
            observed=f"the dealer said: {spoken[0].text}",
        )


def _first_act(game: Round) -> float | None:
    return game.turn_t


def _totals_at(dealer: Dealer, count: int) -> set[int]:
    """Totals, both values of a soft one, that the dealer's first cards may have."""
    found: set[int] = set()
    for total in possible_totals([card.ranks for card in dealer.cards[:count]]):
        found |= {total.best, total.best - 10} if total.soft else {total.best}
    return found


@round_check(TWO_CARDS, EACH, FINAL, audio=True)
def totals_announced(game: Round) -> Iterator[Instance]:
    """The dealer announces the total of two cards, after each card drawn, and the final total."""
    cards = game.dealer.cards
    if game.turn_t is None or len(cards) < 2 or not game.closed or game.dealer.natural is None:
        return
    if game.dealer.natural:
        yield from _natural_announced(game)
        return
    spoken = sorted(said(game, "total"), key=lambda e: e.t_start)
    own = [e for e in spoken if e.t_end >= game.turn_t]
    marks = [game.turn_t, *(card.dealt.t_start for card in cards[2:]), float(_LAST)]
    for index, (start, end) in enumerate(pairwise(marks)):
        clause = TWO_CARDS if index == 0 else EACH
        heard = [e for e in own if start <= e.t_end and e.t_start < end]
        yield from _heard(game, clause, heard, index + 2)
        if index + 2 == len(cards):
            yield from _heard(game, FINAL, heard, len(cards))


def _natural_announced(game: Round) -> Iterator[Instance]:
    """A natural is the total of two cards too; in which words it was told is open where no number was heard."""
    since = [e for e in game.of(Announcement) if game.turn_t is not None and e.t_end >= game.turn_t]
    totals = [e for e in since if plain(e.topic) == "total"]
    if game.reader or (since and not totals):
        return
    yield from _heard(game, TWO_CARDS, totals, 2)


def _heard(game: Round, clause: str, heard: list[Announcement], count: int) -> Iterator[Instance]:
    possible = _totals_at(game.dealer, count)
    numbers = set().union(*(_total(event) for event in heard)) if heard else set()
    last: list[AnyEvent] = [game.dealer.cards[count - 1].dealt, *heard]
    shown = " or ".join(map(str, sorted(possible)))
    right = bool(heard) and (not numbers or bool(numbers & possible))
    yield judged(
        clause,
        right,
        at="dealer",
        key=str(count),
        events=last,
        expected=f"the dealer announces {shown}",
        observed="the dealer announced " + (" and ".join(map(str, sorted(numbers))) if heard else "no total"),
        incident=f"announced {count}",
    )


@round_check(PUSH, audio=True)
def push_announced(game: Round) -> Iterator[Instance]:
    """The dealer announces a push."""
    ties = [h for h in game.playing if outcomes(game, h) in ({"push"}, {"natural_push"})] if game.closed else []
    spoken = said(game, "push")
    right = bool(spoken) and (len(spoken) >= len(ties) or None)  # one announcement may be of several ties
    for hand in ties:
        yield judged(
            PUSH,
            right,
            at=hand.place,
            events=[c.dealt for c in hand.cards],
            expected=f"the dealer announces that {hand.place} is a push",
            observed=f"{len(spoken) or 'no'} push was announced",
        )


@round_check(OFFERED, CLOSED, needs={"insurance_allowed": True}, audio=True)
def insurance_announced(game: Round) -> Iterator[Instance]:
    """Against an ace the dealer asks about insurance and announces when the bets are closed."""
    if game.dealer.up_ace is not True or not game.playing:
        return
    if not game.closed and game.turn_t is None:
        return
    for clause, topic, words in (
        (OFFERED, "insurance_offer", "the dealer asks the players about insurance"),
        (CLOSED, "insurance_closed", "the dealer announces that insurance bets are closed"),
    ):
        yield judged(
            clause,
            bool(said(game, topic)),
            at="dealer",
            events=[game.dealer.up.dealt if game.dealer.up else None],
            expected=words,
            observed="nothing was said of it",
        )


@round_check(EVEN, audio=True)
def even_money_announced(game: Round) -> Iterator[Instance]:
    """The dealer states `even money` where it is taken."""
    for hand in game.playing:
        if even_money(game, hand):
            yield judged(
                EVEN,
                bool(said(game, "even_money")),
                at=hand.place,
                events=_cards(hand),
                expected="the dealer states 'even money'",
                observed="it was not said",
            )


def _cards(hand: Hand) -> list[AnyEvent]:
    return [card.dealt for card in hand.cards]


@session_check(COLOUR_UP, COLOUR_UP_ASK, audio=True)
def colour_up_announced(session: Session) -> Iterator[Instance]:
    """Before chips are coloured up the player is asked, and their value is announced."""
    spoken = [e for e in session.of(Announcement) if plain(e.topic) in ("colour_up", "color_up")]
    for event in session.of(ChipsPushed):
        if not event.reason or plain(event.reason) not in ("colour_up", "color_up"):
            continue
        near = [e for e in spoken if event.t_start - 60 <= e.t_start <= event.t_end]
        amounts = [e.cents for e in near if e.cents is not None]
        yield judged(
            COLOUR_UP,
            bool(near) and (not amounts or event.cents is None or event.cents in amounts),
            at=event.at,
            key=event.id,
            events=[event, *near],
            expected="the dealer announces the value of the chips exchanged",
            observed="another value was announced" if near else "nothing was announced",
        )
        asked = any("?" in (e.text or "") or "may i" in (e.text or "").lower() for e in near)
        yield judged(
            COLOUR_UP_ASK,
            True if asked else None,
            at=event.at,
            key=event.id,
            events=[event, *near],
            expected="the player is asked first and agrees",
            observed="no question was heard",
        )
