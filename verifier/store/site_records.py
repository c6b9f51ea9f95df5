"""The site's records in the store, each in versions: the newest stands, the earlier ones stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session

from verifier.domain.errors import BadInput
from verifier.store.records_rows import SiteRecordRow
from verifier.store.repository import Store

WITHDRAWN: Final = "null"
"""The body of a version that takes a record back."""
MOST_REASON: Final = 500


class KeptRecord(Struct, frozen=True, kw_only=True):
    """One version of a record, its fields as in `SiteRecordRow`; `fields` are those that the law reads.

    `withdrawn` is why a version took the record back; it has no fields.
    """

    site: str
    kind: str
    name: str
    day: str
    table: str
    fields: dict[str, object]
    source: str
    sha256: str
    version: int = 0
    id: int = 0
    made_by: str = ""
    made_at: str = ""
    withdrawn: str = ""


class Imported(Struct, frozen=True, kw_only=True):
    """What came of an import: records that are new, that have a new version, and that were there word for word."""

    new: list[KeptRecord]
    changed: list[KeptRecord]
    same: int

    @property
    def kept(self) -> list[KeptRecord]:
        """The versions that were written."""
        return [*self.new, *self.changed]


class SiteRecords:
    """The site's records in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, records: Sequence[KeptRecord], actor: str, named: str = "") -> Imported:
        """Keep records as the next versions of their names, in one transaction with the audit log's entry on them.

        What is there word for word already gets no further version. `named` is a name that `actor` gave.
        """
        sites = sorted({one.site for one in records})
        subject = f"records/{sites[0]}" if len(sites) == 1 else "records"
        files = sorted({f"{one.source.rpartition(': ')[0]} {one.sha256}" for one in records})
        detail: dict[str, object] = {"files": "; ".join(files), "named": named or None}
        rows: list[SiteRecordRow] = []
        with self._store.acting(actor, "records", subject[:120], detail) as session:
            at, newest = self._store.now(), _newest(session, sites)
            for one in records:
                last = newest.get((one.site, one.kind, one.name))
                body = msgspec.json.encode(one.fields, order="deterministic").decode()
                if last is not None and (last.body, last.day) == (body, one.day):
                    continue
                row = SiteRecordRow(
                    site=one.site,
                    kind=one.kind,
                    name=one.name,
                    version=1 if last is None else last.version + 1,
                    day=one.day,
                    table_name=one.table,
                    body=body,
                    source=one.source,
                    sha256=one.sha256,
                    made_by=actor,
                    made_at=at,
                )
                rows.append(row)
            session.add_all(rows)
            session.flush()
            new = [_kept(row) for row in rows if row.version == 1]
            changed = [_kept(row) for row in rows if row.version > 1]
            detail |= {"new": len(new), "versions": len(changed), "same": len(records) - len(new) - len(changed)}
        return Imported(new=new, changed=changed, same=len(records) - len(new) - len(changed))

    def withdraw(self, record: KeptRecord, actor: str, reason: str, named: str = "") -> KeptRecord:
        """Take a record back by a further version that says why, and give that version. The earlier ones stay.

        Raises BadInput where the version is no longer the one that stands, or no reason is given.
        """
        why = " ".join(reason.split())
        if not why:
            raise BadInput("the record", "no reason is given", "say why it is withdrawn")
        detail: dict[str, object] = {"withdrawn": record.name, "kind": record.kind, "reason": why[:200]}
        detail |= {"named": named} if named else {}
        with self._store.acting(actor, "records", f"records/{record.site}"[:120], detail) as session:
            last = _newest(session, [record.site]).get((record.site, record.kind, record.name))
            if last is None or last.id != record.id or last.body == WITHDRAWN:
                raise BadInput("the record", "it was changed or withdrawn meanwhile", "look at it again")
            row = SiteRecordRow(
                site=record.site,
                kind=record.kind,
                name=record.name,
                version=last.version + 1,
                day=record.day,
                table_name=record.table,
                body=WITHDRAWN,
                source=why[:MOST_REASON],
                sha256="",
                made_by=actor,
                made_at=self._store.now(),
            )
            session.add(row)
            session.flush()
            return _kept(row)

    def numbered(self, number: int) -> KeptRecord | None:
        """Return the version of that number, whether it stands or not; None where there is none."""
        with self._store.reading() as session:
            row = session.get(SiteRecordRow, number)
            return None if row is None else _kept(row)

    def standing(
        self, site: str | None = None, first: str | None = None, last: str | None = None, kind: str | None = None
    ) -> list[KeptRecord]:
        """Return the newest version of each record, oldest day first: all, or only those of a site, a kind, or days of
        play (ISO).

        Records that were withdrawn stand no longer.
        """
        newest = select(func.max(SiteRecordRow.id)).group_by(SiteRecordRow.site, SiteRecordRow.kind, SiteRecordRow.name)
        query = select(SiteRecordRow).where(SiteRecordRow.id.in_(newest), SiteRecordRow.body != WITHDRAWN)
        query = _chosen(query, site, first, last, kind)
        with self._store.reading() as session:
            rows = session.scalars(query.order_by(SiteRecordRow.day, SiteRecordRow.id))
            return [_kept(row) for row in rows]

    def every(
        self, site: str | None = None, first: str | None = None, last: str | None = None, kind: str | None = None
    ) -> list[KeptRecord]:
        """All versions of all records, those withdrawn too: by day, of each record the newest first."""
        query = _chosen(select(SiteRecordRow), site, first, last, kind)
        order = (SiteRecordRow.day, SiteRecordRow.kind, SiteRecordRow.name, SiteRecordRow.version.desc())
        with self._store.reading() as session:
            return [_kept(row) for row in session.scalars(query.order_by(*order))]

    def versions(self, record: KeptRecord) -> list[KeptRecord]:
        """All versions of a record, the newest first."""
        query = select(SiteRecordRow).where(*_same(record)).order_by(SiteRecordRow.version.desc())
        with self._store.reading() as session:
            return [_kept(row) for row in session.scalars(query)]

    def sites(self) -> list[str]:
        """Return the sites of which records are kept, in order."""
        with self._store.reading() as session:
            return sorted(session.scalars(select(SiteRecordRow.site).distinct()))


