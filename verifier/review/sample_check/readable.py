"""Cards, chips and currency: what share can be read at this size and sharpness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from shapely.geometry import Point
from shapely.geometry import Polygon as Shape
from shapely.geometry.base import BaseGeometry as Geometry

from verifier.domain.layout import Layout
from verifier.domain.observations import CardSeen, ChipSeen, Observation
from verifier.recording.decode import Picture
from verifier.review.sample_check.looking import Looked, Sample
from verifier.review.sample_check.showing import Stills
from verifier.review.sample_check.values import Item, ItemVerdict

CITE: Final = "99-01.3-08-04(9), (10)"
GOOD, POOR = 0.9, 0.6
SURE: Final = 0.8
FEW: Final = 5
"""Objects below which a share says little."""
LOOKS: Final = 6

Detect = Callable[[Picture], Observation]
"""Finds and reads the objects of one picture."""


def readable_items(seen: Looked, detect: Detect | None, stills: Stills, layout: Layout | None = None) -> list[Item]:
    """Items on what can be read; `detect` None if there are no models.

    With a layout only chips on betting spaces count: those of the tray stand on edge and tell nothing.
    """
    if detect is None:
        says = "The models that read cards and chips are not installed."
        return [_item(key, title, "cannot_tell", says) for key, title in _TITLES.items()] + [_currency()]
    spaces = [Shape(area).buffer(0) for area in layout.areas.values()] if layout is not None else None
    some = seen.samples[:: max(1, len(seen.samples) // LOOKS)]
    found = [(sample, detect(sample.picture)) for sample in some]
    cards = [(sample, card) for sample, one in found for card in one.cards if card.face == "up" and card.p >= 0.5]
    chips = [(sample, chip) for sample, one in found for chip in one.chips if _in_play(chip, spaces)]
    squares = [_square(chip.center, chip.radius) for _, chip in chips]
    return [
        _share("cards", [(s, _card_read(card)) for s, card in cards], stills, [list(card.quad) for _, card in cards]),
        _share("chips", [(s, chip.colour != "other") for s, chip in chips], stills, squares),
        _currency(),
    ]


_TITLES: Final = {"cards": "Cards clear", "chips": "Chips clear"}


def _item(
    key: str, title: str, verdict: ItemVerdict, says: str, measured: str = "", stills: Sequence[str] = ()
) -> Item:
    return Item(key=key, title=title, cite=CITE, verdict=verdict, says=says, measured=measured, stills=list(stills))


def _card_read(card: CardSeen) -> bool:
    return card.rank is not None and (card.ranks or {}).get(card.rank, 1.0) >= SURE


def _in_play(chip: ChipSeen, spaces: Sequence[Geometry] | None) -> bool:
    return chip.p >= 0.5 and (spaces is None or any(space.covers(Point(chip.center)) for space in spaces))


def _share(
    key: str, read: Sequence[tuple[Sample, bool]], stills: Stills, outlines: Sequence[list[tuple[float, float]]]
) -> Item:
    title = _TITLES[key]
    if len(read) < FEW:
        says = f"Too few {key} lie in the pictures that were looked at: record play."
        return _item(key, title, "cannot_tell", says, f"{len(read)} seen")
    share = sum(right for _, right in read) / len(read)
    sample = next((sample for sample, right in read if not right), read[0][0])
    marks = [
        outline
        for (one, right), outline in zip(read, outlines, strict=True)
        if one is sample and (share == 1 or not right)
    ]
    caption = f"{sample.t:.1f} s: {key} that {'were read' if share == 1 else 'could not be read'}"
    shown = [stills.add(f"readable-{key}", sample, caption, marks)]
    measured = f"{share:.0%} of {len(read)} seen"
    if share >= GOOD:
        return _item(key, title, "pass", f"Nearly all {key} can be read at this size and sharpness.", measured, shown)
    if share >= POOR:
        return _item(key, title, "cannot_tell", f"Some {key} cannot be read: a person decides.", measured, shown)
    return _item(key, title, "fail", f"Many {key} cannot be read.", measured, shown)


def _square(center: tuple[float, float], radius: float) -> list[tuple[float, float]]:
    (x, y), r = center, radius
    return [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]


def _currency() -> Item:
    says = "A person always decides: the reader of bills saw drawn ones only. Look whether bills can be told apart."
    return _item("currency", "Currency clear", "cannot_tell", says)
