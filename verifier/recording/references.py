"""Tells from a packet, without decoding it, whether other pictures are built on its picture.

ITU-T H.264 section 7.4.1 (nal_ref_idc), H.265 section 7.4.2.2 (sub-layer non-reference pictures), H.262 section 6.3.9
(picture_coding_type), ISO/IEC 14496-2 section 6.3.5 (vop_coding_type): B pictures of the last two are never built on.
"""

from __future__ import annotations

from typing import Final

HEAD: Final = 4096
"""Bytes of a packet that are looked at: parameter sets and messages stand before the picture."""
START: Final = b"\x00\x00\x01"
_MPEG2_PICTURE: Final = START + b"\x00"
_MPEG4_PICTURE: Final = START + b"\xb6"
_B: Final = {"mpeg1video": 3, "mpeg2video": 3, "mpeg4": 2}
"""How a header writes that its picture is a B picture."""


class Packets:
    """Reads the packets of one stream; `extradata` is the stream's, which tells how its units are parted."""

    def __init__(self, codec: str, extradata: bytes | None) -> None:
        self._codec = codec
        place = {"h264": 4, "hevc": 21}.get(codec, 0)
        counted = extradata is not None and len(extradata) > place and extradata[0] == 1
        self._prefix = (extradata[place] & 3) + 1 if counted and extradata is not None else 0

    def spare(self, packet: bytes | memoryview) -> bool:
        """Whether no other picture needs this one; False where that cannot be told."""
        head = bytes(packet[:HEAD])
        if self._codec in _B:
            return self._coding_type(head) == _B[self._codec]
        return self._codec in ("h264", "hevc") and self._unneeded(head)

    def _coding_type(self, head: bytes) -> int | None:
        """The coding type in the picture's header; None where there is no whole one."""
        if self._codec == "mpeg4":
            found = head.find(_MPEG4_PICTURE)
            return head[found + 4] >> 6 if 0 <= found < len(head) - 4 else None
        found = head.find(_MPEG2_PICTURE)
        return (head[found + 5] >> 3) & 7 if 0 <= found < len(head) - 5 else None

    def _unneeded(self, head: bytes) -> bool:
        position = 0
        while True:
            if self._prefix:
                start, position = position + self._prefix, self._after(head, position)
            else:
                found = head.find(START, position)
                start, position = found + len(START), found + len(START)
                if found < 0:
                    return False
            if start + 1 >= len(head):
                return False
            told = self._unit(head[start])
            if told is not None:
                return told

    def _after(self, head: bytes, position: int) -> int:
        length = int.from_bytes(head[position : position + self._prefix], "big")
        return position + self._prefix + length

    def _unit(self, first: int) -> bool | None:
        """Whether a unit is of a picture that nothing needs; None where it is no picture."""
        if self._codec == "h264":
            return (first >> 5) & 3 == 0 if 1 <= first & 31 <= 5 else None
        kind = (first >> 1) & 63
        return kind <= 14 and kind % 2 == 0 if kind < 32 else None
