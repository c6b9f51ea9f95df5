"""A stretch of a recording for the player: its frames' times, what was seen in them, the zones, the table's clock."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
from msgspec import Struct

from verifier.domain.doubt import SURE
from verifier.domain.errors import BadInput
from verifier.domain.findings import Finding
from verifier.domain.layout import Layout
from verifier.domain.money import dollars
from verifier.domain.observations import BillSeen, CardSeen, ChipSeen, HandSeen, Observation
from verifier.recording.probe import Probe
from verifier.review.clip_times import clip_times
from verifier.review.looked_at import layout_of, observations_between
from verifier.review.originals import number_at, originals_of, stretch_of
from verifier.review.playback import film
from verifier.review.stepping import SAME_S, Stepper
from verifier.review.stills import outline_of
from verifier.review.table_clock import clock_of
from verifier.review.wording import plain_card, plain_place
from verifier.store.values import ReviewRecord

CLIP_LOOKS_MOST_S: Final = 120.0
"""Seconds of a recording that one answer tells at most: 3,000 frames at 25 a second; our own choice."""
_AROUND_S: Final = 5.0
"""Seconds told before and after what a finding rests on; our own choice."""
_JPEG_QUALITY: Final = 88
_STEPPER: Final = Stepper()


class Thing(Struct, frozen=True, omit_defaults=True):
    """Something seen, to be drawn: `points` are its corners (x, y), of a chip its middle; `radius` a chip's. Pixels."""

    layer: str
    points: Sequence[tuple[float, float]]
    words: str
    id: int | None = None
    radius: float = 0.0


class Look(Struct, frozen=True):
    """What was seen in the frame of time `t` (s of the review)."""

    t: float
    things: list[Thing]


class ClipLooks(Struct, frozen=True, kw_only=True):
    """From `start` to `end` (s of the review): each frame's number and time, the looks, the zones.

    `frames` is empty if the original cannot be shown, and `without_frames` says why. `size` is the picture's width
    and height. The table's clock shows `clock` (ISO 8601) plus t seconds at the moment t; None if it was not read.
    """

    start: float
    end: float
    size: tuple[int, int] | None
    frames: list[tuple[int, float]]
    looks: list[Look]
    zones: list[Thing]
    clock: str | None
    without_frames: str | None = None


def clip_looks_of(review: ReviewRecord, number: int, start: float, end: float) -> ClipLooks:
    """Return the stretch from `start` to `end` (s of the review) of file `number`. Raises BadInput if that is
    too long.
    """
    if not 0.0 <= end - start <= CLIP_LOOKS_MOST_S:
        raise BadInput("the stretch", f"is longer than {CLIP_LOOKS_MOST_S:.0f} s", "ask for a shorter one")
    at = originals_of(review)[number].at
    folder = Path(review.folder)
    seen = observations_between(folder, start, end)
    frames, why = _frames(review, number, start - at, end - at, at)
    layout = layout_of(folder)
    return ClipLooks(
        start=start,
        end=end,
        size=layout.image_size if layout is not None else None,
        frames=frames,
        without_frames=why,
        looks=[Look(one.t, things_of(one)) for one in seen],
        zones=zones_of(layout) if layout is not None else [],
        clock=clock_of([(one.t, one.clock) for one in seen if one.clock]),
    )


def stretch_around(review: ReviewRecord, finding: Finding, moments: Sequence[float]) -> tuple[float, float]:
    """From where to where (s of the review) a finding's page shows frames: its clip, and the `moments` of its round."""
    times = clip_times(review, finding)
    first, last = stretch_of(review, number_at(review, finding.t_end))
    start = max(0.0, first, min([times.start, *moments]) - _AROUND_S)
    end = max([times.end, *moments]) + _AROUND_S
    return max(start, end - CLIP_LOOKS_MOST_S), min(end, last) if last > start else end


def _frames(
    review: ReviewRecord, number: int, start: float, end: float, at: float
) -> tuple[list[tuple[int, float]], str | None]:
    """Return the frames of a stretch, or none and why not."""
    try:
        timeline = film(review, number).timeline
    except BadInput as error:
        return [], str(error)
    first, last = timeline.at(max(0.0, start)), timeline.at(max(0.0, end))
    return [(index, float(timeline.times[index]) + at) for index in range(first, last + 1)], None


def frame_picture(video: Probe, number: int) -> bytes:
    """Frame `number` of a recording as JPEG; raises BadInput if there is none that can be decoded."""
    times = video.timeline.times
    if not 0 <= number < len(times):
        raise BadInput(f"frame {number}", f"is none of the frames 0 to {len(times) - 1}", "choose one of them")
    frame = _STEPPER.frame(video, float(times[number]))
    if frame is None or abs(frame.t - float(times[number])) > SAME_S:
        raise BadInput(f"frame {number}", "cannot be decoded: the recording is damaged there", "take one beside it")
    _, data = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return data.tobytes()


def things_of(seen: Observation) -> list[Thing]:
    """Return what was seen in a frame, to be drawn over it."""
    found = [_card(one) for one in seen.cards]
    found += [Thing("cards", one.quad, "indicator card") for one in seen.cut_cards or ()]
    found += [_chip(one) for one in seen.chips]
    found += [_bill(one) for one in seen.bills or ()]
    return found + [_hand(one) for one in seen.hands]


def zones_of(layout: Layout) -> list[Thing]:
    """Return the zones of a layout, to be drawn."""
    named = {name.replace("_", " "): getattr(layout.zones, name) for name in layout.zones.__struct_fields__}
    named |= {place.replace(":", " "): area for place, area in layout.areas.items()}
    return [Thing("zones", points, name) for name, points in named.items() if points]


def place_outline(folder: Path, place: str | None) -> Thing | None:
    """Return the outline of the place that a finding speaks of; None if the layout does not have it."""
    layout = layout_of(folder)
    points = outline_of(layout, place) if layout is not None else None
    return Thing("place", points, plain_place(place)) if points else None


def _card(card: CardSeen) -> Thing:
    if card.face == "down":
        return Thing("cards", card.quad, "face down", card.id)
    sure = (card.ranks or {}).get(card.rank, card.p) if card.rank else card.p
    name = plain_card(f"{card.rank or '?'}{card.suit or '?'}") if card.rank else "?"
    doubt = "" if sure >= SURE and card.rank else f" {sure:.0%}"
    more = ", more cards here?" if card.number_in_doubt else ""
    return Thing("cards", card.quad, f"{name}{doubt}{more}", card.id)


def _chip(chip: ChipSeen) -> Thing:
    worth = chip.colour if chip.cents is None else f"${dollars(chip.cents).removesuffix('.00')}"
    sure = chip.colour_p >= SURE
    return Thing("chips", [chip.center], worth if sure else f"{worth} {chip.colour_p:.0%}", chip.id, chip.radius)


def _bill(bill: BillSeen) -> Thing:
    worth = "bill" if bill.cents is None else f"${dollars(bill.cents).removesuffix('.00')} bill"
    return Thing("chips", bill.quad, worth)


def _hand(hand: HandSeen) -> Thing:
    x0, y0, x1, y1 = hand.box
    side = hand.side if hand.side_p >= SURE or hand.side == "unknown" else f"{hand.side} {hand.side_p:.0%}"
    words = " ".join(word for word in (hand.owner, side, "hand") if word != "unknown")
    return Thing("hands", [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], words, hand.id)
