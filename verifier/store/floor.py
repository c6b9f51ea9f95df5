"""The gaming floor in the store: tables with their folders; layouts, house options and own cards in dated versions."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from verifier.domain.enrolment import Enrolment
from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.names import path_of
from verifier.store.floor_rows import AllowedFolderRow, GamingTableRow, TableVersionRow
from verifier.store.repository import Store

VersionKind = Literal["layout", "house", "cards"]
SINCE_EVER = ""


class TableVersion(Struct, frozen=True, kw_only=True):
    """A layout, house options or own cards of a table, from the day `valid_from` on ("" since ever); `body` is JSON."""

    kind: VersionKind
    version: int
    valid_from: str
    body: str
    sha256: str
    made_by: str
    made_at: str
    reason: str

    @property
    def layout(self) -> Layout:
        """The layout that it holds."""
        return msgspec.json.decode(self.body, type=Layout)

    @property
    def house(self) -> House:
        """The house options that it holds."""
        return msgspec.json.decode(self.body, type=House)

    @property
    def enrolment(self) -> Enrolment:
        """The enrolment of cards that it holds."""
        return msgspec.json.decode(self.body, type=Enrolment)


class GamingTable(Struct, frozen=True, kw_only=True, order=True):
    """A gaming table, with all its versions, oldest first. Its recordings lie below `folder`; "" where not told."""

    site: str
    table: str
    folder: str = ""
    versions: list[TableVersion] = []

    @property
    def label(self) -> str:
        """How a page names it."""
        return f"Site {self.site}, table {self.table}"

    def of(self, kind: VersionKind) -> list[TableVersion]:
        """Return the versions of one kind, oldest first."""
        return [one for one in self.versions if one.kind == kind]

    def in_force(self, kind: VersionKind, day: str | None) -> TableVersion | None:
        """Return the version of a day (ISO), or the newest where no day is given; None where there was none yet."""
        some = [one for one in self.of(kind) if day is None or one.valid_from <= day]
        return max(some, key=lambda one: (one.valid_from, one.version), default=None)

    @property
    def needs_day(self) -> bool:
        """Whether the day of a recording matters for what holds for it."""
        return any(one.valid_from != SINCE_EVER for one in self.versions)

    @property
    def must_have_day(self) -> bool:
        """Whether a recording cannot be judged without its day; own cards are left out where it is not known."""
        return any(one.valid_from != SINCE_EVER for one in self.versions if one.kind != "cards")


class Floor:
    """The gaming tables of a store; whatever is added leaves an entry in the audit log."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def tables(self) -> list[GamingTable]:
        """All tables by site and name, with their versions."""
        with self._store.reading() as session:
            rows = list(session.scalars(select(GamingTableRow)))
            versions: dict[int, list[TableVersion]] = {row.id: [] for row in rows}
            for one in session.scalars(select(TableVersionRow).order_by(TableVersionRow.id)):
                versions[one.table_id].append(_version(one))
            return sorted(
                GamingTable(site=row.site, table=row.table_name, folder=row.folder, versions=versions[row.id])
                for row in rows
            )

    def table(self, site: str, table: str) -> GamingTable | None:
        """One table; None where it is not kept."""
        return next((one for one in self.tables() if (one.site, one.table) == (site, table)), None)

    def put_table(self, site: str, table: str, folder: str, actor: str) -> None:
        """Keep a table, or change its folder."""
        with self._store.acting(actor, "table", _subject(site, table), {"folder": folder}) as session:
            _row_of(session, site, table).folder = folder

    def add_layout(
        self, site: str, table: str, layout: Layout, actor: str, *, since: str = SINCE_EVER, reason: str = ""
    ) -> TableVersion:
        """Keep a layout as the table's next version, in force from the day `since` on. Keep the table too, if it is
        new.
        """
        return self._add(site, table, "layout", msgspec.json.encode(layout).decode(), (since, reason, actor))

    def add_house(
        self, site: str, table: str, house: House, actor: str, *, since: str = SINCE_EVER, reason: str = ""
    ) -> TableVersion:
        """Keep house options as the table's next version, in force from the day `since` on."""
        return self._add(site, table, "house", msgspec.json.encode(house).decode(), (since, reason, actor))

    def add_cards(
        self, site: str, table: str, enrolment: Enrolment, actor: str, *, since: str = SINCE_EVER, reason: str = ""
    ) -> TableVersion:
        """Keep an enrolment of cards as the table's next version, in force from the day `since` on."""
        return self._add(site, table, "cards", msgspec.json.encode(enrolment).decode(), (since, reason, actor))

    def _add(self, site: str, table: str, kind: VersionKind, body: str, told: tuple[str, str, str]) -> TableVersion:
        """Write a version and return it; no other place does. The audit log's entry holds its digest."""
        since, reason, actor = told
        if not site or not table or max(len(site), len(table)) > 64:
            raise BadInput("the table", "needs a site and a table of at most 64 letters", "name both")
        digest = hashlib.sha256(body.encode()).hexdigest()
        deed = {"sha256": digest, "valid_from": since, "reason": reason}
        with self._store.acting(actor, kind, _subject(site, table), deed) as session:
            row = _row_of(session, site, table)
            last = select(func.max(TableVersionRow.version)).where(
                TableVersionRow.table_id == row.id, TableVersionRow.kind == kind
            )
            made = TableVersionRow(
                table_id=row.id,
                kind=kind,
                version=(session.scalar(last) or 0) + 1,
                valid_from=since,
                body=body,
                sha256=digest,
                made_by=actor,
                made_at=self._store.now(),
                reason=reason,
            )
            session.add(made)
            session.flush()
            return _version(made)

    def folders(self) -> list[str]:
        """Return the folders from which recordings may be reviewed in the dashboard."""
        with self._store.reading() as session:
            return sorted(session.scalars(select(AllowedFolderRow.path)))

    def site_of_folder(self, path: str) -> str:
        """Return the site of an allowed folder; "" where none is told."""
        with self._store.reading() as session:
            row = session.get(AllowedFolderRow, path)
            return row.site if row is not None else ""

    def site_of_file(self, path: Path) -> str | None:
        """Return the site of the deepest allowed folder in which a file lies; None where none is told."""
        inside = [one for one in self.folders() if path.is_relative_to(path_of(one))]
        return self.site_of_folder(max(inside, key=len)) or None if inside else None

    def allow_folder(self, path: str, actor: str, site: str = "") -> None:
        """Allow a folder (an absolute path), in which the recordings of a site lie."""
        with self._store.acting(actor, "folder", "folder", {"path": path, "site": site}) as session:
            session.merge(AllowedFolderRow(path=path, site=site, added_by=actor, added_at=self._store.now()))

    def forbid_folder(self, path: str, actor: str) -> None:
        """Take a folder off the allowed ones. What was reviewed from it stays."""
        with self._store.acting(actor, "folder_gone", "folder", {"path": path}) as session:
            row = session.get(AllowedFolderRow, path)
            if row is not None:
                session.delete(row)


def _subject(site: str, table: str) -> str:
    return f"table/{site}/{table}"[:120]


def _row_of(session: Session, site: str, table: str) -> GamingTableRow:
    query = select(GamingTableRow).where(GamingTableRow.site == site, GamingTableRow.table_name == table)
    row = session.scalar(query)
    if row is None:
        row = GamingTableRow(site=site, table_name=table, folder="")
        session.add(row)
        session.flush()
    return row


def _version(row: TableVersionRow) -> TableVersion:
    return msgspec.convert({name: getattr(row, name) for name in TableVersion.__struct_fields__}, TableVersion)
