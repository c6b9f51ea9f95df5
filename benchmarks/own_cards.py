"""Measures how a table's own cards are read before and after they are enrolled, on crops of decks that no model saw.

    python benchmarks/own_cards.py --decks 24 --seed 99

Each deck is drawn in a style of the split "test" (seven in ten of every kind, not only a card room's). It is shown:
each face three times, alone. Then it is played: some 300 crops of small piles of it, at least three tenths of each card
showing, under other light, with chips and fingers upon them. All are at the table's own size and under a recorder's
losses. Single looks are read, without the many looks of a recording. `another deck` has learnt the deck before; of
`12 faces missing` a dozen were not shown, and only their crops are counted.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from verifier.domain.enrolment import FACES, EnrolledFace, Enrolment
from verifier.domain.observations import NamedHash
from verifier.formats.enrolment import look_of
from verifier.simulate.render.cards import face_texture
from verifier.simulate.render.decks import sample_deck
from verifier.simulate.render.warp import level_for, paste, transform
from verifier.train import piled_cards
from verifier.train.crops import card_crop, jittered
from verifier.train.degrade import degrade
from verifier.train.faults import faulty
from verifier.train.labels import rectangle
from verifier.vision.models import find_model
from verifier.vision.readers import SURE, card_reading
from verifier.vision.runtime import best_precision
from verifier.vision.table_cards import Deck, TableCardReader, likeness

Image = NDArray[np.uint8]
Crop = tuple[Image, str]
WILD: Final = 0.7
SHOWN: Final = 3
PLAYED: Final = 300
LEAST_SHARE: Final = 0.3
MISSING: Final = 12
FAULTS: Final = 0.3
CARD_MM: Final = (63.0, 88.0)


def chip_group(
    rng: Generator, deck: str, width: float, gain: NDArray[np.float64], faces: Sequence[str], covers: int
) -> list[Crop]:
    """Return the crops of a small pile of cards, with their faces."""
    scale, side, turn = width / CARD_MM[0], round(3.6 * width) + 8, float(rng.uniform(0, 360))
    image, owner, quads = piled_cards.ground(side, rng), np.full((side, side), -1, np.int16), []
    for number, face in enumerate(faces):
        matrix = piled_cards._placed(number if len(faces) > 1 else 1, turn, side, scale, rng)
        paste(image, face_texture(deck, face[0], face[1], level_for(scale)), matrix)
        quads.append(transform(matrix, piled_cards.HALF_CARD))
        cv2.fillConvexPoly(owner, np.round(quads[-1]).astype(np.int32), number)
    for _ in range(covers):
        piled_cards.cover(image, owner, quads[int(rng.integers(len(quads)))], width, rng)
    lit = np.clip(image * (gain * rng.uniform(0.93, 1.07)), 0, 255).astype(np.uint8)
    image = degrade(faulty(lit, rng, FAULTS), rng)
    out = []
    for number, (quad, face) in enumerate(zip(quads, faces, strict=True)):
        shows = float((owner == number).sum()) / max(1.0, cv2.contourArea(quad.astype(np.float32)))
        if shows >= LEAST_SHARE:
            rect = piled_cards._either_way_up(jittered(rectangle(quad.astype(np.float32)), rng), rng)
            out.append((card_crop(image, rect), face))
    return out


def shown_and_played(deck: str, seed: int) -> tuple[list[Crop], list[Crop]]:
    """Return the crops of a show and those of play."""
    rng = default_rng([seed, 5])
    width, gain = float(rng.uniform(34, 50)), rng.uniform(0.5, 1.1) * np.exp(rng.normal(0, 0.06, 3))
    show: list[Crop] = []
    for number, face in enumerate(FACES):
        while len(show) < SHOWN * (number + 1):
            show += chip_group(rng, deck, width, gain, [face], 0)
    play: list[Crop] = []
    while len(play) < PLAYED:
        faces = [FACES[int(rng.integers(len(FACES)))] for _ in range(int(rng.integers(1, 5)))]
        covers = int(rng.choice(3, p=[0.6, 0.3, 0.1]))
        play += chip_group(rng, deck, width * float(rng.uniform(0.9, 1.1)), gain, faces, covers)
    return show, play


def enrolment(show: Sequence[Crop], without: Sequence[str] = ()) -> Enrolment:
    """Return what somebody who showed these cards enrols."""
    faces = {face: [look_of(crop) for crop, own in show if own == face] for face in FACES if face not in without}
    return Enrolment(
        format="verifier-enrolment",
        version=1,
        learnt_from="show",
        video=NamedHash(name="drawn", sha256=None),
        faces={face: EnrolledFace(p=1.0, looks=looks) for face, looks in faces.items()},
    )


def shares(reader: TableCardReader, crops: Sequence[Crop]) -> list[list[float]]:
    """Of each crop: rank right, in doubt, surely wrong; suit right, in doubt, surely wrong; the rank's p."""
    rows = []
    for reading, (_, face) in zip(map(card_reading, reader.read([crop for crop, _ in crops])), crops, strict=True):
        row: list[float] = []
        for table, right in ((reading.ranks, face[0]), (reading.suits, face[1])):
            said, p = max(table.items(), key=lambda item: item[1])
            row += [said == right, p < SURE, p >= SURE and said != right]
        rows.append([*row, max(reading.ranks.values())])
    return rows


