"""What lay on hidden, or went while nobody looked, for a time; and cards that a slanting camera shears."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace
from recon_scenes import card, chain, chip, chips_settled, dwell, frames, hand, layout, scene

from verifier.domain.events import CardsCollected, HandsClear, PayoffPlaced
from verifier.domain.observations import CardSeen, Observation
from verifier.reconstruct.between.chip_group_events import clear
from verifier.reconstruct.between.chip_groups import chip_groups_of
from verifier.reconstruct.cards.dealt import dealt_events
from verifier.reconstruct.cards.overlap import overlap
from verifier.reconstruct.dealt_hands import CardHand, Dealing, Layout
from verifier.reconstruct.gestures.unseen_signals import lost_at
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.leaning import hidden_at
from verifier.reconstruct.money.cleared import clear_in_time
from verifier.reconstruct.money.payoffs import beside
from verifier.reconstruct.money.piles import cluster
from verifier.reconstruct.money.stakes import Stake, find_stakes
from verifier.reconstruct.money.sums import joined
from verifier.reconstruct.money.tips import moved_tips
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.resting.lain_on import chips_lain_on
from verifier.reconstruct.scene import event
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap, Xy

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
REST = hand(400, 640, side="left")
Visit = tuple[float, float, float, float]


def watched(*visits: Visit, gaps: tuple[tuple[float, float], ...] = (), owner: str = "dealer") -> HandLog:
    """Looks for 40 s, none in a gap, after which the dealer's right hand is elsewhere; visits from t0 to t1 at x, y."""
    log = HandLog()
    for one in frames(40.0):
        if any(a < one.t < b for a, b in gaps):
            continue
        away = hand(760, 640 + 60 * sum(one.t >= b for _, b in gaps))
        at = [hand(x, y, owner) for t0, t1, x, y in visits if t0 <= one.t <= t1]
        log.add(detections_of(replace(one, hands=[REST, away, *at]), TABLE, BODY))
    return log


def tracks(seen: list[Observation]) -> int:
    settler = chips_settled(seen)
    return len(settler.settled()) + len(settler.ended)


@pytest.mark.parametrize(("back", "count"), [(7.2, 1), (7.7, 2)])
def test_a_chip_that_somebody_leans_over_lies_on_though_nobody_looks_amid_it(back: float, count: int) -> None:
    """As it comes back a hand may have been there that nobody saw."""
    lying = {"chips": [chip(600, 140)]}
    seen = chain(
        frames(4.0, hands=[REST, hand(760, 640)], **lying),
        frames(1.6, hands=[REST, hand(760, 640)]),
        frames(1.6, hands=[REST, hand(700, 560)]),
        frames(2.0, hands=[REST, hand(700, 560)], **lying),
    )
    amid = [replace(one, hands=[REST, hand(640, 600)]) for one in seen if 6.7 <= one.t <= 7.1]
    after = [one for one in seen if one.t >= back]
    assert tracks([*[one for one in seen if one.t <= 6.1], *amid, *after]) == count


@pytest.mark.parametrize(
    ("gaps", "gone", "found"),
    [(((9.9, 12.5),), 12.6, 1), ((), 10.3, 0), ((), 12.6, 1)],
    ids=["nobody looked", "watched", "missed in most looks"],
)
def test_a_tip_may_have_lain_on_while_nobody_saw_it_before_it_was_moved(
    gaps: tuple[tuple[float, float], ...], gone: float, found: int
) -> None:
    tip = Stake("tip", 2, "space:2", [replace(dwell(-62, 34, 0.5, gone), seen_to=9.8)])
    moved = dwell(-200, 360, 13.4, 30.0)
    assert len(moved_tips(scene(watched(gaps=gaps), {0: [moved]}), [tip], 5.0)) == found


@pytest.mark.parametrize(("gaps", "told"), [(((9.9, 12.5),), [True]), ((), [])], ids=["nobody looked", "watched"])
def test_hands_may_have_left_a_heap_while_nobody_looked(
    gaps: tuple[tuple[float, float], ...], told: list[bool]
) -> None:
    log = watched((9.0, 20.0, 450, 520), gaps=gaps)
    chips = [replace(dwell(-150, 360 + 24.0 * i, 9.4, 20.0, 100), seen_to=20.0) for i in range(3)]
    (chip_group,) = chip_groups_of(chips, TABLE, log, 0.0, 40.0)
    assert [one.weak for one in clear(chip_group, 20.0)] == told


