"""Reads and writes the store: every call is one transaction."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import Session

from verifier.domain.errors import BadInput
from verifier.domain.findings import Finding
from verifier.store.audit import log
from verifier.store.audit.chain import GENESIS, Head, Link, genesis, head_of
from verifier.store.audit.check import Fault
from verifier.store.audit.compare import Compared, compare, stock_of
from verifier.store.audit.ledger import STOCK, Books, Ledger
from verifier.store.audit.pins import pins_of
from verifier.store.audit.schema import schema_faults
from verifier.store.audit.signing import Signer, own_public, own_signer
from verifier.store.audit.tally import Tally, refuse_kept
from verifier.store.database import database_url, home, open_engine, readable_errors, turn_to_write
from verifier.store.kept import ANNOUNCED, PURGED, Made, file_name, name_of
from verifier.store.room.urgency import urgency
from verifier.store.rows import finding_of, review_of, review_row, verdict_of
from verifier.store.tables import FindingRow, ReviewRow, VerdictRow
from verifier.store.values import Decision, NewFinding, ReviewRecord, StoredFinding, VerdictRecord

_ID_LENGTH = 12
Q = TypeVar("Q", bound=Select[Any])
SOFTWARE = "verifier"
"""Who acts in the audit log where no person does."""


def review_id(video_sha256: str) -> str:
    """Return the id of a recording's review. The same recording always has the same id."""
    return video_sha256[:_ID_LENGTH]


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _home_signer() -> Signer:
    return own_signer(home() / "keys")


class NotAsMade(BadInput):
    """A kept file is not as the deed made it that the audit log tells of."""


