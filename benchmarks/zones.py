"""Measures `verifier zones` on simulated recordings: `python benchmarks/zones.py STEP FOLDER SEED...`.

`make` simulates one short recording a seed (a round, one picture a second, a key picture every two seconds). The seed
decides spaces (3 to 7), difficulty, corner of the clock, and how the camera hangs: of ten recordings seven have the
dealer at the bottom, two are upside down, one is mirrored. The clock is burned in afterwards, as a recorder does.
`score` proposes a layout for each from its pictures alone and compares it with the true one. It prints a table: shares
of what is right, overall and for each kind. Seeds below 8000 were used while the proposal was written.

`play` simulates one whole recording a seed (a round, ten pictures a second, as the camera hangs) with one planted
breach of a clause, and reviews it with the true layout. `review` reviews it once more with the untouched proposal, and
prints in how many recordings both find the same violations, and the same findings. What is on disk is not made again.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from shapely.geometry import Polygon as Shape

from verifier.domain.errors import BadInput
from verifier.domain.findings import Finding, FindingsReport
from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.formats.findings import read_findings
from verifier.formats.layout import read_layout, write_layout
from verifier.simulate.commands import look_and_camera
from verifier.simulate.deviations import STAGEABLE
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import Performance, perform
from verifier.simulate.record import encode, pictures, record
from verifier.simulate.render.effects import burn_clock
from verifier.vision.networks import Networks, load_networks

SIZE: Final = (1280, 720)
FPS: Final = 1
BITRATE: Final = 300_000
PLAY_FPS: Final = 10
ROUNDS: Final = 1
DIFFICULTIES: Final = ("easy", "typical", "hard")
VIEWS: Final = ("plain",) * 7 + ("upside down",) * 2 + ("mirrored",)
UNTURNED_ZONES: Final = ("clock",)
SPOT_MM: Final = 20.0
AREA_IOU: Final = 0.8
"""What counts as right (issue of the zones): a spot to within so many millimetres, an area of this overlap."""


def make(folder: Path, seed: int) -> None:
    """Write video.mp4, layout.yaml and scene.json of one seed into `folder`/`seed`."""
    out = folder / str(seed)
    if (out / "scene.json").exists():
        return
    out.mkdir(parents=True, exist_ok=True)
    began = time.process_time()
    rng = np.random.default_rng([seed, 40])
    spaces, difficulty, corner, view = 3 + seed % 5, DIFFICULTIES[seed // 5 % 3], int(rng.integers(4)), VIEWS[seed % 10]
    play = perform(seed, 1, spaces=spaces, shuffle=False, shift_change=False)
    look, camera = look_and_camera(seed, SIZE, difficulty, "test")
    look = replace(look, clock_style=corner, site=play.site, table=play.table)
    layout = layout_for(play.plan, camera, site=play.site, table=play.table, look=look)
    clocks = [play.scene_at(number / FPS).clock or "" for number in range(int(play.duration * FPS))]
    frames = (
        _burned(_turned(picture, view), clock, corner)
        for picture, clock in zip(pictures(_Clockless(play), look, camera, FPS), clocks, strict=True)
    )
    encode(out / "video.mp4", frames, len(clocks), SIZE, FPS, BITRATE)
    write_layout(out / "layout.yaml", turned_layout(layout, view))
    facts = {
        "seed": seed,
        "spaces": spaces,
        "difficulty": difficulty,
        "corner": corner,
        "view": view,
        "duration": play.duration,
        "cpu": time.process_time() - began,
    }
    (out / "scene.json").write_text(json.dumps(facts))
    print(facts, flush=True)


class _Clockless:
    """A performance whose pictures have no clock."""

    def __init__(self, play: Any) -> None:
        self._play = play

    def __getattr__(self, name: str) -> Any:
        return getattr(self._play, name)

    def scene_at(self, t: float) -> Any:
        return msgspec.structs.replace(self._play.scene_at(t), clock=None)


def _turned(picture: Any, view: str) -> Any:
    if view == "plain":
        return picture.copy()
    return np.ascontiguousarray(picture[::-1, ::-1] if view == "upside down" else picture[:, ::-1])


def _burned(picture: Any, clock: str, corner: int) -> Any:
    burn_clock(picture, clock, corner)
    return picture


def turned_layout(layout: Layout, view: str) -> Layout:
    """Return the layout of the picture that `_turned` makes; the clock stays where it is."""
    if view == "plain":
        return layout
    width, height = layout.image_size

    def turn(zone: Any) -> Any:
        return zone and [(width - x, height - y if view == "upside down" else y) for x, y in zone]

    zones = {name: getattr(layout.zones, name) for name in Zones.__struct_fields__}
    zones = {name: zone if name in UNTURNED_ZONES else turn(zone) for name, zone in zones.items()}
    spaces = {
        number: SpaceZones(**{name: turn(getattr(space, name)) for name in SpaceZones.__struct_fields__})
        for number, space in layout.spaces.items()
    }
    side = "top" if view == "upside down" else "bottom"
    return msgspec.structs.replace(layout, zones=Zones(**zones), spaces=spaces, dealer_side=side)


def score(folder: Path, seed: int, networks: Networks) -> dict[str, Any]:
    """Propose a layout for one recording and compare it with the true one; what was scored before is kept."""
    from verifier.zones import propose

    kept = folder / str(seed) / "score.json"
    if kept.exists():
        return dict(json.loads(kept.read_text()))
    truth = read_layout(folder / str(seed) / "layout.yaml")
    facts = json.loads((folder / str(seed) / "scene.json").read_text())
    began = time.process_time()
    try:
        found = propose(folder / str(seed) / "video.mp4", networks=networks)
    except BadInput as error:
        out = {
            **facts,
            "error": str(error),
            "spots": [math.inf] * len(truth.spaces),
            "areas": [0.0] * len(truth.spaces),
        }
    else:
        out = {**facts, **compared(found.layout, truth), "unsure": found.unsure, "reasons": found.reasons}
        out["direction"] = found.mirrored == (facts["view"] == "mirrored")
    out["cpu"] = round(time.process_time() - began, 1)
    kept.write_text(json.dumps(out))
    return out


def compared(found: Layout, truth: Layout) -> dict[str, Any]:
    """How a proposed layout differs from the true one; spots and areas count as wrong where their number is."""
    same = len(found.spaces) == len(truth.spaces)
    spots, areas = [], []
    for number, space in truth.spaces.items():
        there = found.spaces.get(number)
        wager = there.wager if there is not None else None
        spots.append(math.inf if wager is None else math.dist(middle(wager), middle(space.wager or [])) / truth.scale)
        areas.append(0.0 if there is None else overlap(there.area, space.area))
    names = [name for name in Zones.__struct_fields__ if getattr(truth.zones, name)]
    zones = {name: overlap(getattr(found.zones, name), getattr(truth.zones, name)) for name in names}
    return {
        "side": found.dealer_side == truth.dealer_side,
        "count": same,
        "spots": spots,
        "areas": areas,
        "site": found.site == truth.site,
        "table": found.table == truth.table,
        "zones": zones,
        "scale": found.scale / truth.scale,
    }


def middle(polygon: Any) -> tuple[float, float]:
    """Return the middle of a polygon's corners."""
    x, y = np.mean(polygon, axis=0)
    return float(x), float(y)


