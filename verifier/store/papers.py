"""The paperwork in the store: documents in versions, the roster, percent-of-hold figures, acts of retention."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from verifier.domain.errors import BadInput
from verifier.store.kept import file_name
from verifier.store.papers_tables import DocumentRow, HoldFigureRow, RetentionRow, RosterRow
from verifier.store.repository import Store

DocumentKind = Literal["weekly", "daily", "hold", "sample"]
RetentionAct = Literal["hold", "release", "purge"]
_T = TypeVar("_T", bound=Struct)


class Document(Struct, frozen=True, kw_only=True):
    """One version of a document. `period` is what it is about (a week, a day, a quarter, a recording).

    `body` is what it says as JSON, `files` the names in `folder` with their SHA-256, `reason` why it was made anew.
    """

    kind: DocumentKind
    site: str
    period: str
    made_by: str
    body: str
    folder: str = ""
    files: dict[str, str] = {}
    reason: str = ""
    version: int = 0
    id: int = 0
    made_at: str = ""


class Duty(Struct, frozen=True, kw_only=True, order=True):
    """What a person did at a site on a shift, e.g. `twenty-one`, `paddlewheel`, `shift manager`."""

    site: str
    day: str
    shift: str
    person: str
    duty: str


class HoldFigure(Struct, frozen=True, kw_only=True):
    """One dealer's gross proceeds and prizes of one day at one site, in cents."""

    site: str
    day: str
    game: str
    dealer: str
    gross_cents: int
    prizes_cents: int
    entered_by: str = ""
    entered_at: str = ""
    replaces: int | None = None
    id: int = 0


class Retained(Struct, frozen=True, kw_only=True):
    """An act on something kept; `item` such as `video/ID` or `document/ID`."""

    act: RetentionAct
    item: str
    reason: str
    actor: str
    at: str = ""
    id: int = 0


class Overtaken(BadInput):
    """Somebody else took this version of a document first."""


