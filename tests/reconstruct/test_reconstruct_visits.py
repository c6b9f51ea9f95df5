"""Players' gestures that swing far, begin early, or go on where nobody could see."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import card, card_tracks, chain, dwell, frames, hand, layout, scene

from verifier.domain.observations import HandSeen, Observation
from verifier.reconstruct import parameters as par
from verifier.reconstruct.dealt_hands import CardHand, Dealing, Layout
from verifier.reconstruct.gestures.signals import most_sure, signal_events
from verifier.reconstruct.gestures.visits import Visit, seen_in_part, visits
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap, Xy

TABLE = TableMap.of(layout())
SPACE = TABLE.spaces[2]
OUT = (600, -300)
NINE = card(600, 300, "9")


def watched(*looks: tuple[Xy, ...] | Xy, lost: tuple[float, float] = (0.0, 0.0), fingers: int = 5) -> HandLog:
    """Looks at one hand or several of a player's; between the times of `lost` there are none."""
    log = HandLog()
    seen = [look if isinstance(look[0], tuple) else (look,) for look in looks]
    shown: list[list[HandSeen]] = [[hand(x, y, "player", fingers=fingers) for x, y in one] for one in seen]
    for one in chain([Observation(t=0.0, frame=0, hands=hands) for hands in shown]):
        if not lost[0] < one.t < lost[1]:
            log.add(detections_of(one, TABLE, Body.of(TABLE)))
    return log


def told(log: HandLog, cuts: tuple[float, ...] = (), parted: tuple[Xy, ...] = ()) -> list[Visit]:
    return visits(scene(log), SPACE, 0.0, 30.0, cuts, parted)


def test_a_wave_that_swings_out_of_reach_and_back_is_seen_whole() -> None:
    (visit,) = told(watched(OUT, (600, 190), (715, 190), (715, 190), (600, 190), (715, 190), (600, 190), OUT))
    assert len(visit.hands) >= par.SIGNAL_LEAST_LOOKS


def test_a_hand_that_was_seen_away_comes_anew() -> None:
    assert len(told(watched((600, 190), (600, 190), OUT, OUT, (600, 190), (600, 190)))) == 2


def test_a_forearm_beside_the_hand_is_no_movement_of_it() -> None:
    (visit,) = told(watched(*[((600, 190), (600, 120))] * 6))
    assert len(visit.hands) == 6


@pytest.mark.parametrize(("came", "count"), [(0.5, 1), (1.2, 2)])
def test_a_hand_that_comes_as_the_card_is_on_its_way_asks_for_the_next(came: float, count: int) -> None:
    there = [(600, 190)] * 12
    assert len(told(watched(*there), cuts=(came - 0.1,))) == count


def test_a_split_hand_far_from_the_wager_is_signalled_in_front_of_its_cards() -> None:
    log = watched(*[(720, 140)] * 6)
    assert told(log) == []
    assert len(told(log, parted=(TABLE.mm((720, 300)),))) == 1


@pytest.mark.parametrize(("lost", "part"), [((0.3, 2.0), True), ((0.0, 0.0), False)])
def test_a_gesture_that_nobody_saw_to_its_end_may_have_been_one(lost: tuple[float, float], part: bool) -> None:
    log = watched((600, 190), (610, 190), (600, 190), *[OUT] * 20, lost=lost)
    (visit,) = told(log)
    assert bool(seen_in_part(scene(log), visit, 2)) == part
    assert (most_sure(visit, part=part) >= 0.5) == part


@pytest.mark.parametrize(
    ("lost", "back", "count"),
    [
        ((0.5, 1.2), (600, 190), 1),
        ((0.0, 0.0), (600, 190), 2),
        ((0.5, 1.2), (690, 190), 2),
        ((0.5, 2.0), (600, 190), 2),
    ],
    ids=["nobody looked", "away meanwhile", "come anew", "for long"],
)
def test_a_hand_that_is_where_it_was_when_looks_go_on_had_stayed(
    lost: tuple[float, float], back: Xy, count: int
) -> None:
    """A wave whose middle nobody saw is one gesture, no tap before it."""
    away = 11 if lost[1] > 1.5 else 5
    assert len(told(watched(*[(600, 190)] * 4, *[OUT] * away, *[back] * 6, lost=lost))) == count


