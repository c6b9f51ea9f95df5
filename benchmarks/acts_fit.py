"""Fits the log odds of a burned card (`verifier.reconstruct.between.declared`) on recordings whose truth is known.

    python benchmarks/rounds.py --recordings 80 --level each --rounds 3 --first-seed N --keep out/stored
    python benchmarks/acts_fit.py out/stored [--held-out out/others]

Reads what may be a burn in each stretch between rounds of stored observations, and compares it with the truth. The
weights are held to those that stand (`TIE`): what the recordings do not show stays as it is. The table tells how many
acts of each set are told, and how likely the truth is, under both.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from verifier.formats.events import read_events
from verifier.formats.house import read_house
from verifier.formats.layout import read_layout
from verifier.formats.observations import open_observations
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.acts import Reading, chance
from verifier.reconstruct.between.handled import burn_readings
from verifier.reconstruct.between.shuffles import shuffles_by_backs
from verifier.reconstruct.decoder import Reconstructor
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import Between

TIE: Final = 0.5
"""How strongly weights are held to those that stand, in nats for a difference of one."""
NEAR_S: Final = 1.0
"""A reading is of an act of the truth that was over by so long before it, or begins so soon after it."""

Rows = Mapping[str, Sequence[float]]
"""Log odds by trace and by how many looks show it."""


class Sample(NamedTuple):
    """How many looks show each trace, and whether there was such an act."""

    counts: Mapping[str, int]
    true: bool


CASES: Final = (
    Sample({"lies": 3, "carried": 0, "drawn": 0}, true=True),
    Sample({"lies": 2, "carried": 0, "drawn": 0}, true=False),
    Sample({"lies": 2, "carried": 0, "drawn": 1}, true=False),
    Sample({"lies": 1, "carried": 0, "drawn": 1}, true=False),
    Sample({"lies": 0, "carried": 2, "drawn": 1}, true=False),
    Sample({"lies": 0, "carried": 4, "drawn": 1}, true=True),
    Sample({"lies": 0, "carried": 0, "drawn": 1}, true=True),
)
"""A back in the holder that no hand brought, in three looks and in two; shoe and holder covered at once while print
passes for a back, twice; a hand that does so while covers are laid (seen in recording 1450022); a card that four looks
show in a hand, and one that no detector finds: cases of the tests."""


class Watching(Reconstructor):
    """A reconstruction that keeps what may be acts between rounds."""

    found: list[tuple[str, Reading]]

    def _between(self, until: float, dwells: Sequence[ChipDwell]) -> Between:
        between = super()._between(until, dwells)
        self.found += [("card_burned", one) for one in burn_readings(between, shuffles_by_backs(between))]
        return between


def samples(folder: Path) -> list[Sample]:
    """Return what may be acts in a recording, with their truth."""
    decoder = Watching(read_layout(folder / "layout.yaml"), read_house(folder / "house.yaml"))
    decoder.found = []
    for seen in open_observations(folder / "review" / "observations.jsonl"):
        decoder.step(seen)
    decoder.flush()
    truth = [one for one in read_events(folder / "truth.events.jsonl").events if one.name == "card_burned"]
    return [
        Sample(
            {name: len(times) for name, times in one.seen.items()},
            any(true.t_start - NEAR_S <= one.t0 <= true.t_end + NEAR_S for true in truth),
        )
        for _, one in decoder.found
    ]


def fitted(found: Sequence[Sample], stands: Rows) -> Rows:
    """Return the log odds under which the truth is likeliest, held to those that stand."""
    at = {
        (name, count): i for i, (name, count) in enumerate((n, c) for n, row in stands.items() for c in range(len(row)))
    }
    held = np.array([stands[name][count] for name, count in at])
    x = np.zeros((len(found), len(at)))
    for i, one in enumerate(found):
        for name, row in stands.items():
            x[i, at[name, min(one.counts[name], len(row) - 1)]] = 1.0
    signs = np.array([1.0 if one.true else -1.0 for one in found])

    def loss(weights: NDArray[np.float64]) -> float:
        return float(np.logaddexp(0.0, -signs * (x @ weights)).sum() + TIE * ((weights - held) ** 2).sum())

    best = minimize(loss, held, method="L-BFGS-B").x
    return {
        name: tuple(round(float(best[at[name, count]]), 2) for count in range(len(row))) for name, row in stands.items()
    }


def told(found: Sequence[Sample], odds: Rows) -> str:
    """Return how many acts, and how much else, are told surely and weakly, and the log loss (nats), as cells."""
    chances = [chance(sum(row[min(one.counts[name], len(row) - 1)] for name, row in odds.items())) for one in found]
    cells = []
    for truth in (True, False):
        here = [p for p, one in zip(chances, found, strict=True) if one.true == truth]
        sure = sum(p >= 0.5 for p in here)
        cells.append(f"{sure} and {sum(p >= par.PERHAPS_P for p in here) - sure} of {len(here)}")
    loss = -sum(math.log(p if one.true else 1.0 - p) for p, one in zip(chances, found, strict=True))
    return " | ".join([*cells, f"{loss / max(1, len(found)):.4f}"])


def main() -> None:
    """Fit what is asked for and print weights and figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="folder of stored recordings to fit on")
    parser.add_argument("--held-out", type=Path, help="the same that only measure")
    arguments = parser.parse_args()
    sets = {"fitted on": arguments.work, **({"held out": arguments.held_out} if arguments.held_out else {})}
    found = {
        name: [one for path in sorted(place.glob("*/review/observations.jsonl")) for one in samples(path.parents[1])]
        for name, place in sets.items()
    }
    stands = par.BURN_ODDS
    weights = fitted([*found["fitted on"], *CASES], stands)
    print("| trace | looks | true | else | stands | fitted |\n| -- | -- | -- | -- | -- | -- |")
    for name, row in stands.items():
        for count, value in enumerate(row):
            here = [one.true for one in found["fitted on"] if min(one.counts[name], len(row) - 1) == count]
            print(f"| {name} | {count} | {sum(here)} | {len(here) - sum(here)} | {value} | {weights[name][count]} |")
    print("\n| readings | weights | burned: sure and weak | else | log loss |\n| -- | -- | -- | -- | -- |")
    for name, every in found.items():
        for words, odds in (("as they stand", stands), ("fitted", weights)):
            print(f"| {name} | {words} | {told(every, odds)} |")


if __name__ == "__main__":
    main()
