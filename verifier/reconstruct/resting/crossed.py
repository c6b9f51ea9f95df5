"""Cards that passed each other and were taken for each other: two alike, slid apart for a split."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.cardface import posterior, suit_of
from verifier.reconstruct.resting.tracks import Track
from verifier.reconstruct.table.detections import CardDetection

Face = tuple[str, str]


def uncrossed(tracks: Sequence[Track[CardDetection]]) -> list[Track[CardDetection]]:
    """Return the tracks, each cut in two where another card took its place in it.

    From there on it reads otherwise, at a new place of rest, just as a card that read so is lost and one that reads as
    it had comes into sight elsewhere.
    """
    return [part for track in tracks for part in _parts(track, tracks)]


def _parts(track: Track[CardDetection], tracks: Sequence[Track[CardDetection]]) -> list[Track[CardDetection]]:
    for index in range(1, len(track.dwells)):
        left = track.dwells[index - 1].t1
        later = [pair for pair in track.trail if pair[0] > left]
        before = _face([detection for t, detection in track.trail if t <= left][-par.CROSSED_LOOKS :])
        after = _face([detection for t, detection in later if t >= track.dwells[index].t0][: par.CROSSED_LOOKS])
        if before is None or after is None or before == after:
            continue
        t = next((t for t, detection in later if _face([detection]) == after), track.dwells[index].t0)
        lost = (o for o in tracks if o is not track and abs(o.t_last - t) <= par.MOVED_AT_ONCE_S)
        come = (o for o in tracks if o is not track and abs(o.t_first - t) <= par.MOVED_AT_ONCE_S)
        if any(_ends_as(o, after) for o in lost) and any(_begins_as(o, before) for o in come):
            return _cut(track, index, t)
    return [track]


def _cut(track: Track[CardDetection], index: int, t: float) -> list[Track[CardDetection]]:
    """Return a track until `t`, and as another one since, from its dwell `index` on."""
    first = deque((pair for pair in track.trail if pair[0] < t), maxlen=par.TRAIL_LOOKS)
    second = deque((pair for pair in track.trail if pair[0] >= t), maxlen=par.TRAIL_LOOKS)
    ended = replace(
        track, now=track.dwells[index - 1].xy, t_last=first[-1][0], trail=first, dwells=track.dwells[:index], gone=t
    )
    begun = replace(track, number=-1 - track.number, t_first=t, trail=second, dwells=track.dwells[index:])
    return [ended, begun]


def _face(detections: Sequence[CardDetection]) -> Face | None:
    """Return the rank and suit that some looks plainly read."""
    ranks, suit = posterior(detections), suit_of(detections)
    rank = max(ranks, key=lambda rank: ranks[rank], default=None)
    return (rank, suit) if rank is not None and suit is not None else None


def _ends_as(track: Track[CardDetection], face: Face) -> bool:
    return _face([detection for _, detection in track.trail][-par.CROSSED_LOOKS :]) == face


def _begins_as(track: Track[CardDetection], face: Face) -> bool:
    return _face([detection for _, detection in track.trail][: par.CROSSED_LOOKS]) == face
