"""What a dealer's words announce: only what the words themselves tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct

from verifier.domain.money import MAX_CENTS

Topic = Literal[
    "upcard", "total", "push", "insurance_offer", "insurance_closed", "even_money", "buy_in", "colour_up", "limits"
]


class Announced(Struct, frozen=True, kw_only=True):
    """One thing that was announced. `sure` is False if the words may mean something else.

    `total` names the numbers of a total (`7 or 17`), `cents` an amount.
    """

    topic: Topic
    sure: bool = True
    total: str | None = None
    cents: int | None = None


_UNITS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SPELLED: Final = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{ten: 10 * number for number, ten in enumerate(_TENS, start=2)},
    **{f"{t} {u}": 10 * n + m for n, t in enumerate(_TENS, start=2) for m, u in enumerate(_UNITS[1:10], start=1)},
    "one hundred": 100, "a hundred": 100, "two hundred": 200,
}  # fmt: skip
_A_NUMBER: Final = r"(?<![\d$.:])(?:\d{1,3}|" + "|".join(sorted(_SPELLED, key=len, reverse=True)) + r")"
_NUMBER: Final = _A_NUMBER + r"(?![\d]|[.:]\d)(?!\w)"
_NUMBERS: Final = re.compile(rf"(?<!\w){_NUMBER}")
_RANK: Final = r"(?:aces?|kings?|queens?|jacks?|deuces?|10|[2-9]|two|three|four|five|six|seven|eight|nine|ten)"
_SHOWING: Final = (
    rf"(?:\b(?:shows?|showing|up ?card(?: is| 's)?|face ?up)\W+(?:with\W+)?(?:(?:an?|the)\W+)?{_RANK}\b"
    rf"|\b{_RANK}\W+(?:is\W+)?showing\b)"
)
_UPCARD: Final = re.compile(
    rf"{_SHOWING}|\b{_RANK}\W+(?:is\W+)?up\b"
    rf"|\b(?:dealer|house)(?: 's)?\b\W+(?:(?:has|have|with|got)\W+)?an?\W+{_RANK}\b"
)
_SURE_UPCARD: Final = re.compile(
    rf"{_SHOWING}(?!\s*\w)|^\W*(?:(?:the )?(?:dealer|house)(?: has| have| 's got| got)\W+an?\W+{_RANK}\b)\W*$"
)
_BARE_RANK: Final = re.compile(rf"\W*(?:dealer\W+)?(?:an?\W+)?{_RANK}\W*")
_PUSH: Final = re.compile(r"\bpush(?:es)?\b(?!\W+(?:your|the|it|that|them|those|these|forward|over|back|up)\b)")
_TIE: Final = re.compile(r"\b(?:tie|tied|ties|stand ?off)\b")
_OFFER: Final = re.compile(r"\?|\b(?:any|anyone|anybody|want|wants|like|care|offer|who)\b")
_CLOSED: Final = re.compile(r"\bclosed\b|\bno more insurance\b")
_CLOSING: Final = re.compile(r"\bclos(?:e|es|ing)\b|\bno more\b|\blast call\b")
_CLOSED_ALONE: Final = re.compile(r"\W*(?:(?:it|that)(?: is| 's)\W+)?(?:now\W+)?closed\W*")
"""A sentence beside one of insurance: `Insurance? Closed.`"""
_NEGATED: Final = re.compile(
    r"\b(?:no(?! more insurance\b)|not|never|nobody|none|neither|nor|without|until|till|before|unless|if|when|yet"
    r"|cannot|\w+n't)\b"
)
"""Words after which a sentence tells that something is not so, or not yet."""
_COLOUR: Final = re.compile(r"\bcolou?r(?:ing)?\W+(?:(?:you|him|her|these|those|this|that|it|them)\W+)?(?:up|in|out)\b")
_BUY_IN: Final = re.compile(r"\bchang(?:e|es|ing)\b|\bbuy(?:ing|s)?\W?in\b|\bcash(?:ing)?\W+in\b")
_LIMITS: Final = re.compile(r"\b(?:minimum|maximum|table limits?)\b")
_MONEY: Final = re.compile(rf"\$\s?(?P<sum>\d[\d,]*(?:\.\d\d)?)|(?<!\w)(?P<dollars>{_NUMBER})\W+(?:dollars?|bucks?)\b")
_OF_MONEY: Final = re.compile(r"\$|\b(?:dollars?|bucks?|cents?|cash|chips?|change|changing|buy|minimum|maximum)\b")
_OF_PLAYERS: Final = re.compile(r"\b(?:spaces?|seats?|spots?|players?|you|your|yours|first base|third base)\b")
_AFTER_TOTAL: Final = re.compile(r"\b(?:pay|pays|paying|beats?|wins?|loses?|takes?|collects?)\b")
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+")
LEAST_TOTAL, MOST_TOTAL = 4, 26
"""What two cards without an ace make at least; and what a hand that is over makes at most."""
_WHO_HAS: Final = r"(?:(?:the )?(?:dealer|house)(?: has| have|(?: 's)? got| 's)?|total(?: is| of)?)\W+"
_WHOLE_TOTAL: Final = re.compile(
    rf"\W*(?:{_WHO_HAS})?(?:an?\W+)?(?:(?:soft|hard)\W+)?{_NUMBER}(?:,? or (?:an? )?(?:(?:soft|hard) )?{_NUMBER})*"
    rf"(?:\W+(?:too many|bust|busts|busted))?(?:\W+pay(?:ing)?\W+{_A_NUMBER}s?)?[^\w?]*"
)
"""A line that is nothing but a total: what else a number may count, hours or decks, stands beside it."""


def announced(words: str) -> list[Announced]:
    """Return what the words of a line announce, in no more than the words tell; nothing where they announce nothing."""
    return list(_announced(_plain(words)))


def _plain(words: str) -> str:
    """Lower case, with plain apostrophes and without hyphens."""
    text = words.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("-", " ")
    return re.sub(r"'s\b", " 's", " ".join(text.split()))


def _announced(text: str) -> Iterator[Announced]:
    sentences = [one for one in _SENTENCE.split(text) if one.strip()]
    yield from _once(one for sentence in sentences for one in _of_sentence(sentence))
    if "insurance" in text:
        yield from _once(_insurance(sentences))
    if _COLOUR.search(text):
        yield Announced(topic="colour_up", cents=_amount(text))
    elif _BUY_IN.search(text) and (cents := _amount(text)) is not None:
        yield Announced(topic="buy_in", cents=cents)
    if _LIMITS.search(text):
        yield Announced(topic="limits")
    if "?" not in text and (upcard := _upcard(text)) is not None:
        yield upcard
    total = _total(_UPCARD.sub(" ", text))
    if total is not None:
        yield Announced(topic="total", total=total, sure=bool(_WHOLE_TOTAL.fullmatch(text)))


def _once(told: Iterable[Announced]) -> Iterator[Announced]:
    """Each topic once, the sure telling before an unsure one."""
    found: dict[str, Announced] = {}
    for one in told:
        if one.topic not in found or one.sure:
            found[one.topic] = one
    yield from found.values()


def _of_sentence(text: str) -> Iterator[Announced]:
    """Even money and pushes: what is denied is not announced, what is asked may be meant otherwise."""
    if _NEGATED.search(text):
        return
    sure = "?" not in text
    if "even money" in text:
        yield Announced(topic="even_money", sure=sure)
    if _PUSH.search(text):
        yield Announced(topic="push", sure=sure)
    elif _TIE.search(text):
        yield Announced(topic="push", sure=False)


def _insurance(sentences: Sequence[str]) -> Iterator[Announced]:
    """Yield what the sentences of a line tell of insurance: it may be offered in one and closed in another."""
    for text in sentences:
        named, negated, asked = "insurance" in text, bool(_NEGATED.search(text)), "?" in text
        closing = bool(_CLOSING.search(text))
        if (_CLOSED.search(text) if named else _CLOSED_ALONE.fullmatch(text)) is not None:
            if not negated and not asked:
                yield Announced(topic="insurance_closed")
        elif named and closing and not asked:
            yield Announced(topic="insurance_closed", sure=False)
        if named and not _CLOSED.search(text) and _OFFER.search(text):
            yield Announced(topic="insurance_offer", sure=not negated and not closing)
        elif named and ("last call" in text or re.fullmatch(r"\W*insurance\W*", text)):
            yield Announced(topic="insurance_offer", sure=False)


def _upcard(text: str) -> Announced | None:
    """Return the upcard. It is sure only where no other word follows the card, and nothing is denied or said of a
    player.
    """
    if _UPCARD.search(text):
        clear = _SURE_UPCARD.search(text) and not _NEGATED.search(text) and not _OF_PLAYERS.search(text)
        return Announced(topic="upcard", sure=bool(clear))
    return Announced(topic="upcard", sure=False) if _BARE_RANK.fullmatch(text) else None


def _total(text: str) -> str | None:
    """Return the numbers of a total; None if the words are about money, or about a player's hand."""
    if _OF_MONEY.search(text) or _OF_PLAYERS.search(text):
        return None
    before = _AFTER_TOTAL.split(text)[0]
    found = [_value(number[0]) for number in _NUMBERS.finditer(before)]
    named = [number for number in dict.fromkeys(found) if LEAST_TOTAL <= number <= MOST_TOTAL]
    return " or ".join(map(str, named)) or None


def _value(number: str) -> int:
    return int(number) if number.isdigit() else _SPELLED[number]


def _amount(text: str) -> int | None:
    """Return the amount of money that is named, in cents; None if there is none, more than one, or an absurd one."""
    found = {_cents(one) for one in _MONEY.finditer(text)}
    return found.pop() if len(found) == 1 else None


def _cents(found: re.Match[str]) -> int | None:
    if not found["sum"]:
        return _value(found["dollars"]) * 100
    dollars, _, rest = found["sum"].replace(",", "").partition(".")
    if len(dollars) > len(str(MAX_CENTS)):  # before it is made a number, which may not have any length
        return None
    cents = int(dollars) * 100 + int(rest or 0)
    return cents if cents <= MAX_CENTS else None
