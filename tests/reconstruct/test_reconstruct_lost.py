"""What is hardly seen, hidden as it came or went, or beyond where it is looked for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import HZ, card, card_tracks, chain, chip, dwell, frames, hand, layout, scene

from verifier.domain.events import ChipsFanned, PayoffPlaced
from verifier.domain.house import House
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.reconstruct import reconstruct
from verifier.reconstruct.dealt_hands import CardHand, Dealing, Layout
from verifier.reconstruct.gestures.signals import signal_events
from verifier.reconstruct.hands.hands import Cover, HandLog
from verifier.reconstruct.money.payments import amounts_shown, settlement_events
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.money.settlement import Settled, settle_space
from verifier.reconstruct.money.stakes import Stake, find_stakes
from verifier.reconstruct.money.taken import taken_by
from verifier.reconstruct.money.tips import tip_events
from verifier.reconstruct.money.wagers import stake_events
from verifier.reconstruct.parameters.tolerances import CHIP_TOLERANCES
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.resting.settle import Settler
from verifier.reconstruct.rounds import settling_from
from verifier.reconstruct.table.detections import Body, ChipDetection, detections_of
from verifier.reconstruct.table.zones import TableMap, Xy

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
REST = hand(400, 640, side="left")
WAGER_X, WAGER_Y = TABLE.spaces[2].wager
Visit = tuple[float, float, float, float]


def log_with(*visits: Visit, owner: str = "dealer", missed: tuple[float, float] = (0.0, 0.0)) -> HandLog:
    """Looks for 40 s; a hand at x, y (pixels) from t0 to t1 of each visit, apart from looks within `missed`."""
    log = HandLog()
    for one in frames(40.0):
        at = [hand(x, y, owner, fingers=1) for t0, t1, x, y in visits if t0 <= one.t <= t1]
        at = [] if missed[0] < one.t < missed[1] else at
        log.add(detections_of(replace(one, hands=[REST, *at]), TABLE, BODY))
    return log


def card_track(number: int, xy: Xy, t: float, place: str = "space:2") -> CardTrack:
    return CardTrack(
        number=number,
        place=place,
        dwells=((xy, t, 30.0),),
        angle=0.0,
        face="up",
        turned=None,
        ranks={"9": 0.95},
        suit=None,
        p=0.95,
        n=50,
        steady=3.0,
        t_first=t,
        t_last=30.0,
        gone=30.0,
    )


def laid_out(*cards: CardTrack) -> Layout:
    of = CardHand(2, cards=[*cards])
    return Layout(hands=[of], dealings=[Dealing(one, "space:2", of, None) for one in cards])


@pytest.mark.parametrize(("p", "since"), [(0.95, 2.0), (0.7, None)], ids=["a chip", "print"])
def test_a_chip_that_is_missed_most_of_the_time_lies_since_it_was_first_seen(p: float, since: float | None) -> None:
    settler: Settler[ChipDetection] = Settler(CHIP_TOLERANCES)
    for one in frames(14.0):
        seen = any(abs(one.t - t) < 0.5 / HZ for t in (2.0, 4.0, 8.4))
        shown = [replace(chip(600, 140), p=p)] if seen else []
        detection = detections_of(replace(one, chips=shown, hands=[REST]), TABLE, BODY)
        settler.step(detection.t, detection.chips, Cover(detection.hands))
    times = [round(track.t_rest, 1) for track in (*settler.settled(), *settler.ended)]
    assert times == ([] if since is None else [since])


def test_a_payoff_that_something_hid_as_it_was_laid_is_told_weakly() -> None:
    own, won = Pile((dwell(0, 0, 2.0, 30.0),)), Pile((dwell(80, 0, 20.0, 30.0),))
    told = [Settled(stake=Stake("original", 2, "space:2", [*own.dwells]), own=own, payoffs=(won,), taken=False)]
    for visit, weak in (((19.3, 19.8, 680, 160), False), ((15.0, 16.0, 680, 160), True)):
        seen = settlement_events(scene(log_with(visit), {2: [*own.dwells, *won.dwells]}), told, 10.0)
        assert [one.weak for one in seen if isinstance(one, PayoffPlaced)] == [weak]


def test_a_payoffs_row_that_lacks_the_chip_from_the_top_of_its_stack_states_no_amount() -> None:
    own = [dwell(0, 26.0 * i, 12.0, 30.0) for i in range(3)]
    stack = dwell(80, 0, 13.0, 14.0, 100)
    row = [dwell(80.0 + 26.0 * i, 0, 14.0 + 0.1 * i, 30.0) for i in range(2)]
    stake = Stake("original", 2, "space:2", [dwell(0, 0, 2.0, 12.0)])
    right = [*row, dwell(132, 0, 14.2, 30.0)]
    for dwells, cents in (([*own, stack, *row], None), ([*own, *row], 1000), ([*own, stack, *right], 1500)):
        (told,) = settle_space(scene(log_with()), [stake], dwells, 10.0, 35.0, {})
        assert [pile.cents for pile in told.payoffs] == [cents], "one that is as the wager was misread as a stack"


def test_a_wagers_row_that_lacks_the_chip_from_the_top_of_its_stack_states_no_amount() -> None:
    """A phone hides the row's end."""
    row, paid = ([dwell(x, 26.0 * i, 12.0, 30.0) for i in range(3)] for x in (0, 80))
    for top, cents in ((100, None), (500, 1500)):
        stake = Stake("original", 2, "space:2", [dwell(0, 0, 2.0, 12.0, top)])
        (told,) = settle_space(scene(log_with()), [stake], [*row, *paid], 10.0, 35.0, {})
        assert told.own is not None and told.own.cents == cents
        (placed,) = stake_events(scene(log_with()), [stake], amounts_shown([told]), 10.0, [])
        assert placed.cents == cents


