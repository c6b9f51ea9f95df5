"""Notes on findings that are not decided yet: kept on the server for the person, so that nothing typed is lost."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.formats.whole import make_folder, write_whole
from verifier.review.judging import NOTE_MOST
from verifier.review.people.roles import Act, Person, require
from verifier.store.home import home

NOTES_MOST: Final = 200
"""Notes that are kept for one person; our own choice. With one more the one written longest ago goes."""
_NAME_MOST: Final = 200
"""Letters of a finding's id at most."""


def keep_note(person: Person, finding_id: str, note: str) -> None:
    """Keep a note in place of the earlier one; an empty one is no note. Raises Forbidden, BadInput, OSError."""
    require(person, Act.JUDGE)
    if len(note) > NOTE_MOST:
        raise BadInput("note", f"has {len(note)} characters", f"say it in {NOTE_MOST}")
    if not finding_id or len(finding_id) > _NAME_MOST:
        raise BadInput(finding_id[:80], "is no finding", "choose one of the list")
    path = _path(person, finding_id)
    if not note.strip():
        path.unlink(missing_ok=True)
        return
    make_folder(path.parent)
    write_whole(path, msgspec.json.encode(note))
    for old in sorted(path.parent.glob("*.json"), key=lambda one: one.stat().st_mtime_ns)[:-NOTES_MOST]:
        old.unlink(missing_ok=True)


def note_of(person: Person, finding_id: str) -> str:
    """Return the kept note of a person on a finding; empty if there is none, or it cannot be read."""
    try:
        return msgspec.json.decode(_path(person, finding_id).read_bytes(), type=str)[:NOTE_MOST]
    except (OSError, msgspec.DecodeError):
        return ""


def drop_note(person: Person, finding_id: str) -> None:
    """Remove a note, where there is one."""
    _path(person, finding_id).unlink(missing_ok=True)


def _path(person: Person, finding_id: str) -> Path:
    folder = home() / "room" / "notes" / hashlib.sha256(person.name.encode()).hexdigest()[:24]
    return folder / f"{hashlib.sha256(finding_id.encode()).hexdigest()[:24]}.json"
