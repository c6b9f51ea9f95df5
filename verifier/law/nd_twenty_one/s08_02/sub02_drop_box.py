"""The drop box's number in the picture (99-01.3-08-02(2))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import OverlayRead
from verifier.law import say
from verifier.law.entries import table_name
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

BOX = "ND-08-02.2-drop-box-number"


@session_check(BOX, reads=("overlay_read of drop_box_number", "drop_count"))
def box_number(session: Session) -> Iterator[Instance]:
    """Check that the drop box bears the number of its table."""
    table = session.header.table
    for event in session.of(OverlayRead):
        if event.what == "drop_box_number" and event.text and table:
            yield judged(
                BOX,
                table_name(event.text) == table_name(table),
                key=event.id,
                at="drop",
                events=[event],
                expected=say.that("the drop box is numbered {table}", table=table),
                observed=say.that("it is numbered {event}", event=event.text),
            )
    for entry in session.records.of("drop_count"):
        number = entry.text("drop_box_number", "box_number", "box")
        if number and entry.where:
            yield judged(
                BOX,
                table_name(number) == table_name(entry.where),
                key=entry.event.id,
                at="drop",
                events=[entry.event],
                expected=say.that("the drop box of table {where} bears its number", where=entry.where),
                observed=say.that("it is numbered {number}", number=number),
            )
