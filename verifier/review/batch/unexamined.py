"""What is said of a file that could not even be examined."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Final

from verifier.domain.names import shown
from verifier.review.batch.tasks import Examine, Failed
from verifier.review.pipeline.places import place_of
from verifier.review.pipeline.values import Source
from verifier.store.night.journal import JobRecord

_CAUSES: Final = {
    "hung": "the decoder hangs when it opens the file",
    "memory": "opening the file needs too much memory",
    "killed": "opening the file ends the program",
}


def hashing_only(task: Examine, failed: Failed) -> Examine | None:
    """Return the task that only hashes a file whose contents are to blame; None if they are not, or hashing
    failed.
    """
    cause = _CAUSES.get(failed.kind)
    return None if cause is None or task.cause is not None else Examine(task.source, cause)


def failed_source(source: Source, night: str, failed: Failed, attempts: int) -> JobRecord:
    """Return the journal's entry of a file that could not be reached, is no recording, or changes while it is
    looked at.
    """
    site, table = place_of(source)
    cause = line_of(failed.cause)
    return JobRecord(
        key=hashlib.sha256(f"unreached {source.path}".encode()).hexdigest(),
        night=night,
        site=site,
        table=table,
        names=[source.path.rpartition("/")[2]],
        review_id=None,
        state="waiting" if failed.kind == "changed" else "failed",
        cause=cause,
        attempts=attempts,
        recorded=0.0,
        reviewed=0.0,
        clock_start=source.start,
        clock_end=None,
        findings={},
        unwatched=[(source.start or "?", "?", cause)],
        finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def line_of(cause: str) -> str:
    """Return the last line of a cause: of a traceback, what went wrong."""
    return shown(cause.strip().splitlines()[-1]) if cause.strip() else "unknown"
