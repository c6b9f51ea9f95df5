"""The tables of the night shift."""

from __future__ import annotations

from sqlalchemy import Float, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from verifier.store.kept import passing_table
from verifier.store.tables import Base


class NightJobRow(Base):
    """One job that is done; `body` is the job as JSON, the columns beside it are for looking it up."""

    __tablename__ = "night_jobs"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    night: Mapped[str] = mapped_column(String(32), index=True)
    site: Mapped[str | None] = mapped_column(String(64))
    table_name: Mapped[str | None] = mapped_column(String(64))
    review_id: Mapped[str | None] = mapped_column(String(64), index=True)
    state: Mapped[str] = mapped_column(String(16))
    attempts: Mapped[int] = mapped_column(Integer)
    recorded: Mapped[float] = mapped_column(Float)
    reviewed: Mapped[float] = mapped_column(Float)
    body: Mapped[str] = mapped_column(Text)
    finished_at: Mapped[str] = mapped_column(String(32))


class NightRunRow(Base):
    """One run of a night whose report goes to `folder`; `body` is what it came to, as JSON."""

    __tablename__ = "night_runs"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    night: Mapped[str] = mapped_column(String(32), index=True)
    folder: Mapped[str] = mapped_column(Text)
    body: Mapped[str] = mapped_column(Text)


class LeaseRow(Base):
    """Who works under a name, and until when nobody else may; `expires` is seconds since 1970."""

    __tablename__ = "leases"
    __table_args__ = passing_table("who works just now")

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    holder: Mapped[str] = mapped_column(String(200))
    expires: Mapped[float] = mapped_column(Float)
