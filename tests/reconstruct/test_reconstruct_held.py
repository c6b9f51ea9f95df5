"""A bust that is held aside: the cards slid beside the wager and the chips laid on them, on hand-made observations."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from recon_scenes import box, card, chain, chip, frames, hand, layout

from verifier.domain.house import House
from verifier.domain.observations import ObservationsHeader
from verifier.reconstruct import reconstruct
from verifier.reconstruct.cards.held import held_aside, hold_stakes
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.table.zones import TableMap

DEALER = [card(560, 540, "K"), card(632, 540, face="down")]
PAIR = [card(600, 300, "9"), card(567, 345, "8")]
BUST = card(534, 390, "T")
WAGER, HOLD = (600, 140), (492, 140)
REST = hand(400, 640, side="left")


def at(x, y):
    return [REST, hand(x, y)]


def a_bust(
    pile_at, *, seen=True, top=None, last=0.4, hidden=0.0, read=(500, 500), shift=0.0, sure=0.95, left=(), hides=False
):
    """A bust whose cards go to `pile_at`, with the chips, until the dealer's second card is known; None: discarded.

    Where the chips are not `seen` on the cards, the dealer's hand goes from them to the tray. `top` is what the card on
    top of the others is read as. The bust's last card lies there for `last` seconds. Somebody leans over the space for
    `hidden` seconds as the cards are slid aside. On the cards chips are `read` first thus, then so, in cents, and
    seen to lie `shift` millimetres farther, each look `sure` of them.
    Chips that lie there `hides` the cards from being found.
    Cards of the hand that are `left` seem to lie where they lay for a second more.
    """
    wager = {"chips": [chip(*WAGER)]}
    aside = [] if pile_at is None else [card(*pile_at, top)]
    spot = pile_at or (1000, 600)
    upon = [[replace(chip(spot[0] + dx, spot[1], cents), p=sure)] for cents, dx in zip(read, (0.0, shift), strict=True)]
    under = [] if hides else aside
    first, chips = upon if pile_at is not None and seen else ([], [])
    turned = [DEALER[0], card(632, 540, "Q")]
    return chain(
        frames(2.0, hands=[REST], **wager),
        frames(1.0, cards=PAIR[:1], hands=[REST], **wager),
        frames(1.0, cards=[PAIR[0], DEALER[0]], hands=[REST], **wager),
        frames(1.0, cards=[*PAIR, DEALER[0]], hands=[REST], **wager),
        frames(3.0, cards=[*PAIR, *DEALER], hands=[REST], **wager),
        frames(last, cards=[*PAIR, BUST, *DEALER], hands=at(560, 460), **wager),
        frames(0.6, cards=DEALER, hands=at(580, 350), **wager),
        frames(hidden, cards=DEALER, hands=[REST]),
        frames(0.6, cards=[*left, *aside, *DEALER], hands=at(spot[0], spot[1] + 60), **wager),
        frames(0.4, cards=[*left, *aside, *DEALER], hands=at(600, 340 if left else 160)),
        frames(0.4, cards=[*aside, *DEALER], hands=at(spot[0], spot[1] + 20)),
        frames(3.0, cards=[*under, *DEALER], chips=first, hands=[REST]),
        frames(0.4, cards=[*under, *DEALER], chips=chips, hands=at(640, 580)),
        frames(2.0, cards=[*under, *turned], chips=chips, hands=[REST]),
        frames(0.5, cards=[*aside, *turned], hands=at(spot[0], spot[1] + 20)),
        frames(0.4, cards=[*aside, *turned], hands=at(600, 700)),
        frames(2.0, cards=[*aside, *turned], hands=[REST]),
        frames(0.5, cards=turned, hands=at(spot[0], spot[1] + 20)),
        frames(2.0, cards=turned, hands=[REST]),
        frames(0.5, hands=at(600, 560)),
        frames(6.0, hands=[REST]),
    )


def told(pile_at, **how):
    return reconstruct(a_bust(pile_at, **how), layout(), House(), ObservationsHeader()).events


def named(events, name):
    return [event for event in events if event.name == name]


@pytest.fixture(scope="module")
def held():
    return told(HOLD)


def test_cards_and_chips_are_told_to_have_moved_aside(held):
    (cards,) = named(held, "cards_moved")
    assert (cards.kind, cards.from_, cards.to) == ("bust_hold", "space:2", "space:2")
    (chips,) = named(held, "wager_moved")
    assert (chips.kind, chips.from_, chips.to) == ("original", "space:2", "space:2")
    assert chips.t_end > cards.t_end


def test_the_card_that_busted_the_hand_was_dealt_though_it_lay_for_a_moment_only(held):
    assert [event.card for event in named(held, "card_dealt") if event.to == "space:2"] == ["9h", "8h", "Th"]


def test_chips_and_cards_are_collected_once_the_dealers_card_is_known(held):
    (known,) = named(held, "card_revealed")
    (chips,) = named(held, "chips_collected")
    cards = next(event for event in named(held, "cards_collected") if event.from_ == "space:2")
    assert known.t_end < chips.t_start < cards.t_end


def test_chips_unseen_on_the_cards_went_when_the_dealers_hand_brought_them_to_the_tray(held):
    unseen = told(HOLD, seen=False)
    (laid,), (taken,) = named(unseen, "wager_moved"), named(unseen, "chips_collected")
    assert (laid.from_, laid.to, laid.weak) == ("space:2", "space:2", False)
    assert taken.t_end == pytest.approx(named(held, "chips_collected")[0].t_end, abs=0.6)
    assert taken.t_end < next(one for one in named(unseen, "cards_collected") if one.from_ == "space:2").t_start


def test_the_card_on_top_is_known_from_before(held):
    near = told((515, 180), top="9")
    assert [event.name for event in near if event.name in ("cards_moved", "wager_moved")] == [
        "cards_moved",
        "wager_moved",
    ]
    assert [event.card for event in named(near, "card_dealt") if event.to == "space:2"] == ["9h", "8h", "Th"]
    cards = next(event for event in named(near, "cards_collected") if event.from_ == "space:2")
    assert cards.t_start > named(near, "card_revealed")[0].t_end


@pytest.mark.parametrize(("top", "moved"), [("T", 1), ("5", 0)], ids=["one of its cards", "another card"])
def test_a_pile_that_shows_only_when_nobody_leans_over_it_any_more_is_of_the_bust_whose_card_it_shows(top, moved):
    events = told(HOLD, seen=False, top=top, last=1.0, hidden=2.5)
    assert [one.kind for one in named(events, "cards_moved")] == ["bust_hold"] * moved
    dealt = [event.card for event in named(events, "card_dealt") if event.to == "space:2"]
    assert dealt[:3] == ["9h", "8h", "Th"] and (len(dealt) == 3 or not moved)


def test_chips_that_read_otherwise_on_the_cards_and_seem_to_have_moved_there_lie_until_they_are_collected(held):
    misread = told(HOLD, read=(2500, 100), shift=11.0)
    assert [one.kind for one in named(misread, "wager_moved")] == ["original"]
    (taken,), (read_well,) = named(misread, "chips_collected"), named(held, "chips_collected")
    assert (taken.t_end, taken.at, taken.p) == (read_well.t_end, "space:2", read_well.p)


def test_chips_that_are_found_unsurely_on_the_cards_are_collected_as_surely_as_any(held):
    (taken,), (well_found,) = named(told(HOLD, sure=0.8), "chips_collected"), named(held, "chips_collected")
    assert (taken.t_end, taken.p) == (well_found.t_end, well_found.p)


def test_cards_that_the_chips_upon_them_hide_lie_on_until_they_are_taken(held):
    hidden = told(HOLD, top="T", hides=True)
    assert [event.card for event in named(hidden, "card_dealt") if event.to == "space:2"] == ["9h", "8h", "Th"]
    (cards,) = [event for event in named(hidden, "cards_collected") if event.from_ == "space:2"]
    assert cards.t_end == next(e.t_end for e in named(held, "cards_collected") if e.from_ == "space:2")


def test_cards_of_a_held_bust_are_taken_with_the_pile_though_one_was_lost_from_sight_before():
    events = told(HOLD, left=PAIR[:1])
    (cards,) = [one for one in named(events, "cards_collected") if one.from_ == "space:2"]
    assert [one.kind for one in named(events, "cards_moved")] == ["bust_hold"]
    assert cards.t_start > named(events, "card_revealed")[0].t_end


def test_a_bust_that_goes_to_the_discard_holder_is_not_held():
    events = told(None)
    assert named(events, "cards_moved") == []
    (known,) = named(events, "card_revealed")
    cards = next(event for event in named(events, "cards_collected") if event.from_ == "space:2")
    assert cards.t_end < known.t_start


def test_a_card_that_lies_elsewhere_is_no_held_hand():
    assert named(told((880, 300)), "cards_moved") == []


@pytest.mark.parametrize(
    ("last", "weak"), [(0.4, []), (0.27, []), (0.14, ["??"])], ids=["seen to lie there", "glimpsed", "seen once"]
)
def test_of_a_bust_held_aside_the_card_that_made_it_one_was_dealt_though_unseen(last, weak):
    dealt = [one for one in told(HOLD, last=last) if one.name == "card_dealt" and one.to == "space:2"]
    assert len(dealt) == 3
    assert [one.card for one in dealt if one.weak] == weak


def test_the_card_on_top_of_a_pile_that_is_none_of_its_hand_and_makes_it_a_bust_was_dealt_to_it_last():
    dealt = [one for one in told(HOLD, last=0.14, top="T") if one.name == "card_dealt" and one.to == "space:2"]
    assert [(one.card, one.weak) for one in dealt] == [("9h", False), ("8h", False), ("Th", False)]
    assert (dealt[-1].angle, dealt[-1].overlap, dealt[-1].placed_hand) == (None, None, None)


@pytest.mark.parametrize("top", ["9", "3"], ids=["one of its cards", "one that makes no bust"])
def test_another_card_on_top_does_not_tell_which_one_made_the_bust(top):
    dealt = [one for one in told(HOLD, last=0.14, top=top) if one.name == "card_dealt" and one.to == "space:2"]
    assert [one.card for one in dealt if one.weak] == ["??"]


def test_a_busts_last_card_beyond_its_spaces_area_was_dealt_though_the_one_on_top_lay_in_the_hand():
    table = layout()
    short = {n: replace(one, area=box(300 * n - 140, 40, 300 * n + 140, 380)) for n, one in table.spaces.items()}
    seen = a_bust((515, 180), top="9")
    events = reconstruct(seen, replace(table, spaces=short), House(), ObservationsHeader()).events
    dealt = [one for one in named(events, "card_dealt") if one.to == "space:2"]
    assert [(one.card, one.weak) for one in dealt] == [("9h", False), ("8h", False), ("Th", False)]


def test_a_glimpsed_card_of_a_bust_is_told_though_the_pile_shows_one_like_another_of_its_hand():
    dealt = [one for one in told(HOLD, last=0.27, top="9") if one.name == "card_dealt" and one.to == "space:2"]
    assert [(one.card, one.weak) for one in dealt] == [("9h", False), ("8h", False), ("Th", False)]


def test_the_stake_that_left_its_place_first_is_the_one_that_came_to_the_cards_first():
    """The hand still hides the place of the original wager when the double has gone."""

    def lying(x, y, t0, seen_to, t1):
        return ChipDwell((x, y), 500, t0, t1, 0.99, 19.5, 50, 1, True, seen_to)

    original, double = lying(0, 0, 0.0, 11.2, 12.6), lying(50, 0, 5.0, 11.9, 12.2)
    first, second = lying(-100, -20, 11.9, 20.0, 20.2), lying(-100, 20, 12.6, 22.0, 22.2)
    stakes = [
        SimpleNamespace(place="space:2", kind=kind, dwells=[dwell], gone=dwell.t1, held=None, upon=[])
        for kind, dwell in (("original", original), ("double", double))
    ]
    pile = SimpleNamespace(xy=(-100.0, 0.0), t_rest=11.0)
    scene = SimpleNamespace(
        held=[SimpleNamespace(cards={1}, pile=pile, since=10.5)], dwells={2: [original, double, first, second]}
    )
    hand = SimpleNamespace(place="space:2", cards=[SimpleNamespace(number=1)])
    hold_stakes(scene, SimpleNamespace(hands=[hand]), stakes)
    assert [stake.upon for stake in stakes] == [[first], [second]]


def lying(number, rank, place, *dwells):
    last = dwells[-1][2]
    return CardTrack(
        number=number,
        place=place,
        dwells=dwells,
        angle=0.0,
        face="up",
        turned=None,
        ranks={rank: 0.98},
        suit="h",
        p=0.98,
        n=40,
        steady=3.0,
        t_first=dwells[0][1],
        t_last=last,
        gone=last,
    )


def test_the_card_on_top_of_held_ones_may_be_told_to_go_on_from_what_only_looked_like_a_card():
    table = TableMap.of(layout())
    (x, y), (cx, cy) = table.spaces[2].wager, table.spaces[2].cards
    hand = [
        lying(1, "K", "space:2", ((cx, cy), 2.0, 12.0)),
        lying(2, "6", "space:2", ((cx - 25.0, cy + 35.0), 4.0, 12.0)),
        lying(3, "K", "space:2", ((cx - 50.0, cy + 70.0), 11.0, 11.8)),
    ]
    top = lying(4, "K", "", ((cx - 20.0, cy + 190.0), 6.0, 9.0), ((x - 110.0, y), 12.4, 30.0))
    cards, (bust,) = held_aside([*hand, top], [], table)
    assert (sorted(bust.cards), bust.pile.xy) == ([1, 2, 3], top.dwells[-1][0])
    assert [(card.number, card.t_last) for card in cards] == [(1, 30.0), (2, 30.0), (3, 30.0)]
