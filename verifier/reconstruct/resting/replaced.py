"""A card that becomes another in its place: one change of what its looks read, weighed against none.

The looks before a change are pooled, and those after it, as those of one card are (`cardface.posterior`). The log odds
compare the two faces that fit the parts best with the one face that fits all looks best. A misread is no exchange: it
lasts for a few looks, or the first face comes back, or something else changed with the reading.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from verifier.domain.cards import COLOURS_OF_SUITS, RANKS, SUITS, UNKNOWN
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.cardface import look_weight, pooling_power
from verifier.reconstruct.table.detections import CardDetection
from verifier.reconstruct.table.zones import distance

Look = tuple[float, CardDetection]


class Replacement(Struct, frozen=True, kw_only=True):
    """An exchange between the looks at `t0` and `t1`; `ranks` are posteriors, suits None where none was read."""

    t0: float
    t1: float
    ranks_before: dict[str, float]
    suit_before: str | None
    ranks: dict[str, float]
    suit: str | None
    p: float
    """Probability that both faces are as read, and that the card changed."""
    odds: float
    """Log odds of the change against none."""
    settled: bool
    """Whether nothing else that changed then explains the other reading."""

    @property
    def text(self) -> str:
        """The card that lies there since, in the log's notation."""
        best = max(self.ranks, key=lambda rank: self.ranks[rank], default=UNKNOWN)
        return best + (self.suit or UNKNOWN)


def replacement(looks: Sequence[Look], within: float = par.REPLACED_PLACE_MM) -> Replacement | None:
    """Return the change of face that the looks (time, sight) at a resting card tell best; None where they tell none.

    The second card lies no farther than `within` (mm) from where the first was seen last.
    """
    read = [look for look in looks if look[1].face == "up" and look[1].ranks]
    cuts = list(_cuts(read))
    sums = _sums(read) if cuts else []
    found = [one for index in cuts if (one := _changed(read, sums, index, within)) is not None]
    return max(found, key=lambda one: one.odds, default=None)


def _cuts(read: Sequence[Look]) -> Iterator[int]:
    """Where the face may change: before each look that reads otherwise than the one before it."""
    for index in range(par.REPLACED_LEAST_LOOKS, len(read) - par.REPLACED_LEAST_LOOKS + 1):
        if _rank(read[index - 1]) != _rank(read[index]) or read[index - 1][1].suit != read[index][1].suit:
            yield index


def _rank(look: Look) -> str:
    ranks = look[1].ranks
    return max(ranks, key=ranks.__getitem__)


class _Sums(Struct, frozen=True):
    """Sums over the first looks: their weights, each rank's and suit's weighted log likelihoods, votes, what shows."""

    weight: float
    ranks: tuple[float, ...]
    suits: tuple[float, ...]
    votes: Mapping[str, int]
    shown: float


def _sums(read: Sequence[Look]) -> list[_Sums]:
    sums = [_Sums(0.0, (0.0,) * len(RANKS), (0.0,) * len(SUITS), Counter(), 0.0)]
    for look in read:
        before, detection = sums[-1], look[1]
        weight = look_weight(detection)
        sums.append(
            _Sums(
                before.weight + weight,
                tuple(
                    s + weight * math.log(max(par.FACE_FLOOR_P, detection.ranks.get(r, 0.0)))
                    for r, s in zip(RANKS, before.ranks, strict=True)
                ),
                tuple(
                    s + weight * math.log(_suit_likelihood(detection.suit, suit))
                    for suit, s in zip(SUITS, before.suits, strict=True)
                ),
                Counter(before.votes) + Counter([_rank(look), *([detection.suit] if detection.suit else [])]),
                before.shown + detection.visible,
            )
        )
    return sums


def _suit_likelihood(read: str | None, suit: str) -> float:
    if read is None:
        return 1.0
    if read == suit:
        return 1.0 - par.TWIN_SUIT_P[suit] - 2 * par.OTHER_COLOUR_P
    return par.TWIN_SUIT_P[suit] if {read, suit} in COLOURS_OF_SUITS else par.OTHER_COLOUR_P


