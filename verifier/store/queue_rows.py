"""The table (of the database) that holds the queue of reviews that were asked for in the dashboard."""

from __future__ import annotations

from sqlalchemy import Boolean, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from verifier.store.kept import passing
from verifier.store.tables import Base

_RUNS = "how far the work is; what came of it is the review itself"


class OrderedReviewRow(Base):
    """A review that somebody asked for; `order` and `progress` are JSON."""

    __tablename__ = "ordered_reviews"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    state: Mapped[str] = mapped_column(String(16), index=True, info=passing(_RUNS))
    asked_by: Mapped[str] = mapped_column(String(120))
    asked_at: Mapped[str] = mapped_column(String(32))
    order: Mapped[str] = mapped_column(Text)
    progress: Mapped[str] = mapped_column(Text, info=passing(_RUNS))
    cancelled: Mapped[bool] = mapped_column(Boolean, info=passing(_RUNS))
    changed_at: Mapped[str] = mapped_column(String(32), info=passing(_RUNS))
