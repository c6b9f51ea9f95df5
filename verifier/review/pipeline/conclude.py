"""Makes the review of a recording set from its checkpoints: events, findings, evidence, and the account of what was
watched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.domain.coverage import CoverageReport
from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport, Unconfirmed
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.names import path_of, path_text
from verifier.domain.rulebooks import USUAL
from verifier.formats.coverage import write_coverage
from verifier.formats.findings import write_findings
from verifier.formats.house import check_filmed, read_filmed_house, read_house
from verifier.formats.layout import read_layout
from verifier.formats.whole import make_folder, place_file
from verifier.law.catalogue import text_date
from verifier.review.closer import confirmed
from verifier.review.evidence import NO_EVIDENCE, Evidence
from verifier.review.looked_at import readings_of
from verifier.review.originals import KEPT_ORIGINALS, Original, timeline_name
from verifier.review.pipeline.account import ObservationAccount, between_parts, findings_of, merged
from verifier.review.pipeline.chain import Chain
from verifier.review.pipeline.dealers import with_dealers
from verifier.review.pipeline.evidence import gather_recording_set
from verifier.review.pipeline.fit import doubt_findings, fit_of, judged_at, report_of, unfit, unjudged
from verifier.review.pipeline.folders import Folders, checkpoint_file
from verifier.review.pipeline.laps import Laps
from verifier.review.pipeline.nearer import Nearer
from verifier.review.pipeline.picture import with_picture
from verifier.review.pipeline.places import place_of
from verifier.review.pipeline.retelling import Telling
from verifier.review.pipeline.segments import Progress
from verifier.review.pipeline.spoken import heard, with_speech
from verifier.review.pipeline.stretches import coverage_report
from verifier.review.pipeline.unusable import FILES, as_one, cause_of, named, write_files
from verifier.review.pipeline.values import RecordingSet, Source, Unwatched
from verifier.review.pipeline.watched import Checkpoints
from verifier.review.products import (
    KEPT_COVERAGE,
    KEPT_EVENTS,
    KEPT_FINDINGS,
    KEPT_LAYOUT,
    KEPT_OBSERVATIONS,
    KEPT_UNCONFIRMED,
    keep_layout,
    keep_unconfirmed,
    new_findings,
    stored_share,
    told,
    with_more,
    write_products,
)
from verifier.review.records.joining import beside_records, on_paper, play_of
from verifier.review.twins import twin_id
from verifier.store.home import home
from verifier.store.kept import PURGED, digests_of
from verifier.store.repository import review_id
from verifier.store.values import NewFinding, ReviewRecord

KEPT = (KEPT_OBSERVATIONS, KEPT_EVENTS, KEPT_FINDINGS, KEPT_COVERAGE, KEPT_LAYOUT, KEPT_ORIGINALS)
"""The files of every review of a recording that could be watched."""


class Concluded(Struct, frozen=True, kw_only=True):
    """A review about to be stored. `retired` are reviews that it replaces, `took` seconds on the wall by stage.

    What is judged again because of the closer look belongs to that. `files` are the digests of its files
    (`kept.digests_of`), which lie as `names` in the folder `stage` until they are put in place.
    """

    review: ReviewRecord
    found: list[NewFinding]
    unwatched: list[Unwatched]
    retired: list[str]
    took: dict[str, float] = {}
    files: dict[str, str] = {}
    stage: str = ""
    names: list[str] = []

    @property
    def nothing(self) -> bool:
        """Whether nothing at all could be watched."""
        return any(gap.start == 0.0 and gap.end is None for gap in self.unwatched)


@dataclass(frozen=True)
class Judged:
    """A recording set that has been reconstructed and judged; its events, findings and coverage lie in the folder
    `stage`.

    `lost` are stretches of which there is no picture, `unwatched` all that do not count as watched.
    """

    recording_set: RecordingSet
    stage: Path
    layout: Layout
    log: EventLog
    report: FindingsReport
    unconfirmed: list[Unconfirmed]
    lost: list[Unwatched]
    unwatched: list[Unwatched]
    coverage: CoverageReport
    account: ObservationAccount


def conclude(checkpoints: Checkpoints, chain: Chain, stage: Path, progress: Progress) -> Concluded:
    """Reconstructs, judges and gathers the evidence of a recording set whose segments have all been watched or given
    up.

    All is made in `stage`, where an interrupted call has left what it made; whoever stores it puts it in its place.
    """
    laps = Laps()
    judged = judge_recording_set(checkpoints, chain, stage, progress, laps)
    made = gathered(judged, pictures_of(judged, progress))
    laps.end("clips")
    return msgspec.structs.replace(made, took=laps.took)


def judge_recording_set(checkpoints: Checkpoints, chain: Chain, stage: Path, progress: Progress, laps: Laps) -> Judged:
    """Reconstruct and judge a recording set whose segments were all watched or given up; write its files to `stage`.

    Raises SettingsChanged if layout, house options or enrolled cards are others than those it was watched by.
    """
    recording_set = checkpoints.recording_set
    layout = read_layout(path_of(recording_set.source.layout or ""))
    house = options_of(recording_set.source, layout.game)
    checkpoints.check_settings()

    def doing(what: str) -> Callable[[float], None]:
        return lambda t: progress(what, t, recording_set.end)

    fits = fit_of(checkpoints, layout, doing("checking the layout"))
    laps.end("fit")
    header = checkpoints.header()
    telling = Telling(header, partial(chain.reconstructor, layout, house, header), stage, judged_at(fits))
    log, account = telling.whole(list(checkpoints.runs()), doing("reconstructing"))
    laps.end("reconstruct")
    lost = [*checkpoints.lost(), *between_parts(recording_set)]
    said = heard(recording_set)

    def as_told(log: EventLog) -> EventLog:
        log = with_dealers(log, recording_set.dealers, recording_set.clock_at)
        shown = with_speech(with_picture(log, recording_set, header, layout, fits, account, lost), said)
        site, table = recording_set.source.site, recording_set.source.table
        return told(shown, site=site, table=table, day=_day(recording_set))

    again = doing("reconstructing again")
    after = confirmed(
        as_told(log),
        laps.ending("law", chain.judge),
        lambda looks: as_told(telling.again(looks, again)),
        Nearer(recording_set, checkpoints.config, layout, chain, checkpoints.folders, progress).look,
    )
    laps.end("closer look")
    unwatched = merged([*lost, *unfit(fits), *account.unusable()])
    log, report = _beside_paper(after.log, after.report, recording_set, checkpoints.folders)
    report = _with(unjudged(report, fits), recording_set, unwatched, account)
    report = with_more(report, doubt_findings(recording_set, report.rulebook, house, fits))
    notes = sorted([*checkpoints.notes(), *(one.note for one in said)], key=lambda one: one.t)
    coverage = coverage_report(recording_set.end, unwatched, notes, readings_of(stage), report_of(fits))
    judged = Judged(recording_set, stage, layout, log, report, after.unconfirmed, lost, unwatched, coverage, account)
    _keep(judged, checkpoints.folders)
    checkpoints.check_settings()
    return judged


def _beside_paper(
    log: EventLog, report: FindingsReport, recording_set: RecordingSet, folders: Folders
) -> tuple[EventLog, FindingsReport]:
    """Return log and report beside the site's records of the time that the recording shows."""
    play = play_of(log, recording_set.clock, recording_set.clock_at(recording_set.end))
    return beside_records(log, report, play, folders.records)


