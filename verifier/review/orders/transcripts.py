"""A transcript that somebody sends with a recording: read, kept in the data folder, and named in the order."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.names import path_text
from verifier.formats.transcripts import read_transcript
from verifier.formats.whole import make_folder, write_whole
from verifier.review.people.roles import Act, Person, require
from verifier.review.pipeline.values import Spoken
from verifier.store.home import home
from verifier.store.repository import Store

ENDINGS: Final = (".srt", ".vtt", ".json")
"""Endings that a kept transcript may have; its name is never the one that was sent, which a disk may refuse."""
MOST_NAME: Final = 80


class Said(Struct, frozen=True, kw_only=True):
    """What a person tells of what was said in a recording: a transcript with its `name` and `content`, or none.

    `offset` are the seconds of the recording at which its time 0 lies; `complete`: all that was said is in it.
    """

    name: str = ""
    content: bytes = b""
    offset: float = 0.0
    complete: bool = False


def keep_transcript(store: Store, person: Person, said: Said) -> Spoken | None:
    """Keep the transcript that is sent; without one, what is stated is about the file beside the recording.

    None if nothing is told. Raises Forbidden, or BadInput with the faulty line.
    """
    require(person, Act.BEGIN)
    if said == Said():
        return None
    if not said.name:
        return Spoken(offset=said.offset, complete=said.complete)
    plain = _name_of(said.name)
    _check(plain, said.content)
    digest = hashlib.sha256(said.content).hexdigest()
    ending = next((one for one in ENDINGS if plain.lower().endswith(one)), "")
    path = home() / "transcripts" / digest[:24] / f"transcript{ending}"
    make_folder(path.parent)
    write_whole(path, said.content)
    store.note(person.name, "transcript", f"transcript/{digest[:24]}", {"name": plain, "sha256": digest})
    return Spoken(path=path_text(path), offset=said.offset, complete=said.complete)


def _name_of(sent: str) -> str:
    """Return the file's own name as it may stand in a note: no folder, nothing unprintable, of usual length."""
    plain = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in sent)
    return plain.replace("\\", "/").rpartition("/")[2][-MOST_NAME:] or "transcript"


def _check(name: str, content: bytes) -> None:
    """Raise BadInput, with the file's own name, where the transcript cannot be read."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / "transcript"
        trial.write_bytes(content)
        try:
            read_transcript(trial)
        except BadInput as error:
            raise BadInput(name, error.cause, error.remedy, where=error.where) from error
