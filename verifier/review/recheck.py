"""Judges stored reviews again, under the law of today or under other house options, and says what changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.domain.coverage import Fit
from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog
from verifier.domain.findings import Finding, FindingsReport
from verifier.domain.names import path_of
from verifier.formats.coverage import read_coverage
from verifier.formats.events import read_events, write_events
from verifier.formats.findings import write_findings
from verifier.formats.house import house_from
from verifier.review.pipeline.account import of_the_account
from verifier.review.pipeline.fit import fits_of, unjudged
from verifier.review.products import KEPT_COVERAGE, KEPT_EVENTS, KEPT_FINDINGS, with_more
from verifier.review.records.joining import Play, judged_with, play_of, records_for, with_records
from verifier.review.speech.standing import Changed as ChangedTranscript
from verifier.review.speech.standing import changed as changed_transcripts
from verifier.review.speech.standing import without_taken_away
from verifier.store.kept import file_digest, file_name
from verifier.store.repository import SOFTWARE, NotAsMade, Store
from verifier.store.values import NewFinding, ReviewRecord, StoredFinding


class Changed(Struct, frozen=True, kw_only=True):
    """A finding of the same clause, round and place that now reads otherwise."""

    before: Finding
    after: Finding


class Rechecked(Struct, frozen=True, kw_only=True):
    """A review judged again: findings that are new, gone, changed, and how many stay as they were.

    `stale` says what of its transcripts or its events is not as it was when the recording was reviewed.
    """

    review: str
    site: str | None
    table: str | None
    play_date: str | None
    new: list[Finding]
    gone: list[Finding]
    changed: list[Changed]
    same: int
    stale: list[str] = []


def stored_log(store: Store, review: ReviewRecord) -> EventLog:
    """Return the event log that was kept with a review. Raises BadInput if it is missing, or not as it was made."""
    path = Path(review.folder) / KEPT_EVENTS
    if not path.is_file():
        raise BadInput(path, "the events of this review are gone", f"review {review.video_name} again")
    store.check_kept([path])
    log = read_events(path)
    store.check_kept([path])  # nobody exchanged it meanwhile
    return log


def stored_logs(store: Store, reviews: list[ReviewRecord]) -> Iterator[tuple[str, EventLog]]:
    """Yield id and event log of the reviews that have one as it was made: not where nothing could be watched."""
    for review in reviews:
        with suppress(NotAsMade):
            if not _unusable(review):
                yield review.id, stored_log(store, review)


def under(log: EventLog, options: Mapping[str, object]) -> EventLog:
    """Return the log with other house options; null puts the rule's own text in force. Raises BadInput for an
    unknown option.
    """
    if not options:
        return log
    house = {name: value for name, value in {**log.header.house, **options}.items() if value is not None}
    house_from(house, "house options")
    return EventLog(msgspec.structs.replace(log.header, house=house), log.events)


def chosen(
    store: Store, ids: tuple[str, ...] = (), site: str | None = None, since: str | None = None, until: str | None = None
) -> list[ReviewRecord]:
    """Reviews by id, site and day of play (ISO, both ends included); all where nothing is asked."""
    reviews = store.reviews(ids=ids or None, site=site, first=since, last=until)
    missing = set(ids) - {review.id for review in reviews}
    if missing:
        raise BadInput("review", f"{', '.join(sorted(missing))} is not in the store", "see the dashboard for the ids")
    return reviews


def recheck(
    store: Store,
    reviews: list[ReviewRecord],
    options: Mapping[str, object],
    rulebook: str | None = None,
    save: bool = False,
) -> Iterator[Rechecked]:
    """Judge each review's stored events again and compare with its current findings; `save` keeps the new ones.

    What was found of the recording itself (not watched, the clock jumps, a copy) stays: no event tells of it. Where the
    layout did not fit, no clause passes, as in the review itself. A recording of which nothing could be watched has no
    events: its findings stay. So do those of a review whose events are not as they were made; `stale` says so.
    """
    for review in reviews:
        known = [stored for stored in store.findings([review.id]) if stored.current]
        account = [one.finding for one in known if of_the_account(one.finding)]
        if _unusable(review):
            found = [stored.finding for stored in known]
            yield compared(review, found, found)
            continue
        try:
            log, play, stale = _joined(store, review)
            fit = _fit(store, review)
        except NotAsMade as error:
            found = [stored.finding for stored in known]
            yield msgspec.structs.replace(compared(review, found, found), stale=[str(error)])
            continue
        judged = judged_with(under(log, options), play, rulebook)
        report = with_more(unjudged(judged, fits_of(fit)), account)
        yield msgspec.structs.replace(
            compared(review, [stored.finding for stored in known], report.findings), stale=stale
        )
        if save:
            _save(store, review, known, log, report)


def _unusable(review: ReviewRecord) -> bool:
    """Tell whether nothing at all could be watched, so that no events were kept."""
    nothing = any(start == 0.0 and end is None for start, end, _ in review.gaps)
    return nothing and not (Path(review.folder) / KEPT_EVENTS).is_file()


def _joined(store: Store, review: ReviewRecord) -> tuple[EventLog, Play, list[str]]:
    """Return the review's log with the site's records as they stand now and without transcripts that were taken
    away, and what of its transcripts is not as it was.
    """
    log = stored_log(store, review)
    found = stale_speech(review, log)
    log = without_taken_away(log, found)
    play = play_of(log, review.clock_start, review.clock_end)
    return with_records(log, records_for(store, play)), play, [one.says for one in found]


def stale_speech(review: ReviewRecord, log: EventLog) -> list[ChangedTranscript]:
    """Return the transcripts of a review that are not as they were when it was made."""
    return changed_transcripts(log, path_of(review.video_path) if review.video_path else None)


def _fit(store: Store, review: ReviewRecord) -> Fit | None:
    """Tell whether the layout fitted, as it was kept with a review; None if nobody checked, or no account was
    kept. Raises BadInput if the account is not as it was made.
    """
    path = Path(review.folder) / KEPT_COVERAGE
    store.check_kept([path])
    return read_coverage(path).fit if path.is_file() else None


def compared(review: ReviewRecord, before: list[Finding], after: list[Finding]) -> Rechecked:
    """Return what differs between two lists of findings of one review."""
    left = _by_place(before)
    new, changed, same = [], [], 0
    for key, finding in _by_place(after).items():
        old = left.pop(key, None)
        if old is None:
            new.append(finding)
        elif old.same_as(finding):
            same += 1
        else:
            changed.append(Changed(before=old, after=finding))
    return Rechecked(
        review=review.id,
        site=review.site,
        table=review.table,
        play_date=review.play_date,
        new=new,
        gone=list(left.values()),
        changed=changed,
        same=same,
    )


def _by_place(findings: list[Finding]) -> dict[tuple[object, ...], Finding]:
    """Return findings by what identifies them: clause, round, place, and the turn among those alike."""
    turns, found = Counter[tuple[object, ...]](), dict[tuple[object, ...], Finding]()
    for one in findings:
        found[*_kind(one), turns[_kind(one)]] = one
        turns[_kind(one)] += 1
    return found


def _kind(finding: Finding) -> tuple[object, ...]:
    return finding.clause, finding.round, finding.at


def _save(
    store: Store, review: ReviewRecord, known: list[StoredFinding], log: EventLog, report: FindingsReport
) -> None:
    found, alike = [], defaultdict[tuple[object, ...], list[StoredFinding]](list)
    for one in known:
        alike[_kind(one.finding)].append(one)
    for finding in report.findings:
        old = min(alike[_kind(finding)], key=lambda one: abs(one.finding.t_start - finding.t_start), default=None)
        found.append(NewFinding(finding=finding, clip=old.clip if old else None, stills=old.stills if old else []))
    folder = Path(review.folder)
    ready = {folder / name: folder / f".{name}" for name in (KEPT_EVENTS, KEPT_FINDINGS)}
    write_events(ready[folder / KEPT_EVENTS], log)
    write_findings(ready[folder / KEPT_FINDINGS], report)
    files = {file_name(path): file_digest(made) for path, made in ready.items()}
    store.announce(SOFTWARE, f"review/{review.id}", files)
    for path, made in ready.items():
        made.replace(path)
    again = msgspec.structs.replace(review, rulebook=report.rulebook, law_as_of=report.law_as_of)
    store.save_review(again, found, files)