def _keep(judged: Judged, folders: Folders) -> None:
    """Write the files of a judged recording set to its stage."""
    keep_layout(judged.stage, judged.layout)
    write_products(judged.stage, judged.log, judged.report, judged.coverage)
    _keep_originals(judged.recording_set, folders, judged.stage)


def options_of(source: Source, game: str = "twenty-one") -> House:
    """Return the house options of a recording, with the rulebook that is given for it; `game` is the layout's.

    Raises BadInput for a rulebook of another game than the layout's, and for options that the rulebook of the file does
    not know. Where another rulebook is told, the file's own options may stay.
    """
    path = path_of(source.house or "")
    if source.rulebook is None:
        return read_filmed_house(path, game)
    check_filmed(House(rulebook=source.rulebook), "review", game)
    return msgspec.structs.replace(read_house(path), rulebook=source.rulebook)


def pictures_of(judged: Judged, progress: Progress) -> list[Evidence]:
    """Clips and stills of the findings, made in the folder `stage`; those that rest on records alone have none."""
    findings = judged.report.findings
    seen = [one for one in findings if not on_paper(one)]
    made = iter(
        gather_recording_set(judged.recording_set, seen, judged.log, judged.layout, judged.lost, judged.stage, progress)
    )
    return [NO_EVIDENCE if on_paper(one) else next(made) for one in findings]


def gathered(judged: Judged, evidence: Sequence[Evidence]) -> Concluded:
    """Return the review of what was judged and its pictures, ready to be put in place and stored."""
    out = home() / "evidence" / judged.recording_set.review_id
    shown = [path for one in evidence for path in (one.clip, *one.stills) if path]
    names = [*shown, *KEPT, *(timeline_name(number) for number in range(len(judged.recording_set.parts)))]
    keep_unconfirmed(judged.stage, judged.unconfirmed)
    found = new_findings(judged.report, evidence, judged.log, judged.recording_set.dealer_at)
    day, account = judged.log.header.date, judged.account
    made = _concluded(judged.recording_set, judged.report, found, judged.unwatched, judged.coverage, account, day, out)
    return _staged(made, judged.stage, [*names, KEPT_UNCONFIRMED])


def _staged(made: Concluded, stage: Path, names: Sequence[str]) -> Concluded:
    once = list(dict.fromkeys(names))
    files = digests_of(stage, once, Path(made.review.folder))
    return msgspec.structs.replace(made, files=files, stage=path_text(stage), names=once)