@pytest.mark.parametrize(
    ("far", "amount"),
    [
        (dwell(202, -2, 14.7, 30.0, 100), None),
        (dwell(202, -40, 14.7, 30.0, 100), 1000),
        (dwell(202, -2, 18.0, 30.0), 1000),
    ],
    ids=["in line, laid with it", "aside", "laid later"],
)
def test_a_chip_far_off_in_line_with_a_payoffs_row_leaves_its_amount_open(far: ChipDwell, amount: int | None) -> None:
    """The chips between them are not seen."""
    row = [dwell(80.0 + 25.0 * i, 0, 14.0 + 0.3 * i, 30.0) for i in range(2)]
    stake = Stake("original", 2, "space:2", [dwell(0, 0, 2.0, 30.0)])
    found = beside(scene(watched()), cluster([*row, far]), [stake])
    assert joined([pile for pile in found if pile.size >= 2]).cents == amount


@pytest.mark.parametrize(
    ("since", "turn", "ranks", "kinds"),
    [
        (12.4, 11.5, "88", ["original", "double"]), (14.0, 11.5, "88", ["original"]),
        (12.4, 10.2, "88", ["original"]), (12.4, 11.5, "AK", ["original"]),
    ],
    ids=["hidden till then", "payoffs may be laid", "nobody saw the hole card turned", "a natural's payoff"],
)  # fmt: skip
def test_a_chip_beside_a_wager_hidden_until_the_dealers_turn_is_a_players(
    since: float, turn: float, ranks: str, kinds: list[str]
) -> None:
    """Nobody looked as it was laid, somebody leaned over it until shortly after the hole card was turned."""
    log = watched(gaps=((8.5, 10.1),))
    cards = [replace(card_track(n, (-33.0 * n, -100.0 + 45.0 * n)), ranks={ranks[n]: 0.99}) for n in (0, 1)]
    dwells = {1: [], 2: [dwell(0, 0, 0.5, 30.0), dwell(48, 0, since, 30.0)], 3: []}
    laid = Layout(hands=[CardHand(2, cards=cards)])
    assert [one.kind for one in find_stakes(scene(log, dwells), laid, turn, dwells)] == kinds


def leant_over(*, beside: float = 12.4, second: float = 3.0, hides: bool = True) -> list[Stake]:
    """Stakes of a space over whose wager somebody leans from 10.1 to 12.4 s, and a chip beside it that shows late."""
    wager = replace(dwell(0, 0, 0.5, 30.0), n=220, unseen=((10.1, 12.4),) if hides else ())
    dwells = {1: [], 2: [wager, dwell(48, 0, beside, 30.0)], 3: []}
    lie = [((0.0, -100.0), 2.0, 30.0), ((-33.0, -55.0), second, 30.0)]
    cards = [replace(card_track(n, one[0]), dwells=(one,), ranks={"5": 0.99}) for n, one in enumerate(lie)]
    laid = Layout(hands=[CardHand(2, cards=cards)])
    return find_stakes(scene(watched(), dwells), laid, 20.0, dwells)


@pytest.mark.parametrize(
    ("beside", "hides", "kinds"),
    [(12.4, True, ["original", "double"]), (14.0, True, ["original"]), (12.4, False, ["original"])],
    ids=["hidden till then", "seen bare after that", "nobody leans over it"],
)
def test_a_chip_that_shows_beside_a_wager_when_somebody_leans_back_was_laid_meanwhile(
    beside: float, hides: bool, kinds: list[str]
) -> None:
    assert [one.kind for one in leant_over(beside=beside, hides=hides)] == kinds


@pytest.mark.parametrize(("second", "laid"), [(3.0, 10.1), (11.2, 11.2)], ids=["two cards lay there", "one did"])
def test_a_stake_that_nobody_saw_laid_was_not_laid_before_its_hand_had_two_cards(second: float, laid: float) -> None:
    assert [one.placed for one in leant_over(second=second) if one.kind == "double"] == pytest.approx([laid], abs=0.1)


def card_track(number: int, xy: Xy, angle: float = 0.0, skew: float = 0.0) -> CardTrack:
    return CardTrack(
        number=number,
        place="space:2",
        dwells=((xy, 2.0 + number, 30.0),),
        angle=angle,
        face="up",
        turned=None,
        ranks={"9": 0.95},
        suit=None,
        p=0.95,
        n=50,
        steady=3.0,
        t_first=2.0,
        t_last=30.0,
        gone=30.0,
        skew=skew,
    )


def test_an_overlap_is_measured_along_the_sides_of_cards_that_the_camera_shears() -> None:
    upright = overlap(card_track(0, (0.0, 0.0)), card_track(1, (-33.0, 45.0)), 12.0)
    shear = math.tan(math.radians(8.0))
    lean = [card_track(0, (0.0, 0.0), 172.0, 8.0), card_track(1, (-33.0 + 45.0 * shear, 45.0), 172.0, 8.0)]
    assert overlap(*lean, 12.0) == pytest.approx(upright, abs=0.005)


def test_a_cards_skew_is_seen() -> None:
    plain = card(600, 300)
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = plain.quad
    sheared: CardSeen = replace(plain, quad=((ax - 8, ay), (bx - 8, by), (cx + 8, cy), (dx + 8, dy)))
    told = [detections_of(Observation(t=0.0, frame=0, cards=[one]), TABLE, BODY).cards[0] for one in (plain, sheared)]
    assert [(round(one.angle), round(one.skew)) for one in told] == [(0, 0), (170, 10)]


