"""Writes a document's files and keeps them in the store as the next version; nothing is written over."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.store.papers import Document, DocumentKind, Papers
from verifier.store.repository import Store


class Made(Struct, frozen=True, kw_only=True):
    """A document that was written: its files by kind (pdf, csv, xlsx)."""

    document: Document
    files: dict[str, Path]


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
    """Writes what `make` gives for the version (ending -> content) into `out` and notes it in the store.

    `by` is how the document names who made it, `actor` that one's account (default: the same). A correction needs a
    `reason`; raises BadInput without.
    """
    papers = Papers(store)
    earlier = papers.documents(kind, site, period)
    if earlier and not reason.strip():
        cause = f"was made before (version {earlier[0].version}, {earlier[0].made_at[:10]})"
        raise BadInput(f"{kind} document of {site}, {period}", cause, "say why it is corrected with --reason")
    version = earlier[0].version + 1 if earlier else 1
    out.mkdir(parents=True, exist_ok=True)
    contents = make(version)
    files = {ending: out / f"{stem(kind, site, period, version)}.{ending}" for ending in contents}
    for ending, path in files.items():
        path.write_bytes(contents[ending])
    hashes = {path.name: hashlib.sha256(contents[ending]).hexdigest() for ending, path in files.items()}
    document = papers.add_document(
        Document(
            kind=kind, site=site, period=period, made_by=by or "(not signed)", body=body, reason=reason.strip(),
            folder=str(out.resolve()), files=hashes,
        ),
        actor=actor,
    )  # fmt: skip
    return Made(document=document, files=files)


def stem(kind: str, site: str, period: str, version: int) -> str:
    """A file name: `weekly-0123-2026-W47-v2`."""
    return f"{kind}-{_safe(site) or 'site'}-{_safe(period)}-v{version}"


def _safe(text: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in text)
