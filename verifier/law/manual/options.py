"""What must be posted, from the site's records (The Play 3 and 5 to 8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from verifier.law import say
from verifier.law.entries import Entry, as_flag, plain
from verifier.law.instances import Instance, judged
from verifier.law.manual.clauses import (
    BURN_DISCLOSED,
    DOUBLE_OPTION,
    INSURANCE_OPTION,
    PUSH_POSTED,
    REOPEN,
    SPLIT_OPTION,
    SURRENDER_OPTION,
)
from verifier.law.nd_twenty_one.s08_13.sub01_posted import posted
from verifier.law.registry import MANUAL, explain, session_check
from verifier.law.rows import of_row
from verifier.law.session import Session

_POSTED: Final = {
    PUSH_POSTED: ("push_rule", "push", "ties"),
    SURRENDER_OPTION: ("surrender_allowed", "surrender", "surrender_rule"),
    INSURANCE_OPTION: ("insurance_allowed", "insurance", "insurance_rule"),
    DOUBLE_OPTION: ("double_allowed", "double", "doubling", "doubling_rule"),
    SPLIT_OPTION: ("split_allowed", "split", "splitting", "splitting_rule"),
}
"""What must be posted, with the names that it may have in a record; the first is the house option."""


@session_check(*_POSTED, rulebooks=MANUAL, reads=("disclosure", "posting", "posted_rules"))
def rules_posted(session: Session) -> Iterator[Instance]:
    """Check that the rules on ties, surrender, insurance, doubles and splits are posted or available, as they are in
    force.
    """
    for entry in session.records.of("disclosure", "posting", "posted_rules"):
        for clause, names in _POSTED.items():
            value, wanted = _told(entry, names), getattr(session.house, names[0])
            if value is None:
                continue
            denied = value in ("", [], {}) or as_flag(value) is False or plain(str(value)) == "not_posted"
            yield of_row(
                clause,
                not denied or wanted is False,
                entry,
                expected=say.that("posted").detail("{names}", names=names[0].replace("_", " ")),
                observed="it is not posted" if denied else say.that("posted as {value}", value=value),
            )


def _told(entry: Entry, names: tuple[str, ...]) -> object:
    """Return what a record says of an item: under its name, or as the one rule that the record is about."""
    named = plain(str(entry.get("rule", "item", "option") or ""))
    if named in names:
        return entry.get("posted", "available", "value")
    return posted(entry, (*names, *(f"{name}_posted" for name in names)))


@session_check(SURRENDER_OPTION, rulebooks=MANUAL, needs={"multiple_action": True, "surrender_allowed": None})
def surrender_configured(session: Session) -> Iterator[Instance]:
    """Surrender is never offered in multiple action blackjack."""
    yield judged(
        SURRENDER_OPTION,
        not session.house.surrender_allowed,
        key="multiple action",
        expected="surrender is not offered in multiple action blackjack",
        observed="the house allows both",
    )


explain(
    {
        BURN_DISCLOSED: "whether a player asked for the burned card is not in an event log",
        REOPEN: "a permission, which cannot be violated",
        "HM-conduct.b-player-total": "it burdens the player alone, and nobody can break it",
    }
)
