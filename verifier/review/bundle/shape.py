"""The shape of a bundle's file, judged before anything is unpacked: nothing between the files, and bounds.

A bundle is its files one behind the other, the table of contents, and the end. What lies in no table is seen by some
programs and not by others; what is larger than its table, or unfolds to many times its size, would fill the memory.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
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
_EXTRA: Final = struct.Struct("<2H")
_ZIP_64: Final = 1
_PLAIN_FLAGS: Final = (0, 0x800)
"""Neither locked nor with sizes behind the content; the second says that the name is UTF-8 (APPNOTE.TXT, 4.4.4)."""
_PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_PIECE: Final = 1 << 18
EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a bundle: none is told that was not signed."""
_EPOCH_DOS: Final = (0, 1 << 5 | 1)
_LIMIT: Final = zipfile.ZIP64_LIMIT
"""Bytes from which zipfile writes a size or place into the extra field."""
_FULL: Final = (0xFFFF, 0xFFFFFFFF)
"""What a field of the end holds where the true number stands in the larger end before it (APPNOTE.TXT, 4.4.1.4)."""


class Table(Struct, frozen=True):
    """Where the table of contents begins and ends (bytes), how many files it says that it lists, and the faults."""

    begin: int
    end: int
    files: int
    faults: list[Fault]


def find_table(file: IO[bytes], name: str) -> Table | None:
    """Find the table of contents; return None if the file was cut off. Raises BadInput if the table is far
    too large.
    """
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
    """Read the larger end of a bundle beyond 4 GiB: its place, and the files, length and beginning of the table."""
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
    """Return faults for what lies in the file besides what the table lists: programs that list files do not show it."""
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
        rest = file.read(name_length + extra_length)
        if info.comment or info.extra != _sizes(info):
            faults.append(_hidden(info.filename, "beside its name"))
        if not _told_twice(info, head, rest[:name_length], rest[name_length:]):
            says = "its own header is not what the table of contents says: programs may show something else"
            faults.append(Fault(kind="edited", where=info.filename, says=says))
        place = info.header_offset + _LOCAL.size + name_length + extra_length + info.compress_size
    return faults if place == table.begin else [*faults, _gap(name)]


def check_bounds(path: Path, infos: Sequence[zipfile.ZipInfo]) -> int:
    """How many bytes the files unfold to; raises BadInput for one that unfolds to far more than it should."""
    for info in infos:
        if info.file_size > SMALL and info.file_size > MOST_RATIO * info.compress_size:
            cause = f"{info.filename} unfolds to {info.file_size} bytes, more than {MOST_RATIO} times its size"
            raise BadInput(path, cause, "name a file that verifier evidence export wrote")
    return sum(info.file_size for info in infos)


def check_packed(file: IO[bytes], infos: Sequence[zipfile.ZipInfo]) -> list[Fault]:
    """Files that do not fill their place: what stands behind the end of a packed content is shown by no program."""
    return [_hidden(info.filename, "behind its content") for info in infos if not _filled(file, info)]


def _filled(file: IO[bytes], info: zipfile.ZipInfo) -> bool:
    """Tell whether a file's packed content ends where its place ends; True if it cannot be unpacked, told
    elsewhere.
    """
    if info.compress_type != zipfile.ZIP_DEFLATED:
        return info.compress_size == info.file_size
    file.seek(info.header_offset)
    *_, name_length, extra_length = _LOCAL.unpack(file.read(_LOCAL.size))
    file.seek(name_length + extra_length, os.SEEK_CUR)
    packed, left = zlib.decompressobj(-zlib.MAX_WBITS), info.compress_size
    try:
        while left and not packed.eof:
            piece = file.read(min(_PIECE, left))
            left -= len(piece)
            while piece and not packed.eof:
                packed.decompress(piece, _PIECE)
                piece = packed.unconsumed_tail
    except zlib.error:
        return True
    return packed.eof and not left and not packed.unused_data


def _told_twice(info: zipfile.ZipInfo, head: bytes, name: bytes, extra: bytes) -> bool:
    """Tell whether a file's own header says what the table says, in the one way in which bundles are written."""
    _, _, flags, packing, time, date, crc, packed, size, _, _ = _LOCAL.unpack(head)
    if extra:
        sizes = _EXTRA.pack(_ZIP_64, 16) + struct.pack("<2Q", info.file_size, info.compress_size)
        same = extra == sizes and packed == size == _FULL[1]
    else:
        same = (packed, size) == (info.compress_size, info.file_size)
    encoding = "utf-8" if flags & 0x800 else "cp437"
    same = same and name == info.orig_filename.encode(encoding, "replace")
    usual = flags in _PLAIN_FLAGS and packing in _PACKINGS and info.date_time == EPOCH and (time, date) == _EPOCH_DOS
    return same and usual and (flags, packing, crc) == (info.flag_bits, info.compress_type, info.CRC)


def _sizes(info: zipfile.ZipInfo) -> bytes:
    """Return the extra field of a file in the table: sizes and place where they are too large for the table, else
    nothing.
    """
    large = [info.file_size, info.compress_size] if max(info.file_size, info.compress_size) > _LIMIT else []
    large += [info.header_offset] if info.header_offset > _LIMIT else []
    return _EXTRA.pack(_ZIP_64, 8 * len(large)) + struct.pack(f"<{len(large)}Q", *large) if large else b""


def _hidden(where: str, place: str) -> Fault:
    return Fault(kind="added", where=where, says=f"holds something {place} that programs which list files do not show")


def _gap(where: str) -> Fault:
    return Fault(kind="added", where=where, says="holds something before or behind it that no table of contents lists")
