"""The queue of reviews: those that people asked for, which a runner process works off, and the night shifts at work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from verifier.domain.errors import BadInput
from verifier.store.queue_rows import OrderedReviewRow
from verifier.store.repository import Store

OrderState = Literal["waiting", "running", "night", "done", "failed", "cancelled"]
"""`running` is at the runner, `night` at a night shift."""
OPEN_STATES: tuple[OrderState, ...] = ("waiting", "running", "night")


class Ordered(Struct, frozen=True, kw_only=True):
    """A review that `asked_by` asked for. `order` and `progress` are JSON; `cancelled` asks the runner to stop it."""

    id: int
    state: OrderState
    asked_by: str
    asked_at: str
    order: str
    progress: str
    cancelled: bool
    changed_at: str


Free = Callable[[Ordered, Sequence[Ordered]], bool]
"""Whether an order may begin while those night shifts are at work."""


class ReviewQueue:
    """The queue of a store: first asked, first done."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, order: str, actor: str, subject: str) -> int:
        """Add an order (JSON) and give its number."""
        with self._store.acting(actor, "review_asked", subject[:120]) as session:
            now = self._store.now()
            row = OrderedReviewRow(
                state="waiting",
                asked_by=actor,
                asked_at=now,
                order=order,
                progress="{}",
                cancelled=False,
                changed_at=now,
            )
            session.add(row)
            session.flush()
            return row.id

    def orders(self, *, limit: int = 50) -> list[Ordered]:
        """Orders, the newest first."""
        with self._store.reading() as session:
            query = select(OrderedReviewRow).order_by(OrderedReviewRow.id.desc()).limit(limit)
            return [_ordered(row) for row in session.scalars(query)]

    def open_orders(self) -> list[Ordered]:
        """Orders that wait or run, the oldest first."""
        with self._store.reading() as session:
            query = select(OrderedReviewRow).where(OrderedReviewRow.state.in_(OPEN_STATES))
            return [_ordered(row) for row in session.scalars(query.order_by(OrderedReviewRow.id))]

    def order(self, number: int) -> Ordered | None:
        """One order; None where there is none of that number."""
        with self._store.reading() as session:
            row = session.get(OrderedReviewRow, number)
            return None if row is None else _ordered(row)

    def take(self, free: Free = lambda order, nights: True) -> Ordered | None:
        """Take the next order that waits and is free to begin, and mark it as running; None where there is none."""
        with self._store.writing() as session:
            nights = [_ordered(row) for row in session.scalars(_in_state("night"))]
            rows = session.scalars(_in_state("waiting"))
            row = next((one for one in rows if free(_ordered(one), nights)), None)
            if row is None:
                return None
            row.state, row.cancelled, row.changed_at = "running", False, self._store.now()
            session.flush()
            return _ordered(row)

    def give_back(self) -> None:
        """Orders whose runner has died wait again; called by a runner that has just taken the lease."""
        with self._store.writing() as session:
            for row in session.scalars(select(OrderedReviewRow).where(OrderedReviewRow.state == "running")):
                row.state = "cancelled" if row.cancelled else "waiting"

    def begin_night(self, order: str, actor: str, subject: str) -> tuple[int, list[Ordered]]:
        """Add a night shift at work; give its number, and the orders that the runner has in hand just now.

        Called by the holder of the night's lease: night shifts that stand there still have died.
        """
        with self._store.acting(actor, "review_asked", subject[:120]) as session:
            for dead in session.scalars(_in_state("night")):
                dead.state = "cancelled"
            now = self._store.now()
            row = OrderedReviewRow(
                state="night", asked_by=actor, asked_at=now, order=order, progress="{}", cancelled=False, changed_at=now
            )
            session.add(row)
            session.flush()
            return row.id, [_ordered(one) for one in session.scalars(_in_state("running"))]

    def tell(self, number: int, progress: str, state: OrderState | None = None) -> bool:
        """Write down how far an order is, and what became of it; tell whether it is to be stopped."""
        with self._store.writing() as session:
            row = session.get_one(OrderedReviewRow, number)
            row.progress, row.changed_at = progress, self._store.now()
            row.state = row.state if state is None else state
            return row.cancelled

    def cancel(self, number: int, actor: str) -> None:
        """Stop an order: one that waits at once, one that runs as soon as its runner sees it."""
        with self._store.acting(actor, "review_stopped", f"order/{number}") as session:
            row = _open(session, number, OPEN_STATES)
            row.cancelled, row.changed_at = True, self._store.now()
            if row.state == "waiting":
                row.state = "cancelled"

    def go_on(self, number: int, actor: str) -> None:
        """Let an order that was stopped, or failed, go on where it was."""
        with self._store.acting(actor, "review_asked", f"order/{number}") as session:
            row = _open(session, number, ("cancelled", "failed"))
            row.state, row.cancelled, row.changed_at = "waiting", False, self._store.now()


def _in_state(state: OrderState) -> Select[OrderedReviewRow]:
    """Rows in a state, the oldest first."""
    return select(OrderedReviewRow).where(OrderedReviewRow.state == state).order_by(OrderedReviewRow.id)


def _open(session: Session, number: int, states: tuple[OrderState, ...]) -> OrderedReviewRow:
    row = session.get(OrderedReviewRow, number)
    if row is None or row.state not in states:
        raise BadInput(f"review {number}", "has ended or changed meanwhile", "look at the list again")
    return row


def _ordered(row: OrderedReviewRow) -> Ordered:
    fields: dict[str, object] = {name: getattr(row, name) for name in Ordered.__struct_fields__}
    return msgspec.convert(fields, Ordered)
