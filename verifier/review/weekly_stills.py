"""The stills of a week's findings for a weekly document that only those read who may see video."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2

from verifier.review.people.makers import Maker
from verifier.review.people.roles import Act, Person, require
from verifier.review.queue import load_queue
from verifier.review.weekly_values import Weekly
from verifier.store.kept import file_name
from verifier.store.repository import Store

STILLS_EACH: Final = 2
"""Stills beside a finding at most: the last ones, which show what became of it. Our own choice."""
WIDTH: Final = 720
"""Pixels to which a wider still is made smaller: half of a page at 200 dots an inch. Our own choice."""
_QUALITY: Final = 80


def week_stills(store: Store, weekly: Weekly, maker: Maker, person: Person | None = None) -> dict[str, list[bytes]]:
    """Return the stills of each finding of the week as JPEG, by the finding's id; write down who puts them into a
    document.

    Without `person` whoever runs the command takes them. A still that is gone, or is not as its review made it, is left
    out. Raises Forbidden if the person may not see video (08-04(4)(a)).
    """
    if person is not None:
        require(person, Act.VIDEO)
    places = _places(store, weekly)
    names = {file_name(path) for paths in places.values() for path in paths}
    changed = {fault.where for fault in store.compare(names).faults}
    found = {
        finding: [_jpeg(path) for path in paths if file_name(path) not in changed] for finding, paths in places.items()
    }
    count = sum(len(pictures) for pictures in found.values())
    subject = f"document/weekly/{weekly.site}/{weekly.week}"[:120]
    store.note(maker.actor, "stills", subject, {"findings": len(weekly.findings), "stills": count})
    return found


def _places(store: Store, weekly: Weekly) -> dict[str, list[Path]]:
    """Return the files of the last stills of each finding, of those that the store keeps."""
    reviews = {one.id for one in store.reviews(site=weekly.site, first=weekly.first_day, last=weekly.last_day)}
    places = {}
    for one in load_queue(store, sorted(reviews)):
        paths = (Path(one.review.folder) / name for name in one.stored.stills)
        places[one.stored.id] = [path for path in paths if store.keeps(path)][-STILLS_EACH:]
    return places


def _jpeg(path: Path) -> bytes:
    picture = cv2.imread(str(path))
    if picture is None:
        return b""
    height, width = picture.shape[:2]
    if width > WIDTH:
        picture = cv2.resize(picture, (WIDTH, round(height * WIDTH / width)), interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
