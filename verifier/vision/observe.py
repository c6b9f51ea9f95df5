"""Watches a recording from beginning to end and says what it shows: decoding, finding, reading, following."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np

from verifier.domain.layout import CARD_MM, OF_POKER, Layout, Polygon
from verifier.domain.observations import NamedHash, Observation, ObservationsHeader
from verifier.formats.layout import check_size
from verifier.recording.decode import Decoder, Frame, Picture
from verifier.recording.probe import Coverage, Gap, Probe, probe
from verifier.vision.background import Background
from verifier.vision.bills import BillWatch
from verifier.vision.clock import ClockReader
from verifier.vision.cut_card import CutCardFinder
from verifier.vision.dealer_button import ButtonFinder
from verifier.vision.detection import HAND, Detection
from verifier.vision.drawn import as_drawn
from verifier.vision.fitting import side_for
from verifier.vision.geometry import Bounds, Floats
from verifier.vision.inner_chips import InnerChips
from verifier.vision.looker import Looker
from verifier.vision.motion import CALM, GATE_WIDTH, Look, MotionGate, Pace, looks, wanted
from verifier.vision.nearer import NEARER
from verifier.vision.networks import Networks, load_networks
from verifier.vision.quality import Bearings, QualityMeter
from verifier.vision.regions import complete
from verifier.vision.runtime import cores, opencv_on_one_thread
from verifier.vision.second_opinion import SecondOpinion
from verifier.vision.verdicts import Judge

HZ: Final = 7.5
"""Looks a second while something moves: a signal of 0.8 s is looked at six times."""
IDLE_HZ: Final = 1.0
STAKE_RIM: Final = 6
"""Pixels of the gate's picture by which motion may be outside of a zone and yet matters: half a hand."""
AHEAD: Final = 4
"""Frames that wait decoded; with those under way, all that is ever held in memory. On a single core one does: what was
decoded just now is still in its caches."""

FROZEN: Final = "the picture is frozen"

Due = tuple[tuple[Look, Picture], Picture, list[Bounds]]
"""What the detector is given: the look and its picture, once more the picture, and the parts of it to search."""
Searched = tuple[Frame, Picture, list[Detection]]