def test_a_stack_of_chips_alike_that_is_spread_toward_the_player_is_a_row_and_no_payoff() -> None:
    """The chip on top seems to lie on all the while."""
    top, other = dwell(0, 0, 2.0, 40.0), dwell(0, -23, 12.0, 40.0)
    won = [dwell(80.0 + 26.0 * i, 0, 14.0, 40.0) for i in range(2)]
    log = scene(log_with((11.0, 11.9, 600, 160), (13.0, 13.9, 680, 160)), {2: [top, other, *won]})
    told = settle_space(log, [Stake("original", 2, "space:2", [top])], [top, other, *won], 10.0, 35.0, {})
    fans = [one for one in settlement_events(log, told, 10.0) if isinstance(one, ChipsFanned)]
    assert [(one.owner, one.cents, one.direction) for one in fans] == [
        ("wager", 1000, "player"),
        ("payoff", 1000, "side"),
    ]


def test_the_chips_of_a_held_bust_beside_each_other_are_no_row() -> None:
    """One is collected, the other, void, is given back."""
    aside, other = dwell(-120, 0, 10.0, 20.0), dwell(-116, 44, 10.5, 30.0)
    first = Stake("original", 2, "space:2", [dwell(0, 0, 2.0, 10.0)], held=aside, upon=[aside])
    second = Stake("double", 2, "space:2", [dwell(48, 0, 6.0, 10.5)], held=other, upon=[other])
    dwells = [one for stake in (first, second) for one in (*stake.dwells, *stake.upon)]
    told = settle_space(scene(log_with((19.5, 20.5, 480, 140))), [first, second], dwells, 15.0, 28.0, {})
    assert [one.stake.kind for one in told if one.taken] == ["original"]


