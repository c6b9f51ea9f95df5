"""The one comparison: tables and files with the deeds that made them, each difference named."""

from __future__ import annotations

import os
import stat
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import Table, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from verifier.formats.hollow import told_of
from verifier.store.all_tables import KEPT
from verifier.store.audit.check import Fault
from verifier.store.audit.ledger import Books, Ledger, Told
from verifier.store.audit.log import newest_link
from verifier.store.audit.tally import rows_of, tell
from verifier.store.home import home
from verifier.store.kept import (
    ANNOUNCED,
    FILE,
    FOLDERS,
    GONE,
    PURGED,
    Made,
    as_stored,
    changed_fields,
    file_digest,
    file_name,
    file_place,
    key_of,
    row_digest,
    row_marks,
    row_name,
)
from verifier.store.papers_tables import DocumentRow
from verifier.store.tables import ReviewRow

_AT_ONCE: Final = 2000
LINK: Final = "a link"
STRANGE: Final = "no file"
"""In the place of a file's digest: a link, or what is no file and may never end (a named pipe, a device)."""
UNREAD: Final = "not read"
"""In the place of a file's digest: it cannot be read, or not to its end; or a folder that cannot be looked into."""
_DEEPEST: Final = 32
"""Folders in one another that are looked into; a review has three."""
TWICE: Final = "twice"
"""In the place of a row's digest: the table lost its key, and holds two rows of that name."""
_TRIES: Final = 3
"""Comparisons of what differs, where an act of somebody else came in between."""


class Compared(Struct, frozen=True, kw_only=True):
    """What was compared: how many things, what differs, and what is to be known of them without being a fault."""

    things: int
    faults: list[Fault]
    notes: list[str]


def compare(
    session: Session,
    books: Books,
    names: Collection[str] | None = None,
    secret: bytes | None = None,
    *,
    files: bool = True,
) -> Compared:
    """Compare all rows and files with the deeds, or only those of these names, or all rows (not `files`).

    `secret`, where it is known, tells the fields of a row that were changed (`kept.row_marks`).
    What differs is compared once more where the log went on meanwhile: whoever works is not taken for a forger.
    """
    ledger = books.upto(session)
    found = _Found(session, ledger, secret)
    differing = dict(found.differing(names, files))
    for _ in range(_TRIES):
        seq = ledger.seq
        session.rollback()
        ledger = books.upto(session)
        if not differing or ledger.seq == seq:
            break
        found = _Found(session, ledger, secret)
        differing = dict(found.differing(set(differing)))
    left = {name for name in differing if found.left_over(name)}
    faults = [found.fault(name, digest) for name, digest in sorted(differing.items()) if name not in left]
    notes = [
        *_old(ledger, names),
        *(f"{name} is of no stored review: one under way, or ended" for name in sorted(left)),
    ]
    things = len(names) if names is not None else len(ledger.things)
    return Compared(things=things, faults=[*found.faults, *faults], notes=notes)


def stock_of(session: Session, secret: bytes) -> Made:
    """Every row and file that there is."""
    made = Made({}, {})
    for table in KEPT.values():
        for row in session.connection().execute(select(*as_stored(table))):
            tell(made, table, row_name(table, row), row, secret)
    files = {file_name(path) for path in (*_lying(), *_of_documents(session))}
    made.digests.update({name: digest for name, digest in _digests(files) if digest is not None})
    return made


