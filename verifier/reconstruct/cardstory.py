"""What became of each card: lives joined across moves, with the reading of all their sightings.

The reading is a tempered geometric mean of the rank posteriors. Frames of one resting card are far from independent, so
that many of them count as little more than one look: a reader that errs, errs in all of them, and a tracker has joined
them already. Both constants make the readings of 564 cards of 21 recordings likeliest (benchmarks/replay.py's).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from msgspec import Struct

from verifier.domain.cards import RANKS
from verifier.domain.layout import CARD_MM
from verifier.reconstruct.hands import Cover
from verifier.reconstruct.settle import CARD_TOLERANCES, Life, Settler, Stay
from verifier.reconstruct.sights import CardSight
from verifier.reconstruct.zones import TableMap, Xy, distance

LOOKS = 1.3
FLOOR = 0.003
GAP_SECONDS = 0.4
MOVE_MM, FAR_MM = 170.0, 330.0
MOVE_SECONDS, AT_ONCE_SECONDS = 2.6, 0.8
"""A card is moved no farther than the first, or than the second where it comes to lie just as it is gone: a split hand
goes beyond those that were split off before."""
UNSEEN_SECONDS, SAME_PLACE_MM = 0.7, 15.0
SAME_LOOK_SECONDS, PASSING_SECONDS = 0.1, 0.35
"""Lying for longer at its old place after another came to rest, a card is not that one; what is seen near there a
moment later may be the other card of the pair, passing by."""
LIFTED_SECONDS, BESIDE_MM = 0.35, 110.0
SQUARE, LENGTHY = 1.15, 1.7
"""A card's longer side is so many times its shorter one, or less, where the camera shortens it; or more, where it
shortens the other. It is 1.4 times as long."""
RIGHT_ANGLE = 40.0
"""A card turned by more than this many degrees less than 90 lies across."""
SUIT_SECONDS = 3.0
BACK_SECONDS = 0.5
"""A card that shows its back for this long at rest, seldom seen as it may be, was laid face down."""
LEAST_OPEN = 0.15
"""Least share of the looks before a turn that must show the face, for a card that had lain open."""
BACK_AGAIN_SECONDS, SURE_AGAIN = 1.0, 0.9
"""A card that shows its back for so long, seen so surely, had not been turned before."""
SURE_BACK = 0.72
"""Least probability of a back that is surely one."""
FIRST_LOOKS, LAST_LOOKS = 15, 7
LEAST_MISSED, BARE_SECONDS = 2, 0.45
"""A card missed in so many looks, or for so long, may have been taken, and another one laid there."""
LEAST_BARE = 3
"""A place that looked bare so often, as a card like its own came to lie near, was left by it."""
GLIMPSE_SECONDS = 1.3
"""A back seen for less lay nowhere: a card on its way, or a hand that passed for one."""
LEAST_FIT, UNREAD_FIT = 0.3, 0.35
"""How well a card must fit to one that went from the same space just before; how well one that cannot be read does."""
SLOW_FIT = 0.1
"""A card fits by so much less to one that went a second before it came: of cards alike the next to come was it."""
LEAST_AGREED, SUIT_FIT, ALIKE = 0.03, 0.5, 0.8
"""Readings that agree in rank with less than the first probability are of two cards, as are those of two suits; with
more than the last, and in suit, they are of one."""


class CardStory(Struct, frozen=True, kw_only=True):
    """A card from its coming to rest to its going; `stays` are its places of rest (xy, from, to)."""

    number: int
    place: str
    stays: tuple[tuple[Xy, float, float], ...]
    angle: float
    face: str
    turned: tuple[float, float] | None
    """Last sight of its back and first sight of its face, if it was turned over."""
    ranks: dict[str, float]
    suit: str | None
    p: float
    n: int
    steady: float
    """Seconds of the longest run of sightings without a gap."""
    t_first: float
    t_last: float
    gone: float | None
    size: tuple[float, float] = CARD_MM
    """Median of its sides, shorter and longer, as the map has them where it was laid."""
    unseen: tuple[tuple[float, float], ...] = ()
    """Stretches (last sight, next sight) in which it was not seen where it lay."""

    @property
    def t_rest(self) -> float:
        return self.stays[0][1]

    @property
    def xy(self) -> Xy:
        return self.stays[0][0]

    @property
    def rank(self) -> str | None:
        """The rank that is more likely than all others together."""
        best = max(self.ranks, key=lambda rank: self.ranks[rank], default=None)
        return best if best is not None and self.ranks[best] >= 0.5 else None

    @property
    def text(self) -> str:
        """The card in the log's notation."""
        return (self.rank or "?") + ((self.suit or "?") if self.ranks else "?")

    @property
    def p_rank(self) -> float:
        """Probability of the event with its reading; an ill read card that was surely there is no weak record."""
        read = self.p * max(self.ranks.values(), default=1.0)
        return round(max(read, min(self.p, 0.5)), 3)

    def at(self, t: float) -> Xy:
        """Where it lay at `t` (its nearest stay)."""
        past = [xy for xy, t0, _ in self.stays if t0 <= t]
        return past[-1] if past else self.xy


