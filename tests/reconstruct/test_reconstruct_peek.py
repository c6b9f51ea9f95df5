"""A hand that comes back to the hole card and lingers there may look under it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import card, chain, chip, frames, hand, layout

from verifier.domain.house import House
from verifier.domain.observations import ObservationsHeader
from verifier.reconstruct import reconstruct

PLAYERS = [card(600, 300, "9"), card(567, 345, "8")]
UP, BACK, TURNED = card(560, 540, "K"), card(632, 540, face="down"), card(632, 540, "T")
ALL = [*PLAYERS, UP, BACK]
STAKE = {"chips": [chip(600, 140)]}
RESTING, AT_CARD = {"hands": [hand(900, 600)], **STAKE}, {"hands": [hand(632, 590)], **STAKE}


@pytest.mark.parametrize(
    ("after", "seconds", "missed", "told"),
    [(1.0, 1.4, False, 1), (0.14, 1.4, False, 1), (1.0, 1.4, True, 1), (1.0, 1.07, False, 0), (1.0, 4.0, False, 0)],
    ids=["after a while", "right after it was laid", "missed in two looks", "for a moment", "at rest"],
)
def test_a_hand_that_lingers_at_the_hole_card_may_look_under_it(
    after: float, seconds: float, missed: bool, told: int
) -> None:
    seen = chain(
        frames(2.0, **RESTING),
        frames(1.0, cards=PLAYERS[:1], **RESTING),
        frames(1.0, cards=[PLAYERS[0], UP], **RESTING),
        frames(1.0, cards=[*PLAYERS, UP], **RESTING),
        frames(0.3, cards=[*PLAYERS, UP], **AT_CARD),
        frames(after, cards=ALL, **RESTING),
        frames(seconds, cards=ALL, **AT_CARD),
        frames(1.5, cards=ALL, **RESTING),
        frames(2.0, cards=[*PLAYERS, UP, TURNED], **RESTING),
        frames(6.0, **RESTING),
    )
    came = next(one.t for one in seen if one.t > 5.3 + after and one.hands == AT_CARD["hands"])
    lost = (came + 0.5, came + 0.7) if missed else ()
    seen = [one if not lost or not lost[0] < one.t < lost[1] else replace(one, hands=[]) for one in seen]
    events = reconstruct(seen, layout(), House(dealing_method="hole_card_no_peek"), ObservationsHeader()).events
    checks = [one for one in events if one.name == "hole_card_check"]
    assert len(checks) == told
    assert all(one.weak for one in checks)


def test_a_hand_that_lingers_at_the_hole_cards_corner_may_look_under_it() -> None:
    at_corner = {"hands": [hand(632, 632)], **STAKE}
    seen = chain(
        frames(2.0, **RESTING),
        frames(1.0, cards=[PLAYERS[0], UP], **RESTING),
        frames(1.0, cards=ALL, **RESTING),
        frames(1.4, cards=ALL, **at_corner),
        frames(1.5, cards=ALL, **RESTING),
        frames(2.0, cards=[*PLAYERS, UP, TURNED], **RESTING),
        frames(6.0, **RESTING),
    )
    events = reconstruct(seen, layout(), House(dealing_method="hole_card_no_peek"), ObservationsHeader()).events
    assert [one.weak for one in events if one.name == "hole_card_check"] == [True]
