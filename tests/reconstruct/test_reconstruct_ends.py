"""Where ends of rounds mislead: mistaken cards, backs of a shuffle, rows that players take up, gaps."""

from __future__ import annotations

import msgspec
import pytest
from recon_scenes import card, card_tracks, chain, chip, frames, hand, layout

from verifier.domain.events import CardsCollected, ChipsCollected, HandsClear, PayoffPlaced
from verifier.domain.house import House
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.reconstruct import reconstruct
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.chip_spaces import chips_by_space
from verifier.reconstruct.money.cleared import clear_in_time
from verifier.reconstruct.money.settlement import settle_space
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import RoundScene, event
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
REST = hand(400, 640, side="left")
PAIR, UP, DOWN = [card(600, 300, "9"), card(567, 345, "8")], card(560, 540, "7"), card(632, 540, face="down")
WAGER = {"chips": [chip(600, 140)], "hands": [REST]}


def log_of(seen: list[Observation]):
    return reconstruct(seen, layout(), House(), ObservationsHeader()).events


def named(events, name):
    return [one for one in events if one.name == name]


def dealt() -> list[Observation]:
    return chain(
        frames(2.0, **WAGER),
        frames(1.0, cards=PAIR[:1], **WAGER),
        frames(1.0, cards=[PAIR[0], UP], **WAGER),
        frames(1.0, cards=[*PAIR, UP], **WAGER),
        frames(3.0, cards=[*PAIR, UP, DOWN], **WAGER),
    )


def test_a_card_dealt_by_mistake_and_taken_away_begins_no_round_of_its_own() -> None:
    mistaken, flit = card(300, 300, "4"), card(330, 385, face="down")
    seen = chain(
        frames(2.0, **WAGER),
        frames(0.8, cards=[mistaken], **WAGER),
        frames(0.53, cards=[mistaken, flit], **WAGER),
        frames(0.3, chips=WAGER["chips"], hands=[REST, hand(300, 320)]),
        frames(0.6, **WAGER),
        dealt(),
        frames(6.0, hands=[REST]),
    )
    assert len(named(log_of(seen), "round_started")) == 1


def test_backs_that_come_long_after_the_last_face_was_seen_are_of_a_shuffle() -> None:
    over = [REST, *(hand(x, y) for x, y in ((600, 320), (560, 540), (632, 540)))]
    shuffled = [card(450, 520, face="down"), card(470, 560, face="down")]
    seen = chain(
        dealt(),
        frames(1.0, cards=[*PAIR, UP, card(632, 540, "T")], **WAGER),
        frames(5.0, hands=over),
        frames(4.0, hands=over, cards=shuffled),
        frames(6.0, hands=[REST]),
    )
    cards = [one for one in named(log_of(seen), "card_dealt") if one.to == "dealer"]
    assert [one.face for one in cards] == ["up", "down"]


def dwell(x: float, y: float, t0: float, t1: float) -> ChipDwell:
    return ChipDwell((x, y), 500, t0, t1, 0.99, 19.5, 90, int(x + y + t0), True, t1 - 0.2)


def test_a_row_that_its_player_takes_up_was_not_taken_by_the_dealer() -> None:
    """Its first chip is like the one on top of the stack, and goes before the others."""
    x, y = TABLE.spaces[2].wager
    top = dwell(x, y, 2.0, 28.0)
    row = [dwell(x, y + 26.0 * i, 12.0, 30.0) for i in (1, 2)]
    payoff = [dwell(x + 80.0 + 26.0 * i, y, 14.0, 30.0) for i in range(3)]
    stake = Stake("original", 2, "space:2", [top])
    (told,) = settle_space(scene(HandLog()), [stake], [top, *row, *payoff], 10.0, 28.2, {})
    assert not told.taken
    assert [pile.size for pile in (told.own, *told.payoffs)] == [3, 3]


def scene(hands: HandLog) -> RoundScene:
    return RoundScene(
        table=TABLE, hands=hands, cards=(), dwells={}, since=0.0, start=0.0, end=40.0, begun=True, ended=True
    )


