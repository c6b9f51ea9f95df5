"""Crops of cards as a detector finds them in training pictures, however faintly: face up, face down, or no card.

What a detector takes for a card, and misplaces, only a detector can tell: these crops teach the reader of cards to
doubt it. Their ranks stay unlabelled, for the pictures' labels do not tell them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec import structs

from verifier.train.crop_sets import CARD_FACES, RANK_CLASSES, UNLABELLED, UNREADABLE
from verifier.train.crops import Image, card_crop
from verifier.train.labels import CLASSES, rectangle
from verifier.train.matching import MATCH_IOU, Floats, overlaps
from verifier.train.workers import worker_pool
from verifier.vision.detection import CARD_DOWN, CARD_UP, Detection
from verifier.vision.detector import Detector
from verifier.vision.models import DETECTOR, ModelFile, find_model

LEAST: Final = 0.03
"""Probability from which something found counts."""
APART: Final = 0.2
"""IoU with every card below which there is no card; from there to MATCH_IOU it is neither."""
BATCH: Final = 400
PARTS: Final = ("train", "val")


def write_found(folder: Path, models: Path | None = None, jobs: int = 2) -> int:
    """Write crops of what the detector of `models` finds in folder/images to folder/crops; return how many."""
    batches = []
    for part in PARTS:
        pictures = sorted((folder / "images" / part).glob("*.jpg"))
        batches += [pictures[i : i + BATCH] for i in range(0, len(pictures), BATCH)]
    (folder / "crops").mkdir(exist_ok=True)
    with worker_pool(jobs) as pool:
        return sum(pool.map(partial(write_batch, folder, models), batches))


def write_batch(folder: Path, models: Path | None, pictures: Sequence[Path]) -> int:
    """Look at some pictures of one part and write what was found to one file."""
    file = find_model(DETECTOR, models)
    bare = ModelFile(file.name, file.path, structs.replace(file.card, thresholds={}), file.sha256)
    finder = Detector(bare, streams=1, threads=1, min_p=LEAST)
    crops: list[Image] = []
    labels: list[list[int]] = []
    for path in pictures:
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        part, height, width = path.parent.name, *image.shape[:2]
        cards = read_cards(folder / "labels" / part / f"{path.stem}.txt", (width, height))
        found = [d for d in finder.detect(image, max(width, height)) if d.card]
        for d, face in zip(found, faces(found, cards), strict=True):
            if face is not None:
                rank = UNLABELLED if face == "up" else RANK_CLASSES.index(UNREADABLE)
                crops.append(card_crop(image, rectangle(d.quad)))
                labels.append([rank, UNLABELLED, CARD_FACES.index(face)])
    if crops:
        name = f"{pictures[0].parent.name}-found-{pictures[0].stem}.npz"
        np.savez(folder / "crops" / name, cards=np.stack(crops), cards_labels=np.asarray(labels, np.int8))
    return len(crops)


def read_cards(path: Path, size: tuple[int, int]) -> list[tuple[str, Floats]]:
    """Kind and corners (4, 2) in pixels of the cards in a file of labels (`labels.write_labels`)."""
    cards = []
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, *shares = line.split()
        if CLASSES[int(kind)] in (CARD_UP, CARD_DOWN):
            quad = np.array(shares, np.float32).reshape(4, 2) * np.array(size, np.float32)
            cards.append((CLASSES[int(kind)], quad))
    return cards


def faces(found: Sequence[Detection], cards: Sequence[tuple[str, Floats]]) -> list[str | None]:
    """Return the face of what each of `found` truly is; None where it is neither a card nor clear of all cards."""
    if not cards:
        return ["none"] * len(found)
    table = overlaps([d.quad for d in found], [quad for _, quad in cards])
    out: list[str | None] = []
    for shares in table:
        best = int(shares.argmax())
        if shares[best] >= MATCH_IOU:
            out.append("up" if cards[best][0] == CARD_UP else "down")
        else:
            out.append("none" if shares[best] < APART else None)
    return out
