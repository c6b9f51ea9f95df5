"""What is kept until when, and what holds it: videos 30 days, review documents one year, the rest three years."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Literal

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.names import path_text
from verifier.review.documents.quarters import kept_years, quarter_days
from verifier.review.originals import originals_of
from verifier.review.weeks import week_days
from verifier.store.papers import Document, Papers, Retained
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord

VIDEO_DAYS = 30
REVIEW_YEARS, OTHER_YEARS = 1, 3
VIDEO_CITE = "99-01.3-08-04(5)"
REVIEW_CITE = "99-01.3-08-16(1)(h)"
OTHER_CITE = "99-01.3-08-16"
State = Literal["kept", "due", "held", "purged"]


class Kept(Struct, frozen=True, kw_only=True):
    """One thing that is kept. `until` is the last day of keeping (ISO), `paths` what a purge removes.

    `item` is `video/ID`, `evidence/ID` or `document/ID`; `hold` is why it is held, empty if it is not.
    """

    item: str
    says: str
    site: str
    cite: str
    until: str
    paths: list[str]
    state: State
    hold: str = ""


def kept_things(store: Store, today: date) -> list[Kept]:
    """Everything that is kept or was purged, what is due first, then by the last day of keeping."""
    acts: dict[str, list[Retained]] = {}
    for act in Papers(store).retained():
        acts.setdefault(act.item, []).append(act)
    reviews = store.reviews(superseded=True)
    things = [thing for review in reviews for thing in _of_review(review, acts, today)]
    things += [_of_document(one, acts, today) for one in Papers(store).documents()]
    order: dict[State, int] = {"due": 0, "held": 1, "kept": 2, "purged": 3}
    return sorted(things, key=lambda one: (order[one.state], one.until, one.item))


def thing(store: Store, item: str, today: date) -> Kept:
    """One thing by its name; raises BadInput if there is none."""
    acts = {item: [act for act in Papers(store).retained() if act.item == item]}
    review = store.review(item.partition("/")[2])
    things = list(_of_review(review, acts, today)) if review is not None else []
    if item.startswith("document/"):
        things = [_of_document(one, acts, today) for one in Papers(store).documents()]
    found = next((one for one in things if one.item == item), None)
    if found is None:
        raise BadInput(item, "is nothing that is kept", "take the name from verifier retention list")
    return found


def _of_review(review: ReviewRecord, acts: dict[str, list[Retained]], today: date) -> Iterable[Kept]:
    played = date.fromisoformat(review.play_date or review.reviewed_at[:10])
    video = [one.path for one in originals_of(review) if one.path]
    until = (played + timedelta(days=VIDEO_DAYS)).isoformat()
    named = f"table {review.table or '?'}, {played}"
    yield _kept(
        f"video/{review.id}",
        f"Recording {review.video_name}, {named}",
        review.site,
        VIDEO_CITE,
        until,
        video,
        acts,
        today,
    )
    until = kept_years(played, REVIEW_YEARS).isoformat()
    yield _kept(
        f"evidence/{review.id}",
        f"Clips, stills and findings of {review.video_name}, {named}",
        review.site,
        REVIEW_CITE,
        until,
        [path_text(review.folder)],
        acts,
        today,
    )


def _of_document(document: Document, acts: dict[str, list[Retained]], today: date) -> Kept:
    years = REVIEW_YEARS if document.kind in ("weekly", "hold") else OTHER_YEARS
    cite = REVIEW_CITE if document.kind in ("weekly", "hold") else OTHER_CITE
    until = kept_years(_activity(document), years).isoformat()
    says = f"{document.kind.capitalize()} document, {document.period}, version {document.version}"
    paths = [path_text(Path(document.folder) / name) for name in document.files]
    return _kept(f"document/{document.id}", says, document.site, cite, until, paths, acts, today)


def _activity(document: Document) -> date:
    """Return the last day of what a document is about; the day it was made where it names none."""
    if document.kind == "weekly":
        return week_days(document.period)[1]
    if document.kind == "hold":
        return quarter_days(document.period)[1]
    return date.fromisoformat(document.period if document.kind == "daily" else document.made_at[:10])


def _kept(
    item: str,
    says: str,
    site: str | None,
    cite: str,
    until: str,
    paths: list[str],
    acts: dict[str, list[Retained]],
    today: date,
) -> Kept:
    history = acts.get(item, [])
    holding = [act for act in history if act.act in ("hold", "release")]
    hold = holding[-1].reason if holding and holding[-1].act == "hold" else ""
    state: State = "due" if today.isoformat() > until else "kept"
    if hold:
        state = "held"
    if any(act.act == "purge" for act in history):
        state = "purged"
    return Kept(item=item, says=says, site=site or "", cite=cite, until=until, paths=paths, state=state, hold=hold)
