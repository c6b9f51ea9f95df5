"""Tells from a packet, without decoding it, whether other pictures are built on its picture, and of what form it is.

ITU-T H.264 section 7.4.1 (nal_ref_idc), H.265 section 7.4.2.2 (sub-layer non-reference pictures), H.262 section 6.3.9
(picture_coding_type), ISO/IEC 14496-2 section 6.3.5 (vop_coding_type): B pictures of the last two are never built on.
H.264 D.2.8: after how many frames pictures are whole where decoding begins at a recovery point.
The form stands in sequence parameter sets and the display orientation message (H.264 D.2.27, H.265 D.3.17), in sequence
headers (H.262 6.2.2, ISO/IEC 14496-2 6.2.3), and in the frame header of JPEG (ITU-T T.81 B.2.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

HEAD: Final = 4096
"""Bytes of a packet that are looked at: parameter sets and messages stand before the picture."""
START: Final = b"\x00\x00\x01"
_MPEG2_PICTURE: Final = START + b"\x00"
_MPEG4_PICTURE: Final = START + b"\xb6"
_B: Final = {"mpeg1video": 3, "mpeg2video": 3, "mpeg4": 2}
"""How a header writes that its picture is a B picture."""
_SETS: Final = {"h264": 7, "hevc": 33}
"""Units that hold sequence parameter sets."""
_MESSAGES: Final = {"h264": 6, "hevc": 39}
"""Units that hold messages, among them on how the picture is turned."""
_ORIENTATION: Final = 47
_STANDS_IN: Final = 19
"""Bytes up to which a packet of MPEG-4 Part 2 holds no picture, for FFmpeg (mpeg4_unpack_bframes)."""
_RECOVERY: Final = 6
_WHOLE_AT_ONCE: Final = 5
"""H.264's unit of a picture that needs none before it."""
_SEQUENCE, _EXTENSION = START + b"\xb3", START + b"\xb5"
_FRAME_HEADERS: Final = (0xC0, 0xC1, 0xC2)


