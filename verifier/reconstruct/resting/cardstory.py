"""What became of each card: its places of rest, when it was turned, and the reading of all its looks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from msgspec import Struct, structs

from verifier.domain.layout import CARD_MM
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.cardface import faces_of, posterior, rested, suit_of
from verifier.reconstruct.resting.cardmoves import angle_of, joined, size_of, skew_of
from verifier.reconstruct.resting.crossed import uncrossed
from verifier.reconstruct.resting.lives import Life, Stay
from verifier.reconstruct.resting.replaced import Replacement, replacement
from verifier.reconstruct.table.sights import CardSight
from verifier.reconstruct.table.zones import TableMap, Xy, distance


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
    skew: float = 0.0
    """Median of the degrees by which they are off a right angle there."""
    unseen: tuple[tuple[float, float], ...] = ()
    """Stretches (last sight, next sight) in which it was not seen where it lay."""
    mean: float = 1.0
    """Mean probability of the looks that show it."""
    laid: bool = True
    """Whether it was seen to lie in its hand: how it lay there is not known otherwise."""
    apart: float = 0.0
    """Median of how far the boxes that pass for it lie apart, in its shorter sides."""
    unreadable: float = 0.0
    """Median of how probable its face is not to be read."""
    beside: dict[str, float] = {}
    """Other ranks that read close to its sides, with their probabilities."""
    several: bool = False
    """Whether it cannot be one card: how many lie there is not known, nor what they are."""
    replaced: Replacement | None = None
    """That another card came into its place. `ranks` and `suit` are those of the first card then."""

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
        """Probability of the event with its reading; an ill read card that was surely there is no weak record.

        Of one that is not named it is the probability that it was there: nothing is said of its rank.
        """
        if self.rank is None:
            return self.p
        read = self.p * max(self.ranks.values(), default=1.0)
        return round(max(read, min(self.p, 0.5)), 3)

    @property
    def end(self) -> float:
        """When its place was seen bare; infinite where it lies on."""
        return math.inf if self.gone is None else self.gone

    def at(self, t: float) -> Xy:
        """Where it lay at `t` (its nearest stay)."""
        past = [xy for xy, t0, _ in self.stays if t0 <= t]
        return past[-1] if past else self.xy


def tell(
    lives: Sequence[Life[CardSight]], table: TableMap, gap: float = par.STORY_GAP_S, *, alone: bool = False
) -> list[CardStory]:
    """Stories of all settled lives, those of one moved card joined, ordered by coming to rest.

    `gap` is the longest time between two sightings of a card that was in sight between them. `alone` where no hands
    are seen: cards are moved and taken up from one look to the next.
    """
    apart = [life for life in lives if life.settled] if alone else uncrossed([life for life in lives if life.settled])
    chains = joined(sorted(apart, key=lambda life: life.t_rest), table, alone=alone)
    chains = chains if alone else with_exchanged(chains)
    readable = [_before_pile(chain, lives) if alone else chain for chain in chains]
    stories = (_story(chain, read, table, gap) for chain, read in zip(chains, readable, strict=True))
    return with_doubt(sorted(stories, key=lambda story: story.t_rest))


def with_exchanged(chains: Sequence[list[Life[CardSight]]]) -> list[list[Life[CardSight]]]:
    """Return the chains of lives; those of a card and of another one that came into its place are one (`replaced` tells
    both).

    Where the place was bare between them the second has a life of its own. Nobody came to take the first, so it would
    be held to lie on under the second, and one of them be told as a second look at the other.
    """
    out: list[list[Life[CardSight]]] = []
    for chain in sorted(chains, key=lambda chain: chain[0].t_first):
        before = next((one for one in out if _exchanged(one[-1], chain[0])), None)
        if before is None:
            out.append(list(chain))
        else:
            before += chain
    return out


def _exchanged(old: Life[CardSight], new: Life[CardSight]) -> bool:
    """Tell whether a card came into the place of another that nobody took; not where both were seen after that."""
    taken = old.gone is not None and old.gone <= new.t_first
    if taken or new.t_first <= old.t_last or distance(old.xy, new.stays[0].xy) > par.TWIN_MM:
        return False
    return replacement([*rested(old), *rested(new)], par.TWIN_MM) is not None


def with_doubt(stories: Sequence[CardStory]) -> list[CardStory]:
    """Return the card tracks: no exchange where one of the two cards was moved, a doubtful one where a third came upon
    it.
    """
    return [
        story if story.replaced is None else structs.replace(story, replaced=_weighed(story, story.replaced, stories))
        for story in stories
    ]


def _weighed(story: CardStory, change: Replacement, stories: Sequence[CardStory]) -> Replacement | None:
    there = [other for other in stories if other is not story and other.place == story.place]
    for other in there:
        went = other.text == story.text and change.t0 - par.CARD_MOVE_S <= other.t_rest <= change.t1 + par.CARD_MOVE_S
        came = other.text == change.text and change.t0 - par.CARD_MOVE_S <= other.t_last <= change.t1 + par.CARD_MOVE_S
        if went or came:
            return None
    xy = story.at(change.t1)
    upon = any(
        change.t0 - par.CARD_MOVE_S <= other.t_first <= change.t1 + par.CARD_MOVE_S
        and distance(other.xy, xy) <= par.STORY_OVER_MM
        for other in there
    )
    return structs.replace(change, settled=False) if upon else change


def _before_pile(chain: Sequence[Life[CardSight]], lives: Sequence[Life[CardSight]]) -> Sequence[Life[CardSight]]:
    """Return a card's lives apart from those in one pile with others, for which they may be taken; all of them are in
    doubt.
    """
    return [life for life in chain if not any(_in_one_pile(life, other) for other in lives)] or chain


def _in_one_pile(life: Life[CardSight], other: Life[CardSight]) -> bool:
    """Tell whether another card lay on the same spot at one time."""
    if other is life or not (life.settled and other.settled) or distance(life.xy, other.xy) > par.CARD_PILE_MM:
        return False
    return life.stays[-1].t0 < other.t_last and other.stays[-1].t0 < life.t_last


def _story(
    chain: Sequence[Life[CardSight]], readable: Sequence[Life[CardSight]], table: TableMap, gap: float
) -> CardStory:
    """Return the track of a chain, its face as the `readable` lives show it."""
    first, last = chain[0], chain[-1]
    place = table.card_place(first.stays[0].xy) or ""
    every = [pair for life in chain for pair in rested(life)]
    rested_to = max(stay.t1 for life in chain for stay in life.stays)
    timed = _from_its_face(every, rested_to) if place.startswith("space") else every
    late = first.t_first if timed is every else timed[0][0]
    shown = timed if readable is chain else [pair for life in readable for pair in rested(life)]
    face, turned = faces_of(shown)
    since = turned[1] if turned else 0.0
    sights = [sight for t, sight in shown if t >= since]
    place = "" if place == "shoe" and face == "up" else place  # a long hand may reach there
    changed = _replaced(readable, since) if face == "up" or turned else None
    own = [sight for t, sight in shown if since <= t and (changed is None or t <= changed.t0)]
    ranks = posterior(own) if face == "up" or turned else {}
    stays = [replace(stay, t0=max(stay.t0, late)) for life in chain for stay in life.stays if stay.t1 >= late]
    mean = sum(sight.p for sight in sights) / len(sights) if sights else first.p
    return CardStory(
        number=first.number,
        place=place,
        stays=tuple((stay.xy, stay.t0, stay.t1) for stay in _merged(stays)),
        angle=angle_of(first),
        face=face,
        turned=turned,
        ranks=ranks,
        suit=suit_of(own) if ranks else None,
        p=presence(mean, len(timed)),
        n=len(timed),
        steady=longest_run([t for t, _ in timed], gap),
        t_first=late,
        t_last=last.t_last,
        gone=last.gone,
        size=size_of(first),
        skew=skew_of(first),
        unseen=_unseen(timed, stays[-1].xy),
        mean=mean,
        apart=median(sight.apart for sight in sights) if sights else 0.0,
        unreadable=median(sight.unreadable for sight in sights) if sights else 0.0,
        beside=_beside(sights),
        replaced=changed,
    )


def _beside(sights: Sequence[CardSight]) -> dict[str, float]:
    """Ranks that read close to a card's sides, with the probability that so many of its looks have at least."""
    names = sorted({rank for sight in sights for rank in sight.beside})
    least = min(par.BESIDE_LOOKS, len(sights)) - 1
    return {name: sorted((sight.beside.get(name, 0.0) for sight in sights), reverse=True)[least] for name in names}


