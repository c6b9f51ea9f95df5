"""What each look shows, moving or at rest: backs wherever they are, faces at the discards, chips in the inner area."""

from __future__ import annotations

from typing import TypeVar

from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import BackSeen, ChipGlimpse, FaceSeen
from verifier.reconstruct.table.detections import FrameDetections
from verifier.reconstruct.table.zones import TableMap

S = TypeVar("S", BackSeen, FaceSeen, ChipGlimpse)


class Passing:
    """What was seen of them, in order of time."""

    def __init__(self, table: TableMap) -> None:
        self._table = table
        self.backs: list[BackSeen] = []
        self.faces: list[FaceSeen] = []
        self.chips: list[ChipGlimpse] = []

    def add(self, detection: FrameDetections) -> None:
        """Take a frame's cards and chips."""
        self.backs += [BackSeen(detection.t, card.xy, card.p) for card in detection.cards if card.face == "down"]
        self.faces += [
            FaceSeen(detection.t, max(card.ranks, key=card.ranks.__getitem__) + (card.suit or "?"))
            for card in detection.cards
            if card.face == "up" and card.ranks and self._table.near(card.xy, "discard", par.DISCARD_MM)
        ]
        inner = (chip for chip in detection.chips if self._table.within(chip.xy, "inner"))
        self.chips += [ChipGlimpse(detection.t, chip.xy, chip.cents) for chip in inner]

    def forget_before(self, t: float) -> None:
        """Drop what was seen before `t`."""
        self.backs = [back for back in self.backs if back.t >= t]
        self.faces = [face for face in self.faces if face.t >= t]
        self.chips = [chip for chip in self.chips if chip.t >= t]


def during(seen: list[S], t0: float, t1: float) -> tuple[S, ...]:
    """Those seen in [t0, t1]."""
    return tuple(one for one in seen if t0 <= one.t <= t1)