@pytest.mark.parametrize(("gap", "weak"), [(True, [True]), (False, [])], ids=["nobody looked", "watched"])
def test_hands_that_left_paid_chips_while_nobody_looked_are_told_weakly(gap: bool, weak: list[bool]) -> None:
    """The first card was taken up somewhere in the gap."""
    log = HandLog()
    for one in frames(40.0):
        seen = msgspec.structs.replace(one, hands=[hand(600, 700 if one.t < 23.0 else 500)])
        if not gap or not 20.6 < one.t < 23.2:
            log.add(detections_of(seen, TABLE, BODY))
    drafts = [
        event(PayoffPlaced, 19.5, 20.0, 0.9, kind="original", at="space:2", cents=500),
        event(CardsCollected, 20.6 if gap else 22.0, 23.2, 0.97, from_="space:2", order=1, to="discard"),
        event(HandsClear, 23.2, 24.2, 0.95, region="space:2", duration=1.0),
    ]
    assert [one.weak for one in named(clear_in_time(scene(log), drafts), "hands_clear")] == weak


@pytest.mark.parametrize(("p", "told"), [(0.91, 0), (0.89, 1)], ids=["surely seen", "hardly seen"])
def test_cards_that_were_surely_taken_up_before_hands_left_tell_that_they_left_for_that(p: float, told: int) -> None:
    log = HandLog()
    for one in frames(40.0, hands=[hand(600, 700)]):
        log.add(detections_of(one, TABLE, BODY))
    drafts = [
        event(PayoffPlaced, 19.5, 20.0, 0.9, kind="original", at="space:2", cents=500),
        event(CardsCollected, 22.0, 23.2, p, from_="space:2", order=1, to="discard"),
        event(HandsClear, 23.2, 24.2, 0.95, region="space:2", duration=1.0),
    ]
    assert len(named(clear_in_time(scene(log), drafts), "hands_clear")) == told


@pytest.mark.parametrize(
    ("at", "t", "weak"), [("space:3", 23.2, True), ("space:3", 24.0, False), ("space:2/1", 23.2, False)],
    ids=["straight", "from rest", "the same space"],
)  # fmt: skip
def test_hands_that_went_from_paid_chips_straight_to_the_next_stake_may_not_have_left_before(
    at: str, t: float, weak: bool
) -> None:
    drafts = [
        event(PayoffPlaced, 21.5, 22.0, 0.9, kind="original", at="space:2", cents=500),
        event(HandsClear, 23.1, 24.2, 0.95, region="space:2", duration=1.1),
        event(ChipsCollected, t, t + 0.3, 0.97, kind="original", at=at, cents=None, to="hand"),
    ]
    (told,) = named(clear_in_time(scene(HandLog()), drafts), "hands_clear")
    assert told.weak is weak


def test_a_sign_for_the_card_before_is_none_for_the_decision_that_nobody_looked_at() -> None:
    three = [*PAIR, card(534, 390, "2")]
    lying = {"cards": [*PAIR, UP, DOWN], "chips": [chip(600, 140)]}
    way = [40.0, 100.0, *(190.0 + 8.0 * (i % 2) for i in range(7))]
    asked = [frames(1 / 7.5, hands=[REST, hand(600, y, "player", fingers=1)], **lying) for y in way]
    seen = chain(
        dealt(),
        *asked,
        frames(3.0, cards=[*three, UP, DOWN], hands=[hand(760, 640)], chips=[chip(600, 140)]),
        frames(2.0, cards=[*three, UP, card(632, 540, "T")], hands=[hand(760, 640)], chips=[chip(600, 140)]),
    )
    since = 8.0 + 9 / 7.5 - 0.2
    gone = [one for one in seen if not since < one.t < since + 1.8]
    told = named(log_of(gone), "hand_signal")
    assert ("stand", True) in [(one.meaning, one.weak) for one in told]


def test_a_doubtful_back_by_itself_holds_no_round_open() -> None:
    ghost = card(450, 520, face="down", p=0.55)
    played = frames(2.0, cards=[*PAIR, UP, card(632, 540, "T"), ghost], **WAGER)
    over = frames(0.4, cards=[ghost], hands=[hand(600, 320), hand(600, 520)])
    seen = chain(dealt(), played, over, frames(6.0, cards=[ghost], hands=[REST]), dealt(), frames(2.0, **WAGER))
    assert len(named(log_of(seen), "round_started")) == 2


def test_a_card_of_which_no_hand_is_seen_to_take_it_holds_no_round_open_into_the_next() -> None:
    played = frames(2.0, cards=[*PAIR, UP, card(632, 540, "T")], **WAGER)
    over = frames(0.4, hands=[hand(600, 320)])
    seen = chain(dealt(), played, over, frames(3.4, hands=[REST]), dealt(), frames(2.0, **WAGER))
    assert len(named(log_of(seen), "round_started")) == 2


