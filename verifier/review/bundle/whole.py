"""The whole audit log of a store, and the original recording, held against what was signed or pinned."""

from __future__ import annotations

from pathlib import Path

import msgspec

from verifier.recording.probe import check_readable, sha256_of
from verifier.review.bundle.verify import Verified
from verifier.store.audit.chain import GENESIS, Head, Link
from verifier.store.audit.check import Fault, check_chain
from verifier.store.audit.signing import trusted_keys
from verifier.store.database import home
from verifier.store.repository import Store


def check_log(store: Store, pin: Head | None = None) -> tuple[int, list[Fault]]:
    """How many entries the log has, and what is wrong with it; also against a head pinned before."""
    links, head = store.audit(), store.audit_head()
    faults = check_chain(links, (1, GENESIS), head) if head is not None else []
    if head is None and (links or pin):
        faults = [Fault(kind="truncated", where="audit log", says="the log was emptied")]
    faults += _strangers(links)
    return len(links), [*faults, *_against_pin(links, pin)]


def _strangers(links: list[Link]) -> list[Fault]:
    known = trusted_keys(home() / "keys")
    strange = [link.seq for link in links if link.key not in known]
    says = f"{len(strange)} entries are signed by a key that is not trusted here"
    return [Fault(kind="unknown_signer", where=f"audit entry {strange[0]}", says=says)] if strange else []


def _against_pin(links: list[Link], pin: Head | None) -> list[Fault]:
    if pin is None:
        return []
    there = next((link for link in links if link.seq == pin.seq), None)
    where = f"audit entry {pin.seq}"
    if there is None:
        return [
            Fault(
                kind="truncated", where=where, says="was pinned and is gone: the log was cut or an older one put back"
            )
        ]
    if there.hash != pin.hash:
        return [
            Fault(kind="recomputed", where=where, says="is not the entry that was pinned: the log was computed anew")
        ]
    return []


def with_original(verified: Verified, original: Path) -> Verified:
    """The result with the recording compared: its SHA-256 must be one that was taken at ingest."""
    check_readable(original)
    digest = sha256_of(original)
    if any(line.startswith(digest) for line in verified.originals):
        note = f"{original.name} is the recording that was ingested, byte for byte."
        return msgspec.structs.replace(verified, notes=[*verified.notes, note])
    fault = Fault(
        kind="edited", where=original.name, says="is not the recording that was ingested: its SHA-256 differs"
    )
    return msgspec.structs.replace(verified, faults=[*verified.faults, fault])
