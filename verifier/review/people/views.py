"""Who saw which recording or finding: each view stands in the audit log."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from verifier.review.people.roles import Person
from verifier.store.repository import Store

VIEW_S: Final = 600.0
"""Seconds for which showing one thing to one person counts as one view: a player asks for a file in many pieces."""
_MOST: Final = 10_000


class Views:
    """Notes views in a store's audit log; `clock` gives seconds that only grow."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._noted: dict[tuple[str, str, str], float] = {}

    def note(self, person: Person, subject: str, part: str = "") -> None:
        """Write down that the person is shown `part` of a subject such as `finding/ID`, before it is shown."""
        key, now = (person.name, subject, part), self._clock()
        if now - self._noted.get(key, -VIEW_S) < VIEW_S:
            return
        self._store.note(person.name, "view", subject, {"part": part} if part else None)
        if len(self._noted) >= _MOST:
            self._noted = {one: at for one, at in self._noted.items() if now - at < VIEW_S}
        self._noted[key] = now
