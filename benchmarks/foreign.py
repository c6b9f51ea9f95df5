"""Measures reconstruction and law over other makers' observations: cards alone, by quad, rank and track.

    python benchmarks/foreign.py --recordings 3

Lawful play is performed without pixels and seen as the variants below say: at other rates, on broken tracks or none, by
boxes, through cameras that stand askew, with misread, unread and missed cards, begun amid a round. Each variant takes
seeds of its own from `--first-seed` on. Told are hands whose cards all have the right values, splits, rounds, and
violations, all of which are false.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, cast

import cv2
import numpy as np
from msgspec import Struct, structs

from verifier.domain.cards import RANKS
from verifier.domain.events import AnyEvent, CardsMoved, RoundStarted
from verifier.domain.house import House
from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import CardSeen, Observation, ObservationsHeader, Point, Rank
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.review.score_hands import hands_right
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import Performance, perform
from verifier.simulate.render import Camera
from verifier.simulate.render.order import card_quad
from verifier.simulate.scene import CardSprite
from verifier.simulate.sight.foreign import TRACK_SECONDS, bare

LYING_MM = 12.0
HEIGHT_MM = 2000.0
QUARTERS = {"bottom": 0, "left": 1, "top": 2, "right": 3}
HIDDEN_SECONDS = (0.5, 2.0)


class Variant(Struct, frozen=True, kw_only=True):
    """How a maker observes: shares of the looks at a card, pixels, degrees."""

    hz: float = 5.0
    jitter: float = 0.6
    missed: float = 0.01
    misread: float = 0.0
    unread: float = 0.0
    turned: float = 0.0
    """Faces that pass for backs."""
    backs: float = 1.0
    """Backs that are seen at all."""
    hidden: float = 0.0
    """The chance a second that a card is out of sight for HIDDEN_SECONDS."""
    boxes: bool = False
    tracks: bool = True
    tilt: float = 0.0
    pan: float = 0.0
    roll: float = 0.0
    side: Literal["bottom", "top", "left", "right"] = "bottom"
    mirrored: bool = False
    size: tuple[int, int] = (1280, 720)
    begins: float = 0.0
    """Seconds after the first card at which the recording begins."""
    house: House | None = None


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
}  # fmt: skip


class View:
    """Table millimetres to the pixels of a camera, turned by the dealer's side and mirrored as the variant says."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        wide, high = variant.size if variant.side in ("bottom", "top") else variant.size[::-1]
        at = (-HEIGHT_MM * np.tan(np.radians(variant.pan)), HEIGHT_MM * np.tan(np.radians(variant.tilt)))
        fit = 0.78 * min(wide / 1780.0, high / 1000.0)
        focal = fit * float(np.hypot(HEIGHT_MM, np.hypot(*at)))
        self.camera = Camera((wide, high), focal, HEIGHT_MM, at, variant.tilt, variant.pan, variant.roll)

    def seen(self, points: np.ndarray | Sequence[Point]) -> list[Point]:
        """(N, 2) pixels of the camera's picture in the recording's."""
        middle = np.array(self.camera.size) / 2
        moved = (np.asarray(points) - middle) * (-1.0 if self.variant.mirrored else 1.0, 1.0)
        angle = np.radians(90.0 * QUARTERS[self.variant.side])
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        out = moved @ turn + np.array(self.variant.size) / 2
        return [(round(float(x), 2), round(float(y), 2)) for x, y in out]

    def layout(self, performance: Performance) -> Layout:
        """The layout as an annotator draws it in the recording's picture."""
        plain = bare(layout_for(performance.plan, self.camera, site="0001", table="1"))
        spaces = {
            n: SpaceZones(area=self.seen(s.area), cards=self.seen(s.cards or ())) for n, s in plain.spaces.items()
        }
        zones = Zones(dealer=self.seen(plain.zones.dealer), inner=self.seen(plain.zones.inner))
        return structs.replace(
            plain, image_size=self.variant.size, zones=zones, spaces=spaces, dealer_side=self.variant.side
        )


def observations(performance: Performance, view: View, begin: float, rng: random.Random) -> Iterator[Observation]:
    """The looks of a variant at a performance from `begin` (s) on."""
    variant = view.variant
    tracks: dict[int, tuple[int, float]] = {}
    hidden: dict[int, float] = {}
    for number in range(int((performance.duration - begin) * variant.hz)):
        t = number / variant.hz
        cards = []
        for card in performance.scene_at(begin + t).cards:
            if rng.random() < variant.hidden / variant.hz:
                hidden[card.id] = t + rng.uniform(*HIDDEN_SECONDS)
            if card.z > LYING_MM or card.turn or hidden.get(card.id, -1.0) > t or rng.random() < variant.missed:
                continue
            if card.face == "down" and rng.random() > variant.backs:
                continue
            if card.id not in tracks or tracks[card.id][1] <= t:
                tracks[card.id] = (len(tracks) + number, t + rng.uniform(*TRACK_SECONDS))
            cards.append(_card(card, view, tracks[card.id][0] if variant.tracks else None, rng))
        yield Observation(t=round(t, 3), frame=number, cards=cards)


def _card(card: CardSprite, view: View, track: int | None, rng: random.Random) -> CardSeen:
    variant = view.variant
    up = card.face == "up" and rng.random() >= variant.turned
    rank = cast(Rank, card.card.rank) if up and rng.random() >= variant.unread else None
    if rank is not None and rng.random() < variant.misread:
        rank = rng.choice(RANKS)
    shift = rng.gauss(0.0, variant.jitter), rng.gauss(0.0, variant.jitter)
    corners = [(x + shift[0], y + shift[1]) for x, y in view.seen(view.camera.project(card_quad(card)))]
    if variant.boxes:
        (x0, x1), (y0, y1) = ((min(values), max(values)) for values in zip(*corners, strict=True))
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    a, b, c, d = corners
    return CardSeen(id=track, face="up" if up else "down", p=1.0, quad=(a, b, c, d), rank=rank)


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
        hands=hands.of, hands_right=hands.right, rounds=len(rounds), rounds_told=len(rounds & found),
        splits=len(_splits(true)), splits_told=len(_splits(true) & _splits(told)),
        false=sum(one.verdict == "violation" for one in judge(log).findings),
    )  # fmt: skip


def _splits(events: Sequence[AnyEvent]) -> set[tuple[int | None, str]]:
    return {(e.round, e.to) for e in events if isinstance(e, CardsMoved) and e.kind == "split"}


def main() -> None:
    """Runs the variants and prints their figures as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first-seed", type=int, default=760_000)
    parser.add_argument("--recordings", type=int, default=2, help="recordings of each variant, three rounds each")
    parser.add_argument("--only", default="", help="variants whose name contains this")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    sums: Counter[str] = Counter()
    print("| variant | hands right in value | splits told | rounds told | false violations |\n|---|---|---|---|---|")
    for index, (name, variant) in enumerate(VARIANTS.items()):
        if arguments.only in name:
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
