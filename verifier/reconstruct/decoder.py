"""The streaming decoder: observations in, events out, one round and the pause before it in memory at a time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from verifier.domain.events import AnyEvent, DealerShift
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.observations import Observation
from verifier.domain.rulebooks import BANKED, USUAL
from verifier.engine.rules import rules_of
from verifier.reconstruct import open_rounds
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.indicator import CutCards
from verifier.reconstruct.between.session import session_events
from verifier.reconstruct.cards.deal import with_players_cards
from verifier.reconstruct.cards.held import held_aside
from verifier.reconstruct.cards.hole import with_hole_card
from verifier.reconstruct.emit import Clock, Numbering
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.chip_spaces import chips_by_space
from verifier.reconstruct.money.piles import with_weak
from verifier.reconstruct.parameters.tolerances import CARD_TOLERANCES, CHIP_TOLERANCES
from verifier.reconstruct.passing import Passing, during
from verifier.reconstruct.resting.again import shown_again
from verifier.reconstruct.resting.bills import BillLog
from verifier.reconstruct.resting.card_tracks import CardTrack, tell
from verifier.reconstruct.resting.cardsettle import CardSettler
from verifier.reconstruct.resting.chip_dwells import ChipDwell, chip_dwells
from verifier.reconstruct.resting.distinct import distinct
from verifier.reconstruct.resting.existence import existing
from verifier.reconstruct.resting.lain_on import buried
from verifier.reconstruct.resting.printed import without_print
from verifier.reconstruct.resting.settle import ChipSettler
from verifier.reconstruct.resting.tracks import Track
from verifier.reconstruct.rounds import decode_round
from verifier.reconstruct.scene import Between, Drafts, HeldBust, RoundScene, unsure
from verifier.reconstruct.table.detections import Body, CardDetection, FrameDetections, detections_of
from verifier.reconstruct.table.steady import Placed, Steadier
from verifier.reconstruct.table.zones import TableMap, Xy
from verifier.reconstruct.view import ViewLog


@dataclass
class _Round:
    """A round that is being played."""

    start: float
    quiet_since: float | None = None


class Reconstructor:
    """Feed `step` with observations in order of time; it returns what has become certain. `flush` ends the recording.

    The lag is a round and the pause before it, at most `LONGEST_ROUND_S` and `LONGEST_PAUSE_S`, and what
    the view's measuring takes. A longer pause is told in parts.
    """

    SETTLERS: ClassVar = ("_cards", "_chips")
    """What gives the things that lie on the table numbers of its own."""

    def __init__(self, layout: Layout, house: House) -> None:
        self.table = TableMap.of(layout)
        self._steadier = Steadier(self.table, layout.image_size)
        self._views = ViewLog(layout)
        self.house = house
        self.clock = Clock()
        self._body = Body.of(self.table)
        self._cards = CardSettler(CARD_TOLERANCES)
        self._chips = ChipSettler(CHIP_TOLERANCES)
        self._hands = HandLog()
        self._cut_cards = CutCards()
        self._passing = Passing(self.table)
        self._bills = BillLog()
        self._numbers = Numbering(house.deck_count, layout.dealer_seat)
        self.keyed = False
        """Whether the looks are key frames, which stand until the next one."""
        self.unsure = False
        """Whether so many cards are missed in them that what is told by them is in doubt."""
        self._first: float | None = None
        self._since = self._now = 0.0
        self._round: _Round | None = None
        self._stale = -math.inf
        """Cards that lay when a round was cut for its length begin and hold open no other."""
        self._away: float | None = None
        """When a dealer left who had not come back by the end of the pause told last."""

    @property
    def lost(self) -> list[tuple[float, float]]:
        """Stretches (start, end) in which the camera looked elsewhere."""
        return self._views.lost

    def step(self, observation: Observation) -> list[AnyEvent]:
        """Take one observation, and return the events that are complete."""
        events = self._numbers.number(self._views.step(observation), self.clock)
        for placed in self._steadier.step(observation):
            events += self._look(placed)
        return events

    def _look(self, placed: Placed) -> list[AnyEvent]:
        """Take an observation by the map of its view; an observation of another view shows nothing."""
        if placed.table is None:
            return []
        detection = detections_of(placed.observation, placed.table, self._body, self.house.chip_cents)
        if self._first is None:
            self._first = self._since = detection.t
        self._now = detection.t
        self._take(detection)
        if self._round is None:
            return self._watch_for_start()
        return self._watch_for_end(self._round)

    def flush(self) -> list[AnyEvent]:
        """End the recording, and return what is left, the round in progress included."""
        events: list[AnyEvent] = [event for placed in self._steadier.flush() for event in self._look(placed)]
        events += self._numbers.number(self._views.flush(), self.clock)
        if self._round is not None:
            events += self._finish(self._round)
        if self._first is not None:
            events += self._pause(self._now)
        return events

    def _take(self, detection: FrameDetections) -> None:
        bills = (
            None if detection.bills is None else tuple(bill for bill in detection.bills if not self._in_tray(bill.xy))
        )
        self._bills.add(detection.t, bills)
        detection = self._bills.without_bills(detection)
        cover = self._hands.cover(detection)
        self._cards.step(detection.t, detection.cards, cover)
        self._chips.step(detection.t, [chip for chip in detection.chips if not self._in_tray(chip.xy)], cover)
        self._hands.add(detection)
        self._cut_cards.add(detection.t, detection.cut_cards)
        self.clock.add(detection.t, detection.clock)
        self._passing.add(detection)

    def _in_tray(self, xy: Xy) -> bool:
        """Tell whether what is seen at `xy` (mm) is no thing laid there: columns of chips pass for a bank note."""
        return self.table.within(xy, "tray", "shoe", "discard")

    def _watch_for_start(self) -> list[AnyEvent]:
        if self._now - self._since > par.LONGEST_PAUSE_S:
            return self._pause(self._now - par.PAUSE_KEPT_S)
        known = self._hands.known
        tracks = [track for track in self._cards.settled() if track.t_rest >= self._stale]
        begun = [one for one in tracks if open_rounds.begins_round(one, self.table, hands=known)]
        self._round = _Round(min(track.t_rest for track in begun)) if begun else None
        return []

    def _of_round(self, track: Track[CardDetection], start: float, *, outside: bool = False) -> bool:
        """Tell whether a settled card takes part in the round that began at `start`; `outside`: or may, as a long
        hand's.
        """
        if not track.settled or track.t_rest < self._stale or (track.gone is not None and track.gone < start):
            return False
        place = self.table.card_place(track.dwells[0].xy)
        if place is None or place == "shoe":
            return outside and track.t_rest >= start
        if place == "dealer":
            return (
                track.t_rest >= max(start - par.DEALER_FIRST_S, self._since)
                or track.t_first <= (self._first or 0.0) + 1.0
            )
        return place.startswith("space") and open_rounds.is_sure(track)

    def _watch_for_end(self, current: _Round) -> list[AnyEvent]:
        faces = open_rounds.faces_until(self._every(), current.start)
        mine = [track for track in self._cards.settled() if self._of_round(track, current.start)]
        alive = open_rounds.holding(mine, faces, self._now, self._moment)
        if alive and self._now - current.start < par.LONGEST_ROUND_S:
            fresh = [
                track for track in alive if current.quiet_since is not None and track.t_rest >= current.quiet_since
            ]
            if not fresh or self._lone_card(current):
                current.quiet_since = None
                return []
        elif current.quiet_since is None:
            current.quiet_since = self._now
        if alive or (current.quiet_since is not None and self._now - current.quiet_since >= par.ROUND_QUIET_S):
            events = self._finish(current)
            if alive and self._now - current.start >= par.LONGEST_ROUND_S:
                self._stale = self._now
            return events
        return []

    def _every(self) -> list[Track[CardDetection]]:
        """All cards that came to rest since the last round."""
        return [*self._cards.ended, *self._cards.settled()]

    @property
    def _moment(self) -> float:
        """Detections of a card less than so many seconds apart are of one moment."""
        return par.CARD_TRACK_GAP_S if self._hands.known else par.LONGEST_ROUND_S

    def _lone_card(self, current: _Round) -> bool:
        """Tell whether all that was laid before the pause is one card: taken away at once, it was dealt by mistake."""
        quiet = current.quiet_since or 0.0
        before = [track for track in self._every() if self._of_round(track, current.start) and track.t_rest < quiet]
        return (
            len(before) == 1 or sum(not open_rounds.fleeting(track, self._now, self._moment) for track in before) == 1
        )

    def _finish(self, current: _Round) -> list[AnyEvent]:
        """Decode a round with the pause before it."""
        self._hands.decide_owners(self.table, self._body)
        dwells = self._chip_dwells()
        cards, held = self._cards_of(current, dwells)
        if not any(card.place for card in cards):
            self._round = None
            return []
        scene = self._scene(cards, held, dwells)
        drafts = decode_round(scene) + self._cut_cards.appeared(scene.start - par.DEALER_FIRST_S, scene.end)
        drafts = unsure(drafts) if self.unsure else drafts
        before = self._between(min(scene.start, current.start) - 1.0, dwells) if scene.begun else None
        told = [] if before is None else session_events(before)
        self._numbers.round += 1
        events = self._numbers.number([*told, *drafts], self.clock, {id(d): self._numbers.round for d in drafts})
        self._forget(max([scene.end, *[draft.t_end for draft in drafts]]) if scene.ended else self._now)
        self._round = self._away = None
        return events

    def _cards_of(self, current: _Round, dwells: Sequence[ChipDwell]) -> tuple[list[CardTrack], tuple[HeldBust, ...]]:
        """Return the cards of a round, and those that were held aside."""
        quiet = current.quiet_since
        tracks = [track for track in self._every() if self._of_round(track, current.start, outside=True)]
        if quiet is not None:
            self._cards.give_up(lambda track: open_rounds.unseen(track, self._now))
            faces = open_rounds.faces_until(self._every(), current.start)
            tracks = [track for track in tracks if track.t_rest < quiet and not open_rounds.shuffled(track, faces)]
        alone = not self._hands.known
        gap = self._gap(current.start) if alone else par.CARD_TRACK_GAP_S
        told = [c for c in tell(tracks, self.table, gap, alone=alone) if c.place not in ("discard", "shoe")]
        brief = [track for track in self._cards.glimpsed if self._of_round(track, current.start, outside=True)]
        glimpsed = tell(brief, self.table)
        once = [card_track for track in self._cards.once for card_track in tell([track], self.table, alone=True)]
        own = distinct(told, once if alone else glimpsed, alone=alone)
        laid = self._existing(shown_again(own, self._hands, dwells))
        cards, held = held_aside(laid, told, self.table, glimpsed, alone=alone)
        backs = [(back.t, back.xy) for back in self._passing.backs]
        down = self.house.dealing_method != "no_hole_card"
        both = rules_of(self.house.rulebook or USUAL, self.house).both_down
        cards = with_players_cards(cards, self._hands)
        return with_hole_card(cards, backs, self._hands, self.table, dealt_down=down, both_down=both), held

    def _scene(self, cards: Sequence[CardTrack], held: tuple[HeldBust, ...], dwells: Sequence[ChipDwell]) -> RoundScene:
        """Return the round that cards tell, of which one at least lies at a place."""
        placed = [card for card in cards if card.place]
        gone = [card.gone for card in placed if card.gone is not None]
        ended = len(gone) == len(placed)
        end = max(gone) if ended else self._now
        start = min(card.t_rest for card in placed)
        return RoundScene(
            table=self.table,
            hands=self._hands,
            cards=tuple(cards),
            dwells=buried(chips_by_space(dwells, self.table), placed),
            since=self._since,
            start=start,
            end=end,
            begun=start > (self._first or 0.0) + par.ROUND_BEGUN_S,
            ended=ended,
            surrenders=self.house.surrender_allowed is not None,
            banked=self.house.rulebook in BANKED,
            held=held,
            backs=during(self._passing.backs, self._since, end),
            reader=self.house.dealing_method == "hole_card_reader",
            natural_odds=natural_odds(self.house),
            keyed=self.keyed,
            bills=self._bills.between(self._since, end),
        )

    def _existing(self, tracks: Sequence[CardTrack]) -> list[CardTrack]:
        """Return the tracks of a round that are cards of their own."""
        return existing(tracks, self._hands)

    def _gap(self, since: float) -> float:
        """Return the longest time between two looks at a card in which it was not missed: looks may be rare."""
        times = self._hands.times_between(since, self._now)
        steps = sorted(b - a for a, b in itertools.pairwise(times))
        return max(par.CARD_TRACK_GAP_S, par.CARD_GAP_LOOKS * steps[len(steps) // 2]) if steps else par.CARD_TRACK_GAP_S

    def _pause(self, until: float) -> list[AnyEvent]:
        """Decode a pause without a round."""
        self._hands.decide_owners(self.table, self._body)
        drafts: Drafts = session_events(self._between(until, self._chip_dwells()))
        for shift in (draft for draft in drafts if isinstance(draft, DealerShift)):
            self._away = shift.t_start if shift.phase == "end" else None
        self._forget(until)
        return self._numbers.number(drafts, self.clock)

    def _between(self, until: float, dwells: Sequence[ChipDwell]) -> Between:
        backs, faces = (during(seen, self._since, until) for seen in (self._passing.backs, self._passing.faces))
        chips = tuple(dwell for dwell in dwells if self._since <= dwell.t0 <= until)
        glimpses = during(self._passing.chips, self._since, until)
        return Between(
            table=self.table,
            hands=self._hands,
            backs=backs,
            faces=faces,
            chips=chips,
            played=self._numbers.round > 0,
            glimpses=glimpses,
            bills=self._bills.between(self._since, until),
            start=self._since,
            end=until,
            away=self._away,
            banked=self.house.rulebook in BANKED,
        )

    def _chip_dwells(self) -> list[ChipDwell]:
        """All chips that came to rest, wherever they lay."""
        tracks = (*self._chips.ended, *self._chips.settled())
        sure = without_print(chip_dwells(track for track in tracks if track.p >= par.SURE_CHIP_P))
        return with_weak(sure, chip_dwells(track for track in tracks if par.WEAK_CHIP_P <= track.p < par.SURE_CHIP_P))

    def _forget(self, until: float) -> None:
        self._since = until
        self._cards.forget_before(until)
        self._chips.forget_before(until)
        self._hands.forget_before(until - 2.0)
        self.clock.forget_before(until - 2.0)
        self._passing.forget_before(until - 2.0)
        self._bills.forget_before(until - 2.0)
        self._cut_cards.forget_before(until)


def natural_odds(house: House) -> Fraction:
    """Return what a house pays for one on a natural; three to two where its own rules leave it open."""
    odds = rules_of(house.rulebook or USUAL, house).natural_odds
    return par.ODDS_NATURAL if odds is None else Fraction(*odds)