class Packets:
    """Reads the packets of one stream; `extradata` is the stream's, which tells how its units are parted."""

    def __init__(self, codec: str, extradata: bytes | None) -> None:
        self._codec = codec
        place = {"h264": 4, "hevc": 21}.get(codec, 0)
        counted = extradata is not None and len(extradata) > place and extradata[0] == 1
        self._prefix = (extradata[place] & 3) + 1 if counted and extradata is not None else 0

    def spare(self, packet: bytes | memoryview) -> bool:
        """Tell whether no other picture needs this one; False if that cannot be told."""
        head = bytes(packet[:HEAD])
        if self._codec in _B:
            return self._coding_type(head) == _B[self._codec]
        return self._codec in ("h264", "hevc") and self._unneeded(head)

    def _coding_type(self, head: bytes) -> int | None:
        """Return the coding type in the picture's header; None if there is no whole one."""
        if self._codec == "mpeg4":
            found = head.find(_MPEG4_PICTURE)
            return head[found + 4] >> 6 if 0 <= found < len(head) - 4 else None
        found = head.find(_MPEG2_PICTURE)
        return (head[found + 5] >> 3) & 7 if 0 <= found < len(head) - 5 else None

    def stands_in(self, packet: bytes | memoryview) -> bool:
        """Tell whether a packet holds no picture, but stands for one that was packed into the packet before it.

        Codecs of MPEG-4 for AVI do so with B pictures (DivX, Xvid).
        """
        return self._codec == "mpeg4" and len(packet) <= _STANDS_IN

    def recovery(self, packet: bytes | memoryview) -> int:
        """Return after how many frames pictures are whole if decoding begins here; 0: at once, or not told."""
        if self._codec != "h264":
            return 0
        head, count = bytes(packet[:HEAD]), 0
        for start in self._units(head):
            kind = self._kind(head[start])
            if kind == _WHOLE_AT_ONCE:
                return 0
            if kind == _MESSAGES["h264"]:
                messages = _messages(head[start + 1 : self._end(head, start)])
                count = next((_exp_golomb(payload) for told, payload in messages if told == _RECOVERY), count)
        return count

    def form(self, packet: bytes | memoryview) -> bytes:
        """Return the bytes by which a packet tells the form of the pictures that follow; none where it tells nothing.

        Pictures between which these bytes do not change are of one form; where they change they may be of another.
        """
        head = bytes(packet[:HEAD])
        if self._codec in _SETS:
            units = (head[start : self._end(head, start)].rstrip(b"\0") for start in self._units(head))
            return b"".join(unit for unit in units if self._tells_form(unit))
        if self._codec in ("mpeg1video", "mpeg2video"):
            return b"".join(head[at + 4 : at + 10] for at in map(head.find, (_SEQUENCE, _EXTENSION)) if at >= 0)
        if self._codec == "mpeg4":
            return next((part for part in head.split(START)[1:] if part[:1] and 0x20 <= part[0] <= 0x2F), b"")
        return _jpeg_frame(head) if self._codec == "mjpeg" else b""

    def _tells_form(self, unit: bytes) -> bool:
        kind = self._kind(unit[0]) if unit else -1
        long = 1 if self._codec == "h264" else 2
        turned = kind == _MESSAGES[self._codec] and any(told == _ORIENTATION for told, _ in _messages(unit[long:]))
        return turned or kind == _SETS[self._codec]

    def _unneeded(self, head: bytes) -> bool:
        told = (self._unit(head[start]) for start in self._units(head))
        return next((one for one in told if one is not None), False)

    def _units(self, head: bytes) -> Iterator[int]:
        """Where the units of a packet begin."""
        position = 0
        while True:
            if self._prefix:
                start, position = position + self._prefix, self._after(head, position)
            else:
                found = head.find(START, position)
                start, position = found + len(START), found + len(START)
                if found < 0:
                    return
            if start + 1 >= len(head):
                return
            yield start

    def _end(self, head: bytes, start: int) -> int:
        """Where the unit ends that begins at `start`."""
        if self._prefix:
            return self._after(head, start - self._prefix)
        found = head.find(START, start)
        return found if found >= 0 else len(head)

    def _after(self, head: bytes, position: int) -> int:
        length = int.from_bytes(head[position : position + self._prefix], "big")
        return position + self._prefix + length

    def _kind(self, first: int) -> int:
        return first & 31 if self._codec == "h264" else (first >> 1) & 63

    def _unit(self, first: int) -> bool | None:
        """Tell whether a unit is of a picture that nothing needs; None if it is no picture."""
        kind = self._kind(first)
        if self._codec == "h264":
            return (first >> 5) & 3 == 0 if 1 <= kind <= 5 else None
        return kind <= 14 and kind % 2 == 0 if kind < 32 else None


def _messages(payload: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the types and the contents of the messages in a unit, without its header."""
    data, place = payload.replace(b"\0\0\3", b"\0\0"), 0
    while place + 2 < len(data):
        kind, place = _counted(data, place)
        size, place = _counted(data, place)
        yield kind, data[place : place + size]
        place += size


def _exp_golomb(data: bytes) -> int:
    """Return the number that data begins with (H.264 9.1): as many zeros as bits follow the first one."""
    bits = "".join(f"{byte:08b}" for byte in data[:8])
    zeros = len(bits) - len(bits.lstrip("0"))
    return int(bits[zeros : 2 * zeros + 1] or "1", 2) - 1


def _counted(data: bytes, place: int) -> tuple[int, int]:
    """Return a number that is written as bytes of 255 and a last one, and the place behind it."""
    number = 0
    while place < len(data) and data[place] == 255:
        number, place = number + 255, place + 1
    return number + (data[place] if place < len(data) else 0), place + 1


def _jpeg_frame(head: bytes) -> bytes:
    """Return the frame header of a JPEG picture: precision, size and how its colours are sampled."""
    place = 2
    while place + 4 <= len(head) and head[place] == 0xFF:
        length = int.from_bytes(head[place + 2 : place + 4], "big")
        if head[place + 1] in _FRAME_HEADERS:
            return head[place + 4 : place + 2 + length]
        place += 2 + length
    return b""
