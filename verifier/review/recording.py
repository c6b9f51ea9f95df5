"""Reviews one recording: watch, reconstruct, judge, gather evidence, store."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.observations import NamedHash, Observation, ObservationsHeader
from verifier.domain.rulebooks import Rulebook
from verifier.formats.events import read_events
from verifier.formats.house import read_house
from verifier.formats.layout import check_size, read_layout
from verifier.formats.observations import ObservationWriter, open_observations
from verifier.review.closer import Look, Span, confirmed
from verifier.review.evidence import NO_EVIDENCE, Evidence, gather
from verifier.review.originals import KEPT_ORIGINALS
from verifier.review.products import (
    KEPT_EVENTS,
    KEPT_FINDINGS,
    KEPT_OBSERVATIONS,
    coverage_of,
    keep_layout,
    keep_unconfirmed,
    new_findings,
    told,
    write_products,
)
from verifier.review.twins import Twin, as_twin, told_apart, twin_id
from verifier.review.watching import Eye, Notes, Watch
from verifier.store.database import home
from verifier.store.repository import Store, review_id
from verifier.store.values import ReviewRecord, StoredFinding
from verifier.vision.probe import Coverage, sha256_of

Progress = Callable[[str, float, float | None], None]
"""Told (stage, done, whole): seconds of media while watching, findings while gathering evidence."""

Mind = Callable[[Iterator[Observation], Layout, House, ObservationsHeader], EventLog]
Judge = Callable[[EventLog], FindingsReport]


class Stages(Struct, frozen=True):
    """The three stages of the chain, and how a stretch that a watch has passed is looked at from nearer."""

    eye: Eye
    mind: Mind
    judge: Judge
    closer: Callable[[Watch, Span], Watch | None] = lambda watch, span: None


class Reviewed(Struct, frozen=True, kw_only=True):
    """A finished review: where its files are, what was found, and how much of the recording was watched.

    `repeats` is the review of another table that has the same contents.
    """

    out: Path
    review: ReviewRecord
    report: FindingsReport
    findings: list[StoredFinding]
    coverage: Coverage
    repeats: Twin | None = None

    @property
    def exit_code(self) -> int:
        """3 done in part, 4 something to review, 0 nothing to review (docs/formats.md)."""
        if not self.coverage.complete:
            return 3
        return 4 if self.report.findings else 0


def _silent(stage: str, done: float, whole: float | None) -> None:
    """Tells nobody."""


def review_recording(
    video: Path,
    layout: Path,
    house: Path,
    out: Path,
    progress: Progress = _silent,
    *,
    day: str | None = None,
    rulebook: Rulebook | None = None,
    stages: Stages | None = None,
    store: Store | None = None,
) -> Reviewed:
    """Reviews `video` by its layout and house files, writes everything under `out`, and stores the review.

    `day` is the day of play (2026-11-17) for a recording whose own clock is not to be read; what the picture says goes
    before it. `rulebook` goes before the one that the house options name. Writes observations.jsonl, events.jsonl,
    findings.json, clips/ and stills/. Raises BadInput for input that cannot be used; a recording that is damaged in
    part is reviewed as far as it goes, with the gaps in `coverage`. Where clips or stills cannot be made (the recording
    or `out` is gone, no space is left), the review is stored without them before BadInput is raised.
    """
    table, options = read_layout(layout), read_house(house)
    if rulebook is not None:
        options = msgspec.structs.replace(options, rulebook=rulebook)
    chain = stages or _own_stages(layout)
    kept = store or Store()
    watch = chain.eye(video, table)
    if watch.header.video is None or watch.header.video.sha256 is None:
        raise BadInput(video, "has no hash to be known by", "review it from a file")
    check_size(watch.header.video, table, layout)
    out.mkdir(parents=True, exist_ok=True)
    notes = Notes()

    def tell(found: Iterable[Observation]) -> EventLog:
        return told(chain.mind(iter(found), table, options, watch.header), day=day)

    with ObservationWriter(out / "observations.jsonl", watch.header) as writer:
        passing = _passing(watch, writer, notes, progress)
        log = tell(passing)
        for _ in passing:  # whatever was not asked for is written all the same
            continue
    seen = partial(open_observations, out / "observations.jsonl")
    look = _looking(partial(chain.closer, watch), progress)
    made = confirmed(log, chain.judge, tell, seen, look)
    log, report = made.log, made.report
    write_products(out, log, report)
    keep_unconfirmed(out, made.unconfirmed)
    record = _record(watch, table, log, report, notes)
    path = str(video.resolve())
    name, repeats = told_apart(record.video_sha256, record.site, record.table, path, lambda n: as_twin(kept.review(n)))
    folder = home() / "evidence" / name
    record = msgspec.structs.replace(record, id=name, folder=str(folder), video_path=path)
    _keep(out, folder, table)
    keep_unconfirmed(folder, made.unconfirmed)
    try:
        evidence = _evidence(video, out, table, log, report, notes, progress)
        _keep_pictures(out, folder, evidence)
    except (BadInput, OSError) as error:
        kept.save_review(record, new_findings(report, [NO_EVIDENCE] * len(report.findings), log))
        raise _without_pictures(video, error) from error
    findings = kept.save_review(record, new_findings(report, evidence, log))
    return Reviewed(
        out=out, review=record, report=report, findings=findings, coverage=watch.coverage, repeats=repeats
    )  # fmt: skip


def _own_stages(layout: Path) -> Stages:
    """The models, the reconstruction and the law of this package; `layout` is named in the observations' header."""
    from verifier.law.judge import judge
    from verifier.reconstruct import reconstruct
    from verifier.vision.observe import Watch as OwnWatch
    from verifier.vision.observe import observe

    named = NamedHash(name=layout.name, sha256=sha256_of(layout))

    def closer(watch: Watch, span: Span) -> Watch | None:
        return watch.closer(*span) if isinstance(watch, OwnWatch) else None

    return Stages(lambda video, table: observe(video, table, layout_file=named), reconstruct, judge, closer)


