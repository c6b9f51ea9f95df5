"""Makes the review of a reel from its checkpoints: events, findings, evidence, and the account of what was watched."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from verifier.domain.findings import FindingsReport
from verifier.domain.observations import Observation, ObservationsHeader, VideoInfo
from verifier.formats.findings import write_findings
from verifier.formats.house import read_house
from verifier.formats.layout import read_layout
from verifier.law.catalogue import text_date
from verifier.review.batch.account import Sightings, between_parts, findings_of, merged
from verifier.review.batch.chain import Chain
from verifier.review.batch.evidence import gather_reel
from verifier.review.batch.folders import Folders, whole_file
from verifier.review.batch.plan import segments_of
from verifier.review.batch.seams import Run, join
from verifier.review.batch.segments import Beat, read_head, read_segment
from verifier.review.batch.urgent import place_of
from verifier.review.batch.values import Reel, Unwatched
from verifier.review.originals import KEPT_ORIGINALS, Original
from verifier.review.products import (
    KEPT_FINDINGS,
    KEPT_OBSERVATIONS,
    coverage_of,
    keep_layout,
    new_findings,
    told,
    write_products,
)
from verifier.store.database import home
from verifier.store.values import NewFinding, ReviewRecord

_RULEBOOK = "nd-twenty-one"


class Concluded(Struct, frozen=True, kw_only=True):
    """A review about to be stored. `retired` are reviews that it replaces."""

    review: ReviewRecord
    found: list[NewFinding]
    unwatched: list[Unwatched]
    retired: list[str]

    @property
    def nothing(self) -> bool:
        """Whether nothing at all could be watched."""
        return any(gap.start == 0.0 and gap.end is None for gap in self.unwatched)


def conclude(reel: Reel, config: str, length: float, chain: Chain, folders: Folders, beat: Beat) -> Concluded:
    """Reconstructs, judges and gathers the evidence of a reel whose segments have all been watched or given up."""
    layout, house = read_layout(Path(reel.source.layout or "")), read_house(Path(reel.source.house or ""))
    out = home() / "evidence" / reel.review_id
    for stale in out.glob(".*.part"):  # of a run that was killed here
        stale.unlink()
    sight, header = Sightings(), _header(reel, config, length, folders)
    with whole_file(out / KEPT_OBSERVATIONS, packed=True) as kept:
        kept.write(msgspec.json.encode(header) + b"\n")
        stream = _noted(joined(reel, config, length, folders), sight, kept, beat)
        log = chain.mind(stream, layout, house, header)
        for _ in stream:  # the account needs what the reconstruction did not ask for
            continue
    log = told(log, site=reel.source.site, table=reel.source.table, day=reel.clock[:10] if reel.clock else None)
    lost = [*_lost(reel, config, length, folders), *between_parts(reel)]
    unwatched = merged([*lost, *sight.unusable()])
    report = _with(chain.judge(log), reel, unwatched, sight)
    keep_layout(out, layout)
    write_products(out, log, report)
    _keep_originals(reel, out)
    again = partial(joined, reel, config, length, folders)
    evidence = gather_reel(reel, report.findings, log, again, layout, lost, out, beat)
    found = new_findings(report, evidence, log)
    return _concluded(reel, report, found, unwatched, sight, log.header.date, out)


def conclude_unusable(reel: Reel, cause: str) -> Concluded:
    """The review of a recording that cannot be watched at all: nothing of it counts as clean."""
    unwatched = [Unwatched(start=0.0, end=None, cause=cause)]
    report = FindingsReport(
        rulebook=_RULEBOOK, law_as_of=text_date(_RULEBOOK), summary={}, findings=[], clauses=[]
    )  # fmt: skip
    report = _with(report, reel, unwatched, Sightings())
    out = home() / "evidence" / reel.review_id
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    write_findings(out / KEPT_FINDINGS, report)
    found = [NewFinding(finding=finding) for finding in report.findings]
    day = reel.clock[:10] if reel.clock else None
    return _concluded(reel, report, found, unwatched, Sightings(), day, out)


def _keep_originals(reel: Reel, out: Path) -> None:
    """Writes down which file shows what, for the pages that show frames of the originals."""
    files = [
        Original(
            path=part.facts.path, sha256=part.facts.sha256, at=part.at,
            begin=part.at + part.begin, end=part.at + part.end,
        )
        for part in reel.parts
    ]  # fmt: skip
    with whole_file(out / KEPT_ORIGINALS) as stream:
        stream.write(msgspec.json.encode(files))


def joined(reel: Reel, config: str, length: float, folders: Folders) -> Iterator[Observation]:
    """What was seen in the whole reel, in the reel's time."""
    return join(_runs(reel, config, length, folders))


