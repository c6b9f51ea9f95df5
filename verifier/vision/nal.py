"""Tells from a packet of H.264 or H.265, without decoding it, whether other frames are built on its frame.

ITU-T H.264 section 7.4.1 (nal_ref_idc) and H.265 section 7.4.2.2 (sub-layer non-reference pictures).
"""

from __future__ import annotations

from typing import Final

HEAD: Final = 4096
"""Bytes of a packet that are looked at: parameter sets and messages stand before the picture."""
START: Final = b"\x00\x00\x01"


class Packets:
    """Reads the packets of one stream; `extradata` is the stream's, which tells how its units are parted."""

    def __init__(self, codec: str, extradata: bytes | None) -> None:
        self._codec = codec
        place = {"h264": 4, "hevc": 21}.get(codec, 0)
        counted = extradata is not None and len(extradata) > place and extradata[0] == 1
        self._prefix = (extradata[place] & 3) + 1 if counted and extradata is not None else 0

    def spare(self, packet: bytes | memoryview) -> bool:
        """Whether no other frame needs this one; False where that cannot be told."""
        head = bytes(packet[:HEAD])
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
        if self._codec == "hevc":
            kind = (first >> 1) & 63
            return kind <= 14 and kind % 2 == 0 if kind < 32 else None
        return False
