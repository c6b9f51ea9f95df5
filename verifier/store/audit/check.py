"""What is wrong with a chain of the audit log, one kind of meddling told from another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from verifier.store.audit.chain import Head, Link, deed_sha256, link_hash, signature_holds

FaultKind = Literal[
    "edited",
    "deleted",
    "added",
    "swapped",
    "reordered",
    "truncated",
    "recomputed",
    "backdated",
    "unknown_signer",
    "unsafe_path",
]


class Fault(Struct, frozen=True, kw_only=True):
    """One thing that is wrong: its kind, where, and what it means in a sentence."""

    kind: FaultKind
    where: str
    says: str


def check_chain(links: Sequence[Link], first: tuple[int, str], head: Head) -> list[Fault]:
    """Faults of links that should run from `first` (number, hash of the link before it) to `head`."""
    order = [link.seq for link in links]
    faults = [*_order(order), *_ends(order, first[0], head)]
    by_number = {link.seq: link for link in links}
    before, latest = None, ""
    for number in sorted(by_number):
        link = by_number[number]
        faults += _link_faults(link, before, first)
        if link.deed is not None:
            faults += _dated_back(link.seq, link.deed.at, latest)
            latest = link.deed.at
        before = link
    newest = by_number.get(head.seq)
    if newest is not None and newest.hash != head.hash and not faults:
        faults.append(_fault("recomputed", newest.seq, "its hash is not the one that was signed or pinned as the head"))
    if not signature_holds(head):
        faults.append(_fault("recomputed", head.seq, "the head's signature does not fit: the chain was computed anew"))
    return faults


def _fault(kind: FaultKind, number: int, says: str) -> Fault:
    return Fault(kind=kind, where=f"audit entry {number}", says=says)


def _order(order: Sequence[int]) -> Iterator[Fault]:
    doubled = [number for number, times in Counter(order).items() if times > 1]
    for number in doubled:
        yield _fault("added", number, "the number stands twice")
    misplaced = next((later for earlier, later in pairwise(order) if later < earlier), None)
    if misplaced is not None:
        yield _fault("reordered", misplaced, "stands after an entry with a higher number")


def _ends(order: Sequence[int], first: int, head: Head) -> Iterator[Fault]:
    present = set(order)
    last = max(present, default=first - 1)
    for number in range(first, last):
        if number not in present:
            yield _fault("deleted", number, "is missing between entries that are there")
    if last < head.seq:
        yield _fault("truncated", head.seq, f"the log ends at entry {last}, but its head is entry {head.seq}")
    for number in sorted(number for number in present if number > head.seq or number < first):
        yield _fault("added", number, "lies outside of what was signed")


def _link_faults(link: Link, before: Link | None, first: tuple[int, str]) -> Iterator[Fault]:
    if link.deed is not None and deed_sha256(link.deed) != link.deed_sha256:
        yield _fault("edited", link.seq, "what it says is not what was hashed")
        return
    if link_hash(link.seq, link.previous, link.deed_sha256) != link.hash:
        yield _fault("edited", link.seq, "its hash does not fit its content")
        return
    expected = before.hash if before is not None and before.seq == link.seq - 1 else None
    if link.seq == first[0]:
        expected = first[1]
    if expected is not None and link.previous != expected:
        yield _fault("edited", link.seq, "does not continue the entry before it")
    if not signature_holds(link):
        yield _fault("recomputed", link.seq, "its hash was computed anew: the signature does not fit")


def _dated_back(number: int, at: str, latest: str) -> Iterator[Fault]:
    if at < latest:
        says = f"is dated {at}, and what stands before it {latest}: the clock was set back"
        yield _fault("backdated", number, says)
