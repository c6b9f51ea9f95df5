"""A tray, cards and a shoe that nobody attends (99-01.3-08-03(4), 07(1), 07(2))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import TableState
from verifier.law import say
from verifier.law.instances import Instance, judged, untold
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
        unknown = state.dealer_present is None and state.state == "temp_closed"
        if state.dealer_present is None and not closed and not unknown and state.tray == "open":
            yield untold(UNATTENDED_TRAY, "whether a dealer was at the table", state, at="tray")
        if (state.dealer_present is not False and not closed and not unknown) or _back_at_once(session, state):
            continue
        tray = SAFEGUARDED if closed else UNATTENDED_TRAY
        for clause, safe, place, what, bare in (
            (tray, None if state.tray is None else state.tray != "open", "tray", "tray is", "stood open"),
            (UNATTENDED_CARDS, state.cards_covered, "shoe", "cards are", "lay uncovered"),
            (UNATTENDED_SHOE, state.shoe_covered, "shoe", "shoe is", "lay uncovered"),
        ):
            right = None if unknown and not safe else safe
            yield judged(
                clause,
                right,
                at=place,
                key=state.id,
                events=[state],
                expected=say.that("the {what} covered or removed while no dealer is at the table", what=what),
                observed=_unattended_words(what, bare, safe, unknown),
                incident=f"unattended {state.id}" if right is None else None,
                uncounted=right is None,
            )


def _unattended_words(what: str, bare: str, safe: bool | None, unknown: bool) -> say.Said:
    """Tell what was seen of a thing (`what`); `unknown`: nobody saw whether a dealer was there."""
    if safe is None:
        return say.that("whether the {what} covered or removed was not seen", what=what)
    words = "the {what} {bare}, and whether a dealer was at the table was not seen"
    if not unknown:
        words = "the {what} {bare} with no dealer at the table"
    return say.that(words, what=what.split()[0], bare=bare)


def _back_at_once(session: Session, away: TableState) -> bool:
    """Tell whether the dealer of an open table only turned away: the log tells that they were back within seconds."""
    back = (s for s in session.of(TableState) if s.dealer_present and s.t_start >= away.t_end)
    return away.state in ("open", None) and any(s.t_start - away.t_start <= GRACE_SECONDS for s in back)
