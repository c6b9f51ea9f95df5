"""Compares two files of a night once; the answer is kept with the facts, so that another run plans the same."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.layout import Polygon
from verifier.domain.names import path_of
from verifier.formats.files import read_bytes
from verifier.formats.layout import read_layout
from verifier.review.alike import Film, Likeness, likeness
from verifier.review.pipeline.examine import probe_of
from verifier.review.pipeline.folders import Folders, checkpoint_file
from verifier.review.pipeline.values import Facts

KEPT_AS: Final = 1
"""Number of the way in which files are compared; answers of another one are found anew."""


def compare(first: Facts, second: Facts, claimed: float, layout: str | None, folders: Folders) -> Likeness:
    """Tell whether two files show the same where their clocks overlap (`alike.likeness`). Raises BadInput, OSError."""
    clock = _clock_zone(layout)
    told = msgspec.json.encode((KEPT_AS, first.sha256, second.sha256, claimed, clock))
    kept = folders.facts / f"alike-{hashlib.sha256(told).hexdigest()[:32]}.json"
    known = _known(kept)
    if known is not None:
        kept.touch()
        return known
    found = likeness(_film(first, folders), _film(second, folders), claimed, clock)
    with checkpoint_file(kept) as stream:
        stream.write(msgspec.json.encode(found))
    return found


def _film(facts: Facts, folders: Folders) -> Film:
    return Film(probe_of(facts, folders), facts.seconds, (facts.width, facts.height))


def _clock_zone(layout: str | None) -> Polygon | None:
    try:
        return read_layout(path_of(layout or "")).zones.clock
    except BadInput:  # told when the recording is watched
        return None


def _known(path: Path) -> Likeness | None:
    try:
        return msgspec.json.decode(read_bytes(path), type=Likeness)
    except (BadInput, msgspec.DecodeError, RecursionError):
        return None
