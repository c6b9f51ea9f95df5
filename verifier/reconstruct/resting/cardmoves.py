"""Tracks of cards joined across moves, so that each chain is of one card."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence, Set
from statistics import median

from verifier.domain.cards import COLOURS_OF_SUITS
from verifier.domain.layout import CARD_MM
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.cardface import agreement, read_ranks, rested, suit_near, suit_of, value_of
from verifier.reconstruct.resting.tracks import Track
from verifier.reconstruct.table.detections import CardDetection
from verifier.reconstruct.table.zones import TableMap, distance


def joined(tracks: Sequence[Track[CardDetection]], table: TableMap, *, alone: bool) -> list[list[Track[CardDetection]]]:
    """Tracks in chains, each of one card: the surest moves first, for two cards that are moved at once fit
    crosswise.
    """
    pairs = ((_moved(old, new, table, tracks, alone=alone), old, new) for old, new in itertools.permutations(tracks, 2))
    moves = sorted((pair for pair in pairs if pair[0] > par.MOVE_LEAST_FIT), key=lambda pair: -pair[0])
    following: dict[int, Track[CardDetection]] = {}
    moved: set[int] = set()
    for _, old, new in moves:
        if id(old) not in following and id(new) not in moved:
            following[id(old)] = new
            moved.add(id(new))
    taken = [_taken_up] if alone else [_taken_with_its_hand, _swept_up]
    for old in [
        track for track in tracks if id(track) in following and any(f(track, following, tracks) for f in taken)
    ]:
        moved.remove(id(following.pop(id(old))))
    return [_chain(track, following) for track in tracks if id(track) not in moved]


def _taken_up(
    track: Track[CardDetection], following: Mapping[int, Track[CardDetection]], tracks: Sequence[Track[CardDetection]]
) -> bool:
    """Tell whether a card that seems to come again later went together with another beside it, which does not:
    both went.
    """
    return following[id(track)].t_rest - track.t_last > par.HAND_LIFTED_S and any(
        id(other) not in following
        and other.gone is not None
        and track.gone is not None
        and abs(other.t_last - track.t_last) <= par.SLACK_S
        and abs(other.gone - track.gone) <= par.SLACK_S
        and distance(other.xy, track.xy) <= par.TAKEN_BESIDE_MM
        for other in tracks
        if other is not track
    )


def _taken_with_its_hand(
    track: Track[CardDetection], following: Mapping[int, Track[CardDetection]], tracks: Sequence[Track[CardDetection]]
) -> bool:
    """Tell whether a card that seems to come again later, of another suit of its colour, went with another of its
    hand that does not: that hand was taken up, and the next card is one alike.
    """
    after = following[id(track)]
    suits = {suit_of([detection for _, detection in rested(one)]) for one in (track, after)}
    return (
        len(suits) == 2
        and None not in suits
        and after.t_first - track.t_last > par.HAND_TAKEN_UP_S
        and any(
            other is not track
            and id(other) not in following
            and other.gone is not None
            and abs(other.t_last - track.t_last) <= par.HAND_TAKEN_UP_S
            and distance(other.xy, track.xy) <= par.TAKEN_BESIDE_MM
            for other in tracks
        )
    )


def _swept_up(
    track: Track[CardDetection], following: Mapping[int, Track[CardDetection]], tracks: Sequence[Track[CardDetection]]
) -> bool:
    """Tell whether a card that seems to come again much later went with all that lay on it: a hand took them up.

    What comes then is one like it, dealt to the next hand of the space.
    """
    if following[id(track)].t_rest - track.t_last <= par.MOVE_ASIDE_S:
        return False
    upon = [
        other
        for other in tracks
        if other is not track
        and distance(other.xy, track.xy) <= par.MOVE_UPON_MM
        and other.t_rest < track.t_last
        and (other.gone is None or other.gone > track.t_last - par.HAND_LIFTED_S)
    ]
    return bool(upon) and all(
        id(other) not in following
        and other.gone is not None
        and track.gone is not None
        and abs(other.gone - track.gone) <= par.HAND_LIFTED_S
        for other in upon
    )


def _chain(track: Track[CardDetection], following: Mapping[int, Track[CardDetection]]) -> list[Track[CardDetection]]:
    chain = [track]
    while id(chain[-1]) in following:
        chain.append(following[id(chain[-1])])
    return chain


def _moved(
    old: Track[CardDetection],
    new: Track[CardDetection],
    table: TableMap,
    tracks: Sequence[Track[CardDetection]],
    *,
    alone: bool,
) -> float:
    """How well `new` may be `old`, carried to another spot of the same space; 0 where it cannot.

    A card that leaves its like may come to lie in the next space's area, or at once beyond all areas: a split. Where no
    hands are seen, it does so at once, and left between the last look that showed it and the first that did not: looks
    may be rare.
    """
    if old.gone is None:
        return 0.0
    left = old.gone if alone else old.t_last
    if not _in_time(old, new, left, old.gone) or not _side_fits(old, new):
        return 0.0
    source, place = table.card_place(old.xy), table.card_place(new.xy)
    at_once = old.t_last - par.MOVED_AT_ONCE_S <= new.t_first <= old.gone + par.MOVED_AT_ONCE_S and (
        alone or place is None
    )
    within = place == source and (place is not None or at_once)
    parted = (at_once or not alone) and _between_players(source, place) and _left_its_like(old, new, tracks)
    if place == "dealer" or not (within or parted):
        return 0.0
    if crosswise((angle_of(old), size_of(old)), (angle_of(new), size_of(new))):
        return 0.0
    if distance(old.xy, new.dwells[0].xy) > (par.CARD_MOVE_FAR_MM if at_once else par.CARD_MOVE_MM):
        return 0.0
    agreed = agreement(old, new)
    if agreed is None:
        return par.MOVE_UNREAD_FIT
    suits = {suit_near(track, t) for track, t in ((old, old.t_last), (new, new.t_rest))}
    if agreed < par.FACE_LEAST_AGREED_P:
        soon = new.t_first - left <= par.MOVED_AT_ONCE_S
        misread = soon and len(suits) == 1 and None not in suits and _left_its_like(old, new, tracks, new)
        return par.MOVE_MISREAD_FIT if misread else 0.0
    return max(0.0, agreed + _suit_fit(suits, old, new) - par.MOVE_SLOW_FIT * max(0.0, new.t_rest - left))


def _in_time(old: Track[CardDetection], new: Track[CardDetection], left: float, gone: float) -> bool:
    """Tell whether a card that `left` and was seen to be `gone` can be the one that came to rest elsewhere."""
    same_look = abs(new.t_first - gone) <= par.SLACK_S  # nobody saw its place between
    if old.t_last - new.t_rest > par.MOVE_PASSING_S or (new.t_rest - left > par.CARD_MOVE_S and not same_look):
        return False
    return old.dwells[-1].t1 - new.t_rest <= par.SLACK_S


def _side_fits(old: Track[CardDetection], new: Track[CardDetection]) -> bool:
    """Tell whether a card may show the side that the later one shows: what lies open is not turned back."""
    face = old.trail[-1][1].face
    if face == "down" and old.t_last - old.t_first < par.BACK_GLIMPSE_S:
        return False
    return face != "up" or any(detection.face != "down" for _, detection in new.trail)


def _suit_fit(suits: Set[str | None], old: Track[CardDetection], new: Track[CardDetection]) -> float:
    """How much better or worse a card fits by its suit, as it was read just before and just after, or all the while:
    two that pass each other may take each other's reading along for a moment."""
    if len(suits - {None}) <= 1:
        return par.MOVE_SUIT_FIT if len(suits) == 1 else 0.0
    if suit_of([detection for _, detection in rested(old)]) == suit_of([detection for _, detection in rested(new)]):
        return 0.0
    return -par.MOVE_SUIT_FIT if suits in COLOURS_OF_SUITS else -1.0


