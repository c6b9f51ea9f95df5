"""What is said of a file that could not even be examined."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from verifier.recording.probe import sha256_of
from verifier.review.batch.tasks import Failed
from verifier.review.batch.values import Facts, Source
from verifier.store.night.journal import JobRecord

_CAUSES: Final = {
    "hung": "the decoder hangs when it opens the file",
    "memory": "opening the file needs too much memory",
    "killed": "opening the file ends the program",
}


def facts_without(source: Source, failed: Failed) -> Facts | None:
    """Facts of a file whose contents are to blame, with its hash; None where something else is, or it is gone."""
    if failed.kind not in _CAUSES:
        return None
    path = Path(source.path)
    try:
        stat, sha256 = path.stat(), sha256_of(path)
    except OSError:
        return None
    return Facts(
        path=source.path, sha256=sha256, bytes=stat.st_size, modified_ns=stat.st_mtime_ns, kept="", clock=source.start,
        error=_CAUSES[failed.kind],
    )  # fmt: skip


def failed_source(source: Source, night: str, failed: Failed, attempts: int) -> JobRecord:
    """The journal's entry of a file that could not be reached."""
    cause = failed.cause.strip().splitlines()[-1]
    return JobRecord(
        key=hashlib.sha256(f"unreached {source.path}".encode()).hexdigest(), night=night, site=source.site,
        table=source.table, names=[Path(source.path).name], review_id=None, state="failed", cause=cause,
        attempts=attempts, recorded=0.0, reviewed=0.0, clock_start=source.start, clock_end=None, findings={},
        unwatched=[(source.start or "?", "?", cause)], finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )  # fmt: skip
