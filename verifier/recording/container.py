"""Opens recordings: by what they hold, never by their names, and only regular files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NoReturn

import av
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.formats.hollow import UNWRITTEN_MOST, unwritten
from verifier.recording.identity import Identity

COPY_AGAIN: Final = "copy the recording again from the recorder"
NO_PICTURES: Final = "choose the recording of the camera above the table"
_BUFFER: Final = 1 << 18
"""Bytes that FFmpeg asks for at once."""
_KINDS: Final = (
    (stat.S_ISDIR, "is a folder"),
    (stat.S_ISFIFO, "is a named pipe"),
    (stat.S_ISSOCK, "is a socket"),
    (stat.S_ISCHR, "is a device"),
    (stat.S_ISBLK, "is a device"),
)
_OPTIONS: Final = {"correct_ts_overflow": "0"}
"""Stamps come as the file holds them; `stamps` tells a counter that wraps from a clock that was reset."""


class Track(Struct, frozen=True, kw_only=True):
    """A picture track: its `number` among the file's picture tracks (from 1), stream index, size and codec."""

    number: int
    index: int
    width: int
    height: int
    codec: str
    default: bool

    def __str__(self) -> str:
        return f"track {self.number} ({self.width}x{self.height} {self.codec})"


class _Bytes:
    """A file for PyAV without its name: FFmpeg then judges it by its contents, and takes no part of a name for a
    protocol, a pattern or an option.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def read(self, count: int) -> bytes:
        return os.read(self._descriptor, count)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return os.lseek(self._descriptor, offset, whence)

    def tell(self) -> int:
        return os.lseek(self._descriptor, 0, os.SEEK_CUR)


def open_regular(path: Path, kind: str = "video file", again: str = COPY_AGAIN) -> int:
    """Return a descriptor of a regular file, for reading. Raises BadInput for everything else, without waiting for
    it.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:
        raise BadInput(path, "is no name of a file", "check the name") from error
    except OSError as error:
        raise _unreachable(path, error, kind, again) from error
    told = os.fstat(descriptor)
    if stat.S_ISREG(told.st_mode) and told.st_size and unwritten(descriptor) <= UNWRITTEN_MOST:
        return descriptor
    os.close(descriptor)
    if stat.S_ISREG(told.st_mode):
        raise BadInput(path, "was for the most part never written" if told.st_size else "is empty", again)
    raise _not_regular(path, told.st_mode, kind)


def _unreachable(path: Path, error: OSError, kind: str, again: str) -> BadInput:
    """Return the error for a file that cannot be opened."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return BadInput(path, "no such file", "check the name and the folder")
    if isinstance(error, PermissionError):
        return BadInput(path, "may not be read", "ask for permission to read the file")
    try:
        mode = path.stat().st_mode
    except OSError:
        return BadInput(path, f"cannot be read ({error.strerror})", again)
    if stat.S_ISREG(mode):
        return BadInput(path, f"cannot be read ({error.strerror})", again)
    return _not_regular(path, mode, kind)


def _not_regular(path: Path, mode: int, kind: str) -> BadInput:
    what = next((words for holds, words in _KINDS if holds(mode)), "is no regular file")
    remedy = f"name a {kind} in it" if stat.S_ISDIR(mode) else f"name a {kind}"
    return BadInput(path, f"{what}, not a {kind}", remedy)


def check_readable(path: Path, kind: str = "video file", again: str = COPY_AGAIN) -> None:
    """Raise BadInput if there is no regular file, no permission, or nothing in it; `kind` is what it should be."""
    os.close(open_regular(path, kind, again))


@contextmanager
def opened(path: Path, **options: Any) -> Iterator[tuple[av.container.InputContainer, Identity]]:
    """Yield a container that holds pictures, with the identity of the file that is read. Raises BadInput for all else.

    `options` go to `av.open`.
    """
    descriptor = open_regular(path)
    try:
        identity = Identity.of(os.fstat(descriptor))
        with _container(path, descriptor, options) as container:
            try:
                yield container, identity
            finally:
                _settle(container)
    finally:
        os.close(descriptor)


def _settle(container: av.container.InputContainer) -> None:
    """Let the decoders' threads end their work, before they are freed.

    A thread that drops a picture frees the number that its packet carries (`opaque`), and needs Python's lock for it.
    Freeing a decoder holds that lock and waits for the threads: both would wait for ever. HEVC's decoder drops pictures
    after each key picture that a file is entered at.
    """
    for stream in container.streams.video:
        if stream.codec_context is not None and stream.codec_context.is_open:
            with suppress(av.error.FFmpegError, ValueError):
                stream.codec_context.decode(None)


def _container(path: Path, descriptor: int, options: dict[str, Any]) -> av.container.InputContainer:
    try:
        container = av.open(
            _Bytes(descriptor),
            metadata_errors="replace",
            buffer_size=_BUFFER,
            container_options=_OPTIONS,
            io_open=_refuse,
            **options,
        )
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise _unusable(path, descriptor) from error
    if not isinstance(container, av.container.InputContainer):  # pragma: no cover - av.open's type
        raise BadInput(path, "cannot be read", COPY_AGAIN)
    return container


def _refuse(url: str, flags: int, options: dict[str, str]) -> NoReturn:
    """Refuse other files and addresses that a recording's contents name: a recording is one file."""
    raise OSError(f"a recording may not open {url!r}")


def _unusable(path: Path, descriptor: int) -> BadInput:
    os.lseek(descriptor, 0, os.SEEK_SET)
    head = os.read(descriptor, 64)
    if head[4:8] == b"ftyp":
        return BadInput(path, "is cut off: its index is missing, so no frame can be found", COPY_AGAIN + " in full")
    if head.isascii() and all(byte >= 32 or byte in b"\t\r\n" for byte in head):
        return BadInput(path, "holds text, not video", "choose the video file itself")
    return BadInput(path, "is not a video that can be read", COPY_AGAIN + ", or convert it to MP4")


def tracks_of(container: av.container.InputContainer) -> list[Track]:
    """Return the picture tracks of a file; cover pictures are none."""
    moving = [stream for stream in container.streams.video if not _is_cover(stream)]
    return [
        Track(
            number=number,
            index=stream.index,
            width=stream.codec_context.width if stream.codec_context else 0,
            height=stream.codec_context.height if stream.codec_context else 0,
            codec=stream.codec_context.name if stream.codec_context else "unknown codec",
            default=bool(stream.disposition & av.stream.Disposition.default),
        )
        for number, stream in enumerate(moving, start=1)
    ]


def demuxed(container: av.container.InputContainer, *streams: Any) -> Iterator[Any]:
    """Packets that hold something, up to the end or to damage that ends reading."""
    try:
        for packet in container.demux(*streams):
            if packet.size:
                yield packet
    except (av.error.FFmpegError, OSError, IndexError):  # PyAV knows no track that begins amid a file
        return


def _is_cover(stream: av.VideoStream) -> bool:
    return bool(stream.disposition & av.stream.Disposition.attached_pic)


def chosen(path: Path, tracks: list[Track], number: int | None) -> Track:
    """Return the track to watch: the one of that number, else the file's default one, of several the largest.

    Raises BadInput if there is none, or none of that number.
    """
    if not tracks:
        raise BadInput(path, "holds no picture track", NO_PICTURES)
    if number is None:
        return max(tracks, key=lambda track: (track.default, track.width * track.height, -track.number))
    for track in tracks:
        if track.number == number:
            return track
    told = ", ".join(map(str, tracks))
    raise BadInput(path, f"has no picture track {number}; it holds {told}", "choose one of these with --track")
