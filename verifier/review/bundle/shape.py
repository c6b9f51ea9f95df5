"""The shape of a bundle's file, judged before anything is unpacked: nothing between the files, and bounds.

A bundle is its files one behind the other, the table of contents, and the end. What lies in no table is seen by some
programs and not by others; what is larger than its table, or unfolds to many times its size, would fill the memory.
"""

from __future__ import annotations

import os
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.store.audit.check import Fault

MOST_TABLE: Final = 8 << 20
"""Bytes of a table of contents: about 100,000 files. A week of a large site has some thousands."""
MOST_RATIO: Final = 200
"""Times that a file may unfold. What compresses best here, observations of a still table, unfolds some 40 times."""
SMALL: Final = 16 << 20
"""Bytes up to which a file may unfold whatever its ratio."""
_END: Final = struct.Struct("<4s4H2LH")
_LOCATOR: Final = struct.Struct("<4sLQL")
_END_64: Final = struct.Struct("<4sQ2H2L4Q")
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_ZIP_64: Final = 1
_FULL: Final = (0xFFFF, 0xFFFFFFFF)
"""What a field of the end holds where the true number stands in the larger end before it (APPNOTE.TXT, 4.4.1.4)."""


class Table(Struct, frozen=True):
    """Where the table of contents begins and ends (bytes), how many files it says that it lists, and the faults."""

    begin: int
    end: int
    files: int
    faults: list[Fault]


def find_table(file: IO[bytes], name: str) -> Table | None:
    """The table of contents; None where the file was cut off. Raises BadInput where the table is far too large."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END.size - 0xFFFF))
    tail = file.read()
    place = tail.rfind(b"PK\x05\x06")
    if place < 0 or len(tail) - place < _END.size:
        return None
    at = size - len(tail) + place
    _, _, _, _, files, length, begin, _ = _END.unpack_from(tail, place)
    faults = [] if at + _END.size == size else [_hidden(name, "behind its end")]
    if files in _FULL or length in _FULL or begin in _FULL:
        larger = _larger(file, at)
        if larger is None:
            return None
        at, files, length, begin = larger
    if length > MOST_TABLE:
        raise BadInput(name, "lists more files than an evidence bundle has", "name a file of evidence export")
    return Table(begin=begin, end=at, files=files, faults=faults if begin + length == at else [*faults, _gap(name)])


def _larger(file: IO[bytes], at: int) -> tuple[int, int, int, int] | None:
    """The same by the larger end of a bundle beyond 4 GiB: its place, files, length and beginning of the table."""
    if at < _LOCATOR.size + _END_64.size:
        return None
    file.seek(at - _LOCATOR.size)
    mark, _, place, _ = _LOCATOR.unpack(file.read(_LOCATOR.size))
    if mark != b"PK\x06\x07" or place + _END_64.size + _LOCATOR.size != at:
        return None
    file.seek(place)
    mark, _, _, _, _, _, _, files, length, begin = _END_64.unpack(file.read(_END_64.size))
    return (place, files, length, begin) if mark == b"PK\x06\x06" else None


def check_shape(file: IO[bytes], table: Table, infos: Sequence[zipfile.ZipInfo], name: str) -> list[Fault]:
    """What lies in the file beside what the table lists: programs that list files do not show it."""
    faults = list(table.faults)
    if table.files != len(infos):
        faults.append(_hidden(name, "in its table of contents"))
    place = 0
    for info in sorted(infos, key=lambda one: one.header_offset):
        if info.header_offset != place:
            faults.append(_gap(info.filename))
        if not 0 <= info.header_offset < table.begin:  # an end that was moved moves all places, even before the file
            return faults
        file.seek(info.header_offset)
        head = file.read(_LOCAL.size)
        if len(head) < _LOCAL.size:
            return [*faults, _gap(info.filename)]
        *_, name_length, extra_length = _LOCAL.unpack(head)
        extra = file.read(name_length + extra_length)[name_length:]
        if info.comment or not (_plain(extra) and _plain(info.extra)):
            faults.append(_hidden(info.filename, "beside its name"))
        place = info.header_offset + _LOCAL.size + name_length + extra_length + info.compress_size
    return faults if place == table.begin else [*faults, _gap(name)]


def check_bounds(path: Path, infos: Sequence[zipfile.ZipInfo]) -> int:
    """How many bytes the files unfold to; raises BadInput for one that unfolds to far more than it should."""
    for info in infos:
        if info.file_size > SMALL and info.file_size > MOST_RATIO * info.compress_size:
            cause = f"{info.filename} unfolds to {info.file_size} bytes, more than {MOST_RATIO} times its size"
            raise BadInput(path, cause, "name a file that verifier evidence export wrote")
    return sum(info.file_size for info in infos)


def _plain(extra: bytes) -> bool:
    """Whether the extra field is empty, or tells sizes beyond 4 GiB and nothing else."""
    if not extra:
        return True
    if len(extra) < 4:
        return False
    kind, length = struct.unpack_from("<2H", extra)
    return bool(kind == _ZIP_64 and length == len(extra) - 4)


def _hidden(where: str, place: str) -> Fault:
    return Fault(kind="added", where=where, says=f"holds something {place} that programs which list files do not show")


def _gap(where: str) -> Fault:
    return Fault(kind="added", where=where, says="holds something before or behind it that no table of contents lists")
