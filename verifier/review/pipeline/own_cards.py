"""A table's own cards in a review: whether a recording shows those that were enrolled, and then they are used."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
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
from verifier.vision.detection import CARD_UP
from verifier.vision.table_cards import LEAST_CARDS, LIKE

if TYPE_CHECKING:
    from verifier.vision.networks import Networks
    from verifier.vision.table_cards import TableCardReader

PICTURES: Final = 24
"""Pictures, spread over a recording, by whose cards is told whether they are those that were enrolled."""
NAME: Final = "the table's own cards"


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
    """Return the models that read with an enrolment, where the recording shows the cards enrolled; else the same
    models.
    """
    digest = sha256_of(enrolment)
    told = read_enrolment(enrolment)
    reader = _learnt(enrolment, digest)
    found = _verdict(str(probe.path), probe.facts.identity, digest, _Looks(probe, networks, reader, told))
    if not found.used:
        return networks, found
    from verifier.vision.table_cards import TableReaders

    identity = NamedHash(name=NAME, sha256=hashlib.sha256(text_of(told).encode()).hexdigest())
    readers = TableReaders(networks.readers, reader)  # type: ignore[arg-type]
    return replace(networks, readers=readers, identities=(*networks.identities, identity)), found


class _Looks(Struct, frozen=True, eq=False):
    """What a verdict is made of; all are alike to the cache, which knows the recording's file and the enrolment."""

    probe: Probe
    networks: object
    reader: object
    enrolment: Enrolment

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Looks)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=64)
def _verdict(path: str, identity: object, digest: str, looks: _Looks) -> Verdict:
    return verdict_on(_likenesses(looks.probe, looks.networks, looks.reader), looks.enrolment)  # type: ignore[arg-type]


def _likenesses(probe: Probe, networks: Networks, reader: TableCardReader) -> list[float]:
    out: list[float] = []
    for picture in spread_pictures(probe, PICTURES):
        found = [
            found
            for _, found in networks.finder.stream([(None, picture, [(0, 0, picture.shape[1], picture.shape[0])])])
        ]
        out += reader.like(picture, [one.quad for one in found[0] if one.kind == CARD_UP])
    return out


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
