"""What a bundle says to a person without this software: the hash list, and how list and signature are checked."""

from __future__ import annotations

import base64
from collections.abc import Iterable

from verifier.review.bundle.collect import Collected
from verifier.review.bundle.manifest import NOT_PROVEN, SUMS, Entry
from verifier.store.audit.signing import fingerprint

_ED25519_DER = bytes.fromhex("302a300506032b6570032100")
"""What stands before the 32 bytes of an Ed25519 public key in DER (RFC 8410, section 4)."""


def sums(entries: Iterable[Entry]) -> bytes:
    """The hash list as `sha256sum --check` reads it."""
    return "".join(f"{entry.sha256}  {entry.path}\n" for entry in entries).encode()


def readme(collected: Collected, public: str) -> bytes:
    """README.txt: what the bundle is, and how it is checked with and without this software."""
    originals = "\n".join(f"  {one.sha256}  {one.name}" for one in collected.originals) or "  (none)"
    return f"""Evidence bundle: {collected.subject}

CHECK IT with this software (tells what was done to a bundle that is not sound):
  verifier evidence verify THIS_FILE

CHECK IT without this software, in the unpacked folder (Linux; on Windows: certutil -hashfile FILE SHA256):
  1. The files:      sha256sum --check {SUMS}
  2. The signature:  manifest.json lists the same hashes and the list's own. signature.json holds an Ed25519
     signature over "verifier-evidence-1", a line feed and the SHA-256 (64 digits) of manifest.json:
       printf 'verifier-evidence-1\\n%s' "$(sha256sum manifest.json | cut -c1-64)" > message
       sed 's/.*"signature":"\\([0-9a-f]*\\)".*/\\1/' signature.json | xxd -r -p > signature
       openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in message -sigfile signature
     key.pem is a file with these three lines; compare its fingerprint with the one that the organization gave you:
{_pem(public)}
     Fingerprint: {fingerprint(public)}

Recordings that it speaks of (not inside; SHA-256 at ingest):
{originals}

{NOT_PROVEN}
""".encode()


def _pem(public: str) -> str:
    """The public key (64 digits) as openssl reads it."""
    body = base64.b64encode(_ED25519_DER + bytes.fromhex(public)).decode()
    return f"-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----"
