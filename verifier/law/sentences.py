"""The one place that makes sentences of facts (docs/law.md): plain English for a person who does not know the program.

No other module reads a sentence to decide something: what it needs to know is a fact of the finding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import Formatter
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.facts import (
    AnyFact,
    CardsFact,
    DayFact,
    Fact,
    Facts,
    FigureFact,
    MomentFact,
    MoneyFact,
    NumberFact,
    PlaceFact,
    Remark,
    ShareFact,
    WordsFact,
)
from verifier.domain.findings import Finding
from verifier.domain.money import dollars
from verifier.engine.totals import LIMIT
from verifier.law.amounts import Amount
from verifier.law.say import Form, Mark, Said

REMARKS: Final[Mapping[Remark, str]] = {
    "seen_too_weakly": "a record that matters here was seen too weakly",
    "not_seen_surely": "a record that it rests on was not seen surely",
    "narrow": "measured from above, it may be off by as much",
    "begins_amid_round": "the recording of this round begins after its first card",
    "stopped_in_round": "the recording stopped in this round, or the table was hidden",
    "stopped_then": "the recording stopped there, or the table was hidden",
    "ends_amid_round": "the log ends in this round, and it may still have followed",
    "card_missing": "the numbers of the dealt cards tell of one that is not in the log",
    "perhaps_unheard": "a transcript may lack what was said",
    "picture_turned": "left and right cannot be told in a picture that is turned",
    "surveillance_unknown": "whether the table is under video surveillance is not configured",
    "covers_unread": "the covers beside the wagers were not told apart from stakes and payoffs",
    "sum_not_told": "so nobody can tell whether the sum was right",
    "fan_not_told": "nobody can tell whether a stack was left unfanned",
}
"""Remarks in words."""
BRIEF_MOST: Final = 90
"""Characters of a short sentence, which stands in two lines of a list; our own choice."""
MOST_WRITTEN: Final = 2**53
"""Whole numbers up to this are the same in every reader of JSON."""
PAPERS_NAMED: Final = 3
"""Records that a finding names; a quarter's sum may rest on ninety."""


class Sentence(Struct, frozen=True):
    """A sentence with the facts in it; `brief` leaves out what it rests on, where it is long.

    `form` has the parts of the facts in their places, and no remarks.
    """

    text: str
    brief: str
    facts: list[AnyFact]
    form: str


def sentence(said: Said | str, remarks: Sequence[Remark] = ()) -> Sentence:
    """Return the sentence of what a check says, with remarks after it; it begins with a small letter."""
    flat = [*flattened(said)]
    form = "".join(f"{{{one.role}}}" if isinstance(one, Fact) else worded(one) for one in flat)
    for remark in dict.fromkeys(remarks):
        flat += [Mark.THEN] if flat else []
        flat.append(REMARKS[remark])
    return Sentence(
        "".join(map(worded, flat)),
        _brief(flat),
        [_writable(one) for one in flat if isinstance(one, Fact)],
        form,
    )


def _writable(fact: AnyFact) -> AnyFact:
    """Return the fact, or its words where JSON holds no number as great as one of its own (a record may tell any)."""
    numbers = [value for value in msgspec.structs.astuple(fact) if isinstance(value, int | float)]
    fits = all(math.isfinite(value) and abs(value) <= MOST_WRITTEN for value in numbers)
    return fact if fits else WordsFact(role=fact.role, text=worded(fact))


def flattened(said: Said | str) -> Iterator[str | AnyFact | Mark]:
    """Text, facts and marks one after another, nested ones in their places."""
    if isinstance(said, str):
        if said:
            yield said
        return
    for node in said.nodes:
        if isinstance(node, Form):
            for text, name, _, _ in Formatter().parse(node.template):
                if text:
                    yield text
                if name is not None:
                    yield from _part(name, node.parts[name])
        else:
            yield node


def _part(role: str, part: object) -> Iterator[str | AnyFact | Mark]:
    """Yield what stands in a place: a fact with its role, or the facts of what a check says."""
    if isinstance(part, Said):
        for one in flattened(part):
            yield msgspec.structs.replace(one, role=role) if isinstance(one, Fact) and not one.role else one
    elif isinstance(part, Fact):
        yield msgspec.structs.replace(part, role=role)  # type: ignore[misc]
    elif isinstance(part, Amount):
        yield MoneyFact(role=role, low=part.low, high=part.high)
    elif isinstance(part, int | float) and not isinstance(part, bool):
        yield NumberFact(role=role, value=part)
    elif part is None or part != "":
        yield WordsFact(role=role, text=str(part))


