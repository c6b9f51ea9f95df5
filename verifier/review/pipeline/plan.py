"""Divides a recording into segments, and names a job by its contents and configuration."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of
from verifier.recording.probe import sha256_of
from verifier.review.entries import is_file
from verifier.review.pipeline.chain import Chain
from verifier.review.pipeline.spoken import spoken_key
from verifier.review.pipeline.values import Part, RecordingSet, Segment, Source

SEGMENT_S = 120.0
"""Seconds of a segment: what is lost when a worker dies. At five times real time that is 26 s of work with WARM_S."""
LONGEST: Final = 1.25
"""Lengths of a segment that the last one, or a recording watched whole, may have."""
WARM_S = 5.0
"""Seconds watched before a segment, so that what lies there is known and read when it begins."""


def segments_of(part: Part, length: float = SEGMENT_S, warm: float = WARM_S) -> list[Segment]:
    """Return the segments of a part. They depend on the recording alone, so that an interruption changes nothing.

    A recording of up to LONGEST lengths is watched whole, as `verifier review` does.
    """
    whole = part.end - part.begin
    if not part.facts.divisible or (part.begin == 0.0 and whole <= LONGEST * length):
        return [Segment(warm=0.0, begin=part.begin, end=part.end, first=True, whole=True)]
    count = max(1, math.ceil(whole / length - LONGEST + 1))
    cuts = [round(part.begin + i * length, 3) for i in range(count)] + [part.end]
    return [
        Segment(warm=max(0.0, round(a - warm, 3)), begin=a, end=b, first=i == 0)
        for i, (a, b) in enumerate(itertools.pairwise(cuts))
    ]


def config_of(source: Source, chain: Chain, length: float) -> str:
    """Return the digest of all that a result depends on besides the recording itself."""
    files = [settings_digest(name) for name in (source.layout, source.house)]
    told: list[object] = [chain.version, chain.models, files, source.site, source.table, length, WARM_S]
    told += [source.day, source.rulebook, source.how]
    if source.enrolment is not None:
        told.append({"enrolment": settings_digest(source.enrolment)})
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()


class SettingsChanged(BadInput):
    """What a review rests on besides the recording was changed while it was made."""


def settings_of(source: Source) -> str:
    """Return the digest of a recording's layout, house options and enrolled cards as they are now."""
    digests = [settings_digest(name) for name in (source.layout, source.house, source.enrolment)]
    return hashlib.sha256(msgspec.json.encode(digests)).hexdigest()


def check_settings(source: Source, settings: str, layouts: Iterable[str]) -> None:
    """Raise SettingsChanged if layout, house options or enrolled cards are not those with which a review began.

    `settings` is what `settings_of` gave then, `layouts` are the SHA-256 of the layout as each stretch was watched by
    it. A recording that is watched by one layout and judged by another tells of neither.
    """
    if settings_of(source) != settings or set(layouts) - {settings_digest(source.layout)}:
        cause = "its layout, house options or enrolled cards were changed while it was reviewed"
        raise SettingsChanged(path_of(source.path), cause, "review it again")


def settings_digest(name: str | None) -> str | None:
    """Return the digest of a settings file; None if none can be read, which is reported when it is needed."""
    try:
        return sha256_of(path_of(name)) if name and is_file(path_of(name)) else None
    except (BadInput, OSError):
        return None


def key_of(recording_set: RecordingSet, config: str) -> str:
    """Return the name of a job: the same recordings, dealers and transcripts under the same configuration are the same
    job.

    Transcripts are no part of the configuration, as what was watched does not depend on them.
    """
    parts = [(part.facts.sha256, part.at, part.begin, part.end) for part in recording_set.parts]
    seams = [part.seam for part in recording_set.parts if part.seam is not None]
    told: list[object] = [
        parts,
        config,
        *([recording_set.dealers] if recording_set.dealers else []),
        *([seams] if seams else []),
    ]
    if said := spoken_key(recording_set):
        told.append({"spoken": said})
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()
