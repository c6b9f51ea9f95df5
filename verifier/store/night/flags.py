"""Shifts that stand out in the store: what of them is not reviewed yet is reviewed first."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import select

from verifier.store.papers import Papers
from verifier.store.repository import Store
from verifier.store.tables import FindingRow, ReviewRow


class FlaggedShift(Struct, frozen=True, kw_only=True):
    """A table's day of play and its recording; None where the store does not know."""

    site: str | None
    table: str | None
    day: str | None
    path: str


def flagged_shifts(store: Store) -> list[FlaggedShift]:
    """Shifts of which a person confirmed a finding, or whose recording is on legal hold."""
    held = _held(store)
    confirmed = select(FindingRow.review_id).where(FindingRow.decision == "confirmed", FindingRow.current)
    chosen = ReviewRow.id.in_(confirmed) | ReviewRow.id.in_(held)
    columns = ReviewRow.site, ReviewRow.table_name, ReviewRow.play_date, ReviewRow.video_path
    with store.reading() as session:
        rows = session.execute(select(*columns).where(chosen).order_by(ReviewRow.id)).all()
    return [FlaggedShift(site=site, table=table, day=day, path=path) for site, table, day, path in rows]


def _held(store: Store) -> list[str]:
    """Ids of the reviews whose recording or evidence is on hold now."""
    last = {act.item: act.act for act in Papers(store).retained()}
    ids = {item.partition("/")[2] for item, act in last.items() if act == "hold" and not item.startswith("document/")}
    return sorted(ids)
