"""Checks a bundle without the database: whatever was done to it is found, and one kind told from another."""

from __future__ import annotations

import re
import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.review.bundle.contents import Contents, check_files, check_names
from verifier.review.bundle.manifest import AUDIT, MANIFEST, SIGNATURE, Manifest, Signature, manifest_signed
from verifier.review.bundle.shape import check_bounds, check_shape, find_table
from verifier.store.audit.chain import Head, Link
from verifier.store.audit.check import Fault, check_chain
from verifier.store.audit.signing import fingerprint
from verifier.store.kept import ANNOUNCED

MOST_MANIFEST = 16 << 20
"""Bytes of a manifest: some 80,000 files; about ten times as much memory."""
_MOST_SIGNATURE = 4096
_MOST_LINE = 8 << 20
"""Bytes of one entry of the audit log: the digests of some 60,000 rows and files."""
MOST_MADE = 32 << 20
"""Bytes of all entries beyond 1 KiB each, that is of the digests in them; about four times as much memory."""
_USUAL_LINE = 1024
_ABSENT = "was no longer there when the bundle was made"
_DIGEST = re.compile(r"[0-9a-f]{64}")
MOST_LINKS = 300_000
"""Entries of the audit log in one bundle; about 1 KiB of memory each."""
HASHED_UNSIGNED = 64 << 20
"""Bytes of files that are hashed, to tell what was done, although the signature does not hold."""