def tell(
    lives: Sequence[Life[CardSight]], table: TableMap, gap: float = GAP_SECONDS, *, alone: bool = False
) -> list[CardStory]:
    """Stories of all settled lives, those of one moved card joined, ordered by coming to rest.

    `gap` is the longest time between two sightings of a card that was in sight between them. `alone` where no hands
    are seen: cards are moved and taken up from one look to the next.
    """
    chains = _join(sorted((life for life in lives if life.settled), key=lambda life: life.t_rest), table, alone=alone)
    return sorted((_story(chain, table, gap) for chain in chains), key=lambda story: story.t_rest)


def _join(lives: Sequence[Life[CardSight]], table: TableMap, *, alone: bool) -> list[list[Life[CardSight]]]:
    """Lives in chains, each of one card: the surest moves first, for two cards that are moved at once fit crosswise."""
    pairs = ((_moved(old, new, table, alone=alone), old, new) for old, new in itertools.permutations(lives, 2))
    moves = sorted((pair for pair in pairs if pair[0] > LEAST_FIT), key=lambda pair: -pair[0])
    following: dict[int, Life[CardSight]] = {}
    moved: set[int] = set()
    for _, old, new in moves:
        if id(old) not in following and id(new) not in moved:
            following[id(old)] = new
            moved.add(id(new))
    for old in [life for life in lives if alone and id(life) in following and _taken_up(life, following, lives)]:
        moved.remove(id(following.pop(id(old))))
    return [_chain(life, following) for life in lives if id(life) not in moved]


def _taken_up(
    life: Life[CardSight], following: Mapping[int, Life[CardSight]], lives: Sequence[Life[CardSight]]
) -> bool:
    """Whether a card that seems to come again later went together with another beside it, which does not: both went."""
    return following[id(life)].t_rest - life.t_last > LIFTED_SECONDS and any(
        id(other) not in following
        and other.gone is not None and life.gone is not None
        and abs(other.t_last - life.t_last) <= SAME_LOOK_SECONDS
        and abs(other.gone - life.gone) <= SAME_LOOK_SECONDS
        and distance(other.xy, life.xy) <= BESIDE_MM
        for other in lives
        if other is not life
    )  # fmt: skip


def _chain(life: Life[CardSight], following: Mapping[int, Life[CardSight]]) -> list[Life[CardSight]]:
    chain = [life]
    while id(chain[-1]) in following:
        chain.append(following[id(chain[-1])])
    return chain


def _moved(old: Life[CardSight], new: Life[CardSight], table: TableMap, *, alone: bool) -> float:
    """How well `new` may be `old`, carried to another spot of the same space; 0 where it cannot."""
    if old.gone is None or not -MOVE_SECONDS <= old.t_last - new.t_rest <= PASSING_SECONDS:
        return 0.0
    if old.stays[-1].t1 - new.t_rest > SAME_LOOK_SECONDS:
        return 0.0
    if old.trail[-1][1].face == "down" and old.t_last - old.t_first < GLIMPSE_SECONDS:
        return 0.0
    place = table.card_place(new.xy)
    if place is None or place == "dealer" or place != table.card_place(old.xy):
        return 0.0
    if crosswise((_angle(old), _size(old)), (_angle(new), _size(new))):
        return 0.0
    at_once = alone and abs(new.t_first - old.t_last) <= AT_ONCE_SECONDS
    if distance(old.xy, new.stays[0].xy) > (FAR_MM if at_once else MOVE_MM):
        return 0.0
    agreed = agreement(old, new)
    if agreed is None:
        return UNREAD_FIT
    if agreed < LEAST_AGREED:
        return 0.0
    suits = {_suit_near(life, t) for life, t in ((old, old.t_last), (new, new.t_rest))}
    later = SLOW_FIT * max(0.0, new.t_rest - old.t_last)
    return 0.0 if len(suits - {None}) > 1 else agreed + (SUIT_FIT if len(suits) == 1 else 0.0) - later


