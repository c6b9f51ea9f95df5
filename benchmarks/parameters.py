"""What each number that decides in `verifier/reconstruct` does to the score, moved by a fifth up and down.

    python benchmarks/rounds.py --recordings 20 --level each --rounds 4 --first-seed N --keep out/stored
    python benchmarks/parameters.py out/stored --out out/parameters [--processes 2] [--minutes 60]
    python benchmarks/parameters.py out/stored --out out/parameters --write

Takes stored observations with their truth (benchmarks/rounds.py `--keep`, benchmarks/accuracy.py). It tells first which
parameters are read at all, recording by recording: one that is not read there cannot move anything. The others are
moved some together; a group whose events stay as they were is done, one whose events change is halved. Parameters that
change events by themselves are scored in the end. `--out` keeps what was measured, and a further call goes on from it;
`--write` makes docs/reconstruction-parameters.md from the parameters and from what was measured.

Counts move by a fifth, at least by one; a probability that a fifth would take to 1 or above moves a fifth of the way to
1. What the law fixes (origin: law) is not moved.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import multiprocessing
import re
import sys
import time
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from msgspec.structs import replace

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "verifier" / "reconstruct" / "parameters"
PAGE = ROOT / "docs" / "reconstruction-parameters.md"
PACKAGE = "verifier.reconstruct"
ROOMS = ("rounds", "table", "resting", "hands", "cards", "money", "between", "poker")
PART = 0.2
"""By which part of itself a parameter is moved."""
GROUP = 8
"""Parameters that are moved together at first."""
FIGURES = ("found", "false", "undetermined", "events")
MOVES = "events change"
KINDS = ("score changes", "same score", MOVES, "same events", "not read", "law", "-")
TOLERANCES = "tolerances"
UNITS = {
    "_MM_S": "mm/s", "_S": "s", "_MM": "mm", "_PX": "px", "_DEGREES": "degrees", "_HZ": "Hz", "_CENTS": "cents",
    "_P": "probability", "_ODDS": "log odds", "_SHARE": "share", "_LOOKS": "looks", "_RADII": "radii",
}  # fmt: skip


class Parameter(NamedTuple):
    """A number that decides, as it stands in its module: `value` as it is written there."""

    room: str
    name: str
    value: str
    meaning: str

    @property
    def unit(self) -> str:
        """By the end of its name."""
        return next((unit for end, unit in UNITS.items() if self.name.endswith(end)), "")

    @property
    def origin(self) -> str:
        """What its meaning says of it; else it is a choice."""
        told = re.search(r"Origin: (.*?)\.?$", self.meaning, re.S)
        return " ".join(told[1].split()) if told else "choice"


def parameters() -> Iterator[Parameter]:
    """All parameters of the rooms in order; the meaning of those assigned together is told at each."""
    for room in ROOMS:
        source = (PLACE / f"{room}.py").read_text(encoding="utf-8")
        beside = {
            token.start[0]: token.string.lstrip("# ")
            for token in tokenize.generate_tokens(io.StringIO(source).readline)
            if token.type == tokenize.COMMENT
        }
        body = ast.parse(source).body
        for statement, after in zip(body, [*body[1:], None], strict=True):
            if not isinstance(statement, ast.Assign):
                continue
            below = after.value if isinstance(after, ast.Expr) else None
            text = below.value if isinstance(below, ast.Constant) else beside.get(statement.end_lineno or 0, "")
            target = statement.targets[0]
            names, values = (
                (target.elts, statement.value.elts)
                if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple)
                else ([target], [statement.value])
            )
            for name, value in zip(names, values, strict=True):
                yield Parameter(room, ast.unparse(name), ast.unparse(value), " ".join(str(text).split()))


def tolerances() -> Iterator[Parameter]:
    """Yield the fields of the two tables of tolerances, named `CARD_TOLERANCES.still`."""
    place = imported()
    for table in ("CARD_TOLERANCES", "CHIP_TOLERANCES"):
        of = getattr(place, table)
        for field in of.__struct_fields__:
            yield Parameter("table", f"{table}.{field}", repr(getattr(of, field)), "See `Tolerances`.")


def moved(name: str, value: Any, up: bool) -> Any:
    """Return the value a fifth higher or lower; of a tuple or a dictionary, each number."""
    if isinstance(value, dict):
        return {key: moved(name, one, up) for key, one in value.items()}
    if isinstance(value, tuple):
        return tuple(moved(name, one, up) for one in value)
    if isinstance(value, int):
        return value + (1 if up else -1) * max(1, round(PART * value))
    if up and name.endswith("_P") and value * (1 + PART) >= 1.0:
        return value + PART * (1.0 - value)
    return value * (1 + PART if up else 1 - PART)


def imported() -> ModuleType:
    """Import the module of tolerances alone, without its room's own import of all others."""
    if f"{PACKAGE}.parameters.{TOLERANCES}" not in sys.modules:
        stand_in = ModuleType(PACKAGE)
        stand_in.__path__ = [str(PLACE.parent)]  # type: ignore[attr-defined]
        sys.modules[PACKAGE] = stand_in
        import_module(f"{PACKAGE}.parameters.{TOLERANCES}")
        del sys.modules[PACKAGE]
    return sys.modules[f"{PACKAGE}.parameters.{TOLERANCES}"]


