"""The queue of findings that people work through: the most serious and most certain first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.findings import VERDICT_ORDER
from verifier.store.repository import Store
from verifier.store.values import DECISIONS, Decision, ReviewRecord, StoredFinding, VerdictRecord

OPEN = "open"
STATES = (OPEN, *DECISIONS)
_SEVERITY = {"critical": 0, "major": 1, "minor": 2}


class QueueItem(Struct, frozen=True, kw_only=True):
    """A finding with its review and everything that people said of it."""

    stored: StoredFinding
    review: ReviewRecord
    verdicts: list[VerdictRecord]

    @property
    def state(self) -> str:
        """The latest decision, or `open` while nobody decided."""
        return self.verdicts[-1].decision if self.verdicts else OPEN


class Filters(Struct, frozen=True, kw_only=True):
    """What to show; an empty choice shows everything."""

    sites: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()
    clauses: frozenset[str] = frozenset()
    verdicts: frozenset[str] = frozenset()
    states: frozenset[str] = frozenset()


def load_queue(store: Store) -> list[QueueItem]:
    """All findings of the newest reviews and all that people judged, in the order of work."""
    reviews = {review.id: review for review in store.reviews()}
    said: dict[str, list[VerdictRecord]] = {}
    for verdict in store.verdicts():
        said.setdefault(verdict.finding_id, []).append(verdict)
    items = [
        QueueItem(stored=stored, review=reviews[stored.review_id], verdicts=said.get(stored.id, []))
        for stored in store.findings()
        if stored.current or stored.id in said
    ]
    return sorted(items, key=_urgency)


def _urgency(item: QueueItem) -> tuple[object, ...]:
    finding = item.stored.finding
    return (
        VERDICT_ORDER[finding.verdict],
        finding.corrected,
        _SEVERITY[finding.severity],
        -round(finding.p, 2),
        item.stored.review_id,
        item.stored.seq,
    )


def chosen(items: Iterable[QueueItem], filters: Filters) -> list[QueueItem]:
    """The items that pass all filters, in their order."""

    def passes(item: QueueItem) -> bool:
        pairs = (
            (filters.sites, item.review.site or ""),
            (filters.tables, item.review.table or ""),
            (filters.clauses, item.stored.finding.clause),
            (filters.verdicts, item.stored.finding.verdict),
            (filters.states, item.state),
        )
        return all(not wanted or value in wanted for wanted, value in pairs)

    return [item for item in items if passes(item)]


def neighbours(items: Sequence[QueueItem], finding_id: str) -> tuple[str | None, str | None]:
    """The ids before and after a finding in the queue; None at its ends."""
    ids = [item.stored.id for item in items]
    if finding_id not in ids:
        return None, None
    place = ids.index(finding_id)
    return (ids[place - 1] if place else None), (ids[place + 1] if place + 1 < len(ids) else None)


def next_open(items: Sequence[QueueItem], finding_id: str) -> str | None:
    """The next finding after this one that nobody decided; begins again at the top; None when none is left."""
    ids = [item.stored.id for item in items]
    place = ids.index(finding_id) + 1 if finding_id in ids else 0
    turned = [*items[place:], *items[:place]]
    return next((item.stored.id for item in turned if item.state == OPEN and item.stored.id != finding_id), None)


def decide(store: Store, finding_id: str, decision: Decision, reviewer: str, note: str) -> VerdictRecord:
    """Writes a person's decision; raises BadInput where nobody signs it or a rejection gives no reason."""
    if not reviewer.strip():
        raise BadInput("reviewer", "is empty", "write your name or initials: a verdict needs a person")
    if decision == "rejected" and not note.strip():
        raise BadInput("note", "is empty", "say in a few words why the finding is rejected")
    return store.add_verdict(finding_id, decision, reviewer.strip(), note.strip())
