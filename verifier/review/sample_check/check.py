"""Checks one sample recording, item by item."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.formats.layout import check_size, read_layout
from verifier.recording.decode import Picture
from verifier.recording.timeline import AS_TOLD, Reading
from verifier.review.sample_check.copies import overlap_item, playable_item
from verifier.review.sample_check.looking import Looked, look
from verifier.review.sample_check.picture import picture_items
from verifier.review.sample_check.readable import Detect, readable_items
from verifier.review.sample_check.showing import Stills
from verifier.review.sample_check.signs import sign_items
from verifier.review.sample_check.timing import timing_items
from verifier.review.sample_check.values import Checked, Cover, Item, SampleReport
from verifier.review.sample_check.views import view_items
from verifier.vision.ocr import LineReader, TextReader
from verifier.vision.still import detect_image, read_picture

LOOK_SIDE = 960
"""Long side in pixels at which cards and chips are looked for: that at which the reviews look."""


def check_sample(
    video: Path,
    layout_file: Path | None = None,
    *,
    cover: Cover | None = None,
    made: datetime | None = None,
    other: Path | None = None,
    reference: Path | None = None,
    reader: LineReader | None = None,
    detect: Detect | None = None,
    house: House | None = None,
    how: Reading = AS_TOLD,
) -> Checked:
    """Check `video`. `made` is when it began, `other` the second recorder's video, `reference` a still of the clear
    table.

    `house` are the site's options: of them the time zone and the known error of the clock count. Raises BadInput if
    the recording, the layout or the still cannot be used. `how` is what a person tells of the file.
    """
    house = house or House()
    layout = read_layout(layout_file) if layout_file is not None else None
    text, stills = reader or TextReader(), Stills()
    seen = look(video, layout, text, how)
    if layout is not None and layout_file is not None:
        check_size(seen.probe.info, layout, layout_file)
    clear = _reference(reference, seen.samples[0].picture)
    items = [
        *timing_items(seen, stills, house.time_zone),
        *sign_items(seen, layout, text, made, stills, house.clock_error_seconds),
        *picture_items(seen, layout, stills),
        *view_items(seen, layout, clear, stills),
        *readable_items(seen, detect or model_sample(), stills, layout),
        overlap_item(seen, other, text),
        playable_item(seen),
    ]
    return Checked(
        report=_report(seen, _completed(cover or Cover(), layout), items), pictures=stills.pictures, times=stills.times
    )


def _report(seen: Looked, cover: Cover, items: list[Item]) -> SampleReport:
    info = seen.probe.info
    return SampleReport(
        recording=info.name,
        sha256=info.sha256 or "",
        width=info.width,
        height=info.height,
        duration=seen.coverage.recorded,
        fps=info.fps_nominal,
        cover=cover,
        items=items,
    )


def _completed(cover: Cover, layout: Layout | None) -> Cover:
    """Return the cover sheet with site and table of the layout, where a person gave none."""
    if layout is None:
        return cover
    return msgspec.structs.replace(cover, site=cover.site or layout.site or "", table=cover.table or layout.table or "")


def _reference(path: Path | None, like: Picture) -> Picture | None:
    if path is None:
        return None
    picture = read_picture(path)
    if picture.shape != like.shape:
        raise BadInput(path, "is not of the recording's size", "take the still from this camera")
    return picture


def model_sample() -> Detect | None:
    """Return what looks at single pictures with the installed models; None if there are none."""
    from verifier.vision.networks import load_networks

    try:
        networks = load_networks()
    except BadInput:
        return None
    return lambda picture: detect_image(picture, networks, long_sides=(LOOK_SIDE,))
