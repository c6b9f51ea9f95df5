"""Measures reconstruction and law over other makers' observations: cards alone, by quad, rank and track.

    python benchmarks/foreign.py --recordings 3

Lawful play is performed without pixels and seen as the variants below say: at other rates, on broken tracks or none, by
boxes, through cameras that stand askew, with misread, unread and missed cards, begun amid a round; as key frames, which
tell of changes alone; with busts that are taken up at once. Each variant takes seeds of its own from `--first-seed` on.
Told are hands whose cards all have the right values, splits, rounds, and violations, all of which are false.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence

import cv2
from foreign_looks import Variant, View, observations
from msgspec import structs

from verifier.domain.events import AnyEvent, CardsMoved, RoundStarted
from verifier.domain.house import House
from verifier.domain.observations import ObservationsHeader
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.review.score_hands import hands_right
from verifier.simulate.perform import perform

VARIANTS = {
    "plain": Variant(),
    "1 Hz": Variant(hz=1.0),
    "2 Hz": Variant(hz=2.0),
    "10 Hz": Variant(hz=10.0),
    "25 Hz": Variant(hz=25.0),
    "no tracks": Variant(tracks=False),
    "boxes": Variant(boxes=True),
    "misread 4 %": Variant(misread=0.04),
    "flickering faces": Variant(turned=0.04, unread=0.05),
    "missed looks": Variant(missed=0.12, hidden=0.05),
    "few backs": Variant(backs=0.3),
    "tilt 30": Variant(tilt=30.0),
    "tilt -25, pan 15": Variant(tilt=-25.0, pan=15.0),
    "turned 18": Variant(roll=18.0),
    "dealer at the left": Variant(side="left", size=(1080, 1920)),
    "mirrored": Variant(mirrored=True),
    "640x480": Variant(size=(640, 480)),
    "begun amid a round": Variant(begins=14.0),
    "no hole card": Variant(house=House(dealing_method="no_hole_card")),
    "all at once": Variant(hz=7.0, misread=0.03, turned=0.03, unread=0.03, missed=0.08, hidden=0.03, backs=0.8,
                           tilt=15.0, roll=6.0, tracks=False),
    "key frames": Variant(hz=10.0, keyed=True, missed=0.0),
    "key frames, 5 % missed": Variant(hz=10.0, keyed=True, missed=0.05),
    "key frames, 20 % missed": Variant(hz=10.0, keyed=True, missed=0.2),
    "key frames, no tracks": Variant(hz=25.0, keyed=True, missed=0.0, tracks=False, jitter=0.0),
    "key frames to the second": Variant(hz=1.0, keyed=True, missed=0.0),
    "key frames, fast busts": Variant(hz=10.0, keyed=True, missed=0.0, busts=0.6),
    "changes of 5 Hz": Variant(changes=True, missed=0.0),
    "changes of 2 Hz": Variant(hz=2.0, changes=True, missed=0.0),
    "fast busts, 2 Hz": Variant(hz=2.0, busts=0.55),
    "fast busts, 1 Hz": Variant(hz=1.0, busts=1.05, missed=0.0),
    "doubled cards": Variant(doubled=0.3),
    "doubled cards, 1 Hz": Variant(hz=1.0, doubled=0.3),
}  # fmt: skip


def measure(variant: Variant, seed: int) -> Counter[str]:
    """Hands, splits, rounds and false violations of one recording."""
    rng = random.Random(seed)
    performance = perform(seed, 3, house=variant.house, spaces=rng.randint(2, 7), shift_change=False, shuffle=False)
    view = View(variant)
    truth = performance.events.events
    begin = next(e.t_start for e in truth if isinstance(e, RoundStarted)) + variant.begins if variant.begins else 0.0
    log = reconstruct(
        observations(performance, view, begin, rng), view.layout(performance), performance.house, ObservationsHeader()
    )
    cut = {e.round for e in truth if isinstance(e, RoundStarted) and e.t_start < begin}
    true = [e for e in truth if e.round is not None and e.round not in cut]
    starts = {e.round: e.t_start - begin for e in true if isinstance(e, RoundStarted)}
    named = {
        e.round: min(starts, key=lambda number: abs(starts[number] - e.t_start))
        for e in log.events
        if isinstance(e, RoundStarted)
    }
    told = [structs.replace(e, round=named[e.round]) for e in log.events if e.round in named]
    hands = hands_right(true, told)
    rounds, found = {e.round for e in true}, {e.round for e in told}
    return Counter(
        hands=hands.of,
        hands_right=hands.right,
        rounds=len(rounds),
        rounds_told=len(rounds & found),
        splits=len(_splits(true)),
        splits_told=len(_splits(true) & _splits(told)),
        false=sum(one.verdict == "violation" for one in judge(log).findings),
    )


def _splits(events: Sequence[AnyEvent]) -> set[tuple[int | None, str]]:
    return {(e.round, e.to) for e in events if isinstance(e, CardsMoved) and e.kind == "split"}


def main() -> None:
    """Run the variants and print their figures as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first-seed", type=int, default=760_000)
    parser.add_argument("--recordings", type=int, default=2, help="recordings of each variant, three rounds each")
    parser.add_argument("--only", default="", help="variants whose name contains one of these, divided by commas")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    sums: Counter[str] = Counter()
    print("| variant | hands right in value | splits told | rounds told | false violations |\n|---|---|---|---|---|")
    for index, (name, variant) in enumerate(VARIANTS.items()):
        if any(one in name for one in arguments.only.split(",")):
            seeds = range(arguments.first_seed + 100 * index, arguments.first_seed + 100 * index + arguments.recordings)
            one = sum((measure(variant, seed) for seed in seeds), Counter[str]())
            print(_row(name, one), flush=True)
            sums += one
    print(_row("all", sums))


def _row(name: str, count: Counter[str]) -> str:
    pairs = (("hands_right", "hands"), ("splits_told", "splits"), ("rounds_told", "rounds"))
    return " | ".join([f"| {name}", *(f"{count[told]} of {count[of]}" for told, of in pairs), f"{count['false']} |"])


if __name__ == "__main__":
    main()
