"""What the card room's records tell: class, fees, posted rules (the introduction and subsections 1 and 13/14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from verifier.law import say
from verifier.law.instances import Instance
from verifier.law.registry import WASHINGTON, session_check
from verifier.law.rows import of_row
from verifier.law.session import Session
from verifier.law.washington.clauses import FEES, GAME, POSTED

CLASSES: Final = ("a", "e", "class a", "class e")
BY_TIME: Final = ("time", "hour", "minute")
OTHERWISE: Final = ("hand", "pot", "wager", "rake", "percent", "drop")


@session_check(GAME, rulebooks=WASHINGTON, reads=("record_entry",))
def class_of_room(session: Session) -> Iterator[Instance]:
    """Check that the game is not banked by the house and is offered in Class A and E card rooms only."""
    for entry in session.records.entries:
        room = entry.words("room_class", "card_room_class", "licence_class", "license_class", "class")
        if room is not None:
            yield of_row(
                GAME,
                room in CLASSES,
                entry,
                key="class",
                expected="a card room of Class A or E",
                observed=say.that("the room is of class {room}", room=room),
            )
        banked = entry.flag("house_banked", "house_banking")
        if banked is not None:
            yield of_row(
                GAME,
                not banked,
                entry,
                key="bank",
                expected="the house does not bank the game",
                observed="the house banks it",
            )


@session_check(FEES, rulebooks=WASHINGTON, reads=("record_entry",))
def fees_by_time(session: Session) -> Iterator[Instance]:
    """Fees are taken by time, collected directly."""
    for entry in session.records.entries:
        basis = entry.words("fee_basis", "fee_method", "fee_type", "fees", "fee")
        if basis is not None:
            if not any(word in basis for word in (*BY_TIME, *OTHERWISE)):
                continue
            yield of_row(
                FEES,
                any(word in basis for word in BY_TIME),
                entry,
                expected="fees by time, collected directly",
                observed=say.that("fees by {basis}", basis=basis),
            )


@session_check(POSTED, rulebooks=WASHINGTON, reads=("record_entry",))
def rules_posted(session: Session) -> Iterator[Instance]:
    """House rules are posted in plain view."""
    for entry in session.records.entries:
        posted = entry.flag("posted", "house_rules_posted", "rules_posted", "in_plain_view")
        if posted is not None:
            yield of_row(
                POSTED,
                posted,
                entry,
                expected="house rules are posted in plain view",
                observed="they are not posted",
            )
