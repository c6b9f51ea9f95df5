"""Registry of checks: which function judges which clauses of which rulebook, and under which conditions.

How a rulebook plugs in its own checks: it has a package (`PACKAGES`), imported on the first use of the rulebook, whose
modules register functions with `@round_check` or `@session_check`, naming the rulebook; `explain` tells why a clause
that no check judges is not assessed. A check gets a `Round` (or the `Session`) and yields an `Instance` for each
situation that it judged. A game that is folded in another way than blackjack computes its own view from the events of
the round and keeps it in `Round.memo`; where its rounds begin and end in another way, it names its own with `group_by`.

One body serves several rulebooks. What differs in play is in `Round.rules`, never in a copy. A body that already speaks
of one rulebook's clauses is adopted by another with `adopt`, which names the clauses that it judges there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Final, Literal

import msgspec
from msgspec import Struct

from verifier.domain.facts import Remark
from verifier.law.instances import Instance
from verifier.law.rounds import Round
from verifier.law.session import Grouping, Session

RoundCheck = Callable[[Round], Iterator[Instance]]
SessionCheck = Callable[[Session], Iterator[Instance]]
Partial = Literal["drop", "undetermined", "keep"]
"""What becomes of a violation in a round whose beginning is not in the log."""

TWENTY_ONE: Final = ("nd-twenty-one",)
WASHINGTON: Final = ("wa-blackjack-a", "wa-blackjack-b")
MANUAL: Final = ("house-manual",)
POKER: Final = ("nd-poker",)
PACKAGES: Final = {
    "nd-twenty-one": "verifier.law.nd_twenty_one",
    "wa-blackjack-a": "verifier.law.washington",
    "wa-blackjack-b": "verifier.law.washington",
    "house-manual": "verifier.law.manual",
    "nd-poker": "verifier.law.poker",
}
"""The package of each rulebook's checks; importing it registers them."""

STATEMENTS: Final = "verifier.law.attested"
"""The module of what a person attests, in every rulebook."""


