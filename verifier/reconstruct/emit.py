"""From drafts to a log: ids, clock, round, shoe, dealer and card numbers, in the order of `t_end`."""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime, timedelta

import msgspec

from verifier.domain.events import AnyEvent, CardDealt, CardRevealed, DealerShift, Shuffle
from verifier.reconstruct import parameters as par
from verifier.reconstruct.cards.suits import SuitCount
from verifier.reconstruct.scene import Drafts

_RANK = {"round_started": 0, "dealer_shift": 2, "round_ended": 3}


class Clock:
    """The recording's own clock at any media time, from its readings."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self._texts: list[str] = []

    @property
    def first(self) -> str | None:
        """The first reading."""
        return self._texts[0] if self._texts else None

    def add(self, t: float, text: str | None) -> None:
        """Take a reading; only changes are kept."""
        if text is not None and (not self._texts or self._texts[-1] != text):
            self._times.append(t)
            self._texts.append(text)

    def forget_before(self, t: float) -> None:
        """Drop readings that no event can need any more, but for the first."""
        keep = max(1, bisect_right(self._times, t) - 1)
        del self._times[1:keep], self._texts[1:keep]

    def at(self, t: float) -> str | None:
        """Return the clock at `t`, the last reading carried on for at most ten seconds; None before any."""
        index = bisect_right(self._times, t) - 1
        if index < 0:
            return None
        gap = t - self._times[index]
        if gap < 1.0:
            return self._texts[index]
        if gap > par.CLOCK_S:
            return None
        try:
            then = datetime.fromisoformat(self._texts[index]) + timedelta(seconds=int(gap))
        except ValueError:
            return self._texts[index]
        return then.isoformat(timespec="seconds")


class Numbering:
    """Counts rounds, shoes (of `decks` decks), dealers, cards and records over a whole recording.

    `seat`: where the first dealer sits, who is a player; at which seat a later one sits is not known.
    """

    def __init__(self, decks: int | None = None, seat: str | None = None) -> None:
        self._seat = seat
        self._id = 0
        self._seq: int | None = None
        self.round = 0
        self.shoe: int | None = 1
        """None where cards are dealt out of the dealer's hand."""
        self.dealer = 1
        self._suits = SuitCount(decks)
        self._begun = False
        """Whether a shuffle or a card was seen: the next shuffle begins another shoe."""

    def number(self, drafts: Drafts, clock: Clock, rounds: dict[int, int | None] | None = None) -> list[AnyEvent]:
        """Numbers the drafts of one stretch, ordered by time; `rounds` gives the round of each by its object id."""
        ordered = sorted(drafts, key=lambda e: (e.t_end, _RANK.get(e.name, 1), e.t_start))
        return [self._numbered(draft, clock, (rounds or {}).get(id(draft))) for draft in ordered]

    def _numbered(self, draft: AnyEvent, clock: Clock, in_round: int | None) -> AnyEvent:
        self._id += 1
        if isinstance(draft, DealerShift) and draft.phase == "start":
            self.dealer += 1
        if isinstance(draft, Shuffle):
            if self.shoe is not None:
                self.shoe += 1 if self._begun else 0
            self._begun = True
            self._seq = 0
            self._suits.shuffled()
        fields: dict[str, object] = {
            "id": f"e{self._id:05d}",
            "clock": clock.at(draft.t_end),
            "round": in_round,
            "shoe": self.shoe,
            "dealer": self._seat if self._seat and self.dealer == 1 else f"D{self.dealer}",
            "t_start": max(0.0, draft.t_start),
            "t_end": max(0.0, draft.t_end),  # nothing is before the recording
        }
        self._begun = self._begun or isinstance(draft, CardDealt)
        if isinstance(draft, CardDealt) or (isinstance(draft, CardRevealed) and draft.at == "dealer"):
            fields["card"] = self._suits.told(draft.card)
        if isinstance(draft, CardDealt) and not draft.occluded:
            self._seq = (self._seq or 0) + 1
            fields["seq"] = self._seq
        return msgspec.structs.replace(draft, **fields)
