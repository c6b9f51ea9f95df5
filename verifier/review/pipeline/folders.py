"""Where the night shift keeps its files: below `night` in the data folder, or wherever all machines reach it."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from msgspec import Struct

from verifier.formats.whole import make_folder, whole_file
from verifier.review.pipeline.values import Facts, Segment
from verifier.store.home import home

KEEP_S = 3 * 86400
"""Seconds for which checkpoints are kept, so that a shift to which a file is added is not watched anew."""


class Folders(Struct, frozen=True):
    """The folders below `root`."""

    root: Path

    @property
    def facts(self) -> Path:
        return self.root / "facts"

    def timeline(self, facts: Facts) -> Path:
        """Return the path of the timeline of an examined recording."""
        return (self.facts / facts.kept).with_suffix(".npz")

    def segment(self, facts: Facts, config: str, segment: Segment) -> Path:
        """Return the path of a segment's checkpoint: the same contents under the same configuration have the same
        one.
        """
        span = f"{round(segment.warm * 1000)}-{round(segment.begin * 1000)}-{round(segment.end * 1000)}"
        return self.root / "segments" / facts.sha256[:16] / config[:16] / f"{span}.jsonl.gz"

    def bearings(self, facts: Facts, config: str) -> Path:
        """Return the path of what the first segment of a recording teaches the others."""
        return self.root / "segments" / facts.sha256[:16] / config[:16] / "bearings.npz"

    def concluded(self, key: str) -> Path:
        """Return the path of what came of a job, until the store has it."""
        return self.root / "concluded" / f"{key}.json"

    def concluding(self, key: str) -> Path:
        """Return the path of what a job that is being concluded has made so far."""
        return self.root / "concluding" / key

    @property
    def records(self) -> Path:
        """The site's records as they stood when the work began."""
        return self.root / "records.json"

    def report(self, night: str) -> Path:
        return self.root / "reports" / night

    def remove(self) -> None:
        """Remove all checkpoints at once: a program killed meanwhile leaves all or none for the next call."""
        gone = self.root.with_name(f"{self.root.name}.gone")
        shutil.rmtree(gone, ignore_errors=True)
        with contextlib.suppress(OSError):
            self.root.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def forget_old(self) -> None:
        """Remove checkpoints that nobody has touched for long, and what interrupted writers left behind."""
        before = time.time() - KEEP_S
        for pattern in ("segments/*/*/*", "facts/*"):
            for file in self.root.glob(pattern):
                if file.stat().st_mtime < before:
                    file.unlink(missing_ok=True)
        for folder in self.root.glob("concluding/*"):
            if folder.stat().st_mtime < before and not self.concluded(folder.name).exists():
                shutil.rmtree(folder, ignore_errors=True)


def usual_folders() -> Folders:
    """Those in the data folder."""
    return Folders(home() / "night")


@contextmanager
def checkpoint_file(path: Path, *, packed: bool = False) -> Iterator[IO[bytes]]:
    """Give a file to write, which appears when it is whole, and make its folder. Raises OSError."""
    make_folder(path.parent)
    with whole_file(path, packed=packed) as stream:
        yield stream
