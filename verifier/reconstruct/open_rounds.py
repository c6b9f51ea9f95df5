"""Which cards begin a round, and which hold it open: print, hands and shuffled cards may pass for cards of it."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.card_tracks import longest_run
from verifier.reconstruct.resting.cardface import read_ranks
from verifier.reconstruct.resting.tracks import Track
from verifier.reconstruct.table.detections import CardDetection
from verifier.reconstruct.table.zones import TableMap


def begins_round(track: Track[CardDetection], table: TableMap, *, hands: bool) -> bool:
    """Tell whether a face that can be read lies at a betting space: with it a round begins.

    Cards that are shuffled or cut show their backs, which may pass for faces that cannot be read. A bill in a player's
    hands may pass for one that can, but never surely: where `hands` are seen, too, a card must be seen so.
    """
    if hands and track.p < par.SURE_CARD_LOOK_P:
        return False
    last = [track.trail[-1 - i][1] for i in range(min(par.ROUND_LAST_LOOKS, len(track.trail)))]
    known = sum(detection.face == "up" and max(detection.ranks.values(), default=0.0) >= 0.5 for detection in last) >= 2
    read = known and max(read_ranks(track).values(), default=0.0) >= par.FIRST_CARD_READ_P
    return read and (table.card_place(track.xy) or "").startswith("space")


def faces_until(tracks: Iterable[Track[CardDetection]], start: float) -> float:
    """When a card of the round that began at `start` last showed its face."""
    faces = [track.t_last for track in tracks if track.t_last >= start and track.trail[-1][1].face == "up"]
    return max(faces, default=start)


def fleeting(track: Track[CardDetection], now: float, gap: float) -> bool:
    """Tell whether a back was seen for a moment at a time: a hand that rests where it passed for one hides it else.

    Detections less than `gap` seconds apart are of one moment.
    """
    if track.trail[-1][1].face == "up" or now - track.t_last < par.FLEETING_BACK_S:
        return False
    return longest_run([t for t, _ in track.trail], gap) < par.IN_TRANSIT_S[True]


def unseen(track: Track[CardDetection], now: float) -> bool:
    """Tell whether a card's place has looked bare for a while, nothing hiding it."""
    return track.bare_since is not None and now - track.bare_since >= par.OPEN_ROUND_UNSEEN_S


def shuffled(track: Track[CardDetection], faces: float) -> bool:
    """Tell whether a back came to rest long after the last face of its round was seen (`faces`): a shuffle's."""
    return track.trail[-1][1].face == "down" and track.t_rest > faces + par.ROUND_QUIET_S


def holding(tracks: Iterable[Track[CardDetection]], faces: float, now: float, gap: float) -> list[Track[CardDetection]]:
    """Those of a round's cards that hold it open at `now`; none where no card that is seen is surely one."""
    held = [track for track in tracks if not fleeting(track, now, gap) and not shuffled(track, faces)]
    return held if any(is_sure(track) and not unseen(track, now) for track in held) else []


def is_sure(track: Track[CardDetection]) -> bool:
    """Tell whether a card is seen so surely that by itself it holds a round open: print and hands pass for worse
    ones.
    """
    up = sum(detection.face == "up" for _, detection in track.trail) / len(track.trail)
    return track.p >= par.SURE_CARD_P[up < 0.5]