def _looking(closer: Callable[[Span], Watch | None], progress: Progress) -> Look:
    """A closer look, told as it goes on: seconds looked at, of how many. None where it does not show all."""

    def look(span: Span) -> list[Observation] | None:
        watch = closer(span)
        if watch is None:
            return None
        seen = []
        for observation in watch:
            progress("looking closer", observation.t - span[0], span[1] - span[0])
            seen.append(observation)
        return seen if watch.coverage.complete else None

    return look


def _passing(watch: Watch, writer: ObservationWriter, notes: Notes, progress: Progress) -> Iterator[Observation]:
    whole = watch.header.video.duration if watch.header.video else None
    for seen in watch:
        writer.write(seen)
        notes.take(seen)
        progress("watching", seen.t, whole)
        yield seen


def _evidence(
    video: Path, out: Path, layout: Layout, log: EventLog, report: FindingsReport, notes: Notes, progress: Progress
) -> list[Evidence]:
    events = {event.id: event for event in log.events}
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        progress("gathering evidence", done, len(report.findings))

    seen = open_observations(out / "observations.jsonl")
    return gather(video, report.findings, events, seen, layout, notes.last_seen, out, tick)


def _keep(out: Path, folder: Path, layout: Layout) -> None:
    """Copies what the dashboard shows into the review's folder, so that it outlives `out`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / KEPT_ORIGINALS).unlink(missing_ok=True)  # of a review that had more files
    for name in (KEPT_EVENTS, KEPT_FINDINGS):
        shutil.copyfile(out / name, folder / name)
    with (out / "observations.jsonl").open("rb") as seen, gzip.open(folder / KEPT_OBSERVATIONS, "wb", 1) as packed:
        shutil.copyfileobj(seen, packed)
    keep_layout(folder, layout)


def _keep_pictures(out: Path, folder: Path, evidence: list[Evidence]) -> None:
    for name in [path for one in evidence for path in (one.clip, *one.stills) if path]:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(out / name, target)


def _without_pictures(video: Path, error: BadInput | OSError) -> BadInput:
    cause = f"its findings are stored, but their clips and stills could not be made ({error})"
    return BadInput(video, cause, "see that the recording and the output folder can be reached, and review it again")


def _record(watch: Watch, layout: Layout, log: EventLog, report: FindingsReport, notes: Notes) -> ReviewRecord:
    video, coverage = watch.header.video, watch.coverage
    assert video is not None and video.sha256 is not None
    return ReviewRecord(
        id=review_id(video.sha256),
        video_sha256=video.sha256,
        video_name=video.name,
        site=log.header.site or layout.site,
        table=log.header.table or layout.table,
        play_date=log.header.date,
        rulebook=report.rulebook,
        law_as_of=report.law_as_of,
        folder="",
        duration=coverage.recorded,
        reviewed_seconds=coverage.reviewed,
        coverage=coverage_of(coverage.share, coverage.complete),
        gaps=[(gap.start, gap.end, gap.cause) for gap in coverage.gaps],
        clock_start=notes.clock_start,
        clock_end=notes.clock_end,
    )


def read_review(out: Path, store: Store) -> ReviewRecord | None:
    """The stored review whose files lie in `out`, None where it is not stored; raises BadInput where there are none."""
    header = open_observations(out / "observations.jsonl").header
    if header.video is None or header.video.sha256 is None:
        raise BadInput(out, "its observations name no recording", "name the folder that verifier review wrote")
    sha256, log = header.video.sha256, read_events(out / KEPT_EVENTS).header
    return store.review(twin_id(sha256, log.site, log.table)) or store.review(review_id(sha256))
