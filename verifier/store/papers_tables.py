"""The tables of the paperwork: documents, roster, percent-of-hold figures, retention."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from verifier.store.tables import Base


class DocumentRow(Base):
    """One version of a document; `body` and `files` (name -> SHA-256) are JSON. Never changed."""

    __tablename__ = "documents"
    __table_args__ = (UniqueConstraint("kind", "site", "period", "version"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    kind: Mapped[str] = mapped_column(String(32))
    site: Mapped[str] = mapped_column(String(64))
    period: Mapped[str] = mapped_column(String(64))
    version: Mapped[int] = mapped_column(Integer)
    made_by: Mapped[str] = mapped_column(Text)
    made_at: Mapped[str] = mapped_column(String(32))
    reason: Mapped[str] = mapped_column(Text)
    body: Mapped[str] = mapped_column(Text)
    folder: Mapped[str] = mapped_column(Text)
    files: Mapped[str] = mapped_column(Text)


class RosterRow(Base):
    """One person's duty on a shift."""

    __tablename__ = "roster"

    site: Mapped[str] = mapped_column(String(64), primary_key=True)
    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    shift: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(120), primary_key=True)
    duty: Mapped[str] = mapped_column(String(64), primary_key=True)


class HoldFigureRow(Base):
    """One dealer's day; a correction is a further row that names the one it `replaces`."""

    __tablename__ = "hold_figures"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    site: Mapped[str] = mapped_column(String(64), index=True)
    day: Mapped[str] = mapped_column(String(10))
    game: Mapped[str] = mapped_column(String(32))
    dealer: Mapped[str] = mapped_column(String(120))
    gross_cents: Mapped[int] = mapped_column(BigInteger)
    prizes_cents: Mapped[int] = mapped_column(BigInteger)
    entered_by: Mapped[str] = mapped_column(Text)
    entered_at: Mapped[str] = mapped_column(String(32))
    replaces: Mapped[int | None] = mapped_column(ForeignKey("hold_figures.id"))


class RetentionRow(Base):
    """A person's act on something that is kept: hold, release or purge."""

    __tablename__ = "retention_acts"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    act: Mapped[str] = mapped_column(String(16))
    item: Mapped[str] = mapped_column(String(160), index=True)
    reason: Mapped[str] = mapped_column(Text)
    actor: Mapped[str] = mapped_column(Text)
    at: Mapped[str] = mapped_column(String(32))
