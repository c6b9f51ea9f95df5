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
from verifier.reconstruct.resting.lives import Life, Stay
from verifier.reconstruct.resting.settle import Settler
from verifier.reconstruct.table.sights import CardSight
from verifier.reconstruct.table.zones import distance


class CardSettler(Settler[CardSight]):
    """Follows cards: a card that comes to lie where one of another rank lay is not that one."""

    _t = 0.0
    _since = 0.0
    """Seconds from the look before to this one."""

    def __init__(self, tolerances: Tolerances) -> None:
        super().__init__(tolerances)
        self.glimpsed: list[Life[CardSight]] = []
        """Faces that two looks or more in a row showed at one place, not for long enough to have lain there."""
        self.once: list[Life[CardSight]] = []
        """Faces that a look or two showed and the next, which came late, missed; where no hands are seen."""

    def step(self, t: float, sights: Sequence[CardSight], cover: Cover) -> None:
        self._t, self._since = t, t - self._t
        before = [life for life in self.lives if not life.settled]
        super().step(t, sights, cover)
        left = [life for life in before if not life.settled and all(life is not other for other in self.lives)]
        self.glimpsed += [glimpse for life in left if (glimpse := _glimpse(life)) is not None]
        if not self._hands.known and self._since >= par.CARD_SETTLE_LATE_S:
            self.once += [_seen_once(life) for life in self.lives if _once(life)]

    def forget_before(self, t: float) -> None:
        super().forget_before(t)
        self.glimpsed = [life for life in self.glimpsed if life.t_last >= t]
        self.once = [life for life in self.once if life.t_last >= t]

    def _see(self, t: float, life: Life[CardSight], sight: CardSight) -> None:
        """Take a face that shows where print or another card passed for a back now and then as having been laid
        there.
        """
        if sight.face == "up" and sight.ranks and (_printed(life) or self._passed(life, sight)):
            life.trail.clear()
            life.stays.clear()
            life.t_first = t
        super()._see(t, life, sight)

    def _passed(self, life: Life[CardSight], sight: CardSight) -> bool:
        """Tell whether the one look at a card that never rested read another rank, and was not the look before."""
        if not self._long_ago(life):
            return False
        ranks = life.trail[0][1].ranks
        return (
            bool(ranks) and sum(p * sight.ranks.get(rank, 0.0) for rank, p in ranks.items()) < par.FACE_LEAST_AGREED_P
        )

    def _glimpsed(self, t: float, life: Life[CardSight], sight: CardSight) -> bool:
        """Nor is a back that lies there the doubtful one that passed: it went on, and another may come to rest."""
        passed = self._hands.known and self._long_ago(life) and _doubtful_back(life.trail[0][1])
        return passed or super()._glimpsed(t, life, sight)

    def _long_ago(self, life: Life[CardSight]) -> bool:
        """Tell whether all that was seen of a card is one look, longer ago than one on its way is missed."""
        return len(life.trail) == 1 and self._t - life.t_last > par.CARD_PASSED_S

    def enough(self, recent: Sequence[tuple[float, CardSight]]) -> bool:
        """Two are enough where looks are rare and no hands are seen: what is carried is elsewhere by then."""
        return super().enough(recent) or (self._rare() and len(recent) == par.REST_ENOUGH_LOOKS - 1)

    def forgotten_after(self, life: Life[CardSight]) -> float:
        """Return the seconds after which a card that is not seen is forgotten: it may be missed in one of rare looks,
        and a surely read face for somewhat longer.
        """
        rare = par.RARE_MISSED_STEPS * self._since if self._rare() else 0.0
        return max(super().forgotten_after(life), rare, par.CARD_READ_S if _surely_read(life) else 0.0)

    def _rare(self) -> bool:
        return not self._hands.known and self._since >= par.RARE_LOOKS_S

    def same(self, old: Life[CardSight], new: Life[CardSight]) -> bool:
        """Tell whether their readings do not rule it out; a face is not the back that passed there and had gone."""
        if self._hands.known and new.trail[-1][1].face == "up" and _glimpsed_back(old):
            return False
        looks = [new.trail[-1]] if self._hands.known else new.trail
        if not any(self.fits(old, sight) for _, sight in looks):
            return False
        if not self._hands.known and any(self._went_to(old, other) for other in self.lives if other is not new):
            return False
        agreed = agreement(old, new)
        return agreed is None or agreed >= par.FACE_LEAST_AGREED_P

    def fits(self, life: Life[CardSight], sight: CardSight) -> bool:
        """Not a doubtful back where a face was mostly seen last: felt print keeps no card lying that was taken up.

        Nor another rank's face beside the place where a card lies: one that passes there, nor one of another suit where
        it was missed in the looks before: the other of a pair that was parted may pass for it. Where no hands are seen,
        cards are exchanged from one look to the next: then nor is it one that lies across, nor another rank's face
        where the card was missed in the looks before, or seems to have come to lie elsewhere; nor one of its rank
        where both are so.
        """
        last = life.trail[-1][1]
        if _doubtful_back(sight):
            return last.face == "down" and _lay_down(life)
        if self._hands.known:
            if life.bare_frames >= par.CARD_LEAST_MISSED_LOOKS and _other_suit(life, sight):
                return False
            return not (_other_rank(life, sight) and distance(sight.xy, life.xy) > CARD_TOLERANCES.still)
        absent = life.bare_frames or self._since >= par.RARE_LOOKS_S
        if absent and crosswise((last.angle, last.size), (sight.angle, sight.size)):
            return False
        if _other_rank(life, sight):
            return not self._left(life)
        long = life.bare_frames >= par.CARD_LEAST_MISSED_LOOKS and self._t - life.t_last >= par.CARD_LONG_BARE_S
        bare = long or life.bare_frames >= par.CARD_LEAST_BARE_LOOKS
        return not bare or not any(self._went_to(life, other) for other in self.lives)

    def _left(self, life: Life[CardSight]) -> bool:
        """Tell whether a card may have been taken from where it lay: it was missed there, or seems to lie near by
        now.
        """
        seldom = life.bare_frames > 0 and self._t - life.t_last >= par.CARD_BARE_S
        missed = life.bare_frames >= par.CARD_LEAST_MISSED_LOOKS or seldom
        return missed or any(self._went_to(life, other) for other in self.lives)

    def _went_to(self, old: Life[CardSight], new: Life[CardSight]) -> bool:
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
            for o in self.lives
            if o is not new and par.CARD_SAME_PLACE_MM < distance(o.now, old.now) <= par.TAKEN_BESIDE_MM
        ]
        return any(value_of(_usual_rank(other)) == value_of(rank) for other in beside)

    def stray(self, sight: CardSight) -> bool:
        """Tell whether a doubtful back lies where a face was seen last: it is no second card."""
        return _doubtful_back(sight) and any(
            life.trail[-1][1].face == "up" and distance(life.now, sight.xy) <= CARD_TOLERANCES.back
            for life in self.lives
        )

    def alike(self, life: Life[CardSight], sight: CardSight) -> bool:
        """Tell whether a face is read as this card's, its suit too."""
        ranks = read_ranks(life)
        looks = [seen for _, seen in rested(life)]
        agreed = sum(p * ranks.get(rank, 0.0) for rank, p in sight.ranks.items())
        return agreed >= par.FACE_ALIKE_P and sight.suit is not None and sight.suit == suit_of(looks)