# What one process does: it moves the parameters before anything reads them, then reconstructs


class Job(NamedTuple):
    """Parameters to move, and the recordings to try them on in order; `base` holds what they give unmoved."""

    names: tuple[str, ...]
    up: bool
    folders: tuple[str, ...]
    base: str


def _move(names: Sequence[str], up: bool) -> None:
    place = imported()
    par = sys.modules[f"{PACKAGE}.parameters"]
    for name in names:
        table, _, field = name.partition(".")
        if field:
            of = getattr(place, table)
            setattr(place, table, replace(of, **{field: moved(field, getattr(of, field), up)}))
        else:
            setattr(par, name, moved(name, getattr(par, name), up))


def _same(job: Job) -> bool:
    """Tell whether all events stay as they were; the first recording whose events change ends it."""
    from verifier.formats.events import read_events
    from verifier.formats.house import read_house
    from verifier.formats.layout import read_layout
    from verifier.formats.observations import open_observations

    _move(job.names, job.up)
    reconstruct = import_module(f"{PACKAGE}.reconstruction").reconstruct
    for folder in map(Path, job.folders):
        seen = open_observations(folder / "review" / "observations.jsonl")
        try:
            log = reconstruct(seen, read_layout(folder / "layout.yaml"), read_house(folder / "house.yaml"), seen.header)
        except (ArithmeticError, LookupError, ValueError):
            return False
        if log.events != read_events(Path(job.base) / folder.name / "events.jsonl").events:
            return False
    return True


def _scores(job: Job) -> dict[str, int]:
    """Return the scores of the recordings. Without parameters to move, keep their events in `base`."""
    _move(job.names, job.up)
    replay = import_module("replay").replay
    sums = dict.fromkeys(FIGURES, 0)
    for folder in map(Path, job.folders):
        one = replay(folder, None if job.names else Path(job.base))[0]
        sums["found"] += sum(planted.outcome == "violation" for planted in one.deviations)
        sums["false"] += len(one.false_violations)
        sums["undetermined"] += one.undetermined
        sums["events"] += one.events_stated.matched - one.events_stated.missed - one.events_stated.invented
    return sums


def _read(folder: str) -> list[str]:
    """Return the parameters that are read in a recording."""
    from verifier.formats.house import read_house
    from verifier.formats.layout import read_layout
    from verifier.formats.observations import open_observations

    imported()
    par = sys.modules[f"{PACKAGE}.parameters"]
    read: set[str] = set()

    class Watched(ModuleType):
        def __getattribute__(self, name: str) -> Any:
            if name.isupper():
                read.add(name)
            return super().__getattribute__(name)

    par.__class__ = Watched
    at = Path(folder)
    seen = open_observations(at / "review" / "observations.jsonl")
    reconstruct = import_module(f"{PACKAGE}.reconstruction").reconstruct
    reconstruct(seen, read_layout(at / "layout.yaml"), read_house(at / "house.yaml"), seen.header)
    return sorted(read)


