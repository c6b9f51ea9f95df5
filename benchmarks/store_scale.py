"""Fills a store with so many reviews, findings and events and times its list and report queries.

`python benchmarks/store_scale.py [URL] [--reviews 10000] [--findings 20] [--events 200]`; the default is an SQLite file
in a temporary folder that is removed. The numbers are for each review: 2 million events by default. As in the product,
events lie in a file beside each review, in that folder. Prints a line a query: seconds on the wall and of this process,
best of three.
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

from verifier.domain.events import CardDealt, EventsHeader
from verifier.domain.findings import Finding
from verifier.formats.events import read_events
from verifier.law.catalogue import clauses
from verifier.review.people.roles import Person, Role
from verifier.review.queue import Filters, choices, counts, next_open, page
from verifier.review.weekly import gather_week
from verifier.review.weekly_values import Answers
from verifier.store.database import open_engine
from verifier.store.night.journal import Journal
from verifier.store.repository import Store
from verifier.store.room.urgency import urgency
from verifier.store.tables import FindingRow, ReviewRow
from verifier.store.values import ReviewRecord

AT_ONCE = 2000
TABLES = 300
OF_SITE = Filters(sites=frozenset({"0007"}))


def event_log(count: int) -> bytes:
    """Return a log of so many events: one round after another."""
    fields: dict[str, Any] = {"p": 0.97, "source": "video"}
    lines = [msgspec.json.encode(EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one"))]
    for number in range(count):
        card = CardDealt(
            id=f"e{number:05d}",
            t_start=number * 2.0,
            t_end=number * 2.0 + 1,
            round=number // 20,
            card="Kh",
            to="space:3",
            face="up",
            seq=number % 20,
            **fields,
        )
        lines.append(msgspec.json.encode(card))
    return b"\n".join(lines) + b"\n"


def write_events(folder: Path, reviews: int, each: int) -> None:
    """Write the logs of so many reviews."""
    log = event_log(each)
    for number in range(reviews):
        own = folder / "evidence" / f"{number:012x}"
        own.mkdir(parents=True)
        (own / "events.jsonl").write_bytes(log)


def review_rows(count: int, folder: Path) -> Iterator[dict[str, Any]]:
    """So many reviews of 300 tables at 60 sites, twelve hours each, day after day."""
    for number in range(count):
        day = f"2026-{1 + number // TABLES // 28:02d}-{1 + number // TABLES % 28:02d}"
        yield {
            "id": f"{number:012x}",
            "video_sha256": f"{number:064x}",
            "video_name": f"table{number % TABLES}.mp4",
            "site": f"{number % 60:04d}",
            "table_name": str(number % TABLES // 60),
            "play_date": day,
            "rulebook": "nd-twenty-one",
            "law_as_of": "2025-01-01",
            "duration": 43200.0,
            "folder": str(folder / "evidence" / f"{number:012x}"),
            "reviewed_seconds": 43200.0,
            "coverage": 1.0,
            "gaps": "[]",
            "clock_start": f"{day}T12:00:00",
            "clock_end": f"{day}T23:59:59",
            "reviewed_at": f"{day}T23:59:59",
            "video_path": "",
        }


def finding_rows(reviews: int, each: int) -> Iterator[dict[str, Any]]:
    """So many findings of each review, of clauses and severities at random."""
    chance, known = random.Random(1), clauses("nd-twenty-one")
    for review in range(reviews):
        for seq in range(1, each + 1):
            clause = chance.choice(known)
            made = Finding(
                clause=clause.id,
                cite=clause.cite,
                title=clause.title,
                verdict=chance.choice(("violation", "undetermined")),
                severity=clause.severity,
                round=seq,
                at="space:3",
                t_start=seq * 60.0,
                t_end=seq * 60.0 + 5,
                clock=None,
                p=round(chance.random(), 2),
                expected=clause.requirement,
                observed="as seen",
                events=["e1"],
            )
            yield {
                "id": f"{review:012x}-{seq:04d}",
                "review_id": f"{review:012x}",
                "seq": seq,
                "digest": f"{review * each + seq:064x}",
                "current": True,
                "clause": clause.id,
                "verdict": made.verdict,
                "body": msgspec.json.encode(made).decode(),
                "clip": "clips/a.mp4",
                "stills": "[]",
                "urgency": urgency(made),
                "dealer": f"D{review % 90}",
                "origin": "software",
                "decision": "open",
            }


def fill(url: str, folder: Path, reviews: int, each: int) -> float:
    """Write the rows; give the seconds that took."""
    began, engine = time.perf_counter(), open_engine(url)
    for table, rows in ((ReviewRow, review_rows(reviews, folder)), (FindingRow, finding_rows(reviews, each))):
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
    """Run `call` three times and print the best time."""
    best = (9e9, 9e9)
    for _ in range(3):
        wall, own = time.perf_counter(), time.process_time()
        call()
        best = min(best, (time.perf_counter() - wall, time.process_time() - own))
    print(f"{name:44} {best[0]:7.3f} s  {best[1]:7.3f} s own", flush=True)


def main() -> None:
    """Fill the store and time the queries."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", nargs="?")
    parser.add_argument("--reviews", type=int, default=10_000)
    parser.add_argument("--findings", type=int, default=20)
    parser.add_argument("--events", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["VERIFIER_HOME"] = name
        url = options.url or f"sqlite:///{folder / 'store.sqlite'}"
        write_events(folder, options.reviews, options.events)
        print(f"filled in {fill(url, folder, options.reviews, options.findings):.1f} s")
        store, journal = Store(url), Journal(url)
        time_lists(store, journal)
        time_reports(store)
        store.close()
        journal.close()


def time_lists(store: Store, journal: Journal) -> None:
    """Time what the pages and the night ask for."""
    person = Person(name="kim", full_name="Kim", role=Role.MANAGER)
    timed("all reviews (list)", store.reviews)
    timed("queue: first 50 by urgency", lambda: page(store, person, Filters(), skip=0, most=50))
    timed("queue: 50 of a site from the 200th on", lambda: page(store, person, OF_SITE, skip=200, most=50))
    timed("queue: counts by decision", lambda: counts(store, person, Filters()))
    timed("queue: next open finding", lambda: next_open(store, person, Filters(), None))
    timed("queue: what can be filtered by", lambda: choices(store, person))
    timed("journal: which of 10,000 jobs are done", lambda: journal.done([f"{n:064x}" for n in range(10_000)]))


def time_reports(store: Store) -> None:
    """Time what documents are made of."""
    totals = select(FindingRow.clause, func.count()).group_by(FindingRow.clause)

    def by_clause() -> object:
        with store.reading() as session:
            return session.execute(totals).all()

    def week() -> list[ReviewRecord]:
        document = gather_week(store, "0007", "2026-W02", Answers())
        recordings = {table.sha256 for table in document.tables}
        return [review for review in store.reviews() if review.video_sha256 in recordings]

    of_week = week()
    timed("findings by clause", by_clause)
    timed(f"weekly document of a site ({len(of_week)} reviews)", week)
    timed("events of that week", lambda: [read_events(Path(one.folder) / "events.jsonl") for one in of_week])


if __name__ == "__main__":
    main()
