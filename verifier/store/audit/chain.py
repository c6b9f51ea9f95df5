"""The chain of the audit log: each link's hash covers the deed and the link before it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from verifier.store.audit.signing import Signer, signed_by

GENESIS = "0" * 64
"""What stands for the link before the first."""
_PURPOSE = b"verifier-audit-1\n"


class Deed(Struct, frozen=True, kw_only=True):
    """What was done: `at` ISO 8601 UTC, `actor` who did it, `act` one word, `subject` such as `finding/ID`.

    `made` has the digest of each row and file that the act made or changed, by the names of `store/kept.py`; `marks`
    has the marks of the rows' fields.
    """

    at: str
    actor: str
    act: str
    subject: str = ""
    detail: dict[str, str] = {}
    made: dict[str, str] = {}
    marks: dict[str, str] = {}


_FIELDS = Deed.__struct_fields__
_MADE = ("made", "marks")


class Link(Struct, frozen=True, kw_only=True):
    """One link. `deed` is None where it is sealed: its hash holds the chain together without telling what it says.

    `key` is the public key (hex) whose `signature` (hex) covers `hash`.
    """

    seq: int
    previous: str
    deed_sha256: str
    hash: str
    key: str
    signature: str
    deed: Deed | None = None

    def sealed(self) -> Link:
        """Return the same link without its deed."""
        return msgspec.structs.replace(self, deed=None)


class Head(Struct, frozen=True, kw_only=True):
    """The end of a chain: what is pinned outside, so that a shortened or recomputed log shows."""

    seq: int
    hash: str
    key: str
    signature: str


def next_link(seq: int, previous: str, deed: Deed, signer: Signer) -> Link:
    """Return the link number `seq` after the one with the hash `previous`."""
    digest = deed_sha256(deed)
    value = link_hash(seq, previous, digest)
    return Link(
        seq=seq,
        previous=previous,
        deed_sha256=digest,
        hash=value,
        key=signer.public,
        signature=signer.sign(_PURPOSE + value.encode()),
        deed=deed,
    )


def genesis(signer: Signer) -> Head:
    """Return the head of a chain that has no link yet, signed: what is pinned before the first entry is written."""
    return Head(seq=0, hash=GENESIS, key=signer.public, signature=signer.sign(_PURPOSE + GENESIS.encode()))


def deed_sha256(deed: Deed) -> str:
    """SHA-256 of a deed's canonical JSON (fields in order, keys sorted; `made` and `marks` left out where empty)."""
    fields: Mapping[str, object] = {
        name: getattr(deed, name) for name in _FIELDS if name not in _MADE or getattr(deed, name)
    }
    return hashlib.sha256(msgspec.json.encode(fields, order="deterministic")).hexdigest()


def link_hash(seq: int, previous: str, deed_hash: str) -> str:
    """Return the hash of a link."""
    return hashlib.sha256(_PURPOSE + f"{seq}\n{previous}\n{deed_hash}".encode()).hexdigest()


def signature_holds(link: Link | Head) -> bool:
    """Tell whether the link's hash was signed by the key that it names."""
    return signed_by(link.key, _PURPOSE + link.hash.encode(), link.signature)


def head_of(link: Link) -> Head:
    """Return the head of a chain that ends with this link."""
    return Head(seq=link.seq, hash=link.hash, key=link.key, signature=link.signature)
