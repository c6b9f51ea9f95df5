"""The card reader: told by the dealer's cards being away from their place; cards in view were not read."""

from __future__ import annotations

import pytest
from recon_scenes import card, chain, chip, frames, hand, layout

from verifier.domain.house import House
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.reconstruct import reconstruct

PLAYERS = [card(600, 300, "9"), card(567, 345, "8")]
UP, BACK, TURNED = card(560, 540, "K"), card(632, 540, face="down"), card(632, 540, "T")
STAKE = {"chips": [chip(600, 140)]}
RESTING, AT_CARDS = {"hands": [hand(900, 600)], **STAKE}, {"hands": [hand(600, 545)], **STAKE}
ALL = [*PLAYERS, UP, BACK]


def played(*middle: list[Observation], method: str = "hole_card_reader") -> list[tuple[float, float, bool]]:
    """Time and weakness of the reader's uses in a round with `middle` between deal and turn; the deal ends at 6 s."""
    seen = chain(
        frames(2.0, **RESTING),
        frames(1.0, cards=PLAYERS[:1], **RESTING),
        frames(1.0, cards=[PLAYERS[0], UP], **RESTING),
        frames(1.0, cards=[*PLAYERS, UP], **RESTING),
        frames(1.0, cards=ALL, **RESTING),
        *middle,
        frames(2.0, cards=[*PLAYERS, UP, TURNED], **RESTING),
        frames(6.0, **RESTING),
    )
    events = reconstruct(seen, layout(), House(dealing_method=method), ObservationsHeader()).events
    return [(one.t_start, one.t_end, one.weak) for one in events if one.name == "hole_card_check"]


def away(seconds: float, hands: dict[str, object]) -> list[Observation]:
    """The dealer's cards are taken up, are not there for some seconds, and are laid back."""
    return chain(
        frames(0.4, cards=ALL, **AT_CARDS), frames(seconds, cards=PLAYERS, **hands), frames(0.4, cards=ALL, **AT_CARDS)
    )


@pytest.mark.parametrize("before", [0.5, 4.0], ids=["at once", "after a while"])
def test_cards_that_were_away_were_in_the_reader_then(before: float) -> None:
    (start, end, weak) = played(
        frames(before, cards=ALL, **RESTING), away(1.8, RESTING), frames(1.5, cards=ALL, **RESTING)
    )[0]
    assert not weak
    assert start == pytest.approx(6.0 + before + 0.3, abs=0.3)
    assert end - start == pytest.approx(1.9, abs=0.3)


@pytest.mark.parametrize("after", [2.5, 0.2], ids=["seen after it", "turned over soon after it"])
def test_a_hole_card_that_lay_for_a_moment_before_it_came_back_from_the_reader_was_in_it(after: float) -> None:
    """What is seen for so short a time before is no card that lay there: it is known from when it came back."""
    seen = [card(632, 540, face="down")]
    back = chain(
        frames(0.3, cards=[*PLAYERS, UP, *seen], **RESTING),
        frames(1.8, cards=PLAYERS, **RESTING),
        frames(0.4, cards=[*PLAYERS, UP, *seen], **AT_CARDS),
        frames(after, cards=[*PLAYERS, UP, *seen], **RESTING),
    )
    deal = chain(
        frames(2.0, **RESTING),
        frames(1.0, cards=PLAYERS[:1], **RESTING),
        frames(1.0, cards=[PLAYERS[0], UP], **RESTING),
        frames(1.0, cards=[*PLAYERS, UP], **RESTING),
        back,
        frames(2.0, cards=[*PLAYERS, UP, TURNED], **RESTING),
        frames(6.0, **RESTING),
    )
    events = reconstruct(deal, layout(), House(dealing_method="hole_card_reader"), ObservationsHeader()).events
    assert [one.weak for one in events if one.name == "hole_card_check"] == [False]


def test_a_doubtful_look_at_the_hole_card_on_its_way_is_no_second_card_that_lay_there() -> None:
    """The faceup card passes that spot on its way to the reader and back: that one would lie there all the while."""
    on_its_way, passing = card(604, 540, face="down", p=0.46), [card(603, 540, "K"), card(675, 540, face="down")]
    back_again = [card(609, 540, "K"), card(681, 540, face="down")]
    dealt, looks = [*PLAYERS, UP], 1 / 7.5
    deal = chain(
        frames(2.0, **RESTING),
        frames(1.0, cards=PLAYERS[:1], **RESTING),
        frames(1.0, cards=[PLAYERS[0], UP], **RESTING),
        frames(1.0, cards=dealt, **RESTING),
        frames(looks, cards=[*dealt, on_its_way], **RESTING),
        frames(4 * looks, cards=ALL, **RESTING),
        frames(looks, cards=[*PLAYERS, *passing], **AT_CARDS),
        frames(1.2, cards=PLAYERS, **RESTING),
        frames(looks, cards=[*PLAYERS, *back_again], **AT_CARDS),
        frames(0.4, cards=ALL, **AT_CARDS),
        frames(3.0, cards=ALL, **RESTING),
        frames(2.0, cards=[*dealt, TURNED], **RESTING),
        frames(6.0, **RESTING),
    )
    events = reconstruct(deal, layout(), House(dealing_method="hole_card_reader"), ObservationsHeader()).events
    assert [one.weak for one in events if one.name == "hole_card_check"] == [False]


def test_cards_hidden_for_as_long_leave_it_open() -> None:
    uses = played(frames(1.0, cards=ALL, **RESTING), away(1.8, AT_CARDS), frames(1.5, cards=ALL, **RESTING))
    assert [weak for _, _, weak in uses] == [True]


def test_cards_in_view_were_not_read_though_a_hand_is_by() -> None:
    assert played(frames(1.0, cards=ALL, **RESTING), frames(2.0, cards=ALL, **AT_CARDS)) == []


def test_a_house_without_a_reader_uses_none() -> None:
    assert played(away(1.8, RESTING), frames(1.5, cards=ALL, **RESTING), method="hole_card_no_peek") == []
