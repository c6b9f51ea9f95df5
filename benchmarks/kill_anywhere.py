"""kill -9 at random moments of a second review, of storing and of exporting; everything kept is compared after each.

    python benchmarks/kill_anywhere.py [KILLS] [SEED]

Needs the folder `tests`. Prints how many kills met each step under way. Ends with an error where anything was lost,
falsified or left half done.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Kills so many times (default 50)."""
    sys.path.insert(0, str(ROOT / "tests"))
    from killing import kill_anywhere

    kills, seed = int((*sys.argv[1:2], "50")[0]), int((*sys.argv[2:3], "41")[0])
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        os.environ["VERIFIER_HOME"] = str(Path(name) / "home")
        met = kill_anywhere(Path(name) / "at", kills, seed)
    shown = ", ".join(f"{step} {count}" for step, count in met.items())
    print(f"{kills} kills, {met.total()} under way ({shown}), seed {seed}: nothing lost, nothing falsified")
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
