"""Names the recordings that cannot be watched and make one review: in a sentence, and whole in a file beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from verifier.review.pipeline.folders import checkpoint_file
from verifier.review.pipeline.values import RecordingSet
from verifier.store.repository import review_id

FILES: Final = "unusable-files.csv"
"""In the review's folder: every file of it that cannot be watched."""
_NAMED: Final = 5
"""Files that a sentence names; all stand in FILES."""


def as_one(recording_sets: Sequence[RecordingSet], cause: str) -> RecordingSet:
    """Return the first recording set; where there are more, give it an id that no single recording has."""
    first = recording_sets[0]
    if len(recording_sets) == 1:
        return first
    told = hashlib.sha256(f"{first.review_id} {cause}".encode()).hexdigest()
    return msgspec.structs.replace(first, id=review_id(told))


def named(recording_sets: Sequence[RecordingSet]) -> str:
    """Return the names of the files, only the first of them where there are many."""
    names = [path.rpartition("/")[2] for path in files_of(recording_sets)]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def cause_of(recording_sets: Sequence[RecordingSet], cause: str) -> str:
    """Return what is wrong, and with which files where there are several."""
    files = len(files_of(recording_sets))
    return (
        cause
        if files == 1
        else f"{cause}: {files} files, {named(recording_sets)} (all in {FILES} of the review's folder)"
    )


def files_of(recording_sets: Sequence[RecordingSet]) -> list[str]:
    """Return the paths of all files, copies of others included."""
    return [
        path
        for recording_set in recording_sets
        for path in (*(part.facts.path for part in recording_set.parts), *recording_set.covered)
    ]


def write_files(recording_sets: Sequence[RecordingSet], cause: str, folder: Path) -> None:
    """Write the list of files for a person. Raises OSError."""
    from verifier.review.documents.sheets import csv_of, table_of

    rows = [
        {"file": path, "sha256": recording_set.parts[0].facts.sha256, "why": cause}
        for recording_set in recording_sets
        for path in files_of([recording_set])
    ]
    with checkpoint_file(folder / FILES) as stream:
        stream.write(csv_of(table_of(rows, ("file", "sha256", "why"))))