def _suit_near(life: Life[CardSight], t: float) -> str | None:
    """The suit as it was read about `t`: a card that others cover later may be misread then."""
    rested = _rested(life)
    return _suit([sight for seen, sight in rested if abs(seen - t) <= SUIT_SECONDS] or [sight for _, sight in rested])


def agreement(a: Life[CardSight], b: Life[CardSight]) -> float | None:
    """Probability that two readings name the same rank; None where one has none."""
    one, other = read_ranks(a), read_ranks(b)
    return sum(one[rank] * other.get(rank, 0.0) for rank in one) if one and other else None


class CardSettler(Settler[CardSight]):
    """Follows cards: a card that comes to lie where one of another rank lay is not that one."""

    _t = 0.0

    def step(self, t: float, sights: Sequence[CardSight], cover: Cover) -> None:
        self._t = t
        super().step(t, sights, cover)

    def same(self, old: Life[CardSight], new: Life[CardSight]) -> bool:
        """Whether their readings do not rule it out."""
        if not self.fits(old, new.trail[-1][1]):
            return False
        if not self._covers and any(self._went_to(old, other) for other in self.lives if other is not new):
            return False
        agreed = agreement(old, new)
        return agreed is None or agreed >= LEAST_AGREED

    def fits(self, life: Life[CardSight], sight: CardSight) -> bool:
        """Not a doubtful back where a face was seen last: felt print keeps no card lying that was taken up.

        Where no hands are seen, cards are exchanged from one look to the next: then nor is it another rank's face where
        the card was missed in the looks before, or seems to have come to lie elsewhere; nor one of its rank where both
        are so.
        """
        if _doubtful_back(sight):
            return life.trail[-1][1].face == "down"
        if self._covers:
            return True
        if _other_rank(life, sight):
            return not self._left(life)
        return life.bare_frames < LEAST_BARE or not any(self._went_to(life, other) for other in self.lives)

    def _left(self, life: Life[CardSight]) -> bool:
        """Whether a card may have been taken from where it lay: it was missed there, or seems to lie near by now."""
        seldom = life.bare_frames > 0 and self._t - life.t_last >= BARE_SECONDS
        missed = life.bare_frames >= LEAST_MISSED or seldom
        return missed or any(self._went_to(life, other) for other in self.lives)

    def _went_to(self, old: Life[CardSight], new: Life[CardSight]) -> bool:
        """Whether a card that came in sight as this one was last seen may be it, laid elsewhere."""
        if new is old or not -PASSING_SECONDS <= new.t_first - old.t_last <= MOVE_SECONDS:
            return False
        rank, apart = _usual_rank(old), distance(old.now, new.now)
        return rank is not None and rank == _usual_rank(new) and SAME_PLACE_MM < apart <= FAR_MM

    def stray(self, sight: CardSight) -> bool:
        """A doubtful back where a face was seen last is no second card."""
        return _doubtful_back(sight) and any(
            life.trail[-1][1].face == "up" and distance(life.now, sight.xy) <= CARD_TOLERANCES.back
            for life in self.lives
        )

    def alike(self, life: Life[CardSight], sight: CardSight) -> bool:
        """Whether a face is read as this card's, its suit too."""
        ranks = read_ranks(life)
        rested = [seen for _, seen in _rested(life)]
        agreed = sum(p * ranks.get(rank, 0.0) for rank, p in sight.ranks.items())
        return agreed >= ALIKE and sight.suit is not None and sight.suit == _suit(rested)


