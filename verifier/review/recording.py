"""Reviews one recording: a set of one file, taken through the same stages as a night's, in this process."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import time
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.coverage import CoverageReport
from verifier.domain.errors import BadInput
from verifier.domain.findings import FindingsReport
from verifier.domain.names import path_of, path_text
from verifier.domain.rulebooks import Rulebook
from verifier.formats.enrolment import read_enrolment
from verifier.formats.events import read_events
from verifier.formats.files import replacing
from verifier.formats.layout import check_size, read_layout
from verifier.formats.observations import open_observations
from verifier.formats.whole import make_folder
from verifier.recording.probe import Probe, check_readable
from verifier.recording.timeline import AS_TOLD, Reading
from verifier.review.evidence import NO_EVIDENCE
from verifier.review.pipeline.chain import OWN, Chain, load_chain
from verifier.review.pipeline.conclude import (
    Concluded,
    Judged,
    gathered,
    judge_recording_set,
    options_of,
    pictures_of,
    put_in_place,
)
from verifier.review.pipeline.copies import Copies
from verifier.review.pipeline.examine import examine_usable, probe_of
from verifier.review.pipeline.fit import unfit_at_once
from verifier.review.pipeline.folders import KEEP_S, Folders
from verifier.review.pipeline.laps import Laps
from verifier.review.pipeline.plan import SEGMENT_S, config_of, key_of, settings_of
from verifier.review.pipeline.recording_sets import make_recording_sets
from verifier.review.pipeline.segments import Beat, Progress, was_watched, watch_segment, write_passed_over
from verifier.review.pipeline.spoken import check_transcript
from verifier.review.pipeline.values import Facts, RecordingSet, Source, Spoken
from verifier.review.pipeline.watched import Checkpoints
from verifier.review.products import (
    KEPT_COVERAGE,
    KEPT_EVENTS,
    KEPT_FINDINGS,
    KEPT_OBSERVATIONS,
    keep_unconfirmed,
)
from verifier.review.records.joining import write_standing
from verifier.review.twins import as_twin, twin_id
from verifier.store.home import home
from verifier.store.repository import SOFTWARE, Store, review_id
from verifier.store.values import ReviewRecord, StoredFinding
from verifier.vision.drawn import as_drawn

OBSERVATIONS: Final = "observations.jsonl"
UNDER_WAY: Final = "observations.jsonl.part"
"""Lies in the output folder while a review is under way, or was interrupted."""


class Reviewed(Struct, frozen=True, kw_only=True):
    """A finished review: where its files are, what was found, and how much of the recording was watched.

    `repeats` names the review of another table that has the same contents.
    """

    out: Path
    review: ReviewRecord
    report: FindingsReport
    findings: list[StoredFinding]
    coverage: CoverageReport
    repeats: str | None = None

    @property
    def exit_code(self) -> int:
        """3 done in part, 4 something to review, 0 nothing to review (docs/formats.md)."""
        if not self.coverage.complete:
            return 3
        return 4 if self.report.findings else 0


def _silent(stage: str, done: float, whole: float | None) -> None:
    """Ignore the progress."""


def review_recording(
    video: Path,
    layout: Path,
    house: Path,
    out: Path,
    progress: Progress = _silent,
    *,
    day: str | None = None,
    rulebook: Rulebook | None = None,
    how: Reading = AS_TOLD,
    spoken: Spoken | None = None,
    enrolment: Path | None = None,
    stages: Chain | None = None,
    store: Store | None = None,
    length: float = SEGMENT_S,
) -> Reviewed:
    """Reviews `video` by its layout and house files, writes everything under `out`, and stores the review.

    `day` is the day of play (2026-11-17) for a recording whose own clock is not to be read; what the picture says goes
    before it. `rulebook` goes before the one that the house options name; `how` is what a person tells of the file,
    `spoken` of its transcript, which else is the one beside it. `enrolment` is the file of the table's own cards.
    Writes observations.jsonl, events.jsonl, findings.json, coverage.json, clips/ and stills/. An interrupted review
    goes on where it was when it is called again. Raises BadInput for input that cannot be used; a recording that is
    damaged in part is reviewed as far as it goes, with the gaps in `coverage`. Where clips or stills cannot be made
    (the recording is gone, no space is left), the review is stored without them before BadInput is raised. Where `out`
    is gone, it is stored with them.
    """
    check_transcript(video, spoken)
    own = None if enrolment is None else path_text(enrolment.absolute())
    if enrolment is not None:
        read_enrolment(enrolment)
    source = msgspec.structs.replace(_source(video, layout, house, day, rulebook, how), spoken=spoken, enrolment=own)
    return _review(source, out, progress, stages or load_chain(OWN), store or Store(), length)


def _review(source: Source, out: Path, progress: Progress, chain: Chain, store: Store, length: float) -> Reviewed:
    """Watch, judge and store a recording whose options have been checked."""
    folders = _work_folders(out)
    facts = _examined(source, chain, folders)
    make_folder(out)
    (out / UNDER_WAY).touch()
    recording_set = _told_apart(source, facts, store)
    checkpoints = Checkpoints(recording_set, config_of(source, chain, length), length, folders, settings_of(source))
    _watch(checkpoints, chain, progress)
    stage = folders.concluding(key_of(recording_set, checkpoints.config))
    write_standing(folders.records, store)
    judged = judge_recording_set(checkpoints, chain, stage, progress, Laps())
    made = _with_pictures(path_of(source.path), judged, progress, store)
    findings = store.save_review(made.review, made.found, made.files)
    _write_out(judged, made, out)
    folders.remove()
    return Reviewed(
        out=out,
        review=made.review,
        report=judged.report,
        findings=findings,
        coverage=judged.coverage,
        repeats=recording_set.repeats,
    )


def _source(video: Path, layout: Path, house: Path, day: str | None, rulebook: Rulebook | None, how: Reading) -> Source:
    """Return the recording with what is given for it. Raises BadInput if a file cannot be used."""
    game = read_layout(layout).game
    source = Source(
        path=path_text(video.absolute()),
        layout=path_text(layout.absolute()),
        house=path_text(house),
        day=day,
        rulebook=rulebook,
        how=how,
    )
    options_of(source, game)
    return source


def _work_folders(out: Path) -> Folders:
    """Where a review that is written to `out` keeps its checkpoints; removes what old interrupted ones left behind."""
    every = home() / "reviewing"
    for folder in every.glob("*"):
        if folder.stat().st_mtime < time.time() - KEEP_S:
            shutil.rmtree(folder, ignore_errors=True)
    return Folders(every / hashlib.sha256(os.fsencode(out.absolute())).hexdigest()[:16])


def _examined(source: Source, chain: Chain, folders: Folders) -> Facts:
    """Return the recording's facts. Raises BadInput if it cannot be watched, before anything is written."""
    check_readable(path_of(source.path))
    layout = path_of(source.layout or "")
    table = read_layout(layout)

    def fitting(path: Path, how: Reading, beat: Beat) -> Probe:
        probe = as_drawn(chain.probe(path, how, beat), table)
        check_size(probe.info, table, layout)
        return probe

    return examine_usable(source, msgspec.structs.replace(chain, probe=fitting), folders, lambda done: None)


