"""What a file's own bytes tell: whether a recording begins there, and better than FFmpeg the length of an FLV or ASF
file and the first second of a Dahua file.

FFmpeg guesses a length where the head tells none, or the file has lost its end. Sources: the specifications of FLV 10.1
(onMetaData), AMF 0 and ASF 01.20.06 (3.2, file properties); Dahua's frames as FFmpeg reads them.
"""

from __future__ import annotations

import math
import os
import struct
from contextlib import closing
from pathlib import Path
from typing import Final

from verifier.domain.errors import BadInput
from verifier.recording.container import open_regular
from verifier.recording.stamps import Numbers

_HEAD: Final = 1 << 16
"""Bytes from a file's beginning in which its head stands."""
_DURATION: Final = b"\0\x08duration\0"
"""A property of this name that is a number (AMF 0)."""
_PROPERTIES: Final = bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365")
_BROADCAST: Final = 1
_BEGINNING: Final = 1024
_BEGINNINGS: Final = (
    b"\x1a\x45\xdf\xa3",  # Matroska
    b"FLV\x01",
    bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c"),  # ASF
    b"DHAV",
    b"DAHUA",
    b"IMKH",
    b"\0\0\x01\xba",  # MPEG-PS
)
_BOXES: Final = (b"ftyp", b"styp", b"moov", b"mdat", b"wide")
_OTHER_BRANDS: Final = (b"heic", b"heix", b"mif1", b"msf1", b"avif", b"crx ", b"M4A ", b"M4B ")
"""Brands of MP4's family for photos and sound."""


def begins_recording(path: Path) -> bool:
    """Tell whether a file begins as the usual containers of pictures do. No name is asked, and nothing else is read."""
    try:
        with closing(os.fdopen(open_regular(path), "rb", buffering=0)) as file:
            head = file.read(_BEGINNING) or b""
    except (BadInput, OSError):
        return False
    if head[4:8] in _BOXES:
        return head[8:12] not in _OTHER_BRANDS
    packets = ((188, 0), (192, 4))
    streams = (all(head[n * size + sync : n * size + sync + 1] == b"G" for n in range(5)) for size, sync in packets)
    return head.startswith(_BEGINNINGS) or (head[:4] == b"RIFF" and head[8:12] == b"AVI ") or any(streams)


def head_length(path: Path, kind: str) -> float | None:
    """Return the seconds that an FLV or ASF file (FFmpeg's name of the container) tells; None if it tells none."""
    with closing(os.fdopen(open_regular(path), "rb", buffering=0)) as file:
        head = file.read(_HEAD) or b""
    found = _flv(head) if kind == "flv" else _asf(head)
    return found if found is not None and math.isfinite(found) and found > 0 else None


def _flv(head: bytes) -> float | None:
    place = head.find(_DURATION, head.find(b"onMetaData")) + len(_DURATION)
    if b"onMetaData" not in head or place < len(_DURATION) or place + 8 > len(head):
        return None
    return float(struct.unpack_from(">d", head, place)[0])


def _asf(head: bytes) -> float | None:
    """Play duration (100 ns) less the preroll (ms); of a broadcast both mean nothing."""
    place = head.find(_PROPERTIES)
    if place < 0 or place + 92 > len(head):
        return None
    played, _, preroll, flags = struct.unpack_from("<QQQI", head, place + 64)
    return None if flags & _BROADCAST else played / 1e7 - preroll / 1e3


def dahua_start(path: Path, places: Numbers) -> tuple[int, float]:
    """Return how many pictures a Dahua file has in its first second, and how many seconds of it had passed before.

    `places` (packets,) are the bytes at which its frames begin. A frame tells the second of the day and a counter of
    milliseconds; FFmpeg has the first frame of each second, and so of the file, stand at its beginning.
    """
    with closing(os.fdopen(open_regular(path), "rb", buffering=0)) as file:
        first: tuple[int, int] | None = None
        for count, place in enumerate(places.tolist()):
            file.seek(max(0, place))
            head = file.read(22) or b""
            if place < 0 or len(head) < 22 or head[:4] != b"DHAV":
                break
            date, counter = struct.unpack_from("<IH", head, 16)
            first = first or (date, counter)
            if date != first[0]:
                passed = 1000 - (counter - first[1]) % 65536
                return (count, passed / 1000) if 0 < passed < 1000 else (0, 0.0)
    return 0, 0.0
