"""Errors that a person can act on."""

from __future__ import annotations

from pathlib import Path

from verifier.domain.names import path_text, shown


class BadInput(Exception):
    """Input that cannot be used: says which file, where in it, what is wrong and what to do.

    The command line prints it as one line and ends with exit code 2.
    """

    def __init__(self, source: object, cause: str, remedy: str, *, where: str | None = None) -> None:
        self.source = path_text(source) if isinstance(source, Path) else shown(str(source))
        self.where = where
        self.cause = cause
        self.remedy = remedy
        place = f"{self.source}: {where}" if where else self.source
        super().__init__(shown(" ".join(f"{place}: {cause}; {remedy}".split())))
