"""Which recordings come first: by the manifest, by flagged shifts, by the six-week review of a low percent-of-hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date

import msgspec
from msgspec import Struct

from verifier.review.documents.hold import HoldReport, hold_report, review_plan
from verifier.review.documents.quarters import quarter_before, quarter_days
from verifier.review.pipeline.places import place_of
from verifier.review.pipeline.values import PRIORITIES, Source
from verifier.review.weeks import week_days
from verifier.store.night.flags import flagged_shifts
from verifier.store.papers import Papers
from verifier.store.repository import Store

GAME = "twenty-one"
Rank = Callable[[Source, str | None], int]
"""The place of a source among PRIORITIES, with the clock of its first picture as far as it is known."""


def told_rank(source: Source, clock: str | None) -> int:
    """Return the priority of the manifest alone."""
    return PRIORITIES.index(source.priority)


class Urgent(Struct, frozen=True, kw_only=True):
    """What the store says on a day: flagged shifts (site, table, day), their recordings, and sites under review."""

    shifts: frozenset[tuple[str | None, str | None, str | None]] = frozenset()
    paths: frozenset[str] = frozenset()
    low_sites: frozenset[str] = frozenset()

    def rank(self, source: Source, clock: str | None) -> int:
        """Return the more urgent of the ranks that the manifest and the store give."""
        return min(told_rank(source, clock), self._known(source, clock))

    def _known(self, source: Source, clock: str | None) -> int:
        if source.path in self.paths:
            return PRIORITIES.index("flagged")
        if not self.shifts and not self.low_sites:
            return PRIORITIES.index("normal")
        site, table = place_of(source)
        if clock is not None and (site, table, clock[:10]) in self.shifts:
            return PRIORITIES.index("flagged")
        return PRIORITIES.index("six_week" if site in self.low_sites else "normal")


def urgent_now(store: Store, today: date) -> Urgent:
    """Return what the store says today. Raises BadInput if the database does not answer."""
    flagged = flagged_shifts(store)
    return Urgent(
        shifts=frozenset((one.site, one.table, one.day) for one in flagged if one.day is not None),
        paths=frozenset(one.path for one in flagged if one.path),
        low_sites=frozenset(_under_review(store, today)),
    )


def _under_review(store: Store, today: date) -> Iterable[str]:
    """Sites whose six weeks of review (99-01.3-08-04(8)) run today, by the figures of the last two quarters."""
    before = quarter_before(today)
    for quarter in (before, quarter_before(quarter_days(before)[0])):
        report = hold_report(store, quarter, today)
        low = {duty.site for duty in report.duties if duty.game == GAME and duty.site in report.plan}
        yield from (site for site in low if _runs(store, site, quarter, today))


def _runs(store: Store, site: str, quarter: str, today: date) -> bool:
    known = _determined(store, site, quarter)
    return known <= today <= week_days(review_plan(store, site, known)[-1].week)[1]


def _determined(store: Store, site: str, quarter: str) -> date:
    """When a figure became known: as its newest document says, else the day on which its last part was entered."""
    for document in Papers(store).documents("hold", period=quarter):
        report = msgspec.json.decode(document.body, type=HoldReport)
        if site in report.plan:
            return date.fromisoformat(report.determined)
    first, last = quarter_days(quarter)
    figures = Papers(store).figures(first.isoformat(), last.isoformat(), site)
    return max((last, *(date.fromisoformat(one.entered_at[:10]) for one in figures)))
