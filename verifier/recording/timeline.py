"""The timeline of a recording: every packet of its picture track, and every picture with its media time."""

from __future__ import annotations

import zipfile
import zlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Final, Self

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from verifier.domain.observations import VideoInfo
from verifier.formats.arrays import arrays_in
from verifier.recording.container import Track
from verifier.recording.coverage import Gap, Note
from verifier.recording.identity import Identity
from verifier.recording.stamps import Flags, Floats, Numbers, usual_step
from verifier.recording.upright import Shape
from verifier.recording.views import Run

NO_STAMP: Final = np.iinfo(np.int64).min
"""Stands for a stamp that a packet does not carry."""
STILL_S: Final = 0.8
"""Seconds that one picture stands for at most: as long as the shortest hand signal. A recording that is slower by
nature has STILL_STEPS of its longer steps."""
STILL_STEPS: Final = 2.5
LONGER: Final = 0.95
"""The quantile of a recording's steps that counts as its longer steps."""


class Reading(Struct, frozen=True, kw_only=True):
    """What a person tells of a file: the number of the picture track to watch (from 1), the pictures a second of a bare
    stream, the width of a pixel by its height. None leaves it to the file.
    """

    track: int | None = None
    rate: float | None = None
    aspect: float | None = None


AS_TOLD: Final = Reading()
"""The reading that leaves everything to the file."""


class Facts(Struct, frozen=True, kw_only=True):
    """What is known of a recording besides its packets.

    `promised` is the length in seconds that the file claims for its pictures, None if it claims none. `others` are
    picture tracks that are not watched. `runs` are its pictures by their form, none where all are of one; `shape` is
    how those are stored and shown that are watched. `by_decoding` is whether the order of presentation was learned
    by decoding. `unread` are about the seconds behind the last packet that could be read, `hidden` those that an
    edit list leaves out; `broken` is whether the file ends amid a part of its container. A player's clock is media
    time plus `player_zero` seconds where the recording is `plain`; elsewhere players go by other times.
    """

    info: VideoInfo
    identity: Identity
    track: Track
    shape: Shape
    promised: float | None
    notes: tuple[Note, ...] = ()
    others: tuple[Track, ...] = ()
    by_decoding: bool = False
    plain: bool = False
    player_zero: float = 0.0
    container: str = ""
    pixels: str = ""
    unread: float = 0.0
    broken: bool = False
    hidden: float = 0.0
    runs: tuple[Run, ...] = ()

    def run_of(self, picture: int) -> Run | None:
        """Return the run of a picture; None if all pictures are of one form."""
        place = bisect_right(self.runs, picture, key=lambda run: run.first)
        return self.runs[place - 1] if place else None


