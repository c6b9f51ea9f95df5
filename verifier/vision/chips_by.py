"""Joins two finders: one finds the chips, the other the rest. The network for stacks has unlearned cards and hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from verifier.recording.decode import Picture
from verifier.vision.detection import CHIP, Detection, Finder, K
from verifier.vision.geometry import Bounds


@dataclass(frozen=True, slots=True)
class ChipsBy:
    """Finds cards and hands with `finder`, and chips with `chips`, in single pictures."""

    finder: Finder
    chips: Finder

    def stream(
        self, pictures: Iterable[tuple[K, Picture, Sequence[Bounds]]], long_side: int | None = None
    ) -> Iterator[tuple[K, list[Detection]]]:
        """As the finder of cards and hands alone: recordings are watched from above."""
        return self.finder.stream(pictures, long_side)

    def detect(self, picture: Picture, long_side: int | None = None) -> list[Detection]:
        """Return detections of one picture (h, w, 3), best first."""
        found = [d for d in self.finder.detect(picture, long_side) if d.kind != CHIP]
        found += [d for d in self.chips.detect(picture, long_side) if d.kind == CHIP]
        return sorted(found, key=lambda d: -d.p)