def test_the_hand_that_was_there_as_a_stake_was_last_seen_took_it_though_a_players_then_hid_its_place() -> None:
    log = HandLog()
    for one in frames(40.0):
        owner = "dealer" if 9.7 <= one.t < 10.2 else "player" if 10.6 <= one.t < 13.0 else None
        at = [] if owner is None else [hand(600, 160, owner)]
        log.add(detections_of(replace(one, hands=[REST, *at]), TABLE, BODY))
    stake = Stake("insurance", 2, "space:2", [replace(dwell(0, 0, 2.0, 13.1), seen_to=9.8)])
    assert taken_by(scene(log), stake) == "dealer"


@pytest.mark.parametrize(("hands", "kinds"), [(4, 3), (2, 2)], ids=["split thrice", "split once"])
def test_the_third_stake_that_is_added_lies_farther_out(hands: int, kinds: int) -> None:
    log = log_with(*((t - 0.4, t + 0.4, x, 120.0) for x, t in ((650, 8.0), (700, 12.0), (750, 16.0))), owner="player")
    cards = [CardHand(2, n, cards=[card_track(n, (60.0 * n, -100.0), 2.0 + n)], split_at=4.0) for n in range(hands)]
    added = [dwell(50, 0, 8.0, 30.0), dwell(100, 0, 12.0, 30.0), dwell(150, 0, 16.0, 30.0)]
    dwells = {1: [], 2: [dwell(0, 0, 0.5, 30.0), *added], 3: []}
    stakes = find_stakes(scene(log, dwells), Layout(hands=cards), 25.0, dwells)
    assert len([one for one in stakes if one.kind != "original"]) == kinds


def test_a_chip_beside_the_tip_doubles_the_tip_though_it_lies_far_from_the_wager() -> None:
    log = log_with((7.5, 8.4, 528, 222), owner="player")
    dwells = {1: [], 2: [dwell(0, 0, 0.5, 30.0), dwell(-62, 34, 0.6, 30.0, 200), dwell(-72, 82, 8.0, 30.0, 200)], 3: []}
    stakes = find_stakes(scene(log, dwells), Layout(hands=[CardHand(2)]), 25.0, dwells)
    assert [one.kind for one in stakes] == ["original", "tip", "tip_double"]


def told_of(seen: list[Observation], name: str) -> list[object]:
    return [one for one in reconstruct(seen, layout(), House(), ObservationsHeader()).events if one.name == name]


def test_a_pairs_card_that_comes_to_lie_beyond_all_areas_was_split_off() -> None:
    """As the last hand of the outermost space."""
    pair, up = [card(900, 300, "8"), card(867, 345, "8")], card(560, 540, "7")
    lying = {"chips": [chip(900, 140)], "hands": [REST, hand(760, 640)]}
    seen = chain(
        frames(2.0, **lying),
        frames(1.0, cards=pair[:1], **lying),
        frames(1.0, cards=pair, **lying),
        frames(2.0, cards=[*pair, up], **lying),
        frames(0.3, cards=[pair[1], up], chips=lying["chips"], hands=[REST, hand(900, 320)]),
        frames(4.0, cards=[pair[1], card(1060, 300, "8"), up], **lying),
    )
    moved = told_of(seen, "cards_moved")
    assert [(getattr(one, "kind", ""), getattr(one, "to", "")) for one in moved] == [("split", "space:3/1")]


def test_cards_that_show_elsewhere_in_the_look_that_first_shows_their_places_bare_were_moved() -> None:
    pair = [card(600, 300, "T"), card(567, 345, "J")]
    apart = [card(550, 300, "T"), card(660, 300, "J")]
    seen = chain(frames(3.0, cards=pair, hands=[REST]), frames(6.0, cards=apart, hands=[REST, hand(700, 560)]))
    told = card_tracks([one for one in seen if not 2.9 < one.t < 5.8])
    assert [(one.rank, len(one.dwells)) for one in told] == [("T", 2), ("J", 2)]


