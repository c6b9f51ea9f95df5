"""Follows cards on the table: which of them still lies where it lay."""

from __future__ import annotations

import itertools
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import Cover
from verifier.reconstruct.parameters.tolerances import CARD_TOLERANCES, Tolerances
from verifier.reconstruct.resting.cardface import agreement, read_ranks, rested, suit_of, value_of
from verifier.reconstruct.resting.cardmoves import crosswise
from verifier.reconstruct.resting.settle import Settler
from verifier.reconstruct.resting.tracks import Dwell, Track
from verifier.reconstruct.table.detections import CardDetection
from verifier.reconstruct.table.zones import distance


class CardSettler(Settler[CardDetection]):
    """Follows cards: a card that comes to lie where one of another rank lay is not that one."""

    _t = 0.0
    _since = 0.0
    """Seconds from the look before to this one."""

    def __init__(self, tolerances: Tolerances) -> None:
        super().__init__(tolerances)
        self.glimpsed: list[Track[CardDetection]] = []
        """Faces that two looks or more in a row showed at one place, not for long enough to have lain there."""
        self.once: list[Track[CardDetection]] = []
        """Faces that a look or two showed and the next, which came late, missed; where no hands are seen."""

    def step(self, t: float, detections: Sequence[CardDetection], cover: Cover) -> None:
        self._t, self._since = t, t - self._t
        before = [track for track in self.tracks if not track.settled]
        super().step(t, detections, cover)
        left = [track for track in before if not track.settled and all(track is not other for other in self.tracks)]
        self.glimpsed += [glimpse for track in left if (glimpse := _glimpse(track)) is not None]
        if not self._hands.known and self._since >= par.CARD_SETTLE_LATE_S:
            self.once += [_seen_once(track) for track in self.tracks if _once(track)]

    def forget_before(self, t: float) -> None:
        super().forget_before(t)
        self.glimpsed = [track for track in self.glimpsed if track.t_last >= t]
        self.once = [track for track in self.once if track.t_last >= t]

    def _see(self, t: float, track: Track[CardDetection], detection: CardDetection) -> None:
        """Take a face that shows where print or another card passed for a back now and then as having been laid
        there.
        """
        if detection.face == "up" and detection.ranks and (_printed(track) or self._passed(track, detection)):
            track.trail.clear()
            track.dwells.clear()
            track.t_first = t
        super()._see(t, track, detection)

    def _passed(self, track: Track[CardDetection], detection: CardDetection) -> bool:
        """Tell whether the one look at a card that never rested read another rank, and was not the look before."""
        if not self._long_ago(track):
            return False
        ranks = track.trail[0][1].ranks
        return (
            bool(ranks)
            and sum(p * detection.ranks.get(rank, 0.0) for rank, p in ranks.items()) < par.FACE_LEAST_AGREED_P
        )

    def _glimpsed(self, t: float, track: Track[CardDetection], detection: CardDetection) -> bool:
        """Nor is a back that lies there the doubtful one that passed: it went on, and another may come to rest."""
        passed = self._hands.known and self._long_ago(track) and _doubtful_back(track.trail[0][1])
        return passed or super()._glimpsed(t, track, detection)

    def _long_ago(self, track: Track[CardDetection]) -> bool:
        """Tell whether all that was seen of a card is one look, longer ago than one on its way is missed."""
        return len(track.trail) == 1 and self._t - track.t_last > par.CARD_PASSED_S

    def enough(self, recent: Sequence[tuple[float, CardDetection]]) -> bool:
        """Two are enough where looks are rare and no hands are seen: what is carried is elsewhere by then."""
        return super().enough(recent) or (self._rare() and len(recent) == par.REST_ENOUGH_LOOKS - 1)

    def forgotten_after(self, track: Track[CardDetection]) -> float:
        """Return the seconds after which a card that is not seen is forgotten: it may be missed in one of rare looks,
        and a surely read face for somewhat longer.
        """
        rare = par.RARE_MISSED_STEPS * self._since if self._rare() else 0.0
        return max(super().forgotten_after(track), rare, par.CARD_READ_S if _surely_read(track) else 0.0)

    def _rare(self) -> bool:
        return not self._hands.known and self._since >= par.RARE_LOOKS_S

    def same(self, old: Track[CardDetection], new: Track[CardDetection]) -> bool:
        """Tell whether their readings do not rule it out; a face is not the back that passed there and had gone."""
        if self._hands.known and new.trail[-1][1].face == "up" and _glimpsed_back(old):
            return False
        looks = [new.trail[-1]] if self._hands.known else new.trail
        if not any(self.fits(old, detection) for _, detection in looks):
            return False
        if not self._hands.known and any(self._went_to(old, other) for other in self.tracks if other is not new):
            return False
        agreed = agreement(old, new)
        return agreed is None or agreed >= par.FACE_LEAST_AGREED_P

    def fits(self, track: Track[CardDetection], detection: CardDetection) -> bool:
        """Not a doubtful back where a face was mostly seen last: felt print keeps no card lying that was taken up.

        Nor another rank's face beside the place where a card lies: one that passes there, nor one of another suit where
        it was missed in the looks before: the other of a pair that was parted may pass for it. Where no hands are seen,
        cards are exchanged from one look to the next: then nor is it one that lies across, nor another rank's face
        where the card was missed in the looks before, or seems to have come to lie elsewhere; nor one of its rank
        where both are so.
        """
        last = track.trail[-1][1]
        if _doubtful_back(detection):
            return last.face == "down" and _lay_down(track)
        if self._hands.known:
            if track.bare_frames >= par.CARD_LEAST_MISSED_LOOKS and _other_suit(track, detection):
                return False
            return not (_other_rank(track, detection) and distance(detection.xy, track.xy) > CARD_TOLERANCES.still)
        absent = track.bare_frames or self._since >= par.RARE_LOOKS_S
        if absent and crosswise((last.angle, last.size), (detection.angle, detection.size)):
            return False
        if _other_rank(track, detection):
            return not self._left(track)
        long = track.bare_frames >= par.CARD_LEAST_MISSED_LOOKS and self._t - track.t_last >= par.CARD_LONG_BARE_S
        bare = long or track.bare_frames >= par.CARD_LEAST_BARE_LOOKS
        return not bare or not any(self._went_to(track, other) for other in self.tracks)

    def _left(self, track: Track[CardDetection]) -> bool:
        """Tell whether a card may have been taken from where it lay: it was missed there, or seems to lie near by
        now.
        """
        seldom = track.bare_frames > 0 and self._t - track.t_last >= par.CARD_BARE_S
        missed = track.bare_frames >= par.CARD_LEAST_MISSED_LOOKS or seldom
        return missed or any(self._went_to(track, other) for other in self.tracks)

    def _went_to(self, old: Track[CardDetection], new: Track[CardDetection]) -> bool:
        """Tell whether a card in sight, that came as this one was last seen, may be it, laid elsewhere: one of a
        pair.
        """
        if new is old or new.bare_frames or not -par.MOVE_PASSING_S <= new.t_first - old.t_last <= par.CARD_MOVE_S:
            return False
        rank, apart = _usual_rank(old), distance(old.now, new.now)
        if rank is None or rank != _usual_rank(new) or not par.CARD_SAME_PLACE_MM < apart <= par.CARD_MOVE_FAR_MM:
            return False
        beside = [
            o
            for o in self.tracks
            if o is not new and par.CARD_SAME_PLACE_MM < distance(o.now, old.now) <= par.TAKEN_BESIDE_MM
        ]
        return any(value_of(_usual_rank(other)) == value_of(rank) for other in beside)

    def stray(self, detection: CardDetection) -> bool:
        """Tell whether a doubtful back lies where a face was seen last: it is no second card."""
        return _doubtful_back(detection) and any(
            track.trail[-1][1].face == "up" and distance(track.now, detection.xy) <= CARD_TOLERANCES.back
            for track in self.tracks
        )

    def alike(self, track: Track[CardDetection], detection: CardDetection) -> bool:
        """Tell whether a face is read as this card's, its suit too."""
        ranks = read_ranks(track)
        looks = [seen for _, seen in rested(track)]
        agreed = sum(p * ranks.get(rank, 0.0) for rank, p in detection.ranks.items())
        return agreed >= par.FACE_ALIKE_P and detection.suit is not None and detection.suit == suit_of(looks)


