"""Where the numbers that decide lie: what is told just on this side of each, and just on the other.

The figures stand here as numbers, not as the parameters that they are, so that a change of one is noticed.
"""

from __future__ import annotations

import pytest
from msgspec import structs
from recon_scenes import card, dwell, frames, hand, layout, scene

from verifier.domain.observations import HandSeen, Observation
from verifier.reconstruct.cards.touches import slipped
from verifier.reconstruct.gestures.signals import shows_two, stand_score
from verifier.reconstruct.gestures.visits import Visit
from verifier.reconstruct.hands.hands import HandLog, agreed_side
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.money.wagers import insurance_moved
from verifier.reconstruct.resting.card_tracks import CardTrack, presence
from verifier.reconstruct.resting.cardface import look_weight, pooling_power, posterior, suit_of
from verifier.reconstruct.resting.chip_dwells import lying
from verifier.reconstruct.table.detections import Body, CardDetection, HandDetection, detections_of, far_end
from verifier.reconstruct.table.zones import TableMap, distance

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
SPACE = TABLE.spaces[2]


def detected(*hands: HandSeen, t: float = 0.0) -> tuple[HandDetection, ...]:
    return detections_of(Observation(t=t, frame=0, hands=list(hands)), TABLE, BODY).hands


def looked(rank: str = "9", suit: str = "h", visible: float = 1.0, sure: float = 0.97) -> CardDetection:
    (detection,) = detections_of(Observation(t=0.0, frame=0, cards=[card(600, 300, rank)]), TABLE, BODY).cards
    return structs.replace(detection, suit=suit, visible=visible, ranks={rank: sure, "8": 1 - sure})


def waved(width: float, fingers: int, looks: int = 8) -> Visit:
    """A player's hand at space 2 that swings by a width."""
    at = [600 + (width if i % 2 else 0.0) for i in range(looks)]
    return Visit(tuple(detected(hand(x, 190, "player", fingers=fingers), t=i / 8)[0] for i, x in enumerate(at)))


@pytest.mark.parametrize(("mean", "looks", "p"), [(0.5, 0, 0.5), (0.5, 6, 0.75), (0.5, 12, 0.875), (0.5, 40, 0.875),
                                                  (0.8, 6, 0.96), (0.999, 40, 0.99)])  # fmt: skip
def test_how_probable_a_thing_is_that_was_seen_so_often(mean: float, looks: int, p: float) -> None:
    assert presence(mean, looks) == pytest.approx(p)


@pytest.mark.parametrize(("apart", "count"), [(8.9, 1), (9.1, 2)])
def test_a_chip_on_top_of_another_hides_it(apart: float, count: int) -> None:
    assert len(lying([dwell(0, 0, 1.0, 9.0), dwell(apart, 0, 2.0, 9.0)], 5.0)) == count


@pytest.mark.parametrize(("agreeing", "told"), [(6, "h"), (5, None)])
def test_the_suit_that_most_looks_read_is_a_cards(agreeing: int, told: str | None) -> None:
    suits = ["h"] * agreeing + ["d"] * (10 - agreeing - 1) + ["s"]
    assert suit_of([looked(suit=suit) for suit in suits]) == told


@pytest.mark.parametrize(("looks", "power"), [(1, 1.0), (2, 1.1), (4, 1.3), (100, 1.3)])
def test_many_looks_at_one_card_count_as_little_more_than_one(looks: int, power: float) -> None:
    assert pooling_power(looks) == pytest.approx(power)


@pytest.mark.parametrize(("visible", "weight"), [(1.0, 1.0), (0.5, 0.25), (0.05, 0.0025), (0.0, 0.0025)])
def test_a_look_at_part_of_a_card_counts_by_the_square_of_that_part(visible: float, weight: float) -> None:
    one = looked(visible=visible)
    assert look_weight(one) == pytest.approx(weight * one.p)


def test_a_rank_that_no_look_reads_keeps_a_chance_that_is_not_told() -> None:
    told = posterior([looked(sure=0.9)])
    assert set(told) == {"9", "8"} and told["9"] == pytest.approx(0.87, abs=0.01)
    assert set(posterior([looked(sure=0.997)])) == {"9"}


@pytest.mark.parametrize(("left", "right", "told"), [(17, 3, "left"), (16, 4, None), (2, 0, "left"), (1, 0, None)])
def test_a_hands_side_is_the_one_that_nearly_all_looks_tell(left: int, right: int, told: str | None) -> None:
    assert agreed_side(["left"] * left + ["right"] * right + ["unknown"]) == told


