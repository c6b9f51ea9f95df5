"""Shared by the checks of records: an instance from one row, and rows that are filled in only in part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from verifier.domain.events import AnyEvent
from verifier.law import say
from verifier.law.entries import Entry, quarter_end, table_name
from verifier.law.instances import Instance, judged
from verifier.law.say import Said
from verifier.law.session import Session


def of_row(
    clause: str,
    right: bool | None,
    entry: Entry | Sequence[Entry],
    *,
    expected: Said | str,
    observed: Said | str,
    key: str = "",
    events: Iterable[AnyEvent] = (),
    incident: str | None = None,
    rank: int = 5,
) -> Instance:
    """Return an instance about one row, or about several that belong together."""
    rows = [entry] if isinstance(entry, Entry) else list(entry)
    name = rows[0].event.id if rows else ""
    return judged(
        clause,
        right,
        key=f"{name} {key}".strip(),
        events=[*(row.event for row in rows), *events],
        expected=expected,
        observed=observed,
        incident=incident,
        rank=rank,
    )


def filled(
    clause: str, entry: Entry, wanted: Sequence[tuple[Said | str, tuple[str, ...]]], what: Said | str
) -> Iterator[Instance]:
    """All the `wanted` fields (plain words and the names that a field may have) stand in a row.

    Nothing is said of a row that holds none of them; in one that holds some, a missing field leaves it undetermined and
    an empty one is a violation.
    """
    told = [(words, entry.told(*names)) for words, names in wanted]
    if all(value is None for _, value in told):
        return
    empty = [words for words, value in told if value is False]
    unknown = [words for words, value in told if value is None]
    yield of_row(
        clause,
        False if empty else (None if unknown else True),
        entry,
        expected=say.that("{what} shows ", what=what) + say.listed(", ", (words for words, _ in wanted)),
        observed=say.that(
            "it {which} {empty}", which="lacks" if empty else "does not tell", empty=say.listed(", ", empty or unknown)
        ),
    )


def home(session: Session) -> str | None:
    """Return the site of the log, as rows name theirs."""
    return table_name(session.header.site) or None


def site_of(session: Session, entry: Entry) -> str | None:
    """Return the site that a row is about: its own, else that of the log; None where neither is told."""
    return entry.site or home(session)


def at_site(session: Session, entry: Entry, other: Entry) -> bool:
    """Tell whether two rows may be about one site."""
    one, two = site_of(session, entry), site_of(session, other)
    return one is None or two is None or one == two


def ours(session: Session, *kinds: str) -> list[Entry]:
    """Rows of these kinds about the log's own site, which alone its house options are those of."""
    return [e for e in session.records.of(*kinds) if home(session) in (None, site_of(session, e))]


def by(records_today: date | None, due: date | None) -> bool | None:
    """For what has not happened yet: False once the log's last day is past `due`, else None."""
    return False if records_today is not None and due is not None and records_today > due else None


def end_of_quarter(entry: Entry) -> date | None:
    """Last day of the quarter that a row is about."""
    return quarter_end(entry.get("quarter", "activity_quarter", "period")) or quarter_end(
        entry.get("activity_date") or entry.event.date
    )
