"""What the deeds say is kept now: the audit log followed from its beginning, checked on the way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple

from sqlalchemy.orm import Session

from verifier.store.audit.chain import GENESIS, Link, deed_sha256, link_hash
from verifier.store.audit.log import newest_link, read_links
from verifier.store.kept import ANNOUNCED, GONE, PURGED

STOCK = "stock"
"""The act that takes stock of what was kept before deeds held digests."""


class Told(NamedTuple):
    """What a deed says of a thing: its digest (or GONE, PURGED), and the entry's number."""

    digest: str
    seq: int
    marks: str = ""
    before: frozenset[str | None] = frozenset({None})
    """Of a file that may be missing (PURGED) or another (ANNOUNCED): what still fits it, None where no file does."""


class Ledger:
    """Name -> what the newest deed that names it says; `whole` is False once a link does not follow from the others.

    `made_for` has the names of all that was ever made for a deed's subject.
    """

    def __init__(self) -> None:
        self.things: dict[str, Told] = {}
        self.made_for: dict[str, set[str]] = defaultdict(set)
        self.seq, self.hash, self.whole = 0, GENESIS, True
        self.stock: Link | None = None

    def take(self, links: Iterable[Link]) -> None:
        """Go on with the next links in order."""
        for link in links:
            self.whole = self.whole and self._follows(link)
            self.seq, self.hash = link.seq, link.hash
            if link.deed is not None and link.deed.made:
                self._note(link)

    def names(self) -> list[str]:
        """Return the names of all things at this moment: another thread may go on with the log."""
        return list(self.things)

    def digest_of(self, name: str) -> str | None:
        """Return what the newest deed on a thing says of it; None where none does."""
        told = self.things.get(name)
        return None if told is None else told.digest

    def vouched(self, name: str) -> str | None:
        """Return the digest that a file must have; None where the deeds tell of none, or of more than one that fits."""
        told = self.digest_of(name)
        return None if told is None or told in (GONE, PURGED) or told.startswith(ANNOUNCED) else told

    def _follows(self, link: Link) -> bool:
        digest = deed_sha256(link.deed) if link.deed is not None else link.deed_sha256
        held = digest == link.deed_sha256 and link_hash(link.seq, link.previous, digest) == link.hash
        return held and link.seq == self.seq + 1 and link.previous == self.hash

    def _note(self, link: Link) -> None:
        assert link.deed is not None
        if link.deed.act == STOCK and self.stock is None:
            self.stock = link
        if link.deed.subject:
            self.made_for[link.deed.subject] |= link.deed.made.keys()
        for name, digest in link.deed.made.items():
            earlier = self.things.get(name)
            marks = link.deed.marks.get(name, "")
            self.things[name] = Told(digest, link.seq, marks, *([_still(earlier)] if earlier else ()))


def _still(earlier: Told) -> frozenset[str | None]:
    """Return what may still be there once another deed tells of a thing: digests, or None for nothing.

    Whoever announces a file may be killed before or after it is placed, and so may the next one.
    """
    if earlier.digest.startswith(ANNOUNCED):
        return earlier.before | {earlier.digest.removeprefix(ANNOUNCED)}
    if earlier.digest == PURGED:
        return earlier.before | {None}
    return frozenset({None if earlier.digest == GONE else earlier.digest})


class Books:
    """Keeps a ledger up to date, for several threads: each time only what was added to the log since is read."""

    def __init__(self) -> None:
        self._ledger = Ledger()
        self._lock = Lock()

    def upto(self, session: Session) -> Ledger:
        """Return the ledger up to the newest entry. It is begun anew where the log is not the one followed so far.

        A ledger whose chain does not hold is begun anew, too: the log may have been put right.
        """
        with self._lock:
            ledger = self._ledger
            if ledger.seq and (not ledger.whole or not _still_there(session, ledger)):
                ledger = self._ledger = Ledger()
            ledger.take(read_links(session, from_seq=ledger.seq + 1))
            return ledger


def _still_there(session: Session, ledger: Ledger) -> bool:
    link = newest_link(session, at=ledger.seq)
    return link is not None and link.hash == ledger.hash
