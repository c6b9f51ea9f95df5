"""Looks at a file once: its hash, what it holds, and its clock; kept, so that a file is hashed once and not nightly."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.names import path_of
from verifier.formats.files import read_bytes
from verifier.formats.hollow import told_of
from verifier.formats.house import read_house
from verifier.formats.layout import read_layout
from verifier.recording.probe import Probe, read_probe, sha256_of
from verifier.recording.timeline import DAMAGED, Timeline
from verifier.review.entries import is_file, kind_of
from verifier.review.pipeline.chain import Chain
from verifier.review.pipeline.folders import Folders, checkpoint_file
from verifier.review.pipeline.leaps import without_leaps
from verifier.review.pipeline.plan import settings_digest
from verifier.review.pipeline.segments import Beat
from verifier.review.pipeline.values import Facts, Source
from verifier.vision.drawn import as_drawn
from verifier.vision.glimpse import Glimpse

Look = Callable[[Path, os.stat_result], Facts]
KEPT_AS: Final = 5
"""Number of the form in which facts are kept; those of another form are found anew."""
QUIET_S: Final = 3.0
"""Seconds for which a file must have stood still before it is read: one that is being written seldom pauses longer."""
_PIECE: Final = 1 << 20


class StillWrittenError(Exception):
    """A recording that changed while the night worked on it."""

    def __init__(self) -> None:
        super().__init__("it changed while it was looked at: it is still being written, or was exchanged")


def examine(source: Source, chain: Chain, folders: Folders, beat: Beat, cause: str | None = None) -> Facts:
    """Return the facts of a recording; one that is unchanged since the last look is not read again.

    With a `cause` the file cannot be opened as a video: it is hashed only, and the cause is its error. Raises OSError
    if the file cannot be reached, BadInput if it is no regular file, StillWrittenError if it changes; whatever
    is wrong with its contents stands in `error`.
    """

    def look(kept: Path, found: os.stat_result) -> Facts:
        _wait_until_quiet(found, beat)
        return _unreadable(source, found, cause, beat) if cause else _look(source, chain, kept, found, beat)

    return _examined(source, folders, look, beat)


def examine_usable(source: Source, chain: Chain, folders: Folders, beat: Beat) -> Facts:
    """Return the facts of a recording that must be usable. Raises BadInput if it is not, before anything is
    written.
    """
    return _examined(source, folders, lambda kept, found: _usable(source, chain, kept, found, beat), beat)


def _examined(source: Source, folders: Folders, look: Look, beat: Beat) -> Facts:
    path = path_of(source.path)
    found = _regular(path)
    kept = _kept(folders, source)
    known = _known(kept.with_suffix(".json"))
    if known is not None and same_file(known, found) and _is_whole(known, folders):
        kept.with_suffix(".json").touch()
        return known
    facts = look(kept, found)
    if not same_file(facts, _regular(path)):
        raise StillWrittenError
    if known is not None and known.bytes < facts.bytes:
        facts = _with_earlier(facts, known, beat)
    with checkpoint_file(kept.with_suffix(".json")) as stream:
        stream.write(msgspec.json.encode(facts))
    return facts


def check_same(facts: Facts) -> None:
    """Raise StillWrittenError if a recording is not what was examined; OSError if it cannot be reached."""
    if not same_file(facts, _regular(path_of(facts.path))):
        raise StillWrittenError


def same_file(facts: Facts, found: os.stat_result) -> bool:
    """Tell whether a file is the one that was examined: size, times and file number, which no copy of equal size
    has.
    """
    return (facts.bytes, facts.modified_ns, facts.changed_ns, facts.inode) == (
        found.st_size,
        found.st_mtime_ns,
        found.st_ctime_ns,
        found.st_ino,
    )


def _regular(path: Path) -> os.stat_result:
    """Return what the system says of a regular file; only such a file is ever opened."""
    found = path.stat()
    kind = kind_of(found) or told_of(path)
    if kind is not None:
        raise BadInput(path, f"not a recording: {kind}", "take it out of the folder")
    return found


def _wait_until_quiet(found: os.stat_result, beat: Beat) -> None:
    """Wait where a file was written to just now: a change shows when it is looked at again."""
    until = min(found.st_mtime, time.time()) + QUIET_S
    while (left := until - time.time()) > 0:
        time.sleep(min(left, 0.5))
        beat(0.0)


def _look(source: Source, chain: Chain, kept: Path, found: os.stat_result, beat: Beat) -> Facts:
    try:
        return _usable(source, chain, kept, found, beat)
    except BadInput as error:
        if isinstance(error.__cause__, OSError) and not is_file(path_of(source.path)):
            raise error.__cause__ from error
        return _unreadable(source, found, error.cause, beat)


def _usable(source: Source, chain: Chain, kept: Path, found: os.stat_result, beat: Beat) -> Facts:
    layout = _layout(source)
    probe = chain.probe(path_of(source.path), source.how, beat)
    if layout is not None:
        probe = without_leaps(as_drawn(probe, layout), layout, chain.clock_in)
    clock = source.start or (chain.clock(probe, layout) if layout is not None else None)
    glimpse = chain.glimpse(probe, layout) if layout is not None else Glimpse()
    probe = probe.hashed(beat)
    _keep_probe(probe, kept)
    info, house = probe.info, _house(source)
    return Facts(
        path=source.path,
        sha256=info.sha256 or "",
        bytes=found.st_size,
        modified_ns=found.st_mtime_ns,
        changed_ns=found.st_ctime_ns,
        inode=found.st_ino,
        kept=kept.name,
        width=info.width,
        height=info.height,
        seconds=round(probe.length, 3),
        clock=clock,
        divisible=probe.divisible,
        time_zone=house.time_zone,
        clock_error=house.clock_error_seconds,
        glimpse=glimpse,
    )


def _unreadable(source: Source, found: os.stat_result, cause: str, beat: Beat) -> Facts:
    """Return the facts of a file that cannot be watched: its hash, and why."""
    return Facts(
        path=source.path,
        sha256=sha256_of(path_of(source.path), beat),
        bytes=found.st_size,
        modified_ns=found.st_mtime_ns,
        changed_ns=found.st_ctime_ns,
        inode=found.st_ino,
        kept="",
        clock=source.start,
        error=cause,
    )


def _with_earlier(facts: Facts, known: Facts, beat: Beat) -> Facts:
    """Return the facts with the hash of what the file was before, where it only grew since then."""
    if not known.bytes or _sha256_of_start(path_of(facts.path), known.bytes, beat) != known.sha256:
        return facts
    return msgspec.structs.replace(facts, earlier=(*known.earlier, known.sha256))


def _sha256_of_start(path: Path, length: int, beat: Beat) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while length > 0 and (piece := stream.read(min(length, _PIECE))):
            digest.update(piece)
            length -= len(piece)
            beat(0.0)
    return digest.hexdigest()


def _layout(source: Source) -> Layout | None:
    """Return the recording's layout; None if there is none that can be read, which is reported when it is
    watched.
    """
    file = path_of(source.layout or "")
    with contextlib.suppress(BadInput):
        return read_layout(file) if is_file(file) else None
    return None


def _house(source: Source) -> House:
    """Return the house options, of which the facts hold what is known of the clock."""
    try:
        return read_house(path_of(source.house or ""))
    except BadInput:  # told when the recording is concluded
        return House()


def _kept(folders: Folders, source: Source) -> Path:
    """By path, layout and house options: others may read another clock, or know another error of it."""
    digests = [settings_digest(name) for name in (source.layout, source.house)]
    told = msgspec.json.encode((KEPT_AS, source.path, digests, source.start, source.how))
    return folders.facts / hashlib.sha256(told).hexdigest()[:32]


def _known(path: Path) -> Facts | None:
    try:
        return msgspec.json.decode(read_bytes(path), type=Facts)
    except (BadInput, msgspec.DecodeError, RecursionError):  # none yet, or none of ours: the file is looked at
        return None


def _is_whole(facts: Facts, folders: Folders) -> bool:
    """Tell whether the timeline of a usable recording can be read back."""
    if facts.error is not None:
        return True
    try:
        Timeline.read(folders.timeline(facts))
    except DAMAGED:
        return False
    return True


def _keep_probe(probe: Probe, kept: Path) -> None:
    with checkpoint_file(kept.with_suffix(".npz")) as stream:
        probe.timeline.write(stream, probe.facts)


@lru_cache(maxsize=2)
def probe_of(facts: Facts, folders: Folders) -> Probe:
    """Return the probe of an examined recording, as it was kept."""
    return read_probe(path_of(facts.path), folders.timeline(facts))