def overlap(one: Any, other: Any) -> float:
    """Intersection by union of two polygons; 0 where one is missing."""
    if not one or not other:
        return 0.0
    a, b = Shape(one).buffer(0), Shape(other).buffer(0)
    return float(a.intersection(b).area / a.union(b).area)


def areas_told(rows: list[dict[str, Any]]) -> None:
    """Print whether the areas that are wrong were said to be unsure, and how good outermost and inner ones are."""
    told: dict[str, list[tuple[bool, bool]]] = {"outermost": [], "inner": []}
    for row in rows:
        for number, area in enumerate(row["areas"], start=1):
            kind = "outermost" if number in (1, len(row["areas"])) else "inner"
            told[kind].append((area >= AREA_IOU, "error" in row or f"space {number}" in row["reasons"]))
    for kind, areas in told.items():
        wrong = [unsure for right, unsure in areas if not right]
        right = [unsure for right, unsure in areas if right]
        print(
            f"{kind} areas: {len(right)} of {len(areas)} right, {sum(right)} of these said to be unsure; "
            f"{len(wrong)} wrong, {sum(wrong)} of these said to be unsure"
        )


def outcome(row: dict[str, Any]) -> str:
    """Tell whether what judging needs is right, and whether the proposal said that it was not sure of it."""
    told = all(row.get(key, False) for key in ("side", "count", "direction"))
    right = told and all(spot <= SPOT_MM for spot in row["spots"])
    said = bool(row.get("unsure", ["all"]))
    return f"{'right' if right else 'wrong'}, {'said to be unsure' if said else 'said to be sure'}"