class _Found:
    """What there is, beside what a ledger tells; `faults` are tables that cannot be read."""

    def __init__(self, session: Session, ledger: Ledger, secret: bytes | None) -> None:
        self._session, self._ledger, self._secret = session, ledger, secret
        self.faults: list[Fault] = []
        if not ledger.whole:
            says = "does not hold, so that nothing can be compared with it"
            self.faults.append(Fault(kind="edited", where="audit log", says=says))

    def differing(self, names: Collection[str] | None, files: bool = True) -> Iterator[tuple[str, str | None]]:
        """Name and digest (None where it is not there) of each thing that is not as the deeds tell."""
        told: dict[str, set[str]] = defaultdict(set)
        for name in self._ledger.names() if names is None else names:
            told[name.partition("/")[0]].add(name)
        for table in KEPT.values():
            mine = told.pop(table.name, set())
            if mine or names is None:
                yield from self._other(mine, self.rows(table, None if names is None else mine))
        kept = told.pop(FILE.rstrip("/"), set())
        if names is None:
            kept = kept | {file_name(path) for path in _lying()} if files else set()
        unknown = {name for name in kept if name not in self._ledger.things}
        yield from self._other(unknown, _digests(unknown, read=False))
        yield from self._other(kept - unknown, _digests(kept - unknown))
        yield from self._other({name for rest in told.values() for name in rest}, ())

    def _other(
        self, told: Collection[str], there: Iterable[tuple[str, str | None]]
    ) -> Iterator[tuple[str, str | None]]:
        missing, seen = set(told), set[str]()
        for name, digest in there:
            missing.discard(name)
            if name in seen:
                yield name, TWICE
                continue
            seen.add(name)
            if not fits(self._ledger.things.get(name), digest):
                yield name, digest
        yield from ((name, None) for name in missing if not fits(self._ledger.things.get(name), None))

    def rows(self, table: Table, names: Collection[str] | None) -> Iterator[tuple[str, str]]:
        """Name and digest of the rows of a table, or of those of these names; none where it cannot be read."""
        connection = self._session.connection()
        try:
            if names is not None:
                keys = [key for name in names if (key := key_of(table, name)) is not None]
                yield from ((row_name(table, row), row_digest(table, row)) for row in rows_of(connection, table, keys))
                return
            for row in connection.execute(select(*as_stored(table)), execution_options={"yield_per": _AT_ONCE}):
                yield row_name(table, row), row_digest(table, row)
        except DBAPIError as error:
            self._session.rollback()
            self.faults.append(Fault(kind="edited", where=f"table {table.name}", says=f"cannot be read ({error.orig})"))

    def fault(self, name: str, found: str | None) -> Fault:
        """Return what is wrong with a thing, and since which deed."""
        told = self._ledger.things.get(name)
        if told is None:
            what = {LINK: "is a link", STRANGE: "is no file", UNREAD: "cannot be read"}.get(found or "", "is there")
            return Fault(kind="added", where=name, says=f"{what}, and no entry of the audit log made it")
        link = newest_link(self._session, at=told.seq)
        deed = link.deed if link is not None else None
        since = f"entry {told.seq}" + (f" ({deed.act} by {deed.actor or 'nobody'}, {deed.at})" if deed else "")
        if told.digest == GONE:
            return Fault(kind="added", where=name, says=f"is there again, though {since} removed it")
        if found is None:
            return Fault(kind="deleted", where=name, says=f"is gone, though {since} made it and nothing removed it")
        if found == TWICE:
            return Fault(kind="added", where=name, says=f"stands there more than once, and {since} made it once")
        if found == UNREAD:
            return Fault(kind="edited", where=name, says=f"cannot be read, and so not held against {since}")
        if found in (LINK, STRANGE):
            what = "a link" if found == LINK else "no file"
            return Fault(kind="edited", where=name, says=f"is {what} now, and not the file that {since} made")
        fields = self._fields(name, told)
        which = f" ({', '.join(fields)} changed)" if fields else ""
        return Fault(kind="edited", where=name, says=f"is not as {since} made it{which}")

    def _fields(self, name: str, told: Told) -> list[str]:
        """Return the names of a row's columns that were changed, as far as its marks tell."""
        table = KEPT.get(name.partition("/")[0])
        key = key_of(table, name) if table is not None else None
        if table is None or key is None or not told.marks or self._secret is None:
            return []
        rows = rows_of(self._session.connection(), table, [key])
        return [one for row in rows for one in changed_fields(told.marks, row_marks(table, row, self._secret))]

    def left_over(self, name: str) -> bool:
        """Tell whether a file that no deed made lies in a folder of evidence from which no stored review reads."""
        parts = name.split("/")
        if parts[:2] != ["file", "evidence"] or len(parts) < 4 or name in self._ledger.things:
            return False
        return parts[2] not in self._reviews

    @cached_property
    def _reviews(self) -> set[str]:
        """The folders of evidence of reviews that are stored, or were."""
        known = {one.partition("/")[2] for one in self._ledger.names() if one.startswith("reviews/")}
        known |= {one.split("/")[2] for one in self._ledger.names() if one.startswith("file/evidence/")}
        return known | set(self._session.scalars(select(ReviewRow.id)))


