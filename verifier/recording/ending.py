"""Tells whether a file ends amid a part, or with another recording, by the lengths that its container states.

Only the parts at the top are looked at, or those behind the last picture that was read; nothing is decoded.
Sources: ISO/IEC 14496-12 (boxes), RFC 8794 and RFC 9559 (EBML, Matroska), the specifications of FLV 10.1, ASF 01.20.06
and ISO/IEC 13818-1 (transport packets); RIFF and Dahua's frames as FFmpeg reads them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from verifier.recording.container import open_regular

_BOXES: Final = frozenset(
    b"ftyp styp moov moof mdat free skip wide uuid sidx ssix mfra meta udta emsg prft pnot".split()
)
_ASF_HEAD: Final = bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c")
_ASF: Final = frozenset(
    {
        _ASF_HEAD,
        bytes.fromhex("3626b2758e66cf11a6d900aa0062ce6c"),  # data
        bytes.fromhex("90080033b1e5cf1189f400a0c90349cb"),  # simple index
        bytes.fromhex("d329e2d6da35d111903400a0c90349be"),  # index
    }
)
_EBML: Final = b"\x1a\x45\xdf\xa3"
_SEGMENT: Final = b"\x18\x53\x80\x67"
_OPENED: Final = frozenset({_SEGMENT, b"\x1f\x43\xb6\x75", b"\xa0"})
"""Elements that hold others, whose length may be unknown: segment, cluster, block group."""
_ELEMENTS: Final = _OPENED | {
    bytes.fromhex(one)
    for one in (
        "1a45dfa3", "114d9b74", "1549a966", "1654ae6b", "1c53bb6b", "1941a469", "1043a770", "1254c367", "ec", "bf",
        "e7", "a7", "ab", "5854", "a3", "a1", "9b", "fb", "75a2", "75a1", "a4", "fa",
    )
}  # fmt: skip
"""Identifiers of the elements that stand in a file, a segment, a cluster or a group."""
_TAGS: Final = (8, 9, 18)
_TS_PACKETS: Final = ((188, 0), (192, 4), (204, 0))
"""Bytes of a transport packet, and where in it the sync byte stands."""
_SYNC: Final = 0x47
_ALIGNED: Final = 5
"""Packets whose sync bytes tell their size."""
_AT_ONCE: Final = 4096
"""Packets that are read at once."""

Read = Callable[[int, int], bytes]
"""Bytes of the file: from where, how many. Fewer come at its end."""


class Ending(NamedTuple):
    """`broken`: the last part goes on behind the file's end. `another`: the byte at which another recording begins."""

    broken: bool = False
    another: int | None = None


class _Part(NamedTuple):
    """A part of a file: its bytes from `begin` up to `end`, as it says itself. A recording begins with a `head`."""

    begin: int
    end: int
    head: bool = False


def ending(path: Path, kind: str, last: int, payload: int, tracks: Collection[int] = ()) -> Ending:
    """Tell how a file of this kind (FFmpeg's name of the container) ends.

    `last` is the byte at which the last picture's packet begins (-1: unknown), `payload` its bytes. `tracks` are the
    numbers of the tracks that are known, in a transport stream.
    """
    descriptor = open_regular(path)
    with closing(os.fdopen(descriptor, "rb", buffering=0)) as file:
        size = os.fstat(file.fileno()).st_size

        def read(begin: int, count: int) -> bytes:
            file.seek(begin)
            return file.read(count) or b""

        if kind == "mpegts":
            length, sync = _packet_of(read)
            if not length:
                return Ending()
            another = _other_program(read, max(0, last), length, sync, tracks)
            return Ending(_amid_packet(read, size, length, sync), another)
        amid = "mp4" not in kind and kind not in ("asf", "avi")
        return _ending(_parts(read, size, kind, last, payload), size, begun=amid)


def _parts(read: Read, size: int, kind: str, last: int, payload: int) -> Iterator[_Part]:
    if "mp4" in kind:
        return _boxes(read, size)
    if kind == "asf":
        return _objects(read, size)
    if kind == "avi":
        return _chunks(read, size)
    if last < 0:
        return iter(())
    if kind == "flv":
        return _tags(read, size, last)
    if kind == "dhav":
        return _frames(read, size, last)
    if kind.startswith("matroska"):
        return _elements(read, size, last + _BLOCK_HEAD + payload)
    return iter(())


def _ending(parts: Iterator[_Part], size: int, *, begun: bool) -> Ending:
    """Look through the parts; `begun` tells that they are not the file's first ones."""
    for part in parts:
        if part.head and begun:
            return Ending(another=part.begin)
        if part.end > size:
            return Ending(broken=True)
        begun = True
    return Ending()


def _boxes(read: Read, size: int) -> Iterator[_Part]:
    """Boxes of MP4 and MOV. A length of 0 reaches to the file's end, of 1 stands behind the name."""
    begin = 0
    while len(head := read(begin, 16)) >= 8 and (name := head[4:8]) in _BOXES:
        length = int.from_bytes(head[:4])
        if length == 1:
            length = int.from_bytes(head[8:16])
        end = size if length == 0 else begin + max(8, length)
        yield _Part(begin, end, name == b"ftyp")
        begin = end