def _surely_read(life: Life[CardSight]) -> bool:
    """Tell whether the last look at a card was a sure one at its face."""
    last = life.trail[-1][1]
    read = last.face == "up" and max(last.ranks.values(), default=0.0) >= par.CARD_SURE_LOOK_P
    return read and last.p >= par.CARD_SURE_LOOK_P


def _usual_rank(life: Life[CardSight]) -> str | None:
    """Return the rank that most of the last looks at a face read; None where a back was seen, or nothing read."""
    last = [life.trail[-1 - i][1] for i in range(min(par.CARD_LAST_LOOKS, len(life.trail)))]
    read = Counter(max(sight.ranks, key=sight.ranks.__getitem__) for sight in last if sight.ranks)
    rank, count = read.most_common(1)[0] if read else (None, 0)
    return rank if count * 2 > len(last) else None


def _other_rank(life: Life[CardSight], sight: CardSight) -> bool:
    """Tell whether a resting card's face reads otherwise than it did."""
    if not (life.settled and sight.ranks):
        return False
    usual = _usual_rank(life)
    return usual is not None and sight.ranks.get(usual, 0.0) < par.FACE_LEAST_AGREED_P


def _other_suit(life: Life[CardSight], sight: CardSight) -> bool:
    """Tell whether a resting card's face reads of another suit than it did."""
    usual = suit_of([seen for _, seen in rested(life)]) if life.settled and sight.suit else None
    return usual is not None and sight.suit != usual


def _printed(life: Life[CardSight]) -> bool:
    """Tell whether all that was seen of an object were doubtful backs, in fewer looks than missed it."""
    looks = [sight for _, sight in life.trail]
    return life.missed > len(looks) and life.p < par.SURE_BACK_P and all(sight.face == "down" for sight in looks)


def _glimpse(life: Life[CardSight]) -> Life[CardSight] | None:
    """Return the longest run of looks, two or more, that show a face at one place, as if it had lain for so long."""
    runs: list[list[tuple[float, CardSight]]] = [[]]
    for t, sight in life.trail:
        face = sight.face == "up" and bool(sight.ranks)
        if not face or (runs[-1] and distance(sight.xy, runs[-1][0][1].xy) > CARD_TOLERANCES.back / 2):
            runs.append([])
        if face:
            runs[-1].append((t, sight))
    looks = max(runs, key=len)
    if len(looks) < 2:
        return None
    (t0, _), (t1, last) = looks[0], looks[-1]
    lain = [Stay(last.xy, t0, t1, len(looks))]
    return replace(life, now=last.xy, t_first=t0, t_last=t1, trail=deque(looks), stays=lain, gone=life.t_last)


def _once(life: Life[CardSight]) -> bool:
    """Tell whether a look or two, too few to tell that it lay, surely read a card that the next one missed."""
    return not life.settled and len(life.trail) <= 2 and life.bare_frames == 1 and _surely_read(life)


def _seen_once(life: Life[CardSight]) -> Life[CardSight]:
    """Such a card, as if it had lain from its last look until the next."""
    last = life.trail[-1]
    stays = [Stay(life.now, last[0], last[0], 1)]
    return replace(life, trail=deque([last]), t_first=last[0], stays=stays, gone=life.bare_since)


def _glimpsed_back(life: Life[CardSight]) -> bool:
    """Tell whether all that was seen of an object was a back, for too short a time to have been laid there."""
    return life.t_last - life.t_first < par.BACK_GLIMPSE_S and all(sight.face == "down" for _, sight in life.trail)


def _lay_down(life: Life[CardSight]) -> bool:
    """Tell whether a card showed its back in most of the last looks, not only as it was taken up."""
    faces = [sight.face for _, sight in itertools.islice(reversed(life.trail), par.CARD_LAST_LOOKS)]
    return 2 * faces.count("down") > len(faces)


def _doubtful_back(sight: CardSight) -> bool:
    return sight.face == "down" and sight.p < par.SURE_BACK_P
