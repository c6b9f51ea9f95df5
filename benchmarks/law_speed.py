"""How long the law takes against the length of a log, and how much memory, on one core.

    python benchmarks/law_speed.py --rounds 150 600 1200

Each length runs in a process of its own. A log of 600 rounds and more is a shift of about eight hours.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
FEWEST_CARDS = 120


def measure(rounds: int) -> str:
    """Make a lawful log of that many rounds and judge it: events, seconds, MiB above the empty process."""
    sys.path.insert(0, str(ROOT / "tests" / "law"))
    import msgspec
    from law_build import Log, Writer, opening, some_stakes

    from verifier.domain.house import House
    from verifier.engine.deal import Shoe, play_round
    from verifier.engine.strategy import sensible
    from verifier.law.judge import judge

    rng = random.Random(5)
    log = opening(Log())
    house = msgspec.convert(log.house, House)
    shoe = Shoe(rng, 6)
    for number in range(1, rounds + 1):
        if shoe.remaining < FEWEST_CARDS:
            shoe = Shoe(rng, 6)
            log.add("indicator_card", action="appeared", cards_remaining=60)
            log.shoe = (log.shoe or 1) + 1
            log.add("shuffle", 60.0, method="hand", scope="all")
            log.add("cut", by="player", depth_cards=100)
            log.add("card_burned", card="??", face_shown=False)
        Writer(log, play_round(shoe, some_stakes(rng), house, rng, sensible)).write(number)
    built = log.build()
    start = time.process_time()
    report = judge(built)
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    count = len(built.events)
    each = seconds / count * 1e6
    return f"| {rounds} | {count} | {seconds:.2f} | {each:.0f} | {memory} | {len(report.findings)} |"


def main() -> None:
    """Print a table of the lengths asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, nargs="+", default=[150, 300, 600, 1200])
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        print(measure(chosen.one))
        return
    print("| rounds | events | seconds | µs an event | MiB | findings |\n|---|---|---|---|---|---|", flush=True)
    for rounds in chosen.rounds:
        subprocess.run([sys.executable, __file__, "--one", str(rounds)], check=True)


if __name__ == "__main__":
    main()
