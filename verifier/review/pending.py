"""Decisions that can be taken back: they wait on the server until the way back was shown for ten seconds.

The store only grows, so nothing of a decision is in it while the decision waits.
"""

from __future__ import annotations

import atexit
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Condition, Thread
from typing import Final
from weakref import WeakSet

from msgspec import Struct, structs

from verifier.domain.errors import BadInput
from verifier.review.judging import decide, may_decide, release
from verifier.review.notes import drop_note
from verifier.review.people.accounts import person_named
from verifier.review.people.roles import Person
from verifier.store.repository import Store
from verifier.store.values import Decision

UNDO_S: Final = 10.0
"""Seconds in which a decision can be taken back, from when the page shows how; the policy of this project."""
UNSHOWN_S: Final = 2 * UNDO_S
"""Seconds after which a decision is written although no page has shown the way back; the policy of this project."""
_LIVE: Final[WeakSet[Pending]] = WeakSet()
_LOG = logging.getLogger(__name__)


class Waiting(Struct, frozen=True, kw_only=True):
    """A decision that is not written yet; `due` is the moment of the clock (s) at which it is.

    `shown`: whether a page has shown the way back. `seen`: whether the decisive seconds had been shown to the person.
    `others` are further findings of the incident that are decided alike; of those nothing was shown.
    """

    finding_id: str
    decision: Decision
    note: str
    reason: str
    due: float
    shown: bool = False
    seen: bool | None = None
    others: Sequence[str] = ()


class Pending:
    """The decisions of a store's people that wait, at most one for each person. Safe for several threads.

    A decision is written when its time is over, when the person decides the next finding or says `go_on`, and when the
    program ends. The browser is not needed for that. Only a program that is killed loses it: the finding then is open.
    `clock` gives seconds that only grow.
    """

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._waiting: dict[str, Waiting] = {}
        self._refused: dict[str, str] = {}
        self._changed = Condition()
        self._worker: Thread | None = None
        _LIVE.add(self)

    def take(
        self,
        person: Person,
        finding_id: str,
        decision: Decision,
        note: str = "",
        reason: str = "",
        seen: bool | None = None,
        others: Sequence[str] = (),
    ) -> Waiting:
        """Let a decision wait; what the person decided before is written first. Raises as `judging.decide` does.

        `others` are further findings that are decided alike, and taken back with this one.
        """
        for name in (finding_id, *others):
            may_decide(self._store, person, name, decision, note, reason)
        if not self._same(person, finding_id):
            self.go_on(person)
        due = self._clock() + UNSHOWN_S
        made = Waiting(
            finding_id=finding_id, decision=decision, note=note, reason=reason, due=due, seen=seen, others=tuple(others)
        )
        with self._changed:
            before = self._waiting.get(person.name)
            self._waiting[person.name] = made
            if self._worker is None:
                self._worker = Thread(target=self._work, name="decisions", daemon=True)
                self._worker.start()
            self._changed.notify()
        if before is not None and before.finding_id != finding_id:  # another tab of the person was between
            self._keep(person.name, before)
        return made

    def waiting(self, person: Person) -> Waiting | None:
        """Return what the person decided and can still take back."""
        with self._changed:
            return self._waiting.get(person.name)

    def show(self, person: Person) -> float:
        """Say that a page shows the way back now; give the seconds (s) left for it, 0 if nothing waits.

        The seconds count from the first time on, so that a slow server takes none of them away.
        """
        with self._changed:
            one = self._waiting.get(person.name)
            if one is None:
                return 0.0
            if not one.shown:
                one = structs.replace(one, due=self._clock() + UNDO_S, shown=True)
                self._waiting[person.name] = one
                self._changed.notify()
            return max(0.0, one.due - self._clock())

    def take_back(self, person: Person) -> Waiting | None:
        """Forgets what waits of the person, and gives it; None if it is written already."""
        with self._changed:
            gone = self._waiting.pop(person.name, None)
        for other in gone.others if gone is not None else ():
            release(self._store, person, other)
        return gone

    def go_on(self, person: Person) -> None:
        """Write the person's waiting decision now."""
        self._write(person.name)

    def refused(self, person: Person) -> str | None:
        """Why a decision of the person could not be written, told once."""
        with self._changed:
            return self._refused.pop(person.name, None)

    def write_due(self) -> None:
        """Write what has waited long enough."""
        with self._changed:
            names = [name for name, one in self._waiting.items() if one.due <= self._clock()]
        for name in names:
            self._write(name)

    def write_all(self) -> None:
        """Write everything that waits."""
        with self._changed:
            names = list(self._waiting)
        for name in names:
            self._write(name)

    def _same(self, person: Person, finding_id: str) -> bool:
        standing = self.waiting(person)
        return standing is not None and standing.finding_id == finding_id

    def _write(self, name: str) -> None:
        with self._changed:
            one = self._waiting.pop(name, None)
        if one is not None:
            self._keep(name, one)

    def _keep(self, name: str, one: Waiting) -> None:
        """Write the waiting decision. The account is asked for again: what a person may no longer do is not
        written under their name.
        """
        for finding, seen in ((one.finding_id, one.seen), *((other, False) for other in one.others)):
            try:
                person = person_named(self._store, name)
                decide(self._store, person, finding, one.decision, one.note, one.reason, seen)
            except (BadInput, OSError) as error:
                _LOG.warning("decision on finding %s not stored: %s", finding, error)
                with self._changed:
                    before = f"{self._refused[name]} " if name in self._refused else ""
                    self._refused[name] = f"{before}The decision on finding {finding} was not stored: {error}"
                continue
            with suppress(OSError):
                drop_note(person, finding)

    def _work(self) -> None:
        while True:
            with self._changed:
                next_due = min((one.due for one in self._waiting.values()), default=None)
                self._changed.wait(None if next_due is None else max(0.0, next_due - self._clock()))
            self.write_due()


@atexit.register
def write_all_pending() -> None:
    """Write what waits anywhere in this program, because it ends."""
    for one in list(_LIVE):
        one.write_all()