def test_a_gesture_before_a_stake_was_last_seen_did_not_take_it() -> None:
    """It goes a moment later with the cards, while somebody leans over it."""
    steps = ((0.0, -100.0), (-33.0, -55.0), (-66.0, -10.0))
    laid = laid_out(
        *(replace(card_track(n, xy, t), gone=11.0) for n, (xy, t) in enumerate(zip(steps, (2, 3, 9), strict=True)))
    )
    log = log_with((7.4, 8.4, 600, 170), owner="player")
    for seen_to, told in ((8.8, ["hit"]), (7.6, [])):
        stake = Stake("original", 2, "space:2", [replace(dwell(0, 0, 0.5, 8.9), seen_to=seen_to)])
        signals = signal_events(scene(log), laid, [stake], 25.0)
        assert [getattr(one, "meaning", None) for one in signals] == told


@pytest.mark.parametrize(("since", "weak"), [(9.6, [True]), (9.1, [])], ids=["had been away", "end of the one before"])
def test_a_gesture_of_which_little_was_seen_is_weak(since: float, weak: list[bool]) -> None:
    steps = ((0.0, -100.0), (-33.0, -55.0), (-66.0, -10.0), (-99.0, 35.0))
    laid = laid_out(*(card_track(n, xy, t) for n, (xy, t) in enumerate(zip(steps, (2.0, 3.0, 9.0, 10.5), strict=True))))
    log = log_with((7.4, since + 0.25, 600, 170), owner="player", missed=(8.9, since))
    told = signal_events(scene(log), laid, [], 25.0)
    assert [one.weak for one in told if one.t_start > 9.0] == weak


def test_a_hole_card_turned_too_soon_delays_no_settlement() -> None:
    """Players' cards follow it, so that it is not the end of the decisions."""
    cards = [card_track(0, (0.0, -100.0), 2.0), card_track(1, (-33.0, -55.0), 4.0), card_track(2, (-66.0, -10.0), 9.0)]
    up, hole = (card_track(n, (60.0 * n, 100.0), 3.0 + n, "dealer") for n in (3, 4))
    hands = [CardHand(2, cards=cards), CardHand(0, cards=[up, replace(hole, face="down", turned=(7.0, 7.5))])]
    laid = Layout(hands=hands, dealings=[Dealing(one, each.place, each, None) for each in hands for one in each.cards])
    assert settling_from(scene(log_with()), laid, 40.0) == 9.5


def test_a_tip_lost_from_sight_under_a_hand_was_spread_when_it_was_first_seen() -> None:
    x, y = TABLE.mm((600, 560))
    own = [ChipDwell((x, y), 500, t0, t1, 0.99, 19.5, 20, int(t0), True, t1) for t0, t1 in ((10.0, 10.6), (14.0, 30.0))]
    won = ChipDwell((x + 45.0, y), 500, 10.5, 30.0, 0.99, 19.5, 90, 5, True, 29.8)
    tip = Stake("tip", 2, "space:2", [dwell(-60, 30, 2.0, 9.5)])
    told = tip_events(scene(log_with(), {0: [*own, won]}), [(tip, own[0])], 5.0)
    assert [one.t_start for one in told if isinstance(one, ChipsFanned) and one.owner == "tip"] == [10.0]


def test_a_card_laid_where_a_hand_passed_for_a_back_and_had_gone_came_as_its_face_showed() -> None:
    busy, rest = [hand(600, 320)], [hand(400, 640)]
    lying = [card(600, 300, "9"), card(567, 345, "8")]
    seen = chain(
        frames(2.0, cards=lying, hands=rest),
        frames(0.4, cards=[*lying, card(534, 390, face="down", p=0.75)], hands=busy),
        frames(2.8, cards=lying, hands=rest),
        frames(0.3, cards=lying, hands=[hand(534, 410)]),
        frames(4.0, cards=[*lying, card(534, 390, "T")], hands=rest),
    )
    (late,) = [one for one in card_tracks(seen) if one.rank == "T"]
    assert late.t_rest > 5.0
