"""How other makers may observe a performance without pixels: cards alone, in the ways that `foreign.py` names."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, cast

import numpy as np
from msgspec import Struct, structs

from verifier.domain.cards import RANKS
from verifier.domain.events import CardDealt, CardsCollected, CardsMoved
from verifier.domain.house import House
from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import CardSeen, Observation, Point, Rank
from verifier.engine.totals import hand_total
from verifier.simulate.detections.foreign import TRACK_SECONDS, bare
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import Performance
from verifier.simulate.render import Camera
from verifier.simulate.render.order import card_quad
from verifier.simulate.scene import CardSprite

LYING_MM = 12.0
HEIGHT_MM = 2000.0
QUARTERS = {"bottom": 0, "left": 1, "top": 2, "right": 3}
HIDDEN_SECONDS = (0.5, 2.0)
MOVED_MM = 5.0
"""A card that lies this far from where it was last told to lie has been moved."""
BUST_SECONDS = 6.0
"""A busted hand is taken up within so long, before anything else is done with cards."""
Shown = dict[int, CardSprite]


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
    keyed: bool = False
    """A record only where a card was laid, turned, moved or taken, told where it last lay still; else every look."""
    changes: bool = False
    """The looks without those that show what the one before showed, cards on their way included."""
    busts: float | None = None
    """Seconds after which the last card of a busted hand is taken; None: as the play has it."""
    doubled: float = 0.0
    """Share of the cards that a look tells twice."""


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
        """Return the layout as an annotator draws it in the recording's picture."""
        plain = bare(layout_for(performance.plan, self.camera, site="0001", table="1"))
        spaces = {
            n: SpaceZones(area=self.seen(s.area), cards=self.seen(s.cards or ())) for n, s in plain.spaces.items()
        }
        zones = Zones(dealer=self.seen(plain.zones.dealer), inner=self.seen(plain.zones.inner))
        return structs.replace(
            plain, image_size=self.variant.size, zones=zones, spaces=spaces, dealer_side=self.variant.side
        )


def observations(performance: Performance, view: View, begin: float, rng: random.Random) -> Iterator[Observation]:
    """Yield the looks of a variant at a performance from `begin` (s) on."""
    variant = view.variant
    tracks: dict[int, tuple[int, float]] = {}
    hidden: dict[int, float] = {}
    before: Shown = {}
    told: Shown | None = None
    for number, at in enumerate(_moments(performance, begin, variant)):
        t = number / variant.hz
        there = {c.id: c for c in performance.scene_at(at).cards if c.z <= LYING_MM and not c.turn}
        still = {n: c for n, c in there.items() if not _changed(there, before, {n})}
        lay = {n: c for n, c in (told or {}).items() if n in there}
        shown, before = {**lay, **still} if variant.keyed else there, there
        if (variant.keyed or variant.changes) and told is not None and not _changed(shown, told, {*shown, *told}):
            continue
        told = shown
        cards = []
        for card in shown.values():
            if rng.random() < variant.hidden / variant.hz:
                hidden[card.id] = t + rng.uniform(*HIDDEN_SECONDS)
            if hidden.get(card.id, -1.0) > t or rng.random() < variant.missed:
                continue
            if card.face == "down" and rng.random() > variant.backs:
                continue
            if card.id not in tracks or tracks[card.id][1] <= t:
                tracks[card.id] = (len(tracks) + number, t + rng.uniform(*TRACK_SECONDS))
            cards.append(_card(card, view, tracks[card.id][0] if variant.tracks else None, rng))
            if variant.doubled and rng.random() < variant.doubled:
                cards.append(_card(card, view, None, rng))
        yield Observation(t=round(t, 3), frame=number, cards=cards)


def _moments(performance: Performance, begin: float, variant: Variant) -> Iterator[float]:
    """Yield the times of the performance from `begin` on to look at, without the waits before busts are taken."""
    end = int((performance.duration - begin) * variant.hz) / variant.hz + begin
    lies = variant.busts
    waits = [] if lies is None else [(t0 + lies, t1) for t0, t1 in _busts(performance) if t1 > t0 + lies]
    number, passed = 0, 0.0
    while begin + number / variant.hz + passed < end:
        at = begin + number / variant.hz + passed
        if waits and at >= waits[0][0]:
            since, until = waits.pop(0)
            passed += max(0.0, until - max(since, begin))
            continue
        yield at
        number += 1


def _busts(performance: Performance) -> list[tuple[float, float]]:
    """When the last card of each busted hand lies, and when the hand is taken up."""
    events = performance.events.events
    parted = {(one.round, one.from_) for one in events if isinstance(one, CardsMoved)}
    dealt: dict[tuple[int | None, str], list[CardDealt]] = {}
    found = []
    for one in events:
        if isinstance(one, CardDealt) and one.to.startswith("space") and (one.round, one.to) not in parted:
            dealt.setdefault((one.round, one.to), []).append(one)
        if isinstance(one, CardsCollected) and (cards := dealt.get((one.round, one.from_))):
            over = hand_total(card.card[0] for card in cards).best > 21
            found += [(cards[-1].t_end, one.t_start)] if over else []
    return sorted((lies, taken) for lies, taken in found if taken - lies < BUST_SECONDS)


def _changed(cards: Shown, others: Shown, numbers: Iterable[int]) -> bool:
    """Tell whether one of the cards lies there only in one of the two, or lies otherwise."""
    pairs = [(cards.get(number), others.get(number)) for number in numbers]
    return any(
        a is None or b is None or a.face != b.face or np.hypot(a.xy[0] - b.xy[0], a.xy[1] - b.xy[1]) > MOVED_MM
        for a, b in pairs
    )


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
