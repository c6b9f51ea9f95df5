"""The table of the site's records: slips, counts, reports and the like, each in versions."""

from __future__ import annotations

from sqlalchemy import Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from verifier.store.tables import Base


class SiteRecordRow(Base):
    """One version of a record. Never changed.

    `name` tells it from others of its kind and site, `day` is its day ("" for none), `body` its fields as JSON.
    `source` is the file's name and the place in it, `sha256` the digest of that file. A version that takes the record
    back has the body `null`, the reason as its source, and no digest.
    """

    __tablename__ = "site_records"
    __table_args__ = (UniqueConstraint("site", "kind", "name", "version"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    site: Mapped[str] = mapped_column(String(64), index=True)
    kind: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(200))
    version: Mapped[int] = mapped_column(Integer)
    day: Mapped[str] = mapped_column(String(10))
    table_name: Mapped[str] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    sha256: Mapped[str] = mapped_column(String(64))
    made_by: Mapped[str] = mapped_column(Text)
    made_at: Mapped[str] = mapped_column(String(32))
