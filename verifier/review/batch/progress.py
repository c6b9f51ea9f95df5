"""Shows a night's progress: a bar for each table and one for all on a terminal, a line a minute elsewhere."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, TaskID, TextColumn
from rich.progress import Progress as Bars
from rich.text import Text

from verifier.domain.names import shown
from verifier.formats.console import Console
from verifier.formats.console import console as plain_console
from verifier.review.batch.steps import Place
from verifier.review.batch.tally import Tally

EVERY_S = 60.0


class Progress:
    """Tells on stderr how far the night is; `quiet` tells nothing."""

    def __init__(self, quiet: bool = False, console: Console | None = None) -> None:
        self._console = console or plain_console(stderr=True, highlight=False, quiet=quiet)
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
        self._bars = Bars(*columns, console=self._console)
        self._whole = self._bars.add_task("all tables", total=None)
        self._tables: dict[Place, TaskID] = {}
        self._line = Text("Looking at the recordings")
        self._live = Live(Group(self._bars, self._line), console=self._console, refresh_per_second=2)
        self._due = 0.0

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def __call__(self, tally: Tally) -> None:
        if self._console.is_terminal:
            self._move(tally)
        elif time.monotonic() >= self._due:
            self._due = time.monotonic() + EVERY_S
            self._console.print(progress_line(tally), soft_wrap=True)

    def _move(self, tally: Tally) -> None:
        """Move the bar of each table, and the bar of all tables, whose text tells pace and time left."""
        for place, table in sorted(tally.tables.items(), key=lambda one: tuple(map(str, one[0]))):
            if table.planned and place not in self._tables:
                self._tables[place] = self._bars.add_task(escape(_table(place)))
            if place in self._tables:
                self._bars.update(self._tables[place], total=table.planned, completed=table.done + table.running)
        self._bars.update(self._whole, total=tally.planned or None, completed=tally.seen)
        self._line.plain = progress_line(tally)


def _table(place: Place) -> str:
    site, table = place
    return "no table known" if site is None and table is None else shown(f"site {site or '?'}, table {table or '?'}")


def progress_line(tally: Tally) -> str:
    """Return the night in one line."""
    if not tally.planned and not tally.skipped and not tally.stored:
        return f"Looking at {tally.files} recordings"
    parts = [f"{_hours(tally.seen)} of {_hours(tally.planned)} watched"]
    if tally.looked_at < tally.files:
        parts[0] += f" in the first {tally.looked_at} of {tally.files} recordings"
    if tally.before:
        parts.append(f"{_hours(tally.before)} already watched in an earlier run")
    if tally.pace is not None:
        parts.append(f"{tally.pace:.1f} times real time")
    if tally.remaining:
        parts.append(f"about {_span(tally.remaining)} left")
    parts.append(f"{tally.stored} reviews stored, {tally.skipped} made before, {tally.failed} failed")
    return ", ".join(parts)


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.1f} min"


def _span(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes // 60} h {minutes % 60:02d} min" if minutes >= 60 else f"{minutes} min"