class Verified(Struct, frozen=True, kw_only=True):
    """What was found. `signer` is whose key it is where that is known; `notes` tell what could not be compared."""

    subject: str
    made_by: str
    made_at: str
    fingerprint: str
    signer: str | None
    files: int
    originals: list[str]
    faults: list[Fault]
    notes: list[str]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong with it, and it is known whose key signed it."""
        return self.unchanged and self.signer is not None

    @property
    def unchanged(self) -> bool:
        """Whether nothing is wrong with it, whoever signed it."""
        return not self.faults


def verify_bundle(path: Path, trusted: Mapping[str, str], pin: Head | None = None) -> Verified:
    """Check the bundle at `path` against `trusted` (public key -> name) and a head pinned before.

    With no trusted key at all, whose signature it is stays open and is noted. Raises BadInput if the file is no
    bundle at all; a bundle that was cut off or changed is a result, not an error.
    """
    if not path.is_file():
        raise BadInput(path, "no such file", "check the name and the folder")
    with path.open("rb") as file:
        if file.read(4) != b"PK\x03\x04":
            raise BadInput(path, "is no evidence bundle", "name a file that verifier evidence export wrote")
    says = "its table of contents is missing: the file was cut off or is damaged"
    cut_off = _failed([Fault(kind="truncated", where=path.name, says=says)])
    try:
        with path.open("rb") as file:
            table = find_table(file, path.name)
            if table is None:
                return cut_off
            with zipfile.ZipFile(file) as bundle:
                shape = check_shape(file, table, bundle.infolist(), path.name)
                whole = check_bounds(path, bundle.infolist())
                return _check(Contents(bundle, file), shape, whole, trusted, pin)
    except (zipfile.BadZipFile, struct.error, NotImplementedError, OverflowError):
        return cut_off


def _failed(faults: list[Fault]) -> Verified:
    return Verified(
        subject="", made_by="", made_at="", fingerprint="", signer=None, files=0, originals=[], faults=faults, notes=[]
    )


class _Said(Struct, frozen=True):
    """What a bundle says of itself: its manifest and signature, with the bytes (`raw`, `signed`) that say it."""

    manifest: Manifest
    signature: Signature
    raw: bytes
    signed: bytes


def _read(contents: Contents) -> _Said | list[Fault]:
    """Return what a bundle says of itself; what is wrong with it where that cannot be read."""
    missing = [name for name in (MANIFEST, SIGNATURE) if name not in contents.names]
    if missing:
        says = "is missing, so nothing can be held against it"
        return [Fault(kind="deleted", where=name, says=says) for name in missing]
    raw = contents.read(MANIFEST, MOST_MANIFEST) or b""
    try:
        manifest = msgspec.json.decode(raw, type=Manifest)
        signed = contents.read(SIGNATURE, _MOST_SIGNATURE) or b""
        return _Said(manifest, msgspec.json.decode(signed, type=Signature), raw, signed)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return [Fault(kind="edited", where=MANIFEST, says=f"cannot be read ({error})")]


def _check(
    contents: Contents, shape: list[Fault], whole: int, trusted: Mapping[str, str], pin: Head | None
) -> Verified:
    """`whole` is how many bytes the files unfold to; of an unsigned bundle they are hashed only where they are few."""
    faults = [*shape, *check_names(contents.infos)]
    said = _read(contents)
    if not isinstance(said, _Said):
        return _failed([*faults, *said])
    manifest, signature = said.manifest, said.signature
    if whole > HASHED_UNSIGNED and not manifest_signed(said.raw, signature):
        says = "it is not what was signed, and its files are too large to look for what was done"
        return _failed([*faults, Fault(kind="edited", where=MANIFEST, says=says)])
    if said.signed != msgspec.json.encode(signature):
        faults.append(
            Fault(kind="edited", where=SIGNATURE, says="holds more than a signature, which nothing vouches for")
        )
    faults += contents.hidden() if not shape else []
    file_faults = check_files(contents, manifest.files, {MANIFEST, SIGNATURE})
    faults += _signature(said.raw, signature, bool(file_faults))
    faults += file_faults
    links, broken = _links(contents)
    faults += broken or check_chain(links, (manifest.audit.first, manifest.audit.previous), manifest.audit.head)
    notes: list[str] = []
    faults += _signers(signature.key, {link.key for link in links}, trusted, notes)
    faults += _admitted(manifest)
    faults += _pinned(links, pin, notes)
    faults += _compared(manifest, links)
    return Verified(
        subject=manifest.subject,
        made_by=manifest.made_by,
        made_at=manifest.made_at,
        fingerprint=fingerprint(signature.key),
        signer=trusted.get(signature.key),
        files=len(manifest.files),
        originals=[f"{one.sha256}  {one.name}" for one in manifest.originals],
        faults=faults,
        notes=[*notes, *manifest.notes, *(f"{path} {_ABSENT}" for path in manifest.absent)],
    )


def _admitted(manifest: Manifest) -> list[Fault]:
    """Return the faults of the evidence that the bundle itself tells: they were there when it was made."""
    lost = [Fault(kind="deleted", where="evidence", says=f"then already, {one}") for one in manifest.lost]
    where = "the review's other evidence"
    return [*lost, *(Fault(kind="edited", where=where, says=f"then, {one}") for one in manifest.beside)]


def _signature(raw: bytes, signature: Signature, files_differ: bool) -> list[Fault]:
    if manifest_signed(raw, signature):
        return []
    if files_differ:
        return [Fault(kind="edited", where=MANIFEST, says="it is not what was signed")]
    says = "files and list fit each other but not the signature: the list was computed anew without the key"
    return [Fault(kind="recomputed", where=MANIFEST, says=says)]


def _links(contents: Contents) -> tuple[list[Link], list[Fault]]:
    decoder, links, beyond = msgspec.json.Decoder(Link), list[Link](), 0
    try:
        for line in contents.lines(AUDIT, _MOST_LINE):
            beyond += max(0, len(line) - _USUAL_LINE)
            links.append(decoder.decode(line))
            if len(links) > MOST_LINKS or beyond > MOST_MADE:
                says = f"has more than {MOST_LINKS} entries, or too much in them, and was not read to its end"
                return [], [Fault(kind="edited", where=AUDIT, says=says)]
        return links, []
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return [], [Fault(kind="edited", where=AUDIT, says=f"cannot be read ({error})")]


def _signers(own: str, keys: set[str], trusted: Mapping[str, str], notes: list[str]) -> list[Fault]:
    """Whoever signs a bundle signed its log, too: a log by another key, even a trusted one, was signed anew."""
    others = sorted(keys - {own})
    if others:
        says = f"holds entries signed by {', '.join(map(fingerprint, others))}, not by the key that signed the bundle"
        return [Fault(kind="unknown_signer", where=AUDIT, says=says)]
    unknown = sorted({own} - set(trusted))
    if not unknown:
        return []
    prints = ", ".join(fingerprint(key) for key in unknown)
    if not trusted:
        notes.append(f"Who signed is not known here: compare the fingerprint {prints} with the organization's.")
        return []
    says = f"signed by a key that is not trusted here ({prints}): another installation's, or computed anew"
    return [Fault(kind="unknown_signer", where=SIGNATURE, says=says)]


def _compared(manifest: Manifest, links: list[Link]) -> Iterator[Fault]:
    """Files that are not what the entries of the audit log made: exchanged by somebody who holds the key.

    Of a file whose entry is sealed or older than the bundle's stretch nothing can be compared.
    """
    told: dict[str, tuple[set[str], int]] = {}
    for link in links:
        for name, digest in (link.deed.made if link.deed is not None else {}).items():
            about = digest.removeprefix(ANNOUNCED)
            earlier = told.get(name, (set[str](), 0))[0] if about != digest else set()
            if _DIGEST.fullmatch(about):
                told[name] = {about} | earlier, link.seq
    listed = {entry.path: entry.sha256 for entry in manifest.files}
    for path, name in manifest.kept.items():
        fitting, seq = told.get(name, (set(), 0))
        if fitting and listed.get(path) not in fitting:
            yield Fault(kind="edited", where=path, says=f"is not the file that audit entry {seq} made")


def _pinned(links: list[Link], pin: Head | None, notes: list[str]) -> list[Fault]:
    if pin is None:
        return []
    there = next((link for link in links if link.seq == pin.seq), None)
    if there is None:
        notes.append(f"The pinned head, entry {pin.seq}, lies outside of the bundle's stretch of the audit log.")
        return []
    if there.hash == pin.hash:
        return []
    says = "is not the entry that was pinned: the log was computed anew since"
    return [Fault(kind="recomputed", where=f"audit entry {pin.seq}", says=says)]