def _between_players(source: str | None, place: str | None) -> bool:
    """Tell whether a card went from a space to another one, or out of all areas."""
    return source is not None and source.startswith("space") and (place is None or place.startswith("space"))


def _left_its_like(
    old: Track[CardDetection],
    new: Track[CardDetection],
    tracks: Sequence[Track[CardDetection]],
    read: Track[CardDetection] | None = None,
) -> bool:
    """Tell whether a card of its value lay beside a card and lies on as it is found elsewhere: of a pair one was moved.

    Its value as it was read before, or as `read` has it.
    """
    return any(
        other is not old
        and other is not new
        and other.t_rest < old.t_last
        and distance(other.xy, old.xy) <= par.TAKEN_BESIDE_MM
        and (other.gone is None or other.gone > new.t_rest)
        and _alike(read or old, other) > par.PAIR_ALIKE_P
        for other in tracks
    )


def _alike(one: Track[CardDetection], other: Track[CardDetection]) -> float:
    """Probability that two cards are of one value: a king and a queen may be split, too."""
    mine, theirs = read_ranks(one), read_ranks(other)
    return sum(p * q for a, p in mine.items() for b, q in theirs.items() if value_of(a) == value_of(b))


def crosswise(one: tuple[float, tuple[float, float]], other: tuple[float, tuple[float, float]]) -> bool:
    """Tell whether two cards (direction of the long side, sides) lie at right angles.

    A camera that stands low makes a card's sides alike, and its long side a matter of chance: then a card that seems as
    square lies as it does, and one that seems much longer lies across it.
    """
    shapes = sorted(long / short for _, (short, long) in (one, other))
    if shapes[0] < par.SQUARE_SHAPE and not par.SQUARE_SHAPE <= shapes[1] < par.LENGTHY_SHAPE:
        return shapes[1] >= par.LENGTHY_SHAPE
    return abs((one[0] - other[0] + 90.0) % 180.0 - 90.0) > par.ACROSS_DEGREES