class Store:
    """The store at `url` (default: the configured one).

    `now` gives the time of writing as ISO 8601 text, `signer` the key that signs the audit log (default: the one in the
    data folder). Whatever is written leaves an entry in the audit log, in the same transaction, with the digests of all
    that was made; the log's head is then pinned beside the key.
    """

    def __init__(
        self, url: str | None = None, now: Callable[[], str] = _utc_now, signer: Callable[[], Signer] = _home_signer
    ) -> None:
        self._address = url or database_url()
        self._engine = open_engine(self._address)
        self._turn = turn_to_write(self._engine)
        self.now = now
        self.signer = signer
        self.pins = pins_of(home() / "keys", self._address)
        self._books = Books()
        self._take_stock()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def acting(
        self,
        actor: str,
        act: str,
        subject: str = "",
        detail: Mapping[str, object] | None = None,
        files: Mapping[str, str] | None = None,
    ) -> Iterator[Session]:
        """Give a transaction that ends with the audit log's entry on what was done in it.

        `actor` is the account that is signed in (or who runs the command), never a name that was typed. The entry holds
        the digest of every row made, changed or removed, and those of `files` (`kept.digests_of`). `detail` may be
        filled in until the end.
        """
        with readable_errors(self._address), self._turn, Session(self._engine) as session:
            with session.begin():
                turn = log.take_turn(session)
                tally = Tally(session, cache(lambda: self._books.upto(session)))
                tally.files |= files or {}
                yield session
                link = self._append(
                    session, turn, actor, act, subject, detail, tally.made(session, self.signer().secret)
                )
            self._pin(link)

    def _append(
        self,
        session: Session,
        turn: tuple[int, str],
        actor: str,
        act: str,
        subject: str,
        detail: Mapping[str, object] | None,
        made: Made,
    ) -> Link:
        signer, at = self.signer(), log.dated(session, turn[0], self.now())
        if self.pins is not None and (turn[0] == 1 or act == STOCK):
            with suppress(OSError):
                self.pins.begin(genesis(signer), at[:10])
        return log.append(session, signer, log.deed(at, actor, act, subject, detail, made), turn)

    def _pin(self, link: Link) -> None:
        """Move the pin on after the commit. Where that fails the pin stays behind, which the check of the log tells."""
        if self.pins is None or link.deed is None:
            return

        def hash_at(seq: int) -> str | None:
            if seq == link.seq - 1:
                return link.previous
            return self.hash_at(seq)

        with suppress(OSError):
            self.pins.advance(head_of(link), link.deed.at[:10], hash_at)

    def announce(self, actor: str, subject: str, files: Mapping[str, str]) -> None:
        """Write down which files an act is about to put in place (`kept.digests_of`), before it does.

        Until the act's own deed the files of before, or these, are right: so a kill in between is no forgery.
        """
        told = {name: f"{ANNOUNCED}{digest}" for name, digest in files.items() if digest != PURGED}
        self.note(actor, "prepare", subject, {"files": len(told)}, {**files, **told})

    def renew_pin(self, actor: str, reason: str) -> Head | None:
        """Pins the log as it stands, whatever was pinned before, which is given; the log keeps the reason."""
        if self.pins is None:
            return None
        was = self.pins.head
        told = f"{was.seq}:{was.hash}" if was is not None else "none"
        self.note(actor, "pin", detail={"reason": reason, "was": told})
        head = self.audit_head()
        return self.pins.renew(head, self.now()[:10]) if head is not None else None

    def was_exchanged(self) -> bool:
        """Tell whether the log does not hold the head that is pinned beside the key: cut, emptied, or another one."""
        head = self.pins.head if self.pins is not None else None
        return head is not None and self.hash_at(head.seq) != head.hash

    def hash_at(self, seq: int) -> str | None:
        """Return the hash of an entry of the audit log; that of the beginning for 0, None for an entry that is not
        there.
        """
        if seq == 0:
            return GENESIS
        with self.reading() as session:
            link = log.newest_link(session, at=seq)
        return None if link is None else link.hash

    def ledger(self) -> Ledger:
        """Return what the deeds say is kept now."""
        with self.reading() as session:
            return self._books.upto(session)

    def compare(self, names: Iterable[str] | None = None, *, files: bool = True) -> Compared:
        """Tables and files (those of these names, or all) compared with the deeds that made them; of all, the tables
        only where `files` is False.
        """
        with self.reading() as session:
            chosen = None if names is None else set(names)
            return compare(session, self._books, chosen, self._secret(), files=files)

    def keeps(self, path: Path) -> bool:
        """Tell whether a file that a deed names is there as a plain file; its contents are not compared.

        What a row names is given to nobody before this was asked: a row that was forged may name any file.
        """
        return path.is_file() and not path.is_symlink() and file_name(path) in self.ledger().things

    def check_kept(self, paths: Iterable[Path], review: str | None = None) -> None:
        """Raise NotAsMade where one of these files, or the row of a `review`, is not as a deed made it. One that no
        deed names may not be there.

        What evidence is made from is asked for this first: else a forged file makes evidence that a deed vouches for.
        """
        names: dict[str, object] = {file_name(path): path for path in paths}
        if review is not None:
            names[name_of(str(ReviewRow.__tablename__), [review])] = f"review {review}"
        for fault in self.compare(names).faults:
            if fault.where in names:
                remedy = "see verifier evidence log; put it back from a backup, or review the recording again"
                raise NotAsMade(names[fault.where], fault.says, remedy)

    def schema_faults(self) -> list[Fault]:
        """Return what the database does by itself that this program did not make (`audit/schema.py`)."""
        with self.reading() as session:
            return schema_faults(session)

    def _secret(self) -> bytes | None:
        """Return the secret that tells changed fields; None where there is no key. Looking makes none."""
        return self.signer().secret if own_public(home() / "keys") is not None else None

    def _take_stock(self) -> None:
        """Write down, once, what was kept before deeds held digests, and pin the log from there on."""
        if self.pins is None or not self.pins.missing:
            return
        with self.reading() as session:
            if not log.before_digests(session):
                return
        with suppress(BadInput):  # it may be for reading only: then the first that can write takes stock
            self._write_stock()

    def _write_stock(self) -> None:
        with readable_errors(self._address), self._turn, Session(self._engine) as session:
            turn = log.take_turn(session)
            if (self.pins is not None and not self.pins.missing) or not log.before_digests(session):
                return  # another program was faster, or began the log between our looks at the pin and at the log
            made = stock_of(session, self.signer().secret)
            link = self._append(session, turn, SOFTWARE, STOCK, "", {"things": len(made.digests)}, made)
            session.commit()
        self._pin(link)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Give a session for reading."""
        with readable_errors(self._address), Session(self._engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Give a transaction without an entry in the audit log, for what expires or counts by itself and is not
        kept.
        """
        with readable_errors(self._address), self._turn, Session(self._engine) as session, session.begin():
            refuse_kept(session)
            yield session

    def note(
        self,
        actor: str,
        act: str,
        subject: str = "",
        detail: Mapping[str, object] | None = None,
        files: Mapping[str, str] | None = None,
    ) -> None:
        """Write an entry of the audit log for an act that writes nothing else: a view, an export, a sign-in.

        `act` is one word of at most 32 letters, `subject` such as `finding/ID`, `review/ID`, `user/NAME`.
        """
        with self.acting(actor, act, subject, detail, files):
            pass

    def audit(
        self, *, subject: str | None = None, act: str | None = None, from_seq: int = 1, limit: int | None = None
    ) -> list[Link]:
        """Return the audit log's entries in order, all or those on one subject or act."""
        with self.reading() as session:
            return log.read_links(session, subject=subject, act=act, from_seq=from_seq, limit=limit)

    def audit_head(self) -> Head | None:
        """Return the signed end of the audit log, to be pinned outside; None while it is empty."""
        with self.reading() as session:
            return log.read_head(session)

    def save_review(
        self, review: ReviewRecord, found: Sequence[NewFinding], files: Mapping[str, str] | None = None
    ) -> list[StoredFinding]:
        """Store a review with its findings, all or nothing, and give the findings with their ids.

        `files` are the digests of the files that this review made (`kept.digests_of`).

        A second run over the same recording keeps the id of each finding that it makes again, however it is worded,
        adds new ones after the last, and marks the others as no longer current. Verdicts of people stay untouched.
        """
        detail = {"video_sha256": review.video_sha256, "video": review.video_name, "findings": len(found)}
        with self.acting(SOFTWARE, "ingest", f"review/{review.id}", detail, files) as session:
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
        """Return the reviews whose first file lay at one of these paths, except those replaced by another review."""
        query = select(ReviewRow).where(ReviewRow.video_path.in_(list(paths)), ReviewRow.superseded_by.is_(None))
        with self.reading() as session:
            return [review_of(row) for row in session.scalars(query.order_by(ReviewRow.id))]

    def supersede(self, earlier: str, by: str) -> None:
        """Put a review in the place of an earlier one, whose findings by the software are no longer current."""
        ours = FindingRow.review_id == earlier, FindingRow.origin == "software"
        with self.acting(SOFTWARE, "supersede", f"review/{earlier}", {"by": by}) as session:
            row = session.get(ReviewRow, earlier)
            if row is not None:
                row.superseded_by = by
            for finding in session.scalars(select(FindingRow).where(*ours)):
                finding.current = False

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
        """Return the days of play of the reviews (of a site; "" for none), the newest first. Reviews without a day are
        left out.
        """
        query = _narrowed(select(ReviewRow.play_date).distinct(), None, site, None, None, False)
        with self.reading() as session:
            return sorted((day for day in session.scalars(query) if day), reverse=True)

    def undated_videos(self, site: str) -> list[str]:
        """Return the names of the recordings of a site ("" for none) whose day of play nobody knows."""
        query = _narrowed(select(ReviewRow.video_name), None, site, None, None, False)
        with self.reading() as session:
            return sorted(session.scalars(query.where(ReviewRow.play_date.is_(None))))

    def review_sites(self) -> list[str]:
        """Return the sites of all reviews in order, "" where one has none."""
        with self.reading() as session:
            return sorted({site or "" for site in session.scalars(select(ReviewRow.site).distinct())})

    def findings(self, review_ids: Iterable[str] | None = None) -> list[StoredFinding]:
        """Return the findings of these reviews (default: all), in order of review and sequence."""
        query = select(FindingRow).order_by(FindingRow.review_id, FindingRow.seq)
        if review_ids is not None:
            query = query.where(FindingRow.review_id.in_(list(review_ids)))
        with readable_errors(self._address), Session(self._engine) as session:
            return [finding_of(row) for row in session.scalars(query)]

    def add_verdict(
        self,
        finding_id: str,
        decision: Decision,
        reviewer: str,
        note: str = "",
        reason: str = "",
        *,
        actor: str | None = None,
        seen: bool | None = None,
    ) -> VerdictRecord:
        """Add a person's verdict beside the earlier ones; `reason` is why a finding was rejected, in one word.

        `reviewer` is how the person is named beside it, `actor` their account (default: the same), `seen` whether the
        decisive seconds had been shown to them (default: nobody knows).
        """
        said = {"decision": decision, "note": note, "reason": reason}
        said |= {} if seen is None else {"seen": "true" if seen else "false"}
        with self.acting(actor or reviewer, "verdict", f"finding/{finding_id}", said) as session:
            row = VerdictRow(
                finding_id=finding_id,
                decision=decision,
                reviewer=reviewer,
                note=note,
                decided_at=self.now(),
                reason=reason,
                seen=seen,
            )
            session.add(row)
            session.flush()
            finding = session.get_one(FindingRow, finding_id)
            finding.decision, finding.decided_by = decision, reviewer
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
    """Return a query on reviews, narrowed by these conditions."""
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


