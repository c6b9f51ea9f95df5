"""Enrolling a table's cards and chips: from a recording of a show, or of play, to what is kept with the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import UNSET, Struct

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.enrolment import FACES, EnrolledChip, Enrolment, LearntFrom
from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.domain.names import path_text
from verifier.domain.observations import NamedHash, Observation
from verifier.formats.layout import read_layout
from verifier.recording.probe import probe
from verifier.vision.networks import Networks, load_networks
from verifier.vision.readers import COLOURS

if TYPE_CHECKING:
    from verifier.vision.enrolling import Learnt, Shown, ShownChip

LEAST_FACES: Final = 13
"""Faces below which nothing is enrolled: a quarter of a deck."""
MOST_OTHERS: Final = 16
"""Chips without a value of their own: of each at most 16 looks are kept, and the file holds 256 of one name."""


class Enrolled(Struct, frozen=True, kw_only=True):
    """What was learnt from a recording: the enrolment, how many cards it showed, and how many of them have no name."""

    enrolment: Enrolment
    cards: int
    unnamed: int


def order_of(suits: str) -> list[str]:
    """Return the faces of a deck that is laid suit by suit, each from ace to king. Raises BadInput for another word."""
    if sorted(suits) != sorted(SUITS):
        raise BadInput("--order", f"found {suits!r}, expected the four suits once each", "write them as laid: shdc")
    return [rank + suit for suit in suits for rank in RANKS]


def chips_of(names: str) -> list[str]:
    """Return the colours of chips that are laid in this order, told with commas. Raises BadInput for another word."""
    told = [name.strip() for name in names.split(",")]
    wrong = next((name for name in told if name not in COLOURS), None)
    if wrong is not None:
        remedy = f"name the chips as laid, with commas: {','.join(COLOURS[:3])}"
        raise BadInput("--chips", f"found {wrong!r}, expected {', '.join(COLOURS)}", remedy)
    twice = next((name for name in told if name != "other" and told.count(name) > 1), None)
    if twice is not None:
        raise BadInput("--chips", f"names {twice} more than once", "lay one chip of each colour")
    if told.count("other") > MOST_OTHERS:
        raise BadInput("--chips", f"names other more than {MOST_OTHERS} times", "lay one chip of each colour")
    return told


def enrol(
    video: Path,
    layout_path: Path,
    *,
    learnt_from: LearntFrom = "show",
    decks: int = 1,
    order: Sequence[str] | None = None,
    chips: Sequence[str] = (),
    networks: Networks | None = None,
    beat: Callable[[Observation], None] = lambda _: None,
) -> Enrolled:
    """Learn the card faces of a table from a recording, and its chips where `chips` names those that are laid.

    Raises BadInput if too few faces can be told, or other chips were laid. If chips are named, the recording need
    not show cards.
    """
    from verifier.vision.enrolling import shown

    layout: Layout = read_layout(layout_path)
    facts = probe(video)
    clock: str | None = None

    def seen(observation: Observation) -> None:
        nonlocal clock
        clock = clock or observation.clock
        beat(observation)

    show = shown(facts, layout, networks or load_networks(faint_hands=True), seen)
    told = _learnt(video, show.cards, learnt_from, decks, order)
    named = _named(video, show.chips, chips) if chips else UNSET
    if show.cards or not chips:
        _check_enough(video, told)
    enrolment = Enrolment(
        format="verifier-enrolment",
        version=1,
        site=layout.site,
        table=layout.table,
        day=clock[:10] if clock else None,
        learnt_from=learnt_from,
        decks=decks,
        video=NamedHash(name=path_text(video.name), sha256=facts.info.sha256),
        faces=told.faces,
        chips=named,
    )
    return Enrolled(enrolment=enrolment, cards=told.cards, unnamed=told.unnamed)


def _learnt(
    video: Path, cards: Sequence[Shown], learnt_from: LearntFrom, decks: int, order: Sequence[str] | None
) -> Learnt:
    """Return the faces that were learnt. Raises BadInput where the cards lie in another order than is told."""
    from verifier.vision.enrolling import OutOfOrderError, learnt

    try:
        return learnt(cards, learnt_from, decks, order)
    except OutOfOrderError as error:
        raise BadInput(video, str(error), "lay the cards in that order, or leave --order away") from error


def _named(video: Path, shown: Sequence[ShownChip], chips: Sequence[str]) -> dict[str, EnrolledChip]:
    """Return the colours of the chips that were laid. Raises BadInput where others were laid than `chips` names."""
    from verifier.vision.enrolling import OutOfOrderError, learnt_chips

    try:
        return learnt_chips(shown, chips)
    except OutOfOrderError as error:
        remedy = "start the recording, then lay one chip of each colour apart from the others, as --chips names them"
        raise BadInput(video, str(error), remedy) from error


def _check_enough(video: Path, told: Learnt) -> None:
    """Raise BadInput if fewer than LEAST_FACES faces were told."""
    if len(told.faces) < LEAST_FACES:
        cause = f"{told.cards} cards lie still face up, and {len(told.faces)} of {len(FACES)} faces can be told surely"
        remedy = "lay every card of one deck apart from the others, face up, and let it lie for two seconds"
        raise BadInput(video, cause, remedy)