def boxed(angle: float, size: tuple[float, float]) -> bool:
    """Tell whether a card is given by a box along the picture's sides, not of a card's shape: it lies aslant there."""
    return angle % 90.0 == 0.0 and abs(size[1] / size[0] / (CARD_MM[1] / CARD_MM[0]) - 1.0) > par.TURNED_BOX_SHARE


def angle_of(track: Track[CardDetection]) -> float:
    """Median direction of the long side, unwrapped round their mean: that of one look may be across.

    Looks at which its long side is in part under a hand tell nothing: what shows of a card may be longer across it.
    """
    angles = _whole_angles(track)
    twice = [math.radians(2.0 * angle) for angle in angles]
    mean = math.degrees(math.atan2(sum(map(math.sin, twice)), sum(map(math.cos, twice)))) / 2.0
    return sorted(angles, key=lambda angle: (angle - mean + 90.0) % 180.0)[len(angles) // 2] % 180.0


def angle_share(track: Track[CardDetection]) -> float:
    """Share of the same looks whose long side points nearer to that direction than across it: 0.5 where it is a matter
    of chance, 1 where they agree.
    """
    angle, angles = angle_of(track), _whole_angles(track)
    away = [abs((one - angle + 90.0) % 180.0 - 90.0) for one in angles]
    return sum(off < 90.0 - off for off in away) / len(angles)


def _whole_angles(track: Track[CardDetection]) -> list[float]:
    """Return the directions of the long side in the looks that show it whole."""
    detections = [detection for _, detection in rested(track)]
    sides = sorted(detection.size[1] for detection in detections)
    whole = par.WHOLE_LENGTH_SHARE * sides[len(sides) - 1 - len(sides) // 4]
    return [detection.angle for detection in detections if detection.size[1] >= whole]


def size_of(track: Track[CardDetection]) -> tuple[float, float]:
    """Median sides of its first looks at rest, before others cover it."""
    detections = [detection for _, detection in rested(track)[: par.MOVE_FIRST_LOOKS]]
    return median(detection.size[0] for detection in detections), median(detection.size[1] for detection in detections)


def skew_of(track: Track[CardDetection]) -> float:
    """Median skew of its first looks at rest."""
    return median(detection.skew for _, detection in rested(track)[: par.MOVE_FIRST_LOOKS])