def _brief(flat: Sequence[str | AnyFact | Mark]) -> str:
    """Return the sentence in short: where it is longer than two lines, without what it rests on or what stands
    beside it.
    """
    kept = list(flat)
    for mark in (Mark.DETAIL, Mark.THEN):
        head = kept[: kept.index(mark)] if mark in kept else kept
        only_dealer = len(head) == 1 and isinstance(head[0], CardsFact)
        if len("".join(map(worded, kept))) > BRIEF_MOST and not only_dealer:
            kept = head
    begins, *rest = kept or [""]
    first = _dealer_had(begins) if isinstance(begins, CardsFact) and begins.of_dealer else worded(begins)
    return first + "".join(map(worded, rest))


def worded(one: str | Fact | Mark) -> str:
    """Text, a fact or a mark in words."""
    match one:
        case str():
            return one
        case Mark():
            return one.value
        case PlaceFact():
            return place_words(one.at)
        case CardsFact():
            return ("dealer " if one.of_dealer else "") + cards_words(one)
        case MoneyFact():
            return money_words(one)
        case MomentFact():
            return f"{one.t:.1f}"
        case NumberFact():
            return _number(one.value)
        case ShareFact():
            return f"{one.value:.{one.digits}%}"
        case FigureFact():
            return _dollars(round(one.value)) if one.money else _number(one.value)
        case DayFact():
            return one.day or "an unknown day"
        case WordsFact():
            return one.text
        case _:
            raise TypeError(f"no words for {one!r}")


def place_words(at: str) -> str:
    """`space:3/1` as `space 3 (split hand 1)`, `seat:2` as `seat 2`; other places as they are."""
    kind, _, rest = at.partition(":")
    number, _, hand = rest.partition("/")
    if kind not in ("space", "seat") or not number:
        return at
    return f"{kind} {number}" + (f" (split hand {hand})" if hand else "")


def cards_words(fact: CardsFact) -> str:
    """`10-6-5 = 21`, `A-? = 12 to 21`, `no cards`."""
    names = "-".join(fact.cards) or "no cards"
    if fact.low is None:
        return names
    return f"{names} = {_total(fact)}" + (" (over 21)" if fact.low > LIMIT else "")


def _total(fact: CardsFact) -> str:
    assert fact.low is not None
    return str(fact.low) if fact.high in (None, fact.low) else f"{fact.low} to {fact.high}"


def _dealer_had(fact: CardsFact) -> str:
    """Return `the dealer had 21 (10-6-5)`: what the others played against comes first."""
    if fact.low is None:
        return "dealer " + cards_words(fact)
    return f"the dealer had {_total(fact)} ({'-'.join(fact.cards)})" + (", over 21" if fact.low > LIMIT else "")


def money_words(fact: MoneyFact) -> str:
    """`$5.00`, `$5.00 to $10.00`, `$5.00 or more`, `an amount not seen`."""
    if fact.high == fact.low:
        return _dollars(fact.low)
    if fact.high is None:
        return f"{_dollars(fact.low)} or more" if fact.low else "an amount not seen"
    return f"{_dollars(fact.low)} to {_dollars(fact.high)}"


def _dollars(cents: int) -> str:
    return f"{'-' * (cents < 0)}${dollars(abs(cents))}"


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:g}"


def facts_of(expected: Sentence, observed: Sentence, remarks: Iterable[Remark]) -> Facts:
    """Return the facts of both sentences, and why the matter is open."""
    return Facts(
        said=[expected.form, observed.form],
        expected=expected.facts,
        observed=observed.facts,
        remarks=[*dict.fromkeys(remarks)],
    )


def with_papers(finding: Finding, names: Sequence[str]) -> Finding:
    """Return the finding with the names of the records that it rests on, so that a person finds the paper."""
    if not names:
        return finding
    facts = finding.facts if isinstance(finding.facts, Facts) else Facts()
    more = f" and {len(names) - PAPERS_NAMED} more" if len(names) > PAPERS_NAMED else ""
    return msgspec.structs.replace(
        finding,
        observed=f"{'; '.join(names[:PAPERS_NAMED])}{more}: {finding.observed}",
        brief=finding.brief or finding.observed,
        facts=msgspec.structs.replace(facts, papers=[*names]),
    )


def capital(text: str) -> str:
    """Return the sentence with a capital letter."""
    return text[:1].upper() + text[1:]
