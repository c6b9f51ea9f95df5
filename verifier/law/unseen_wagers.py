"""Spaces at which cards were dealt and no wager was ever seen: nothing about money can be judged there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from verifier.domain.events import (
    CardDealt,
    ChipsCollected,
    ChipsFanned,
    PayoffPlaced,
    PushTapped,
    WagerPlaced,
)
from verifier.law import say
from verifier.law.catalogue import by_id
from verifier.law.hands import hand_key
from verifier.law.instances import Instance
from verifier.law.registry import Check
from verifier.law.session import Session

NO_WAGER: Final = "no wager was seen: draw the betting spots"
SAID: Final = f"cards were dealt, {NO_WAGER}"
FIRST: Final = "ND-08-09.2-original-before-cards"
"""The clause that names the finding where its rulebook has it: a wager lies before the first card."""
MODULES: Final = frozenset(
    {
        "sub01_limits", "sub02_bettors", "sub02_side_bets", "sub02_wager_changes", "sub02a_tip_bets",
        "sub02b_even_money", "sub02b_insurance", "sub02c_splits", "sub02d_doubles", "sub03_splits_and_doubles",
        "sub03_stack_order", "sub06_busts", "sub10_busts_held", "sub10_insurance", "sub10_naturals",
        "sub11_fifty_cents", "sub12_miscount", "sub12_settlement", "sub13_collecting", "sub13_order", "sub13_tray",
        "sub14_tips", "sub16_fans", "sub16_payoff", "sub16_tips", "money", "surrender", "bank", "naturals",
        "insurance", "wagers",
    }
)  # fmt: skip
"""Modules of checks that judge wagers and what becomes of them, in all rulebooks."""
NAMES: Final = frozenset({"chip_values", "to_wagered_spaces", "cards_after_settlement"})
"""Checks of other modules that do."""
MONEY: Final = (WagerPlaced, ChipsFanned, ChipsCollected, PayoffPlaced, PushTapped)
"""Events of which each tells that money was seen at its place."""
FEWEST_CARDS: Final = 2
"""Cards of a round at one space that make a hand."""


def unseen_wagers(session: Session, active: Sequence[Check]) -> Iterator[Instance]:
    """One open instance for all clauses of money where a recording shows hands and never a wager at their space.

    `active` are the checks that apply under the site's options. A wager that was seen once tells that they can be seen.
    """
    if not session.from_pixels:
        return
    hands = list(_hands_without_wager(session))
    spaces = sorted({space for space, _ in hands})
    clauses = money_clauses(session, active)
    if not hands or not clauses:
        return
    root = FIRST if FIRST in clauses else clauses[0]
    yield Instance(
        clause=root,
        verdict="undetermined",
        at=f"space:{spaces[0]}" if len(spaces) == 1 else None,
        key="unseen wagers",
        events=tuple(card for _, cards in hands for card in cards[:1]),
        expected="a wager lies at each space to which cards are dealt",
        observed=say.that("space {spaces}", spaces=say.listed(", ", spaces)).detail(SAID),
        also=tuple(clause for clause in clauses if clause != root),
    )


def money_clauses(session: Session, active: Sequence[Check]) -> list[str]:
    """Return the clauses in force that checks of money judge, in the order of the checks."""
    known, day = by_id(session.rulebook), session.header.date
    found = dict.fromkeys(clause for check in active if judges_money(check) for clause in check.clauses)
    return [clause for clause in found if clause in known and known[clause].in_force.on(day)]


def judges_money(check: Check) -> bool:
    """Tell whether a check judges wagers, or what becomes of them."""
    function = check.of_round or check.of_session
    return check.name in NAMES or getattr(function, "__module__", "").rpartition(".")[2] in MODULES


def _hands_without_wager(session: Session) -> Iterator[tuple[int, list[CardDealt]]]:
    """Yield the hands (their space and cards) at spaces where no money was ever seen."""
    paid = {_space(getattr(event, "at", None)) for kind in MONEY for event in session.of(kind)}
    dealt: dict[tuple[int | None, int], list[CardDealt]] = {}
    for card in session.of(CardDealt):
        space = None if card.weak else _space(card.to)
        if space is not None and space not in paid:
            dealt.setdefault((card.round, space), []).append(card)
    for (_, space), cards in dealt.items():
        if len(cards) >= FEWEST_CARDS:
            yield space, cards


def _space(place: str | None) -> int | None:
    key = hand_key(place) if place else None
    return None if key is None else key[0]