def _surely_read(track: Track[CardDetection]) -> bool:
    """Tell whether the last look at a card was a sure one at its face."""
    last = track.trail[-1][1]
    read = last.face == "up" and max(last.ranks.values(), default=0.0) >= par.CARD_SURE_LOOK_P
    return read and last.p >= par.CARD_SURE_LOOK_P


def _usual_rank(track: Track[CardDetection]) -> str | None:
    """Return the rank that most of the last looks at a face read; None where a back was seen, or nothing read."""
    last = [track.trail[-1 - i][1] for i in range(min(par.CARD_LAST_LOOKS, len(track.trail)))]
    read = Counter(max(detection.ranks, key=detection.ranks.__getitem__) for detection in last if detection.ranks)
    rank, count = read.most_common(1)[0] if read else (None, 0)
    return rank if count * 2 > len(last) else None


def _other_rank(track: Track[CardDetection], detection: CardDetection) -> bool:
    """Tell whether a resting card's face reads otherwise than it did."""
    if not (track.settled and detection.ranks):
        return False
    usual = _usual_rank(track)
    return usual is not None and detection.ranks.get(usual, 0.0) < par.FACE_LEAST_AGREED_P


def _other_suit(track: Track[CardDetection], detection: CardDetection) -> bool:
    """Tell whether a resting card's face reads of another suit than it did."""
    usual = suit_of([seen for _, seen in rested(track)]) if track.settled and detection.suit else None
    return usual is not None and detection.suit != usual


