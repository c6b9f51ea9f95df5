"""The page that tells how the rulebooks differ, topic by topic, made from their clauses and parameters of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from verifier.domain.house import House
from verifier.domain.rulebooks import ABOUT
from verifier.engine.rules import Rules, rules_of
from verifier.law.catalogue import RULEBOOKS, by_id, clauses
from verifier.law.listing import SOURCES, rows, source_of
from verifier.law.poker.unread import NEVER

BLACKJACK: Final = tuple(name for name in RULEBOOKS if name != "nd-poker")
_ND, _HM, _WA = "ND-08-", "HM-", "WA-125."
TOPICS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "Dealer's soft 17": {
        _ND: ("11.10.f-draw-to-17", "11.10.g-stand-17", "11.10.g-soft17-option"),
        _WA: ("13-stand-17", "13-soft-17"), _HM: ("shoe.8.a-h17", "shoe.8.a-s17-option"),
    },
    "Deal order": {
        _ND: ("10.1.a-order", "10.1.b-order", "10.1.c-order", "10.2-start-left"), _WA: ("5-deal-order",),
        _HM: ("shoe.4-order", "shoe.4-clockwise"),
    },
    "Looking at the dealer's second card": {
        _ND: ("10.1.a-no-peek", "10.3.a-reader-timing"), _WA: ("15-peek-may-A", "6-peek-shall-B"),
        _HM: ("shoe.8-hole-last", "play.4.b-bj-hold"),
    },
    "Burned cards": {
        _ND: ("08.3-burn-first-card", "08.3-burn-not-shown"), _HM: ("shoe.3-burn", "shoe.3-burn-disclosed"),
    },
    "Naturals": {
        _ND: ("11.11-natural-pays-3-2", "11.11-natural-not-early", "09.2.c-split-21-not-natural"),
        _WA: ("5-natural-pays-1.5", "6-pay-naturals-from-left", "6-freeze-short-bank"),
        _HM: ("def.1-blackjack", "play.4.a-bj-pay-low", "play.4.b-bj-resolve"),
    },
    "Against the dealer's natural": {
        _ND: ("11.10.d-natural-collect", "11.10.e-void-split-double"), _WA: ("6-dealer-natural-collect",),
        _HM: ("play.2-lose", "play.3-push"),
    },
    "Insurance": {
        _ND: ("09.2.b-insurance-only-ace", "09.2.b-insurance-half", "11.10.c-insurance-pay"),
        _WA: ("16-insurance-A", "7-insurance-B", "7-insurance-before-peek"),
        _HM: ("def.4-insurance", "play.6-insurance-option"),
    },
    "Even money": {_ND: ("09.2.b-even-money-eligible", "09.2.b-even-money-pay")},
    "Surrender": {_HM: ("def.7-surrender-timing", "def.7-no-surrender-bj", "play.5-surrender-option")},
    "Ties": {
        _ND: ("11.12-tie-push", "11.2-no-pay-tie"), _WA: ("5-tie-recover",), _HM: ("def.5-push", "play.3-push"),
    },
    "Doubles": {
        _ND: ("09.2.d-double-eligible", "09.2.d-double-amount", "09.2.d-one-card"),
        _WA: ("14-double-one-card", "14-double-short-bank"), _HM: ("def.2-double", "shoe.7.b-double-one"),
    },
    "Splits": {
        _ND: ("09.2.c-split-eligible", "09.2.c-four-hands", "09.2.c-split-aces-one"),
        _WA: ("17-split-pair", "17-split-short-bank"),
        _HM: ("def.6-split", "shoe.7.c-aces-one", "play.8-multi-action-split"),
    },
    "The dealer's draw when nothing depends on it": {
        _ND: ("11.9-all-bust-end-low", "11.9-all-bust-end-high"), _HM: ("shoe.8.b-no-effect",),
    },
    "Players and cards": {
        _ND: ("11.2-no-card-touch", "11.4-hand-signal-hit"),
        _WA: ("11-no-lifting-cards", "7-bust-turn-down", "10-no-touch-wagers", "7-verbal-hit-stand"),
        _HM: ("conduct.a-no-handling", "shoe.5-turns-left", "shoe.7.a-no-draw-bj"),
    },
    "Pick-up of the cards": {
        _ND: ("11.17-pickup-order", "11.17-dealer-cards-last"), _HM: ("shoe.9-right-ccw", "shoe.9-dealer-on-top"),
    },
}  # fmt: skip
"""The clauses of each topic, under the prefix of their rulebook's ids."""


def comparison_page() -> str:
    """Markdown: what each rulebook is, how much of it is checked, and what each says of each topic."""
    return "\n".join([*_head(), *_coverage(), *_poker(), *_parameters(), *_topics()]) + "\n"