def _usual_rank(life: Life[CardSight]) -> str | None:
    """The rank that most of the last looks at a face read; None where a back was seen, or nothing read."""
    last = [life.trail[-1 - i][1] for i in range(min(LAST_LOOKS, len(life.trail)))]
    read = Counter(max(sight.ranks, key=sight.ranks.__getitem__) for sight in last if sight.ranks)
    rank, count = read.most_common(1)[0] if read else (None, 0)
    return rank if count * 2 > len(last) else None


def _other_rank(life: Life[CardSight], sight: CardSight) -> bool:
    """Whether a resting card's face reads otherwise than it did."""
    if not (life.settled and sight.ranks):
        return False
    usual = _usual_rank(life)
    return usual is not None and sight.ranks.get(usual, 0.0) < LEAST_AGREED


def _doubtful_back(sight: CardSight) -> bool:
    return sight.face == "down" and sight.p < SURE_BACK


def crosswise(one: tuple[float, tuple[float, float]], other: tuple[float, tuple[float, float]]) -> bool:
    """Whether two cards (direction of the long side, sides) lie at right angles.

    A camera that stands low makes a card's sides alike, and its long side a matter of chance: then a card that seems as
    square lies as it does, and one that seems much longer lies across it.
    """
    shapes = sorted(long / short for _, (short, long) in (one, other))
    if shapes[0] < SQUARE and not SQUARE <= shapes[1] < LENGTHY:
        return shapes[1] >= LENGTHY
    return abs((one[0] - other[0] + 90.0) % 180.0 - 90.0) > RIGHT_ANGLE


def _rested(life: Life[CardSight]) -> list[tuple[float, CardSight]]:
    return [(t, sight) for t, sight in life.trail if t >= life.t_rest] or list(life.trail)


