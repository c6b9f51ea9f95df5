"""What became of each card: its places of rest, when it was turned, and the reading of all its looks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from statistics import median

from msgspec import Struct, structs

from verifier.domain.layout import CARD_MM
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.cardface import faces_of, posterior, rested, suit_of
from verifier.reconstruct.resting.cardmoves import angle_of, angle_share, joined, size_of, skew_of
from verifier.reconstruct.resting.crossed import uncrossed
from verifier.reconstruct.resting.replaced import Replacement, replacement
from verifier.reconstruct.resting.tracks import Dwell, Track
from verifier.reconstruct.table.detections import CardDetection
from verifier.reconstruct.table.zones import TableMap, Xy, distance


class CardTrack(Struct, frozen=True, kw_only=True):
    """A card from its coming to rest to its going; `dwells` are its places of rest (xy, from, to)."""

    number: int
    place: str
    dwells: tuple[tuple[Xy, float, float], ...]
    angle: float
    face: str
    turned: tuple[float, float] | None
    """Last detection of its back and first detection of its face, if it was turned over."""
    ranks: dict[str, float]
    suit: str | None
    p: float
    n: int
    steady: float
    """Seconds of the longest run of detections without a gap."""
    t_first: float
    t_last: float
    gone: float | None
    size: tuple[float, float] = CARD_MM
    """Median of its sides, shorter and longer, as the map has them where it was laid."""
    skew: float = 0.0
    """Median of the degrees by which they are off a right angle there."""
    unseen: tuple[tuple[float, float], ...] = ()
    """Stretches (last detection, next detection) in which it was not seen where it lay."""
    mean: float = 1.0
    """Mean probability of the looks that show it."""
    angle_p: float = 1.0
    """Share of its looks at rest whose long side points nearer to `angle` than across it."""
    laid: bool = True
    """Whether it was seen to lie in its hand: how it lay there is not known otherwise."""
    apart: float = 0.0
    """Median of how far the boxes that pass for it lie apart, in its shorter sides."""
    unreadable: float = 0.0
    """Median of how probable its face is not to be read."""
    more: float = 0.0
    """Probability that more cards lie there, over or under it, than were found."""
    several: bool = False
    """Whether it cannot be one card: how many lie there is not known, nor what they are."""
    replaced: Replacement | None = None
    """That another card came into its place. `ranks` and `suit` are those of the first card then."""

    @property
    def t_rest(self) -> float:
        return self.dwells[0][1]

    @property
    def xy(self) -> Xy:
        return self.dwells[0][0]

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
        """Where it lay at `t` (its nearest dwell)."""
        past = [xy for xy, t0, _ in self.dwells if t0 <= t]
        return past[-1] if past else self.xy


def tell(
    tracks: Sequence[Track[CardDetection]], table: TableMap, gap: float = par.CARD_TRACK_GAP_S, *, alone: bool = False
) -> list[CardTrack]:
    """Card tracks of all settled tracks, those of one moved card joined, ordered by coming to rest.

    `gap` is the longest time between two detections of a card that was in sight between them. `alone` where no hands
    are seen: cards are moved and taken up from one look to the next.
    """
    apart = (
        [track for track in tracks if track.settled]
        if alone
        else uncrossed([track for track in tracks if track.settled])
    )
    chains = joined(sorted(apart, key=lambda track: track.t_rest), table, alone=alone)
    chains = chains if alone else with_exchanged(chains)
    readable = [_before_pile(chain, tracks) if alone else chain for chain in chains]
    card_tracks = (_card_track(chain, read, table, gap) for chain, read in zip(chains, readable, strict=True))
    return with_doubt(sorted(card_tracks, key=lambda card_track: card_track.t_rest))


def with_exchanged(chains: Sequence[list[Track[CardDetection]]]) -> list[list[Track[CardDetection]]]:
    """Return the chains of tracks; those of a card and of another one that came into its place are one (`replaced`
    tells both).

    Where the place was bare between them the second has a track of its own. Nobody came to take the first, so it would
    be held to lie on under the second, and one of them be told as a second look at the other.
    """
    out: list[list[Track[CardDetection]]] = []
    for chain in sorted(chains, key=lambda chain: chain[0].t_first):
        before = next((one for one in out if _exchanged(one[-1], chain[0])), None)
        if before is None:
            out.append(list(chain))
        else:
            before += chain
    return out


def _exchanged(old: Track[CardDetection], new: Track[CardDetection]) -> bool:
    """Tell whether a card came into the place of another that nobody took; not where both were seen after that."""
    taken = old.gone is not None and old.gone <= new.t_first
    if taken or new.t_first <= old.t_last or distance(old.xy, new.dwells[0].xy) > par.TWIN_MM:
        return False
    return replacement([*rested(old), *rested(new)], par.TWIN_MM) is not None


def with_doubt(card_tracks: Sequence[CardTrack]) -> list[CardTrack]:
    """Return the card tracks: no exchange where one of the two cards was moved, a doubtful one where a third came upon
    it.
    """
    return [
        card_track
        if card_track.replaced is None
        else structs.replace(card_track, replaced=_weighed(card_track, card_track.replaced, card_tracks))
        for card_track in card_tracks
    ]


def _weighed(card_track: CardTrack, change: Replacement, card_tracks: Sequence[CardTrack]) -> Replacement | None:
    there = [other for other in card_tracks if other is not card_track and other.place == card_track.place]
    for other in there:
        went = (
            other.text == card_track.text and change.t0 - par.CARD_MOVE_S <= other.t_rest <= change.t1 + par.CARD_MOVE_S
        )
        came = other.text == change.text and change.t0 - par.CARD_MOVE_S <= other.t_last <= change.t1 + par.CARD_MOVE_S
        if went or came:
            return None
    xy = card_track.at(change.t1)
    upon = any(
        change.t0 - par.CARD_MOVE_S <= other.t_first <= change.t1 + par.CARD_MOVE_S
        and distance(other.xy, xy) <= par.CARD_TRACK_OVER_MM
        for other in there
    )
    return structs.replace(change, settled=False) if upon else change


def _before_pile(
    chain: Sequence[Track[CardDetection]], tracks: Sequence[Track[CardDetection]]
) -> Sequence[Track[CardDetection]]:
    """Return a card's tracks apart from those in one pile with others, for which they may be taken; all of them are in
    doubt.
    """
    return [track for track in chain if not any(_in_one_pile(track, other) for other in tracks)] or chain


def _in_one_pile(track: Track[CardDetection], other: Track[CardDetection]) -> bool:
    """Tell whether another card lay on the same spot at one time."""
    if other is track or not (track.settled and other.settled) or distance(track.xy, other.xy) > par.CARD_PILE_MM:
        return False
    return track.dwells[-1].t0 < other.t_last and other.dwells[-1].t0 < track.t_last


def _card_track(
    chain: Sequence[Track[CardDetection]], readable: Sequence[Track[CardDetection]], table: TableMap, gap: float
) -> CardTrack:
    """Return the track of a chain, its face as the `readable` tracks show it."""
    first, last = chain[0], chain[-1]
    place = table.card_place(first.dwells[0].xy) or ""
    every = [pair for track in chain for pair in rested(track)]
    shown = every if readable is chain else [pair for track in readable for pair in rested(track)]
    read = _read(shown, readable)
    detections = read.detections
    dwells = [dwell for track in chain for dwell in track.dwells]
    mean = sum(detection.p for detection in detections) / len(detections) if detections else first.p
    return CardTrack(
        number=first.number,
        place="" if place == "shoe" and read.face == "up" else place,  # a long hand may reach there
        dwells=tuple((dwell.xy, dwell.t0, dwell.t1) for dwell in _merged(dwells)),
        angle=angle_of(first),
        angle_p=angle_share(first),
        face=read.face,
        turned=read.turned,
        ranks=read.ranks,
        suit=read.suit,
        p=presence(mean, len(every)),
        n=len(every),
        steady=longest_run([t for t, _ in every], gap),
        t_first=first.t_first,
        t_last=last.t_last,
        gone=last.gone,
        size=size_of(first),
        skew=skew_of(first),
        unseen=_unseen(every, dwells[-1].xy),
        mean=mean,
        apart=median(detection.apart for detection in detections) if detections else 0.0,
        unreadable=median(detection.unreadable for detection in detections) if detections else 0.0,
        more=more_of(detections),
        replaced=read.replaced,
    )


class _Read(Struct, frozen=True):
    """How a card reads: fields as in CardTrack, and its `detections` from when it lay as it does last."""

    face: str
    turned: tuple[float, float] | None
    ranks: dict[str, float]
    suit: str | None
    replaced: Replacement | None
    detections: list[CardDetection]


def _read(shown: Sequence[tuple[float, CardDetection]], readable: Sequence[Track[CardDetection]]) -> _Read:
    """Read a card by its looks `shown` (t, detection); `readable` are its tracks."""
    face, turned = faces_of(shown)
    since = turned[1] if turned else 0.0
    opened = face == "up" or turned is not None
    changed = _replaced(readable, since) if opened else None
    own = [detection for t, detection in shown if since <= t and (changed is None or t <= changed.t0)]
    ranks = posterior(own) if opened else {}
    detections = [detection for t, detection in shown if t >= since]
    return _Read(face, turned, ranks, suit_of(own) if ranks else None, changed, detections)


def more_of(detections: Sequence[CardDetection]) -> float:
    """Return the probability that more cards lie there than were found, as enough of its looks tell it at least:
    MORE_SHARE of them, or MORE_LOOKS where these are fewer, as a card may be laid there late.
    """
    told = sorted((detection.more for detection in detections), reverse=True)
    return told[min(int(par.MORE_SHARE * len(told)), par.MORE_LOOKS)] if told else 0.0


def _replaced(tracks: Sequence[Track[CardDetection]], since: float) -> Replacement | None:
    """Return the exchange of a card in its place that the looks at one of its tracks tell, from `since` on."""

    def shown(*those: Track[CardDetection]) -> list[tuple[float, CardDetection]]:
        return [pair for track in those for pair in rested(track) if pair[0] >= since]

    found = [replacement(shown(track)) for track in tracks]
    found += [replacement(shown(a, b), par.TWIN_MM) for a, b in itertools.pairwise(tracks) if _exchanged(a, b)]
    return max((one for one in found if one is not None), key=lambda one: one.odds, default=None)


def _unseen(timed: Sequence[tuple[float, CardDetection]], xy: Xy) -> tuple[tuple[float, float], ...]:
    return unseen_between([t for t, detection in timed if distance(detection.xy, xy) <= par.CARD_SAME_PLACE_MM])


def unseen_between(times: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """Stretches between a card's detections where it lies that are too long for a card in plain view."""
    return tuple((a, b) for a, b in itertools.pairwise(times) if b - a > par.CARD_TRACK_UNSEEN_S)


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
    missed: float = (1.0 - min(mean, par.CARD_TRACK_MOST_MEAN)) ** (
        1.0 + min(n, par.CARD_TRACK_MOST_LOOKS) / par.CARD_TRACK_LOOKS_APIECE
    )
    return round(min(par.CARD_TRACK_MOST_P, 1.0 - missed), 3)


def _merged(dwells: Sequence[Dwell]) -> list[Dwell]:
    merged: list[Dwell] = []
    for dwell in dwells:
        if merged and distance(merged[-1].xy, dwell.xy) < par.SAME_SPOT_MM:
            merged[-1] = Dwell(merged[-1].xy, merged[-1].t0, dwell.t1, merged[-1].n + dwell.n)
        else:
            merged.append(dwell)
    return merged
