"""The tables (of the database) that hold the gaming floor: gaming tables, and the versions of what is known of them."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from verifier.store.tables import Base


class GamingTableRow(Base):
    """A gaming table. Its recordings lie below `folder`, where that is told."""

    __tablename__ = "gaming_tables"
    __table_args__ = (UniqueConstraint("site", "table_name"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    site: Mapped[str] = mapped_column(String(64), index=True)
    table_name: Mapped[str] = mapped_column(String(64))
    folder: Mapped[str] = mapped_column(Text)


class TableVersionRow(Base):
    """Layout, house options or own cards of a table; `body` is JSON, `valid_from` a day, "" ever. Never changed."""

    __tablename__ = "gaming_table_versions"
    __table_args__ = (UniqueConstraint("table_id", "kind", "version"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("gaming_tables.id"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    version: Mapped[int] = mapped_column(Integer)
    valid_from: Mapped[str] = mapped_column(String(10))
    body: Mapped[str] = mapped_column(Text)
    sha256: Mapped[str] = mapped_column(String(64))
    made_by: Mapped[str] = mapped_column(Text)
    made_at: Mapped[str] = mapped_column(String(32))
    reason: Mapped[str] = mapped_column(Text)


class AllowedFolderRow(Base):
    """A folder from which recordings may be reviewed in the dashboard; `site` is whose they are, "" where not told."""

    __tablename__ = "allowed_folders"

    path: Mapped[str] = mapped_column(Text, primary_key=True)
    site: Mapped[str] = mapped_column(String(64))
    added_by: Mapped[str] = mapped_column(Text)
    added_at: Mapped[str] = mapped_column(String(32))
