"""The tables of the review room."""

from __future__ import annotations

from sqlalchemy import Boolean, Float, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from verifier.store.kept import passing, passing_table
from verifier.store.tables import Base


class AccountRow(Base):
    """A person who may sign in. `password` is an Argon2 hash, None where another service signs the person in."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    name: Mapped[str] = mapped_column(String(120), unique=True)
    full_name: Mapped[str] = mapped_column(Text)
    role: Mapped[str] = mapped_column(String(32))
    authority: Mapped[bool] = mapped_column(Boolean)
    password: Mapped[str | None] = mapped_column(Text)
    active: Mapped[bool] = mapped_column(Boolean)
    failures: Mapped[int] = mapped_column(Integer, info=passing("counts by itself, each with an entry of its own"))
    locked_until: Mapped[str | None] = mapped_column(String(32), info=passing("follows from the failures"))
    created_at: Mapped[str] = mapped_column(String(32))


class SessionRow(Base):
    """A signed-in browser; only the SHA-256 of its token is kept."""

    __tablename__ = "sessions"

    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    started_at: Mapped[str] = mapped_column(String(32))
    seen_at: Mapped[str] = mapped_column(String(32), info=passing("moves with every page"))


class HoldRow(Base):
    """Who judges a finding just now."""

    __tablename__ = "holds"
    __table_args__ = passing_table("who looks at a finding just now")

    finding_id: Mapped[str] = mapped_column(ForeignKey("findings.id"), primary_key=True)
    person: Mapped[str] = mapped_column(String(120))
    until: Mapped[str] = mapped_column(String(32))


class WatchedRow(Base):
    """What one person watched of a recording: `stretches` is JSON of [from, to] in seconds, apart and in order."""

    __tablename__ = "watched"
    __table_args__ = (UniqueConstraint("review_id", "person"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    review_id: Mapped[str] = mapped_column(ForeignKey("reviews.id"), index=True)
    person: Mapped[str] = mapped_column(String(120), index=True)
    stretches: Mapped[str] = mapped_column(Text)
    seconds: Mapped[float] = mapped_column(Float)
    position: Mapped[float] = mapped_column(Float)
    reported_at: Mapped[str] = mapped_column(String(32))


class WatchingRow(Base):
    """When a person's player told last, in whatever tab, and the seconds that are left over of its allowance."""

    __tablename__ = "watching"
    __table_args__ = passing_table("bounds the next report only, and by a constant whatever it holds")

    person: Mapped[str] = mapped_column(String(120), primary_key=True)
    told_at: Mapped[str] = mapped_column(String(32))
    left_over: Mapped[float] = mapped_column(Float)


class BookmarkRow(Base):
    __tablename__ = "bookmarks"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    review_id: Mapped[str] = mapped_column(ForeignKey("reviews.id"), index=True)
    t: Mapped[float] = mapped_column(Float)
    note: Mapped[str] = mapped_column(Text)
    person: Mapped[str] = mapped_column(String(120))
    made_at: Mapped[str] = mapped_column(String(32))


class SampleRow(Base):
    """A round shown blind; `flagged` tells whether the software had a finding there when it was drawn."""

    __tablename__ = "blind_samples"
    __table_args__ = (UniqueConstraint("review_id", "round", "person"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    review_id: Mapped[str] = mapped_column(ForeignKey("reviews.id"), index=True)
    round: Mapped[int] = mapped_column(Integer)
    t_start: Mapped[float] = mapped_column(Float)
    t_end: Mapped[float] = mapped_column(Float)
    flagged: Mapped[bool] = mapped_column(Boolean)
    person: Mapped[str] = mapped_column(String(120))
    answer: Mapped[str] = mapped_column(String(20))
    note: Mapped[str] = mapped_column(Text)
    answered_at: Mapped[str] = mapped_column(String(32))


class PolicyRow(Base):
    """A site's own choice, for example how fast a recording may be watched; the newest row holds."""

    __tablename__ = "site_policies"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    site: Mapped[str] = mapped_column(String(64), index=True)
    name: Mapped[str] = mapped_column(String(64))
    value: Mapped[str] = mapped_column(Text)
    set_by: Mapped[str] = mapped_column(String(120))
    set_at: Mapped[str] = mapped_column(String(32))