def put_in_place(made: Concluded) -> None:
    """Put the files of a review from its stage into its folder, each whole, and remove what it no longer has.

    Its store announces them before (`Store.announce`). Raises OSError.
    """
    stage, out = path_of(made.stage), Path(made.review.folder)
    for name, digest in zip(made.names, made.files.values(), strict=True):
        if digest == PURGED:
            (out / name).unlink(missing_ok=True)
        elif (stage / name).is_file():  # else a call that was killed has put it there
            place_file(stage / name, out / name)


def conclude_unusable(recording_sets: Sequence[RecordingSet], cause: str, stage: Path) -> Concluded:
    """Return the review of recordings that cannot be watched at all, all for one cause: nothing of them counts as
    clean.

    Its files are made in `stage`.
    """
    recording_set = as_one(recording_sets, cause)
    unwatched = [Unwatched(start=0.0, end=None, cause=cause)]
    told_of_all = [Unwatched(start=0.0, end=None, cause=cause_of(recording_sets, cause))]
    report = FindingsReport(rulebook=USUAL, law_as_of=text_date(USUAL), summary={}, findings=[], clauses=[])
    report = _with(report, recording_set, told_of_all, ObservationAccount())
    coverage = coverage_report(recording_set.end, unwatched, [], [])
    out = home() / "evidence" / recording_set.review_id
    make_folder(stage)
    write_findings(stage / KEPT_FINDINGS, report)
    write_coverage(stage / KEPT_COVERAGE, coverage)
    write_files(recording_sets, cause, stage)
    found = [NewFinding(finding=finding) for finding in report.findings]
    made = _concluded(recording_set, report, found, unwatched, coverage, ObservationAccount(), _day(recording_set), out)
    review, (site, table) = (
        msgspec.structs.replace(made.review, video_name=named(recording_sets)),
        place_of(recording_set.source),
    )
    retired = [name for one in recording_sets for name in _names(one.parts[0].facts.sha256, site, table)]
    made = msgspec.structs.replace(made, review=review, retired=[name for name in retired if name != review.id])
    return _staged(made, stage, [KEPT_FINDINGS, KEPT_COVERAGE, FILES])


def _day(recording_set: RecordingSet) -> str | None:
    return recording_set.clock[:10] if recording_set.clock else recording_set.source.day


def _keep_originals(recording_set: RecordingSet, folders: Folders, out: Path) -> None:
    """Write down which file shows what, for the pages that show frames of the originals, and each file's timeline."""
    files = [
        Original(
            path=part.facts.path,
            sha256=part.facts.sha256,
            at=part.at,
            begin=part.at + part.begin,
            end=part.at + part.end,
            how=recording_set.source.how,
        )
        for part in recording_set.parts
    ]
    with checkpoint_file(out / KEPT_ORIGINALS) as stream:
        stream.write(msgspec.json.encode(files))
    for number, part in enumerate(recording_set.parts):
        place_file(folders.timeline(part.facts), out / timeline_name(number))


def _with(
    report: FindingsReport, recording_set: RecordingSet, unwatched: Sequence[Unwatched], account: ObservationAccount
) -> FindingsReport:
    """Return the report with the findings of the account."""
    more = findings_of(recording_set, report.rulebook, unwatched, account.jumps, report.findings)
    return with_more(report, more)


def _names(sha256: str, site: str | None, table: str | None) -> tuple[str, str]:
    """Return the ids that a review of a recording may have."""
    return review_id(sha256), twin_id(sha256, site, table)


def _concluded(
    recording_set: RecordingSet,
    report: FindingsReport,
    found: list[NewFinding],
    unwatched: list[Unwatched],
    coverage: CoverageReport,
    account: ObservationAccount,
    day: str | None,
    out: Path,
) -> Concluded:
    site, table = place_of(recording_set.source)
    record = ReviewRecord(
        id=recording_set.review_id,
        video_sha256=recording_set.parts[0].facts.sha256,
        video_name=" + ".join(recording_set.names),
        site=site,
        table=table,
        play_date=day,
        rulebook=report.rulebook,
        law_as_of=report.law_as_of,
        folder=str(out),
        duration=coverage.recorded if recording_set.usable else None,
        reviewed_seconds=coverage.watched,
        coverage=stored_share(coverage),
        gaps=[(gap.start, gap.end, gap.cause) for gap in unwatched],
        clock_start=account.clock_start or recording_set.clock,
        clock_end=account.clock_end or recording_set.clock_at(recording_set.end),
        video_path=recording_set.parts[0].facts.path,
    )
    others = [name for part in recording_set.parts[1:] for name in _names(part.facts.sha256, site, table)]
    grew = [
        name for part in recording_set.parts for sha256 in part.facts.earlier for name in _names(sha256, site, table)
    ]
    return Concluded(review=record, found=found, unwatched=unwatched, retired=[*others, *grew])