@dataclass(frozen=True, eq=False)
class Timeline:
    """Packets (packets,) in the order in which they lie in the file, and pictures (pictures,) as they are shown.

    `pts`, `dts` are the file's stamps in its time base, NO_STAMP where missing; `place` the byte in the file, -1 if
    unknown; `size` bytes; `key` whether decoding can begin there; `needless` whether no other picture is built on it.
    `ready` is the packet from which on pictures are whole if decoding begins at a key packet, mostly itself (-1: none).
    `packet` (pictures,) is each picture's packet, `times` (pictures,) its media time in seconds, rising from 0.
    """

    pts: Numbers
    dts: Numbers
    place: Numbers
    size: Numbers
    key: Flags
    needless: Flags
    ready: Numbers
    packet: Numbers
    times: Floats

    def __len__(self) -> int:
        """Return the number of pictures."""
        return len(self.times)

    @cached_property
    def number(self) -> Numbers:
        """(packets,) The number of each packet's picture in order of presentation, -1 if it shows none."""
        out = np.full(len(self.pts), -1, np.int64)
        out[self.packet] = np.arange(len(self.packet))
        return out

    @cached_property
    def spare(self) -> Flags:
        """(pictures,) whether no other picture is built on a picture."""
        return np.asarray(self.needless[self.packet], np.bool_)

    @cached_property
    def alone(self) -> Flags:
        """(packets,) whether a packet's picture is whole without any other."""
        return np.asarray(self.key & (self.ready == np.arange(len(self.key))), np.bool_)

    @cached_property
    def step(self) -> float:
        """The usual seconds between two pictures."""
        return usual_step(self.times)

    @property
    def end(self) -> float:
        """Media time at which the last picture has stood for a usual step."""
        return float(self.times[-1]) + self.step if len(self.times) else 0.0

    @cached_property
    def pauses(self) -> tuple[Gap, ...]:
        """Stretches without a picture that are longer than one picture can stand for."""
        steps = np.diff(self.times)
        longer = float(np.quantile(steps, LONGER, method="lower")) if len(steps) else 0.0
        places = np.flatnonzero(steps > max(STILL_S, STILL_STEPS * longer))
        return tuple(
            Gap(round(float(self.times[i]) + self.step, 3), round(float(self.times[i + 1]), 3), NO_PICTURES, "gap")
            for i in places
        )

    def at(self, t: float) -> int:
        """Return the number of the picture that shows at `t` seconds: the last one that began by then, else the
        first.
        """
        return max(0, int(np.searchsorted(self.times, t + SAME_S, side="right")) - 1)

    def from_then(self, t: float) -> int:
        """Return the number of the first picture from `t` seconds on, else the last one."""
        return min(len(self.times) - 1, int(np.searchsorted(self.times, t - SAME_S)))

    def begin_for(self, picture: int) -> int:
        """Return the packet from which decoding must begin so that this picture and all later ones come out whole."""
        keys = np.flatnonzero(self.key & (self.number >= 0) & (self.ready >= 0))
        ready = self.number[self.ready[keys]]
        before = keys[(ready >= 0) & (ready <= picture)]
        return int(before[-1]) if len(before) else 0

    def shown_from(self, packet: int) -> int:
        """Return the number of the first picture that is shown of this packet and all later ones."""
        later = self.number[packet:]
        return int(later[later >= 0].min(initial=len(self)))

    def closed(self, pictures: Sequence[int]) -> Self:
        """Return the timeline on which these pictures (their numbers) follow the ones before them at the usual step."""
        steps = np.diff(self.times, prepend=self.times[:1])
        steps[list(pictures)] = self.step
        return replace(self, times=np.asarray(np.round(np.cumsum(steps), 6), np.float64))

    def write(self, stream: IO[bytes], facts: Facts) -> None:
        """Write the timeline and the facts as one NumPy archive."""
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        np.savez_compressed(stream, facts=np.frombuffer(msgspec.json.encode(facts), np.uint8), **arrays)

    @classmethod
    def read(cls, path: Path) -> tuple[Self, Facts]:
        """Read back what `write` wrote. Raises one of `DAMAGED` if it is no such file."""
        with arrays_in(path) as kept:
            facts = msgspec.json.decode(kept["facts"].tobytes(), type=Facts)
            arrays = {name: kept[name] for name in _ARRAYS if name != "ready"}
            ready = kept["ready"] if "ready" in kept else np.arange(len(kept["key"]))  # files of earlier versions
            return cls(**arrays, ready=ready), facts


DAMAGED: Final = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error)
"""The exceptions of reading a NumPy archive that is damaged, or that is none."""
NO_PICTURES: Final = "no pictures were recorded here, or they are lost"
SAME_S: Final = 0.0011
"""Two times this near are one picture's: observations are written to the millisecond."""
_ARRAYS: Final = ("pts", "dts", "place", "size", "key", "needless", "ready", "packet", "times")


def seconds(stamps: Numbers, unit: float) -> NDArray[np.float64]:
    """Stamps as seconds, NaN if missing."""
    return np.where(stamps == NO_STAMP, np.nan, stamps * unit)
