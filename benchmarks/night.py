"""Times a mixed night and says what it means for more tables: `python benchmarks/night.py OUT [--minutes 16.6]`.

Makes the recordings of `night_material.py` once, and runs `verifier batch` on them with two workers. The night (with
16.6 minutes a recording that of the targets, two hours) gives seconds of recording for a second on the wall, how busy
the cores were, the memory of all its processes together, where the time went, what a kill at any moment would have
repeated, and the capacity that follows. Then two short recordings are reviewed three times: by the pool of processes;
by it, killed in the middle and begun again, whose results must be the same; and by a Ray cluster of this computer. What
each recording cost, of both nights, shows how cost grows with length. For a machine that does nothing else: some 15
minutes on two cores. `--only night` or `--only short` for a part of it; the latter takes the costs of the night before.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Final, NamedTuple

from night_log import Cost, costs, print_costs, repeated_by_a_kill, runs_of, worked_span
from night_material import DARK, make_night, make_short

NIGHT_H: Final = 10.0
"""Hours of a night in which recordings are reviewed."""
SHORT_S: Final = 300.0
KILL_S: Final = 30.0
"""Seconds after which the short night is killed."""
PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Took(NamedTuple):
    """What a night took: seconds on the wall, processor seconds of its own and of the whole machine, bytes at most."""

    code: int
    wall: float
    own: float
    machine: float
    most: int


def recordings(out: Path, minutes: float) -> float:
    """Seconds of the recordings of so many minutes each; made unless they are there."""
    note = out / "recordings.json"
    if note.exists():
        known, seconds = json.loads(note.read_text())
        if known == minutes:
            return float(seconds)
    shutil.rmtree(out / "recordings", ignore_errors=True)
    seconds = make_night(out, minutes)
    note.write_text(json.dumps([minutes, seconds]))
    return seconds


class Memory(threading.Thread):
    """Watches how much memory a process and all below it have in use together, shared pages counted once each."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid, self.most, self.done = pid, 0, False

    def run(self) -> None:
        """Look every two seconds until `done`."""
        while not self.done:
            self.most = max(self.most, sum(_proportional(pid) for pid in _family(self._pid)))
            time.sleep(2.0)


def _family(pid: int) -> list[int]:
    try:
        children = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return [pid, *(one for child in children for one in _family(child))]


