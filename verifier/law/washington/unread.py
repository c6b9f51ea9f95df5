"""Clauses that a reading of pixels cannot judge, for the acts that they turn on are in no record of it."""

from __future__ import annotations

from verifier.domain.events import BankChanged, CardsMoved, HoleCardCheck, WagerCovered
from verifier.law.registry import WASHINGTON, withhold
from verifier.law.session import Session
from verifier.law.washington.clauses import (
    COMPARE,
    DEALER_BUST,
    DEALER_NATURAL,
    DOUBLE,
    DOUBLE_SHORT,
    FREEZE,
    MADE_UP,
    NATURAL,
    PASS,
    PLAYER_DEALS,
    SHALL_PEEK,
    SPLIT_SHORT,
    TIE,
    TURN_DOWN,
    VALUES,
)
from verifier.law.washington.ledger import told
from verifier.law.washington.seats import number, reigns

NO_COVERS = "the covers beside the wagers were not told apart from stakes and payoffs"
NO_BANK = "what the bank held is not in the log"
NO_TURN_DOWN = "the log holds no cards that a player turned down"
NO_LOOK = "no look at the hole card was seen surely: looks may not show in this recording"
NO_SEAT = "the log does not tell at which seat the dealer/banker sits"
SETTLED = (COMPARE, DEALER_BUST, DEALER_NATURAL, DOUBLE, DOUBLE_SHORT, NATURAL, SPLIT_SHORT, TIE, VALUES)
"""Clauses on what is paid, collected and doubled: a cover that nobody read is none of it, or looks like another."""
BANKED = (FREEZE, MADE_UP, PASS)
"""Clauses on a bank that is too small for what is due from it."""


def unread(session: Session) -> dict[str, str]:
    """Return the clauses that this log cannot tell of, each with why; none where a person or the game wrote it."""
    found: dict[str, str] = {}
    if not told(session, WagerCovered):
        found.update(dict.fromkeys(SETTLED, NO_COVERS))
    if not told(session, BankChanged):
        found.update(dict.fromkeys(BANKED, NO_BANK))
    if not told(session, CardsMoved, lambda event: isinstance(event, CardsMoved) and event.kind == "turn_down"):
        found[TURN_DOWN] = NO_TURN_DOWN
    if not told(session, HoleCardCheck, lambda event: not event.weak):
        found[SHALL_PEEK] = NO_LOOK
    if session.from_pixels and not any(number(reign.seat) for reign in reigns(session)):
        found[PLAYER_DEALS] = NO_SEAT
    return found


withhold(WASHINGTON, unread)
