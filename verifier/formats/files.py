"""Opening and replacing files so that every failure names the file and a remedy."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from verifier.domain.errors import BadInput
from verifier.formats.whole import whole_file

PathLike = str | os.PathLike[str]

MOST_FILE_BYTES: Final = 8 * 1024 * 1024
"""Bytes of a file that is read as a whole; empty objects in it take 48 times as much memory, 400 MiB."""
MOST_LINE_BYTES: Final = 1024 * 1024
"""Bytes of one record of a stream; the longest of the shipped recordings has 21 thousand."""
MOST_LOG_BYTES: Final = 32 * 1024 * 1024
"""Bytes of an event log, whose records are all kept; a shift of ten hours has 3 to 6 million."""
_BOM: Final = b"\xef\xbb\xbf"
_GZIP: Final = b"\x1f\x8b"
_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0)
"""Flag that opens a pipe without waiting for its writer; Windows has none."""


def open_input(path: PathLike) -> IO[bytes]:
    """Open a file for reading bytes. Raises BadInput when it is missing, a directory or not to be read.

    A named pipe is refused: opening it would wait for a writer, who may never come. One that a shell hands over
    (`/dev/stdin`, `<(...)`) has its writer.
    """
    try:
        stream = open(path, "rb", opener=_open_at_once)  # noqa: SIM115 - the caller closes it
    except OSError as error:
        raise _unreadable(path, error) from error
    except ValueError as error:
        raise BadInput(path, "this is no possible file name", "give the path of a file") from error
    if stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode) and _is_named(path):
        stream.close()
        raise BadInput(path, "this is a named pipe, expected a file", "write its content to a file first")
    if _AT_ONCE:
        os.set_blocking(stream.fileno(), True)
    return stream


def read_bytes(path: PathLike, most: int = MOST_FILE_BYTES) -> bytes:
    """Whole content, without a byte order mark; raises BadInput when unreadable or above `most` bytes."""
    with open_input(path) as stream:
        try:
            content = stream.read(most + 1)
        except OSError as error:
            raise _unreadable(path, error) from error
    if len(content) > most:
        raise BadInput(path, f"the file is larger than {most} bytes", "check that this is the right file")
    return content.removeprefix(_BOM)


def read_lines(path: PathLike, stream: IO[bytes], most: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Line number (from 1) and content of each line; blank lines are allowed at the end only.

    Raises BadInput for a blank line between records, for a line that is not UTF-8, for one of excessive length, and
    where there are more than `most` bytes in all.
    """
    blank: int | None = None
    taken = 0
    for number, line in enumerate(_raw_lines(path, stream), start=1):
        text = line.strip()
        taken += len(line)
        if most is not None and taken > most:
            raise BadInput(path, f"the file is larger than {most} bytes", "check that this is the right file")
        if not text:
            blank = blank or number
            continue
        if blank is not None:
            raise BadInput(path, "the line is blank, expected a record", "remove the line", where=f"line {blank}")
        try:
            text.decode("utf-8")
        except UnicodeDecodeError as error:
            if number == 1 and text.startswith(_GZIP):
                raise BadInput(path, "the file is compressed (gzip), expected text", "unpack it first") from error
            raise BadInput(
                path, "the line is not UTF-8 text", "save the file as UTF-8", where=f"line {number}"
            ) from error
        yield number, text


@contextmanager
def replacing(path: PathLike) -> Iterator[IO[bytes]]:
    """Give a stream for a file that appears when it is whole (`formats/whole.py`), so that a reader never sees half a
    file.

    Raises BadInput when the folder is missing or not to be written.
    """
    try:
        with whole_file(Path(path)) as stream:
            yield stream
    except OSError as error:
        raise _unwritable(path, error) from error


def write_file(path: PathLike, content: bytes) -> None:
    """Write a file's whole content as `replacing` does."""
    with replacing(path) as stream:
        stream.write(content)


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for anybody who writes to it."""
    return os.open(path, flags | _AT_ONCE)


def _is_named(pipe: PathLike) -> bool:
    """Tell whether a pipe lies in a folder; one that a shell makes is known by its descriptor alone."""
    return os.path.exists(os.path.realpath(pipe))  # noqa: PTH110 - Path.resolve raises for some links


def _raw_lines(path: PathLike, stream: IO[bytes]) -> Iterator[bytes]:
    try:
        first = True
        while line := stream.readline(MOST_LINE_BYTES):
            if len(line) == MOST_LINE_BYTES:
                cause = f"a line is longer than {MOST_LINE_BYTES} bytes"
                raise BadInput(path, cause, "check that this is the right file")
            yield line.removeprefix(_BOM) if first else line
            first = False
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: PathLike, error: OSError) -> BadInput:
    if isinstance(error, FileNotFoundError):
        return BadInput(path, "there is no such file", "check the path")
    if isinstance(error, IsADirectoryError):
        return BadInput(path, "this is a folder, expected a file", "give the path of a file in it")
    if isinstance(error, PermissionError):
        return BadInput(path, "the file may not be read", "ask for the permission to read it")
    return BadInput(path, f"the file cannot be read ({error.strerror or error})", "check the path and the disk")


def _unwritable(path: PathLike, error: OSError) -> BadInput:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return BadInput(path, "the folder to write to does not exist", "make the folder first")
    if isinstance(error, PermissionError):
        return BadInput(path, "the file may not be written", "ask for the permission or choose another folder")
    if isinstance(error, IsADirectoryError):
        return BadInput(path, "this is a folder, expected a file to write", "give the path of a file in it")
    return BadInput(path, f"the file cannot be written ({error.strerror or error})", "check the path and free space")
