"""Whether a file is still the one that was read: size, times and file number, and in doubt its SHA-256."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from verifier.domain.errors import BadInput

_CHUNK: Final = 1 << 20


class Identity(Struct, frozen=True, kw_only=True):
    """What the file system tells of a file; times are nanoseconds since 1970."""

    size: int
    modified: int
    changed: int
    device: int
    inode: int

    @classmethod
    def of(cls, told: os.stat_result) -> Identity:
        """Return the identity that `os.stat` or `os.fstat` tells."""
        return cls(
            size=told.st_size,
            modified=told.st_mtime_ns,
            changed=told.st_ctime_ns,
            device=told.st_dev,
            inode=told.st_ino,
        )


class ExchangedError(BadInput):
    """A recording that is not the film any more that was read: exchanged, or written to."""


def nothing_done(share: float) -> None:
    """Take word of progress and do nothing."""


def sha256_of(path: Path, beat: Callable[[float], None] = nothing_done) -> str:
    """SHA-256 of a file, hexadecimal, read in pieces; `beat` is called with MiB read after each of them."""
    digest, read = hashlib.sha256(), 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            read += 1
            beat(float(read))
    return digest.hexdigest()


def check_same(path: Path, identity: Identity, sha256: str | None) -> None:
    """Raise ExchangedError where `path` no longer holds what was read from it.

    A file with the same identity is the same. Where the identity differs, the SHA-256 decides, if it is known: a copy
    that was put back, or a changed owner, makes no other film. Raises OSError where the file is out of reach.
    """
    if Identity.of(path.stat()) == identity:
        return
    if sha256 is None or path.stat().st_size != identity.size or sha256_of(path) != sha256:
        raise ExchangedError(
            path,
            "holds another film than the one that was read: it was exchanged, or written to",
            "bring the recording back as it was, or wait until the recorder has finished it, and review it again",
        )
