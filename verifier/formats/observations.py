"""Observations (`*.observations.jsonl`, docs/formats.md), read and written one record at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.observations import (
    OBSERVATIONS_FORMAT,
    OBSERVATIONS_VERSION,
    Observation,
    ObservationsHeader,
)
from verifier.formats.files import PathLike, open_input, read_lines, replacing
from verifier.formats.json_text import parse_object
from verifier.formats.records import check_format, convert_object, decode_record, without_nulls

_DECODER: Final = msgspec.json.Decoder(Observation)
_ENCODER: Final = msgspec.json.Encoder()
_NAMES: Final = tuple(f'"{name}":'.encode() for name in Observation.__struct_fields__)


class ObservationReader:
    """An observations file: its `header`, and the records by iteration, never more than one in memory.

    Each iteration reads the file anew. Raises BadInput on opening (missing file, wrong header) and, while iterating,
    for a bad record or for a `t` that goes back.
    """

    def __init__(self, path: PathLike) -> None:
        self.path = path
        with open_input(path) as stream:
            self.header = _header(path, stream)

    def __iter__(self) -> Iterator[Observation]:
        with open_input(self.path) as stream:
            last = -math.inf
            for number, line in read_lines(self.path, stream):
                if number == 1:
                    continue
                record = decode_record(self.path, _DECODER, line, number, null_is_absent=True)
                if any(line.count(name) > 1 for name in _NAMES):
                    parse_object(self.path, line, f"line {number}")
                if record.t < last:
                    cause = f"found {record.t} after {last}, expected records ordered by t"
                    raise BadInput(self.path, cause, "sort the records by t", where=f"line {number}, field t")
                last = record.t
                yield record


def open_observations(path: PathLike) -> ObservationReader:
    """Open an observations file and read its header. Raises BadInput where it is not valid."""
    return ObservationReader(path)


class ObservationWriter:
    """Writes an observations file; the file appears whole when the `with` block ends without an error.

    Raises BadInput when the file cannot be written.
    """

    def __init__(self, path: PathLike, header: ObservationsHeader) -> None:
        self._file: AbstractContextManager[IO[bytes]] = replacing(path)
        self._path, self._header, self._number = path, header, 1
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> ObservationWriter:
        self._stream = self._file.__enter__()
        self._stream.write(_ENCODER.encode(self._header) + b"\n")
        return self

    def write(self, observation: Observation) -> None:
        """Append one record. Raises BadInput for values that no reader would accept, ValueError outside `with`."""
        if self._stream is None:
            raise ValueError("the writer is used outside its with block")
        line = _ENCODER.encode(observation)
        self._number += 1
        decode_record(self._path, _DECODER, line, self._number)
        self._stream.write(line + b"\n")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream = None
        self._file.__exit__(kind, error, trace)


def _header(path: PathLike, stream: IO[bytes]) -> ObservationsHeader:
    first = next(read_lines(path, stream), None)
    if first is None:
        raise BadInput(path, "the file is empty, expected a header line", "check how the file was written")
    value = parse_object(path, first[1], "line 1")
    check_format(path, value, OBSERVATIONS_FORMAT, OBSERVATIONS_VERSION)
    return convert_object(path, without_nulls(value), ObservationsHeader, "line 1")