@pytest.mark.parametrize(("fingers", "two"), [((1, 2), True), ((2, 3), True), ((1, 1), False), ((3, 3), False)])
def test_two_fingers_held_up_ask_for_a_split(fingers: tuple[int, int], two: bool) -> None:
    shown = [structs.replace(detected(hand(600, 190, "player", fingers=n))[0], two=None) for n in fingers]
    assert shows_two(Visit(tuple(shown))) is two


@pytest.mark.parametrize(
    ("width", "fingers", "odds"),
    [(48.0, 5, 2.0), (59.0, 5, 3.0), (200.0, 5, 5.0), (0.0, 1, -4.92), (48.0, 2, -0.72), (48.0, 3, 0.48)],
)
def test_a_wide_wave_of_a_flat_hand_stands_and_a_narrow_tap_of_a_finger_hits(
    width: float, fingers: int, odds: float
) -> None:
    assert stand_score(waved(width, fingers), SPACE) == pytest.approx(odds, abs=0.02)


@pytest.mark.parametrize(("looks", "odds"), [(8, 5.0), (9, -1.0)])
def test_a_long_gesture_does_without_the_one_look_that_swings_out(looks: int, odds: float) -> None:
    still = waved(0.0, 5, looks - 1).hands
    out = structs.replace(waved(300.0, 5).hands[1], t=2.0)
    assert stand_score(Visit((*still, out)), SPACE) == pytest.approx(odds, abs=0.02)


def test_a_hands_tip_lies_short_of_its_boxs_rim_opposite_to_the_elbow() -> None:
    assert far_end((500.0, 400.0, 600.0, 600.0), (550.0, 500.0), (550.0, 900.0)) == pytest.approx((550.0, 415.0))


def test_where_forearms_come_from() -> None:
    assert BODY.elbow("dealer", "right", BODY.dealer) == pytest.approx((BODY.dealer[0] + 210.0, BODY.low))
    aside = BODY.elbow("dealer", "left", (BODY.dealer[0] + 100.0, 0.0))
    assert aside == pytest.approx((BODY.dealer[0] - 210.0 + 42.0, BODY.low))
    at = (BODY.dealer[0], BODY.dealer[1] - 400.0)
    assert distance(BODY.elbow("player", "left", at), at) == pytest.approx(500.0)


@pytest.mark.parametrize(("off", "place"), [(11.0, "discard"), (13.0, None)])
def test_a_card_at_the_rim_of_the_discard_holder_lies_in_it(off: float, place: str | None) -> None:
    assert TABLE.card_place((TABLE.mm((1050.0, 600.0))[0] - off, TABLE.mm((1050.0, 600.0))[1])) == place


@pytest.mark.parametrize(("beside", "owner"), [(44.0, "player"), (46.0, None)])
def test_the_hand_whose_box_is_near_acts_there(beside: float, owner: str | None) -> None:
    log = HandLog()
    for one in frames(1.0, hands=[hand(600, 190, "player")]):
        log.add(detections_of(one, TABLE, BODY))
    x, y = TABLE.mm((600.0 + 45.0, 190.0))
    assert log.owner_at((x + beside, y), 0.0, 1.0) == owner


def watched(*hands: HandSeen) -> HandLog:
    log = HandLog()
    for one in frames(6.0, hands=list(hands)):
        log.add(detections_of(one, TABLE, BODY))
    return log


@pytest.mark.parametrize(("by", "told"), [(6.5, False), (7.5, True), (61.0, True), (63.0, False)])
@pytest.mark.parametrize("owner", ["player", "dealer"])
def test_a_card_that_a_players_hand_pushed_a_little_aside_was_not_split(by: float, told: bool, owner: str) -> None:
    x, y = TABLE.mm((600.0, 300.0))
    one = CardTrack(
        number=0,
        place="space:2",
        dwells=(((x, y), 1.0, 3.0), ((x + by, y), 3.5, 6.0)),
        angle=0.0,
        face="up",
        turned=None,
        ranks={"9": 0.95},
        suit=None,
        p=0.95,
        n=50,
        steady=2.0,
        t_first=1.0,
        t_last=6.0,
        gone=6.0,
    )
    assert slipped(watched(hand(600, 300, owner)), one, 5.0) is (told and owner == "player")


@pytest.mark.parametrize(("dwells", "p"), [(1, 0.6), (2, 0.9)])
def test_an_insurance_that_was_seen_at_both_places_was_surely_moved(dwells: int, p: float) -> None:
    chips = [dwell(0, 40, 2.0, 9.0), dwell(0, 120, 9.5, 20.0)][:dwells]
    (moved,) = insurance_moved(scene(watched()), [Stake("insurance", 2, "space:2", chips, insured_at=9.0)])
    assert moved.p == p
