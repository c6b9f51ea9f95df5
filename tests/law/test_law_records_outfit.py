"""Table, cards and chips as an equipment record describes them: 99-01.3-08-02, 03."""

from __future__ import annotations

import pytest
from record_rows import RED, Case, Rows, judged, kit, names

CASES: list[Case] = [
    ("02.1-green-surface", "pass", [kit(felt_colour="green")]),
    ("02.1-green-surface", "violation", [kit(felt_colour="blue")]),
    ("02.1-no-graphics", "pass", [kit(graphics=False)]),
    ("02.1-no-graphics", "violation", [kit(graphics="brewery")]),
    ("02.1-no-graphics", "pass", [kit(graphics="brewery", graphics_authorized=True)]),
    ("02.1-max-seven-spaces", "pass", [kit(betting_spaces=7)]),
    ("02.1-max-seven-spaces", "violation", [kit(betting_spaces=8)]),
    ("02.3-shoe-on-left", "pass", [kit(shoe_side="left")]),
    ("02.3-shoe-on-left", "violation", [kit(shoe_side="right")]),
    ("02.3-cards-uniform", "pass", [kit(cards={"uniform": True, "jumbo": True})]),
    ("02.3-cards-uniform", "violation", [kit(cards={"uniform": True, "jumbo": False})]),
    ("02.3-card-face-colours", "pass", [kit(cards={"face_colours": ["maroon", "black"]})]),
    ("02.3-card-face-colours", "violation", [kit(cards={"face_colours": ["red", "black", "blue", "green"]})]),
    ("02.3-back-colours", "pass", [kit(cards={"back_colours": {"red": 3, "blue": 3}})]),
    ("02.3-back-colours", "violation", [kit(cards={"back_colours": {"red": 4, "blue": 2}})]),
    ("02.3-back-colours", "violation", [kit(cards={"back_colours": ["red", "blue", "green"]})]),
    ("02.3-back-design", "pass", [kit(cards={"back_design_identical": True})]),
    ("02.3-back-design", "violation", [kit(cards={"back_design_identical": False})]),
    ("03.2-spec-chips-required", "pass", [kit(chips={"500": RED})]),
    ("03.2-spec-chips-required", "violation", [kit(chips={"500": {**RED, "primary": "blue"}})]),
    ("03.3-edge-spot-colours", "pass", [kit(chips={"500": RED})]),
    ("03.3-edge-spot-colours", "violation", [kit(chips={"500": {**RED, "secondary": ["white", "blue", "black"]}})]),
    ("03.3-edge-spot-spacing", "pass", [kit(chips={"500": {**RED, "equally_spaced": True}})]),
    ("03.3-edge-spot-spacing", "violation", [kit(chips={"500": {**RED, "equally_spaced": False}})]),
    ("03.3-no-reversed-colours", "pass", [kit(chips={"500": RED, "200": {"primary": "pink", "secondary": "white"}})]),
    ("03.3-no-reversed-colours", "violation",
     [kit(chips={"500": RED, "100": {"primary": "white", "secondary": "red"}})]),
    ("03.3.a-50c-yellow", "pass", [kit(chips={"50": {"primary": "mustard yellow", "spots": 0}})]),
    ("03.3.a-50c-yellow", "violation", [kit(chips={"50": {"primary": "orange", "spots": 0}})]),
    ("03.3.b-1-white", "pass", [kit(chips={"100": {"primary": "white", "spots": 4, "style": "solid"}})]),
    ("03.3.b-1-white", "violation", [kit(chips={"100": {"primary": "white", "spots": 6}})]),
    ("03.3.c-2-pink", "pass", [kit(chips={"200": {"primary": "pink", "spots": 4, "style": "split"}})]),
    ("03.3.c-2-pink", "violation", [kit(chips={"200": {"primary": "pink", "spots": 4, "style": "solid"}})]),
    ("03.3.d-5-red", "pass", [kit(chips={"500": RED})]),
    ("03.3.d-5-red", "undetermined", [kit(chips={"500": {"primary": "red"}})]),
    ("03.3.d-5-red", "violation", [kit(chips={"500": {**RED, "spots": 5}})]),
    ("03.3.e-25-green", "pass", [kit(chips={"2500": {"primary": "green", "spots": 3, "style": "solid"}})]),
    ("03.3.e-25-green", "violation", [kit(chips={"2500": {"primary": "green", "spots": 4}})]),
    ("03.3.f-100-black", "pass", [kit(chips={"10000": {"primary": "black", "spots": 4, "style": "triple split"}})]),
    ("03.3.f-100-black", "violation", [kit(chips={"10000": {"primary": "purple", "spots": 4}})]),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "rows"), CASES, ids=names(CASES))
def test_clause(clause: str, verdict: str, rows: Rows) -> None:
    judged(clause, verdict, rows)