# The whole


class Results:
    """What was measured, kept as it comes."""

    def __init__(self, out: Path, folders: Sequence[str]) -> None:
        out.mkdir(parents=True, exist_ok=True)
        self._path = out / "parameters.json"
        self.kept: dict[str, Any] = json.loads(self._path.read_text()) if self._path.exists() else {}
        names = [Path(folder).name for folder in folders]
        if self.kept.setdefault("recordings", names) != names:
            raise SystemExit(f"{self._path}: measured on other recordings; give an empty --out")
        for key in ("read", "base", "up", "down"):
            self.kept.setdefault(key, {})

    def keep(self, key: str, name: str, value: Any) -> None:
        """One more result."""
        self.kept[key][name] = value
        self._path.write_text(json.dumps(self.kept, indent=1))


class Measuring:
    """Goes on with what was not measured yet. Each job has a process of its own, in which nothing was imported."""

    def __init__(self, results: Results, out: Path, processes: int, minutes: float, most: int) -> None:
        self._results, self._base, self._most = results, str(out / "base"), most
        self._processes, self._until = processes, time.monotonic() + 60 * minutes
        self._pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), max_tasks_per_child=1)
        self._where: dict[str, tuple[str, ...]] = {}

    def run(self, folders: Sequence[str], names: Sequence[str]) -> None:
        """Write what the recordings give with no parameter moved and what is read in them, then go on group by
        group.
        """
        kept = self._results.kept
        with ThreadPoolExecutor(self._processes) as threads:
            list(threads.map(self._told, [one for one in folders if Path(one).name not in kept["read"]]))
            told = sorted((one for one in folders if Path(one).name in kept["read"]), key=lambda one: -self._reads(one))
            told = told[: self._most or None]
            kept["moved"] = sorted(Path(one).name for one in told)
            list(threads.map(self._unmoved, [one for one in told if Path(one).name not in kept["base"]]))
            for name in names:
                reading = [one for one in told if "." in name or name in kept["read"][Path(one).name]]
                self._where[name] = tuple(reading)
            groups = []
            for key in ("up", "down"):
                left = [name for name in names if self._where[name] and name not in kept[key]]
                groups += [(key, left[at : at + GROUP]) for at in range(0, len(left), GROUP)]
            list(threads.map(self._try, groups))
            moving = [(key, name) for key in ("up", "down") for name in names if kept[key].get(name) == MOVES]
            list(threads.map(self._score, moving))
        self._pool.shutdown()

    def _reads(self, folder: str) -> int:
        return len(self._results.kept["read"][Path(folder).name])

    def _told(self, folder: str) -> None:
        if time.monotonic() < self._until:
            self._results.keep("read", Path(folder).name, self._pool.submit(_read, folder).result())

    def _unmoved(self, folder: str) -> None:
        job = Job((), True, (folder,), self._base)
        self._results.keep("base", Path(folder).name, self._pool.submit(_scores, job).result())

    def _try(self, asked: tuple[str, list[str]]) -> None:
        """Halves a group until each of its parameters is told alone, or with others that change nothing either."""
        key, group = asked
        if time.monotonic() > self._until or not group:
            return
        folders = tuple(sorted({folder for name in group for folder in self._where[name]}))
        job = Job(tuple(group), key == "up", folders, self._base)
        if self._pool.submit(_same, job).result():
            for name in group:
                self._results.keep(key, name, None)
        elif len(group) > 1:
            self._try((key, group[: len(group) // 2]))
            self._try((key, group[len(group) // 2 :]))
        else:
            self._results.keep(key, group[0], MOVES)

    def _score(self, asked: tuple[str, str]) -> None:
        """By how much the sums over the recordings change, or what goes wrong."""
        key, name = asked
        if time.monotonic() > self._until:
            return
        folders = self._where[name]
        try:
            scores = self._pool.submit(_scores, Job((name,), key == "up", folders, self._base)).result()
        except (ArithmeticError, LookupError, ValueError) as error:
            self._results.keep(key, name, f"fails: {type(error).__name__}")
            return
        base = [self._results.kept["base"][Path(folder).name] for folder in folders]
        self._results.keep(key, name, {each: scores[each] - sum(one[each] for one in base) for each in FIGURES})
        print(f"{key:4} {name}: {self._results.kept[key][name]}", flush=True)


def page(kept: dict[str, Any]) -> str:
    """Return the table of all parameters as Markdown."""
    every = [*parameters(), *tolerances()]
    counted = {key: Counter(_kind(one, kept, key) for one in every) for key in ("up", "down")}
    lines = [
        "# Parameters of the reconstruction",
        "",
        "Made by `benchmarks/parameters.py` from `verifier/reconstruct/parameters/`, where every number that decides",
        "stands once; not to be edited by hand. Where the origin is *choice*, the number was weighed on simulated",
        "recordings.",
        "",
        f"Read in {len(kept['read'])} stored recordings: {', '.join(kept['read']) or 'none yet'}; moved on",
        f"{len(kept.get('moved', ()))} of them: {', '.join(kept.get('moved', ())) or 'none yet'}.",
        "*Not read*: the parameter decides nothing there. *Same events*: it was moved by a fifth, and they stay as",
        "they were. Else, by how much the sums over the recordings change: planted breaches found, false violations,",
        "undetermined findings, and events told right less those missed or invented (*same score*: none of them;",
        "*events change*: not scored yet). A dash: not measured yet, or not read where it was to be moved.",
        "",
        "| moved by | " + " | ".join(KINDS) + " |",
        "|" + " -- |" * (len(KINDS) + 1),
    ]
    for key, words in (("up", "+20 %"), ("down", "-20 %")):
        lines.append(f"| {words} | {' | '.join(str(counted[key][kind]) for kind in KINDS)} |")
    for room in ROOMS:
        lines += [
            "",
            f"## {room}",
            "",
            "| parameter | value | unit | meaning | origin | +20 % | -20 % |",
            "|" + " -- |" * 7,
        ]
        for one in every:
            if one.room == room:
                meaning = re.sub(r"\s*Origin: .*$", "", one.meaning).replace("|", "\\|")
                row = [f"`{one.name}`", one.value, one.unit, meaning, one.origin, _cell(one, kept, "up")]
                lines.append(f"| {' | '.join([*row, _cell(one, kept, 'down')])} |")
    return "\n".join([*lines, ""])


def _kind(one: Parameter, kept: dict[str, Any], key: str) -> str:
    if one.origin.startswith("law"):
        return "law"
    if one.name not in kept[key]:
        unread = kept["read"] and "." not in one.name and not any(one.name in names for names in kept["read"].values())
        return "not read" if unread else "-"
    found = kept[key][one.name]
    if found is None:
        return "same events"
    if found == MOVES:
        return MOVES
    return "same score" if isinstance(found, dict) and not any(found.values()) else "score changes"


def _cell(one: Parameter, kept: dict[str, Any], key: str) -> str:
    kind, found = _kind(one, kept, key), kept[key].get(one.name)
    if kind != "score changes":
        return kind
    return found if isinstance(found, str) else ", ".join(f"{name} {found[name]:+d}" for name in FIGURES if found[name])


def main() -> None:
    """Measures what is left to be measured, or writes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--out", type=Path, default=Path("out/parameters"))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--most", type=int, default=0, help="move them on so many recordings, those that read the most")
    parser.add_argument("--only", default="", help="parameters whose name contains this")
    parser.add_argument("--write", action="store_true", help="write the page of what was measured")
    asked = parser.parse_args()
    folders = sorted(str(path.parents[1]) for path in asked.work.glob("*/review/events.jsonl"))
    if not folders:
        raise SystemExit(f"{asked.work}: no stored observations there; make them with benchmarks/rounds.py --keep")
    sys.path.insert(0, str(ROOT))
    results = Results(asked.out, folders)
    if asked.write:
        PAGE.write_text(page(results.kept), encoding="utf-8")
        return
    every = [one for one in (*parameters(), *tolerances()) if not one.origin.startswith("law")]
    names = [one.name for one in every if asked.only in one.name]
    Measuring(results, asked.out, asked.processes, asked.minutes, asked.most).run(folders, names)


if __name__ == "__main__":
    main()