def _made_again(known: Sequence[tuple[FindingRow, Finding]], found: Sequence[Finding]) -> list[FindingRow | None]:
    """Return the row of each finding that was made before; those that are equal word for word come first."""
    left: defaultdict[tuple[object, ...], list[tuple[FindingRow, Finding]]] = defaultdict(list)
    for row, before in known:
        left[before.place].append((row, before))
    rows: list[FindingRow | None] = [None] * len(found)
    for alike in (Finding.__eq__, Finding.same_as):
        for number, finding in enumerate(found):
            near = left[finding.place] if rows[number] is None else []
            same = next((n for n, (_, before) in enumerate(near) if alike(before, finding)), None)
            if same is not None:
                rows[number] = near.pop(same)[0]
    return rows


def _merge_findings(session: Session, review: str, found: Sequence[NewFinding]) -> list[FindingRow]:
    made = select(FindingRow).where(FindingRow.review_id == review, FindingRow.origin == "software")
    known = [*session.scalars(made.order_by(FindingRow.seq))]
    for row in known:
        row.current = False
    again = _made_again([(row, finding_of(row).finding) for row in known], [new.finding for new in found])
    last = session.scalar(select(func.max(FindingRow.seq)).where(FindingRow.review_id == review)) or 0
    turns: Counter[bytes] = Counter()
    rows = []
    for new, before in zip(found, again, strict=True):
        body = msgspec.json.encode(new.finding)
        turns[body] += 1
        digest = _digest(new.finding, turns[body])
        if before is None:
            last += 1
            row = FindingRow(id=f"{review}-{last:04d}", review_id=review, seq=last)
            session.add(row)
        else:
            row = before
        row.digest = digest
        row.clause, row.verdict, row.body = new.finding.clause, new.finding.verdict, body.decode()
        row.urgency, row.dealer = urgency(new.finding), new.dealer
        row.current, row.clip, row.stills = True, new.clip, msgspec.json.encode(new.stills).decode()
        rows.append(row)
    session.flush()
    return rows
