"""Numbers and names in the picture: table, site, drop box, plaque (99-01.3-08-02(1),(2), 04(2), 09(1))."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from verifier.domain.events import OverlayRead
from verifier.law.entries import table_name
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

NUMBER = "ND-08-02.1-table-number"
SITE = "ND-08-04.2-site-id"
VISIBLE = "ND-08-04.2-id-visible"
BOX = "ND-08-02.2-drop-box-number"
PLAQUE = "ND-08-09.1-plaque"


@session_check(NUMBER, VISIBLE, video=True, reads=("overlay_read of table_number",))
def table_number_read(session: Session) -> Iterator[Instance]:
    """The table number stands in the picture and is that of the recording."""
    yield from _sign(session, "table_number", session.header.table, NUMBER)


@session_check(SITE, VISIBLE, video=True, reads=("overlay_read of site_id",))
def site_read(session: Session) -> Iterator[Instance]:
    """The site identification stands in the picture and is that of the recording."""
    yield from _sign(session, "site_id", session.header.site, SITE)


def _sign(session: Session, what: str, own: str | None, clause: str) -> Iterator[Instance]:
    reads = [e for e in session.of(OverlayRead) if e.what == what]
    texts = Counter(table_name(e.text) for e in reads if e.text and not e.weak)
    if not reads or own is None:
        return
    name = what.replace("_", " ")
    if not texts:
        yield judged(
            clause,
            None,
            events=reads,
            expected=f"the {name} stands in the picture",
            observed="it could not be read",
        )
        return
    text, votes = texts.most_common(1)[0]
    same = text == table_name(own)
    if same:
        yield judged(clause, True)
    yield judged(
        VISIBLE,
        True if same else (None if session.from_pixels and votes < 2 else False),
        key=what,
        events=reads,
        expected=f"the {name} in the picture is that of the recording, {own}",
        observed=f"it reads {text}",
        also=[clause],
    )


@session_check(BOX, reads=("overlay_read of drop_box_number", "drop_count"))
def box_number(session: Session) -> Iterator[Instance]:
    """The drop box bears the number of its table."""
    table = session.header.table
    for event in session.of(OverlayRead):
        if event.what == "drop_box_number" and event.text and table:
            yield judged(
                BOX,
                table_name(event.text) == table_name(table),
                key=event.id,
                at="drop",
                events=[event],
                expected=f"the drop box is numbered {table}",
                observed=f"it is numbered {event.text}",
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
                expected=f"the drop box of table {entry.where} bears its number",
                observed=f"it is numbered {number}",
            )


@session_check(PLAQUE, reads=("overlay_read of plaque",))
def plaque(session: Session) -> Iterator[Instance]:
    """A plaque shows the limits that are in force."""
    limits = session.house.table_limits
    for event in session.of(OverlayRead):
        amounts = [round(float(n) * 100) for n in re.findall(r"\d+(?:\.\d{1,2})?", event.text or "")]
        if event.what == "plaque" and len(amounts) == 2 and not event.weak:
            yield judged(
                PLAQUE,
                sorted(amounts) == [limits.min, limits.max],
                key=event.id,
                events=[event],
                expected=f"the plaque shows {limits.min / 100:.2f} to {limits.max / 100:.2f}",
                observed=f"it shows {event.text}",
            )