class Watch:
    """One pass over a recording. Iterating gives the observations in order of time, once.

    `header` is known from the start; `coverage` is final when the iteration has ended.
    """

    def __init__(
        self,
        video: Probe | Path | str,
        layout: Layout | None = None,
        *,
        networks: Networks | None = None,
        bearings: Bearings | None = None,
        hz: float = HZ,
        long_side: int | None = None,
        layout_file: NamedHash | None = None,
    ) -> None:
        whole = video if isinstance(video, Probe) else probe(Path(video))
        self._probe = as_drawn(whole, layout) if layout is not None else whole
        self._layout = layout
        if layout is not None:
            check_size(self._probe.info, layout, layout.name or "drawn in memory")
        self._networks = networks or load_networks(faint_hands=True)
        self._hz = hz
        self._long_side = long_side or self._side()
        self._decoder = Decoder(self._probe, wanted=wanted(self._probe, hz))
        self._meter = QualityMeter(layout, bearings)
        pace = Pace(hz, min(CALM, hz), min(IDLE_HZ, hz))
        self._gate = MotionGate(pace, ignore=self._restless(), stake=self._stake())
        self._clock = ClockReader(self._networks.text, layout.zones.clock if layout else None)
        self.header = ObservationsHeader(
            video=self._probe.info,
            layout=layout_file or (NamedHash(name=layout.name, sha256=None) if layout else None),
            models=list(self._networks.identities),
            sample_hz=hz,
        )

    @property
    def coverage(self) -> Coverage:
        """How much of the recording was looked at; a frozen picture was, although it tells nothing."""
        decoded = self._decoder.coverage
        frozen = [
            Gap(round(start, 3), round(end, 3), FROZEN, "frozen")
            for start, end in self._gate.freezes.stretches(self._clock.clock.was_sure)
        ]
        return replace(decoded, gaps=(*decoded.gaps, *frozen))

    @property
    def bearings(self) -> Bearings:
        """What a later stretch of the same recording needs to know of this one, once it has been iterated."""
        return self._meter.bearings

    def closer(self, start: float, end: float) -> Watch | None:
        """Return a watch over the same recording from `start` to `end` (seconds of media time), its picture larger by a
        third.

        None if the recording cannot be divided, where no frame lies in between, or where its picture has no more to
        show.
        """
        longest = max(self._probe.info.width, self._probe.info.height)
        side = self._long_side or longest
        larger = min(longest, round(NEARER * side))
        if larger <= side or not self._probe.divisible:
            return None
        stretch = self._probe.stretch(start, end)
        if not len(stretch.times):
            return None
        return Watch(
            stretch, self._layout, networks=self._networks, bearings=self.bearings, hz=self._hz, long_side=larger
        )

    def __iter__(self) -> Iterator[Observation]:
        gate, clock = self._gate, self._clock
        ahead = AHEAD if cores() > 1 else 1
        with (
            opencv_on_one_thread(),
            Background(lambda: _pictures(looks(self._decoder, gate)), size=ahead) as due,
            Background(lambda: self._searched(due), size=1) as searched,
        ):
            yield from _clocked(self._observations(searched, clock), clock)

    def _searched(self, due: Iterator[Due]) -> Iterator[Searched]:
        """All objects of each picture, found or known, before they are read and followed."""
        found: list[Detection] = []
        signs, inner = self._signs(), InnerChips(self._networks.finder, self._layout)
        for (look, picture), fresh in self._networks.finder.stream(due, self._long_side):
            fresh = [d for d in fresh if not any(_within(d, sign) for sign in signs)]
            found = complete(found, fresh, look.regions, (picture.shape[1], picture.shape[0]))
            found = inner.with_them(picture, found, look.regions, self._long_side)
            yield look.frame, picture, found

    def _observations(self, searched: Iterator[Searched], clock: ClockReader) -> Iterator[Observation]:
        networks, meter = self._networks, self._meter
        second = SecondOpinion(networks.second, networks.readers) if networks.second else None
        looker = Looker(networks.readers, second)
        judge = Judge(networks.readers, networks.verdicts)
        cut_cards, cash = CutCardFinder(self._layout), BillWatch(networks.bills, self._layout)
        dealer_button = ButtonFinder(self._layout)
        for frame, picture, found in searched:
            if clock.due(frame.t):
                clock.look(frame.t, picture)
            judged = judge.look(picture, found)
            bills = cash.look(frame.t, picture, judged.found)
            found = cash.without_bills(judged.found)
            buttons = dealer_button.look(frame.t, picture, found)
            found = dealer_button.without_buttons(found)
            seen = looker.look(frame.t, picture, found, judged.readings)
            yield Observation(
                t=round(frame.t, 6),
                frame=frame.index,
                cards=seen.cards,
                chips=seen.chips,
                hands=seen.hands,
                quality=meter.measure(frame.t, picture, found),
                cut_cards=cut_cards.look(frame.t, picture, found),
                bills=bills,
                buttons=buttons,
            )

    def _signs(self) -> list[Floats]:
        """Zones of text, where nothing lies: a table's number looks like a card."""
        zones = self._layout.zones if self._layout else None
        texts = (zones.table_number, zones.site_id, zones.clock) if zones else ()
        return [np.asarray(zone, np.float32) for zone in texts if zone is not None]

    def _side(self) -> int | None:
        """Return the long side to look at, by the width of a card on this table; None if no layout tells it."""
        return side_for(self._layout.scale * CARD_MM[0], max(self._layout.image_size)) if self._layout else None

    def _restless(self) -> Picture | None:
        """Return a mask of the clock for the motion gate."""
        clock = self._layout.zones.clock if self._layout else None
        return self._gate_mask([clock], 2) if clock is not None else None

    def _stake(self) -> Picture | None:
        """Return a mask of where motion matters: not the rail, the floor, or arms beyond the table."""
        if self._layout is None:
            return None
        zones = self._layout.zones
        places = (zones.inner, zones.dealer, zones.shoe, zones.discard, zones.tray, zones.drop, zones.tip_receptacle)
        own = [getattr(zones, name) for name in OF_POKER]
        drawn = [place for place in (*places, *own) if place is not None]
        return self._gate_mask([*drawn, *self._layout.areas.values()], STAKE_RIM)

    def _gate_mask(self, zones: Sequence[Polygon], rim: int) -> Picture:
        """Zones with a rim of so many pixels, in the gate's grey picture."""
        width, height = self._probe.info.width, self._probe.info.height
        scale = GATE_WIDTH / width
        mask = np.zeros((max(1, round(height * scale)), GATE_WIDTH), np.uint8)
        for zone in zones:
            cv2.fillPoly(mask, [np.round(np.asarray(zone, np.float32) * scale).astype(np.int32)], 255)
        return np.asarray(cv2.dilate(mask, np.ones((2 * rim + 1, 2 * rim + 1), np.uint8)), np.uint8)


def _within(seen: Detection, zone: Floats) -> bool:
    """Tell whether a card or chip has its middle in a zone; hands pass over zones."""
    return seen.kind != HAND and seen.within(zone)


def _pictures(due: Iterator[Look]) -> Iterator[Due]:
    for look in due:
        picture = look.frame.bgr()
        yield (look, picture), picture, [part.pixels(picture.shape[1], picture.shape[0]) for part in look.regions]


def _clocked(observations: Iterator[Observation], clock: ClockReader) -> Iterator[Observation]:
    """Add the clock; the first few observations wait until two reads of it agree."""
    waiting: deque[Observation] = deque()
    for seen in observations:
        waiting.append(seen)
        if clock.pending(seen.t):
            continue
        while waiting:
            yield _with_clock(waiting.popleft(), clock)
    for seen in waiting:
        yield _with_clock(seen, clock)


def _with_clock(seen: Observation, clock: ClockReader) -> Observation:
    return msgspec.structs.replace(seen, clock=clock.clock.at(seen.t))


def observe(
    video: Probe | Path | str,
    layout: Layout | None = None,
    *,
    networks: Networks | None = None,
    bearings: Bearings | None = None,
    hz: float = HZ,
    long_side: int | None = None,
    layout_file: NamedHash | None = None,
) -> Watch:
    """Open a recording for watching. Raises BadInput for what is no usable video, or of another size than its layout.

    `networks` are models that are loaded already; by default the shipped ones are loaded, and `hz` is looks a second.
    `long_side` is the picture's long side as the detector gets it, in pixels: less is faster (default: by the width of
    the layout's cards, or without a layout the model card's). `video` may be a stretch (`probe(...).stretch(a, b)`);
    `bearings` are those of the watch over the recording's first stretch.
    """
    return Watch(
        video, layout, networks=networks, bearings=bearings, hz=hz, long_side=long_side, layout_file=layout_file
    )
