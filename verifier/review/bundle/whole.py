"""The whole audit log of a store, and the original recording, held against what was signed or pinned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.domain.names import path_text
from verifier.recording.probe import check_readable, sha256_of
from verifier.review.bundle.verify import Verified
from verifier.store.audit.chain import GENESIS, Head, Link, signature_holds
from verifier.store.audit.check import Fault, check_chain
from verifier.store.audit.signing import own_public
from verifier.store.database import home
from verifier.store.kept import FOLDERS
from verifier.store.repository import Store

RESTORE = "if a backup was put back on purpose: verifier evidence pin --reason WHY"


class LogCheck(Struct, frozen=True, kw_only=True):
    """What the check of a log found; `things` are the rows and files that deeds tell of."""

    entries: int
    things: int
    faults: list[Fault]
    notes: list[str]


def check_log(store: Store, pin: Head | None = None) -> tuple[int, list[Fault]]:
    """How many entries the log has, and what is wrong with it and with what it tells of."""
    checked = whole_check(store, pin)
    return checked.entries, checked.faults


def whole_check(store: Store, pin: Head | None = None) -> LogCheck:
    """Check the log's chain, signer and pins (also one from elsewhere), and compare all rows and files with it."""
    links, head = store.audit(), store.audit_head()
    compared = store.compare()
    faults = [*log_faults(links, head), *_pinned(store, links), *store.schema_faults(), *compared.faults]
    faults += _against(links, pin, "was pinned elsewhere") if pin is not None else []
    notes = [*compared.notes, *_renewals(links), *_behind(store, head)]
    return LogCheck(entries=len(links), things=compared.things, faults=faults, notes=notes)


def log_faults(links: Sequence[Link], head: Head | None) -> list[Fault]:
    """Return the faults of the chain itself: broken, emptied, signed by others, or gone though key and evidence
    are there.
    """
    if head is not None:
        return [*check_chain(links, (1, GENESIS), head), *_strangers(links)]
    if links:
        return [Fault(kind="truncated", where="audit log", says="its head was emptied")]
    kept = next((name for name in FOLDERS if any((home() / name).rglob("*"))), None)
    if own_public(home() / "keys") is not None and kept is not None:
        says = (
            f"is empty, though there is a signing key, and {kept}/ holds files: another database was put in its place"
        )
        return [Fault(kind="truncated", where="audit log", says=says)]
    return []


def head_faults(store: Store) -> list[Fault]:
    """Return the faults that the newest entry, the pins and the database's shape show at once: before signing,
    without the whole log.
    """
    head = store.audit_head()
    links = store.audit(from_seq=head.seq, limit=1) if head is not None else []
    if head is not None and (not links or links[0].hash != head.hash or not signature_holds(head)):
        return [Fault(kind="recomputed", where=f"audit entry {head.seq}", says="is not the signed end of the log")]
    return [*_strangers(links), *_pinned(store, links), *store.schema_faults()]


def _strangers(links: Sequence[Link]) -> list[Fault]:
    own = own_public(home() / "keys")
    strange = [link.seq for link in links if link.key != own]
    says = f"{len(strange)} entries are signed by a key that is not this installation's"
    return [Fault(kind="unknown_signer", where=f"audit entry {strange[0]}", says=says)] if strange else []


def _pinned(store: Store, links: Sequence[Link]) -> Iterator[Fault]:
    """Compare the log with its pins beside the key and in the further folder; yield the faults."""
    if store.pins is None:
        return
    if store.pins.missing and links:
        says = f"is missing: the database was moved or exchanged, or the pin was taken away; {RESTORE}"
        yield Fault(kind="truncated", where=path_text(store.pins.path), says=says)
    try:
        pins = store.pins.all()
    except OSError as error:
        yield Fault(kind="truncated", where="VERIFIER_PIN_FOLDER", says=f"cannot be read ({error})")
        return
    own = own_public(home() / "keys")
    for pin in pins:
        where = path_text(pin.path)
        if pin.head is None or pin.head.key != own or not signature_holds(pin.head):
            yield Fault(kind="edited", where=where, says="is no head that this installation signed")
        elif store.hash_at(pin.head.seq) != pin.head.hash:
            yield from _against(links, pin.head, f"was pinned in {where}")


def _against(links: Sequence[Link], pin: Head, how: str) -> list[Fault]:
    """Faults where the log does not hold a head that was pinned."""
    there = next((link for link in links if link.seq == pin.seq), None)
    found = there.hash if there is not None else GENESIS if pin.seq == 0 else ""
    if found.startswith(pin.hash):  # a document shows the hash's beginning
        return []
    where = f"audit entry {pin.seq}"
    if there is None:
        says = f"{how} and is gone: the log was cut, emptied, or an older one put back; {RESTORE}"
        return [Fault(kind="truncated", where=where, says=says)]
    says = f"is not the entry that {how}: the log was computed anew, or went on from an older one; {RESTORE}"
    return [Fault(kind="recomputed", where=where, says=says)]


def _renewals(links: Sequence[Link]) -> Iterator[str]:
    """Yield the acts by which a person accepted a log that did not reach its pin."""
    for link in links:
        if link.deed is not None and link.deed.act == "pin":
            was = link.deed.detail.get("was", "none")
            yield f"entry {link.seq} pinned the log anew (head before: {was}): {link.deed.detail.get('reason', '')}"


def _behind(store: Store, head: Head | None) -> Iterator[str]:
    own = store.pins.head if store.pins is not None else None
    if own is not None and head is not None and own.seq < head.seq:
        yield f"the pinned head is {head.seq - own.seq} entries behind: a program was killed, or {home()}/keys is full"


def with_original(verified: Verified, original: Path) -> Verified:
    """Return the result with the recording compared: its SHA-256 must be one that was taken at ingest."""
    check_readable(original)
    digest = sha256_of(original)
    if any(line.startswith(digest) for line in verified.originals):
        note = f"{original.name} is the recording that was ingested, byte for byte."
        return msgspec.structs.replace(verified, notes=[*verified.notes, note])
    fault = Fault(
        kind="edited", where=original.name, says="is not the recording that was ingested: its SHA-256 differs"
    )
    return msgspec.structs.replace(verified, faults=[*verified.faults, fault])
