"""Insurance whose line crosses the inner area: laid there by a player, moved beside the cards or left, no signal."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import msgspec
import pytest
from recon_scenes import box, card, chain, chip, frames, hand, layout, scene
from recon_scenes import dwell as at_wager

from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.observations import ChipSeen, Observation, ObservationsHeader
from verifier.reconstruct import reconstruct
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.chip_spaces import beside_insurance
from verifier.reconstruct.money.insured import insurance_of
from verifier.reconstruct.money.payments import settlement_events
from verifier.reconstruct.money.settlement import settle_space
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.table.zones import TableMap

CARDS = [card(600, 300, "9"), card(567, 345, "8"), card(560, 540, "A"), card(632, 540, face="down")]
TURNED = [*CARDS[:3], card(632, 540, "9")]
STAKE, LINE, BESIDE = chip(600, 140), chip(600, 450), chip(662, 300)
REST = hand(400, 640, side="left")


def table() -> Layout:
    plain = layout()
    lined = msgspec.structs.replace(plain.spaces[2], insurance=box(570, 440, 630, 460))
    return msgspec.structs.replace(plain, spaces={**plain.spaces, 2: lined})


def laid(line: Sequence[ChipSeen]) -> list[list[Observation]]:
    """A deal, after which a player lays insurance on its line at 7.5 s."""
    laying = [REST, hand(600, 420, "player", fingers=1)]
    return [
        frames(2.0, hands=[REST], chips=[STAKE]),
        frames(1.0, cards=CARDS[:1], hands=[REST], chips=[STAKE]),
        frames(1.0, cards=[CARDS[0], CARDS[2]], hands=[REST], chips=[STAKE]),
        frames(1.0, cards=CARDS[:3], hands=[REST], chips=[STAKE]),
        frames(1.5, cards=CARDS, hands=[REST], chips=[STAKE]),
        frames(0.4, cards=CARDS, hands=[REST, hand(600, 60, "player")], chips=[STAKE]),
        frames(0.3, cards=CARDS, hands=[REST, hand(600, 220, "player")], chips=[STAKE]),
        frames(0.3, cards=CARDS, hands=laying, chips=[STAKE]),
        frames(1.0, cards=CARDS, hands=laying, chips=[STAKE, *line]),
        frames(0.3, cards=CARDS, hands=[REST, hand(600, 60, "player")], chips=[STAKE, *line]),
        frames(1.5, cards=CARDS, hands=[REST], chips=[STAKE, *line]),
    ]


def insured(
    line: Sequence[ChipSeen] = (LINE,), beside: ChipSeen = BESIDE, *, hidden: float = 0.0
) -> list[tuple[str, str, float]]:
    """Name, kind or meaning, and time of what is told of a round with insurance, which lies on its line at 7.5 s.

    A hand of the dealer's is over the line for some seconds after the chip was moved from there.
    """
    seen = chain(
        *laid(line),
        frames(0.5, cards=CARDS, hands=[REST, hand(beside.center[0] - 22, beside.center[1] + 100)], chips=[STAKE]),
        frames(hidden, cards=CARDS, hands=[REST, hand(600, 460)], chips=[STAKE, beside]),
        frames(3.0 - hidden, cards=CARDS, hands=[REST], chips=[STAKE, beside]),
        frames(2.0, cards=TURNED, hands=[REST], chips=[STAKE, beside]),
        frames(0.6, cards=TURNED, hands=[REST, hand(beside.center[0], beside.center[1] + 10)], chips=[STAKE]),
        frames(2.0, cards=TURNED, hands=[REST], chips=[STAKE]),
        frames(6.0, hands=[REST]),
    )
    events = reconstruct(seen, table(), House(), ObservationsHeader()).events
    kept = ("wager_placed", "wager_moved", "hand_signal", "chips_collected")
    told = [
        (one.name, getattr(one, "kind", getattr(one, "meaning", "")), one.t_end) for one in events if one.name in kept
    ]
    return [one for one in told if one[1] != "original"]


@pytest.mark.parametrize("faceup", [True, False], ids=["it lies", "before it"])
def test_nobody_insures_before_the_dealers_faceup_card_lies(faceup: bool) -> None:
    up = SimpleNamespace(place="dealer", face="up", t_first=1.0 if faceup else 6.0)
    spot = SimpleNamespace(number=2, insurance=(0.0, 0.0), wager=(0.0, -300.0), cards=(0.0, -100.0))
    laid = ChipDwell((0.0, 0.0), 500, 4.0, 9.0, 0.99, 19.5, 40, 1, True, 9.0)
    round_ = SimpleNamespace(start=0.0, cards=[up], hands=HandLog())
    chips, _ = insurance_of(round_, spot, {2: [laid]}, 20.0)
    assert chips == ([laid] if faceup else [])


@pytest.mark.parametrize("hidden", [0.0, 1.2], ids=["bare", "a hand over its line"])
def test_insurance_on_a_line_in_the_inner_area_is_followed_and_is_no_signal(hidden: float) -> None:
    told = insured(hidden=hidden)
    assert [one[:2] for one in told] == [
        ("wager_placed", "insurance"),
        ("wager_moved", "insurance"),
        ("chips_collected", "insurance"),
    ]
    assert told[0][2] == pytest.approx(7.5, abs=0.5)


def test_insurance_that_is_seen_only_where_the_dealer_laid_it_is_nearer_to_the_cards_than_to_the_wager() -> None:
    told = insured((), chip(650, 232))
    assert ("wager_placed", "insurance") in [one[:2] for one in told]


@pytest.mark.parametrize("y", [450, 418], ids=["in the inner area", "at its rim"])
def test_insurance_left_on_its_line_is_spread_there_and_paid_where_it_should_have_lain(y: int) -> None:
    natural = [*CARDS[:3], card(632, 540, "K")]
    line, row = chip(600, y, 100), [chip(600, y, 200), chip(600, y + 23, 100)]
    won = [chip(662, 322, 500), chip(662, 345, 100)]
    seen = chain(
        *laid((line,)),
        frames(2.0, cards=natural, hands=[REST], chips=[STAKE, line]),
        frames(0.5, cards=natural, hands=[REST, hand(600, 150)], chips=[line]),
        frames(1.5, cards=natural, hands=[REST], chips=[line]),
        frames(0.5, cards=natural, hands=[REST, hand(600, y + 20)]),
        frames(0.8, cards=natural, hands=[REST, hand(600, 720)], chips=row),
        frames(0.5, cards=natural, hands=[REST, hand(662, 330)], chips=row),
        frames(4.0, cards=natural, hands=[REST], chips=[*row, *won]),
        frames(6.0, hands=[REST]),
    )
    events = reconstruct(seen, table(), House(), ObservationsHeader()).events
    told = [
        (one.name, getattr(one, "owner", ""), getattr(one, "cents", None))
        for one in events
        if getattr(one, "kind", "") == "insurance"
    ]
    assert told == [
        ("wager_placed", "", 300),
        ("chips_fanned", "wager", 300),
        ("payoff_placed", "", 600),
        ("chips_fanned", "payoff", 600),
    ]


def dwell(x: float, y: float, t0: float) -> ChipDwell:
    return ChipDwell(
        xy=(x, y),
        cents=500,
        t0=t0,
        t1=90.0,
        p=0.98,
        radius=19.5,
        n=60,
        track=int(x + y),
        first=True,
        seen_to=90.0,
    )


@pytest.mark.parametrize(
    ("x", "lies", "owner"),
    [(-436, (-434, -29), 1), (-300, (-434, -29), 2), (-238, (-320, 130), 1)],
    ids=["beside the insurance", "beside its own wager", "where an insurance left on its line should lie"],
)
def test_a_row_in_the_neighbours_area_is_of_the_stake_that_it_lies_beside(
    x: float, lies: tuple[float, float], owner: int
) -> None:
    insurance, other = dwell(*lies, 48.0), dwell(-266 if owner == 2 else 0, -162, 49.0)
    row = [dwell(x, y, 83.0) for y in (-151, -126, -101, -77)]
    stakes = [
        Stake("insurance", 1, "space:1", [insurance]),
        Stake("original", 2, "space:2", [other]),
    ]
    shared = beside_insurance(TableMap.of(layout()), {1: [insurance], 2: [other, *row]}, stakes, 65.0)
    assert [one in shared[owner] for one in row] == [True] * 4
    assert len(shared[1]) + len(shared[2]) == 6


def test_a_row_between_a_wager_and_an_insurance_that_was_spread_is_the_insurances_payoff() -> None:
    wager, insurance = at_wager(0, 0, 0.5, 40.0, 100), at_wager(-2, 142, 10.8, 40.0, 200)
    spread = at_wager(-3, 166, 18.4, 40.0, 200)
    row = [at_wager(-2, 44, 20.0, 40.0), at_wager(-1, 72, 20.0, 40.0, 200), at_wager(-4, 97, 20.3, 40.0, 100)]
    stakes = [Stake("original", 2, "space:2", [wager]), Stake("insurance", 2, "space:2", [insurance])]
    told = settle_space(scene(HandLog()), stakes, [wager, insurance, spread, *row], 12.0, 38.0, {})
    own = {one.stake.kind: one.own.cents for one in told if one.own is not None}
    paid = {one.stake.kind: [(pile.cents, pile.undivided) for pile in one.payoffs] for one in told}
    assert (own, paid) == ({"original": 100, "insurance": 400}, {"original": [], "insurance": [(800, False)]})


def test_a_row_beside_a_wager_that_lies_as_it_lay_is_the_payoff_of_the_insurance_that_was_spread() -> None:
    wager, insurance = at_wager(0, 0, 0.5, 40.0, 100), at_wager(-254, 199, 10.8, 18.0, 100)
    spread = [at_wager(-254, 199, 18.0, 40.0), at_wager(-254, 222, 18.1, 40.0, 100)]
    row = [at_wager(-59, -15, 19.5, 40.0), at_wager(-58, 9, 19.9, 40.0), at_wager(-59, 43, 20.1, 40.0, 200)]
    stakes = [Stake("original", 2, "space:2", [wager]), Stake("insurance", 2, "space:2", [insurance])]
    told = settle_space(scene(HandLog()), stakes, [wager, insurance, *spread, *row], 12.0, 38.0, {})
    paid = {one.stake.kind: [(pile.cents, pile.undivided) for pile in one.payoffs] for one in told}
    assert paid == {"original": [], "insurance": [(1200, False)]}


def test_a_payoff_laid_behind_an_insurance_up_to_the_wager_is_no_part_of_its_row() -> None:
    wager, insurance = at_wager(0, 0, 0.5, 40.0, 100), at_wager(30, 152, 10.8, 18.1, 100)
    spread = [at_wager(30, 152, 18.5, 40.0), at_wager(31, 176, 18.5, 40.0), at_wager(31, 211, 18.7, 40.0, 100)]
    row = [at_wager(27 + i, 7 + 25 * i, 19.9 + 0.1 * i, 40.0) for i in range(4)]
    won = [*row, at_wager(30, 117, 20.6, 40.0, 200)]
    stakes = [Stake("original", 2, "space:2", [wager]), Stake("insurance", 2, "space:2", [insurance])]
    told = settle_space(scene(HandLog()), stakes, [wager, insurance, *spread, *won], 12.0, 38.0, {})
    own = {one.stake.kind: one.own.cents for one in told if one.own is not None}
    paid = {one.stake.kind: [pile.cents for pile in one.payoffs] for one in told}
    assert (own, paid) == ({"original": 100, "insurance": 1100}, {"original": [], "insurance": [2200]})


@pytest.mark.parametrize(("kind", "known"), [("insurance", True), ("original", False)])
def test_an_insurance_of_one_chip_that_is_paid_with_one_of_twice_its_value_hides_no_other(
    kind: str, known: bool
) -> None:
    """A wager is not paid two to one: there either may hide others."""
    wager, insurance = at_wager(0, 0, 0.5, 25.0, 200), at_wager(30, 152, 10.8, 40.0, 50)
    won = at_wager(90, 152, 20.0, 40.0, 100)
    stakes = [Stake("original", 2, "space:2", [wager]), Stake(kind, 2, "space:2", [insurance])]
    table_now = scene(HandLog(), {2: [wager, insurance, won]})
    settled = settle_space(table_now, stakes, [wager, insurance, won], 12.0, 38.0, {})
    told = [one for one in settlement_events(table_now, settled, 12.0) if getattr(one, "kind", "") == kind]
    amounts = {(one.name, getattr(one, "owner", ""), getattr(one, "cents", None)) for one in told}
    fans = {("chips_fanned", "wager", 50), ("chips_fanned", "payoff", 100)}
    assert (fans <= amounts) == known
