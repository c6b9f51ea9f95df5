"""The tables of the store as SQLAlchemy sees them; `migrations/` creates them."""

from __future__ import annotations

from sqlalchemy import Boolean, Float, ForeignKey, Index, Integer, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from verifier.store.kept import passing_table

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)


class ReviewRow(Base):
    __tablename__ = "reviews"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    video_sha256: Mapped[str] = mapped_column(String(64))
    video_name: Mapped[str] = mapped_column(Text)
    site: Mapped[str | None] = mapped_column(String(64), index=True)
    table_name: Mapped[str | None] = mapped_column(String(64))
    play_date: Mapped[str | None] = mapped_column(String(10), index=True)
    rulebook: Mapped[str] = mapped_column(String(32))
    law_as_of: Mapped[str] = mapped_column(String(10))
    folder: Mapped[str] = mapped_column(Text)
    duration: Mapped[float | None] = mapped_column(Float)
    reviewed_seconds: Mapped[float] = mapped_column(Float)
    coverage: Mapped[float] = mapped_column(Float)
    gaps: Mapped[str] = mapped_column(Text)
    clock_start: Mapped[str | None] = mapped_column(String(32))
    clock_end: Mapped[str | None] = mapped_column(String(32))
    reviewed_at: Mapped[str] = mapped_column(String(32))
    video_path: Mapped[str] = mapped_column(Text, default="")
    superseded_by: Mapped[str | None] = mapped_column(String(64))


class FindingRow(Base):
    """`body` is the finding as JSON; the columns beside it are for looking it up.

    `urgency` rises as a finding can wait, `origin` is software or person, `decision` and `decided_by` repeat the newest
    verdict.
    """

    __tablename__ = "findings"
    __table_args__ = (
        Index("ix_findings_urgency", "urgency", "id"),
        Index("ix_findings_decision", "decision", "urgency", "id"),
        Index("ix_findings_counts", "decision", "current", "review_id"),
    )

    id: Mapped[str] = mapped_column(String(80), primary_key=True)
    review_id: Mapped[str] = mapped_column(ForeignKey("reviews.id"), index=True)
    seq: Mapped[int] = mapped_column(Integer)
    digest: Mapped[str] = mapped_column(String(64), index=True)
    current: Mapped[bool] = mapped_column(Boolean)
    clause: Mapped[str] = mapped_column(String(120), index=True)
    verdict: Mapped[str] = mapped_column(String(20))
    body: Mapped[str] = mapped_column(Text)
    clip: Mapped[str | None] = mapped_column(Text)
    stills: Mapped[str] = mapped_column(Text)
    urgency: Mapped[int] = mapped_column(Integer)
    dealer: Mapped[str | None] = mapped_column(String(120), index=True)
    origin: Mapped[str] = mapped_column(String(16), default="software")
    decision: Mapped[str] = mapped_column(String(20), default="open")
    decided_by: Mapped[str | None] = mapped_column(Text)


class VerdictRow(Base):
    __tablename__ = "verdicts"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    finding_id: Mapped[str] = mapped_column(ForeignKey("findings.id"), index=True)
    decision: Mapped[str] = mapped_column(String(20))
    reviewer: Mapped[str] = mapped_column(Text)
    note: Mapped[str] = mapped_column(Text)
    decided_at: Mapped[str] = mapped_column(String(32))
    reason: Mapped[str] = mapped_column(String(32), default="")
    seen: Mapped[bool | None] = mapped_column(Boolean)


class AuditRow(Base):
    """One link of the audit log; `detail`, `made` and `marks` are JSON objects of texts."""

    __tablename__ = "audit_log"
    __table_args__ = passing_table("the chain answers for itself")

    seq: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    at: Mapped[str] = mapped_column(String(32))
    actor: Mapped[str] = mapped_column(Text)
    act: Mapped[str] = mapped_column(String(32))
    subject: Mapped[str] = mapped_column(String(120), index=True)
    detail: Mapped[str] = mapped_column(Text)
    made: Mapped[str] = mapped_column(Text, server_default="{}")
    marks: Mapped[str] = mapped_column(Text, server_default="{}")
    previous: Mapped[str] = mapped_column(String(64))
    deed_sha256: Mapped[str] = mapped_column(String(64))
    hash: Mapped[str] = mapped_column(String(64))
    key: Mapped[str] = mapped_column(String(64))
    signature: Mapped[str] = mapped_column(String(128))


class AuditHeadRow(Base):
    """The one row that tells where the audit log ends; whoever writes takes it first."""

    __tablename__ = "audit_head"
    __table_args__ = passing_table("the chain answers for it")

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    seq: Mapped[int] = mapped_column(Integer)
    hash: Mapped[str] = mapped_column(String(64))
