"""Reviews one recording: watch, reconstruct, judge, gather evidence, store."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.names import path_text
from verifier.domain.observations import Observation
from verifier.domain.rulebooks import Rulebook
from verifier.formats.events import read_events
from verifier.formats.house import read_house
from verifier.formats.layout import check_size, read_layout
from verifier.formats.observations import ObservationWriter, open_observations
from verifier.review.closer import Confirmed, confirmed
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
from verifier.review.stages import Stages, own_stages
from verifier.review.twins import Twin, as_twin, told_apart, twin_id
from verifier.review.watching import Notes, Progress, Watch, looking, passing
from verifier.store.database import home
from verifier.store.repository import Store, review_id
from verifier.store.values import ReviewRecord, StoredFinding
from verifier.vision.probe import Coverage

Tell = Callable[[Iterable[Observation]], EventLog]


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
    table, options = read_layout(layout), _options(house, rulebook)
    chain, kept, notes = stages or own_stages(layout), store or Store(), Notes()
    watch = _opened(chain, video, table, layout)
    out.mkdir(parents=True, exist_ok=True)
    tell = _telling(chain, table, options, watch, day)
    log = _watched(watch, tell, out, notes, progress)
    seen = partial(open_observations, out / "observations.jsonl")
    made = confirmed(log, chain.judge, tell, seen, looking(partial(chain.closer, watch), progress))
    write_products(out, made.log, made.report)
    keep_unconfirmed(out, made.unconfirmed)
    record, repeats = _told_apart(_record(watch, table, made, notes), video, kept)
    _keep(out, Path(record.folder), table, made)
    gathered = partial(_evidence, video, out, record, table, made, notes, progress)
    findings = _stored(kept, video, record, made, gathered)
    return Reviewed(
        out=out, review=record, report=made.report, findings=findings, coverage=watch.coverage, repeats=repeats
    )  # fmt: skip


def _options(house: Path, rulebook: Rulebook | None) -> House:
    options = read_house(house)
    return options if rulebook is None else msgspec.structs.replace(options, rulebook=rulebook)


def _opened(chain: Stages, video: Path, table: Layout, layout: Path) -> Watch:
    """The recording, about to be watched; raises BadInput where it cannot be known again, or is of another size."""
    watch = chain.eye(video, table)
    if watch.header.video is None or watch.header.video.sha256 is None:
        raise BadInput(video, "has no hash to be known by", "review it from a file")
    check_size(watch.header.video, table, layout)
    return watch


def _telling(chain: Stages, table: Layout, options: House, watch: Watch, day: str | None) -> Tell:
    """Makes a log of observations, of this recording's."""

    def tell(found: Iterable[Observation]) -> EventLog:
        return told(chain.mind(iter(found), table, options, watch.header), day=day)

    return tell


def _watched(watch: Watch, tell: Tell, out: Path, notes: Notes, progress: Progress) -> EventLog:
    """The log of a whole recording, whose observations are written as they pass by."""
    with ObservationWriter(out / "observations.jsonl", watch.header) as writer:
        seen = passing(watch, writer, notes, progress)
        log = tell(seen)
        for _ in seen:  # whatever was not asked for is written all the same
            continue
    return log


def _told_apart(record: ReviewRecord, video: Path, kept: Store) -> tuple[ReviewRecord, Twin | None]:
    """The review by its own id and with its folder, and the review of the same contents at another table."""
    path = path_text(video.resolve())
    name, repeats = told_apart(record.video_sha256, record.site, record.table, path, lambda n: as_twin(kept.review(n)))
    folder = home() / "evidence" / name
    return msgspec.structs.replace(record, id=name, folder=str(folder), video_path=path), repeats


def _stored(
    kept: Store, video: Path, record: ReviewRecord, made: Confirmed, gathered: Callable[[], list[Evidence]]
) -> list[StoredFinding]:
    """The findings as they are stored; without pictures, and BadInput is raised, where none can be made."""
    try:
        evidence = gathered()
    except (BadInput, OSError) as error:
        kept.save_review(record, new_findings(made.report, [NO_EVIDENCE] * len(made.report.findings), made.log))
        raise _without_pictures(video, error) from error
    return kept.save_review(record, new_findings(made.report, evidence, made.log))


def _evidence(
    video: Path, out: Path, record: ReviewRecord, layout: Layout, made: Confirmed, notes: Notes, progress: Progress
) -> list[Evidence]:
    """Clips and stills, made under `out` and copied into the review's folder."""
    findings, events = made.report.findings, {event.id: event for event in made.log.events}
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        progress("gathering evidence", done, len(findings))

    seen = open_observations(out / "observations.jsonl")
    evidence = gather(video, findings, events, seen, layout, notes.last_seen, out, tick)
    _keep_pictures(out, Path(record.folder), evidence)
    return evidence


def _keep(out: Path, folder: Path, layout: Layout, made: Confirmed) -> None:
    """Copies what the dashboard shows into the review's folder, so that it outlives `out`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / KEPT_ORIGINALS).unlink(missing_ok=True)  # of a review that had more files
    for name in (KEPT_EVENTS, KEPT_FINDINGS):
        shutil.copyfile(out / name, folder / name)
    with (out / "observations.jsonl").open("rb") as seen, gzip.open(folder / KEPT_OBSERVATIONS, "wb", 1) as packed:
        shutil.copyfileobj(seen, packed)
    keep_layout(folder, layout)
    keep_unconfirmed(folder, made.unconfirmed)


def _keep_pictures(out: Path, folder: Path, evidence: list[Evidence]) -> None:
    for name in [path for one in evidence for path in (one.clip, *one.stills) if path]:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(out / name, target)


def _without_pictures(video: Path, error: BadInput | OSError) -> BadInput:
    cause = f"its findings are stored, but their clips and stills could not be made ({error})"
    return BadInput(video, cause, "see that the recording and the output folder can be reached, and review it again")


def _record(watch: Watch, layout: Layout, made: Confirmed, notes: Notes) -> ReviewRecord:
    log, report = made.log, made.report
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