def fits(told: Told | None, digest: str | None) -> bool:
    """Tell whether a thing is as its newest deed tells; one that no deed tells of is not there."""
    if told is None or told.digest == GONE:
        return digest is None
    if told.digest == PURGED:
        return digest is None or digest in told.before
    if told.digest.startswith(ANNOUNCED):
        return digest in told.before or digest == told.digest.removeprefix(ANNOUNCED)
    return digest == told.digest


def _old(ledger: Ledger, names: Collection[str] | None) -> Iterator[str]:
    """Yield a line on things that are only known since stock was taken: nobody vouches for them before."""
    if ledger.stock is None or ledger.stock.deed is None:
        return
    seq = ledger.stock.seq
    chosen = [told for one in (ledger.names() if names is None else names) if (told := ledger.things.get(one))]
    count = sum(one.seq == seq for one in chosen)
    if count:
        taken = f"taken stock on {ledger.stock.deed.at[:10]} (entry {seq})"
        yield f"{count} of them {'was' if count == 1 else 'were'} kept before digests: {taken}"


def _digests(names: Collection[str], *, read: bool = True) -> Iterator[tuple[str, str | None]]:
    """Name and digest of files, None where one is not there; on all processors. Where they are not to be `read`, any
    text stands for the digest of one that is there.
    """
    ordered = sorted(names)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from zip(ordered, pool.map(partial(_digest, read=read), ordered), strict=True)


def _digest(name: str, *, read: bool = True) -> str | None:
    """Return the digest of a regular file. A link is no file of ours: what it leads to may be exchanged where nobody
    looks. A pipe would be waited for, and so would a file most of which was never written.
    """
    try:
        place = file_place(name)
        mode = place.lstat().st_mode
        if stat.S_ISLNK(mode) or not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            return LINK if stat.S_ISLNK(mode) else STRANGE
        if stat.S_ISDIR(mode) or told_of(place) is not None:
            return UNREAD
        return file_digest(place) if read else ""
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError:
        return UNREAD


def _lying() -> Iterator[Path]:
    """Yield the files and links in the folders of which every file is kept, and folders that cannot be looked into.
    What is hidden is unfinished, and nothing reads it.
    """
    waiting = [(home() / folder, 0) for folder in FOLDERS if os.path.lexists(home() / folder)]
    while waiting:
        folder, depth = waiting.pop()
        try:
            if depth > _DEEPEST:
                raise RecursionError
            with os.scandir(folder) as listed:
                entries = list(listed)
        except (OSError, RecursionError):
            yield folder
            continue
        waiting += [(Path(one.path), depth + 1) for one in entries if one.is_dir(follow_symlinks=False)]
        yield from (
            Path(one.path) for one in entries if not one.is_dir(follow_symlinks=False) and not one.name.startswith(".")
        )


def _of_documents(session: Session) -> Iterator[Path]:
    """Yield the files of documents, which may lie in any folder."""
    for folder, files in session.execute(select(DocumentRow.folder, DocumentRow.files)):
        yield from (Path(folder) / name for name in msgspec.json.decode(files, type=dict[str, str]))
