"""The streaming decoder of a poker table: it holds one hand and the pause before it at a time."""

from __future__ import annotations

from verifier.domain.events import AnyEvent
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.reconstruct import open_rounds
from verifier.reconstruct import parameters as par
from verifier.reconstruct.decoder import Reconstructor
from verifier.reconstruct.passing import during
from verifier.reconstruct.poker.button import ButtonLog
from verifier.reconstruct.poker.card_dwells import CardDwell, card_dwells_of
from verifier.reconstruct.poker.draw import draw_of
from verifier.reconstruct.poker.hand import PokerScene, decode_hand
from verifier.reconstruct.poker.shuffles import shuffles_in
from verifier.reconstruct.resting.tracks import Track
from verifier.reconstruct.scene import Drafts
from verifier.reconstruct.table.detections import CardDetection, FrameDetections
from verifier.reconstruct.table.zones import Xy


class PokerReconstructor(Reconstructor):
    """Feed `step` with observations in order of time; it returns what has become certain. `flush` ends the recording.

    Things at rest, hands and the view are followed as at any table; what makes a hand of poker is told here.
    """

    def __init__(self, layout: Layout, house: House) -> None:
        super().__init__(layout, house)
        self._numbers.shoe = None
        self._button = ButtonLog(self.table)
        self._begin: float | None = None
        """When the hand that is being played began."""
        self._quiet: float | None = None
        self._glimpses: list[tuple[float, Xy]] = []
        """When and where anything was taken for a card at a seat since the last hand."""

    def _take(self, detection: FrameDetections) -> None:
        super()._take(detection)
        for card in detection.cards:
            if (self.table.card_place(card.xy) or "").startswith("seat"):
                self._glimpses.append((detection.t, card.xy))
        self._button.add(detection)

    def _watch_for_start(self) -> list[AnyEvent]:
        if self._begin is not None:
            return self._watch_for_last()
        if self._now - self._since > par.LONGEST_PAUSE_S:
            return self._pause(self._now - par.PAUSE_KEPT_S)
        begun = [track for track in self._cards.settled() if self._is_dealt(track)]
        if len({self._place(track) for track in begun}) >= par.POKER_HAND_SEATS:
            self._begin = max(self._since, min(track.t_rest for track in begun))
        return []

    def _place(self, track: Track[CardDetection]) -> str:
        return self.table.card_place(track.xy) or ""

    def _is_dealt(self, track: Track[CardDetection]) -> bool:
        """Tell whether a card lies at a seat as one that was laid there does."""
        lain = track.t_last - track.t_rest >= par.POKER_CARD_S and track.p >= par.SURE_CARD_LOOK_P
        return lain and track.t_rest >= self._stale and self._place(track).startswith("seat")

    def _in_play(self, track: Track[CardDetection]) -> bool:
        """Tell whether a card that lies at a seat or on the board holds the hand open."""
        place = self._place(track)
        lain = track.t_last - track.t_rest >= par.POKER_CARD_S and track.p >= par.SURE_CARD_LOOK_P
        lies = track.t_rest >= self._stale and not open_rounds.unseen(track, self._now)
        return lain and lies and (place.startswith("seat") or place == "board")

    def _watch_for_last(self) -> list[AnyEvent]:
        """Wait for the end of a hand: no card lies at a seat or on the board any more."""
        begin = self._begin or self._now
        if any(self._in_play(track) for track in self._cards.settled()) and self._now - begin < par.LONGEST_ROUND_S:
            self._quiet = None
            return []
        self._quiet = self._now if self._quiet is None else self._quiet
        if self._now - begin >= par.LONGEST_ROUND_S:
            events = self._tell(ended=False)
            self._stale = self._now
            return events
        return self._tell(ended=True) if self._now - self._quiet >= par.ROUND_QUIET_S / 2 else []

    def flush(self) -> list[AnyEvent]:
        """End the recording, and return what is left, the hand in progress included."""
        events: list[AnyEvent] = [event for placed in self._steadier.flush() for event in self._look(placed)]
        events += self._numbers.number(self._views.flush(), self.clock)
        if self._begin is not None:
            events += self._tell(ended=self._quiet is not None)
        if self._first is not None:
            events += self._pause(self._now)
        return events

    def _card_dwells(self) -> list[CardDwell]:
        tracks = (track for track in self._every() if track.settled and track.t_rest >= self._stale)
        return card_dwells_of(tracks, self.table, self._hands, self._glimpses)

    def _tell(self, *, ended: bool) -> list[AnyEvent]:
        """Decode the hand that is over, with the pause before it."""
        begin = self._begin or self._now
        if ended:
            self._cards.give_up(lambda track: open_rounds.unseen(track, self._now))
        card_dwells = [card_dwell for card_dwell in self._card_dwells() if card_dwell.rest >= self._since]
        played = [
            card_dwell
            for card_dwell in card_dwells
            if card_dwell.place == "board" or card_dwell.place.startswith("seat")
        ]
        gone = [card_dwell.until for card_dwell in played if card_dwell.ended]
        end = max(gone) if ended and gone else self._now
        drawn = draw_of(card_dwells) if begin > (self._first or 0.0) + par.ROUND_BEGUN_S else None
        if drawn is not None:
            return self._drawn(drawn, begin, end if ended else self._now)
        moves = self._button.moves(begin)
        scene = PokerScene(
            table=self.table,
            hands=self._hands,
            house=self.house,
            card_dwells=tuple(card_dwells),
            dwells=tuple(self._chip_dwells()),
            backs=during(self._passing.backs, self._since, self._now),
            since=self._since,
            start=begin,
            end=end,
            begun=begin > (self._first or 0.0) + par.ROUND_BEGUN_S,
            ended=ended,
            button=self._button.told,
        )
        drafts: Drafts = [*moves, *decode_hand(scene)]
        self._numbers.round += 1
        events = self._numbers.number(drafts, self.clock, {id(draft): self._numbers.round for draft in drafts})
        self._forget(end if ended else self._now)
        self._glimpses = []
        self._begin = self._quiet = None
        return events

    def _drawn(self, drawn: Drafts, begin: float, end: float) -> list[AnyEvent]:
        """Tell the draw for the button, which is no hand: it leads in to the first one."""
        backs = during(self._passing.backs, self._since, begin)
        shuffles = shuffles_in(backs, self._hands, self.table, self._since, begin - par.POKER_DEALT_EARLY_S)
        drafts: Drafts = [*shuffles, *drawn, *self._button.moves(end)]
        self._forget(end)
        self._glimpses = []
        self._begin = self._quiet = None
        return self._numbers.number(drafts, self.clock)

    def _pause(self, until: float) -> list[AnyEvent]:
        """Tell what a pause without a hand shows."""
        backs = during(self._passing.backs, self._since, until)
        drafts: Drafts = [*self._button.moves(until), *shuffles_in(backs, self._hands, self.table, self._since, until)]
        self._forget(until)
        self._glimpses = [glimpse for glimpse in self._glimpses if glimpse[0] >= until]
        return self._numbers.number(drafts, self.clock)
