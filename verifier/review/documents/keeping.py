"""Writes a document's files and keeps them in the store as the next version, or as a draft that is no version."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.names import file_part
from verifier.formats.files import write_file
from verifier.formats.whole import make_folder, place_file
from verifier.store.kept import file_digest, file_name
from verifier.store.papers import Document, DocumentKind, Overtaken, Papers
from verifier.store.repository import Store

DRAFT: Final = 0
"""In the place of a version: nobody has attested the document, and the store does not keep it."""


def version_told(version: int) -> int | str:
    """Return the version as a table shows it: its number, or that it is a draft."""
    return "DRAFT: nobody has attested it" if version == DRAFT else version


class NoReason(BadInput):
    """A document was made before, and nobody said why it is corrected."""


class Made(Struct, frozen=True, kw_only=True):
    """A document that was written: its files by kind (pdf, csv, xlsx)."""

    document: Document
    files: dict[str, Path]

    @property
    def draft(self) -> bool:
        """Whether it is a draft."""
        return self.document.version == DRAFT


def keep_document(
    store: Store,
    kind: DocumentKind,
    site: str,
    period: str,
    by: str,
    body: str,
    out: Path,
    make: Callable[[int], Mapping[str, bytes]],
    reason: str = "",
    *,
    actor: str = "",
) -> Made:
    """Write what `make` gives for the version (ending -> content) into `out` and note it in the store.

    `by` is how the document names who made it, `actor` that one's account (default: the same). One transaction gives
    the version, puts the files in place and writes the row. Of two people at once the second makes a correction, or is
    refused. A correction needs a `reason`; raises BadInput without, and where a file cannot be written.
    """
    papers = Papers(store)
    while True:
        version = _next_version(papers, kind, site, period, reason)
        contents = make(version)
        files = {ending: out / f"{stem(kind, site, period, version)}.{ending}" for ending in contents}
        named = {path: contents[ending] for ending, path in files.items()}
        document = Document(
            kind=kind,
            site=site,
            period=period,
            made_by=by or "(not signed)",
            body=body,
            reason=reason.strip(),
            folder=str(out.resolve()),
            files={path.name: hashlib.sha256(content).hexdigest() for path, content in named.items()},
            version=version,
        )
        aside, others = _set_aside(named)
        with suppress(Overtaken):
            kept = papers.add_document(document, partial(_place, named, aside), others, actor=actor)
            return Made(document=kept, files=files)


def _set_aside(named: Mapping[Path, bytes]) -> tuple[dict[Path, Path], dict[str, str]]:
    """Return where the files go that lie in the place of new ones, and the digest of each at its new name."""
    aside = {path: _aside(path) for path in named if path.exists()}
    return aside, {file_name(left): file_digest(path) for path, left in aside.items()}


def write_draft(
    kind: DocumentKind,
    site: str,
    period: str,
    by: str,
    body: str,
    out: Path,
    make: Callable[[int], Mapping[str, bytes]],
) -> Made:
    """Write what `make` gives for a draft into `out`, in place of an earlier draft.

    The store does not keep it and the audit log does not name it. Raises BadInput if a file cannot be written.
    """
    contents = make(DRAFT)
    files = {ending: out / f"{stem(kind, site, period, DRAFT)}.{ending}" for ending in contents}
    make_folder(out)
    for ending, path in files.items():
        write_file(path, contents[ending])
    document = Document(
        kind=kind, site=site, period=period, made_by=by or "(not signed)", body=body, folder=str(out.resolve())
    )
    return Made(document=document, files=files)


class _Pictures(Struct):
    """Whether a document's body says that it shows stills."""

    with_stills: bool = False


def shows_video(document: Document) -> bool:
    """Tell whether a document shows pictures of a recording, so that only those may read it who may see video."""
    try:
        return document.kind == "sample" or msgspec.json.decode(document.body, type=_Pictures).with_stills
    except msgspec.DecodeError:
        return True  # nobody knows what it shows


def stem(kind: str, site: str, period: str, version: int) -> str:
    """Return a file name: `weekly-0123-2026-W47-v2`, for a draft `weekly-0123-2026-W47-draft`; no two documents
    share one.
    """
    state = "draft" if version == DRAFT else f"v{version}"
    return f"{kind}-{file_part(site)}-{file_part(period, keep='-WQ')}-{state}"


def _next_version(papers: Papers, kind: DocumentKind, site: str, period: str, reason: str) -> int:
    earlier = papers.documents(kind, site, period)
    if earlier and not reason.strip():
        cause = f"was made before (version {earlier[0].version}, {earlier[0].made_at[:10]})"
        raise NoReason(f"{kind} document of {site}, {period}", cause, "say why it is corrected")
    return earlier[0].version + 1 if earlier else 1


def _aside(path: Path) -> Path:
    """Where a file is kept that has a document's name and belongs to none: left by a kill, or of another store."""
    return path.with_name(f"{path.stem}-left-{file_digest(path)[:16]}{path.suffix}")


def _place(contents: Mapping[Path, bytes], aside: Mapping[Path, Path]) -> None:
    """Put files in place, all or none, and set aside the files that have their names."""
    done: list[Path] = []
    try:
        for path, content in contents.items():
            make_folder(path.parent)
            if path in aside and path.exists():
                place_file(path, aside[path])
            write_file(path, content)
            done.append(path)
    except BaseException:
        for path in done:
            path.unlink(missing_ok=True)
        raise