def _proportional(pid: int) -> int:
    """Bytes of a process's memory, of shared pages its part."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)


def busy_time() -> float:
    """Processor seconds of this machine that were not idle, since it was started."""
    user, nice, system, _, _, *rest = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:8])
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


def begin(places: Path, home: Path, engine: str) -> subprocess.Popen[bytes]:
    """Begin a night in a process group of its own."""
    command = [
        str(Path(sys.executable).with_name("verifier")),
        "batch",
        str(places),
        "--workers",
        "2",
        "--engine",
        engine,
        "--metrics",
        str(home / "night.prom"),
        "--quiet",
    ]
    home.mkdir(parents=True, exist_ok=True)
    log = (home / "output.txt").open("ab")
    return subprocess.Popen(
        command, env={**os.environ, "VERIFIER_HOME": str(home)}, stdout=log, stderr=log, start_new_session=True
    )


def run(places: Path, home: Path, engine: str = "pool", kill: float | None = None) -> Took:
    """Run a night in an empty data folder to its end; with `kill`, kill it after so many seconds and begin again."""
    shutil.rmtree(home, ignore_errors=True)
    began, busy = time.perf_counter(), busy_time()
    process = begin(places, home, engine)
    if kill is not None:
        time.sleep(kill)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        under_way = [time.time() - one.begin for one in runs_of(home) if one.end is None]
        print(f"killed after {kill:.0f} s: what was under way had run for {sum(under_way):.1f} s, all together")
        process = begin(places, home, engine)
    memory = Memory(process.pid)
    memory.start()
    _, status, used = os.wait4(process.pid, 0)
    memory.done = True
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    return Took(process.returncode, wall, used.ru_utime + used.ru_stime, busy_time() - busy, memory.most)


def results(home: Path) -> str:
    """Return a digest of all reviews: events, findings, clips and stills."""
    digest = hashlib.sha256()
    for file in sorted((home / "evidence").rglob("*.*")):
        digest.update(str(file.relative_to(home)).encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def capacity(pace: float) -> None:
    """Print what a pace (seconds of recording for a second of two cores) means, if cores do not hinder each other."""
    for name, cores in (("one 2-core computer", 2), ("16 cores", 16), ("four machines of 16 cores", 64)):
        print(f"{name:26} {pace / 2 * cores * NIGHT_H:8.0f} table-hours in a night of {NIGHT_H:.0f} h")
    print(f"300 tables x 12 h need {300 * 12 / (pace / 2 * NIGHT_H):.0f} cores")


def the_night(out: Path, minutes: float) -> list[Cost]:
    """Run the mixed night; give what its recordings cost."""
    recorded, home = recordings(out, minutes), out / "home"
    took = run(out / "recordings", home)
    runs = runs_of(home)
    most, mean = repeated_by_a_kill(runs)
    print(
        f"{recorded / 3600:.2f} h of recordings, exit code {took.code}: {took.wall / 60:.1f} min, "
        f"{recorded / took.wall:.2f} times real time overall"
    )
    print(f"processor seconds for a second of recording {took.own / recorded:.3f}")
    print(
        f"cores of this computer busy {took.machine / (os.cpu_count() or 1) / took.wall:.1%}, "
        f"by the night itself {took.own / (os.cpu_count() or 1) / took.wall:.1%}"
    )
    print(f"all processes together at most {took.most >> 20} MiB")
    print(f"a kill at any moment would have repeated at most {most:.1f} s of watching, {mean:.1f} s on average")
    print("".join(f"{line}\n" for line in (home / "night.prom").read_text().splitlines() if "total{" in line))
    capacity(recorded / took.wall)
    return costs(home, runs)


def short_nights(out: Path) -> list[Cost]:
    """Run the short night by pool, killed, and by Ray; give what its recordings cost the pool."""
    places, homes = make_short(out, SHORT_S), {name: out / f"home-{name}" for name in ("pool", "killed", "ray")}
    took = {
        "pool": run(places, homes["pool"]),
        "killed": run(places, homes["killed"], kill=KILL_S),
        "ray": run(places, homes["ray"], engine="ray"),
    }
    spans = {name: worked_span(runs_of(home)) for name, home in homes.items()}
    for name, one in took.items():
        print(
            f"short night, {name}: exit code {one.code}, {one.wall:.1f} s on the wall, {spans[name]:.1f} s from the "
            f"first task to the last, results {results(homes[name])}"
        )
    print(f"what the kill cost: {spans['killed'] - spans['pool']:.1f} s on the wall, starting anew included")
    print(
        f"Ray takes {spans['ray'] / spans['pool']:.3f} times as long as the pool from first task to last, "
        f"{took['ray'].wall / took['pool'].wall:.3f} times with starting and the report"
    )
    return costs(homes["pool"], runs_of(homes["pool"]))


def kept_costs(home: Path) -> list[Cost]:
    """Return what the recordings of a night that was run before cost; nothing where there was none."""
    return costs(home, runs_of(home)) if (home / "verifier.sqlite").exists() else []


def main() -> None:
    """Make the recordings, run the nights and print what they took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=16.6)
    parser.add_argument("--only", choices=["night", "short"])
    parser.add_argument("--make-only", action="store_true")
    options = parser.parse_args()
    out = options.out.absolute()
    if options.make_only:
        recordings(out, options.minutes)
        make_short(out, SHORT_S)
        return
    known = the_night(out, options.minutes) if options.only != "short" else kept_costs(out / "home")
    known += short_nights(out) if options.only != "night" else []
    print_costs(known, DARK)


if __name__ == "__main__":
    main()