class Papers:
    """The paperwork of a store; whatever is added leaves an entry in the audit log."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add_document(
        self,
        document: Document,
        place: Callable[[], None] = lambda: None,
        others: Mapping[str, str] | None = None,
        *,
        actor: str = "",
    ) -> Document:
        """Keep a document as the next version of its kind, site and period, beside the earlier ones.

        `place` puts its files in place, in the same transaction, after they were announced, and `others` (name ->
        digest) that are moved for them. `actor` is the account of who made it (default: `made_by`). Raises Overtaken
        where the document names a version and that is no longer the next one.
        """
        subject = f"document/{document.kind}/{document.site}/{document.period}"[:120]
        detail = {**document.files, "reason": document.reason}
        who = actor or document.made_by
        files = {file_name(Path(document.folder) / name): digest for name, digest in document.files.items()}
        files |= others or {}
        if document.version:
            self._store.announce(who, subject, files)
        with self._store.acting(who, "document", subject, detail, files) as session:
            version = _last_version(session, document) + 1
            if document.version not in (0, version):
                raise Overtaken(subject, "was made by somebody else meanwhile", "look at that one first")
            place()
            row = _document_row(document, version, self._store.now())
            session.add(row)
            session.flush()
            return _document(row)

    def documents(
        self, kind: DocumentKind | None = None, site: str | None = None, period: str | None = None
    ) -> list[Document]:
        """Documents, newest first."""
        query = select(DocumentRow).order_by(DocumentRow.id.desc())
        for column, value in ((DocumentRow.kind, kind), (DocumentRow.site, site), (DocumentRow.period, period)):
            if value is not None:
                query = query.where(column == value)
        with self._store.reading() as session:
            return [_document(row) for row in session.scalars(query)]

    def set_roster(self, duties: Sequence[Duty], actor: str, named: str = "") -> None:
        """Add duties to the roster; those already there stay as they are. `named` is a name that `actor` gave."""
        detail = {"duties": len(duties), "named": named or None}
        with self._store.acting(actor, "roster", detail=detail) as session:
            for duty in duties:
                session.merge(RosterRow(**msgspec.structs.asdict(duty)))

    def roster(self, site: str, first: str, last: str) -> list[Duty]:
        """Duties at a site from day `first` to `last`, both included."""
        query = select(RosterRow).where(RosterRow.site == site, RosterRow.day.between(first, last))
        with self._store.reading() as session:
            return sorted(_converted(row, Duty) for row in session.scalars(query))

    def add_figures(self, figures: Sequence[HoldFigure], actor: str) -> None:
        """Keep percent-of-hold figures; one for the same site, day, game and dealer replaces the earlier one."""
        with self._store.acting(actor, "figures", detail={"figures": len(figures)}) as session:
            for figure in figures:
                fields = msgspec.structs.asdict(figure)
                fields.update(
                    id=None, entered_by=actor, entered_at=self._store.now(), replaces=_replaced(session, figure)
                )
                session.add(HoldFigureRow(**fields))
                session.flush()

    def figures(self, first: str, last: str, site: str | None = None) -> list[HoldFigure]:
        """Return the figures that stand (not replaced) from day `first` to `last`, of one site or all."""
        gone = select(HoldFigureRow.replaces).where(HoldFigureRow.replaces.is_not(None))
        query = select(HoldFigureRow).where(HoldFigureRow.day.between(first, last), HoldFigureRow.id.not_in(gone))
        query = query.where(HoldFigureRow.site == site) if site is not None else query
        with self._store.reading() as session:
            return [_converted(row, HoldFigure) for row in session.scalars(query.order_by(HoldFigureRow.day))]

    def add_retained(self, act: Retained, files: Mapping[str, str] | None = None, account: str = "") -> Retained:
        """Write down that a person put something on hold, released it, or purged it; `files` as in `Store.acting`.

        `account` is that of the person whom the act names.
        """
        with self._store.acting(
            account or act.actor, act.act, act.item[:120], {"reason": act.reason}, files
        ) as session:
            row = RetentionRow(act=act.act, item=act.item, reason=act.reason, actor=act.actor, at=self._store.now())
            session.add(row)
            session.flush()
            return _converted(row, Retained)

    def retained(self) -> list[Retained]:
        """All acts of retention, oldest first."""
        with self._store.reading() as session:
            return [
                _converted(row, Retained) for row in session.scalars(select(RetentionRow).order_by(RetentionRow.id))
            ]


def _last_version(session: Session, document: Document) -> int:
    query = select(func.max(DocumentRow.version)).where(
        DocumentRow.kind == document.kind, DocumentRow.site == document.site, DocumentRow.period == document.period
    )
    return session.scalar(query) or 0


def _replaced(session: Session, figure: HoldFigure) -> int | None:
    query = select(func.max(HoldFigureRow.id)).where(
        HoldFigureRow.site == figure.site,
        HoldFigureRow.day == figure.day,
        HoldFigureRow.game == figure.game,
        HoldFigureRow.dealer == figure.dealer,
    )
    return session.scalar(query)


def _document_row(document: Document, version: int, made_at: str) -> DocumentRow:
    return DocumentRow(
        kind=document.kind,
        site=document.site,
        period=document.period,
        version=version,
        made_by=document.made_by,
        made_at=made_at,
        reason=document.reason,
        body=document.body,
        folder=document.folder,
        files=msgspec.json.encode(document.files, order="deterministic").decode(),
    )


def _document(row: DocumentRow) -> Document:
    fields = {name: getattr(row, name) for name in Document.__struct_fields__}
    return msgspec.convert({**fields, "files": msgspec.json.decode(row.files)}, Document)


def _converted(row: object, kind: type[_T]) -> _T:
    return msgspec.convert({name: getattr(row, name) for name in kind.__struct_fields__}, kind)
