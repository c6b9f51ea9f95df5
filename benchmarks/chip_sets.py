"""Measures how chips of sets for home and club are found and read, on tables that no model was trained on.

    python benchmarks/chip_sets.py --pictures 400

The unseen pictures of `verifier evaluate` (other seeds) with other chips: faces whose wide print hides the body
(`render.chip_prints`), of designs and fonts that no training shows. A chip is found where one is seen nearer to its
middle than half of its radius. Prints a Markdown table by true colour, and what the wrong ones were told as.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from pathlib import Path

from coins import answer

from verifier.simulate.render.look import SETS, Look
from verifier.train.cases import cases
from verifier.train.evaluation_samples import Setup, look_at
from verifier.train.unseen import make
from verifier.vision.fitting import side_for
from verifier.vision.readers import COLOURS

FIRST_SEED = 6_100_000


def dressed(look: Look) -> Look:
    """Return the same table with a set's chips."""
    return replace(look, maker=SETS + look.maker)


def main() -> None:
    """Read the command line and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--models", type=Path)
    options = parser.parse_args()
    detection = Setup(models=options.models).open()
    told: Counter[tuple[str, str]] = Counter()
    for case in cases(options.pictures, FIRST_SEED):
        picture = make(case, dress=dressed)
        seen, _, _ = look_at(picture.image, detection, side_for(picture.card, max(case.size)))
        told.update((chip.colour, answer(chip, seen.chips)) for chip in picture.truth.chips)
    print("| colour | in all | found | of these told right | most often told as |\n| -- | -- | -- | -- | -- |")
    for colour in (*COLOURS, "all"):
        rows = {pair: count for pair, count in told.items() if colour in (pair[0], "all")}
        found = {pair: count for pair, count in rows.items() if pair[1] != "-"}
        right = sum(count for (true, said), count in found.items() if true == said)
        wrong = Counter({f"{true}: {said}": count for (true, said), count in found.items() if true != said})
        most = ", ".join(f"{said} ({count})" for said, count in wrong.most_common(3))
        whole, seen_of = sum(rows.values()), sum(found.values())
        shares = f"{seen_of / max(1, whole):.3f} | {right / max(1, seen_of):.3f}"
        print(f"| {colour} | {whole} | {shares} | {most} |")


if __name__ == "__main__":
    main()
