"""Looks at a file once: its hash, what it holds, and its clock; kept, so that a file is hashed once and not nightly."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.observations import VideoInfo
from verifier.formats.house import read_house
from verifier.formats.layout import read_layout
from verifier.review.batch.chain import Chain
from verifier.review.batch.folders import Folders, whole_file
from verifier.review.batch.values import Facts, Source
from verifier.vision.probe import Probe, sha256_of

KEPT_AS: Final = 3
"""Number of the form in which facts are kept; those of another form are found anew."""


def examine(source: Source, chain: Chain, folders: Folders) -> Facts:
    """The facts of a recording; what is unchanged since it was last looked at is not read again.

    Raises OSError where the file cannot be reached; whatever is wrong with its contents stands in `error`.
    """
    stat = Path(source.path).stat()
    kept = _kept(folders, source)
    known = _known(kept.with_suffix(".json"))
    if known is not None and (known.bytes, known.modified_ns) == (stat.st_size, stat.st_mtime_ns):
        kept.with_suffix(".json").touch()
        return known
    facts = _look(source, chain, kept, stat)
    with whole_file(kept.with_suffix(".json")) as stream:
        stream.write(msgspec.json.encode(facts))
    return facts


def _look(source: Source, chain: Chain, kept: Path, stat: os.stat_result) -> Facts:
    path = Path(source.path)
    shape = {"path": source.path, "bytes": stat.st_size, "modified_ns": stat.st_mtime_ns, "kept": kept.name}
    try:
        probe = chain.probe(path)
        seconds = max(probe.promised or 0.0, probe.info.duration or 0.0)
        clock = source.start or _clock(probe, source, chain)
    except BadInput as error:
        if isinstance(error.__cause__, OSError) and not path.exists():
            raise error.__cause__ from error
        return Facts(sha256=sha256_of(path), error=error.cause, **shape)  # type: ignore[arg-type]
    _keep_probe(probe, kept)
    house = _house(source)
    assert probe.info.sha256 is not None
    return Facts(
        sha256=probe.info.sha256, width=probe.info.width, height=probe.info.height, seconds=round(seconds, 3),
        clock=clock, divisible=probe.divisible, time_zone=house.time_zone, clock_error=house.clock_error_seconds,
        **shape,  # type: ignore[arg-type]
    )  # fmt: skip


def _clock(probe: Probe, source: Source, chain: Chain) -> str | None:
    try:
        layout = read_layout(Path(source.layout or ""))
    except BadInput:  # told when the recording is watched
        return None
    return chain.clock(probe, layout)


def _house(source: Source) -> House:
    """The house options, of which the facts hold what is known of the clock."""
    try:
        return read_house(Path(source.house or ""))
    except BadInput:  # told when the recording is concluded
        return House()


def _kept(folders: Folders, source: Source) -> Path:
    """By path, layout and house options: others may read another clock, or know another error of it."""
    files = [Path(name or "") for name in (source.layout, source.house)]
    digests = [sha256_of(file) if file.is_file() else None for file in files]
    told = msgspec.json.encode((KEPT_AS, source.path, digests, source.start))
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
        return Probe(Path(facts.path), info, promised, kept["times"], kept["spare"], as_decoded=as_decoded)