def table(rows: list[dict[str, Any]]) -> None:
    """Print shares of what is right: over all recordings, and by difficulty, view and number of spaces."""
    kinds: list[tuple[str, Callable[[dict[str, Any]], bool]]] = [("all", lambda row: True)]
    for field in ("difficulty", "view", "spaces", "corner"):
        for value in sorted({row[field] for row in rows}):
            kinds.append((f"{field} {value}", lambda row, field=field, value=value: row[field] == value))
    print(
        f"{'':<22}{'n':>4}{'spots':>8}{'areas':>8}{'side':>8}{'number':>8}{'mirror':>8}{'site':>8}{'table':>8}"
        f"{'sure':>8}{'CPU s':>8}"
    )
    for name, belongs in kinds:
        some = [row for row in rows if belongs(row)]
        spots = [spot <= SPOT_MM for row in some for spot in row["spots"]]
        areas = [area >= AREA_IOU for row in some for area in row["areas"]]
        shares = [np.mean(spots), np.mean(areas)]
        shares += [
            np.mean([row.get(key, False) for row in some]) for key in ("side", "count", "direction", "site", "table")
        ]
        shares.append(np.mean([not row.get("unsure", ["all"]) for row in some]))
        cpu = np.median([row["cpu"] for row in some])
        print(f"{name:<22}{len(some):>4}" + "".join(f"{share:>8.3f}" for share in shares) + f"{cpu:>8.1f}")
    outcomes = [outcome(row) for row in rows]
    print("; ".join(f"{outcomes.count(kind)} {kind}" for kind in sorted(set(outcomes))))
    areas_told(rows)
    names = sorted({name for row in rows for name in row.get("zones", {})})
    print(
        "median overlap of zones: "
        + ", ".join(
            f"{name} {np.median([row['zones'].get(name, 0.0) for row in rows if 'zones' in row]):.2f}" for name in names
        )
    )
    for row in rows:
        wrong = (
            [spot for spot in row["spots"] if not spot <= SPOT_MM],
            [area for area in row["areas"] if area < AREA_IOU],
        )
        if any(wrong) or not all(row.get(key, False) for key in ("side", "count", "direction", "site", "table")):
            told = {
                key: row.get(key) for key in ("difficulty", "view", "spaces", "error", "side", "count", "site", "table")
            }
            print(
                row["seed"],
                told,
                "spots",
                [round(x) if x < 1e6 else None for x in row["spots"]],
                "areas",
                [round(x, 2) for x in row["areas"]],
                row.get("unsure"),
            )


