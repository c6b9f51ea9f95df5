"""Where the night shift keeps its files: below `night` in the data folder, or wherever all machines reach it."""

from __future__ import annotations

import glob
import gzip
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from msgspec import Struct

from verifier.review.pipeline.values import Facts, Segment
from verifier.store.home import home

_LONGEST_NAME = 200
"""Bytes of a name beyond which nothing is added to it; most file systems take 255."""
KEEP_S = 3 * 86400
"""Seconds for which checkpoints are kept, so that a shift to which a file is added is not watched anew."""


class Folders(Struct, frozen=True):
    """The folders below `root`."""

    root: Path

    @property
    def facts(self) -> Path:
        return self.root / "facts"

    def timeline(self, facts: Facts) -> Path:
        """The timeline of an examined recording."""
        return (self.facts / facts.kept).with_suffix(".npz")

    def segment(self, facts: Facts, config: str, segment: Segment) -> Path:
        """The checkpoint of a segment: the same contents under the same configuration have the same one."""
        span = f"{round(segment.warm * 1000)}-{round(segment.begin * 1000)}-{round(segment.end * 1000)}"
        return self.root / "segments" / facts.sha256[:16] / config[:16] / f"{span}.jsonl.gz"

    def bearings(self, facts: Facts, config: str) -> Path:
        """What the first segment of a recording teaches the others."""
        return self.root / "segments" / facts.sha256[:16] / config[:16] / "bearings.pickle"

    def concluded(self, key: str) -> Path:
        """What came of a job, until the store has it."""
        return self.root / "concluded" / f"{key}.json"

    def concluding(self, key: str) -> Path:
        """What a job that is being concluded has made so far."""
        return self.root / "concluding" / key

    def report(self, night: str) -> Path:
        return self.root / "reports" / night

    def forget_old(self) -> None:
        """Removes checkpoints that nobody has touched for long, and what interrupted writers left behind."""
        before = time.time() - KEEP_S
        for pattern in ("segments/*/*/*", "facts/*"):
            for file in self.root.glob(pattern):
                if file.stat().st_mtime < before:
                    file.unlink(missing_ok=True)
        for folder in self.root.glob("concluding/*"):
            if folder.stat().st_mtime < before:
                shutil.rmtree(folder, ignore_errors=True)


def usual_folders() -> Folders:
    """Those in the data folder."""
    return Folders(home() / "night")


@contextmanager
def whole_file(path: Path, *, packed: bool = False) -> Iterator[IO[bytes]]:
    """Writes a file that appears when it is whole and on the disk; raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=_part_of(path), suffix=".part", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as raw:
            if packed:
                with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=1, mtime=0, filename="") as stream:
                    yield cast(IO[bytes], stream)
            else:
                yield raw
            raw.flush()
            os.fsync(raw.fileno())
        try:
            part.chmod(0o644)
            part.replace(path)
        except FileNotFoundError:
            if not path.exists():
                raise  # else another writer of the same contents was faster, and tidied
    finally:
        part.unlink(missing_ok=True)
    _forget_parts(path)


def remove_file(path: Path) -> None:
    """Removes a file, where there is one, and what interrupted writers of it left behind."""
    path.unlink(missing_ok=True)
    _forget_parts(path)


def _forget_parts(path: Path) -> None:
    """Removes unfinished versions of a file: of writers that were killed, or of one whose work is done without it."""
    for part in path.parent.glob(f"{glob.escape(_part_of(path))}*.part"):
        part.unlink(missing_ok=True)


def _part_of(path: Path) -> str:
    """How the names of unfinished versions of a file begin; short enough for a file system where its own is long."""
    name = os.fsencode(path.name)
    return f".{path.name}." if len(name) <= _LONGEST_NAME else f".{hashlib.sha256(name).hexdigest()[:32]}."


def place_file(source: Path, target: Path) -> None:
    """Puts a finished file under another name too, in one step: linked where that is possible, else copied."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{_part_of(target)}part")
    part.unlink(missing_ok=True)
    try:
        try:
            os.link(source, part)
        except OSError:  # another file system, or one without links
            shutil.copyfile(source, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)  # it stays where both names were one file already
