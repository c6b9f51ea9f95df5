"""Whether a file is still the one that was read: size, times and file number, and in doubt its SHA-256."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.formats.hollow import check_written

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
    """A recording that is no longer the film that was read: it was exchanged, or written to."""


def nothing_done(share: float) -> None:
    """Ignore the progress."""


def sha256_of(path: Path, beat: Callable[[float], None] = nothing_done) -> str:
    """SHA-256 of a file, hexadecimal, read in pieces; `beat` is called with MiB read after each of them.

    Raises OSError if it is out of reach, BadInput if it is no regular file, or most of it was never written.
    """
    return sha256_read(path, beat)[0]


def sha256_read(path: Path, beat: Callable[[float], None] = nothing_done) -> tuple[str, Identity]:
    """Return the SHA-256 of a file and the identity of the file that was read: what lies at a path may change between
    two looks at it. Raises as `sha256_of` does, and ExchangedError if the file is written to meanwhile.
    """
    digest, read = hashlib.sha256(), 0
    with open(path, "rb", opener=_at_once) as stream:
        check_written(path, stream.fileno())
        before = Identity.of(os.fstat(stream.fileno()))
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            read += 1
            beat(float(read))
        if Identity.of(os.fstat(stream.fileno())) != before:
            raise _exchanged(path)
    return digest.hexdigest(), before


def _at_once(path: str, flags: int) -> int:
    """Open a file without waiting for a program that writes to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def check_same(path: Path, identity: Identity, sha256: str | None, opened: Identity | None = None) -> None:
    """Raise ExchangedError if `path`, or the file that was `opened` there, is not what was read before.

    A file with the same identity is the same. Where the identity differs, the SHA-256 decides, if it is known: a copy
    that was put back, or a changed owner, makes no other film. Raises OSError if the file is out of reach.
    """
    now = opened or Identity.of(path.stat())
    if now == identity:
        return
    if sha256 is None or now.size != identity.size or sha256_read(path) != (sha256, now):
        raise _exchanged(path)


def _exchanged(path: Path) -> ExchangedError:
    return ExchangedError(
        path,
        "holds another film than the one that was read: it was exchanged, or written to",
        "bring the recording back as it was, or wait until the recorder has finished it, and review it again",
    )
