"""Files of a night that repeat others byte for byte: told, and kept apart where they are of two tables."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from verifier.review.pipeline.places import place_of
from verifier.review.pipeline.values import Facts, RecordingSet
from verifier.review.twins import Known, Twin, told_apart


class Repeat(Struct, frozen=True, kw_only=True):
    """A file, and the one whose contents it has."""

    file: str
    of: str


class Copies:
    """Follows the files and recording sets of a night; `known` gives stored reviews."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._seen: dict[str, str] = {}
        self._given: dict[str, Twin] = {}
        self.found: list[Repeat] = []

    def note(self, examined: Iterable[Facts]) -> None:
        """Take examined files, in order."""
        for facts in examined:
            first = self._seen.setdefault(facts.sha256, facts.path)
            if first != facts.path:
                self.found.append(Repeat(file=facts.path, of=first))

    def told_apart(self, recording_set: RecordingSet) -> RecordingSet:
        """Return the recording set with an id of its own, and a note on the review of another table that its first file
        repeats.
        """
        first, (site, table) = recording_set.parts[0].facts, place_of(recording_set.source)
        name, twin = told_apart(first.sha256, site, table, first.path, self._review)
        self._given[name] = Twin(id=name, site=site, table=table, path=first.path, name=recording_set.names[0])
        if twin is not None and self._seen.get(first.sha256) == first.path:
            self.found.append(Repeat(file=first.path, of=str(twin)))
        return msgspec.structs.replace(
            recording_set, id=name, repeats=str(twin) if twin and recording_set.usable else None
        )

    def _review(self, name: str) -> Twin | None:
        return self._given.get(name) or self._known(name)
