"""Measures the reader of hands on hands that no weights have learned from: two ways of drawing, and real ones.

    python benchmarks/hands.py --out FOLDER [--models FOLDER ...] [--real DIR --hand-labels DIR]

`solid` are single hands in three dimensions (needs moderngl), `flat` the hands of unseen pictures of the simulator.
`real` are held-out photos whose side, facing and fingers a person told, cut out by their labelled box or outline, else
by the likeliest hand of the detector. `--hand-labels` holds one CSV file a set. Crops are kept in FOLDER, so that
several folders of models see the same. For each head: share right; surely wrong (wrong with p >= 0.9); in doubt
(p < 0.9); of the fingers, those within one; calibration error.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import Box
from verifier.train.calibration import binned_error
from verifier.train.cases import cases
from verifier.train.crop_sets import HEADS, UNLABELLED, CropCollector
from verifier.train.crops import hand_crop
from verifier.train.real_pictures.hand_labels import read_hand_labels
from verifier.train.real_pictures.hands import FOREARM, hand_photo
from verifier.train.real_pictures.split import part_of, read_picture
from verifier.train.unseen import make
from verifier.vision.models import find_model, form_of
from verifier.vision.networks import Networks, load_networks
from verifier.vision.readers import Reader
from verifier.vision.still import detect_image

SEED: Final = 5_400_000
SURE: Final = 0.9
SHOWN: Final = ("side", "facing", "fingers")

Crops = NDArray[np.uint8]
Labels = NDArray[np.int64]


def solid(path: Path, count: int, real: Path | None) -> None:
    """Draw `count` single hands."""
    from verifier.train.solid.crops import photos_of, write_solid_hands

    write_solid_hands(path, count, SEED, photos_of(real) if real else [])


def flat(path: Path, count: int, real: Path | None) -> None:
    """Cuts the hands out of `count` unseen pictures of tables."""
    rng, collector = np.random.default_rng(SEED), CropCollector()
    for case in cases(count, SEED):
        picture = make(case)
        collector.add(picture.image, picture.truth, rng)
    collector.save(path)


def photographed(path: Path, real: Path, labels: Path) -> None:
    """Cuts the labelled hands out of held-out photos; a photo in which no hand is found is left out, and told."""
    networks = load_networks(photos=True)
    crops, rows, missed = [], [], 0
    for name, row in read_hand_labels(labels).items():
        file = real / name
        if part_of(file.relative_to(real).parts[0], file.name) != "test":
            continue
        box = _box(file, file.relative_to(real).parts[0], networks)
        if box is None:
            missed += 1
            continue
        crops.append(hand_crop(read_picture(file), box))
        side, facing, fingers, _ = HEADS["hands"].values()
        told = (_place(side, row["side"]), _place(facing, row["facing"]), _place(fingers, row["fingers"]))
        rows.append([*told, UNLABELLED])
    print(f"real: {len(crops)} labelled hands held out; {missed} more were not found")
    np.savez(path, hands=np.stack(crops), hands_labels=np.asarray(rows, np.int8))


def _place(classes: tuple[str | int, ...], told: str) -> int:
    return [str(name) for name in classes].index(told) if told else UNLABELLED


def _box(file: Path, set_name: str, networks: Networks) -> Box | None:
    """Wrist to fingertips, as the set labels it or its outline tells, else as the detector finds it."""
    photo = None if set_name == FOREARM else hand_photo(file, set_name)
    if photo is not None:
        return photo.box
    found = detect_image(read_picture(file), networks=networks).hands
    return max(found, key=lambda hand: hand.p).box if found else None


def scored(reader: Reader, crops: Crops, labels: Labels) -> Iterator[tuple[str, dict[str, float]]]:
    """Each head's figures over the crops that are labelled for it."""
    answers: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for reading in reader.read(list(crops)):
        for head in SHOWN:
            table = list(reading[head].values())
            answers[head].append((max(table), table.index(max(table))))
    for column, head in enumerate(SHOWN):
        told = labels[:, column] != UNLABELLED
        p, said = (np.array([answer[i] for answer in answers[head]])[told] for i in (0, 1))
        off = np.abs(said - labels[told, column])
        row = {
            "n": float(told.sum()),
            "right": float((off == 0).mean()),
            "surely wrong": float(((off > 0) & (p >= SURE)).mean()),
            "in doubt": float((p < SURE).mean()),
            "ece": binned_error(p, (off == 0).astype(float)),
        }
        yield head, row | ({"within one": float((off <= 1).mean())} if head == "fingers" else {})


def kept(path: Path, make_it: Callable[[Path], None]) -> tuple[Crops, Labels]:
    """Crops (N, 128, 128, 3) and labels (N, heads), made once."""
    if not path.exists():
        make_it(path)
    with np.load(path) as file:
        return file["hands"], file["hands_labels"].astype(int)


def main() -> None:
    """Print one line for each set, folder of models and head."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--models", type=Path, nargs="*", default=[None])
    parser.add_argument("--precision", default="int8", choices=("f32", "int8"))
    parser.add_argument("--count", type=int, default=600, help="solid hands")
    parser.add_argument("--pictures", type=int, default=240, help="pictures of tables")
    parser.add_argument("--real", type=Path)
    parser.add_argument("--hand-labels", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    sets: dict[str, tuple[Crops, Labels]] = {
        "solid": kept(args.out / "solid.npz", lambda path: solid(path, args.count, args.real)),
        "flat": kept(args.out / "flat.npz", lambda path: flat(path, args.pictures, args.real)),
    }
    if args.real and args.hand_labels:
        sets["real"] = kept(args.out / "real.npz", lambda path: photographed(path, args.real, args.hand_labels))
    for folder in args.models:
        file: Any = find_model(form_of("hands", args.precision, folder), folder)
        reader = Reader(file, list(HEADS["hands"]))
        for name, (crops, labels) in sets.items():
            for head, row in scored(reader, crops, labels):
                figures = "  ".join(
                    f"{key} {value:.0f}" if key == "n" else f"{key} {value:.3f}" for key, value in row.items()
                )
                print(f"{folder or 'shipped'}  {name:6} {head:8} {figures}", flush=True)


if __name__ == "__main__":
    main()
