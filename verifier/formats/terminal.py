"""What reaches a terminal: text without anything that would steer it, whoever's file names or words are in it.

Every stream that the program prints to is wrapped once, where the command line begins, so that no message, table or
progress line is left out. JSON stays JSON that says the same: what is escaped is escaped as JSON does it.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TextIO, cast

from verifier.domain.names import is_hidden

_KEPT: Final = "\n\t"


def printable_text(text: str) -> str:
    r"""Text in which each character that steers a terminal, or that nobody sees, is written as `\u001b` is."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if one in _KEPT or not is_hidden(one) else json.dumps(one)[1:-1] for one in text)


class PlainStream:
    """A text stream of which nothing but printable text comes out."""

    encoding = "utf-8"
    """What is printed may hold any letter; the stream below replaces those that it does not know."""

    def __init__(self, below: TextIO) -> None:
        self.below = below
        with suppress(AttributeError, ValueError, OSError):
            cast(io.TextIOWrapper, below).reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write text. Raises TypeError for anything else, as text streams do."""
        if not isinstance(text, str):
            raise TypeError(f"expected text, got {type(text).__name__}")
        self.below.write(printable_text(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)


def guard_terminal() -> None:
    """From now on stdout and stderr take nothing but printable text."""
    for name in ("stdout", "stderr"):
        if not isinstance(getattr(sys, name), PlainStream):
            setattr(sys, name, PlainStream(getattr(sys, name)))


@contextmanager
def guarded_terminal() -> Iterator[None]:
    """Guard the terminal as `guard_terminal` does, until the block ends."""
    before = sys.stdout, sys.stderr
    guard_terminal()
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


@contextmanager
def open_terminal() -> Iterator[None]:
    """Until the block ends the streams are as they were: for another program's own colours."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = below(sys.stdout), below(sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def below(stream: TextIO) -> TextIO:
    """Return the stream itself, without what guards it, for a caller that makes its text printable before."""
    return stream.below if isinstance(stream, PlainStream) else stream
