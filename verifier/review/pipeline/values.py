"""The frozen values of the night shift. Times are seconds of media time unless a name says `clock`."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct

from verifier.domain.clock_change import ClockChange
from verifier.domain.coverage import State
from verifier.domain.rulebooks import Rulebook
from verifier.recording.timeline import AS_TOLD, Reading
from verifier.review.pipeline.dealers import Turn, dealer_at
from verifier.store.repository import review_id
from verifier.vision.glimpse import Glimpse

Priority = Literal["flagged", "six_week", "normal"]
PRIORITIES: tuple[Priority, ...] = ("flagged", "six_week", "normal")


class Spoken(Struct, frozen=True, kw_only=True):
    """What is told of a recording's transcript: its file (None: the one beside the recording), the seconds by which its
    times are early, and whether all that was said is in it.
    """

    path: str | None = None
    offset: float = 0.0
    complete: bool = False


class Source(Struct, frozen=True, kw_only=True):
    """A recording to review. `layout` and `house` are files; `start` is the clock of its first picture, if told.

    `day` (ISO) is the day of play where the picture does not tell it; `rulebook` goes before the house options' one.
    `enrolment` is the file of the table's own cards, where there is one.
    `how` is what a person tells of the file, `spoken` of its transcript; `unknown` is why no kept table was found for
    it. Paths are text, as
    `names.path_text` makes it.
    """

    path: str
    layout: str | None
    house: str | None
    site: str | None = None
    table: str | None = None
    dealers: str = ""
    start: str | None = None
    priority: Priority = "normal"
    day: str | None = None
    rulebook: Rulebook | None = None
    how: Reading = AS_TOLD
    spoken: Spoken | None = None
    unknown: str | None = None
    enrolment: str | None = None


class Facts(Struct, frozen=True, kw_only=True):
    """What one look at a file tells. `error` says why it cannot be watched; then the picture's facts are zero.

    `clock` is the recorder's clock at media time 0 (ISO 8601), None if it is not to be read; it is fast by
    `clock_error` seconds, and `time_zone` is the site's, as far as its house options tell. `glimpse` is what is written
    in some of its pictures. `kept` names the files in
    which all this is kept; `earlier` are the hashes of what the file was before it grew. `path` is text, as
    `names.path_text` makes it.
    """

    path: str
    sha256: str
    bytes: int
    modified_ns: int
    changed_ns: int = 0
    inode: int = 0
    kept: str
    width: int = 0
    height: int = 0
    seconds: float = 0.0
    clock: str | None = None
    divisible: bool = False
    error: str | None = None
    earlier: tuple[str, ...] = ()
    time_zone: str | None = None
    clock_error: float = 0.0
    glimpse: Glimpse = Glimpse()


class Seam(Struct, frozen=True, kw_only=True):
    """How the clock of a file goes on from that of an earlier one, where it does not simply run on.

    `before` is the earlier file's path. `change` is what happened to the clock, None if two recorders may have been
    at work. Both clocks show the same time for `overlap` seconds; `unclear` where nothing moves by which to tell
    whether the pictures are the same, too.
    """

    before: str
    change: ClockChange | None = None
    overlap: float = 0.0
    unclear: bool = False


class Part(Struct, frozen=True, kw_only=True):
    """A file in a recording set: its stretch `begin`..`end` is judged there, its media time 0 is at `at` of the
    recording set's time.

    `seam` is set where its clock does not run on from the file before it, or from one of another recording set.
    `spoken` is what is told of this file's transcript.
    """

    facts: Facts
    at: float
    begin: float
    end: float
    seam: Seam | None = None
    spoken: Spoken | None = None


class RecordingSet(Struct, frozen=True, kw_only=True):
    """The recordings of one table that make one review: in order, no second of them twice.

    `clock` is the recorder's clock at the recording set's time 0. `covered` names files that others cover wholly;
    `dealers` are the manifest's turns, in order. `id` is the review's where that of its first recording is another
    table's, which `repeats` names.
    """

    source: Source
    parts: list[Part]
    clock: str | None = None
    covered: list[str] = []
    dealers: list[Turn] = []
    id: str = ""
    repeats: str | None = None

    @property
    def review_id(self) -> str:
        """The id of the review: that of its first recording, as a rule."""
        return self.id or review_id(self.parts[0].facts.sha256)

    @property
    def usable(self) -> bool:
        return self.parts[0].facts.error is None

    @property
    def names(self) -> list[str]:
        """The files' names, in order."""
        return [part.facts.path.rpartition("/")[2] for part in self.parts]

    @property
    def seconds(self) -> float:
        """Seconds of recording that are to be judged."""
        return sum(part.end - part.begin for part in self.parts)

    @property
    def end(self) -> float:
        """Where the recording set ends, in its own time."""
        last = self.parts[-1]
        return last.at + last.end

    def clock_at(self, t: float) -> str | None:
        """Return the recorder's clock at the recording set's time `t`, to the second: that of the file which shows
        it.
        """
        begun = [part for part in self.parts if part.at + part.begin <= t + 1e-6]
        part = begun[-1] if begun else self.parts[0]
        if part.facts.clock is None:
            return clock_after(self.clock, t)
        return clock_after(part.facts.clock, t - part.at)

    def dealer_at(self, t: float) -> str | None:
        """Who dealt at the recording set's time `t`, as far as the manifest tells."""
        return dealer_at(self.dealers, self.clock_at(t))


class Segment(Struct, frozen=True, kw_only=True):
    """A stretch of a part that is watched in one go: from `warm` on, so that what lies at `begin` is known; to `end`.

    `first` tells the part's first segment, which teaches the others where the camera looks.
    """

    warm: float
    begin: float
    end: float
    first: bool
    whole: bool = False


class Unwatched(Struct, frozen=True, kw_only=True):
    """A stretch of the recording set's time that does not count as reviewed, and why; `end` None: to an unknown end."""

    start: float
    end: float | None
    cause: str
    state: State = "not_watched"


def clock_after(clock: str | None, seconds: float) -> str | None:
    """Return a clock so many seconds later, to the second."""
    if clock is None:
        return None
    return (datetime.fromisoformat(clock) + timedelta(seconds=int(seconds))).isoformat(timespec="seconds")


def clock_between(first: str, second: str) -> float:
    """Seconds from one clock to another."""
    return (datetime.fromisoformat(second) - datetime.fromisoformat(first)).total_seconds()