def play(folder: Path, seed: int) -> None:
    """Write a recording with one planted breach into `folder`/`seed`, and its review with the true layout."""
    out = folder / str(seed)
    if not (out / "planted.json").exists():
        clause, played = _breached(seed)
        difficulty = DIFFICULTIES[seed // 5 % 3]
        look, camera = look_and_camera(seed, SIZE, difficulty, "test")
        record(played, look, camera, out, PLAY_FPS, preset="ultrafast")
        facts = {"seed": seed, "spaces": len(played.plan.spaces), "difficulty": difficulty, "clause": clause}
        (out / "planted.json").write_text(json.dumps({**facts, "duration": played.duration}))
        print(facts, flush=True)
    _reviewed(out, "true", out / "layout.yaml")


def _breached(seed: int) -> tuple[str, Performance]:
    """Return a clause that the seed chooses and a round that breaks it, with more spaces where that needs them."""
    wanted = str(np.random.default_rng([seed, 41]).choice(STAGEABLE))
    for spaces in (*range(3 + seed % 5, 8), *range(3 + seed % 5 - 1, 2, -1)):
        try:
            return wanted, perform(seed, ROUNDS, (wanted,), spaces=spaces, shuffle=False, shift_change=False)
        except BadInput:
            continue
    raise BadInput(wanted, "cannot be staged by this seed", "leave the seed out")


def _reviewed(out: Path, name: str, layout: Path) -> FindingsReport:
    """Return the findings of a review with that layout, which has a store of its own."""
    from verifier.review.recording import review_recording

    kept = out / name / "findings.json"
    if not kept.exists():
        os.environ["VERIFIER_HOME"] = str(out / f"home-{name}")
        review_recording(out / "video.mp4", layout, out / "house.yaml", out / name)
    return read_findings(kept)


def reviewed(folder: Path, seed: int, networks: Networks) -> dict[str, Any]:
    """How the findings of a review with the untouched proposal differ from those with the true layout."""
    from verifier.zones import propose

    out = folder / str(seed)
    proposed, unsure = out / "proposed.yaml", out / "unsure.json"
    if not unsure.exists():
        found = propose(out / "video.mp4", networks=networks)
        write_layout(proposed, found.layout)
        unsure.write_text(json.dumps(found.unsure))
    true, other = _reviewed(out, "true", out / "layout.yaml"), _reviewed(out, "proposed", proposed)
    facts = json.loads((out / "planted.json").read_text())
    return {**facts, "unsure": json.loads(unsure.read_text()), **differing(true.findings, other.findings)}


def differing(true: Sequence[Finding], other: Sequence[Finding]) -> dict[str, Any]:
    """Return what only the one review and only the other found: clause, verdict and round of each."""

    def told(some: Sequence[Finding]) -> Counter[str]:
        return Counter(f"{one.clause} {one.verdict} in round {one.round}" for one in some)

    only, too_many = told(true) - told(other), told(other) - told(true)
    violations = [text for text in (*only, *too_many) if "violation" in text]
    return {
        "same violations": not violations,
        "same findings": not only and not too_many,
        "violations": sum(one.verdict == "violation" for one in true),
        "missing": sorted(only),
        "more": sorted(too_many),
    }


def review_table(rows: list[dict[str, Any]]) -> None:
    """Print in how many recordings both reviews find the same."""
    for name in ("same violations", "same findings"):
        print(f"{name}: {sum(row[name] for row in rows)} of {len(rows)} recordings")
    print(f"violations found with the true layout: {sum(row['violations'] for row in rows)}")
    for row in rows:
        if row["unsure"] or not row["same findings"]:
            print({key: row[key] for key in ("seed", "difficulty", "spaces", "clause", "unsure", "missing", "more")})


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "score", "play", "review"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("seeds", nargs="+", help="seeds, or ranges such as 8000-8059")
    told = parser.parse_args()
    seeds = [seed for text in told.seeds for seed in _range(text)]
    if told.what in ("make", "play"):
        for seed in seeds:
            (make if told.what == "make" else play)(told.folder, seed)
        return
    rows, networks = [], load_networks()
    if told.what == "review":
        for seed in seeds:
            if (told.folder / str(seed) / "planted.json").exists():
                rows.append(reviewed(told.folder, seed, networks))
                print(seed, rows[-1]["missing"], rows[-1]["more"], file=sys.stderr, flush=True)
        review_table(rows)
        return
    for seed in seeds:
        if (told.folder / str(seed) / "scene.json").exists():
            rows.append(score(told.folder, seed, networks))
            print(seed, rows[-1]["cpu"], file=sys.stderr, flush=True)
    table(rows)


def _range(text: str) -> Iterator[int]:
    first, _, last = text.partition("-")
    yield from range(int(first), int(last or first) + 1)


if __name__ == "__main__":
    main()
