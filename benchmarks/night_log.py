"""Reads from a night's log what its tasks took, what a kill would have repeated, and what a length costs."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import av
import numpy as np

_REVIEWED = """
select id, video_path, case when reviewed_seconds > 60 then reviewed_seconds else duration end
from reviews where duration > 0
"""


class Run(NamedTuple):
    """One attempt at a task: seconds since 1970 from `begin` to `end`; `end` None where it was killed."""

    recording: str
    task: str
    begin: float
    end: float | None


class Cost(NamedTuple):
    """A recording: its width in pixels, its seconds that could be watched, and how many seconds workers were at it."""

    path: str
    width: int
    seconds: float
    worked: float


def runs_of(home: Path) -> list[Run]:
    """All attempts at tasks in the logs of a data folder, in order of their beginning."""
    under_way: dict[tuple[str, Any], tuple[str, float]] = {}
    runs = []
    for entry in _entries(home):
        key, at = (entry["recording"], entry.get("from")), datetime.fromisoformat(entry["at"]).timestamp()
        if entry["event"] == "begun":
            if key in under_way:  # begun again after a kill
                runs.append(Run(key[0], *under_way[key], None))
            under_way[key] = entry["task"], at
        elif key in under_way and (entry["event"] == "ended" or entry["event"].startswith("failed")):
            runs.append(Run(key[0], *under_way.pop(key), at))
    runs += [Run(recording, *task, None) for (recording, _), task in under_way.items()]
    return sorted(runs, key=lambda run: run.begin)


def _entries(home: Path) -> Iterator[dict[str, Any]]:
    for log in sorted((home / "logs").glob("*.jsonl")):
        yield from (entry for line in log.read_text().splitlines() if (entry := json.loads(line)).get("recording"))


def worked_span(runs: Sequence[Run]) -> float:
    """Seconds from the first task's beginning to the last one's end."""
    return max(run.end for run in runs if run.end is not None) - runs[0].begin


def repeated_by_a_kill(runs: Sequence[Run]) -> tuple[float, float]:
    """Most and mean seconds, over all moments, for which the segments then under way had been watched, all together."""
    watched = [run for run in runs if run.task == "watch" and run.end is not None]
    moments = np.arange(watched[0].begin, max(run.end or 0.0 for run in watched))
    under_way = sum(
        np.where((moments >= run.begin) & (moments < (run.end or 0.0)), moments - run.begin, 0.0) for run in watched
    )
    return float(np.max(under_way)), float(np.mean(under_way))


def costs(home: Path, runs: Iterable[Run]) -> list[Cost]:
    """Return what each reviewed recording cost, in order of their paths."""
    worked: dict[str, float] = {}
    for run in runs:
        if run.end is not None:
            worked[run.recording] = worked.get(run.recording, 0.0) + run.end - run.begin
    with sqlite3.connect(home / "verifier.sqlite") as store:
        reviews = store.execute(_REVIEWED).fetchall()
    return sorted(
        Cost(path, _width(path), seconds, worked.get(name, 0.0) + worked.get(path, 0.0))
        for name, path, seconds in reviews
    )


def _width(path: str) -> int:
    with av.open(path) as container:
        return int(container.streams.video[0].width)


def print_costs(known: Sequence[Cost], dark: str) -> None:
    """Print each recording's cost, and for each width the line through them: seconds a recording, and a second of it.

    The one in a folder named `dark`, in which nothing is seen, is left out of the lines.
    """
    for cost in known:
        print(
            f"  {cost.path}: {cost.width} px, {cost.seconds:.0f} s, worked {cost.worked:.1f} s, "
            f"{cost.worked / cost.seconds:.4f} a second"
        )
    seen = sorted((cost for cost in known if Path(cost.path).parent.name != dark), key=lambda cost: cost.width)
    for width, some in itertools.groupby(seen, key=lambda cost: cost.width):
        group = list(some)
        lengths, worked = np.array([c.seconds for c in group]), np.array([c.worked for c in group])
        if np.ptp(lengths) > 0.2 * lengths.max():
            slope, fixed = np.polyfit(lengths, worked, 1)
            off = float(np.abs(worked - (slope * lengths + fixed)).max() / worked.max())
            print(
                f"{width} px, {len(group)} recordings of {lengths.min():.0f} to {lengths.max():.0f} s: "
                f"{fixed:.1f} s each and {slope:.4f} for each second; at most {off:.1%} off that line"
            )
