"""Chips that the dealer gives back: above the table's limit before the deal, made void by a natural after it."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace
from recon_scenes import card, chain, chip, frames, hand, layout

from verifier.domain.events import ChipsCollected
from verifier.domain.house import House
from verifier.domain.observations import ObservationsHeader
from verifier.reconstruct import reconstruct
from verifier.reconstruct.dealt_hands import Layout
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.returned import with_returned
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.rounds import settle
from verifier.reconstruct.scene import RoundScene, event
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

WAGER = (600.0, 140.0)


def returned(*, owner="dealer", below=2500, late=False):
    """What is told when a hand lifts the top of a stack, and a chip of another value lies below it."""
    way = [(600, 480), (600, 330), (600, 200), (600, 200), (600, 200), (600, 330), (600, 480)]
    if owner == "player":
        way = [(600, -90), (600, 20), (600, 90), (600, 90), (600, 90), (600, 20), (600, -90)]
    top, bare = [chip(*WAGER, 100)], [chip(*WAGER, below)]
    lifting = [
        seen
        for at, shown in zip(way, [top, top, (), (), (), bare, bare], strict=True)
        for seen in frames(1 / 7.5, chips=list(shown), hands=[hand(*at, owner)])
    ]
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
    assert (one.at, one.kind, one.reason, one.cents, one.p) == ("space:2", "original", "excess", None, 0.7)


@pytest.mark.parametrize("how", [{"owner": "player"}, {"below": 50}, {"late": True}])
def test_a_players_own_hand_a_cheaper_chip_below_or_a_later_time_is_no_return(how):
    assert returned(**how) == []


def void_double(way, owner="dealer", first=True):
    """A double that goes as a hand is at it, a chip that lies `way` mm farther out when the hand has gone, all."""
    table, hands = TableMap.of(layout()), HandLog()
    stands = [(640, 330), (640, 150), (640, 140), (640, 110), (640, 90), (640, 250)]
    for seen in chain(*[frames(0.27, hands=[hand(x, y, owner)]) for x, y in stands]):
        hands.add(detections_of(seen, table, Body.of(table)))
    x, y = table.spaces[2].wager[0] + 45.0, table.spaces[2].wager[1]
    ox, oy = table.spaces[2].outward
    double = ChipDwell((x, y), 500, -20.0, 0.4, 0.99, 19.5, 50, 1, True, 0.3)
    later = ChipDwell((x + way * ox, y + way * oy), 100, 1.3, math.inf, 0.99, 19.5, 9, 2, first, 2.0)
    scene = RoundScene(
        table=table,
        hands=hands,
        cards=(),
        dwells={2: [double, later]},
        since=-30.0,
        start=-15.0,
        end=5.0,
        begun=True,
        ended=True,
    )
    return double, later, scene


def settled_double(*, way, owner="dealer", first=True, kind="double"):
    """What is told of such a double where it was taken for collected."""
    double, _, scene = void_double(way, owner, first)
    taken = event(ChipsCollected, 0.2, 0.6, 0.97, kind=kind, at="space:2", cents=None, to="hand")
    (told,) = with_returned(scene, [Stake(kind, 2, "space:2", [double])], [taken])
    assert told.name == "chips_collected" or told.p == 0.9
    return told.name


@pytest.mark.parametrize("kind", ["double", "split", "tip_double"])
def test_a_double_that_lies_farther_out_when_the_dealers_hand_has_gone_was_given_back(kind):
    assert settled_double(way=62.0, kind=kind) == "chips_returned"


@pytest.mark.parametrize(
    "how",
    [{"way": 8.0}, {"way": -62.0}, {"way": 160.0}, {"way": 62.0, "owner": "player"}, {"way": 45.0, "first": False}],
)
def test_chips_at_the_old_place_nearer_the_dealer_far_away_a_players_or_of_a_stack_there_are_no_return(how):
    assert settled_double(**how) == "chips_collected"


def test_a_double_that_was_given_back_is_no_payoff_of_the_insurance():
    double, later, scene = void_double(62.0)
    won = [replace(later, xy=(double.xy[0] + x, double.xy[1] + 90.0), t0=2.5, track=9) for x in (60.0, 85.0)]
    insured = replace(double, xy=(double.xy[0], double.xy[1] + 230.0), t1=math.inf, seen_to=5.0, track=8)
    stakes = [Stake("double", 2, "space:2", [double]), Stake("insurance", 2, "space:2", [insured])]
    scene = replace(scene, dwells={2: [double, later, insured, *won]})
    ((_, told),) = settle(scene, Layout(), stakes, -1.0)
    assert [[set(pile.dwells) for pile in one.payoffs] for one in told if not one.taken] == [[set(won)]]


@pytest.mark.parametrize(
    ("shows", "way", "told"),
    [(4.2, 62.0, ("chips_returned", True)), (9.0, 62.0, ("chips_collected", False)),
     (4.2, 160.0, ("chips_collected", False))],
    ids=["as the table shows again", "much later", "far away"],
)  # fmt: skip
def test_a_double_that_lies_farther_out_when_somebody_leans_back_may_have_been_given_back(shows, way, told):
    """Nobody saw the hand that pushed it, so that the record is weak: it neither accuses nor clears."""
    double, later, scene = void_double(way)
    hands = HandLog()
    for seen in frames(12.0, hands=[hand(400, 640)]):
        hands.add(detections_of(seen, scene.table, Body.of(scene.table)))
    dwells = [replace(double, n=140), replace(later, t0=shows)]
    hidden = replace(scene, hands=hands, dwells={2: dwells}, end=12.0)
    taken = event(ChipsCollected, 0.2, 0.6, 0.97, kind="double", at="space:2", cents=None, to="hand")
    (one,) = with_returned(hidden, [Stake("double", 2, "space:2", dwells[:1])], [taken])
    assert (one.name, one.weak) == told
