"""Reads and writes the store: every call is one transaction."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Select, func, or_, select, update
from sqlalchemy.orm import Session

from verifier.domain.findings import Finding
from verifier.store.audit import log
from verifier.store.audit.chain import Head, Link
from verifier.store.audit.signing import Signer, own_signer
from verifier.store.database import database_url, home, open_engine, readable_errors, turn_to_write
from verifier.store.room.urgency import urgency
from verifier.store.rows import finding_of, review_of, review_row, verdict_of
from verifier.store.tables import FindingRow, ReviewRow, VerdictRow
from verifier.store.values import Decision, NewFinding, ReviewRecord, StoredFinding, VerdictRecord

_ID_LENGTH = 12
Q = TypeVar("Q", bound=Select[Any])
SOFTWARE = "verifier"
"""Who acts in the audit log where no person does."""


def review_id(video_sha256: str) -> str:
    """The id of a recording's review: the same recording always has the same."""
    return video_sha256[:_ID_LENGTH]


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _home_signer() -> Signer:
    return own_signer(home() / "keys")


class Store:
    """The store at `url` (default: the configured one).

    `now` gives the time of writing as ISO 8601 text, `signer` the key that signs the audit log (default: the one in the
    data folder). Whatever is written leaves an entry in the audit log, in the same transaction.
    """

    def __init__(
        self, url: str | None = None, now: Callable[[], str] = _utc_now, signer: Callable[[], Signer] = _home_signer
    ) -> None:
        self._address = url or database_url()
        self._engine = open_engine(self._address)
        self._turn = turn_to_write(self._engine)
        self.now = now
        self.signer = signer

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()

    @contextmanager
    def acting(
        self, actor: str, act: str, subject: str = "", detail: Mapping[str, object] | None = None
    ) -> Iterator[Session]:
        """A transaction that begins with the audit log's entry on what is done in it."""
        with readable_errors(self._address), self._turn, Session(self._engine) as session, session.begin():
            log.append(session, self.signer(), log.deed(self.now(), actor, act, subject, detail))
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session for reading."""
        with readable_errors(self._address), Session(self._engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction without an entry in the audit log: for what expires or counts by itself."""
        with readable_errors(self._address), self._turn, Session(self._engine) as session, session.begin():
            yield session

    def note(self, actor: str, act: str, subject: str = "", detail: Mapping[str, object] | None = None) -> None:
        """Writes an entry of the audit log for an act that writes nothing else: a view, an export, a sign-in.

        `act` is one word of at most 32 letters, `subject` such as `finding/ID`, `review/ID`, `user/NAME`.
        """
        with self.acting(actor, act, subject, detail):
            pass

    def audit(
        self, *, subject: str | None = None, act: str | None = None, from_seq: int = 1, limit: int | None = None
    ) -> list[Link]:
        """The audit log's entries in order, all or those on one subject or act."""
        with self.reading() as session:
            return log.read_links(session, subject=subject, act=act, from_seq=from_seq, limit=limit)

    def audit_head(self) -> Head | None:
        """The signed end of the audit log, to be pinned outside; None while it is empty."""
        with self.reading() as session:
            return log.read_head(session)

    def save_review(self, review: ReviewRecord, found: Sequence[NewFinding]) -> list[StoredFinding]:
        """Stores a review with its findings, all or nothing, and gives the findings with their ids.

        A second run over the same recording keeps the id of each finding that it makes again word for word, adds new
        ones after the last, and marks the others as no longer current. Verdicts of people stay untouched.
        """
        detail = {"video_sha256": review.video_sha256, "video": review.video_name, "findings": len(found)}
        with self.acting(SOFTWARE, "ingest", f"review/{review.id}", detail) as session:
            session.merge(review_row(review, self.now()))
            session.flush()
            return [finding_of(row) for row in _merge_findings(session, review.id, found)]

    def reviews(
        self,
        *,
        ids: Iterable[str] | None = None,
        site: str | None = None,
        first: str | None = None,
        last: str | None = None,
        partial: bool = False,
        superseded: bool = False,
        offset: int = 0,
        limit: int | None = None,
    ) -> list[ReviewRecord]:
        """Reviews, the newest day of play first: all, or these `ids`, those of a `site` ("" for none), played from day
        `first` to `last` (both included), only those with stretches that nobody watched (`partial`), or one page.

        Those whose place another has taken are given only where they are named, or all are wanted (`superseded`).
        """
        query = _narrowed(select(ReviewRow), ids, site, first, last, partial, superseded)
        query = query.order_by(ReviewRow.play_date.desc(), ReviewRow.id).offset(offset).limit(limit)
        with self.reading() as session:
            return [review_of(row) for row in session.scalars(query)]

    def reviews_of(self, paths: Iterable[str]) -> list[ReviewRecord]:
        """The reviews whose first file lay at one of these paths, but for those whose place another has taken."""
        query = select(ReviewRow).where(ReviewRow.video_path.in_(list(paths)), ReviewRow.superseded_by.is_(None))
        with self.reading() as session:
            return [review_of(row) for row in session.scalars(query.order_by(ReviewRow.id))]

    def supersede(self, earlier: str, by: str) -> None:
        """Puts a review in the place of an earlier one, whose findings by the software are no longer current."""
        ours = FindingRow.review_id == earlier, FindingRow.origin == "software"
        with self.acting(SOFTWARE, "supersede", f"review/{earlier}", {"by": by}) as session:
            session.execute(update(ReviewRow).where(ReviewRow.id == earlier).values(superseded_by=by))
            session.execute(update(FindingRow).where(*ours).values(current=False))

    def review(self, review_id: str) -> ReviewRecord | None:
        """One review, None where there is none of that id."""
        with self.reading() as session:
            row = session.get(ReviewRow, review_id)
            return None if row is None else review_of(row)

    def review_count(self, *, site: str | None = None, partial: bool = False) -> int:
        """How many reviews there are, as `reviews` would give them."""
        with self.reading() as session:
            return session.scalar(_narrowed(select(func.count(ReviewRow.id)), None, site, None, None, partial)) or 0

    def review_days(self, site: str | None = None) -> list[str]:
        """The days of play of the reviews (of a site; "" for none), the newest first; those without one left out."""
        query = _narrowed(select(ReviewRow.play_date).distinct(), None, site, None, None, False)
        with self.reading() as session:
            return sorted((day for day in session.scalars(query) if day), reverse=True)

    def undated_videos(self, site: str) -> list[str]:
        """The names of the recordings of a site ("" for none) whose day of play nobody knows."""
        query = _narrowed(select(ReviewRow.video_name), None, site, None, None, False)
        with self.reading() as session:
            return sorted(session.scalars(query.where(ReviewRow.play_date.is_(None))))

    def review_sites(self) -> list[str]:
        """The sites of all reviews in order, "" where one has none."""
        with self.reading() as session:
            return sorted({site or "" for site in session.scalars(select(ReviewRow.site).distinct())})

    def findings(self, review_ids: Iterable[str] | None = None) -> list[StoredFinding]:
        """The findings of these reviews (default: all), in order of review and sequence."""
        query = select(FindingRow).order_by(FindingRow.review_id, FindingRow.seq)
        if review_ids is not None:
            query = query.where(FindingRow.review_id.in_(list(review_ids)))
        with readable_errors(self._address), Session(self._engine) as session:
            return [finding_of(row) for row in session.scalars(query)]

    def add_verdict(
        self, finding_id: str, decision: Decision, reviewer: str, note: str = "", reason: str = ""
    ) -> VerdictRecord:
        """Adds a person's verdict beside the earlier ones; `reason` is why a finding was rejected, in one word."""
        row = VerdictRow(
            finding_id=finding_id,
            decision=decision,
            reviewer=reviewer,
            note=note,
            decided_at=self.now(),
            reason=reason,
        )
        said = {"decision": decision, "note": note, "reason": reason}
        with self.acting(reviewer, "verdict", f"finding/{finding_id}", said) as session:
            session.add(row)
            session.execute(
                update(FindingRow).where(FindingRow.id == finding_id).values(decision=decision, decided_by=reviewer)
            )
            session.flush()
            return verdict_of(row)

    def verdicts(self, finding_id: str | None = None) -> list[VerdictRecord]:
        """Verdicts of one finding (default: of all), oldest first."""
        query = select(VerdictRow).order_by(VerdictRow.id)
        if finding_id is not None:
            query = query.where(VerdictRow.finding_id == finding_id)
        with readable_errors(self._address), Session(self._engine) as session:
            return [verdict_of(row) for row in session.scalars(query)]