def _angle(life: Life[CardSight]) -> float:
    """Median direction of the long side, unwrapped round the first sight."""
    sights = _rested(life)
    first = sights[0][1].angle
    turns = sorted((sight.angle - first + 90.0) % 180.0 - 90.0 for _, sight in sights)
    return (first + turns[len(turns) // 2]) % 180.0


def _size(life: Life[CardSight]) -> tuple[float, float]:
    """Median sides of its first looks at rest, before others cover it."""
    sights = [sight for _, sight in _rested(life)[:FIRST_LOOKS]]
    return median(sight.size[0] for sight in sights), median(sight.size[1] for sight in sights)


def read_ranks(life: Life[CardSight]) -> dict[str, float]:
    """Rank posterior over all sightings of a life's face; empty where none was read."""
    return _posterior([sight for _, sight in _rested(life)])


def _posterior(sights: Sequence[CardSight]) -> dict[str, float]:
    read = [sight for sight in sights if sight.ranks and sight.face == "up"]
    if not read:
        return {}
    weights = [max(0.05, sight.visible) ** 2 * sight.p for sight in read]
    total = sum(weights)
    power = min(LOOKS, 1.0 + 0.1 * (len(read) - 1))
    logs = {
        rank: power * sum(w * math.log(max(FLOOR, s.ranks.get(rank, 0.0))) for w, s in zip(weights, read, strict=True))
        / total
        for rank in RANKS
    }  # fmt: skip
    top = max(logs.values())
    raw = {rank: math.exp(value - top) for rank, value in logs.items()}
    whole = sum(raw.values())
    return {rank: round(value / whole, 4) for rank, value in raw.items() if value / whole >= 0.005}


def _suit(sights: Sequence[CardSight]) -> str | None:
    votes = Counter(sight.suit for sight in sights if sight.suit and sight.face == "up")
    if not votes:
        return None
    suit, count = votes.most_common(1)[0]
    return suit if count >= 0.6 * votes.total() else None


def _faces(sights: Sequence[tuple[float, CardSight]]) -> tuple[str, tuple[float, float] | None]:
    """The face that it was laid with, and when it was turned up: last sight of its back, first of its face."""
    head = [sight.face for _, sight in sights[:7]]
    backs = list(itertools.takewhile(lambda pair: pair[1].face == "down", sights))
    lasting = len(backs) >= 2 and backs[-1][0] - backs[0][0] >= BACK_SECONDS
    if not lasting and head.count("down") * 2 <= len(head):
        return "up", None
    for i in range(2, len(sights) - 2):
        ahead = [sight.face for _, sight in sights[i : i + 5]]
        if sights[i][1].face == "up" and ahead.count("up") >= min(4, len(ahead)) and _stays_up(sights[i:]):
            known = _read_before([sight for _, sight in sights[:i]], [sight for _, sight in sights[i:]])
            return ("up", None) if known else ("down", (sights[i - 1][0], sights[i][0]))
    return "down", None


def _read_before(before: Sequence[CardSight], after: Sequence[CardSight]) -> bool:
    """Whether a face was read, surely and as it is read later, before a card seemed to be turned: it had lain open.

    Once in many backs it was read for a moment with another card's reading.
    """
    later = _posterior(after)
    read = [sight for sight in before if sight.face == "up"
            and sum(p * later.get(rank, 0.0) for rank, p in sight.ranks.items()) >= ALIKE]  # fmt: skip
    return sum(sight.p for sight in read) >= LEAST_OPEN * len(before)


def _stays_up(sights: Sequence[tuple[float, CardSight]]) -> bool:
    """Whether a card shows its face for good: one that surely shows its back again was only misread."""
    runs = [list(run) for back, run in itertools.groupby(sights, key=lambda pair: _sure_back(pair[1])) if back]
    lasting = any(run[-1][0] - run[0][0] >= BACK_AGAIN_SECONDS for run in runs)
    return not lasting and sum(sight.face == "up" for _, sight in sights) >= 0.75 * len(sights)


def _sure_back(sight: CardSight) -> bool:
    return sight.face == "down" and sight.p >= SURE_AGAIN


def _story(chain: Sequence[Life[CardSight]], table: TableMap, gap: float) -> CardStory:
    first, last = chain[0], chain[-1]
    timed = [pair for life in chain for pair in _rested(life)]
    face, turned = _faces(timed)
    since = turned[1] if turned else 0.0
    sights = [sight for t, sight in timed if t >= since]
    ranks = _posterior(sights) if face == "up" or turned else {}
    stays = [stay for life in chain for stay in life.stays]
    mean = sum(sight.p for sight in sights) / len(sights) if sights else first.p
    return CardStory(
        number=first.number,
        place=table.card_place(first.stays[0].xy) or "",
        stays=tuple((stay.xy, stay.t0, stay.t1) for stay in _merged(stays)),
        angle=_angle(first),
        face=face,
        turned=turned,
        ranks=ranks,
        suit=_suit(sights) if ranks else None,
        p=presence(mean, len(timed)),
        n=len(timed),
        steady=_steady([t for t, _ in timed], gap),
        t_first=first.t_first,
        t_last=last.t_last,
        gone=last.gone,
        size=_size(first),
        unseen=_unseen(timed, stays[-1].xy),
    )


def _unseen(timed: Sequence[tuple[float, CardSight]], xy: Xy) -> tuple[tuple[float, float], ...]:
    """Stretches between its sightings at `xy` that are too long for a card in plain view."""
    there = [t for t, sight in timed if distance(sight.xy, xy) <= SAME_PLACE_MM]
    return tuple((a, b) for a, b in itertools.pairwise(there) if b - a > UNSEEN_SECONDS)


def _steady(times: Sequence[float], gap: float) -> float:
    longest = 0.0
    begin = times[0]
    for before, t in itertools.pairwise(times):
        if t - before > gap:
            begin = t
        longest = max(longest, float(t - begin))
    return longest


def presence(mean: float, n: int) -> float:
    """Probability that an object seen `n` times at mean confidence `mean` was there."""
    missed: float = (1.0 - min(mean, 0.98)) ** (1.0 + min(n, 12) / 6.0)
    return round(min(0.99, 1.0 - missed), 3)


def _merged(stays: Sequence[Stay]) -> list[Stay]:
    merged: list[Stay] = []
    for stay in stays:
        if merged and distance(merged[-1].xy, stay.xy) < 8.0:
            merged[-1] = Stay(merged[-1].xy, merged[-1].t0, stay.t1, merged[-1].n + stay.n)
        else:
            merged.append(stay)
    return merged