class Check(Struct, frozen=True, kw_only=True):
    """One check: its clauses, its function and when it applies.

    `needs`: house options that must have this value (None: any, but it must be configured). `video`: the clause binds
    only tables with video surveillance. `statute`: it stands back where an alternative mistake policy replaces it.
    `reads`: event names and kinds of records, one of which must be in the log for the check to have anything to say.
    `audio`: it needs a transcript. `renamed`: the clause here of each clause that the function speaks of, where the
    function was adopted from another rulebook; what it says of other clauses is left out.
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
    renamed: dict[str, str] = {}

    def judge(self, view: Round | Session) -> Iterator[Instance]:
        """Return what the function says of a round or of the whole log, in the clauses of this rulebook."""
        function: Callable[..., Iterator[Instance]] | None = self.of_round or self.of_session
        assert function is not None
        return self._rename(function(view)) if self.renamed else function(view)

    def _rename(self, instances: Iterator[Instance]) -> Iterator[Instance]:
        for instance in instances:
            clause = self.renamed.get(instance.clause)
            if clause is not None:
                also = dict.fromkeys(self.renamed[c] for c in instance.also if c in self.renamed)
                also.pop(clause, None)
                yield msgspec.structs.replace(instance, clause=clause, also=tuple(also))


CHECKS: dict[str, list[Check]] = {}
REASONS: dict[str, str] = {}
RESERVATIONS: dict[str, Callable[[Session], Remark | None]] = {}
GROUPINGS: dict[str, Grouping] = {}
WITHHELD: dict[str, Callable[[Session], dict[str, str]]] = {}


def round_check(
    *clauses: str,
    rulebooks: tuple[str, ...] = TWENTY_ONE,
    needs: dict[str, object] | None = None,
    video: bool = False,
    statute: bool = False,
    partial: Partial = "drop",
    audio: bool = False,
    reads: tuple[str, ...] = (),
) -> Callable[[RoundCheck], RoundCheck]:
    """Register a check that judges each round by itself."""

    def register(function: RoundCheck) -> RoundCheck:
        check = Check(
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
        _add(rulebooks, check)
        return function

    return register


def session_check(
    *clauses: str,
    rulebooks: tuple[str, ...] = TWENTY_ONE,
    needs: dict[str, object] | None = None,
    video: bool = False,
    statute: bool = False,
    audio: bool = False,
    reads: tuple[str, ...] = (),
) -> Callable[[SessionCheck], SessionCheck]:
    """Register a check that judges the log as a whole: shoes, shifts, cash, the table."""

    def register(function: SessionCheck) -> SessionCheck:
        check = Check(
            name=function.__name__,
            clauses=clauses,
            of_session=function,
            needs=needs or {},
            video=video,
            statute=statute,
            audio=audio,
            reads=reads,
        )
        _add(rulebooks, check)
        return function

    return register


def adopt(rulebooks: tuple[str, ...], function: RoundCheck | SessionCheck, names: Mapping[str, str]) -> None:
    """Let a registered check judge other rulebooks too; `names`: its clauses and what they are there.

    It applies there whatever options its own rulebook needs for it: the adopting rulebook has none of them.
    """
    own = next(c for group in CHECKS.values() for c in group if function in (c.of_round, c.of_session))
    clauses = tuple(dict.fromkeys(names.values()))
    _add(
        rulebooks,
        Check(
            name=own.name,
            clauses=clauses,
            of_round=own.of_round,
            of_session=own.of_session,
            partial=own.partial,
            reads=own.reads,
            audio=own.audio,
            renamed=dict(names),
        ),
    )


def explain(reasons: Mapping[str, str]) -> None:
    """Tell of clauses that no check judges why that is so."""
    REASONS.update(reasons)


def reserve(rulebooks: tuple[str, ...], function: Callable[[Session], Remark | None]) -> None:
    """Register a function that tells why every violation found in a log is left open; it gives None where there is no
    such reason.
    """
    RESERVATIONS.update(dict.fromkeys(rulebooks, function))


def reservation(rulebook: str, session: Session) -> Remark | None:
    """Why the violations found in this log are left open under a rulebook; None where they stand."""
    function = RESERVATIONS.get(rulebook)
    return function(session) if function else None


def group_by(rulebooks: tuple[str, ...], function: Grouping) -> None:
    """Register how the events of another game than blackjack fall into rounds."""
    GROUPINGS.update(dict.fromkeys(rulebooks, function))


def grouping(rulebook: str) -> Grouping | None:
    """Return how the events of a rulebook's game fall into rounds; None for those of blackjack."""
    _load(rulebook)
    return GROUPINGS.get(rulebook)


def _load(rulebook: str) -> None:
    """Import the package of a rulebook's checks, which registers them."""
    if rulebook in PACKAGES:
        import_module(PACKAGES[rulebook])
        import_module(STATEMENTS)


def withhold(rulebooks: tuple[str, ...], function: Callable[[Session], dict[str, str]]) -> None:
    """Register a function that gives the clauses that a log cannot tell of, each with why: they are not assessed."""
    WITHHELD.update(dict.fromkeys(rulebooks, function))


def withheld(rulebook: str, session: Session) -> dict[str, str]:
    """Return the clauses of a rulebook that this log cannot tell of, each with why."""
    function = WITHHELD.get(rulebook)
    return function(session) if function else {}


def _add(rulebooks: tuple[str, ...], check: Check) -> None:
    for rulebook in rulebooks:
        CHECKS.setdefault(rulebook, []).append(check)


def checks(rulebook: str) -> tuple[Check, ...]:
    """Return the checks of a rulebook in the order in which they were registered."""
    _load(rulebook)
    return tuple(CHECKS.get(rulebook, ()))


def spoken_clauses(rulebook: str) -> frozenset[str]:
    """Clauses of a rulebook that are judged by what was said."""
    return frozenset(clause for check in checks(rulebook) if check.audio for clause in check.clauses)


def checked_clauses(rulebook: str) -> frozenset[str]:
    """Clauses that some check of a rulebook judges (a check that two rulebooks share may name more than one has)."""
    return frozenset(clause for check in checks(rulebook) for clause in check.clauses)
