"""Rows of the tables to frozen values and back."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import msgspec

from verifier.domain.findings import Finding
from verifier.store.home import home
from verifier.store.kept import EVIDENCE
from verifier.store.tables import FindingRow, ReviewRow, VerdictRow
from verifier.store.values import Decision, ReviewRecord, StoredFinding, VerdictRecord


def review_row(review: ReviewRecord, now: str) -> ReviewRow:
    """Return a row for a review, stamped with `now`."""
    fields = msgspec.structs.asdict(review)
    fields["table_name"] = fields.pop("table")
    fields["gaps"] = msgspec.json.encode(review.gaps).decode()
    fields["reviewed_at"] = now
    return ReviewRow(**fields)


def review_of(row: ReviewRow) -> ReviewRecord:
    """Return the review of a row."""
    fields = {name: getattr(row, name, None) for name in ReviewRecord.__struct_fields__}
    fields["table"] = row.table_name
    fields["folder"] = folder_now(row.id, row.folder)
    fields["gaps"] = msgspec.json.decode(row.gaps, type=list[tuple[float, float | None, str]])
    return msgspec.convert(fields, ReviewRecord)


def folder_now(review_id: str, folder: str) -> str:
    """Where a review's evidence lies: in this data folder where it is there, not in the one that was moved or copied.

    The deeds name files by their place in the data folder, so that another copy is not compared with them.
    """
    told, here = Path(folder), home() / EVIDENCE / review_id
    moved = (told.parent.name, told.name) == (EVIDENCE, review_id) and told != here and here.is_dir()
    return str(here) if moved else folder


def finding_of(row: FindingRow) -> StoredFinding:
    """Return the stored finding of a row."""
    return StoredFinding(
        id=row.id,
        review_id=row.review_id,
        seq=row.seq,
        current=row.current,
        finding=msgspec.json.decode(row.body, type=Finding),
        clip=row.clip,
        stills=msgspec.json.decode(row.stills, type=list[str]),
        dealer=row.dealer,
        origin=row.origin,
    )


def verdict_of(row: VerdictRow) -> VerdictRecord:
    """Return the verdict of a row."""
    return VerdictRecord(
        id=row.id,
        finding_id=row.finding_id,
        decision=cast(Decision, row.decision),
        reviewer=row.reviewer,
        note=row.note,
        decided_at=row.decided_at,
        reason=row.reason,
        seen=row.seen,
    )
