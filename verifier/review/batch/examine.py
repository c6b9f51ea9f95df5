"""Looks at a file once: its hash, what it holds, and its clock; kept, so that a file is hashed once and not nightly."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of
from verifier.domain.observations import VideoInfo
from verifier.formats.layout import read_layout
from verifier.review.batch.chain import Chain
from verifier.review.batch.entries import is_file, kind_of
from verifier.review.batch.folders import Folders, whole_file
from verifier.review.batch.segments import Beat
from verifier.review.batch.values import Facts, Source
from verifier.vision.probe import Probe, sha256_of

KEPT_AS: Final = 3
"""Number of the form in which facts are kept; those of another form are found anew."""
QUIET_S: Final = 3.0
"""Seconds for which a file must have stood still before it is read: one that is being written seldom pauses longer."""
_PIECE: Final = 1 << 20


class StillWrittenError(Exception):
    """A recording that changed while the night worked on it."""

    def __init__(self) -> None:
        super().__init__("it changed while it was looked at: it is still being written, or was exchanged")


def examine(source: Source, chain: Chain, folders: Folders, beat: Beat, cause: str | None = None) -> Facts:
    """The facts of a recording; what is unchanged since it was last looked at is not read again.

    With a `cause` the file cannot be opened as a video: it is hashed only, and the cause is its error. Raises OSError
    where the file cannot be reached, BadInput where it is no regular file, StillWrittenError where it changes; whatever
    is wrong with its contents stands in `error`.
    """
    path = path_of(source.path)
    found = _regular(path)
    kept = _kept(folders, source)
    known = _known(kept.with_suffix(".json"))
    if known is not None and same_file(known, found):
        kept.with_suffix(".json").touch()
        return known
    _wait_until_quiet(found, beat)
    facts = _unreadable(source, found, cause, beat) if cause else _look(source, chain, kept, found, beat)
    if not same_file(facts, _regular(path)):
        raise StillWrittenError
    if known is not None and known.bytes < facts.bytes:
        facts = _with_earlier(facts, known, beat)
    with whole_file(kept.with_suffix(".json")) as stream:
        stream.write(msgspec.json.encode(facts))
    return facts


def check_same(facts: Facts) -> None:
    """Raises StillWrittenError where a recording is not what was examined; OSError where it cannot be reached."""
    if not same_file(facts, _regular(path_of(facts.path))):
        raise StillWrittenError


def same_file(facts: Facts, found: os.stat_result) -> bool:
    """Whether a file has the size and the time of change that it had when it was examined."""
    return (facts.bytes, facts.modified_ns) == (found.st_size, found.st_mtime_ns)


def _regular(path: Path) -> os.stat_result:
    """What the system says of a regular file; only such a file is ever opened."""
    found = path.stat()
    kind = kind_of(found)
    if kind is not None:
        raise BadInput(path, f"not a recording: {kind}", "take it out of the folder")
    return found


def _wait_until_quiet(found: os.stat_result, beat: Beat) -> None:
    """Waits where a file was written to just now: a change shows when it is looked at again."""
    until = min(found.st_mtime, time.time()) + QUIET_S
    while (left := until - time.time()) > 0:
        time.sleep(min(left, 0.5))
        beat(0.0)


def _look(source: Source, chain: Chain, kept: Path, found: os.stat_result, beat: Beat) -> Facts:
    path = path_of(source.path)
    shape = {"path": source.path, "bytes": found.st_size, "modified_ns": found.st_mtime_ns, "kept": kept.name}
    try:
        probe = chain.probe(path)
        seconds = max(probe.promised or 0.0, probe.info.duration or 0.0)
        clock = source.start or _clock(probe, source, chain)
    except BadInput as error:
        if isinstance(error.__cause__, OSError) and not is_file(path):
            raise error.__cause__ from error
        return _unreadable(source, found, error.cause, beat)
    sha256 = sha256_of(path, beat)
    _keep_probe(replace(probe, info=msgspec.structs.replace(probe.info, sha256=sha256)), kept)
    return Facts(
        sha256=sha256, width=probe.info.width, height=probe.info.height, seconds=round(seconds, 3),
        clock=clock, divisible=probe.divisible, **shape,  # type: ignore[arg-type]
    )  # fmt: skip


def _unreadable(source: Source, found: os.stat_result, cause: str, beat: Beat) -> Facts:
    """The facts of a file that cannot be watched: its hash, and why."""
    return Facts(
        path=source.path, sha256=sha256_of(path_of(source.path), beat), bytes=found.st_size,
        modified_ns=found.st_mtime_ns, kept="", clock=source.start, error=cause,
    )  # fmt: skip


def _with_earlier(facts: Facts, known: Facts, beat: Beat) -> Facts:
    """The facts with the hash of what the file was before, where it only grew since then."""
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


def _clock(probe: Probe, source: Source, chain: Chain) -> str | None:
    file = path_of(source.layout or "")
    if not is_file(file):
        return None
    try:
        layout = read_layout(file)
    except BadInput:  # told when the recording is watched
        return None
    return chain.clock(probe, layout)


def _kept(folders: Folders, source: Source) -> Path:
    """By path and layout: another layout may read another clock."""
    layout = path_of(source.layout or "")
    told = msgspec.json.encode((KEPT_AS, source.path, sha256_of(layout) if is_file(layout) else None, source.start))
    return folders.facts / hashlib.sha256(told).hexdigest()[:32]


def _known(path: Path) -> Facts | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Facts)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _keep_probe(probe: Probe, kept: Path) -> None:
    with whole_file(kept.with_suffix(".npz")) as stream:
        told = msgspec.json.encode((probe.info, probe.promised, probe.as_decoded))
        np.savez(stream, told=np.frombuffer(told, np.uint8), times=probe.times, spare=probe.spare)


@lru_cache(maxsize=2)
def probe_of(facts: Facts, folders: Folders) -> Probe:
    """The probe of an examined recording, as it was kept."""
    with np.load((folders.facts / facts.kept).with_suffix(".npz")) as kept:
        told = msgspec.json.decode(kept["told"].tobytes(), type=tuple[VideoInfo, float | None, bool])
        info, promised, as_decoded = told
        return Probe(path_of(facts.path), info, promised, kept["times"], kept["spare"], as_decoded=as_decoded)