def _head() -> Iterator[str]:
    yield "# The rulebooks"
    yield ""
    yield "A site's rulebook is named by `rulebook` in its house.yaml, or by `--rulebook`. This page is made from the"
    yield "rulebooks by `verifier rules --compare`."
    yield ""
    yield "| rulebook | name | source | text of | standing |"
    yield "|---|---|---|---|---|"
    for name, about in ABOUT.items():
        yield f"| `{name}` | {about.name} | {about.source} | {about.text_of} | {about.standing} |"
    yield ""


def _coverage() -> Iterator[str]:
    yield "## How much is checked"
    yield ""
    yield "| rulebook | clauses | checked | not checked, and why |"
    yield "|---|---|---|---|"
    for name in RULEBOOKS:
        found = rows(name)
        open_rows = [row for row in found if not row.check]
        whys = (
            "; ".join(f"{row.clause.id}: {row.why}" for row in open_rows)
            if len(open_rows) < 8
            else "see law-coverage.md"
        )
        yield f"| `{name}` | {len(found)} | {len(found) - len(open_rows)} | {whys or 'none'} |"
    yield ""


def poker_from_pixels() -> tuple[str, ...]:
    """Return the clauses of poker that are judged from a recording, too: those of play that no reason keeps out."""
    return tuple(
        row.clause.id
        for row in rows("nd-poker")
        if source_of("nd-poker", row) == SOURCES[0] and row.clause.id not in NEVER
    )


def _poker() -> Iterator[str]:
    """Yield which clauses of poker are judged from a recording, and why the others are not."""
    titles = by_id("nd-poker")
    seen = poker_from_pixels()
    yield f"## Poker from a recording: {len(seen)} of {len(titles)} clauses"
    yield ""
    yield "At a table whose layout has seats ([poker](poker.md)). All others are judged from event logs that"
    yield "people or other programs write. Where a recording lacks what a clause turns on (no shuffle seen, no button,"
    yield "no pot pushed), it is not assessed there."
    yield ""
    yield "| judged from a recording | |"
    yield "|---|---|"
    yield from (f"| `{name}` | {titles[name].title} |" for name in seen)
    yield ""
    yield "| judged from event logs alone | why not from a recording |"
    yield "|---|---|"
    for why in dict.fromkeys(NEVER.values()):
        members = ", ".join(f"`{name.removeprefix('ND-09-04.')}`" for name, own in NEVER.items() if own == why)
        yield f"| {members} | {why} |"
    yield ""


def _parameters() -> Iterator[str]:
    yield "## Play without any house option set"
    yield ""
    yield "| | " + " | ".join(f"`{name}`" for name in BLACKJACK) + " |"
    yield "|---" * (len(BLACKJACK) + 1) + "|"
    rules = [rules_of(name, House()) for name in BLACKJACK]
    for words, value in _WORDS.items():
        yield f"| {words} | " + " | ".join(value(own) for own in rules) + " |"
    yield ""


_SOFT: Final = {
    "stand": "stands", "hit_ace_six": "hits an ace and a six of two cards", "hit": "hits, whatever its cards",
}  # fmt: skip


def _yes(value: bool) -> str:
    return "yes" if value else "no"


_WORDS: Final[dict[str, Callable[[Rules], str]]] = {
    "a soft 17": lambda own: _SOFT[own.soft_17],
    "a natural pays": lambda own: f"{own.natural_odds[0]}:{own.natural_odds[1]}" if own.natural_odds else "table odds",
    "both dealer cards are dealt down": lambda own: _yes(own.both_down),
    "a dealer's natural leaves split and double stakes": lambda own: _yes(own.returns_extra),
    "an ace and a ten after a split are a natural": lambda own: _yes(own.split_naturals),
    "an insured natural keeps its wager": lambda own: _yes(own.saves_insured_natural),
    "a double": lambda own: {"equal": "equals the wager", None: "by the site's option"}.get(
        own.double_amount, "or less"
    ),
    "decks at most": lambda own: str(own.most_decks),
}


def _topics() -> Iterator[str]:
    for topic, sides in TOPICS.items():
        yield f"## {topic}"
        yield ""
        for name in BLACKJACK:
            prefix = _prefix(name)
            found = by_id(name)
            own = [found[prefix + part] for part in sides.get(prefix, ()) if prefix + part in found]
            yield f"**{ABOUT[name].name}**"
            yield ""
            yield from (f"- {clause.requirement.strip()} (`{clause.id}`)" for clause in own)
            if not own:
                yield "- says nothing of it."
            yield ""


def _prefix(rulebook: str) -> str:
    """Return which of the topics' prefixes a rulebook's clause ids begin with."""
    first = clauses(rulebook)[0].id
    return next(prefix for prefix in (_ND, _HM, _WA) if first.startswith(prefix))
