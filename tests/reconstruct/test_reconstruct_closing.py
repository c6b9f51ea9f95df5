"""A table that is left for a while, and the indicator card that goes into a new shoe: what hands alone tell of them."""

from __future__ import annotations

import pytest
from inner_scenes import RECEPTACLE, look, run, with_drop
from recon_scenes import card, frames

from verifier.domain.events import CardDealt, Shuffle
from verifier.domain.house import House
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.reconstruct import reconstruct
from verifier.reconstruct.cards.suits import SuitCount
from verifier.reconstruct.emit import Clock, Numbering
from verifier.reconstruct.scene import event

DISCARD, TRAY, SHOE = (1115.0, 640.0), (600.0, 740.0), (85.0, 640.0)
AWAY_SECONDS = 14.0


def covering(*places):
    """Hands that go to fixtures one after another: the left one to the shoe, the right one to the others."""
    seen = []
    for at in places:
        seen += look(4, left=at) if at == SHOE else look(4, right=at)
        seen += look(3)
    return seen


def left_alone(*places, seconds=AWAY_SECONDS):
    """The events when a dealer covers fixtures, takes the receptacle, and another one comes after some seconds."""
    taking = look(6, right=RECEPTACLE)
    return run(look(8), covering(*places), taking, frames(seconds), look(40))


def states(events):
    return [event for event in events if event.name == "table_state"]


@pytest.mark.parametrize(
    ("places", "tray", "cards", "shoe"),
    [
        ((DISCARD, TRAY, SHOE), None, None, None),
        ((DISCARD, TRAY), None, None, False),
        ((TRAY, SHOE), None, False, None),
        ((DISCARD, SHOE), "open", None, None),
    ],
)
def test_what_no_hand_came_to_cannot_have_been_covered(places, tray, cards, shoe):
    closed, opened = states(left_alone(*places))
    assert (closed.tray, closed.cards_covered, closed.shoe_covered) == (tray, cards, shoe)
    assert (closed.state, closed.dealer_present) == ("temp_closed", False)
    assert (opened.state, opened.dealer_present) == ("open", True)


def test_dealers_who_relieve_each_other_leave_no_table_alone():
    events = left_alone(seconds=5.0)
    assert [one.phase for one in events if one.name == "dealer_shift"] == ["end", "start"]
    assert states(events) == []


def test_where_nobody_looked_nothing_is_said_of_covers():
    looks = [*look(10), *look(8), *look(6, right=RECEPTACLE), *frames(AWAY_SECONDS)]
    timed = [
        Observation(t=round(number / 7.5 + (5.0 if number >= 10 else 0.0), 3), frame=number, hands=one.hands)
        for number, one in enumerate(looks)
    ]
    (closed,) = states(reconstruct(timed, with_drop(), House(), ObservationsHeader()).events)
    assert (closed.tray, closed.cards_covered, closed.shoe_covered) == (None, None, None)


def new_shoe(*, indicator=True):
    """Cards are mixed, offered, and carried to the shoe by the left hand; the right one fetches the indicator card."""
    mixed = [card(400 + 60 * i, 540, face="down") for i in range(4)]
    hands = {"left": (420.0, 600.0), "right": (560.0, 600.0)}
    stack = [card(480, 540, face="down")]
    mixing = with_cards(look(40, **hands), mixed)
    waiting = with_cards(look(4, left=(460.0, 590.0)), stack)
    fetching = (
        [
            one
            for at in ((740.0, 640.0), (620.0, 600.0), (490.0, 590.0), (490.0, 590.0))
            for one in look(2, left=(460.0, 590.0), right=at)
        ]
        if indicator
        else []
    )
    loading = [one for at in ((330.0, 600.0), (200.0, 610.0), (90.0, 620.0), (90.0, 620.0)) for one in look(2, left=at)]
    offered = look(12)
    return run(mixing, offered, waiting, with_cards(fetching, stack), with_cards(loading, []), look(10))


def with_cards(seen, cards):
    return [Observation(t=one.t, frame=one.frame, cards=list(cards), hands=one.hands) for one in seen]


def test_the_indicator_card_goes_in_before_the_shoe_is_loaded():
    events = new_shoe()
    (shuffle,) = [one for one in events if one.name == "shuffle"]
    (card_in,) = [one for one in events if one.name == "indicator_card"]
    assert (card_in.action, card_in.cards_remaining) == ("inserted", None)
    assert shuffle.t_end < card_in.t_end


def test_a_stack_that_goes_to_the_shoe_at_once_holds_no_indicator_that_was_seen():
    assert [one for one in new_shoe(indicator=False) if one.name == "indicator_card"] == []


@pytest.mark.parametrize(("before", "shoes"), [(False, [1, 1]), (True, [1, 2, 2])], ids=["at first", "later"])
def test_a_shuffle_before_the_first_card_begins_no_second_shoe(before, shoes):
    dealt = event(CardDealt, 30.0, 30.5, 0.9, card="Kh", to="space:1", face="up", seq=1)
    earlier = event(CardDealt, 1.0, 1.5, 0.9, card="7c", to="space:1", face="up", seq=1)
    shuffled = event(Shuffle, 10.0, 16.0, 0.9, method="hand", scope=None)
    numbering = Numbering()
    numbering.round = 1
    numbered = numbering.number([shuffled, dealt, *([earlier] if before else [])], Clock())
    assert [one.shoe for one in numbered] == shoes


def test_one_card_more_than_the_decks_hold_is_of_unknown_suit_while_the_other_of_its_colour_has_room():
    counted = SuitCount(2)
    assert [counted.told(card) for card in ("Ts", "Ts", "Ts", "Td", "T?", "??")] == ["Ts", "Ts", "T?", "Td", "T?", "??"]
    assert [counted.told(card) for card in ("Tc", "Tc", "Ts")] == ["Tc", "Tc", "Ts"], "both are full: a card too many"
    counted.shuffled()
    assert counted.told("Ts") == "Ts"
