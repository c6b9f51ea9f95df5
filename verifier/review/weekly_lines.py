"""The lines of the weekly document: tables, findings, what silent video does not show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from verifier.domain.findings import ClauseVerdict, Finding
from verifier.domain.rulebooks import described, named
from verifier.formats.findings import read_findings
from verifier.law.assessed import PERMISSIONS
from verifier.law.catalogue import Clause, by_id
from verifier.law.sentences import capital
from verifier.review.products import KEPT_FINDINGS
from verifier.review.queue import QueueItem
from verifier.review.weekly_values import NotAssessed, TableWeek, WeekFinding
from verifier.review.wording import accusation, accused_at, clock_text, plain_certainty
from verifier.store.values import ReviewRecord


def table_line(review: ReviewRecord) -> TableWeek:
    """Return the line of a recording."""
    return TableWeek(
        table=review.table or "?",
        date=review.play_date or "?",
        start=(review.clock_start or "not read").replace("T", " "),
        end=(review.clock_end or "not read").replace("T", " "),
        recording=review.video_name,
        sha256=review.video_sha256,
        machine_minutes=round(review.reviewed_seconds / 60, 1),
        coverage=review.coverage,
        gaps=[
            f"{start:.1f} s to {'the end' if end is None else f'{end:.1f} s'}: {why}" for start, end, why in review.gaps
        ],
        rulebook=described(review.rulebook, review.law_as_of),
    )


def finding_line(item: QueueItem) -> WeekFinding:
    """Return the line of a finding, with the newest decision."""
    finding, last = item.stored.finding, item.verdicts[-1] if item.verdicts else None
    shown = finding.worded_now()
    return WeekFinding(
        id=item.stored.id,
        table=item.review.table or "?",
        date=item.review.play_date or "?",
        clause=finding.clause,
        cite=finding.cite,
        title=finding.title,
        round="" if finding.round is None else str(finding.round),
        at=finding.at or "",
        time=_when(finding, item.review),
        verdict=finding.verdict,
        severity=finding.severity,
        certainty=plain_certainty(finding, item.stored.origin),
        corrected="yes" if finding.corrected else "no",
        expected=capital(shown.expected),
        observed=capital(shown.observed),
        decision=item.state,
        decided_by=last.reviewer if last else "",
        decided_at=last.decided_at if last else "",
        note=last.note if last else "",
        rulebook=named(item.review.rulebook),
        says=accusation(finding),
    )


def _when(finding: Finding, review: ReviewRecord) -> str:
    """When the accusation begins by the table's clock; where that is not known, how far into which file."""
    shown = accused_at(finding, review.clock_start)
    return shown.strftime("%Y-%m-%d %H:%M:%S") if shown is not None else _into(finding.t_start, review)


def _into(seconds: float, review: ReviewRecord) -> str:
    """Return the words for a moment whose clock is not known: `1:43 into video.mp4`."""
    return f"{clock_text(None, seconds)} into {review.video_name}"


_CHANNELS = {
    "audio": "speech (a transcript tells it)",
    "records": "paper and other records",
    "manual": "a person's check",
    "video": "something else than the picture showed",
}


def not_assessed(reviews: Sequence[ReviewRecord]) -> list[NotAssessed]:
    """How many clauses no review of the week could judge, by what they would need; permissions need nothing.

    Of clauses that a review's findings do not name (they may be gone) those count that need more than silent video.
    """
    open_ = [{(one.rulebook, clause) for clause in _open_in(one)} for one in reviews]
    judged = [_judged_in(one) for one in reviews]
    left = {(book, name) for book, name in set().union(*open_) - set().union(*judged) if name not in PERMISSIONS}
    channels = Counter(_channel(by_id(rulebook)[clause]) for rulebook, clause in left)
    return [NotAssessed(channel=_CHANNELS[name], clauses=channels[name]) for name in _CHANNELS if channels[name]]


def _channel(clause: Clause) -> str:
    if clause.attested is not None:
        return "manual"
    return "video" if clause.observability.startswith("video") else clause.observability


def _rows(review: ReviewRecord) -> list[ClauseVerdict]:
    """Return what the law says of each clause in a review; nothing where its findings are gone."""
    path = Path(review.folder) / KEPT_FINDINGS
    return read_findings(path).clauses if path.is_file() else []


def _open_in(review: ReviewRecord) -> set[str]:
    known, rows = by_id(review.rulebook), _rows(review)
    untold = known.keys() - {row.clause for row in rows}
    left = {row.clause for row in rows if row.verdict == "not_assessed"}
    return (left & known.keys()) | {one for one in untold if not known[one].observability.startswith("video")}


def _judged_in(review: ReviewRecord) -> set[tuple[str, str]]:
    told = ("pass", "violation", "undetermined")
    return {(review.rulebook, row.clause) for row in _rows(review) if row.verdict in told}
