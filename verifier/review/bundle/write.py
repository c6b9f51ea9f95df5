"""Writes a bundle: a ZIP with the files, the stretch of the audit log, the manifest and its signature."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from verifier import __version__
from verifier.domain.errors import BadInput
from verifier.formats.whole import make_folder, whole_file
from verifier.review.bundle.collect import Collected, Content
from verifier.review.bundle.manifest import (
    AUDIT,
    MANIFEST,
    README,
    SIGNATURE,
    SUMS,
    Chain,
    Entry,
    Manifest,
    encode_manifest,
    sign_manifest,
)
from verifier.review.bundle.readme import readme, sums
from verifier.review.bundle.shape import EPOCH
from verifier.review.bundle.whole import head_faults
from verifier.store.audit.chain import Link, head_of
from verifier.store.audit.check import Fault
from verifier.store.audit.compare import fits
from verifier.store.kept import FILE, file_name
from verifier.store.repository import Store

_PACKED = (".mp4", ".jpg", ".png", ".pdf", ".xlsx")


def write_bundle(store: Store, collected: Collected, target: Path, made_by: str, actor: str = "") -> Manifest:
    """Write the bundle to `target` and note the export in the audit log, whose head the bundle then holds.

    `made_by` is how the bundle names who made it, `actor` that one's account (default: the same). Raises BadInput if
    what it is made from is not as the deeds made it: that is never signed. Files that are gone are told in it.
    """
    if target.exists():
        raise BadInput(target, "is there already", "choose another name: evidence is never written over")
    lost, notes = _compared(store, collected)
    beside = _beside(store, collected)
    store.note(actor or made_by, "export", collected.subject, {"file": target.name})
    links = _links(store, collected)
    files: dict[str, Content] = {
        **dict(sorted(collected.files.items())),
        AUDIT: b"".join(msgspec.json.encode(link) + b"\n" for link in links),
        README: readme(collected, store.signer().public, [*lost, *beside]),
    }
    entries = [_entry(path, content) for path, content in files.items()]
    _check_entries(store, entries, files)
    files[SUMS] = sums(entries)
    manifest = Manifest(
        format="verifier-evidence",
        version=1,
        software=f"verifier {__version__}",
        subject=collected.subject,
        made_by=made_by,
        made_at=store.now(),
        originals=collected.originals,
        absent=collected.absent,
        lost=lost,
        beside=beside,
        notes=notes,
        kept={path: file_name(content) for path, content in files.items() if isinstance(content, Path)},
        files=[*entries, _entry(SUMS, files[SUMS])],
        audit=Chain(first=links[0].seq, previous=links[0].previous, head=head_of(links[-1])),
    )
    content = encode_manifest(manifest)
    signature = msgspec.json.encode(sign_manifest(content, store.signer()))
    _write(target, {MANIFEST: content, SIGNATURE: signature, **files})
    return manifest


def _compared(store: Store, collected: Collected) -> tuple[list[str], list[str]]:
    """Return what is lost, and what else is to be said. Raises BadInput if something is not as the deeds made it."""
    compared = store.compare(collected.things)
    lost = [one for one in compared.faults if one.kind == "deleted" and one.where.startswith(FILE)]
    _refuse([*head_faults(store), *(one for one in compared.faults if one not in lost)])
    return [f"{one.where} {one.says}" for one in lost], compared.notes


def _beside(store: Store, collected: Collected) -> list[str]:
    """Return what differs in the same review but is not in the bundle: whoever relies on the bundle is to know of
    it.
    """
    return [f"{one.where} {one.says}" for one in store.compare(collected.beside).faults] if collected.beside else []


def _refuse(faults: Sequence[Fault]) -> None:
    if faults:
        more = f" (and {len(faults) - 1} faults more)" if len(faults) > 1 else ""
        raise BadInput(faults[0].where, faults[0].says + more, "it is not signed: see verifier evidence log")


def _check_entries(store: Store, entries: Sequence[Entry], files: Mapping[str, Content]) -> None:
    """Compare the very bytes that go into the bundle with the deeds: a file may change after it was compared."""
    ledger = store.ledger()
    for entry in entries:
        content = files[entry.path]
        name = file_name(content) if isinstance(content, Path) else ""
        if name and not fits(ledger.things.get(name), entry.sha256):
            _refuse([Fault(kind="edited", where=name, says="is not as the audit log's newest entry on it made it")])


def _links(store: Store, collected: Collected) -> list[Link]:
    """Return the log from the first entry on these subjects to the head, with entries on other things sealed."""
    own = {link.seq for subject in collected.subjects for link in store.audit(subject=subject)}
    links = store.audit(from_seq=min(own))
    return [link if link.seq in own else link.sealed() for link in links]


def _entry(path: str, content: Content) -> Entry:
    if isinstance(content, bytes):
        return Entry(path=path, sha256=hashlib.sha256(content).hexdigest(), size=len(content))
    with content.open("rb") as file:
        return Entry(path=path, sha256=hashlib.file_digest(file, "sha256").hexdigest(), size=content.stat().st_size)


def _write(target: Path, files: Mapping[str, Content]) -> None:
    make_folder(target.parent)
    try:
        with whole_file(target, new=True) as stream, zipfile.ZipFile(stream, "w") as bundle:
            for path, content in files.items():
                _add(bundle, path, content)
    except FileExistsError as error:
        raise BadInput(target, "is there already", "choose another name: evidence is never written over") from error


def _add(bundle: zipfile.ZipFile, path: str, content: Content) -> None:
    info = zipfile.ZipInfo(path, EPOCH)
    info.compress_type = zipfile.ZIP_STORED if path.endswith(_PACKED) else zipfile.ZIP_DEFLATED
    info.external_attr = 0o100644 << 16
    if isinstance(content, bytes):
        bundle.writestr(info, content)
        return
    info.file_size = content.stat().st_size
    with content.open("rb") as source, bundle.open(info, "w") as target:
        while piece := source.read(1 << 20):
            target.write(piece)
