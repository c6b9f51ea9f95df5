"""Measures how chips of sets for home and club are found and read, on tables that no model was trained on.

    python benchmarks/chip_sets.py --pictures 400 [--enrolled]

The unseen pictures of `verifier evaluate` (other seeds) with other chips: faces whose wide print hides the body
(`render.chip_prints`), of designs and fonts that no training shows. A chip is found where one is seen nearer to its
middle than half of its radius. Prints a Markdown table by true colour, and what the wrong ones were told as.

`--enrolled` tells instead what a show of the table's chips brings: of each colour one chip of the picture counts as
shown, and all others of these colours are read with and without (`vision/table_chips.py`). Another table's chips, those
of the picture before, are tried too, as if nobody had noticed.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from coins import answer

from verifier.domain.doubt import SURE
from verifier.domain.enrolment import EnrolledChip
from verifier.domain.observations import ChipSeen
from verifier.simulate.render.look import SETS, Look
from verifier.train.cases import cases
from verifier.train.evaluation_samples import Setup, look_at
from verifier.train.unseen import make
from verifier.vision.crops import chip_crop
from verifier.vision.fitting import side_for
from verifier.vision.look_alikes import RING
from verifier.vision.readers import COLOURS
from verifier.vision.table_chips import TableChips

FIRST_SEED = 6_100_000


def dressed(look: Look) -> Look:
    """Return the same table with a set's chips."""
    return replace(look, maker=SETS + look.maker)


Chip = tuple[str, dict[str, float], np.ndarray]
"""Its true colour, its probabilities, and its median colour."""


def read_chips(image: np.ndarray, truth: Sequence[ChipSeen], seen: Sequence[ChipSeen]) -> Iterator[Chip]:
    """Yield the true chips of a picture that were found."""
    for chip in truth:
        near = [one for one in seen if math.dist(one.center, chip.center) <= chip.radius / 2]
        if near:
            found = max(near, key=lambda one: one.p)
            crop = chip_crop(image, found.center, found.radius, (16, 16))
            colour = np.median(cv2.cvtColor(crop, cv2.COLOR_BGR2LAB)[RING], axis=0)
            yield (
                chip.colour,
                {name: (found.colours or {found.colour: 0.995}).get(name, 0.001) for name in COLOURS},
                colour,
            )


def enrolled(pictures: Iterable[list[Chip]]) -> None:
    """Print how chips are read without a show, with one, and with that of another table."""
    told: dict[str, Counter[str]] = {name: Counter() for name in ("not shown", "shown", "another table's shown")}
    before: dict[str, EnrolledChip] = {}
    for chips in pictures:
        first = {true: number for number, (true, _, _) in reversed(list(enumerate(chips)))}
        shown = {true: EnrolledChip(colours=[tuple(chips[number][2])]) for true, number in first.items()}
        for number, (true, reading, colour) in enumerate(chips):
            if number == first[true]:
                continue
            told["not shown"][how(reading, true)] += 1
            told["shown"][how(TableChips(shown).weighed(reading, colour), true)] += 1
            other = TableChips(before).weighed(reading, colour) if before else reading
            told["another table's shown"][how(other, true)] += 1
        before = shown or before
    print("| | chips | right | surely, right | in doubt | surely, wrong |\n| -- | -- | -- | -- | -- | -- |")
    for name, counts in told.items():
        whole = max(1, counts.total())
        right = counts["surely, right"] + counts["in doubt, right"]
        doubt = counts["in doubt, right"] + counts["in doubt, wrong"]
        shares = [right, counts["surely, right"], doubt, counts["surely, wrong"]]
        print(f"| {name} | {whole} | " + " | ".join(f"{share / whole:.3f}" for share in shares) + " |")


def how(reading: Mapping[str, float], true: str) -> str:
    """Return whether a reading is sure, and right."""
    name, p = max(reading.items(), key=lambda item: item[1])
    return f"{'surely' if p >= SURE else 'in doubt'}, {'right' if name == true else 'wrong'}"


def main() -> None:
    """Read the command line and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--enrolled", action="store_true", help="what a show of the table's chips brings")
    options = parser.parse_args()
    detection = Setup(models=options.models).open()
    if options.enrolled:
        made = (make(case, dress=dressed) for case in cases(options.pictures, FIRST_SEED))
        looked = ((one, look_at(one.image, detection, side_for(one.card, max(one.image.shape)))[0]) for one in made)
        enrolled(list(read_chips(one.image, one.truth.chips, seen.chips)) for one, seen in looked)
        return
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
