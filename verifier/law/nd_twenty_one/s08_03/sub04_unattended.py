"""A tray, cards and a shoe that nobody attends (99-01.3-08-03(4), 07(1), 07(2))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import TableState
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

UNATTENDED_TRAY = "ND-08-03.4-unattended-tray"
SAFEGUARDED = "ND-08-03.4-chips-safeguarded"
UNATTENDED_CARDS = "ND-08-07.1-unattended-cards"
UNATTENDED_SHOE = "ND-08-07.2-unattended-shoe"
GRACE_SECONDS = 10.0
"""For so long a dealer may be away from an open table that is not covered (site policy)."""


@session_check(UNATTENDED_TRAY, SAFEGUARDED, UNATTENDED_CARDS, UNATTENDED_SHOE)
def unattended(session: Session) -> Iterator[Instance]:
    """Without a dealer the tray, the cards and the shoe are covered or removed."""
    for state in session.of(TableState):
        closed = state.state == "closed_day"
        if (state.dealer_present is not False and not closed) or _back_at_once(session, state):
            continue
        tray = SAFEGUARDED if closed else UNATTENDED_TRAY
        for clause, safe, place, what, bare in (
            (tray, None if state.tray is None else state.tray != "open", "tray", "tray is", "stood open"),
            (UNATTENDED_CARDS, state.cards_covered, "shoe", "cards are", "lay uncovered"),
            (UNATTENDED_SHOE, state.shoe_covered, "shoe", "shoe is", "lay uncovered"),
        ):
            yield judged(
                clause,
                safe,
                at=place,
                key=state.id,
                events=[state],
                expected=say.that("the {what} covered or removed while no dealer is at the table", what=what),
                observed=say.that("the {what} {bare} with no dealer at the table", what=what.split()[0], bare=bare)
                if safe is False
                else say.that("whether the {what} covered or removed was not seen", what=what),
                incident=f"unattended {state.id}" if safe is None else None,
                uncounted=safe is None,
            )


def _back_at_once(session: Session, away: TableState) -> bool:
    """Tell whether the dealer of an open table only turned away: the log tells that they were back within seconds."""
    back = (s for s in session.of(TableState) if s.dealer_present and s.t_start >= away.t_end)
    return away.state == "open" and any(s.t_start - away.t_start <= GRACE_SECONDS for s in back)
