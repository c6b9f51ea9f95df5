"""Writes a bundle: a ZIP with the files, the stretch of the audit log, the manifest and its signature."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping
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
from verifier.store.audit.chain import Link, head_of
from verifier.store.repository import Store

_EPOCH = (1980, 1, 1, 0, 0, 0)
_PACKED = (".mp4", ".jpg", ".png", ".pdf", ".xlsx")


def write_bundle(store: Store, collected: Collected, target: Path, made_by: str) -> Manifest:
    """Writes the bundle to `target` and notes the export in the audit log, whose head the bundle then holds."""
    if target.exists():
        raise BadInput(target, "is there already", "choose another name: evidence is never written over")
    store.note(made_by, "export", collected.subject, {"file": target.name})
    links = _links(store, collected)
    files: dict[str, Content] = {
        **dict(sorted(collected.files.items())),
        AUDIT: b"".join(msgspec.json.encode(link) + b"\n" for link in links),
        README: readme(collected, store.signer().public),
    }
    entries = [_entry(path, content) for path, content in files.items()]
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
        files=[*entries, _entry(SUMS, files[SUMS])],
        audit=Chain(first=links[0].seq, previous=links[0].previous, head=head_of(links[-1])),
    )
    content = encode_manifest(manifest)
    signature = msgspec.json.encode(sign_manifest(content, store.signer()))
    _write(target, {MANIFEST: content, SIGNATURE: signature, **files})
    return manifest


def _links(store: Store, collected: Collected) -> list[Link]:
    """The log from the first entry on these subjects to the head; entries on other things are sealed."""
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
    info = zipfile.ZipInfo(path, _EPOCH)
    info.compress_type = zipfile.ZIP_STORED if path.endswith(_PACKED) else zipfile.ZIP_DEFLATED
    info.external_attr = 0o100644 << 16
    if isinstance(content, bytes):
        bundle.writestr(info, content)
        return
    info.file_size = content.stat().st_size
    with content.open("rb") as source, bundle.open(info, "w") as target:
        while piece := source.read(1 << 20):
            target.write(piece)