def _objects(read: Read, size: int) -> Iterator[_Part]:
    begin = 0
    while len(head := read(begin, 24)) == 24 and head[:16] in _ASF:
        length = int.from_bytes(head[16:24], "little")
        if length < 24:  # of a broadcast, which knows no length
            return
        yield _Part(begin, begin + length, head[:16] == _ASF_HEAD)
        begin += length


def _chunks(read: Read, size: int) -> Iterator[_Part]:
    """RIFF chunks of AVI, whose lengths recorders write wrongly; how many pictures there are, AVI tells elsewhere."""
    begin = 0
    while len(head := read(begin, 12)) == 12 and head[:4] == b"RIFF" and head[8:] in (b"AVI ", b"AVIX"):
        length = int.from_bytes(head[4:8], "little")
        end = min(size, begin + 8 + length + length % 2)
        yield _Part(begin, end, head[8:] == b"AVI ")
        begin = end


def _tags(read: Read, size: int, begin: int) -> Iterator[_Part]:
    """Tags of FLV from this one on: kind, length of 3 bytes, 7 bytes more; behind its bytes the tag's length again."""
    while head := read(begin, 11):
        if head[:3] == b"FLV":
            yield _Part(begin, size, head=True)
            return
        if head[0] & 0x1F not in _TAGS:
            return
        end = begin + 11 + int.from_bytes(head[1:4]) + 4 if len(head) == 11 else size + 1
        if end <= size and not any(read(end - 4, 4)):  # its bytes never came to the disk
            end = size + 1
        yield _Part(begin, end)
        begin = end


def _frames(read: Read, size: int, begin: int) -> Iterator[_Part]:
    """Frames of a Dahua recorder from this one on, each with its length after 12 bytes."""
    while len(head := read(begin, 16)) >= 4 and head[:4] == b"DHAV":
        length = int.from_bytes(head[12:16], "little") if len(head) == 16 else 0
        end = begin + length if length >= 24 else size + 1
        yield _Part(begin, end)
        begin = end


_BLOCK_HEAD: Final = 4
"""Bytes before a picture in Matroska's block: the track's number, the time of 2 bytes, flags."""


def _elements(read: Read, size: int, begin: int) -> Iterator[_Part]:
    """Elements of Matroska from here on. Unknown ones end the search: where a block is laced, this is none."""
    while head := read(begin, 12):
        wide = 9 - head[0].bit_length()
        name = head[:wide]
        if name not in _ELEMENTS or head[wide : wide + 1] == b"\0":
            return
        wide_length = 9 - head[wide].bit_length() if len(head) > wide else 9
        if len(head) < wide + wide_length:
            yield _Part(begin, size + 1)
            return
        length = int.from_bytes(head[wide : wide + wide_length]) & ((1 << 7 * wide_length) - 1)
        inside = begin + wide + wide_length
        unknown = length == (1 << 7 * wide_length) - 1
        end = inside if unknown or name in _OPENED else inside + length
        yield _Part(begin, end, name == _EBML)
        begin = end


def _packet_of(read: Read) -> tuple[int, int]:
    """Return the bytes of a transport packet and where its sync byte stands; (0, 0) where none is found."""
    for length, sync in _TS_PACKETS:
        begun = read(0, length * _ALIGNED)
        if len(begun) == length * _ALIGNED and all(begun[n * length + sync] == _SYNC for n in range(_ALIGNED)):
            return length, sync
    return 0, 0


def _amid_packet(read: Read, size: int, length: int, sync: int) -> bool:
    """Tell whether a transport stream ends amid a packet. Other bytes behind it, such as zeros, do not belong to it."""
    rest = size % length
    before = read(size - rest - length, length + rest)
    return rest > sync and before[sync] == _SYNC and before[length + sync] == _SYNC


def _other_program(read: Read, begin: int, length: int, sync: int, tracks: Collection[int]) -> int | None:
    """Return the byte at which pictures of an unknown track begin, from `begin` on up to what is no packet."""
    begin -= begin % length
    while piece := read(begin, length * _AT_ONCE):
        for place in range(0, len(piece) - length + 1, length):
            packet = piece[place + sync : place + length]
            if packet[0] != _SYNC:
                return None
            track = int.from_bytes(packet[1:3]) & 0x1FFF
            if packet[1] & 0x40 and track not in tracks and _begins_picture(packet):
                return begin + place
        begin += len(piece)
    return None


def _begins_picture(packet: bytes) -> bool:
    """Tell whether a transport packet holds the head of a video stream's part (PES, stream 0xE0 to 0xEF)."""
    payload = 4 + (1 + packet[4] if packet[3] & 0x20 else 0)
    head = packet[payload : payload + 4]
    return bool(packet[3] & 0x10) and head[:3] == b"\0\0\1" and len(head) == 4 and head[3] & 0xF0 == 0xE0
