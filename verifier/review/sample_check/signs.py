"""What is written in the picture: date and time, site id and table number."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from shapely.geometry import Polygon as Shape
from shapely.geometry import box as rectangle

from verifier.domain.layout import Layout
from verifier.review.sample_check.looking import Looked
from verifier.review.sample_check.showing import Stills
from verifier.review.sample_check.values import Item, ItemVerdict
from verifier.vision.ocr import LineReader, box_of
from verifier.vision.signs import read_sign, says_number

CLOCK_CITE: Final = "99-01.3-08-04(1)(a)"
SIGN_CITE: Final = "99-01.3-08-04(2)"
READABLE: Final = 0.9
COVERS: Final = 0.02
"""Share of a region of play that the clock may lie over (this product's policy for `significantly obstruct`)."""
WRONG_S: Final = 300.0
"""Seconds by which the clock may differ from when the recording was made."""
SAMPLES: Final = 5


def sign_items(
    seen: Looked, layout: Layout | None, reader: LineReader, made: datetime | None, stills: Stills, error: float = 0.0
) -> list[Item]:
    """Items on the written things; `made` is when the recording began, as a person says.

    `error` is by how many seconds the clock is known to be fast.
    """
    return [
        _readable(seen, stills),
        _right(seen, made, error),
        _covering(seen, layout, stills),
        _sign("site-id", "Site identification", "site_id", "site", seen, layout, reader, stills),
        _sign("table-number", "Table number readable", "table_number", "table", seen, layout, reader, stills),
    ]


def _clock_item(
    key: str, title: str, verdict: ItemVerdict, says: str, measured: str = "", stills: list[str] | None = None
) -> Item:
    return Item(
        key=key, title=title, cite=CLOCK_CITE, verdict=verdict, says=says, measured=measured, stills=stills or []
    )


def _readable(seen: Looked, stills: Stills) -> Item:
    title = "Date and time shown and readable"
    first = seen.samples[0]
    if seen.clock_box is None:
        shown = [stills.add("clock", first, "no date and time found at the top or bottom")]
        return _clock_item("clock", title, "fail", "No date and time were found in the picture.", stills=shown)
    share = len(seen.reads) / (len(seen.reads) + len(seen.unread))
    shown = [stills.add("clock", first, f"read: {seen.reads[0][1]}", [seen.clock_box])]
    measured = f"read in {share:.0%} of {len(seen.reads) + len(seen.unread)} looks"
    if share >= READABLE:
        return _clock_item("clock", title, "pass", "Date and time with seconds are shown.", measured, shown)
    return _clock_item(
        "clock", title, "cannot_tell", "They are not always readable: a person decides.", measured, shown
    )


def _right(seen: Looked, made: datetime | None, error: float) -> Item:
    title = "Date and time right"
    if not seen.reads:
        return _clock_item("clock-right", title, "cannot_tell", "No date and time were read.")
    t, shown = seen.reads[0]
    if shown.year < 2015:
        says = "The recorder's date was never set."
        return _clock_item("clock-right", title, "fail", says, f"shows {shown}")
    if made is None:
        says = "Nobody said when the recording was made: compare the clock with a true one."
        return _clock_item("clock-right", title, "cannot_tell", says, f"shows {shown}")
    off = (shown - made).total_seconds() - t
    verdict: ItemVerdict = "pass" if abs(off) <= WRONG_S else "fail"
    says = (
        "It agrees with when the recording was made." if verdict == "pass" else "It is not when the recording was made."
    )
    measured = f"shows {shown}, off by {off:.0f} s" + (f"; known to be off by {error:.0f} s" if error else "")
    return _clock_item("clock-right", title, verdict, says, measured)


def _covering(seen: Looked, layout: Layout | None, stills: Stills) -> Item:
    title = "Date and time do not cover play"
    if seen.clock_box is None or layout is None:
        return _clock_item("clock-covers", title, "cannot_tell", "Needs the clock in the picture and a layout.")
    box = rectangle(*seen.clock_box)
    zones = {name: getattr(layout.zones, name) for name in ("shoe", "discard", "tray", "drop", "inner", "table_number")}
    zones |= {place.replace(":", " "): area for place, area in layout.areas.items()}
    shares = {
        name: Shape(zone).buffer(0).intersection(box).area / Shape(zone).buffer(0).area
        for name, zone in zones.items()
        if zone
    }
    worst = max(shares, key=lambda name: shares[name])
    measured = f"{shares[worst]:.0%} of the {worst.replace('_', ' ')}"
    if shares[worst] <= COVERS:
        return _clock_item("clock-covers", title, "pass", "It lies off the regions of play.", measured)
    shown = [stills.add("clock-covers", seen.samples[0], f"lies over {worst}", [seen.clock_box, zones[worst]])]
    return _clock_item("clock-covers", title, "fail", f"It lies over the {worst.replace('_', ' ')}.", measured, shown)


def _sign(
    key: str,
    title: str,
    zone_name: str,
    field: str,
    seen: Looked,
    layout: Layout | None,
    reader: LineReader,
    stills: Stills,
) -> Item:
    def item(verdict: ItemVerdict, says: str, measured: str = "", shown: list[str] | None = None) -> Item:
        return Item(
            key=key, title=title, cite=SIGN_CITE, verdict=verdict, says=says, measured=measured, stills=shown or []
        )

    zone = getattr(layout.zones, zone_name) if layout is not None else None
    if layout is None or zone is None:
        return item("cannot_tell", "The layout does not say where it is." if layout else "Needs a layout.")
    wanted: str | None = getattr(layout, field)
    some = seen.samples[:: max(1, len(seen.samples) // SAMPLES)]
    texts = [text for sample in some if (text := read_sign(sample.picture, reader, zone))]
    shown = [stills.add(key, some[0], f"read: {texts[0] if texts else 'nothing'}", [box_of(zone)])]
    if not texts:
        return item("fail", "It cannot be read.", "nothing read", shown)
    measured = f"reads: {max(set(texts), key=texts.count)}"
    if wanted is None:
        return item("cannot_tell", f"It can be read; the layout does not name the {field}.", measured, shown)
    right = sum(says_number(text, wanted) for text in texts)
    if right * 2 > len(texts):
        return item("pass", f"It can be read and says {wanted}.", measured, shown)
    if right:
        return item("cannot_tell", f"It is not always read as {wanted}: a person decides.", measured, shown)
    return item("fail", f"It does not say {wanted}.", measured, shown)
