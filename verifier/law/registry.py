"""Registry of checks: which function judges which clauses, and under which conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from verifier.law.instances import Instance
from verifier.law.rounds import Round
from verifier.law.session import Session

RoundCheck = Callable[[Round], Iterator[Instance]]
SessionCheck = Callable[[Session], Iterator[Instance]]
Partial = Literal["drop", "undetermined", "keep"]
"""What becomes of a violation in a round whose beginning is not in the log."""


class Check(Struct, frozen=True, kw_only=True):
    """One check: its clauses, its function and when it applies.

    `needs`: house options that must have this value (None: any, but it must be configured). `video`: the clause binds
    only tables with video surveillance. `statute`: it stands back where an alternative mistake policy replaces it.
    `reads`: event names and kinds of records, one of which must be in the log for the check to have anything to say.
    `audio`: it needs a transcript.
    """

    name: str
    clauses: tuple[str, ...]
    of_round: RoundCheck | None = None
    of_session: SessionCheck | None = None
    needs: dict[str, object] = {}
    video: bool = False
    statute: bool = False
    partial: Partial = "drop"
    reads: tuple[str, ...] = ()
    audio: bool = False


CHECKS: dict[str, list[Check]] = {"nd-twenty-one": []}


def round_check(
    *clauses: str,
    needs: dict[str, object] | None = None,
    video: bool = False,
    statute: bool = False,
    partial: Partial = "drop",
    audio: bool = False,
    reads: tuple[str, ...] = (),
) -> Callable[[RoundCheck], RoundCheck]:
    """Registers a check that judges each round by itself."""

    def register(function: RoundCheck) -> RoundCheck:
        CHECKS["nd-twenty-one"].append(
            Check(
                name=function.__name__,
                clauses=clauses,
                of_round=function,
                needs=needs or {},
                video=video,
                statute=statute,
                partial=partial,
                audio=audio,
                reads=reads,
            )
        )
        return function

    return register


def session_check(
    *clauses: str,
    needs: dict[str, object] | None = None,
    video: bool = False,
    statute: bool = False,
    audio: bool = False,
    reads: tuple[str, ...] = (),
) -> Callable[[SessionCheck], SessionCheck]:
    """Registers a check that judges the log as a whole: shoes, shifts, cash, the table."""

    def register(function: SessionCheck) -> SessionCheck:
        CHECKS["nd-twenty-one"].append(
            Check(
                name=function.__name__,
                clauses=clauses,
                of_session=function,
                needs=needs or {},
                video=video,
                statute=statute,
                audio=audio,
                reads=reads,
            )
        )
        return function

    return register


def checks(rulebook: str) -> tuple[Check, ...]:
    """Checks of a rulebook in the order in which they were registered."""
    import verifier.law.checks  # noqa: F401

    return tuple(CHECKS.get(rulebook, ()))


def checked_clauses(rulebook: str) -> frozenset[str]:
    """Clauses that some check judges."""
    return frozenset(clause for check in checks(rulebook) for clause in check.clauses)
