"""Where the dealer button lies, where a detector tells it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from verifier.domain.events import ButtonMoved
from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import Drafts, event
from verifier.reconstruct.table.detections import FrameDetections
from verifier.reconstruct.table.zones import TableMap, Xy, distance


class ButtonLog:
    """Feed `add` with every frame; `moves` gives and forgets the moves that were seen."""

    def __init__(self, table: TableMap) -> None:
        self._table = table
        self._seat: int | None = None
        self.told: int | None = None
        """The seat that has it by the moves told so far."""
        self._until = -math.inf
        """When it was last seen before the seat that has it."""
        self._since: tuple[int, float, int] | None = None
        """The seat before which it is seen now, since when, and in how many looks."""
        self._discs: list[tuple[Xy, float, float]] = []
        """Where discs that may be the button lay, since when, and until when they were seen."""
        self._moves: list[_Move] = []

    def add(self, detection: FrameDetections) -> None:
        """Take a frame's buttons. Several of them, or none, tell nothing."""
        if detection.buttons is None:
            return
        sure = [button.xy for button in detection.buttons if button.p >= par.POKER_BUTTON_P]
        began = self._followed(detection.t, sure, [button.xy for button in detection.buttons])
        if len(sure) != 1:
            return
        seat = self._seat_of(sure[0])
        if seat is None:
            self._since = None
            return
        if seat == self._seat:
            self._until = detection.t
        if self._since is None or self._since[0] != seat:
            self._since = (seat, began, 1)
            return
        self._since = (seat, self._since[1], self._since[2] + 1)
        lies = detection.t - self._since[1] >= par.POKER_BUTTON_S and self._since[2] >= par.POKER_BUTTON_LOOKS
        if lies and seat != self._seat:
            self._moves.append(_Move(seat, self._seat, self._until, self._since[1]))
            self._seat, self._until = seat, detection.t

    def _followed(self, t: float, sure: Sequence[Xy], every: Sequence[Xy]) -> float:
        """Remember since when each disc lies where it does; return that of the one that is surely the button.

        A disc that was no button surely, before the cards told how large it is, was one if it is one now.
        """
        for xy in every:
            same = [one for one in self._discs if distance(one[0], xy) <= par.POKER_BUTTON_SAME_MM]
            began = same[0][1] if same and t - same[0][2] <= par.POKER_BUTTON_HIDDEN_S else t
            self._discs = [*(one for one in self._discs if one not in same), (xy, began, t)]
        return next((one[1] for one in self._discs if len(sure) == 1 and one[0] == sure[0]), t)

    def _seat_of(self, xy: Xy) -> int | None:
        spots = {seat.number: seat.button or seat.cards for seat in self._table.seats.values()}
        nearest = min(spots, key=lambda number: distance(spots[number], xy))
        return nearest if distance(spots[nearest], xy) <= par.POKER_BUTTON_MM else None

    def moves(self, until: float) -> Drafts:
        """Return the moves up to a time, once.

        One that may have been before that time or after it is told as occluded: nobody saw where the button was then.
        """
        told = [move for move in self._moves if move.left < until]
        self._moves = [move for move in self._moves if move.left >= until]
        self.told = told[-1].seat if told else self.told
        return [
            move.event(min(move.came, until - par.MARK_S), occluded=move.came + par.MARK_S > until) for move in told
        ]


class _Move(Struct, frozen=True):
    """A move to a seat, between its last sight at the earlier one (`left`) and the first at this one (`came`)."""

    seat: int
    before: int | None
    left: float
    came: float

    def event(self, t: float, *, occluded: bool) -> ButtonMoved:
        came = {} if self.before is None else {"from_": f"seat:{self.before}"}
        return event(
            ButtonMoved, t, t + par.MARK_S, par.SURELY_SEEN_P, to=f"seat:{self.seat}", occluded=occluded, **came
        )