class _Part:
    """A part of the looks, pooled as those of one card."""

    def __init__(self, looks: Sequence[Look], first: _Sums, last: _Sums) -> None:
        self.looks = looks
        scale = pooling_power(len(looks)) / (last.weight - first.weight)
        self.ranks = {r: scale * (b - a) for r, a, b in zip(RANKS, first.ranks, last.ranks, strict=True)}
        self.suits = {s: scale * (b - a) for s, a, b in zip(SUITS, first.suits, last.suits, strict=True)}
        self._votes = {name: count - first.votes.get(name, 0) for name, count in last.votes.items()}
        self.rank = max(self.ranks, key=self.ranks.__getitem__)
        told = any(self._votes.get(suit, 0) for suit in SUITS)
        self.suit = max(self.suits, key=self.suits.__getitem__) if told else None
        self.shown = (last.shown - first.shown) / len(looks)

    @property
    def lasting(self) -> bool:
        return self.looks[-1][0] - self.looks[0][0] >= par.REPLACED_LEAST_S

    @property
    def sure(self) -> bool:
        """Whether its looks, taken together, surely read its rank."""
        return sum(detection.ranks.get(self.rank, 0.0) for _, detection in self.looks) >= par.READ_P * len(self.looks)

    def share(self, name: str) -> float:
        """Share of the looks that read this rank, or this suit."""
        return self._votes.get(name, 0) / len(self.looks)


def _changed(read: Sequence[Look], sums: Sequence[_Sums], index: int, within: float) -> Replacement | None:
    before = _Part(read[:index], sums[0], sums[index])
    after = _Part(read[index:], sums[index], sums[-1])
    names = _apart(before, after)
    if (
        names is None
        or not (before.lasting and after.lasting)
        or distance(read[index - 1][1].xy, read[index][1].xy) > within
    ):
        return None
    old, new = names
    if before.share(new) > par.REPLACED_FEW_ODD_SHARE or after.share(old) > par.REPLACED_FEW_ODD_SHARE:
        return None
    odds = _odds(before.ranks, after.ranks) + _odds(before.suits, after.suits)
    one, other = (before.ranks, after.ranks) if old in before.ranks else (before.suits, after.suits)
    faces = _chances(one)[old], _chances(other)[new]
    if odds < par.REPLACED_LEAST_ODDS or min(faces) < par.REPLACED_FACE_P or not (before.sure and after.sure):
        return None
    chance = 1.0 / (1.0 + par.OTHER_FACES * math.exp(-odds))
    if before.suit == after.suit and chance < par.REPLACED_SURE_P:
        return None
    t0, t1 = before.looks[-1][0], after.looks[0][0]
    alike = t1 - t0 <= par.REPLACED_HIDDEN_S and after.shown >= par.REPLACED_SHOWN_SHARE * before.shown
    alike = alike and (before.suit != after.suit or t1 - t0 >= par.REPLACED_TAKES_S)
    return Replacement(
        t0=t0,
        t1=t1,
        ranks_before=_told(before.ranks),
        suit_before=before.suit,
        ranks=_told(after.ranks),
        suit=after.suit,
        p=round(faces[0] * faces[1] * chance, 3),
        odds=odds,
        settled=alike and chance >= par.REPLACED_SURE_P,
    )


def _apart(before: _Part, after: _Part) -> tuple[str, str] | None:
    """In what two faces differ, the old and the new: ranks, else suits; None where they do not."""
    if before.rank != after.rank:
        return before.rank, after.rank
    if before.suit is not None and after.suit is not None and before.suit != after.suit:
        return before.suit, after.suit
    return None


def _odds(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Log odds of two names, each the best for its part, against the one that fits both best."""
    return max(one.values()) + max(other.values()) - max(one[name] + other[name] for name in one)


def _chances(logs: Mapping[str, float]) -> dict[str, float]:
    top = max(logs.values())
    raw = {name: math.exp(value - top) for name, value in logs.items()}
    return {name: value / sum(raw.values()) for name, value in raw.items()}


def _told(logs: Mapping[str, float]) -> dict[str, float]:
    return {name: round(p, 4) for name, p in _chances(logs).items() if p >= par.LEAST_KEPT_P}
