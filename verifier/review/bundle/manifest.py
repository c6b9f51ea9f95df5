"""What a bundle says of itself (`manifest.json`) and how that is signed (`signature.json`)."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec
from msgspec import Struct

from verifier.store.audit.chain import Head
from verifier.store.audit.signing import Signer, signed_by

MANIFEST = "manifest.json"
SIGNATURE = "signature.json"
AUDIT = "audit.jsonl"
README = "README.txt"
SUMS = "SHA256SUMS"
"""The same hashes as the manifest's, as `sha256sum --check` reads them."""
SUFFIX = ".evidence.zip"
_PURPOSE = b"verifier-evidence-1\n"

NOT_PROVEN = (
    "What this cannot prove: that the recording was true before it was ingested; that the clock in the picture or of "
    "this computer was right; that the software read the picture rightly; that the person named was the one at the "
    "keyboard. A person who holds the signing key and the database can make another bundle that is consistent. Compare "
    "the key's fingerprint with the one that the organization gave you, and the head of the audit log with one that "
    "was written down elsewhere before."
)


class Original(Struct, frozen=True, kw_only=True):
    """A recording that the bundle speaks of, itself not inside; `review` is empty if it was only checked."""

    review: str
    name: str
    sha256: str


class Entry(Struct, frozen=True, kw_only=True):
    """One file of the bundle: its path with `/`, SHA-256 and size in bytes."""

    path: str
    sha256: str
    size: int


class Chain(Struct, frozen=True, kw_only=True):
    """The stretch of the audit log inside: its first number, the hash of the link before that, and its head."""

    first: int
    previous: str
    head: Head


class Manifest(Struct, frozen=True, kw_only=True):
    """Everything that is signed. `files` stand in the order in which they lie in the bundle.

    `absent` are pictures that once belonged to it and were no longer there when it was made, `lost` what is to be said
    of those that nobody purged, `beside` of what is not inside and was changed in the same review, `notes` what else a
    reader must know. `kept` maps files in the bundle to the names
    under which the audit log's entries hold their digests.
    """

    format: Literal["verifier-evidence"]
    version: Literal[1]
    software: str
    subject: str
    made_by: str
    made_at: str
    originals: list[Original]
    absent: list[str] = []
    lost: list[str] = []
    beside: list[str] = []
    notes: list[str] = []
    kept: dict[str, str] = {}
    files: list[Entry]
    audit: Chain
    not_proven: str = NOT_PROVEN


class Signature(Struct, frozen=True, kw_only=True):
    """The signature over the manifest's SHA-256; `key` is the public key, both hexadecimal."""

    algorithm: Literal["Ed25519"]
    key: str
    signature: str


def encode_manifest(manifest: Manifest) -> bytes:
    """Return the manifest as the bytes that are signed."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1)


def sign_manifest(content: bytes, signer: Signer) -> Signature:
    """Signs a manifest's bytes."""
    return Signature(algorithm="Ed25519", key=signer.public, signature=signer.sign(_message(content)))


def manifest_signed(content: bytes, signature: Signature) -> bool:
    """Tell whether the signature is that of these very bytes."""
    return signed_by(signature.key, _message(content), signature.signature)


def _message(content: bytes) -> bytes:
    return _PURPOSE + hashlib.sha256(content).hexdigest().encode()
