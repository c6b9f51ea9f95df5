"""What a dealer's words announce: only what the words themselves tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

Topic = Literal[
    "upcard", "total", "push", "insurance_offer", "insurance_closed", "even_money", "buy_in", "colour_up", "limits"
]


class Announced(Struct, frozen=True, kw_only=True):
    """One thing that was announced. `sure` is False where the words may mean something else.

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
_NUMBER: Final = (
    r"(?<![\d$.:])(?:\d{1,3}|" + "|".join(sorted(_SPELLED, key=len, reverse=True)) + r")(?![\d]|[.:]\d)(?!\w)"
)
_NUMBERS: Final = re.compile(rf"(?<!\w){_NUMBER}")
_RANK: Final = r"(?:aces?|kings?|queens?|jacks?|deuces?|10|[2-9]|two|three|four|five|six|seven|eight|nine|ten)"
_UPCARD: Final = re.compile(
    rf"\b(?:shows?|showing|up ?card(?: is| 's)?|face ?up)\W+(?:with\W+)?(?:(?:an?|the)\W+)?{_RANK}\b"
    rf"|\b{_RANK}\W+(?:is\W+)?(?:showing|up)\b"
    rf"|\b(?:dealer|house)(?: 's)?\b\W+(?:has|have|with|got)?\W*\ban?\W+{_RANK}\b"
)
_BARE_RANK: Final = re.compile(rf"\W*(?:dealer\W+)?(?:an?\W+)?{_RANK}\W*")
_PUSH: Final = re.compile(r"\bpush(?:es)?\b(?!\W+(?:your|the|it|that|them|those|these|forward|over|back|up)\b)")
_TIE: Final = re.compile(r"\b(?:tie|tied|ties|stand ?off)\b")
_OFFER: Final = re.compile(r"\?|\b(?:any|anyone|anybody|want|wants|like|care|offer|who)\b")
_COLOUR: Final = re.compile(r"\bcolou?r(?:ing)?\W+(?:(?:you|him|her|these|those|this|that|it|them)\W+)?(?:up|in|out)\b")
_BUY_IN: Final = re.compile(r"\bchang(?:e|es|ing)\b|\bbuy(?:ing|s)?\W?in\b|\bcash(?:ing)?\W+in\b")
_LIMITS: Final = re.compile(r"\b(?:minimum|maximum|table limits?)\b")
_MONEY: Final = re.compile(rf"\$\s?(?P<sum>\d[\d,]*(?:\.\d\d)?)|(?<!\w)(?P<dollars>{_NUMBER})\W+(?:dollars?|bucks?)\b")
_OF_MONEY: Final = re.compile(r"\$|\b(?:dollars?|bucks?|cents?|cash|chips?|change|changing|buy|minimum|maximum)\b")
_OF_PLAYERS: Final = re.compile(r"\b(?:spaces?|seats?|spots?|players?|you|your|yours|first base|third base)\b")
_AFTER_TOTAL: Final = re.compile(r"\b(?:pay|pays|paying|beats?|wins?|loses?|takes?|collects?)\b")
LEAST_TOTAL, MOST_TOTAL = 4, 26
"""What two cards without an ace make at least; and what a hand that is over makes at most."""


def announced(words: str) -> list[Announced]:
    """What the words of a line announce, in no more than the words tell; nothing where they announce nothing."""
    return list(_announced(_plain(words)))


def _plain(words: str) -> str:
    """Lower case, with plain apostrophes and without hyphens."""
    text = words.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("-", " ")
    return re.sub(r"'s\b", " 's", " ".join(text.split()))


def _announced(text: str) -> Iterator[Announced]:
    if "even money" in text:
        yield Announced(topic="even_money")
    if "insurance" in text:
        yield from _insurance(text)
    if _PUSH.search(text):
        yield Announced(topic="push")
    elif _TIE.search(text):
        yield Announced(topic="push", sure=False)
    if _COLOUR.search(text):
        yield Announced(topic="colour_up", cents=_amount(text))
    elif _BUY_IN.search(text) and (cents := _amount(text)) is not None:
        yield Announced(topic="buy_in", cents=cents)
    if _LIMITS.search(text):
        yield Announced(topic="limits")
    if _UPCARD.search(text):
        yield Announced(topic="upcard")
    elif _BARE_RANK.fullmatch(text):
        yield Announced(topic="upcard", sure=False)
    total = _total(_UPCARD.sub(" ", text))
    if total is not None:
        yield Announced(topic="total", total=total)


def _insurance(text: str) -> Iterator[Announced]:
    if "clos" in text or re.search(r"\bno more\b", text):
        yield Announced(topic="insurance_closed")
    elif _OFFER.search(text):
        yield Announced(topic="insurance_offer")
    elif re.fullmatch(r"\W*insurance\W*", text):
        yield Announced(topic="insurance_offer", sure=False)


def _total(text: str) -> str | None:
    """The numbers of a total; None where the words are about money, or about a player's hand."""
    if _OF_MONEY.search(text) or _OF_PLAYERS.search(text):
        return None
    before = _AFTER_TOTAL.split(text)[0]
    found = [_value(number[0]) for number in _NUMBERS.finditer(before)]
    named = [number for number in dict.fromkeys(found) if LEAST_TOTAL <= number <= MOST_TOTAL]
    return " or ".join(map(str, named)) or None


def _value(number: str) -> int:
    return int(number) if number.isdigit() else _SPELLED[number]


def _amount(text: str) -> int | None:
    """The amount of money that is named, in cents; None where there is none, or more than one."""
    found = {_cents(one) for one in _MONEY.finditer(text)}
    return found.pop() if len(found) == 1 else None


def _cents(found: re.Match[str]) -> int:
    if found["sum"]:
        return round(float(found["sum"].replace(",", "")) * 100)
    return _value(found["dollars"]) * 100
