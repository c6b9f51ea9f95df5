"""The totals and the pushes that the dealer says, where a transcript is given (99-01.3-08-11(10), (13))."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from verifier.domain.events import Announcement, AnyEvent
from verifier.engine.totals import possible_totals
from verifier.law import say
from verifier.law.entries import plain
from verifier.law.hands import Dealer
from verifier.law.instances import Instance, judged
from verifier.law.money import outcomes
from verifier.law.nd_twenty_one.shared.speech import said
from verifier.law.registry import round_check
from verifier.law.rounds import Round

TWO_CARDS = "ND-08-11.10-announce-two-card"
EACH = "ND-08-11.10.f-announce"
FINAL = "ND-08-11.10.g-announce-final"
PUSH = "ND-08-11.13-announce-push"
_WORDS: Final = (
    "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "twenty one", "twenty two",
    "twenty three", "twenty four", "twenty five", "twenty six",
)  # fmt: skip
"""Totals in words, from four on ("one card" is no total): more than 26 no hand has."""
_SPELLED: Final = re.compile(r"\b(" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")\b")
_LAST: Final = "inf"


def _total(event: Announcement) -> set[int]:
    """Return the numbers that an announcement names: a total, or for a soft hand both of its values."""
    if isinstance(event.total, int) and not isinstance(event.total, bool):
        return {event.total}
    text = str(event.total or event.text or "").lower().replace("-", " ")
    spelled = {_WORDS.index(word) + 4 for word in _SPELLED.findall(text)}
    return spelled | {int(number) for number in re.findall(r"\d+", text)}


def _totals_at(dealer: Dealer, count: int) -> set[int]:
    """Totals, both values of a soft one, that the dealer's first cards may have."""
    found: set[int] = set()
    for total in possible_totals([card.ranks for card in dealer.cards[:count]]):
        found |= {total.best, total.best - 10} if total.soft else {total.best}
    return found


@round_check(TWO_CARDS, EACH, FINAL, audio=True)
def totals_announced(game: Round) -> Iterator[Instance]:
    """Check that the dealer announces the total of two cards, after each card drawn, and the final total."""
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
        yield from _heard(game, clause, heard, index + 2, spoken)
        if index + 2 == len(cards):
            yield from _heard(game, FINAL, heard, len(cards), spoken)


def _natural_announced(game: Round) -> Iterator[Instance]:
    """Check that a natural is announced: it is the total of two cards too. Where no number was heard, the words used
    are left open.
    """
    since = [e for e in game.of(Announcement) if game.turn_t is not None and e.t_end >= game.turn_t]
    totals = [e for e in since if plain(e.topic) == "total"]
    if game.reader or (since and not totals):
        return
    yield from _heard(game, TWO_CARDS, totals, 2, said(game, "total"))


def _right(game: Round, heard: list[Announcement], count: int, spoken: list[Announcement]) -> bool | None:
    """Tell whether one of the totals heard at a step is right for its `count` cards; `spoken` are those of the round.

    None where the clock of the transcript may be off: a total heard here is right for another step of the hand, or the
    right one was said at another. None, too, where a wrong number stands beside words whose number is not known.
    """
    possible = _totals_at(game.dealer, count)
    told = [_total(event) for event in heard]
    numbers = set().union(*told)
    if heard and not numbers:
        return None  # a total was said, and which one was not understood
    if numbers & possible:
        return True
    elsewhere = [_total(event) for event in spoken if event not in heard]
    if any(not named or named & possible for named in elsewhere):
        return None
    others = set().union(*(_totals_at(game.dealer, n) for n in range(2, len(game.dealer.cards) + 1)))
    return None if numbers & others or not all(told) else False


def _heard(
    game: Round, clause: str, heard: list[Announcement], count: int, spoken: list[Announcement]
) -> Iterator[Instance]:
    possible = _totals_at(game.dealer, count)
    numbers = set().union(*(_total(event) for event in heard)) if heard else set()
    last: list[AnyEvent] = [game.dealer.cards[count - 1].dealt, *heard]
    shown = say.listed(" or ", sorted(possible))
    yield judged(
        clause,
        _right(game, heard, count, spoken),
        at="dealer",
        key=str(count),
        events=last,
        expected=say.that("the dealer announces {shown}", shown=shown),
        observed="the dealer announced " + (say.listed(" and ", sorted(numbers)) if heard else "no total"),
        incident=f"announced {count}",
    )


@round_check(PUSH, audio=True)
def push_announced(game: Round) -> Iterator[Instance]:
    """Check that the dealer announces a push."""
    ties = [h for h in game.playing if outcomes(game, h) in ({"push"}, {"natural_push"})] if game.closed else []
    spoken = said(game, "push")
    right = bool(spoken) and (len(spoken) >= len(ties) or None)  # one announcement may be of several ties
    for hand in ties:
        yield judged(
            PUSH,
            right,
            at=hand.place,
            events=[c.dealt for c in hand.cards],
            expected=say.that("the dealer announces that {hand} is a push", hand=say.place(hand.place)),
            observed=say.that("{spoken} push was announced", spoken=len(spoken) or "no"),
        )
