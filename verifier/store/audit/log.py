"""Appends to the audit log and reads it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

import msgspec
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from verifier.domain.errors import BadInput
from verifier.store.audit.chain import GENESIS, Deed, Head, Link, next_link
from verifier.store.audit.signing import Signer
from verifier.store.kept import Made
from verifier.store.tables import AuditHeadRow, AuditRow, ReviewRow

SKEW_S: Final = 300.0
"""Seconds by which the clocks of computers that share a database may differ: Kerberos's usual limit (RFC 4120, 8.2)."""
_TEXTS: Final = msgspec.json.Decoder(dict[str, str])


def take_turn(session: Session) -> tuple[int, str]:
    """Take the turn of writing, which lasts as long as the transaction; give the number of the next entry and the hash
    before it. Raises BadInput where the log has no head, or more than one: nothing can be appended to it.
    """
    session.execute(update(AuditHeadRow).values(seq=AuditHeadRow.seq + 1))
    heads = session.execute(select(AuditHeadRow.seq, AuditHeadRow.hash)).all()
    if len(heads) != 1:
        cause = f"has {len(heads)} heads instead of one: the database was changed by other hands"
        raise BadInput("the audit log", cause, "see verifier evidence log; put the database back from a backup")
    seq, previous = heads[0]
    return seq, previous


def append(session: Session, signer: Signer, deed: Deed, turn: tuple[int, str]) -> Link:
    """Add a deed in the transaction that took this turn."""
    link = next_link(*turn, deed, signer)
    session.add(_row(link, deed))
    session.execute(update(AuditHeadRow).values(hash=link.hash))
    return link


def dated(session: Session, seq: int, now: str) -> str:
    """Return the time of an entry: now, or that of the entry before it where the clock is a little behind that.

    Computers that share a database differ by moments; a clock that was set back further shows as it is.
    """
    before = session.scalar(select(AuditRow.at).where(AuditRow.seq == seq - 1))
    if before is None or now >= before:
        return now
    try:
        behind = datetime.fromisoformat(before) - datetime.fromisoformat(now)
    except (ValueError, TypeError):
        return now
    return before if behind <= timedelta(seconds=SKEW_S) else now


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
    """Return the log's head: the number and hash that the store remembers, with the newest link's signature.

    None before the first entry, and where the row was taken away. Of several rows the furthest counts; that there are
    several is told by `schema_faults`. Where the newest link is not the remembered one the signature does not fit.
    """
    heads = session.execute(select(AuditHeadRow.seq, AuditHeadRow.hash).order_by(AuditHeadRow.seq.desc())).all()
    if not heads or heads[0].hash == GENESIS:
        return None
    seq, value = heads[0]
    newest = session.scalars(select(AuditRow).order_by(AuditRow.seq.desc()).limit(1)).one_or_none()
    return Head(seq=seq, hash=value, key=newest.key if newest else "", signature=newest.signature if newest else "")


def newest_link(session: Session, at: int | None = None) -> Link | None:
    """Return the newest entry, or entry number `at`; None where there is none."""
    query = select(AuditRow).order_by(AuditRow.seq.desc()).limit(1)
    row = session.scalar(query if at is None else query.where(AuditRow.seq == at))
    return None if row is None else _link(row)


def before_digests(session: Session) -> bool:
    """Tell whether something is kept, and no deed of it holds a digest: the database is of a version before."""
    if session.scalar(select(AuditRow.seq).where(AuditRow.made != "{}").limit(1)) is not None:
        return False
    if session.scalar(select(AuditRow.seq).limit(1)) is not None:
        return True
    return session.scalar(select(ReviewRow.id).limit(1)) is not None


def deed(at: str, actor: str, act: str, subject: str, detail: Mapping[str, object] | None, made: Made) -> Deed:
    """Return a deed. The values of `detail` become texts."""
    texts = {name: str(value) for name, value in (detail or {}).items() if value is not None}
    return Deed(at=at, actor=actor, act=act, subject=subject, detail=texts, made=made.digests, marks=made.marks)


def _row(link: Link, deed: Deed) -> AuditRow:
    return AuditRow(
        seq=link.seq,
        at=deed.at,
        actor=deed.actor,
        act=deed.act,
        subject=deed.subject,
        detail=msgspec.json.encode(deed.detail, order="deterministic").decode(),
        made=msgspec.json.encode(deed.made, order="deterministic").decode(),
        marks=msgspec.json.encode(deed.marks, order="deterministic").decode(),
        previous=link.previous,
        deed_sha256=link.deed_sha256,
        hash=link.hash,
        key=link.key,
        signature=link.signature,
    )


def _link(row: AuditRow) -> Link:
    return Link(
        seq=row.seq,
        previous=row.previous,
        deed_sha256=row.deed_sha256,
        hash=row.hash,
        key=row.key,
        signature=row.signature,
        deed=Deed(
            at=row.at,
            actor=row.actor,
            act=row.act,
            subject=row.subject,
            detail=_texts(row.detail),
            made=_texts(row.made),
            marks=_texts(row.marks),
        ),
    )


def _texts(column: str) -> dict[str, str]:
    """Return a JSON object of texts, written as it is here. Another was put there by other hands and fits no hash.

    JSON may name a field twice, of which every reader takes another.
    """
    try:
        found = _TEXTS.decode(column)
        if msgspec.json.encode(found, order="deterministic") == column.encode():
            return found
    except (msgspec.MsgspecError, UnicodeError, TypeError, AttributeError, RecursionError):
        pass
    return {"unreadable": repr(column)}
