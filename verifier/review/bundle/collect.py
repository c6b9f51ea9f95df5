"""What belongs into a bundle: the files and values of one finding, a review, a document, or one site's week."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.names import file_part
from verifier.review.bundle.excerpt import Stretch, excerpt
from verifier.review.bundle.manifest import Original
from verifier.review.originals import originals_of
from verifier.review.products import KEPT_OBSERVATIONS, KEPT_UNCONFIRMED
from verifier.review.weeks import week_days
from verifier.store.kept import file_name
from verifier.store.papers import Document, Papers
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord, StoredFinding

Content = Path | bytes
"""A file on the disk, or what is to stand in one."""


class Collected(Struct, frozen=True, kw_only=True):
    """What goes into a bundle: `files` maps a path in it to its content, `subjects` are those of the audit log.

    `absent` are clips and stills that the store knows and that are no longer on the disk, `things` the names of the
    rows and files (`store/kept.py`) that it was made from, which are compared with the deeds before it is signed.
    `beside` are those of the same review that are not inside: what differs among them is told in the bundle.
    """

    subject: str
    originals: list[Original]
    files: dict[str, Content]
    subjects: frozenset[str]
    absent: list[str]
    things: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()


def collect_finding(store: Store, finding_id: str) -> Collected:
    """One finding with its clip, stills, verdicts, and what was seen about it. Raises BadInput for an unknown id."""
    review_id = finding_id.rpartition("-")[0]
    found = {one.id: one for one in store.findings([review_id])}
    if finding_id not in found:
        raise BadInput(
            f"finding {finding_id}", "is not in the store", "take the id from the dashboard or findings list"
        )
    review = _review(store, review_id)
    one = found[finding_id]
    stretch = Stretch(one.finding.t_start, one.finding.t_end).around()
    files = {
        **_described(store, review, [one]),
        **_streams(review, stretch, frozenset(one.finding.events)),
        **_shown(review, [one]),
    }
    made = _collected(store, f"finding/{finding_id}", [review], files, [one], [])
    every = review_things(store, review) | _all_findings(store, [review])
    every |= {name for other in found.values() for name in finding_things(store, review, other)}
    return msgspec.structs.replace(made, beside=frozenset(every - made.things))


def collect_review(store: Store, review_id: str) -> Collected:
    """Collect a whole review: its streams, all findings with clips and stills, all verdicts, and what only one
    look reported.
    """
    review = _review(store, review_id)
    found = store.findings([review.id])
    made = _collected(store, f"review/{review.id}", [review], _whole(store, review, found), found, [])
    return _with_things(made, _all_findings(store, [review]))


def collect_week(store: Store, week: str, site: str | None) -> Collected:
    """All reviews of one site's ISO week with the documents made of it. `site` may be None if only one has any."""
    first, last = (day.isoformat() for day in week_days(week))
    reviews = store.reviews(first=first, last=last)
    sites = sorted({one.site or "" for one in reviews})
    if site is None and len(sites) > 1:
        raise BadInput(f"week {week}", f"was reviewed at sites {', '.join(sites)}", "name one with --site")
    site = site if site is not None else next(iter(sites), "")
    reviews = [one for one in reviews if (one.site or "") == site]
    if not reviews:
        raise BadInput(f"week {week}, site {site or '(none)'}", "no review is stored", "check the week and the site")
    found = store.findings([one.id for one in reviews])
    documents = [one for one in Papers(store).documents(site=site) if _of_week(one, week, first, last)]
    files = _papers(documents)
    for review in reviews:
        files |= _whole(store, review, [one for one in found if one.review_id == review.id])
    made = _collected(store, f"week/{week}/{site}", reviews, files, found, documents)
    every = {name for name in store.ledger().names() if name.startswith(("reviews/", "documents/"))}
    return _with_things(made, every | _all_findings(store, reviews))


def collect_document(store: Store, number: int) -> Collected:
    """One version of a document with its files; for a sample recording's check also the recording's hash."""
    document = next((one for one in Papers(store).documents() if one.id == number), None)
    if document is None:
        raise BadInput(f"document {number}", "is not in the store", "take the number from verifier retention list")
    subject = f"document/{document.kind}/{document.site}/{document.period}/v{document.version}"[:120]
    made = _collected(store, subject, [], _papers([document]), [], [document])
    return msgspec.structs.replace(made, originals=list(_checked_recording(document)))


def _checked_recording(document: Document) -> Iterator[Original]:
    if document.kind == "sample":
        report = msgspec.json.decode(document.body)
        yield Original(review="", name=report["recording"], sha256=report["sha256"])


def _review(store: Store, review_id: str) -> ReviewRecord:
    known = store.review(review_id)
    if known is None:
        raise BadInput(f"review {review_id}", "is not in the store", "take the id from the dashboard")
    return known


def _of_week(document: Document, week: str, first: str, last: str) -> bool:
    return document.period == week or (document.kind == "daily" and first <= document.period <= last)


def _with_things(made: Collected, more: set[str]) -> Collected:
    return msgspec.structs.replace(made, things=made.things | more)