def _narrowed(
    query: Q,
    ids: Iterable[str] | None,
    site: str | None,
    first: str | None,
    last: str | None,
    partial: bool,
    superseded: bool = False,
) -> Q:
    """A query on reviews with these conditions."""
    if ids is not None:
        query = query.where(ReviewRow.id.in_(list(ids)))
    elif not superseded:
        query = query.where(ReviewRow.superseded_by.is_(None))
    if site is not None:
        query = query.where(ReviewRow.site == site if site else or_(ReviewRow.site.is_(None), ReviewRow.site == ""))
    if first is not None:
        query = query.where(ReviewRow.play_date >= first)
    if last is not None:
        query = query.where(ReviewRow.play_date <= last)
    return query.where(ReviewRow.gaps != "[]") if partial else query


def _digest(finding: Finding, turn: int) -> str:
    return hashlib.sha256(msgspec.json.encode((finding, turn))).hexdigest()


def _merge_findings(session: Session, review: str, found: Sequence[NewFinding]) -> list[FindingRow]:
    made = select(FindingRow).where(FindingRow.review_id == review, FindingRow.origin == "software")
    known = {row.digest: row for row in session.scalars(made)}
    for row in known.values():
        row.current = False
    last = session.scalar(select(func.max(FindingRow.seq)).where(FindingRow.review_id == review)) or 0
    turns: Counter[bytes] = Counter()
    rows = []
    for new in found:
        body = msgspec.json.encode(new.finding)
        turns[body] += 1
        digest = _digest(new.finding, turns[body])
        if digest not in known:
            last += 1
            known[digest] = FindingRow(id=f"{review}-{last:04d}", review_id=review, seq=last, digest=digest)
            session.add(known[digest])
        row = known[digest]
        row.clause, row.verdict, row.body = new.finding.clause, new.finding.verdict, body.decode()
        row.urgency, row.dealer = urgency(new.finding), new.dealer
        row.current, row.clip, row.stills = True, new.clip, msgspec.json.encode(new.stills).decode()
        rows.append(row)
    session.flush()
    return rows