def test_a_back_seen_now_and_then_for_a_moment_under_a_resting_hand_holds_no_round_open() -> None:
    ghost, rest = card(450, 520, face="down", p=0.9), {"hands": [hand(450, 520)]}
    glimpse = [frames(0.54, cards=[*PAIR, UP, DOWN, ghost], **rest), frames(2.0, cards=[*PAIR, UP, DOWN], **rest)]
    played = frames(2.0, cards=[*PAIR, UP, card(632, 540, "T")], **rest)
    over = frames(0.4, hands=[hand(600, 320), hand(600, 520), *rest["hands"]])
    again = [msgspec.structs.replace(one, hands=[*one.hands, *rest["hands"]]) for one in dealt()]
    seen = chain(dealt(), *glimpse, *glimpse, played, over, frames(6.0, **rest), again, frames(2.0, **WAGER))
    assert len(named(log_of(seen), "round_started")) == 2


def test_cards_that_a_resting_hand_shows_for_moments_hold_no_round_open() -> None:
    """Each is held there for a moment before it is dealt; the hand hides the place ever after."""
    lying, shown = [*PAIR, UP, card(632, 540, "T")], card(450, 540, face="down", p=0.9)
    rests = {"chips": WAGER["chips"], "hands": [hand(450, 540, side="left")]}
    passing = [
        part
        for _ in range(4)
        for part in (frames(0.4, cards=[*lying, shown], **rests), frames(1.2, cards=lying, **rests))
    ]
    over = frames(0.4, hands=[*rests["hands"], hand(600, 320), hand(600, 540)])
    seen = chain(dealt(), *passing, over, frames(6.0, hands=rests["hands"]), dealt(), frames(2.0, **WAGER))
    seen = [msgspec.structs.replace(one, hands=[*one.hands, *rests["hands"]]) for one in seen]
    assert len(named(log_of(seen), "round_started")) == 2


def test_a_payoffs_row_that_reaches_out_of_the_outermost_space_is_whole() -> None:
    table = TableMap.of(layout())
    x, y = table.spaces[3].wager
    row = [dwell(x + 200.0 + 26.0 * i, y, 14.0, 30.0) for i in range(4)]
    away = dwell(x + 400.0, y, 14.0, 30.0)
    assert [table.space_of_chip(one.xy) for one in row] == [3, 3, None, None]
    assert chips_by_space([away, *reversed(row)], table)[3] == [row[1], row[0], row[2], row[3]]


@pytest.mark.parametrize("seen_late", [0.0, 0.9])
def test_a_payoffs_row_laid_behind_a_row_and_touching_it_is_the_payoff(seen_late: float) -> None:
    x, y = TABLE.spaces[2].wager
    own = [dwell(x, y, 2.0, 12.5), dwell(x, y + 24.0, 12.0, 40.0)]
    again = [msgspec.structs.replace(dwell(x, y, 12.5 + seen_late, 40.0), first=False)]
    payoff = [dwell(x, y - 22.0 - 24.0 * i, 13.5, 40.0) for i in range(4)]
    stake = Stake("insurance", 2, "space:2", [own[0]])
    (told,) = settle_space(scene(HandLog()), [stake], [*own, *again, *payoff], 10.0, 39.0, {})
    assert [pile.size for pile in (told.own, *told.payoffs)] == [2, 4]


def test_print_that_passed_for_a_back_before_a_card_was_dealt_there_is_not_the_card() -> None:
    ghost, dealt_up = card(567, 345, face="down", p=0.55), card(567, 345, "8")
    seen = [frames(1 / 7.5, cards=[ghost] if i % 3 == 0 else []) for i in range(18)]
    (told,) = card_tracks(chain(*seen, frames(3.0, cards=[dealt_up])))
    assert (told.face, told.turned, told.rank) == ("up", None, "8")
    assert told.t_rest == pytest.approx(2.4, abs=0.15)


def test_print_keeps_no_card_lying_that_showed_its_back_as_it_was_taken_up() -> None:
    lying, lifted = card(567, 345, "8"), card(567, 345, face="down", p=0.93)
    ghost = card(567, 345, face="down", p=0.57)
    taken = frames(0.4, cards=[lifted], hands=[hand(567, 345)])
    after = [frames(1 / 7.5, cards=[ghost] if i % 12 == 5 else []) for i in range(70)]
    told = card_tracks(chain(frames(3.0, cards=[lying]), taken, frames(0.3, hands=[hand(567, 345)]), *after))
    assert [one.gone is not None and one.gone < 5.0 for one in told if one.rank == "8"] == [True]