def _all_findings(store: Store, reviews: Iterable[ReviewRecord]) -> set[str]:
    """Return the findings of reviews that deeds tell of: the store does not give those that were deleted."""
    beginnings = tuple(f"findings/{one.id}-" for one in reviews)
    return {name for name in store.ledger().names() if name.startswith(beginnings)}


def review_things(store: Store, review: ReviewRecord) -> set[str]:
    """Return the names of a review's row and of files in its folder: those that deeds tell of, and those that are
    there.
    """
    folder = Path(review.folder)
    root = file_name(folder)
    known = {name for name in store.ledger().names() if name.startswith(f"{root}/")}
    lying = (path for path in folder.glob("*") if path.is_file() and not path.name.startswith("."))
    return {f"reviews/{review.id}"} | known | {file_name(path) for path in lying}


def finding_things(store: Store, review: ReviewRecord, one: StoredFinding) -> set[str]:
    """Return the names of a finding's row, of its verdicts and of its pictures."""
    shown = {file_name(Path(review.folder) / name) for name in (one.clip, *one.stills) if name}
    said = {f"verdicts/{verdict.id}" for verdict in store.verdicts(one.id)}
    return {f"findings/{one.id}"} | shown | said | store.ledger().made_for.get(f"finding/{one.id}", set())


def document_things(document: Document) -> set[str]:
    """Return the names of a document's row and of its files."""
    return {f"documents/{document.id}"} | {file_name(Path(document.folder) / name) for name in document.files}


def _things(
    store: Store, reviews: Sequence[ReviewRecord], found: Iterable[StoredFinding], documents: Iterable[Document]
) -> frozenset[str]:
    by_id = {one.id: one for one in reviews}
    names = {name for one in reviews for name in review_things(store, one) if "/clips/" not in name}
    names = {name for name in names if "/stills/" not in name}
    names |= {name for one in found for name in finding_things(store, by_id[one.review_id], one)}
    return frozenset(names | {name for one in documents for name in document_things(one)})


def _collected(
    store: Store,
    subject: str,
    reviews: Sequence[ReviewRecord],
    files: dict[str, Content],
    found: Sequence[StoredFinding],
    documents: Sequence[Document],
) -> Collected:
    subjects = {subject} | {f"review/{one.id}" for one in reviews} | {f"finding/{one.id}" for one in found}
    subjects |= {f"document/{one.kind}/{one.site}/{one.period}"[:120] for one in documents}
    absent = sorted(path for path, content in files.items() if isinstance(content, Path) and not content.is_file())
    files = {path: content for path, content in files.items() if path not in absent}
    originals = [original for one in reviews for original in _originals(one)]
    return Collected(
        subject=subject,
        originals=originals,
        files=files,
        subjects=frozenset(subjects),
        absent=absent,
        things=_things(store, reviews, found, documents),
    )


def _originals(review: ReviewRecord) -> list[Original]:
    """Return the recording's files with their hashes at ingest."""
    files = originals_of(review)
    if len(files) == 1:
        return [Original(review=review.id, name=review.video_name, sha256=review.video_sha256)]
    return [Original(review=review.id, name=Path(one.path).name, sha256=one.sha256) for one in files]


def _whole(store: Store, review: ReviewRecord, found: list[StoredFinding]) -> dict[str, Content]:
    unconfirmed = Path(review.folder) / KEPT_UNCONFIRMED
    files = {**_described(store, review, found), **_streams(review, None, frozenset()), **_shown(review, found)}
    return {**files, f"{_root(review)}/{KEPT_UNCONFIRMED}": unconfirmed} if unconfirmed.is_file() else files


def _described(store: Store, review: ReviewRecord, found: list[StoredFinding]) -> dict[str, Content]:
    """Return the review, the findings and what people said of them, as the store has them now."""
    verdicts = [verdict for one in found for verdict in store.verdicts(one.id)]
    root = _root(review)
    kept = msgspec.structs.replace(review, folder="")
    return {
        f"{root}/review.json": _json(kept),
        f"{root}/findings.json": _json(found),
        f"{root}/verdicts.json": _json(verdicts),
    }


def _streams(review: ReviewRecord, stretch: Stretch | None, cited: frozenset[str]) -> dict[str, Content]:
    files: dict[str, Content] = {}
    for name in ("events.jsonl", KEPT_OBSERVATIONS):
        path = Path(review.folder) / name
        if path.is_file():
            files[f"{_root(review)}/{name.removesuffix('.gz')}"] = excerpt(path, stretch, cited)
    return files


def _shown(review: ReviewRecord, found: Iterable[StoredFinding]) -> dict[str, Content]:
    names = [name for one in found for name in (one.clip, *one.stills) if name]
    folder = Path(review.folder)
    return {f"{_root(review)}/{name}": folder / name for name in names}


def _papers(documents: Iterable[Document]) -> dict[str, Content]:
    files: dict[str, Content] = {}
    for one in documents:
        root = f"documents/{one.kind}-{file_part(one.period, keep='-WQ')}-v{one.version}"
        files[f"{root}/document.json"] = _json(msgspec.structs.replace(one, folder=""))
        files |= {f"{root}/{name}": Path(one.folder) / name for name in one.files}
    return files


def _root(review: ReviewRecord) -> str:
    return f"review-{review.id}"


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1)
