"""Chips above the table's limit that the dealer gives back before the cards are dealt."""

from __future__ import annotations

import pytest
from recon_scenes import card, chain, chip, frames, hand, layout

from verifier.domain.house import House
from verifier.domain.observations import ObservationsHeader
from verifier.reconstruct import reconstruct

WAGER = (600.0, 140.0)


def returned(*, owner="dealer", below=2500, late=False):
    """What is told when a hand lifts the top of a stack, and a chip of another value lies below it."""
    way = [(600, 480), (600, 330), (600, 200), (600, 200), (600, 200), (600, 330), (600, 480)]
    if owner == "player":
        way = [(600, -90), (600, 20), (600, 90), (600, 90), (600, 90), (600, 20), (600, -90)]
    top, bare = [chip(*WAGER, 100)], [chip(*WAGER, below)]
    lifting = [
        seen for at, shown in zip(way, [top, top, (), (), (), bare, bare], strict=True)
        for seen in frames(1 / 7.5, chips=list(shown), hands=[hand(*at, owner)])
    ]  # fmt: skip
    cards = [card(600, 300, "9"), card(560, 540, "7"), card(567, 345, "8"), card(632, 540, face="down")]
    dealt = [frames(1.0, cards=cards[: number + 1], chips=top if late else bare) for number in range(4)]
    before = [frames(2.0, chips=top)] if late else [frames(2.0, chips=top), lifting, frames(1.5, chips=bare)]
    after = [lifting, frames(1.5, chips=bare)] if late else []
    after = [
        [type(one)(t=0.0, frame=0, cards=cards, chips=one.chips, hands=one.hands) for one in seen] for seen in after
    ]
    events = reconstruct(chain(*before, *dealt, *after), layout(), House(), ObservationsHeader()).events
    return [event for event in events if event.name == "chips_returned"]


def test_a_lifted_top_that_bares_a_dearer_chip_was_returned():
    (one,) = returned()
    assert (one.at, one.kind, one.reason, one.cents) == ("space:2", "original", "excess", None)


@pytest.mark.parametrize("how", [{"owner": "player"}, {"below": 50}, {"late": True}])
def test_a_players_own_hand_a_cheaper_chip_below_or_a_later_time_is_no_return(how):
    assert returned(**how) == []
