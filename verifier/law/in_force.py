"""House options in force at a site on the day of play: the log's own, and what dated records of the site add."""

from __future__ import annotations

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog, RecordEntry
from verifier.domain.house import House
from verifier.law.entries import Records, plain, records_of, table_name

_OPTIONS = frozenset(House.__struct_fields__)


def house_in_force(log: EventLog) -> House:
    """Options of the log's header; those that it leaves out come from the site's latest `house_rules` up to the day.

    A recorded malfunction of the reader on that day puts another dealing method in force (10(1)(c)(5)). Raises BadInput
    for header options that are not valid; options of records that are not are left out.
    """
    own = _header_options(log)
    records = records_of((e for e in log.events if isinstance(e, RecordEntry)), log.header.date)
    if not records.entries:
        return own
    given: dict[str, object] = {}
    for options in _recorded(records, log.header.site):
        given |= {name: value for name, value in options.items() if _valid(name, value)}
    given |= log.header.house
    if _reader_broken(records, log.header.table) and given.get("dealing_method") == "hole_card_reader":
        given["dealing_method"] = None
    return msgspec.convert({k: v for k, v in given.items() if v is not None}, House)


def _header_options(log: EventLog) -> House:
    try:
        return msgspec.convert(log.header.house, House)
    except msgspec.ValidationError as error:
        raise BadInput("event log", f"house options: {error}", "correct the header's `house`", where="line 1") from None


def _recorded(records: Records, site: str | None) -> list[dict[str, object]]:
    """Options of the site's house rules, the oldest first, up to the day of play."""
    day = records.play_date
    rows = []
    for entry in records.of("house_rules"):
        since = entry.date("from", "effective", "in_force_from") or entry.day
        until = entry.date("to", "until", "in_force_to")
        elsewhere = site is not None and entry.site is not None and entry.site != table_name(site)
        late = (day and since and since > day) or (day and until and until < day)
        if not elsewhere and not late:
            nested = entry.get("options", "house")
            fields = {plain(str(k)): v for k, v in nested.items()} if isinstance(nested, dict) else dict(entry.fields)
            rows.append((since.isoformat() if since else "", {k: v for k, v in fields.items() if k in _OPTIONS}))
    return [options for _, options in sorted(rows, key=lambda row: row[0])]


def _valid(name: str, value: object) -> bool:
    try:
        msgspec.convert({name: value}, House)
    except msgspec.ValidationError:
        return False
    return True


def _reader_broken(records: Records, table: str | None) -> bool:
    return any(
        entry.day in (None, records.play_date)
        and (entry.where is None or table is None or entry.where == table_name(table))
        for entry in records.of("reader_malfunction", "malfunction")
    )
