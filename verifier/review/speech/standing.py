"""Whether the transcripts that a stored log was joined with still lie where they lay, and the log without those that
do not."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct, structs

from verifier.domain.errors import BadInput
from verifier.domain.events import Announcement, EventLog, RecordEntry
from verifier.domain.names import path_of
from verifier.formats.files import read_bytes
from verifier.review.entries import is_file
from verifier.review.speech.beside import TRANSCRIPT, beside

State = Literal["taken_away", "replaced", "added"]
_ID: Final = re.compile(r"t\d{5,}")
"""Ids of the events that a transcript told."""
_SAYS: Final[dict[State, str]] = {
    "taken_away": "was taken away since: what it told counts until the review is judged again (recheck --save)",
    "replaced": "was replaced since: what the review holds of it is stale until the recording is reviewed again",
    "added": "came since: nothing of it counts until the recording is reviewed again",
}


class Changed(Struct, frozen=True, kw_only=True):
    """A transcript that is not as it was when the recording was reviewed; `row` is the log's record of it."""

    file: str
    state: State
    row: RecordEntry | None = None

    @property
    def says(self) -> str:
        """This as a sentence."""
        return f"the transcript {self.file} {_SAYS[self.state]}"


def changed(log: EventLog, recording: Path | None) -> list[Changed]:
    """Return the transcripts that are not as they were; `recording` is where the first file of the review lay.

    One whose folder is not there or empty, as on a disk that is not mounted, is not known to be taken away.
    """
    rows = [one for one in log.events if isinstance(one, RecordEntry) and one.type == TRANSCRIPT]
    found = [one for row in rows if (one := _changed(row, recording)) is not None]
    if not rows and recording is not None and (there := beside(recording)) is not None:
        found.append(Changed(file=there.name, state="added"))
    return found


def _changed(row: RecordEntry, recording: Path | None) -> Changed | None:
    fields = row.fields or {}
    name, kept = str(fields.get("file") or ""), fields.get("path")
    path = path_of(kept) if isinstance(kept, str) else None if recording is None else recording.with_name(name)
    if path is None or not path.parent.is_dir():
        return None
    if not is_file(path):
        if not _holds_any(path.parent):
            return None
        return Changed(file=name, state="taken_away", row=row)
    try:
        same = hashlib.sha256(read_bytes(path)).hexdigest() == fields.get("sha256")
    except BadInput:
        same = False
    return None if same else Changed(file=name, state="replaced", row=row)


def _holds_any(folder: Path) -> bool:
    """Tell whether something lies in a folder; False if nobody can tell."""
    try:
        return any(folder.iterdir())
    except OSError:
        return False


def without_taken_away(log: EventLog, found: Sequence[Changed]) -> EventLog:
    """Return the log without what transcripts told that were taken away. Without any transcript, nothing was heard."""
    gone = [one.row for one in found if one.state == "taken_away" and one.row is not None]
    if not gone:
        return log
    names = {row.id for row in gone} | {
        event.id for event in log.events if isinstance(event, Announcement) and any(_told(row, event) for row in gone)
    }
    events = tuple(event for event in log.events if event.id not in names)
    left = any(isinstance(one, RecordEntry) and one.type == TRANSCRIPT for one in events)
    channels = log.header.channels if left else tuple(one for one in log.header.channels if one != "audio")
    return EventLog(structs.replace(log.header, channels=channels), events)


def _told(row: RecordEntry, event: Announcement) -> bool:
    return _ID.fullmatch(event.id) is not None and row.t_start <= event.t_start <= row.t_end
