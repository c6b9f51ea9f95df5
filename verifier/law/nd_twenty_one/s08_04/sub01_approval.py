"""The approval of the video system (99-01.3-08-04(1)(a))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.law.entries import Entry, as_date, as_flag
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.s08_04.sub00_system_required import about
from verifier.law.registry import session_check
from verifier.law.rows import of_row
from verifier.law.session import Session

APPROVED = "ND-08-04.1.a-ag-approved"


def granted(entry: Entry) -> bool | None:
    """Tell whether a row of an approval tells of one that was given: it does, unless its outcome says otherwise."""
    said = entry.get("approved", "outcome", "result", "status", "satisfactory", "decision")
    return True if said is None or as_date(said) else as_flag(said)


@session_check(APPROVED, video=True, reads=("approval",))
def system_approved(session: Session) -> Iterator[Instance]:
    """Check that the video system is approved by the attorney general."""
    for entry in session.records.of("approval"):
        if any(word in about(entry) for word in ("card", "recordkeeping", "record keeping", "vendor")):
            continue
        yield of_row(
            APPROVED,
            granted(entry),
            entry,
            expected="the attorney general approved the video system",
            observed="the record does not say that it did",
        )