def _chosen(
    query: Select[SiteRecordRow], site: str | None, first: str | None, last: str | None, kind: str | None
) -> Select[SiteRecordRow]:
    """Return the query for the rows of a site, a kind and days of play (ISO), each where it is given."""
    query = query.where(SiteRecordRow.site == site) if site is not None else query
    query = query.where(SiteRecordRow.kind == kind) if kind is not None else query
    query = query.where(SiteRecordRow.day >= first) if first is not None else query
    return query.where(SiteRecordRow.day <= last) if last is not None else query


def _same(record: KeptRecord) -> tuple[ColumnElement[bool], ...]:
    return (
        SiteRecordRow.site == record.site,
        SiteRecordRow.kind == record.kind,
        SiteRecordRow.name == record.name,
    )


def _newest(session: Session, sites: Sequence[str]) -> dict[tuple[str, str, str], SiteRecordRow]:
    """Return the newest version of each record of these sites."""
    query = select(SiteRecordRow).where(SiteRecordRow.site.in_(sites)).order_by(SiteRecordRow.version)
    return {(row.site, row.kind, row.name): row for row in session.scalars(query)}


def _kept(row: SiteRecordRow) -> KeptRecord:
    other = ("table", "fields", "withdrawn")
    fields = {name: getattr(row, name) for name in KeptRecord.__struct_fields__ if name not in other}
    fields |= {"table": row.table_name, "fields": msgspec.json.decode(row.body) or {}}
    fields |= {"withdrawn": row.source, "source": ""} if row.body == WITHDRAWN else {}
    return msgspec.convert(fields, KeptRecord)
