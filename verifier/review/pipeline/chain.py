"""The stages that the night shift runs; workers load them by name, so that tests can put others in their place."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, Self

from msgspec import Struct, structs

from verifier import __version__
from verifier.domain.events import AnyEvent, EventLog
from verifier.domain.findings import FindingsReport
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.observations import NamedHash, Observation, ObservationsHeader
from verifier.recording.probe import Coverage, Probe
from verifier.recording.timeline import Reading
from verifier.review.closer import Span
from verifier.review.pipeline.leaps import ClockIn
from verifier.vision.glimpse import Glimpse
from verifier.vision.quality import Bearings

if TYPE_CHECKING:
    from verifier.vision.networks import Networks
    from verifier.vision.ocr import LineReader
    from verifier.vision.signs import Sign

OWN = "verifier.review.pipeline.chain:own_chain"
CLOCK_WITHIN_S = 6.0
"""Seconds at the beginning of a recording in which its clock is looked for."""

SIGNS_LOOKED_AT: Final = (0.1, 0.3, 0.5, 0.7)
"""Shares of a recording at which its signs are read: a hand over a sign at one moment hides it at one only."""
SIGN_SURE: Final = 0.6
"""Probability from which a sign counts as read: most of the looks agree."""


class SegmentWatch(Protocol):
    """One pass over a stretch of a recording."""

    @property
    def header(self) -> ObservationsHeader: ...

    @property
    def coverage(self) -> Coverage: ...

    @property
    def bearings(self) -> Bearings: ...

    def __iter__(self) -> Iterator[Observation]: ...


class Reconstructor(Protocol):
    """Takes what is seen, in order of time, and ends with the log; it can be pickled before that.

    `told` are the events that are complete; who takes them out brings them back before the log is made.
    `goes_on_as` is whether two reconstructions tell the same of whatever comes.
    """

    told: list[AnyEvent]

    def take(self, observation: Observation) -> None: ...

    def goes_on_as(self, other: Self) -> bool: ...

    def log(self) -> EventLog: ...


class Chain(Struct, frozen=True, kw_only=True):
    """`probe` reads a file's facts, not its hash (BadInput if it is no usable video); `clock` gives that at 0 s,
    `clock_in` that at the beginning of a stretch; `glimpse` reads what is written in some pictures;
    `eye` opens a stretch, `closer` one of a whole recording from nearer (from, to in s; None if none can be had);
    `reconstructor` begins a reconstruction; `judge` as in `review.recording`; `signs` are the site's and the table's,
    as the picture shows them (None if they are not surely read); `models` and `version` tell what computes;
    `at_table` gives the chain that reads with a table's enrolment (`own_cards`), or itself and why not.
    """

    probe: Callable[[Path, Reading, Callable[[float], None]], Probe]
    clock: Callable[[Probe, Layout], str | None]
    eye: Callable[[Probe, Layout, NamedHash, Bearings | None], SegmentWatch]
    reconstructor: Callable[[Layout, House, ObservationsHeader], Reconstructor]
    judge: Callable[[EventLog], FindingsReport]
    closer: Callable[[Probe, Layout, Bearings | None, Span], SegmentWatch | None] = lambda *_: None
    signs: Callable[[Probe], tuple[str | None, str | None]] = lambda _: (None, None)
    glimpse: Callable[[Probe, Layout], Glimpse] = lambda *_: Glimpse()
    clock_in: ClockIn = lambda *_: None
    at_table: Callable[[Chain, Probe, Path], tuple[Chain, str | None]] = lambda chain, *_: (chain, None)
    models: tuple[NamedHash, ...] = ()
    version: str = __version__


@lru_cache(maxsize=4)
def load_chain(name: str) -> Chain:
    """Return the chain that `module:function` makes. It is made once in a process, so that models are loaded once."""
    module, _, attribute = name.partition(":")
    chain = getattr(importlib.import_module(module), attribute)()
    assert isinstance(chain, Chain)
    return chain


def own_chain() -> Chain:
    """Return the models, the reconstruction and the law of this package. The models load at the first look."""
    from verifier.law.judge import judge
    from verifier.reconstruct.reconstruction import Reconstruction
    from verifier.vision.models import recording_models
    from verifier.vision.runtime import best_precision

    models = tuple(file.identity for file in recording_models(best_precision()))
    looks = _Looks(_networks)
    return Chain(
        probe=_unhashed,
        clock=_clock_at_start,
        eye=looks.at,
        closer=looks.closer,
        reconstructor=Reconstruction,
        judge=judge,
        at_table=_at_table,
        signs=_signs_shown,
        glimpse=_glimpse,
        clock_in=_clock_in,
        models=models,
    )


@dataclass(frozen=True)
class _Looks:
    """Looks at stretches of a recording with the models that `networks` gives."""

    networks: Callable[[], Networks]

    def at(self, stretch: Probe, layout: Layout, layout_file: NamedHash, bearings: Bearings | None) -> SegmentWatch:
        """Open a stretch."""
        from verifier.vision.observe import observe

        return observe(stretch, layout, networks=self.networks(), layout_file=layout_file, bearings=bearings)

    def closer(self, facts: Probe, layout: Layout, bearings: Bearings | None, span: Span) -> SegmentWatch | None:
        """Open a stretch of a whole recording from nearer."""
        from verifier.vision.observe import observe

        return observe(facts, layout, networks=self.networks(), bearings=bearings).closer(*span)


def _at_table(chain: Chain, facts: Probe, enrolment: Path) -> tuple[Chain, str | None]:
    """Return the chain that reads with a table's enrolment, or the chain itself and why not."""
    from verifier.review.pipeline.own_cards import networks_at

    networks, verdict = networks_at(facts, enrolment, _networks())
    looks = _Looks(lambda: networks)
    return (structs.replace(chain, eye=looks.at, closer=looks.closer) if verdict.used else chain), verdict.cause


