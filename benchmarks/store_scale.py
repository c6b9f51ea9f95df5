"""Fills a store with so many reviews and findings and times its list and report queries.

`python benchmarks/store_scale.py [URL] [--reviews 10000] [--findings 20]`; the default is an SQLite file in a temporary
folder that is removed. Prints a line a query: seconds on the wall and of this process, best of three.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import func, insert, select, text

from verifier.domain.findings import Finding
from verifier.law.catalogue import clauses
from verifier.review.people.roles import Person, Role
from verifier.review.queue import Filters, counts, page
from verifier.store.database import open_engine
from verifier.store.night.journal import Journal
from verifier.store.repository import Store
from verifier.store.room.urgency import urgency
from verifier.store.tables import FindingRow, ReviewRow

AT_ONCE = 2000
TABLES = 300


def review_rows(count: int) -> Iterator[dict[str, Any]]:
    """So many reviews of 300 tables at 60 sites, twelve hours each, day after day."""
    for number in range(count):
        day = f"2026-{1 + number // TABLES // 28:02d}-{1 + number // TABLES % 28:02d}"
        yield {
            "id": f"{number:012x}", "video_sha256": f"{number:064x}", "video_name": f"table{number % TABLES}.mp4",
            "site": f"{number % 60:04d}", "table_name": str(number % TABLES // 60), "play_date": day,
            "rulebook": "nd-twenty-one", "law_as_of": "2025-01-01", "folder": "/x", "duration": 43200.0,
            "reviewed_seconds": 43200.0, "coverage": 1.0, "gaps": "[]", "clock_start": f"{day}T12:00:00",
            "clock_end": f"{day}T23:59:59", "reviewed_at": f"{day}T23:59:59", "video_path": "",
        }  # fmt: skip


def finding_rows(reviews: int, each: int) -> Iterator[dict[str, Any]]:
    """So many findings of each review, of clauses and severities at random."""
    chance, known = random.Random(1), clauses("nd-twenty-one")
    for review in range(reviews):
        for seq in range(1, each + 1):
            clause = chance.choice(known)
            made = Finding(
                clause=clause.id, cite=clause.cite, title=clause.title,
                verdict=chance.choice(("violation", "undetermined")),
                severity=clause.severity, round=seq, at="space:3", t_start=seq * 60.0, t_end=seq * 60.0 + 5, clock=None,
                p=round(chance.random(), 2), expected=clause.requirement, observed="as seen", events=["e1"],
            )  # fmt: skip
            yield {
                "id": f"{review:012x}-{seq:04d}", "review_id": f"{review:012x}", "seq": seq,
                "digest": f"{review * each + seq:064x}", "current": True, "clause": clause.id, "verdict": made.verdict,
                "body": msgspec.json.encode(made).decode(), "clip": "clips/a.mp4", "stills": "[]",
                "urgency": urgency(made), "dealer": f"D{review % 90}", "origin": "software", "decision": "open",
            }  # fmt: skip


def fill(url: str, reviews: int, each: int) -> float:
    """Writes the rows; gives the seconds that took."""
    began, engine = time.perf_counter(), open_engine(url)
    for table, rows in ((ReviewRow, review_rows(reviews)), (FindingRow, finding_rows(reviews, each))):
        batch: list[dict[str, Any]] = []
        with engine.begin() as connection:
            for row in rows:
                batch.append(row)
                if len(batch) == AT_ONCE:
                    connection.execute(insert(table), batch)
                    batch.clear()
            if batch:
                connection.execute(insert(table), batch)
    with engine.begin() as connection:
        connection.execute(text("ANALYZE"))
    engine.dispose()
    return time.perf_counter() - began


def timed(name: str, call: Callable[[], object]) -> None:
    """Prints the best of three."""
    best = (9e9, 9e9)
    for _ in range(3):
        wall, own = time.perf_counter(), time.process_time()
        call()
        best = min(best, (time.perf_counter() - wall, time.process_time() - own))
    print(f"{name:44} {best[0]:7.3f} s  {best[1]:7.3f} s own", flush=True)


def main() -> None:
    """Fills the store and times the queries."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", nargs="?")
    parser.add_argument("--reviews", type=int, default=10_000)
    parser.add_argument("--findings", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VERIFIER_HOME"] = folder
        url = options.url or f"sqlite:///{Path(folder) / 'store.sqlite'}"
        print(f"filled in {fill(url, options.reviews, options.findings):.1f} s")
        store, journal = Store(url), Journal(url)
        person = Person(name="kim", full_name="Kim", role=Role.MANAGER)
        week = [f"{number:012x}" for number in range(35)]
        totals = select(FindingRow.clause, func.count()).group_by(FindingRow.clause)

        def by_clause() -> object:
            with store.reading() as session:
                return session.execute(totals).all()

        timed("all reviews (list)", store.reviews)
        timed("queue: first 50 by urgency", lambda: page(store, person, Filters(), skip=0, most=50))
        timed("queue: counts by decision", lambda: counts(store, person, Filters()))
        timed("findings of a table's week (35 reviews)", lambda: store.findings(week))
        timed("findings by clause (report)", by_clause)
        timed("journal: which of 10,000 jobs are done", lambda: journal.done([f"{n:064x}" for n in range(10_000)]))
        store.close()
        journal.close()


if __name__ == "__main__":
    main()