def _replaced(lives: Sequence[Life[CardSight]], since: float) -> Replacement | None:
    """Return the exchange of a card in its place that the looks at one of its lives tell, from `since` on."""

    def shown(*those: Life[CardSight]) -> list[tuple[float, CardSight]]:
        return [pair for life in those for pair in rested(life) if pair[0] >= since]

    found = [replacement(shown(life)) for life in lives]
    found += [replacement(shown(a, b), par.TWIN_MM) for a, b in itertools.pairwise(lives) if _exchanged(a, b)]
    return max((one for one in found if one is not None), key=lambda one: one.odds, default=None)


def _from_its_face(timed: Sequence[tuple[float, CardSight]], until: float) -> Sequence[tuple[float, CardSight]]:
    """Return the looks without doubtful backs before a face: a hand or print was there before the card was dealt.

    Not where the face shows only after `until`, when it rested last.
    """
    backs = [sight for _, sight in itertools.takewhile(lambda pair: pair[1].face == "down", timed)]
    doubtful = backs and sum(sight.p for sight in backs) / len(backs) < par.SURE_BACK_P
    return timed[len(backs) :] if doubtful and len(backs) < len(timed) and timed[len(backs)][0] <= until else timed


def _unseen(timed: Sequence[tuple[float, CardSight]], xy: Xy) -> tuple[tuple[float, float], ...]:
    return unseen_between([t for t, sight in timed if distance(sight.xy, xy) <= par.CARD_SAME_PLACE_MM])


def unseen_between(times: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """Stretches between a card's sightings where it lies that are too long for a card in plain view."""
    return tuple((a, b) for a, b in itertools.pairwise(times) if b - a > par.STORY_UNSEEN_S)


def longest_run(times: Sequence[float], gap: float) -> float:
    """Seconds of the longest run of looks that follow each other within `gap`."""
    longest = 0.0
    begin = times[0]
    for before, t in itertools.pairwise(times):
        if t - before > gap:
            begin = t
        longest = max(longest, float(t - begin))
    return longest


def presence(mean: float, n: int) -> float:
    """Probability that an object seen `n` times at mean confidence `mean` was there."""
    missed: float = (1.0 - min(mean, par.STORY_MOST_MEAN)) ** (
        1.0 + min(n, par.STORY_MOST_LOOKS) / par.STORY_LOOKS_APIECE
    )
    return round(min(par.STORY_MOST_P, 1.0 - missed), 3)


def _merged(stays: Sequence[Stay]) -> list[Stay]:
    merged: list[Stay] = []
    for stay in stays:
        if merged and distance(merged[-1].xy, stay.xy) < par.SAME_SPOT_MM:
            merged[-1] = Stay(merged[-1].xy, merged[-1].t0, stay.t1, merged[-1].n + stay.n)
        else:
            merged.append(stay)
    return merged
