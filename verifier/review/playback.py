"""Recordings for a browser: the original where browsers play it, else pieces of it as H.264."""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from pathlib import Path
from typing import Final

from sqlalchemy import select

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of
from verifier.formats.whole import make_folder, put_in_place
from verifier.recording.identity import Identity, sha256_read
from verifier.recording.probe import Probe, probe, read_probe
from verifier.review.clips import cut_clip
from verifier.review.originals import KEPT_ORIGINALS, Original, number_at, originals_of, timeline_name
from verifier.review.people.roles import Act, Person, require
from verifier.review.queue import item
from verifier.store.database import home
from verifier.store.kept import file_digest
from verifier.store.repository import Store
from verifier.store.rows import folder_now
from verifier.store.tables import FindingRow, ReviewRow
from verifier.store.values import ReviewRecord

PIECE_S: Final = 30.0
_PIECES_KEPT: Final = 400
_PLAYED: Final = {"mp4": ("h264",), "webm": ("vp8", "vp9", "av1")}
"""Codecs that browsers play, by a word in the container's name."""
_ZERO_S: Final = 0.002
"""Seconds by which a player's clock may be off media time."""
_CUTTING = threading.Lock()
_CUT: Final[dict[Path, str]] = {}
"""SHA-256 of each piece that this program cut."""


def recording(store: Store, person: Person, review_id: str) -> tuple[ReviewRecord, Probe]:
    """Return a reviewed recording, and its first file as it was reviewed.

    Raises Forbidden if the person may see no video, BadInput if the recording is unknown, is not there any more,
    or is another film by now.
    """
    review = _known(store, person, review_id)
    return review, film(review, 0)


def recording_at(store: Store, person: Person, review_id: str, t: float) -> tuple[ReviewRecord, Probe, float]:
    """Return a reviewed recording, the file that shows its moment `t` (s), and where that file begins in the review's
    time.

    Raises as `recording` does.
    """
    review = _known(store, person, review_id)
    number = number_at(review, t)
    return review, film(review, number), originals_of(review)[number].at


def original_there(review: ReviewRecord, t: float) -> None:
    """Raise BadInput if the file that shows the moment `t` (s) of a review is gone; read nothing of it.

    Whether it is still the film that was reviewed is asked when a frame of it is shown: that reads all of the file.
    """
    original = originals_of(review)[number_at(review, t)]
    _there(original.path, review.video_name)


def recording_file(store: Store, person: Person, review_id: str, number: int) -> tuple[ReviewRecord, Original]:
    """Return a reviewed recording and file `number` (from 0) of those that it is made of. Raises as `recording`
    does.
    """
    review = _known(store, person, review_id)
    files = originals_of(review)
    if not 0 <= number < len(files):
        raise BadInput(f"file {number}", f"is none of the files 0 to {len(files) - 1}", "choose one of the list")
    film(review, number)
    return review, files[number]


def known_review(store: Store, person: Person, review_id: str) -> tuple[ReviewRecord, int]:
    """Return a review whose original may be gone, and how many files it has. Raises Forbidden, BadInput."""
    review = _known(store, person, review_id)
    return review, len(originals_of(review))


def film(review: ReviewRecord, number: int) -> Probe:
    """File `number` of a review, as it was reviewed; raises BadInput if it is gone, or another film by now."""
    original = originals_of(review)[number]
    path = _there(original.path, review.video_name)
    return _film(path, Identity.of(path.stat()), original, Path(review.folder) / timeline_name(number))


@lru_cache(maxsize=64)
def _film(path: Path, identity: Identity, original: Original, kept: Path) -> Probe:
    """Return the file of that identity, with its `kept` timeline; it is hashed once in this process."""
    if kept.is_file():
        found, read = read_probe(path, kept).seen_again(identity), sha256_read(path)
    else:
        found = probe(path, original.how)
        read = found.info.sha256 or "", found.facts.identity
    if read != (original.sha256, identity):
        raise BadInput(
            path.name,
            "is another film than the one that was reviewed (its SHA-256 differs)",
            "bring the recording back as it was, or review this one",
        )
    return found


def _known(store: Store, person: Person, review_id: str) -> ReviewRecord:
    require(person, Act.VIDEO)
    review = store.review(review_id)
    if review is None:
        raise BadInput(review_id[:80], "is no reviewed recording", "choose one of the list")
    check_found_by(store, review)
    return review


