"""Drafts of documents in the review room: kept on the server for the person, so that a reload loses nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from verifier.formats.whole import make_folder, write_whole
from verifier.review.documents.keeping import DRAFT, stem
from verifier.review.people.roles import Act, Person, require
from verifier.store.home import home
from verifier.store.papers import DocumentKind

DRAFTS_MOST: Final = 20
"""Drafts that are kept for one person; our own choice. With one more the one made longest ago goes."""


def drafts_folder(person: Person) -> Path:
    """Where a person's drafts lie."""
    return home() / "room" / "papers" / hashlib.sha256(person.name.encode()).hexdigest()[:24]


def keep_body(person: Person, kind: DocumentKind, site: str, period: str, body: str) -> None:
    """Keep what a draft says (JSON) in place of the earlier one. Raises Forbidden, OSError."""
    require(person, Act.DOCUMENT)
    path = _path(person, kind, site, period)
    make_folder(path.parent)
    write_whole(path, body.encode())
    for old in sorted(path.parent.glob("*.json"), key=lambda one: one.stat().st_mtime_ns)[:-DRAFTS_MOST]:
        _remove(old)


def body_of(person: Person, kind: DocumentKind, site: str, period: str) -> bytes | None:
    """Return what the person's draft says; None if there is none."""
    try:
        return _path(person, kind, site, period).read_bytes()
    except OSError:
        return None


def drop_draft(person: Person, kind: DocumentKind, site: str, period: str) -> None:
    """Remove a draft with its files, where there is one, since the document was attested."""
    _remove(_path(person, kind, site, period))


def _path(person: Person, kind: DocumentKind, site: str, period: str) -> Path:
    return drafts_folder(person) / f"{stem(kind, site, period, DRAFT)}.json"


def _remove(body: Path) -> None:
    for path in body.parent.glob(f"{body.stem}.*"):
        path.unlink(missing_ok=True)
