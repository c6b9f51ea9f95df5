"""What a bundle says to a person without this software: the hash list, and how list and signature are checked."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from typing import Final

from verifier.domain.names import shown
from verifier.review.bundle.collect import Collected
from verifier.review.bundle.manifest import NOT_PROVEN, Entry
from verifier.store.audit.signing import fingerprint

_ED25519_DER = bytes.fromhex("302a300506032b6570032100")
"""What stands before the 32 bytes of an Ed25519 public key in DER (RFC 8410, section 4)."""
FILES: Final = r"""sha256sum --check SHA256SUMS
T=$(mktemp -d)
find . ! -type d | sed 's,^[.]/,,' | sort > $T/found
(cut -c67- SHA256SUMS; echo SHA256SUMS; echo manifest.json; echo signature.json) | sort | diff - $T/found"""
LISTED: Final = r"""grep -c $(sha256sum SHA256SUMS | cut -c1-64) manifest.json"""
SIGNED: Final = r"""sed -n '/^-----BEGIN/,/^-----END/p' README.txt > $T/key.pem
printf 'verifier-evidence-1\n%s' $(sha256sum manifest.json | cut -c1-64) > $T/message
openssl asn1parse -noout -out $T/der -genstr FORMAT:HEX,OCT:$(grep -o '[0-9a-f]\{128\}' signature.json)
tail -c 64 $T/der > $T/signature
openssl pkeyutl -verify -pubin -inkey $T/key.pem -rawin -in $T/message -sigfile $T/signature"""
FINGERPRINT: Final = r"""openssl pkey -pubin -in $T/key.pem -outform DER | tail -c 32 | od -An -v -tx1 > $T/digits
tr -d ' \n' < $T/digits | sha256sum | cut -c1-20 | sed 's/..../&-/g; s/-$//'"""
"""The steps of the check as a person types them; all but sha256sum and openssl belongs to every shell."""


def _indented(commands: str) -> str:
    return "\n".join(f"       {line}" for line in commands.splitlines())


def sums(entries: Iterable[Entry]) -> bytes:
    """Return the hash list as `sha256sum --check` reads it."""
    return "".join(f"{entry.sha256}  {entry.path}\n" for entry in entries).encode()


def readme(collected: Collected, public: str, faults: Sequence[str] = ()) -> bytes:
    """README.txt: what the bundle is, and how it is checked with and without this software.

    `faults` are what was not as it had been kept when the bundle was made.
    """
    said = "".join(f"  {shown(one)}.\n" for one in faults)
    warning = f"\nNOT SOUND, whatever the checks below say. When it was made, this was told:\n{said}" if faults else ""
    originals = "\n".join(f"  {one.sha256}  {shown(one.name)}" for one in collected.originals) or "  (none)"
    return f"""Evidence bundle: {shown(collected.subject)}
{warning}
CHECK IT with this software (tells what was done to a bundle that is not sound):
  verifier evidence verify THIS_FILE

CHECK IT without this software: unpack it into an empty folder and type there, in a shell of Linux or macOS,
with sha256sum and openssl (3.0 or newer), line by line. Each step must print what stands beside it.

  1. The files are those that were listed:
{_indented(FILES)}
     (nothing but lines that end with OK; the last command prints nothing: no file was added)
  2. The list is the one that was signed:
{_indented(LISTED)}
     (1)
  3. The signature holds:
{_indented(SIGNED)}
     (Signature Verified Successfully)
  4. The key is the one whose fingerprint the organization gave you, by another way than with this bundle:
{_indented(FINGERPRINT)}
     ({fingerprint(public)})

The key that step 3 takes from here:
{_pem(public)}

Recordings that it speaks of (not inside; SHA-256 at ingest):
{originals}

{NOT_PROVEN}
""".encode()


def _pem(public: str) -> str:
    """Return the public key (64 digits) as openssl reads it."""
    body = base64.b64encode(_ED25519_DER + bytes.fromhex(public)).decode()
    return f"-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----"
