"""Looks at a file once: its hash, what it holds, and its clock; kept, so that a file is hashed once and not nightly."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.formats.layout import read_layout
from verifier.recording.probe import Probe, read_probe, sha256_of
from verifier.review.batch.chain import Chain
from verifier.review.batch.folders import Folders, whole_file
from verifier.review.batch.values import Facts, Source

Look = Callable[[Source, Chain, Path, os.stat_result], Facts]
KEPT_AS: Final = 3
"""Number of the form in which facts are kept; those of another form are found anew."""


def examine(source: Source, chain: Chain, folders: Folders) -> Facts:
    """The facts of a recording; what is unchanged since it was last looked at is not read again.

    Raises OSError where the file cannot be reached; whatever is wrong with its contents stands in `error`.
    """
    return _examined(source, chain, folders, _look)


def examine_usable(source: Source, chain: Chain, folders: Folders) -> Facts:
    """The same of a recording that must be usable: raises BadInput where it is not, before anything is written."""
    return _examined(source, chain, folders, _usable)


def _examined(source: Source, chain: Chain, folders: Folders, look: Look) -> Facts:
    stat = Path(source.path).stat()
    kept = _kept(folders, source)
    known = _known(kept.with_suffix(".json"))
    if known is not None and (known.bytes, known.modified_ns) == (stat.st_size, stat.st_mtime_ns):
        kept.with_suffix(".json").touch()
        return known
    facts = look(source, chain, kept, stat)
    with whole_file(kept.with_suffix(".json")) as stream:
        stream.write(msgspec.json.encode(facts))
    return facts


def _look(source: Source, chain: Chain, kept: Path, stat: os.stat_result) -> Facts:
    path = Path(source.path)
    try:
        return _usable(source, chain, kept, stat)
    except BadInput as error:
        if isinstance(error.__cause__, OSError) and not path.exists():
            raise error.__cause__ from error
        return Facts(
            path=source.path, sha256=sha256_of(path), bytes=stat.st_size, modified_ns=stat.st_mtime_ns, kept=kept.name,
            error=error.cause,
        )  # fmt: skip


def _usable(source: Source, chain: Chain, kept: Path, stat: os.stat_result) -> Facts:
    probe = chain.probe(Path(source.path))
    seconds = probe.length
    clock = source.start or _clock(probe, source, chain)
    _keep_probe(probe, kept)
    assert probe.info.sha256 is not None
    return Facts(
        path=source.path, sha256=probe.info.sha256, bytes=stat.st_size, modified_ns=stat.st_mtime_ns, kept=kept.name,
        width=probe.info.width, height=probe.info.height, seconds=round(seconds, 3), clock=clock,
        divisible=probe.divisible,
    )  # fmt: skip


def _clock(probe: Probe, source: Source, chain: Chain) -> str | None:
    try:
        layout = read_layout(Path(source.layout or ""))
    except BadInput:  # told when the recording is watched
        return None
    return chain.clock(probe, layout)


def _kept(folders: Folders, source: Source) -> Path:
    """By path and layout: another layout may read another clock."""
    layout = Path(source.layout or "")
    told = msgspec.json.encode((KEPT_AS, source.path, sha256_of(layout) if layout.is_file() else None, source.start))
    return folders.facts / hashlib.sha256(told).hexdigest()[:32]


def _known(path: Path) -> Facts | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Facts)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _keep_probe(probe: Probe, kept: Path) -> None:
    with whole_file(kept.with_suffix(".npz")) as stream:
        probe.timeline.write(stream, probe.facts)


@lru_cache(maxsize=2)
def probe_of(facts: Facts, folders: Folders) -> Probe:
    """The probe of an examined recording, as it was kept."""
    return read_probe(Path(facts.path), (folders.facts / facts.kept).with_suffix(".npz"))
