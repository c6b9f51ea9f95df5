"""Compares the noise model of play without pixels with what the detectors really saw, on recordings that were watched.

    python benchmarks/detection_noise.py out/unseen out/fresh

Takes the folders that benchmarks/accuracy.py made. Recordings of the same seeds are performed again and seen with the
faults of verifier/simulate/detections through the same cameras; both are compared with their truth in the same way: the
figures of "Sight" in benchmarks/results/accuracy-974000.md, and how faults hang together over the time for which a
thing rests.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from accuracy import SIZE, TRUTH

from verifier.domain.observations import CardSeen, ChipSeen, Observation
from verifier.formats.observations import open_observations
from verifier.simulate.annotate import annotate_shares
from verifier.simulate.commands import look_and_camera
from verifier.simulate.detections import LEVELS, Level, noisy_observations
from verifier.simulate.perform import perform
from verifier.train.matching import Floats, as_quad, matched
from verifier.train.scoring import Tally

Pair = tuple[Observation, Observation]
"""What was seen, and the truth of the same picture."""
_EVERY: Final = 2
"""Of the noisy looks one in so many is compared, so that they follow one another as those with a truth do."""
_LEAST_LOOKS: Final = 5
_STILL_PX: Final = 3.0
_CLEAR: Final = 0.75


def real(folder: Path) -> Iterator[Pair]:
    """Yield the looks at a watched recording that have a truth."""
    truths = {truth.frame: truth for truth in open_observations(folder / TRUTH)}
    for seen in open_observations(folder / "review" / "observations.jsonl"):
        if seen.frame in truths:
            yield seen, truths[seen.frame]


def noisy(seed: int, level: Level) -> Iterator[Pair]:
    """Yield looks at a lawful recording of the seed, as the noise model sees it, with their truth."""
    performance = perform(seed, 2)
    look, camera = look_and_camera(seed, SIZE, level, "test")
    for number, seen in enumerate(noisy_observations(performance, camera, level)):
        if number % _EVERY == 0:
            yield seen, annotate_shares(performance.scene_at(seen.t), camera, look, keypoints=False)[0]


class Dwells:
    """For everything that rests: in what share of its looks it was found, and what it was taken for."""

    def __init__(self) -> None:
        self.found: dict[str, list[float]] = defaultdict(list)
        """For each kind of thing the shares of looks in which each resting one was found."""
        self.looks: dict[str, Counter[str]] = defaultdict(Counter)
        """For each kind of thing, at rest and moving: what it was taken for."""
        self.read: dict[str, Counter[str]] = defaultdict(Counter)
        """For each share that shows: how often a resting card was read right, wrong or not in most of its looks."""

    def add(self, pairs: Iterable[Pair]) -> None:
        """One recording."""
        open_: dict[int, tuple[str, Floats, list[str]]] = {}
        for seen, truth in pairs:
            here: dict[int, tuple[str, Floats, list[str]]] = {}
            for ident, kind, place, said in (*_cards(seen, truth), *_chips(seen, truth)):
                before = open_.pop(ident, None)
                rests = before is not None and float(np.abs(before[1] - place).max()) < _STILL_PX
                self.looks[f"{kind}, {'resting' if rests else 'moving'}"][said] += 1
                if rests and before is not None and before[0] == kind:
                    here[ident] = (kind, before[1], [*before[2], said])
                    continue
                if before:
                    self._close(before)
                here[ident] = (kind, place, [said])
            for gone in open_.values():
                self._close(gone)
            open_ = here
        for left in open_.values():
            self._close(left)

    def _close(self, dwell: tuple[str, Floats, list[str]]) -> None:
        kind, _, said = dwell
        if len(said) < _LEAST_LOOKS:
            return
        self.found[kind].append(sum(one != "missed" for one in said) / len(said))
        if kind.startswith("up"):
            read = Counter(one for one in said if one != "missed").most_common(1)
            self.read[kind][read[0][0] if read else "missed"] += 1

    def lines(self) -> dict[str, float]:
        """Shares 0..1 by what they are of."""
        out: dict[str, float] = {}
        for kind, shares in sorted(self.found.items()):
            out[f"{kind}: resting"] = float(len(shares))
            out[f"{kind}: found in under half of the looks"] = float(np.mean([share < 0.5 for share in shares]))
            out[f"{kind}: found in under 0.9 of the looks"] = float(np.mean([share < 0.9 for share in shares]))
            out[f"{kind}: mean share of looks"] = float(np.mean(shares))
        for kind, count in sorted(self.looks.items()):
            whole = sum(count.values())
            out[f"looks at {kind}"] = float(whole)
            for answer in sorted({"missed", *count} - {"right"}):
                out[f"looks at {kind}: {answer}"] = count[answer] / whole
        for kind, count in sorted(self.read.items()):
            for answer in ("wrong", "unread"):
                out[f"{kind}: mostly {answer}"] = count[answer] / sum(count.values())
        return out


def _cards(seen: Observation, truth: Observation) -> Iterator[tuple[int, str, Floats, str]]:
    pairs = matched([as_quad(card.quad) for card in seen.cards], [as_quad(card.quad) for card in truth.cards])
    for index, card in enumerate(truth.cards):
        shows = card.visible if card.visible is not None else 1.0
        if shows < 0.15:
            continue
        kind = card.face if card.face == "down" else f"up {_share(shows)}"
        if card.face == "down" and shows < _CLEAR:
            kind = "down, covered"
        found = seen.cards[pairs[index]] if index in pairs else None
        yield card.id or 0, kind, np.mean(card.quad, axis=0), _said(card, found)


def _share(shows: float) -> str:
    return next(
        name
        for bound, name in ((0.3, "0.15-0.30"), (0.5, "0.30-0.50"), (0.75, "0.50-0.75"), (2, "0.75-1.00"))
        if shows <= bound
    )


def _said(card: CardSeen, found: CardSeen | None) -> str:
    if found is None or found.face != card.face:
        return "missed"
    if card.face == "down":
        return "right"
    return "unread" if found.rank is None else ("right" if found.rank == card.rank else "wrong")


def _chips(seen: Observation, truth: Observation) -> Iterator[tuple[int, str, Floats, str]]:
    for chip in truth.chips:
        near = min(seen.chips, key=lambda other: _gap(chip, other), default=None)
        said = (
            "missed"
            if near is None or _gap(chip, near) > chip.radius * 0.5
            else ("right" if near.colour == chip.colour else "wrong")
        )
        yield -(chip.id or 0), "chip", np.asarray(chip.center), said


def _gap(one: ChipSeen, other: ChipSeen) -> float:
    return float(np.hypot(one.center[0] - other.center[0], one.center[1] - other.center[1]))


def figures(pairs: Iterable[Iterable[Pair]]) -> dict[str, float]:
    """All figures of one way of seeing."""
    tally, dwells = Tally(), Dwells()
    for recording in pairs:
        both = list(recording)
        dwells.add(both)
        for seen, truth in both:
            tally.add(seen, truth)
    own = {name: value for name, value in tally.figures().items() if "keypoint" not in name}
    for name, bin_ in sorted(tally.bins.items()):
        if name.startswith("shows") and bin_["cards"]:
            own[f"rank recall, {name}"] = bin_["right"] / bin_["cards"]
            own[f"rank precision, {name}"] = bin_["right"] / bin_["said"] if bin_["said"] else 1.0
    return {**own, **dwells.lines()}


def main() -> None:
    """Print real and noisy figures side by side, level by level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, nargs="+")
    parser.add_argument("--level", choices=[name for name in LEVELS if name != "faultless"], action="append")
    parser.add_argument("--most", type=int, default=4, help="recordings of each level to make again with noise")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    for level in arguments.level or ("easy", "typical", "hard"):
        folders = [
            path.parents[1]
            for work in arguments.work
            for path in sorted(work.glob(f"*-{level}/review/observations.jsonl"))
        ]
        seen = figures(real(folder) for folder in folders)
        seeds = [int(folder.name.split("-")[0]) for folder in folders[: arguments.most]]
        made = figures(noisy(seed, level) for seed in seeds)
        print(f"\n## {level}\n\n| figure | seen, {len(folders)} recordings | noise |\n|---|---|---|")
        for name in {**seen, **made}:
            cells = [f"{figure[name]:.3f}" if name in figure else "-" for figure in (seen, made)]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
