"""Follows what a transaction does to kept rows, for the deed that tells of it; refuses what no deed would tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from sqlalchemy import Column, Connection, Table, event, inspect, select, tuple_
from sqlalchemy.orm import ORMExecuteState, Session

from verifier.domain.errors import BadInput
from verifier.store.all_tables import KEPT
from verifier.store.audit.ledger import Ledger
from verifier.store.kept import GONE, Made, as_stored, covered, name_of, row_digest, row_marks, row_name

_AT_ONCE = 300
Keys = Iterable[tuple[object, ...]]


class Tally:
    """The kept rows that a session makes, changes and removes.

    `ledger` gives what the deeds tell so far. A row that does not fit them is not as it was made: what an act does to
    it is never vouched for, so that the fault stays told. The same holds for a new row in the place of one that nobody
    removed.
    """

    def __init__(self, session: Session, ledger: Callable[[], Ledger]) -> None:
        self._ledger = ledger
        self._touched: dict[Table, set[tuple[object, ...]]] = defaultdict(set)
        self._tainted: set[str] = set()
        self._written: dict[str, dict[str, object] | None] = {}
        self.files: dict[str, str] = {}
        event.listen(session, "before_flush", self._before)
        event.listen(session, "after_flush", self._after)
        event.listen(session, "do_orm_execute", _refuse_bulk)

    def made(self, session: Session, secret: bytes) -> Made:
        """All that was made, read from the database as it stands now; GONE for what was removed.

        `secret` marks the fields (`kept.row_marks`). Raises BadInput where the database made something else of what was
        written: a trigger, a column's default or a view that this program did not make.
        """
        session.flush()
        found = Made(dict(self.files), {})
        for table, keys in self._touched.items():
            there = {row_name(table, row): row for row in rows_of(session.connection(), table, keys)}
            for name in (name_of(table.name, key) for key in keys):
                self._check_written(table, name, there.get(name))
                if name not in self._tainted:
                    tell(found, table, name, there.get(name), secret)
        return found

    def _before(self, session: Session, *_: object) -> None:
        changed: dict[Table, set[tuple[object, ...]]] = defaultdict(set)
        for row in (*session.dirty, *session.deleted):
            table = _table(row)
            if table is not None and (row in session.deleted or _changes(row, table)):
                changed[table].add(_key(row))
        for table, keys in changed.items():
            first = keys - self._touched[table]
            for row in rows_of(session.connection(), table, first):
                name, digest = row_name(table, row), row_digest(table, row)
                if not self._ledger().whole or self._ledger().digest_of(name) != digest:
                    self._tainted.add(name)
            self._touched[table] |= keys

    def _check_written(self, table: Table, name: str, there: Sequence[object] | None) -> None:
        """Refuse a row that is not what was written a moment ago: no deed vouches for what others put there."""
        if name not in self._written:
            return
        written = self._written[name]
        changed = ["the row"]
        if written is None and there is None:
            return
        if written is not None and there is not None:
            values = zip(covered(table), there, strict=True)
            changed = [
                one.name for one, value in values if one.name in written and not _is(one, written[one.name], value)
            ]
        if changed:
            cause = f"the database made something else of what was written ({', '.join(changed)}): nothing was stored"
            raise BadInput(name, cause, "see verifier evidence log, and have the database looked at")

    def _after(self, session: Session, *_: object) -> None:
        for row in (*session.new, *session.dirty, *session.deleted):
            table = _table(row)
            if table is not None:
                gone = row in session.deleted
                self._written[name_of(table.name, _key(row))] = None if gone else _values(row, row in session.new)
        for row in session.new:
            table = _table(row)
            if table is None:
                continue
            key = _key(row)
            name = name_of(table.name, key)
            if key not in self._touched[table] and self._ledger().digest_of(name) not in (None, GONE):
                self._tainted.add(name)
            self._touched[table].add(key)


def refuse_kept(session: Session) -> None:
    """Has a session refuse to write what is kept: there is no deed to tell of it."""

    def before(session: Session, *_: object) -> None:
        for row in (*session.new, *session.dirty, *session.deleted):
            table = _table(row)
            if table is not None and (row in session.new or row in session.deleted or _changes(row, table)):
                raise RuntimeError(f"{table.name} is kept: write it in Store.acting")

    event.listen(session, "before_flush", before)
    event.listen(session, "do_orm_execute", _refuse_bulk)


def tell(made: Made, table: Table, name: str, row: Sequence[object] | None, secret: bytes) -> None:
    """Add a row, or the fact that it is gone, to what a deed tells."""
    made.digests[name] = GONE if row is None else row_digest(table, row)
    if row is not None:
        made.marks[name] = "".join(row_marks(table, row, secret).values())


def rows_of(connection: Connection, table: Table, keys: Keys) -> Iterator[Sequence[object]]:
    """Those rows of a table that are there, their covered columns as the database holds them."""
    wanted = list(keys)
    columns = list(table.primary_key.columns)
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        chosen = columns[0].in_([key[0] for key in some]) if len(columns) == 1 else tuple_(*columns).in_(some)
        yield from connection.execute(select(*as_stored(table)).where(chosen))


def _refuse_bulk(state: ORMExecuteState) -> None:
    """Statements that change rows past the session's objects are for tables that are not kept."""
    if not (state.is_insert or state.is_update or state.is_delete):
        return
    table = state.bind_mapper.local_table if state.bind_mapper is not None else None
    if isinstance(table, Table) and table.name in KEPT:
        raise RuntimeError(f"{table.name} is kept: change its rows as objects")


def _table(row: object) -> Table | None:
    table = inspect(row).mapper.local_table
    return table if isinstance(table, Table) and table.name in KEPT else None


def _key(row: object) -> tuple[object, ...]:
    mapper = inspect(row).mapper
    return tuple(mapper.primary_key_from_instance(row))


def _values(row: object, new: bool) -> dict[str, object]:
    """Column -> what was written; of a new row also what was left out, which nobody may fill in."""
    state = inspect(row)
    held = {attr.columns[0].name: attr.key for attr in state.mapper.column_attrs}
    return {name: state.dict.get(key) for name, key in held.items() if new or key in state.dict}


def _is(column: Column[object], written: object, value: object) -> bool:
    """Tell whether a column holds what was written; a column of numbers makes a number of its text."""
    if isinstance(written, str) and column.type.python_type in (int, float):
        with suppress(ValueError):
            return float(written) == value
    return written == value


def _changes(row: object, table: Table) -> bool:
    """Tell whether a changed row differs in a column that its digest covers."""
    state = inspect(row)
    names = {one.name for one in covered(table)}
    return any(
        state.attrs[attr.key].history.has_changes()
        for attr in state.mapper.column_attrs
        if attr.columns[0].name in names
    )
