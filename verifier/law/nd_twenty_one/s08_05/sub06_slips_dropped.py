"""The dealer drops the slip into the drop box (99-01.3-08-05(4), (6))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CurrencyDropped, TrayTransfer
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_05.sub01_slips import slip_incident
from verifier.law.registry import session_check
from verifier.law.session import Session

FILL = "ND-08-05.6-dealer-verifies-fill"
CREDIT = "ND-08-05.4-credit-original"


@session_check(FILL, CREDIT)
def slip_dropped(session: Session) -> Iterator[Instance]:
    """After a fill or credit its form goes in the drop box."""
    forms = {e.id: e for e in session.of(CurrencyDropped) if e.what == "form"}
    for transfer in session.of(TrayTransfer):
        if transfer.direction not in ("fill", "credit"):
            continue
        own = next((form for form in forms.values() if form.t_end >= transfer.t_start), None)
        if own is not None:
            del forms[own.id]
        yield judged(
            FILL if transfer.direction == "fill" else CREDIT,
            True if own is not None else None,
            key=transfer.id,
            at="drop",
            events=[transfer],
            expected=say.that("the {direction} slip goes in the drop box", direction=transfer.direction),
            observed="no form was seen to be dropped afterwards",
            incident=slip_incident(transfer),
        )
