"""Times a mixed night and says what it means for more tables: `python benchmarks/night.py OUT [--minutes 16.6]`.

Makes the night of `night_material.py` once, runs `verifier batch` on it with two workers and prints seconds of
recording for a second on the wall, how busy the cores were, the memory of all its processes together, where the time
went, and the capacity that follows. `--engine ray` runs the same on a Ray cluster of this computer. `--kill SECONDS`
kills it after so many seconds, tells how much of the work under way was lost, and lets it end. With 16.6 minutes a
recording it is the night of the targets (two hours), to be run on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from night_material import make_night

NIGHT_H: Final = 10.0
"""Hours of a night in which recordings are reviewed."""
PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def made_night(out: Path, minutes: float) -> float:
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


def begin(out: Path, engine: str) -> subprocess.Popen[bytes]:
    """Begins the night in a process group of its own."""
    command = [
        str(Path(sys.executable).with_name("verifier")), "batch", str(out / "recordings"),
        "--workers", "2", "--engine", engine, "--metrics", str(out / "night.prom"), "--quiet",
    ]  # fmt: skip
    log = (out / "output.txt").open("wb")
    variables = {**os.environ, "VERIFIER_HOME": str(out / "home")}
    return subprocess.Popen(command, env=variables, stdout=log, stderr=log, start_new_session=True)


class Memory(threading.Thread):
    """Watches how much memory a process and all below it have in use together, shared pages counted once each."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid, self.most, self.done = pid, 0, False

    def run(self) -> None:
        """Looks every two seconds until `done`."""
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


def lost_at(out: Path, moment: float) -> dict[str, float]:
    """Seconds for which the tasks had run that were under way when the night was killed, by what they were."""
    running: dict[str, float] = {}
    for log in sorted((out / "home" / "logs").glob("*.jsonl")):
        for entry in map(json.loads, log.read_text().splitlines()):
            name = f"{entry.get('recording')} {entry.get('task', '')} {entry.get('from', '')}"
            if entry["event"] == "begun":
                running[name] = moment - datetime.fromisoformat(entry["at"]).timestamp()
            elif entry["event"] == "ended":
                done = f" {entry.get('from', '')}"
                ended = [n for n in running if n.startswith(str(entry["recording"])) and n.endswith(done)]
                for one in ended[:1]:
                    del running[one]
    return running


def busy_time() -> float:
    """Processor seconds of this machine that were not idle, since it was started."""
    user, nice, system, _, _, *rest = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:8])
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


def capacity(pace: float) -> None:
    """What a pace (seconds of recording for a second of two cores) means, if cores do not hinder each other."""
    for name, cores in (("one 2-core computer", 2), ("16 cores", 16), ("four nodes of 16 cores", 64)):
        hours = pace / 2 * cores * NIGHT_H
        print(f"{name:24} {hours:8.0f} table-hours in a night of {NIGHT_H:.0f} h")
    print(f"300 tables x 12 h need {300 * 12 / (pace / 2 * NIGHT_H):.0f} cores")


def run(out: Path, engine: str, kill: float | None) -> dict[str, Any]:
    """Runs the night; gives seconds on the wall, processor seconds of the machine, and the most memory."""
    began, busy = time.perf_counter(), busy_time()
    process = begin(out, engine)
    if kill is not None:
        time.sleep(kill)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for task, seconds in lost_at(out, time.time()).items():
            print(f"killed after {kill:.0f} s: {task} had run for {seconds:.1f} s")
        process = begin(out, engine)
    memory = Memory(process.pid)
    memory.start()
    code = process.wait()
    memory.done = True
    wall = time.perf_counter() - began
    return {
        "code": code,
        "wall": wall,
        "busy": (busy_time() - busy) / (os.cpu_count() or 1) / wall,
        "most": memory.most,
    }


def main() -> None:
    """Makes the night, runs it and prints what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=16.6)
    parser.add_argument("--engine", choices=["pool", "ray"], default="pool")
    parser.add_argument("--kill", type=float)
    parser.add_argument("--make-only", action="store_true")
    options = parser.parse_args()
    out = options.out.absolute()
    recorded = made_night(out, options.minutes)
    print(f"{recorded / 3600:.2f} h of recordings")
    if options.make_only:
        return
    shutil.rmtree(out / "home", ignore_errors=True)
    made = run(out, options.engine, options.kill)
    print(f"exit code {made['code']}: {made['wall'] / 60:.1f} min, {recorded / made['wall']:.2f} times real time")
    print(f"cores of this computer busy {made['busy']:.1%}, all processes together at most {made['most'] >> 20} MiB")
    print(
        "".join(line + "\n" for line in (out / "night.prom").read_text().splitlines() if "stage_seconds_total{" in line)
    )
    capacity(recorded / made["wall"])


if __name__ == "__main__":
    main()
