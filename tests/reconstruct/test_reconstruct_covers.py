"""Where a player deals and banks: covers beside the wagers, what they become, hands turned down, and looks."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import card, chain, chip, dwell, frames, hand, layout, scene

from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.reconstruct import parameters as par
from verifier.reconstruct import reconstruct
from verifier.reconstruct.cards.deal import CardHand
from verifier.reconstruct.cards.deal import Layout as Hands
from verifier.reconstruct.cards.turned_down import turned_down_events
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.covers import covers_of, paid_at, settled_by_covers, without_covers
from verifier.reconstruct.money.settlement import Settled
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.scene import BackSeen, RoundScene
from verifier.reconstruct.table.detections import Body, detections_of

WAGER = dwell(0, 0, 0.2, 40.0)
HOUSE = House(rulebook="wa-blackjack-b")


def banked(*chips: object) -> RoundScene:
    return replace(scene(HandLog(), {2: [WAGER, *chips]}), banked=True)  # type: ignore[list-item]


def wager() -> Stake:
    return Stake("original", 2, "space:2", [WAGER])


@pytest.mark.parametrize(
    ("x", "told"), [(par.SPOT_MM, 0), (par.SPOT_MM + 0.1, 1), (par.COVER_MM, 1), (par.COVER_MM + 0.1, 0)]
)
def test_a_cover_lies_beside_its_wager(x: float, told: int) -> None:
    assert len(covers_of(banked(dwell(-x, 0, 0.9, 20.0)), [wager()], {})) == told


def test_a_stack_that_was_lost_from_sight_covers_once() -> None:
    (cover,) = covers_of(banked(dwell(-62, 0, 0.9, 5.0), dwell(-61, 1, 7.0, 20.0)), [wager()], {})
    assert (cover.laid, cover.last.t0) == (0.9, 7.0)


def test_what_comes_to_a_covered_natural_is_the_rest_of_its_payoff() -> None:
    scene = banked(dwell(-62, 0, 0.9, 20.0), dwell(-62, -42, 6.0, 20.0))
    assert [cover.extra for cover in covers_of(scene, [wager()], {"space:2": 4.0})] == [False, True]
    assert [cover.extra for cover in covers_of(scene, [wager()], {})] == [False]


def test_a_double_is_covered_by_what_is_laid_after_it() -> None:
    double = Stake("double", 2, "space:2", [dwell(45, 0, 5.0, 20.0)])
    scene = banked(dwell(-62, 0, 0.9, 20.0), *double.dwells, dwell(-107, 0, 6.0, 20.0))
    covers = covers_of(scene, [wager(), double], {})
    assert [(cover.stake.kind, cover.laid) for cover in covers] == [("original", 0.9), ("double", 6.0)]


def test_a_cover_that_was_lost_from_sight_is_no_double() -> None:
    again = Stake("double", 2, "space:2", [dwell(-61, 1, 7.0, 20.0)])
    scene = banked(dwell(-62, 0, 0.9, 5.0), *again.dwells)
    assert [stake.kind for stake in without_covers(scene, [wager(), again])] == ["original"]
    assert without_covers(replace(scene, banked=False), [again]) == [again]


@pytest.mark.parametrize("later", [0.0, 1.0])
def test_a_hand_doubles_once(later: float) -> None:
    """Nobody looked as its double and the cover came; the one beside the wager is the double."""
    double = Stake("double", 2, "space:2", [dwell(45, 0, 5.0, 20.0)])
    second = Stake("double", 2, "space:2", [dwell(-107, 0, 5.0 + later, 20.0)])
    scene = banked(dwell(-62, 0, 0.9, 20.0), *double.dwells, *second.dwells)
    for stakes in ([wager(), double, second], [wager(), second, double]):
        kept = without_covers(scene, stakes)
        assert [stake.dwells[0].xy[0] for stake in kept if stake.kind == "double"] == [45]
        assert [cover.stake.kind for cover in covers_of(scene, kept, {})] == ["original", "double"]


@pytest.mark.parametrize(
    ("until", "picked", "paid"),
    [(20.0, 18.0, True), (12.0, 18.0, False), (20.0, None, False)],
    ids=["lies on when the cards go", "the dealer took it before", "the recording ends"],
)
def test_a_cover_that_lies_on_when_its_cards_go_is_the_payoff(until: float, picked: float | None, paid: bool) -> None:
    scene = banked(dwell(-62, 0, 0.9, until))
    stake = wager()
    group = [Settled(stake=stake, own=None, payoffs=(), taken=False)]
    gone = {} if picked is None else {"space:2": picked}
    (one,) = settled_by_covers(scene, group, covers_of(scene, [stake], {}), gone)
    assert bool(one.payoffs) == paid


CARD = CardTrack(
    number=1,
    place="space:2",
    dwells=(((600.0, 300.0), 2.0, 9.0),),
    angle=0.0,
    face="up",
    turned=None,
    ranks={"9": 0.99},
    suit="h",
    p=0.99,
    n=50,
    steady=7.0,
    t_first=2.0,
    t_last=9.0,
    gone=9.0,
)


@pytest.mark.parametrize(
    ("looks", "aside", "told"),
    [
        (par.TURNED_DOWN_LEAST_LOOKS - 1, 0.0, []),
        (par.TURNED_DOWN_LEAST_LOOKS, 0.0, [True]),
        (par.TURNED_DOWN_LOOKS - 1, 0.0, [True]),
        (par.TURNED_DOWN_LOOKS, par.TURNED_DOWN_MM, [False]),
        (par.TURNED_DOWN_LOOKS, par.TURNED_DOWN_MM + 0.1, []),
    ],
)
def test_a_hand_whose_backs_show_where_its_cards_lie_was_turned_down(
    looks: int, aside: float, told: list[bool]
) -> None:
    backs = tuple(BackSeen(5.0 + i / 8, (600.0 + aside, 300.0), 0.9) for i in range(looks))
    drafts = turned_down_events(replace(banked(), backs=backs), Hands(hands=[CardHand(2, cards=[CARD])]))
    assert [one.weak for one in drafts] == told


def looked(seconds: float, up: str) -> list[Observation]:
    """A deal after which a hand is at the hole card for some seconds."""
    players, back = [card(600, 300, "9"), card(567, 345, "8")], card(632, 540, face="down")
    resting, stake = {"hands": [hand(900, 600)]}, {"chips": [chip(600, 140)]}
    dealt = [*players, card(560, 540, up)]
    return chain(
        frames(2.0, **resting, **stake),
        frames(1.0, cards=players[:1], **resting, **stake),
        frames(1.0, cards=[players[0], dealt[2]], **resting, **stake),
        frames(1.0, cards=dealt, **resting, **stake),
        frames(1.0, cards=[*dealt, back], **resting, **stake),
        frames(seconds, cards=[*dealt, back], hands=[hand(632, 590)], **stake),
        frames(1.5, cards=[*dealt, back], **resting, **stake),
        frames(2.0, cards=[*dealt, card(632, 540, "T")], **resting, **stake),
        frames(6.0, **resting, **stake),
    )


@pytest.mark.parametrize(
    ("seconds", "up", "told"),
    [
        (par.PEEK_ASKED_S + 0.21, "K", [False]),
        (par.PEEK_ASKED_S - 0.1, "K", []),
        (par.PEEK_ASKED_S + 0.21, "9", []),
        (1.4, "9", [True]),
    ],
)
def test_with_a_ten_up_a_hand_that_lingers_at_the_hole_card_looks(seconds: float, up: str, told: list[bool]) -> None:
    events = reconstruct(looked(seconds, up), layout(), HOUSE, ObservationsHeader()).events
    assert [one.weak for one in events if one.name == "hole_card_check"] == told


def seated(seat: str | None) -> Layout:
    return replace(layout(), dealer_seat=seat)


def test_the_layout_tells_the_first_dealers_seat() -> None:
    seen = looked(1.0, "K")
    told = [reconstruct(seen, seated(seat), HOUSE, ObservationsHeader()).events for seat in ("seat:4", None)]
    assert [{one.dealer for one in events} for events in told] == [{"seat:4"}, {"D1"}]


@pytest.mark.parametrize(("aside", "told"), [(par.COVER_POINTED_MM, True), (par.COVER_POINTED_MM + 0.1, False)])
def test_a_cover_is_paid_while_a_hand_is_over_it(aside: float, told: bool) -> None:
    scene = banked(dwell(-62, 0, 0.9, 20.0))
    (cover,) = covers_of(scene, [wager()], {})
    x, y = cover.last.xy
    for seen in frames(1.0, start=12.0, hands=[hand(x + 645.0 + aside, y + 400.0)]):
        scene.hands.add(detections_of(seen, scene.table, Body.of(scene.table)))
    assert (paid_at(scene, cover, 10.0, 18.0) != (10.0, 18.0)) == told
