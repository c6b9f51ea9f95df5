"""Appends to the audit log and reads it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from verifier.store.audit.chain import GENESIS, Deed, Head, Link, next_link
from verifier.store.audit.signing import Signer
from verifier.store.tables import AuditHeadRow, AuditRow


def append(session: Session, signer: Signer, deed: Deed) -> Link:
    """Adds a deed in the session's transaction. Call it first there: it takes the turn of writing."""
    session.execute(update(AuditHeadRow).values(seq=AuditHeadRow.seq + 1))
    seq, previous = session.execute(select(AuditHeadRow.seq, AuditHeadRow.hash)).one()
    link = next_link(seq, previous, deed, signer)
    session.add(_row(link, deed))
    session.execute(update(AuditHeadRow).values(hash=link.hash))
    return link


def read_links(
    session: Session, *, subject: str | None = None, act: str | None = None, from_seq: int = 1, limit: int | None = None
) -> list[Link]:
    """Links in order, from number `from_seq` on."""
    query = select(AuditRow).where(AuditRow.seq >= from_seq).order_by(AuditRow.seq)
    if subject is not None:
        query = query.where(AuditRow.subject == subject)
    if act is not None:
        query = query.where(AuditRow.act == act)
    return [_link(row) for row in session.scalars(query.limit(limit) if limit is not None else query)]


def read_head(session: Session) -> Head | None:
    """The log's head: the number and hash that the store remembers, with the newest link's signature.

    None before the first entry. Where the newest link is not the remembered one the signature does not fit.
    """
    seq, value = session.execute(select(AuditHeadRow.seq, AuditHeadRow.hash)).one()
    if value == GENESIS:
        return None
    newest = session.scalars(select(AuditRow).order_by(AuditRow.seq.desc()).limit(1)).one_or_none()
    return Head(seq=seq, hash=value, key=newest.key if newest else "", signature=newest.signature if newest else "")


def deed(at: str, actor: str, act: str, subject: str, detail: Mapping[str, object] | None) -> Deed:
    """A deed; the values of `detail` become texts."""
    texts = {name: str(value) for name, value in (detail or {}).items() if value is not None}
    return Deed(at=at, actor=actor, act=act, subject=subject, detail=texts)


def _row(link: Link, deed: Deed) -> AuditRow:
    return AuditRow(
        seq=link.seq,
        at=deed.at,
        actor=deed.actor,
        act=deed.act,
        subject=deed.subject,
        detail=msgspec.json.encode(deed.detail, order="deterministic").decode(),
        previous=link.previous,
        deed_sha256=link.deed_sha256,
        hash=link.hash,
        key=link.key,
        signature=link.signature,
    )


def _link(row: AuditRow) -> Link:
    detail = msgspec.json.decode(row.detail, type=dict[str, str])
    return Link(
        seq=row.seq,
        previous=row.previous,
        deed_sha256=row.deed_sha256,
        hash=row.hash,
        key=row.key,
        signature=row.signature,
        deed=Deed(at=row.at, actor=row.actor, act=row.act, subject=row.subject, detail=detail),
    )
