"""Measures how half dollars that are coins are found and read, on tables that no model was trained on.

    python benchmarks/coins.py --pictures 400

The unseen pictures of `verifier evaluate` (other seeds) in which half dollars are coins instead of chips. A coin is
found where a chip is seen nearer to its middle than half of its radius; it should be told as of another colour than the
prescribed ones (`other`), which at a site with coins is worth fifty cents. Prints a Markdown table, and how often a
real chip is told so.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from verifier.domain.observations import ChipSeen
from verifier.simulate.scene import with_coins
from verifier.train.cases import cases
from verifier.train.evaluation_samples import Setup, look_at
from verifier.train.unseen import make
from verifier.vision.fitting import side_for

FIRST_SEED = 6_000_000


def main() -> None:
    """Read the command line and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--models", type=Path)
    options = parser.parse_args()
    evaluated = Setup(models=options.models).open()
    told: Counter[tuple[str, str]] = Counter()
    for case in cases(options.pictures, FIRST_SEED):
        picture = make(case, change=with_coins)
        seen, _, _ = look_at(picture.image, evaluated, side_for(picture.card, max(case.size)))
        for chip in picture.truth.chips:
            kind = "coin" if chip.cents == 50 and chip.colour == "other" else "chip"
            told[kind, answer(chip, seen.chips)] += 1
    print("| | in all | not found | told as fifty cents | told as white | told otherwise |")
    print("| -- | -- | -- | -- | -- | -- |")
    for kind in ("coin", "chip"):
        counts = Counter({said: count for (of, said), count in told.items() if of == kind})
        rest = counts.total() - counts["-"] - counts["other"] - counts["white"]
        print(f"| {kind}s | {counts.total()} | {counts['-']} | {counts['other']} | {counts['white']} | {rest} |")


def answer(chip: ChipSeen, seen: list[ChipSeen]) -> str:
    """Return the colour of the chip that was seen nearest to a true one's middle; "-" where none was near."""
    away = [(float(np.hypot(*np.subtract(one.center, chip.center))), one.colour) for one in seen]
    nearest, colour = min(away, default=(np.inf, "-"))
    return colour if nearest < chip.radius / 2 else "-"


if __name__ == "__main__":
    main()