def two_cards() -> Layout:
    """A hand of a nine and a king at space 2."""
    hand = CardHand(2, 0)
    dealt = Layout(hands=[hand])
    for card_track in card_tracks(chain(frames(0.4, cards=[NINE]), frames(9.0, cards=[NINE, card(630, 340, "K")]))):
        hand.cards.append(card_track)
        dealt.dealings.append(Dealing(card_track, hand.place, hand, None))
    return dealt


@pytest.mark.parametrize("unseen", [True, False], ids=["nobody saw it on its line", "seen there"])
@pytest.mark.parametrize(("moved", "told"), [(2.0, []), (6.0, ["stand"])], ids=["soon after", "later"])
def test_a_visit_seen_in_part_before_an_insurance_lies_there_may_have_laid_it(
    moved: float, told: list[str], unseen: bool
) -> None:
    log = watched(*[OUT] * 4, (600, 190), (610, 190), *[OUT] * 40, lost=(0.75, 2.0))
    laid = Stake("insurance", 2, "space:2", [dwell(60, 100, moved, 9.0)], moved if unseen else 8.0)
    assert [signal.meaning for signal in signal_events(scene(log), two_cards(), [laid], 9.0)] == told


@pytest.mark.parametrize(("changed", "told"), [(1.2, []), (6.0, ["stand"])], ids=["then", "later"])
def test_a_visit_of_a_few_looks_in_which_a_stake_changes_is_no_gesture(changed: float, told: list[str]) -> None:
    log = watched(*[OUT] * 4, (600, 190), (610, 190), *[OUT] * 40, lost=(0.75, 2.0))
    wager = Stake("original", 2, "space:2", [dwell(0, 0, 0.0, changed), dwell(0, 0, changed, 9.0, 100)])
    assert [signal.meaning for signal in signal_events(scene(log), two_cards(), [wager], 9.0)] == told


@pytest.mark.parametrize(("changed", "told"), [(1.2, []), (6.0, ["stand"])], ids=["then", "later"])
def test_a_visit_of_many_looks_in_which_a_stake_changes_and_no_card_is_asked_for_is_no_gesture(
    changed: float, told: list[str]
) -> None:
    log = watched(*[OUT] * 4, *[(600, 190), (610, 190)] * 4, *[OUT] * 40)
    wager = Stake("original", 2, "space:2", [dwell(0, 0, 0.0, changed), dwell(0, 0, changed, 9.0, 100)])
    assert [signal.meaning for signal in signal_events(scene(log), two_cards(), [wager], 9.0)] == told


@pytest.mark.parametrize(("stretched", "told"), [(0, []), (1, ["hit"])], ids=["closed", "pointing"])
def test_a_closed_hand_that_comes_for_a_moment_and_gets_no_card_handles_chips(stretched: int, told: list[str]) -> None:
    log = watched(*[OUT] * 15, *[(600, 190)] * 5, *[OUT] * 4, *[(600, 190), (700, 190)] * 5, fingers=stretched)
    signals = signal_events(scene(log), two_cards(), [], 9.0)
    assert [signal.meaning for signal in signals if signal.t_start < 3.0] == told


@pytest.mark.parametrize(("gone", "told"), [(4.05, []), (3.95, ["stand"])], ids=["two seconds before", "earlier"])
def test_a_hand_that_comes_soon_after_a_stake_went_with_its_cards_collected_them(gone: float, told: list[str]) -> None:
    log = watched(*[OUT] * 45, *[(600, 190), (700, 190)] * 4, *[OUT] * 20)
    dealt = two_cards()
    dealt.hands[0].cards = [replace(card, gone=gone + 0.2) for card in dealt.hands[0].cards]
    lost = Stake("original", 2, "space:2", [dwell(0, 0, 0.0, gone)])
    assert [signal.meaning for signal in signal_events(scene(log), dealt, [lost], 9.0)] == told


def test_a_double_is_asked_for_shortly_before_its_chips_lie() -> None:
    (asked,) = signal_events(
        scene(watched(*[OUT] * 80)), two_cards(), [Stake("double", 2, "space:2", [dwell(45, 0, 6.0, 30.0)])], 9.0
    )
    assert (asked.meaning, asked.t_start, asked.t_end, asked.p) == ("double", 5.4, 5.8, 0.95)
