"""The whole log of a recording: the decoder's events in order, under a header, without what a turned camera feigned."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UnsetType

from verifier.domain.events import AnyEvent, EventLog, EventsHeader
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.reconstruct import parameters as par
from verifier.reconstruct.alike import alike
from verifier.reconstruct.between.indicator import without_needless
from verifier.reconstruct.decoder import Reconstructor
from verifier.reconstruct.emit import Numbering
from verifier.reconstruct.poker import PokerReconstructor
from verifier.reconstruct.resting.cardsettle import CardSettler
from verifier.reconstruct.resting.settle import ChipSettler
from verifier.reconstruct.resting.tracks import Track
from verifier.reconstruct.table.standing import Standing
from verifier.reconstruct.view import doubted


def reconstruct(
    observations: Iterable[Observation], layout: Layout, house: House, header: ObservationsHeader
) -> EventLog:
    """Return the events that the observations show. Raises ValueError for a layout without a scale."""
    reconstruction = Reconstruction(layout, house, header)
    for observation in observations:
        reconstruction.take(observation)
    return reconstruction.log()


class Reconstruction:
    """Takes the observations of a recording in order of time, one by one; it can be pickled between any two of them."""

    def __init__(self, layout: Layout, house: House, header: ObservationsHeader) -> None:
        self._header = events_header(layout, house, header)
        self._decoder = PokerReconstructor(layout, house) if layout.game == "poker" else Reconstructor(layout, house)
        self._standing = Standing(self._decoder.table, header.video.duration if header.video else None)
        self.told: list[AnyEvent] = []
        """The events that are complete, in the order in which they became so."""
        self._taken = -math.inf
        self._passed: Observation | None = None

    def take(self, observation: Observation) -> None:
        """Take the next observation; take a key frame, which is the next look until another comes, more than once."""
        self._looks(self._standing.step(observation))

    def _looks(self, looks: Sequence[Observation]) -> None:
        self._decoder.keyed, self._decoder.unsure = self._standing.keyed, self._standing.unsure
        for look in looks:
            self._look(look)

    def _look(self, observation: Observation) -> None:
        """Take the next look, and pass over some of the looks that follow one another faster than STEP_S.

        What such a look carries besides cards, chips and hands the next one has, too, unless it tells of it itself.
        """
        if self._passed is not None:
            observation = _completed(observation, self._passed)
        if observation.t < self._taken + par.LOOK_STEP_S:
            self._passed = observation
            return
        self._taken, self._passed = observation.t, None
        self.told += self._decoder.step(observation)

    def goes_on_as(self, other: Reconstruction) -> bool:
        """Tell whether both tell the same of whatever comes: they hold the same but for what they told.

        Where they told another number of things before, they count what comes with other numbers.
        """
        return alike(
            self, other, besides={Reconstruction: ("told",), Numbering: ("_id",), Reconstructor: Reconstructor.SETTLERS}
        ) and all(
            alike(
                getattr(self._decoder, name),
                getattr(other._decoder, name),
                counted={Track: ("number",), CardSettler: ("_next",), ChipSettler: ("_next",)},
            )
            for name in Reconstructor.SETTLERS
        )

    def log(self) -> EventLog:
        """End the recording and return its log; call it once."""
        self._looks(self._standing.flush())
        events = [*self.told, *self._decoder.flush()]
        sure = (doubted(event, self._decoder.lost) for event in events)
        dated = msgspec.structs.replace(self._header, date=_day(self._decoder.clock.first))
        return EventLog(dated, tuple(ordered(sure)))


def _completed(observation: Observation, passed: Observation) -> Observation:
    """Return the look, completed with what not every look tells, from the one passed over before it."""
    return msgspec.structs.replace(
        observation,
        clock=observation.clock if observation.clock is not None else passed.clock,
        quality=observation.quality or passed.quality,
        cut_cards=passed.cut_cards if isinstance(observation.cut_cards, UnsetType) else observation.cut_cards,
        bills=passed.bills if isinstance(observation.bills, UnsetType) else observation.bills,
    )


def ordered(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """By `t_end`, less the doubtful records that others settle; renumbered where that changed anything."""
    by_end = without_needless(sorted(events, key=lambda event: event.t_end))
    return [
        event if event.id == f"e{number:05d}" else msgspec.structs.replace(event, id=f"e{number:05d}")
        for number, event in enumerate(by_end, start=1)
    ]


def events_header(layout: Layout, house: House, header: ObservationsHeader) -> EventsHeader:
    """Header of the log, without a date: site and table of the layout, the house options."""
    return EventsHeader(
        format="verifier-events",
        version=1,
        rulebook=house.rulebook or ("nd-poker" if layout.game == "poker" else "nd-twenty-one"),
        site=layout.site,
        table=layout.table,
        house={k: v for k, v in msgspec.to_builtins(house).items() if v is not None and k != "rulebook"},
        video=header.video.sha256 if header.video else None,
        channels=("video",),
    )


def _day(clock: str | None) -> str | None:
    """Return the date of a reading of the clock; None for one without."""
    date = len("YYYY-MM-DD")
    return clock[:date] if clock is not None and len(clock) >= date and clock[4] == "-" else None
