"""A table's own cards and chips in a review: used where a recording shows those that were enrolled."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from verifier.domain.enrolment import Enrolment
from verifier.domain.observations import NamedHash
from verifier.formats.enrolment import read_enrolment, text_of
from verifier.recording.probe import Probe, sha256_of
from verifier.review.pipeline.pictures import spread_pictures
from verifier.vision.detection import CARD_UP, CHIP, Detection
from verifier.vision.table_cards import LEAST_CARDS, LIKE

if TYPE_CHECKING:
    from verifier.recording.decode import Picture
    from verifier.vision.geometry import Floats
    from verifier.vision.networks import Networks
    from verifier.vision.table_cards import TableCardReader
    from verifier.vision.table_chips import TableChips

PICTURES: Final = 24
"""Pictures, spread over a recording, by whose cards is told whether they are those that were enrolled."""
NAME: Final = "the table's own cards"
CHIPS_NAME: Final = "the table's own chips"
SURE_CHIP: Final = 0.8
"""Probability from which a chip tells whether a table's chips are those that were enrolled."""


class Verdict(Struct, frozen=True, kw_only=True):
    """Whether an enrolment is used in a recording, and why not."""

    used: bool
    cause: str | None = None


def verdict_on(likenesses: Sequence[float], enrolment: Enrolment) -> Verdict:
    """Tell whether cards of a recording, so like to those enrolled, are these; used only where enough of them tell.

    A deck that is exchanged amid a recording is told where a quarter of the cards are of the other one.
    """
    day = f" on {enrolment.day}" if enrolment.day else ""
    if len(likenesses) < LEAST_CARDS:
        cause = f"too few cards are surely read to tell whether they are those enrolled{day}: the enrolment is not used"
        return Verdict(used=False, cause=cause)
    if quantiles(likenesses, n=4, method="inclusive")[0] < LIKE:
        cause = f"this table's cards are not those enrolled{day}: the enrolment is not used"
        return Verdict(used=False, cause=cause)
    return Verdict(used=True)


def networks_at(probe: Probe, enrolment: Path, networks: Networks) -> tuple[Networks, Verdict]:
    """Return the models that read with an enrolment, where the recording shows the cards and chips enrolled; else the
    same models. Cards and chips are each used on their own.
    """
    from verifier.vision.table_chips import TableChips
    from verifier.vision.table_readers import TableReaders

    digest = sha256_of(enrolment)
    told = read_enrolment(enrolment)
    cards = _learnt(enrolment, digest) if told.faces else None
    chips = TableChips(told.chips) if told.chips else None
    asked: dict[str, Callable[[], Verdict]] = {}
    if told.faces:
        asked[NAME] = lambda: verdict_on(_likenesses(probe, networks, _learnt(enrolment, digest)), told)
    if chips is not None:
        asked[CHIPS_NAME] = lambda: chips_verdict_on(chips, _chip_colours(probe, networks), told)
    verdicts = {
        name: _verdict(str(probe.path), probe.facts.identity, digest, name, _Question(answer))
        for name, answer in asked.items()
    }
    used = [name for name, verdict in verdicts.items() if verdict.used]
    cause = "; ".join(verdict.cause for verdict in verdicts.values() if verdict.cause is not None) or None
    if not used:
        return networks, Verdict(used=False, cause=cause)
    sha256 = hashlib.sha256(text_of(told).encode()).hexdigest()
    identities = [NamedHash(name=name, sha256=sha256) for name in used]
    readers = TableReaders(
        networks.readers,  # type: ignore[arg-type]
        cards if NAME in used else None,
        chips if CHIPS_NAME in used else None,
    )
    made = replace(networks, readers=readers, identities=(*networks.identities, *identities))
    return made, Verdict(used=True, cause=cause)


def chips_verdict_on(chips: TableChips, colours: Sequence[Floats], enrolment: Enrolment) -> Verdict:
    """Tell whether chips of a recording, of these median colours (3,), are those enrolled."""
    from verifier.vision.table_chips import are_these

    these = are_these(chips, colours)
    if these:
        return Verdict(used=True)
    day = f" on {enrolment.day}" if enrolment.day else ""
    if these is None:
        cause = f"too few chips are seen to tell whether they are those enrolled{day}: those chips are not used"
    else:
        cause = f"this table's chips, or its light, are not those enrolled{day}: those chips are not used"
    return Verdict(used=False, cause=cause)


class _Question(Struct, frozen=True, eq=False):
    """How a verdict is come to; all are alike to the cache, which knows the recording's file and the enrolment."""

    answer: Callable[[], Verdict]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Question)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=128)
def _verdict(path: str, identity: object, digest: str, name: str, question: _Question) -> Verdict:
    return question.answer()


def _likenesses(probe: Probe, networks: Networks, reader: TableCardReader) -> list[float]:
    out: list[float] = []
    for picture, found in _found(probe, networks):
        out += reader.like(picture, [one.quad for one in found if one.kind == CARD_UP])
    return out


def _chip_colours(probe: Probe, networks: Networks) -> list[Floats]:
    """Return the median colours (3,) of the chips that are likely there in some pictures."""
    from verifier.vision.look_alikes import median_colour

    return [
        median_colour(picture, one)
        for picture, found in _found(probe, networks)
        for one in found
        if one.kind == CHIP and one.p >= SURE_CHIP
    ]


def _found(probe: Probe, networks: Networks) -> Iterator[tuple[Picture, Sequence[Detection]]]:
    """Yield pictures that are spread over a recording, each with what is found in it."""
    for picture in spread_pictures(probe, PICTURES):
        whole = [(0, 0, picture.shape[1], picture.shape[0])]
        for _, found in networks.finder.stream([(None, picture, whole)]):
            yield picture, found


@lru_cache(maxsize=2)
def _learnt(path: Path, digest: str) -> TableCardReader:
    """Return the reader that has learnt an enrolment; a process learns each once."""
    from verifier.vision.models import find_model
    from verifier.vision.runtime import best_precision
    from verifier.vision.table_cards import TableCardReader

    precision = best_precision()
    reader = TableCardReader(find_model("cards"), precision="bf16" if precision == "bf16" else "f32")
    reader.learn(read_enrolment(path))
    return reader