@pytest.mark.parametrize(
    ("visits", "dwells"),
    [
        (((11.0, 12.0, 600.0, 180.0),), [(0.5, 30.0)]),
        (((9.8, 12.0, 600.0, 180.0),), [(0.5, 10.3), (13.0, 30.0)]),
    ],
    ids=["hidden before a hand came", "a hand was at it as it went"],
)
def test_a_chip_hidden_as_a_hand_came_near_lies_on(
    visits: tuple[Visit, ...], dwells: list[tuple[float, float]]
) -> None:
    gone, again = replace(dwell(0, 0, 0.5, 10.3), seen_to=10.1), dwell(0, 1, 13.0, 30.0)
    told = chips_lain_on(watched(*visits), [gone, again])
    assert [(one.t0, one.t1) for one in told] == dwells


@pytest.mark.parametrize(("since", "until", "told"), [(11.9, 12.4, True), (10.6, 12.4, False), (10.2, 10.4, True)])
def test_somebody_leaned_over_chips_though_a_hand_is_seen_over_them_in_a_few_looks(
    since: float, until: float, told: bool
) -> None:
    chip_there = replace(dwell(0, 0, 0.5, 30.0), n=210, unseen=((10.1, 12.5),))
    log = watched((since, until, 600.0, 140.0), owner="player")
    assert (hidden_at(scene(log, {2: [chip_there]}), 2, 9.0, 13.0) is not None) is told


@pytest.mark.parametrize(
    ("leaves", "told"), [((), True), (((11.01, 11.2, 600.0, -80.0),), False)], ids=["lost there", "seen leaving"]
)
def test_a_players_hand_that_is_lost_at_its_space_may_have_gone_on_with_its_gesture(
    leaves: tuple[Visit, ...], told: bool
) -> None:
    log = watched((10.5, 11.0, 600.0, 160.0), *leaves, owner="player")
    assert (lost_at(scene(log), 2, 9.0, 13.0) is not None) is told


@pytest.mark.parametrize(
    ("gaps", "visits", "start"),
    [((), (), 11.2), ((), ((10.5, 11.9, 560.0, 540.0),), 10.5), (((10.2, 11.8),), (), 8.0)],
    ids=["its back was missed", "a hand was over it", "nobody looked"],
)
def test_a_hole_card_was_turned_right_before_its_face_showed(
    gaps: tuple[tuple[float, float], ...], visits: tuple[Visit, ...], start: float
) -> None:
    card_there = replace(card_track(0, TABLE.mm((560, 540))), place="dealer", face="down", turned=(8.0, 12.0))
    of = CardHand(0, cards=[card_there])
    laid = Layout(hands=[of], dealings=[Dealing(card_there, "dealer", of, None)])
    (told,) = [one for one in dealt_events(scene(watched(*visits, gaps=gaps)), laid) if one.name == "card_revealed"]
    assert (told.t_start, told.t_end) == (pytest.approx(start, abs=0.15), 12.0)


@pytest.mark.parametrize(("gaps", "weak"), [(((10.2, 12.1),), [True]), ((), [])], ids=["nobody looked", "watched"])
def test_hands_may_have_left_a_payoff_that_came_while_nobody_looked(
    gaps: tuple[tuple[float, float], ...], weak: list[bool]
) -> None:
    drafts = [
        event(PayoffPlaced, 11.4, 11.9, 0.9, kind="original", at="space:2", cents=500),
        event(CardsCollected, 12.2, 12.5, 0.95, from_="space:2", order=1, to="discard"),
        event(HandsClear, 12.3, 14.0, 0.95, region="space:2", duration=1.7),
    ]
    told = clear_in_time(scene(watched(gaps=gaps)), drafts)
    assert [one.weak for one in told if isinstance(one, HandsClear)] == weak


def test_the_end_of_a_wagers_row_beside_the_cards_is_no_insurance() -> None:
    lined = {**TABLE.spaces, 2: replace(TABLE.spaces[2], insurance=(0.0, 60.0))}
    log = watched((9.0, 10.4, 640.0, 280.0))
    first = replace(dwell(0, 0, 0.5, 10.0), seen_to=9.2)
    row = [dwell(10.0 * i, 30.0 * i, 10.0 + 0.1 * i, 30.0) for i in range(5)]
    base = scene(log, {2: [first, *row]})
    cards = [replace(card_track(n, (-33.0 * n, -100.0 + 45.0 * n)), ranks={"AK"[n]: 0.99}) for n in (0, 1)]
    there = replace(base, table=replace(TABLE, spaces=lined))
    stakes = find_stakes(there, Layout(hands=[CardHand(2, cards=cards)]), 20.0, there.dwells)
    assert [one.kind for one in stakes] == ["original"]