def _told_apart(source: Source, facts: Facts, kept: Store) -> RecordingSet:
    """Return the recording as a set of one file, with the id of its review."""
    (recording_set,) = make_recording_sets([(source, facts)])
    return Copies(lambda name: as_twin(kept.review(name))).told_apart(recording_set)


def _watch(checkpoints: Checkpoints, chain: Chain, progress: Progress) -> None:
    """Watches the segments one after the other; those that an interrupted review has watched are there already."""
    source, folders = checkpoints.recording_set.source, checkpoints.folders
    (part,) = checkpoints.recording_set.parts
    probe, bearings = probe_of(part.facts, folders), folders.bearings(part.facts, checkpoints.config)
    unfit = unfit_at_once(source, part.facts)
    for _, segment in checkpoints.segments():
        checkpoint = checkpoints.file(part, segment)

        def beat(done: float, since: float = segment.warm) -> None:
            progress("watching", since + done, part.end)

        if unfit:
            write_passed_over(checkpoint)
        elif not was_watched(checkpoint):
            layout, own = path_of(source.layout or ""), source.enrolment
            watch_segment(
                probe, segment, layout, chain, checkpoint, bearings, beat, enrolment=path_of(own) if own else None
            )


def _with_pictures(video: Path, judged: Judged, progress: Progress, kept: Store) -> Concluded:
    """Return the review with its clips and stills. Where they cannot be made, store it without them. Raises
    BadInput then.
    """

    def placed(made: Concluded) -> Concluded:
        kept.announce(SOFTWARE, f"review/{made.review.id}", made.files)
        put_in_place(made)
        return made

    try:
        return placed(gathered(judged, pictures_of(judged, progress)))
    except (BadInput, OSError) as error:
        made = placed(gathered(judged, [NO_EVIDENCE] * len(judged.report.findings)))
        kept.save_review(made.review, made.found, made.files)
        cause = f"its findings are stored, but their clips and stills could not be made ({error})"
        remedy = "see that the recording can be reached and that there is space, and review it again"
        raise BadInput(video, cause, remedy) from error


def _write_out(judged: Judged, made: Concluded, out: Path) -> None:
    """Copy the review's files to `out`. Raises BadInput if that cannot be done; by then the review is stored."""
    shown = [path for one in made.found for path in (one.clip, *one.stills) if path]
    try:
        for name in (KEPT_EVENTS, KEPT_FINDINGS, KEPT_COVERAGE, *shown):
            make_folder((out / name).parent)
            with (judged.stage / name).open("rb") as ready, replacing(out / name) as stream:
                shutil.copyfileobj(ready, stream)
        with gzip.open(judged.stage / KEPT_OBSERVATIONS) as packed, replacing(out / OBSERVATIONS) as stream:
            shutil.copyfileobj(packed, stream)
        keep_unconfirmed(out, judged.unconfirmed)
        (out / UNDER_WAY).unlink(missing_ok=True)
    except (BadInput, OSError) as error:
        cause = f"the review is stored, but its files could not be written there ({error})"
        raise BadInput(out, cause, "see that the folder can be reached and has space, and review it again") from error


def read_review(out: Path, store: Store) -> ReviewRecord | None:
    """Return the stored review whose files lie in `out`; None if it is not stored. Raises BadInput if there
    are none.
    """
    header = open_observations(out / OBSERVATIONS).header
    if header.video is None or header.video.sha256 is None:
        raise BadInput(out, "its observations name no recording", "name the folder that verifier review wrote")
    sha256, log = header.video.sha256, read_events(out / KEPT_EVENTS).header
    return store.review(twin_id(sha256, log.site, log.table)) or store.review(review_id(sha256))
