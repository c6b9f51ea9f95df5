"""The table's number in the picture (99-01.3-08-02(1))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.shared.signs import VISIBLE, sign
from verifier.law.registry import session_check
from verifier.law.session import Session

NUMBER = "ND-08-02.1-table-number"


@session_check(NUMBER, VISIBLE, video=True, reads=("overlay_read of table_number",))
def table_number_read(session: Session) -> Iterator[Instance]:
    """Check that the table number stands in the picture and is that of the recording."""
    yield from sign(session, "table_number", session.header.table, NUMBER)
