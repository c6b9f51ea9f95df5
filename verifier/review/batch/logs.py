"""Structured logs: one JSON object a line, each with the recording that it is about."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec

from verifier.domain.names import shown
from verifier.formats.whole import make_folder


class Log(Protocol):
    """Takes one thing that happened; `recording` is the review's id or the file's path."""

    def __call__(self, event: str, *, recording: str | None = None, **fields: object) -> None: ...


def quiet(event: str, *, recording: str | None = None, **fields: object) -> None:
    """Write nothing."""


class FileLog:
    """Appends to a file. A full disk must not end the night: what cannot be written is counted and told later."""

    def __init__(self, path: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._path, self._now, self._lost = path, now, 0
        make_folder(path.parent)

    def __call__(self, event: str, *, recording: str | None = None, **fields: object) -> None:
        lost = {"lines_lost_before": self._lost} if self._lost else {}
        at = self._now().isoformat(timespec="milliseconds")
        told = {"at": at, "event": event, "recording": recording, **fields, **lost}
        line = msgspec.json.encode({name: _encodable(value) for name, value in told.items()})
        try:
            with self._path.open("ab") as stream:
                stream.write(line + b"\n")
        except OSError:
            self._lost += 1
        else:
            self._lost = 0


def _encodable(value: object) -> object:
    """Return a value whose text can be written, so that no name of a file ends the night."""
    return shown(value, keep="\n\t") if isinstance(value, str) else value