def _runs(reel: Reel, config: str, length: float, folders: Folders) -> Iterator[Run]:
    frames = 0
    for part in reel.parts:
        for segment in segments_of(part, length):
            seen = read_segment(folders.segment(part.facts, config, segment))
            yield Run(seen, part.at, frames, part.at + segment.begin)
        frames += round(part.facts.seconds * 1000)


def _header(reel: Reel, config: str, length: float, folders: Folders) -> ObservationsHeader:
    """The header of the joined observations; a recording of which nothing was watched has a bare one."""
    for part in reel.parts:
        for segment in segments_of(part, length):
            header = read_head(folders.segment(part.facts, config, segment)).header
            if header is not None:
                return header
    facts = reel.parts[0].facts
    return ObservationsHeader(
        video=VideoInfo(name=reel.names[0], sha256=facts.sha256, width=facts.width, height=facts.height)
    )


def _lost(reel: Reel, config: str, length: float, folders: Folders) -> Iterator[Unwatched]:
    """What could not be decoded, in the reel's time."""
    for part in reel.parts:
        for segment in segments_of(part, length):
            for start, end, cause in read_head(folders.segment(part.facts, config, segment)).gaps:
                yield Unwatched(start=part.at + start, end=part.at + end, cause=cause)


def _noted(stream: Iterator[Observation], sight: Sightings, kept: IO[bytes], beat: Beat) -> Iterator[Observation]:
    """Passes the observations on, to the account and to the file that the dashboard reads too."""
    for seen in stream:
        sight.take(seen)
        kept.write(msgspec.json.encode(seen) + b"\n")
        beat(seen.t)
        yield seen


def _with(report: FindingsReport, reel: Reel, unwatched: Sequence[Unwatched], sight: Sightings) -> FindingsReport:
    """The report with the findings of the account."""
    more = findings_of(reel, report.rulebook, unwatched, sight.jumps, report.findings)
    findings = sorted([*report.findings, *more], key=lambda f: (f.t_start, f.clause, f.at or ""))
    counts = Counter(finding.verdict for finding in findings)
    summary = {**report.summary, "violation": counts["violation"], "undetermined": counts["undetermined"]}
    return msgspec.structs.replace(report, findings=findings, summary=summary)


def _concluded(
    reel: Reel,
    report: FindingsReport,
    found: list[NewFinding],
    unwatched: list[Unwatched],
    sight: Sightings,
    day: str | None,
    out: Path,
) -> Concluded:
    missed = sum((reel.end if gap.end is None else gap.end) - gap.start for gap in unwatched)
    recorded = reel.end if reel.usable else None
    reviewed = max(0.0, reel.end - missed)
    share = reviewed / recorded if recorded else 0.0
    site, table = place_of(reel.source)
    record = ReviewRecord(
        id=reel.review_id,
        video_sha256=reel.parts[0].facts.sha256,
        video_name=" + ".join(reel.names),
        site=site,
        table=table,
        play_date=day,
        rulebook=report.rulebook,
        law_as_of=report.law_as_of,
        folder=str(out),
        duration=recorded,
        reviewed_seconds=round(reviewed, 3),
        coverage=coverage_of(share, not unwatched),
        gaps=[(gap.start, gap.end, gap.cause) for gap in unwatched],
        clock_start=sight.clock_start or reel.clock,
        clock_end=sight.clock_end or reel.clock_at(reel.end),
        video_path=reel.parts[0].facts.path,
    )
    others = [part.facts.sha256[:12] for part in reel.parts[1:]]
    return Concluded(review=record, found=found, unwatched=unwatched, retired=others)
