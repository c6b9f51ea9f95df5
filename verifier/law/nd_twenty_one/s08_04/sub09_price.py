"""Half of the price of a video system may be deferred (99-01.3-08-04(9))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from verifier.law import say
from verifier.law.entries import Entry, as_cents, as_date
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.rows import of_row
from verifier.law.session import Session

HALF = "ND-08-04.9-defer-half-payment"


@session_check(HALF, reads=("equipment", "other"))
def half_deferred(session: Session) -> Iterator[Instance]:
    """At least half of the price is deferred until the clarity of the video is approved."""
    for entry in session.records.of("equipment", "approval", "purchase"):
        price = entry.cents("price", "purchase_price", "total_price")
        paid = _paid_before(entry)
        if not price or paid is None:
            continue
        yield of_row(
            HALF,
            2 * paid <= price,
            entry,
            expected="at least half of the price is paid only after approval",
            observed=say.that("{paid} of {price} was paid before it", paid=say.cents(paid), price=say.cents(price)),
        )


def _paid_before(entry: Entry) -> int | None:
    said = entry.cents("paid_before_approval", "prepaid")
    payments, approved = entry.get("payments"), entry.date("approved_on", "approval_date", "approved")
    if said is not None or not isinstance(payments, Sequence) or isinstance(payments, str):
        return said
    total = 0
    for row in payments:
        if not isinstance(row, Mapping):
            return None
        day, cents = as_date(row.get("date")), as_cents(row.get("cents", row.get("amount")))
        if day is None or cents is None:
            return None
        if approved is None or day < approved:
            total += cents
    return total