def _unhashed(path: Path, how: Reading, beat: Callable[[float], None]) -> Probe:
    from verifier.recording.probe import probe

    return probe(path, how, sha256=False, beat=beat)


@lru_cache(maxsize=1)
def _networks() -> Networks:
    from verifier.vision.networks import load_networks

    return load_networks(faint_hands=True)


@lru_cache(maxsize=1)
def _text() -> LineReader:
    from verifier.vision.ocr import TextReader

    return TextReader()


def _signs_shown(facts: Probe) -> tuple[str | None, str | None]:
    """Site and table by the signs in some pictures spread over the recording; None if they are not surely read."""
    from verifier.recording.decode import Decoder
    from verifier.vision.signs import find_signs, pooled

    seen = []
    for share in SIGNS_LOOKED_AT:
        start = share * facts.length
        stretch = facts.stretch(start, start + 1.0) if facts.divisible else facts
        frame = next((frame for frame in Decoder(stretch) if frame.t >= start or not facts.divisible), None)
        if frame is not None:
            seen += find_signs(frame.bgr(), _text())
        if not facts.divisible:
            break
    site, table = pooled("site", seen), pooled("table", seen)
    return _sure(site), _sure(table)


def _sure(sign: Sign | None) -> str | None:
    return sign.number if sign is not None and sign.p >= SIGN_SURE else None


def _clock_at_start(facts: Probe, layout: Layout) -> str | None:
    """Return the burned-in clock at media time 0, to the second; None if none is read surely."""
    return _clock_in(facts, layout, 0.0, CLOCK_WITHIN_S)


def _clock_in(facts: Probe, layout: Layout, start: float, end: float) -> str | None:
    """Return the burned-in clock at the beginning of a stretch, to the second; None if none is read surely in it."""
    from verifier.recording.decode import Decoder
    from verifier.vision.clock import ClockReader

    reader = ClockReader(_text(), layout.zones.clock)
    for frame in Decoder(facts.stretch(start, end) if facts.divisible else facts):
        if frame.t > end or (reader.clock.sure and frame.t > (start + end) / 2):
            break
        if reader.due(frame.t):
            reader.look(frame.t, frame.bgr())
    return reader.clock.at(start)


def _glimpse(facts: Probe, layout: Layout) -> Glimpse:
    """Return what is written in some pictures of a recording."""
    from verifier.review.pipeline.pictures import spread_pictures
    from verifier.vision.glimpse import glimpse

    return glimpse(spread_pictures(facts), layout, _text())
