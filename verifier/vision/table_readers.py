"""The readers together, with what was learnt of a table's own cards and chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.recording.decode import Picture
from verifier.vision.detection import Detection
from verifier.vision.look_alikes import median_colour
from verifier.vision.readers import Reader, Readers
from verifier.vision.table_chips import TableChips


class TableReaders(Readers):
    """Readers of which that of cards, that of chips or both know a table's own."""

    def __init__(self, readers: Readers, cards: Reader | None = None, chips: TableChips | None = None) -> None:
        vars(self).update(vars(readers))
        self._card = cards or readers._card
        self._shown = chips

    def chips(self, picture: Picture, found: Sequence[Detection]) -> list[Mapping[str, float]]:
        """Colour probabilities of each chip of a picture (h, w, 3)."""
        read = super().chips(picture, found)
        if self._shown is None:
            return read
        return [
            self._shown.weighed(reading, median_colour(picture, chip))
            for reading, chip in zip(read, found, strict=True)
        ]
