"""Which real pictures are for scoring only: a fixed fifth of each set, drawn by scene, and written down by name.

The list is `held_out.json`. It was made once by `draw`; it is not made anew, so that figures stay comparable.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from verifier.domain.errors import BadInput

Image = NDArray[np.uint8]
Part = Literal["train", "test"]
MARTINABELEDA: Final = "cards-martinabeleda"
FARUK: Final = "cards-faruk"
SCORING_ONLY: Final = (MARTINABELEDA,)
TRAINING_SESSIONS: Final = ("s05", "s07", "s08", "s10", "s11")
"""Sessions of cards-faruk (how the names of their pictures begin) that may be trained on. A session shows one hand of
cards on one ground some thirty times: pictures of one session in both parts would be no test."""
DIVIDED: Final = {
    "cards-edje": 0.085,
    "chips-degen101": 0.095,
    "hands-asl-digits": 0.02,
    "hands-fingercount": 0.09,
    "hands-forearm": 0.045,
    "hands-rps-overhead": 0.085,
}
"""Sets of which a fifth is held out, and how far apart (0..1) two pictures of one scene may look."""
HELD_SHARE: Final = 0.2
BLOCKS: Final = {"hands-asl-digits": 50}
"""Sets in which people follow one another: this many running numbers are one scene, whatever the pictures look like."""
RUN: Final = 3
"""Pictures whose running numbers differ by at most this are one scene if they look alike within twice the distance."""


def part_of(set_name: str, name: str) -> Part:
    """Tell whether a picture (file name without folders) may be trained on."""
    if set_name == FARUK:
        return "train" if name.startswith(TRAINING_SESSIONS) else "test"
    return "test" if set_name in SCORING_ONLY or name in _listed("held_out.json")[set_name] else "train"


def pictures(folder: Path, set_name: str, part: Part) -> list[Path]:
    """Pictures of one part of a set below `folder`, in order; empty where the set is missing."""
    return [path for path in every(folder / set_name) if part_of(set_name, path.name) == part]


def scored(folder: Path, set_name: str) -> list[Path]:
    """Return the pictures of one set below `folder` that are scored; of cards-faruk one a scene, none mirrored.

    Raises BadInput where its list of pictures is missing.
    """
    held = pictures(folder, set_name, "test")
    if set_name != FARUK:
        return held
    scenes = {row["scene"]: row["picture"] for row in reversed(told_scenes(folder)) if row["mirrored"] == "no"}
    return [path for path in held if path.stem in scenes.values()]


def told_scenes(folder: Path) -> list[dict[str, str]]:
    """Return what pictures.csv of cards-faruk below `folder` tells of each picture: picture, scene, mirrored.

    Raises BadInput where the list is missing.
    """
    listed = folder / FARUK / "pictures.csv"
    try:
        rows = list(csv.DictReader(listed.read_text(encoding="utf-8").splitlines()))
        return [{name: row[name] for name in ("picture", "scene", "mirrored")} for row in rows]
    except (OSError, UnicodeDecodeError, KeyError) as error:
        raise BadInput(
            listed, "cannot be read", "give the set with its pictures.csv (picture, scene, mirrored)"
        ) from error


def every(folder: Path) -> list[Path]:
    """All pictures below a folder, sorted by path."""
    return sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png"))


def read_picture(path: Path) -> Image:
    """Read a picture as (h, w, 3) BGR. Raises BadInput where the file is no picture."""
    image = cv2.imread(str(path))
    if image is None:
        raise BadInput(path, "is no picture that can be read", "replace the file or take it out of the folder")
    return np.array(image, np.uint8)


def doubtful(set_name: str, name: str) -> bool:
    """Tell whether a picture's class looked wrong or undecided when the training pictures were gone through by eye."""
    return name in _listed("doubtful.json").get(set_name, frozenset())


@cache
def _listed(file: str) -> dict[str, frozenset[str]]:
    text = resources.files(__package__).joinpath(file).read_text(encoding="utf-8")
    return {name: frozenset(files) for name, files in json.loads(text).items()}


def draw(folder: Path) -> dict[str, list[str]]:
    """Names of the pictures to hold out of each set: whole scenes, in the order of a hash, up to a fifth.

    A scene is a group that single linkage joins: small Lab pictures that differ little, or a little more where the
    running numbers in the file names follow each other. A scene that would overfill the fifth is passed over.
    """
    return {name: _drawn(every(folder / name), near) for name, near in DIVIDED.items()}


def _drawn(paths: Sequence[Path], near: float) -> list[str]:
    groups: dict[int, list[str]] = {}
    for path, scene in zip(paths, scenes(paths, near), strict=True):
        groups.setdefault(scene, []).append(path.name)
    ordered = sorted(groups.values(), key=lambda names: hashlib.sha256(min(names).encode()).hexdigest())
    room = round(HELD_SHARE * len(paths))
    held: list[str] = []
    for names in ordered:
        if len(held) + len(names) <= room:
            held += names
    return sorted(held)


def scenes(paths: Sequence[Path], near: float) -> list[int]:
    """Return the number of each picture's scene."""
    runs = np.array([_run(path.name) for path in paths])
    block = next((size for name, size in BLOCKS.items() if name in paths[0].parts), None)
    if block is not None:
        return [int(run // block) for run in runs]
    looks = np.stack([_look(path) for path in paths])
    apart = np.sqrt(((looks[:, None] - looks[None]) ** 2).mean(-1))
    folders = np.array([hash(_stem(path.name)) for path in paths])
    follow = (np.abs(runs[:, None] - runs[None]) <= RUN) & (folders[:, None] == folders[None]) & (runs >= 0)[:, None]
    apart = np.where(follow, apart / 2, apart)
    np.fill_diagonal(apart, 0.0)
    return [int(v) for v in fcluster(linkage(squareform(apart, checks=False), "single"), near, "distance")]


def _look(path: Path) -> NDArray[np.float32]:
    image = cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_2)
    if image is None:
        raise BadInput(path, "is no picture that can be read", "replace the file or take it out of the folder")
    small = cv2.resize(image, (16, 16), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB) / (100, 60, 60), np.float32).ravel()


def _run(name: str) -> int:
    numbers = re.findall(r"\d+", name.split(".")[0])
    return int(numbers[-1]) if numbers and not re.search(r"[a-z]\d+[A-Z]|\d[A-Za-z]+\d[A-Z]", name) else -1


def _stem(name: str) -> str:
    return re.sub(r"\d+$", "", re.split(r"_(?:jpe?g|png)\.rf|\.", name)[0])
