"""Side, facing and extended fingers of real hands as a person told them by eye: one CSV file for each set.

Columns: `picture` (its path below the folder of the sets), `side`, `facing`, `fingers`; an empty cell is no label.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from verifier.domain.errors import BadInput
from verifier.domain.observations import Facing, Side
from verifier.train.real_pictures.hands import HandPhoto

SIDES: Final = ("left", "right")
FACINGS: Final = ("back", "palm", "edge")


def read_hand_labels(folder: Path) -> dict[str, Mapping[str, str]]:
    """Read the rows of all files of a folder, by their picture. Raises BadInput for a row with a wrong label."""
    rows: dict[str, Mapping[str, str]] = {}
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.DictReader(file), 2):
                wrong = [
                    name
                    for name, known in (("side", SIDES), ("facing", FACINGS), ("fingers", tuple("012345")))
                    if row.get(name) not in (*known, "")
                ]
                if wrong or not row.get("picture"):
                    raise BadInput(
                        path, f"line {number}: {', '.join(wrong) or 'picture'} is not a label", "correct the line"
                    )
                rows[row["picture"]] = row
    if not rows:
        raise BadInput(folder, "holds no labels of hands", "give the folder of the CSV files")
    return rows


def labelled(hand: HandPhoto, row: Mapping[str, str]) -> HandPhoto:
    """Return a photo of a hand with what a person told of it in place of what its set tells."""
    return replace(
        hand,
        side=cast(Side, row["side"] or hand.side),
        facing=cast(Facing, row["facing"] or hand.facing),
        fingers=int(row["fingers"]) if row["fingers"] else hand.fingers,
    )
