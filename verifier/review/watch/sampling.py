"""Rounds shown blind, flagged and unflagged mixed, so that a person's eye tells how much the software misses."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct
from scipy.stats import beta
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from verifier.domain.errors import BadInput
from verifier.formats.events import read_events
from verifier.review.people.roles import Act, Person, require
from verifier.store.repository import Store
from verifier.store.room.tables import SampleRow
from verifier.store.rows import finding_of
from verifier.store.tables import FindingRow, ReviewRow

Answer = Literal["clean", "deviation", "cannot_tell"]
ANSWERS: Final[dict[Answer, str]] = {
    "clean": "Everything was right",
    "deviation": "Something was not right",
    "cannot_tell": "I cannot tell",
}
_FLAGGED_SHARE: Final = 0.25
"""Share of flagged rounds among those shown, so that nobody knows which kind it is."""
_LEVEL: Final = 0.95


class Round(Struct, frozen=True, kw_only=True):
    """A round of a recording, seconds of media time; `flagged` where the software has a finding in it."""

    review_id: str
    number: int
    t_start: float
    t_end: float
    flagged: bool


class Misses(Struct, frozen=True, kw_only=True):
    """Unflagged rounds judged blind, and how many of them had a deviation; the share lies in `low`..`high` (95 %)."""

    judged: int
    missed: int
    low: float
    high: float

    @property
    def share(self) -> float | None:
        """Missed share of the judged rounds; None if none was judged."""
        return self.missed / self.judged if self.judged else None


def rounds_of(store: Store, review_id: str) -> list[Round]:
    """Return the rounds of a recording that its review saw; none where its events are gone."""
    with store.reading() as session:
        review = session.get(ReviewRow, review_id)
        rows = session.scalars(select(FindingRow).where(FindingRow.review_id == review_id, FindingRow.current)).all()
        flagged = {finding_of(row).finding.round for row in rows}
        path = Path(review.folder) / "events.jsonl" if review is not None else None
    if path is None or not path.exists():
        return []
    spans: dict[int, list[float]] = defaultdict(list)
    for event in read_events(path).events:
        if event.round is not None:
            spans[event.round] += [event.t_start, event.t_end]
    return [
        Round(review_id=review_id, number=number, t_start=min(times), t_end=max(times), flagged=number in flagged)
        for number, times in sorted(spans.items())
    ]


def next_round(store: Store, person: Person, review_id: str) -> Round | None:
    """Return the round that this person judges next, the same after a reload; None when all were judged."""
    require(person, Act.WATCH)
    query = select(SampleRow.round).where(SampleRow.review_id == review_id, SampleRow.person == person.name)
    with store.reading() as session:
        done = set(session.scalars(query))
    left = [one for one in rounds_of(store, review_id) if one.number not in done]
    if not left:
        return None
    draw = random.Random(f"{person.name}/{review_id}/{len(done)}")
    wants_flagged = draw.random() < _FLAGGED_SHARE
    fitting = [one for one in left if one.flagged == wants_flagged] or left
    return draw.choice(fitting)


def answer(store: Store, person: Person, shown: Round, said: Answer, note: str) -> None:
    """Keep what a person says of a round that was shown blind; once only."""
    require(person, Act.WATCH)
    if said not in ANSWERS:
        raise BadInput("answer", f"is {said[:20]!r}", f"choose one of {', '.join(ANSWERS)}")
    if said == "deviation" and not note.strip():
        raise BadInput("note", "is empty", "say what was not right")
    row = SampleRow(
        review_id=shown.review_id,
        round=shown.number,
        t_start=shown.t_start,
        t_end=shown.t_end,
        flagged=shown.flagged,
        person=person.name,
        answer=said,
        note=note.strip()[:2000],
        answered_at=store.now(),
    )
    subject = f"review/{shown.review_id}"
    with store.acting(person.name, "blind_sample", subject, {"round": shown.number, "said": said}) as session:
        session.add(row)
        try:
            session.flush()
        except IntegrityError as error:
            raise BadInput(f"round {shown.number}", "was judged by you before", "take the next one") from error


def misses(store: Store, person: Person, site: str | None = None) -> Misses:
    """How many unflagged rounds had a deviation after all, over all blind answers (of one site)."""
    require(person, Act.READ)
    query = select(SampleRow.answer).join(ReviewRow, ReviewRow.id == SampleRow.review_id).where(~SampleRow.flagged)
    if site is not None:
        query = query.where(ReviewRow.site == site)
    with store.reading() as session:
        said = [one for one in session.scalars(query) if one != "cannot_tell"]
    return interval(sum(one == "deviation" for one in said), len(said))


def interval(missed: int, judged: int) -> Misses:
    """Clopper and Pearson's exact interval (1934) for a share."""
    tail = (1 - _LEVEL) / 2
    low = float(beta.ppf(tail, missed, judged - missed + 1)) if missed else 0.0
    high = float(beta.ppf(1 - tail, missed + 1, judged - missed)) if missed < judged else 1.0
    return Misses(judged=judged, missed=missed, low=low, high=high)