def _printed(track: Track[CardDetection]) -> bool:
    """Tell whether all that was seen of an object were doubtful backs, in fewer looks than missed it."""
    looks = [detection for _, detection in track.trail]
    return (
        track.missed > len(looks) and track.p < par.SURE_BACK_P and all(detection.face == "down" for detection in looks)
    )


def _glimpse(track: Track[CardDetection]) -> Track[CardDetection] | None:
    """Return the longest run of looks, two or more, that show a face at one place, as if it had lain for so long."""
    runs: list[list[tuple[float, CardDetection]]] = [[]]
    for t, detection in track.trail:
        face = detection.face == "up" and bool(detection.ranks)
        if not face or (runs[-1] and distance(detection.xy, runs[-1][0][1].xy) > CARD_TOLERANCES.back / 2):
            runs.append([])
        if face:
            runs[-1].append((t, detection))
    looks = max(runs, key=len)
    if len(looks) < 2:
        return None
    (t0, _), (t1, last) = looks[0], looks[-1]
    lain = [Dwell(last.xy, t0, t1, len(looks))]
    return replace(track, now=last.xy, t_first=t0, t_last=t1, trail=deque(looks), dwells=lain, gone=track.t_last)


def _once(track: Track[CardDetection]) -> bool:
    """Tell whether a look or two, too few to tell that it lay, surely read a card that the next one missed."""
    return not track.settled and len(track.trail) <= 2 and track.bare_frames == 1 and _surely_read(track)


def _seen_once(track: Track[CardDetection]) -> Track[CardDetection]:
    """Such a card, as if it had lain from its last look until the next."""
    last = track.trail[-1]
    dwells = [Dwell(track.now, last[0], last[0], 1)]
    return replace(track, trail=deque([last]), t_first=last[0], dwells=dwells, gone=track.bare_since)


def _glimpsed_back(track: Track[CardDetection]) -> bool:
    """Tell whether all that was seen of an object was a back, for too short a time to have been laid there."""
    return track.t_last - track.t_first < par.BACK_GLIMPSE_S and all(
        detection.face == "down" for _, detection in track.trail
    )


def _lay_down(track: Track[CardDetection]) -> bool:
    """Tell whether a card showed its back in most of the last looks, not only as it was taken up."""
    faces = [detection.face for _, detection in itertools.islice(reversed(track.trail), par.CARD_LAST_LOOKS)]
    return 2 * faces.count("down") > len(faces)


def _doubtful_back(detection: CardDetection) -> bool:
    return detection.face == "down" and detection.p < par.SURE_BACK_P
