"""What one check says of one situation, before incidents are put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from verifier.domain.events import Event, RecordEntry
from verifier.domain.facts import Remark
from verifier.domain.findings import Severity, Verdict
from verifier.law import say
from verifier.law.say import Said


class Instance(Struct, frozen=True, kw_only=True, gc=False):
    """One clause applied to one situation.

    `key` tells situations of one clause at one place apart; instances with the same `incident` are one incident, and
    the lowest `rank` among them names it. `chance` is the probability that it is a violation, where it can be told;
    `corrected` that the mistake was put right after the cards were played back (12(12)). `uncounted`: it is open only
    because a stack was never spread, no bill of the cash was read or a hand hid what it did, so that nobody could tell
    it from above, and nothing suggests a breach. `narrow`: a figure passes its limit by no more than a look from above
    may be off. `whole`: it is one question about the whole log, whichever of its records hold. `untold`: what its
    record does not tell (see the function below). `expected` and `observed` are no sentences yet; `remarks` tell why it
    is open, or what it leaves open.
    """

    clause: str
    verdict: Verdict
    round: int | None = None
    at: str | None = None
    key: str = ""
    events: tuple[Event, ...] = ()
    expected: Said | str = ""
    observed: Said | str = ""
    remarks: tuple[Remark, ...] = ()
    also: tuple[str, ...] = ()
    incident: str | None = None
    rank: int = 5
    severity: Severity | None = None
    span: tuple[float, float] | None = None
    chance: float | None = None
    corrected: bool = False
    uncounted: bool = False
    narrow: bool = False
    whole: bool = False
    untold: str = ""

    @property
    def identity(self) -> tuple[str, int | None, str | None, str]:
        return self.clause, self.round, self.at, self.key

    def remarked(self, remark: Remark, **changes: object) -> Instance:
        """Return the instance with a remark, told once, and other changes."""
        remarks = self.remarks if remark in self.remarks else (*self.remarks, remark)
        return msgspec.structs.replace(self, remarks=remarks, **changes)


def untold(clause: str, what: str, event: Event, *, at: str | None = None, seldom: bool = False) -> Instance:
    """Return the question that a record leaves because it does not tell `what` the clause asks for.

    The clause is open if most other records of the log tell it. The clause is not assessed if most do not, or if
    logs tell it only where it matters (`seldom`). `_where_told` of judge.py decides.
    """
    return Instance(
        clause=clause,
        verdict="not_assessed" if seldom else "undetermined",
        at=at,
        key=event.id,
        events=(event,),
        observed=say.that("{what} was not seen", what=what),
        incident=f"untold {clause}",
        untold=what,
    )


def verdict_of(right: bool | None) -> Verdict:
    """Return the verdict of a truth value: True is a pass, False a violation, None undetermined."""
    if right is None:
        return "undetermined"
    return "pass" if right else "violation"


def judged(
    clause: str,
    right: bool | None,
    *,
    at: str | None = None,
    key: str = "",
    events: Iterable[Event | None] = (),
    expected: Said | str = "",
    observed: Said | str = "",
    also: Sequence[str] = (),
    incident: str | None = None,
    rank: int = 5,
    severity: Severity | None = None,
    chance: float | None = None,
    corrected: bool = False,
    uncounted: bool = False,
) -> Instance:
    """Return an instance from a three-valued truth: True is a pass, False a violation, None undetermined.

    Of its events a pass keeps the records of the site alone: they tell of which day and table it is.
    """
    if right:
        rows = tuple(e for e in events if isinstance(e, RecordEntry))
        return Instance(clause=clause, verdict="pass", at=at, key=key, also=tuple(also), events=rows)
    return Instance(
        clause=clause,
        verdict=verdict_of(right),
        at=at,
        key=key,
        events=tuple(e for e in events if e is not None),
        expected=expected,
        observed=observed,
        also=tuple(also),
        incident=incident,
        rank=rank,
        severity=severity,
        chance=chance,
        corrected=corrected,
        uncounted=uncounted,
    )
