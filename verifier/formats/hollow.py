"""Files that say to be large and hold next to nothing: reading one to its end takes hours and tells nothing."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from verifier.domain.errors import BadInput

UNWRITTEN_MOST: Final = 32 << 30
"""Bytes of a file that may never have been written: a recorder makes room for hours, and the power may fail at once."""
_BLOCK: Final = 512


def unwritten(descriptor: int) -> int:
    """Return how many bytes of an open file were never written, counted no further than beyond `UNWRITTEN_MOST`.

    A file system that does not tell where a file has holes tells of none.
    """
    told = os.fstat(descriptor)
    if not stat.S_ISREG(told.st_mode) or told.st_size - getattr(told, "st_blocks", 1 << 60) * _BLOCK <= UNWRITTEN_MOST:
        return 0
    before, found, place = os.lseek(descriptor, 0, os.SEEK_CUR), 0, 0
    try:
        while place < told.st_size and found <= UNWRITTEN_MOST:
            hole = os.lseek(descriptor, place, os.SEEK_HOLE)
            if hole >= told.st_size:
                break
            place = _next_data(descriptor, hole, told.st_size)
            found += place - hole
    except OSError:  # a file of the system's own, which lies on no disk
        found = UNWRITTEN_MOST + 1
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)
    return found


def _next_data(descriptor: int, place: int, size: int) -> int:
    """Where data goes on from a place on; the file's size where none does."""
    try:
        return os.lseek(descriptor, place, os.SEEK_DATA)
    except OSError:
        return size


def told_of(path: Path) -> str | None:
    """Return why a regular file is not read to its end; None where it can be, or is none, or cannot be opened."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return None
    try:
        hollow = unwritten(descriptor) > UNWRITTEN_MOST
        size = os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)
    return f"a file of {size / 1e9:.0f} GB of which most was never written" if hollow else None


def check_written(path: Path, descriptor: int) -> None:
    """Raise BadInput where most of an open file was never written, or it is no regular file."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise BadInput(path, "is no regular file", "name a file")
    if unwritten(descriptor) > UNWRITTEN_MOST:
        cause = f"says to have {os.fstat(descriptor).st_size / 1e9:.0f} GB, most of which was never written"
        raise BadInput(path, cause, "copy the file again")