def calibration_error(rows: NDArray[np.float64]) -> float:
    """Return the expected calibration error of ranks, in 15 equal bins."""
    right, p = rows[:, 0], rows[:, 6]
    bins = np.minimum((p * 15).astype(int), 14)
    return float(sum(abs(p[bins == i].mean() - right[bins == i].mean()) * (bins == i).mean() for i in set(bins)))


def main() -> None:
    """Measures and prints Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decks", type=int, default=24)
    parser.add_argument("--seed", type=int, default=99)
    arguments = parser.parse_args()
    rng, rows = default_rng(arguments.seed), dict[str, list[list[float]]]()
    like, unlike = [], []
    before: tuple[TableCardReader, Deck] | None = None
    precision = "bf16" if best_precision() == "bf16" else "f32"
    for number in range(arguments.decks):
        deck = sample_deck(rng, "test", svg=False, wild=bool(rng.random() < WILD))
        show, play = shown_and_played(deck, arguments.seed * 1000 + number)
        missing = sorted(rng.choice(FACES, MISSING, replace=False))
        plain, own, few = (TableCardReader(find_model("cards"), precision=precision) for _ in range(3))
        found = shares(plain, play)
        rows.setdefault("before", []).extend(found)
        learnt = own.learn(enrolment(show))
        after = shares(own, play)
        rows.setdefault("enrolled", []).extend(after)
        readings, features = own._plain([crop for crop, _ in play])
        like.append(float(np.median(likeness(learnt, readings, features))))
        kept = [(crop, face) for crop, face in play if face in missing]
        rows.setdefault("12 faces missing, before", []).extend(shares(plain, kept))
        few.learn(enrolment(show, missing))
        rows.setdefault("12 faces missing, enrolled without them", []).extend(shares(few, kept))
        if before is not None:
            rows.setdefault("another deck enrolled, used all the same", []).extend(shares(before[0], play))
            unlike.append(float(np.median(likeness(before[1], readings, features) or [0.0])))
        before = own, learnt
        print(
            deck,
            *(f"{np.mean(part, axis=0)[0]:.3f} {np.mean(part, axis=0)[1]:.3f}" for part in (found, after)),
            flush=True,
        )
    print(
        "| | crops | rank right | in doubt | surely wrong | suit right | in doubt | surely wrong | rank calibration |"
    )
    print("|" + " -- |" * 9)
    for name, all_rows in rows.items():
        table = np.array(all_rows, np.float64)
        cells = [f"{value:.4f}" for value in table.mean(axis=0)[:6]]
        print(f"| {name} | {len(table)} | {' | '.join(cells)} | {calibration_error(table):.3f} |")
    for name, some in (("own deck", like), ("another", unlike)):
        print(f"median likeness, {name}: {min(some):.3f} to {max(some):.3f}")


if __name__ == "__main__":
    main()
