"""Bank notes by look: what a look now and then shows of those in the inner table area, and which cards are none."""

from __future__ import annotations

from msgspec import Struct, structs

from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.detections import BillDetection, CardDetection, FrameDetections
from verifier.reconstruct.table.zones import inside


class BillLook(Struct, frozen=True):
    """A look at time `t` at which bills were looked for."""

    t: float
    bills: tuple[BillDetection, ...]


class BillLog:
    """The looks of a stretch of play, in order of time."""

    def __init__(self) -> None:
        self._looks: list[BillLook] = []

    def add(self, t: float, seen: tuple[BillDetection, ...] | None) -> None:
        """Take a look at `t`; None where nobody looked for bills."""
        if seen is not None:
            self._looks.append(BillLook(t, seen))

    def without_bills(self, detection: FrameDetections) -> FrameDetections:
        """Return a frame without the cards that cannot be read and lie within a bill of the last look.

        In what may be a row of cards, those that are surely found stay.
        """
        last = self._looks[-1] if self._looks else None
        if last is None or detection.t - last.t > par.BILL_LAST_S:
            return detection
        sure = [bill for bill in last.bills if bill.p >= par.SURE_BILL_P]
        cards = (c for c in detection.cards if _read(c) or not any(_passes_for_card(bill, c) for bill in sure))
        return structs.replace(detection, cards=tuple(cards))

    def between(self, t0: float, t1: float) -> tuple[BillLook, ...]:
        """Return the looks in [t0, t1]."""
        return tuple(look for look in self._looks if t0 <= look.t <= t1)

    def forget_before(self, t: float) -> None:
        """Drop looks before `t`."""
        self._looks = [look for look in self._looks if look.t >= t]


def _passes_for_card(bill: BillDetection, card: CardDetection) -> bool:
    """Tell whether what was found within a bill is the bill."""
    told = max(bill.values.values(), default=0.0) >= par.SURE_BILL_P
    plain = told or bill.p >= par.PLAIN_BILL_P or card.p < par.SURE_CARD_LOOK_P
    return plain and inside(card.xy, bill.corners)


def _read(card: CardDetection) -> bool:
    return card.face == "up" and max(card.ranks.values(), default=0.0) >= par.READ_P