def check_found_by(store: Store, review: ReviewRecord) -> None:
    """Raise BadInput if what tells which files a review is of, and when their pictures were, is not as it was made.

    Whoever writes to these files could show another film, or other moments of it, under the review's name. Where the
    list is gone the review's row tells of the film; a timeline that is gone is made anew from the film.
    """
    folder, told = Path(review.folder), Path(review.folder) / KEPT_ORIGINALS
    store.check_kept([told] if os.path.lexists(told) else [], None if os.path.lexists(told) else review.id)
    timelines = (folder / timeline_name(number) for number in range(len(originals_of(review))))
    store.check_kept(one for one in timelines if os.path.lexists(one))


def _there(path: str, name: str) -> Path:
    if not path or not path_of(path).is_file():
        cause = "is not where it was when it was reviewed"
        raise BadInput(path.rpartition("/")[2] or name, cause, "bring it back, or review it again")
    return path_of(path)


def clip_file(store: Store, person: Person, finding_id: str) -> Path:
    """Return the clip of a finding. Raises Forbidden or BadInput as `recording` does."""
    require(person, Act.VIDEO)
    query = select(ReviewRow.id, ReviewRow.folder, FindingRow.clip).join(FindingRow).where(FindingRow.id == finding_id)
    with store.reading() as session:
        found = session.execute(query).one_or_none()
    clip = Path(folder_now(found[0], found[1])) / found[2] if found is not None and found[2] else None
    if clip is None or not store.keeps(clip):
        raise BadInput(finding_id[:80], "has no clip", "review the recording again")
    return clip


def still_file(store: Store, person: Person, finding_id: str, number: int) -> Path:
    """Still `number` (from 0) of a finding; raises Forbidden or BadInput as `recording` does."""
    require(person, Act.VIDEO)
    found = item(store, person, finding_id)
    if found is None or not 0 <= number < len(found.stored.stills):
        raise BadInput(finding_id[:80], f"has no still {number}", "review the recording again")
    still = Path(found.review.folder) / found.stored.stills[number]
    if not store.keeps(still):
        raise BadInput(finding_id[:80], "has lost its still", "review the recording again")
    return still


def plays_in_browsers(video: Probe) -> bool:
    """Tell whether browsers play the file as it is, with a clock that is media time."""
    facts = video.facts
    codecs = next((codecs for word, codecs in _PLAYED.items() if word in facts.container), ())
    known = facts.track.codec in codecs and "420p" in facts.pixels and facts.shape.aspect == 1
    return known and not facts.others and not facts.runs and facts.plain and abs(facts.player_zero) <= _ZERO_S


def piece(review: ReviewRecord, original: Original, number: int) -> Path:
    """Piece `number` (from 0, 30 s each) of a file as H.264, cut when first asked for and kept for a while.

    What another program put into the place of a kept piece is not shown: only what this one cut, as it was.
    """
    end = original.end if original.end is not None else review.duration or 0.0
    last = int(max(0.0, end - original.at) / PIECE_S)
    if not 0 <= number <= last:
        raise BadInput(f"piece {number}", f"is none of the pieces 0 to {last}", "choose a moment of the recording")
    folder = home() / "cache" / "pieces"
    target = folder / f"{original.sha256[:12]}-{number}.mp4"
    with _CUTTING:
        if not _as_cut(target):
            make_folder(folder)
            unfinished = target.with_suffix(f".{os.getpid()}.mp4")
            part = film(review, originals_of(review).index(original))
            cut_clip(part, number * PIECE_S, (number + 1) * PIECE_S, unfinished)
            _CUT[target] = file_digest(unfinished)
            put_in_place(unfinished, target)
            _forget_oldest(folder)
    return target


def _as_cut(piece: Path) -> bool:
    """Tell whether a piece is there as this program cut it."""
    return piece in _CUT and piece.is_file() and not piece.is_symlink() and file_digest(piece) == _CUT[piece]


def _forget_oldest(folder: Path) -> None:
    pieces = sorted(folder.glob("*.mp4"), key=lambda file: file.stat().st_mtime)
    for file in pieces[:-_PIECES_KEPT]:
        file.unlink(missing_ok=True)
