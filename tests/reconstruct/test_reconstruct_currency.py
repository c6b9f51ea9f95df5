"""Bank notes on a betting space: told where one lies there as its hand is dealt, and only there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET, structs
from recon_scenes import bill, card, chain, frames, hand, layout

from verifier.domain.events import CurrencyWagered
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.observations import BillSeen, CardSeen, Observation, ObservationsHeader, VideoInfo
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct

HEADER = ObservationsHeader(video=VideoInfo(name="a note", sha256="0" * 64, width=1200, height=800))
CHIPS_ONLY = "ND-08-03.1-chips-only"
ON_SPACE, BESIDE = (600.0, 140.0), (600.0, 60.0)
FIRST, UP, SECOND = card(585, 300, "9"), card(600, 540, "7"), card(615, 258, "T")


def looks(seconds: float, cards: Sequence[CardSeen], note: BillSeen | None) -> list[Observation]:
    """Looks at cards; at bills in each third one, each time anew."""
    seen = frames(seconds, cards=[*cards], hands=[hand(300, 560)])
    return [
        one if n % 3 else structs.replace(one, bills=[structs.replace(note, p=0.95 - n / 1e4)] if note else [])
        for n, one in enumerate(seen)
    ]


def told(
    at: tuple[float, float], *, before: bool = True, dealt: bool = True, after: bool = True, table: Layout | None = None
) -> tuple[list[CurrencyWagered], str]:
    """Return what is told of a note of twenty dollars, and the verdict.

    It lies `before` the first card of space 2, while cards are `dealt`, and `after` its second card.
    """
    note = bill(*at, 2000, across=True)
    seen = chain(
        looks(1.2, (), None),
        looks(4.0, (), note if before else None),
        looks(2.0, (FIRST,), note if dealt else None),
        looks(2.0, (FIRST, UP), note if dealt else None),
        looks(6.0, (FIRST, UP, SECOND), note if after else None),
        looks(4.0, (), None),
    )
    log = reconstruct(seen, table or layout(), House(), HEADER)
    assert any(one.name == "card_dealt" for one in log.events)
    row = next(one for one in judge(log).clauses if one.clause == CHIPS_ONLY)
    return [one for one in log.events if isinstance(one, CurrencyWagered)], row.verdict


def test_a_note_that_lies_on_a_betting_space_as_its_hand_is_dealt_is_told() -> None:
    (note,), verdict = told(ON_SPACE)
    assert (note.at, note.cents, note.round, verdict) == ("space:2", 2000, 1, "violation")


@pytest.mark.parametrize(
    "when",
    [{"before": False}, {"after": False}, {"dealt": False, "after": False}, {"before": False, "dealt": False}],
)
def test_a_note_that_lay_there_only_before_or_since_may_be_for_chips(when: dict[str, bool]) -> None:
    assert told(ON_SPACE, **when) == ([], "not_assessed")


def test_a_note_beside_the_betting_space_is_no_wager() -> None:
    assert told(BESIDE) == ([], "not_assessed")


def test_where_the_layout_has_no_betting_space_nothing_is_told_of_a_note() -> None:
    bare = layout()
    spaces = {number: structs.replace(spot, wager=UNSET) for number, spot in bare.spaces.items()}
    assert told(ON_SPACE, table=structs.replace(bare, spaces=spaces)) == ([], "not_assessed")
