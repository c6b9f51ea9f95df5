"""When and by which hand chips were taken or brought, where that did not all show."""

from __future__ import annotations

import msgspec
import pytest
from inner_scenes import with_drop
from recon_scenes import chain, frames, hand, layout

from verifier.domain.events import ChipsCollected, ChipsFanned, ChipsFromTray, PayoffPlaced
from verifier.domain.layout import Layout
from verifier.domain.observations import Observation
from verifier.reconstruct.between.chip_groups import chip_groups_of
from verifier.reconstruct.between.exchanges import exchange_events
from verifier.reconstruct.between.hand_paths import came_from
from verifier.reconstruct.cards.unseen_cards import unseen_cards
from verifier.reconstruct.dealt_hands import CardHand
from verifier.reconstruct.dealt_hands import Layout as Hands
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.fetched import brought, fetched_together
from verifier.reconstruct.money.payments import settlement_events
from verifier.reconstruct.money.settlement import Settled, settle_space
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import Between, RoundScene, event
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
X, Y = TABLE.spaces[2].wager
AWAY = hand(600, 480)


def hands_in(seen: list[Observation], plan: Layout | None = None) -> HandLog:
    log, table = HandLog(), TABLE if plan is None else TableMap.of(plan)
    for one in seen:
        log.add(detections_of(one, table, Body.of(table)))
    return log


def dwell(x: float, y: float, t0: float, t1: float, seen_to: float | None = None, cents: int = 500) -> ChipDwell:
    last = t1 - 0.1 if seen_to is None else seen_to
    return ChipDwell((x, y), cents, t0, t1, 0.99, 19.5, 90, int(x + y), True, last)


def scene_of(hands: HandLog, dwells: dict[int, list[ChipDwell]] | None = None) -> RoundScene:
    return RoundScene(
        table=TABLE, hands=hands, cards=(), dwells=dwells or {}, since=-9.0, start=0.0, end=40.0, begun=True, ended=True
    )


def test_a_stake_held_on_its_cards_beside_another_one_held_there_is_taken() -> None:
    """Both were laid on a bust's cards one after the other; the double is pushed back to its player later."""
    first, double = dwell(X, Y, 1.0, 12.0), dwell(X + 45, Y, 5.0, 12.5)
    aside, other = dwell(X - 110, Y - 20, 12.8, 29.4), dwell(X - 108, Y + 20, 13.4, 31.0)
    returned = dwell(X - 98, Y - 40, 31.5, 40.0)
    stakes = [
        Stake("original", 2, "space:2", [first], held=aside, upon=[aside]),
        Stake("double", 2, "space:2", [double], held=other, upon=[other]),
    ]
    told = settle_space(scene_of(HandLog()), stakes, [first, double, aside, other, returned], 26.0, 39.0, {})
    assert {one.stake.kind for one in told if one.taken} == {"original", "double"}


@pytest.mark.parametrize(("gap", "at"), [(False, 0.93), (True, None)], ids=["watched", "nobody looked"])
def test_a_visit_to_the_tray_before_a_gap_brought_nothing_that_was_laid_after_it(gap: bool, at: float | None) -> None:
    way = chain(frames(1.0, hands=[hand(600, 740)]), frames(1.4, hands=[AWAY]), frames(0.5, hands=[hand(600, 190)]))
    log = hands_in([one for one in way if not gap or not 1.0 < one.t < 2.35])
    told = brought(scene_of(log), [(X, Y)], 2.8)[1]
    assert told == (None if at is None else pytest.approx(at, abs=0.1))


@pytest.mark.parametrize(
    ("gap", "sums"), [((3.0, 3.3), [3000]), ((3.0, 3.6), [1000, 2000]), ((4.2, 5.4), [1000, 2000])],
    ids=["no time", "time for a visit", "time until it lay"],
)  # fmt: skip
def test_a_payoff_came_with_the_one_before_where_no_gap_is_long_enough_for_a_visit_to_the_tray(
    gap: tuple[float, float], sums: list[int]
) -> None:
    taken = [
        event(ChipsFromTray, 0.6, 1.0, 0.9, cents=1000, origin="settlement"),
        event(ChipsFromTray, 4.0, max(4.4, gap[1]), 0.6, cents=2000, origin="settlement"),
    ]
    placed = [event(PayoffPlaced, t - 0.4, t, 0.9, at="space:1", kind="original", cents=1000) for t in (2.0, 5.0)]
    seen = frames(6.0, hands=[hand(330, 620, side="left"), hand(860, 590, side="right")])
    log = hands_in([one for one in seen if not gap[0] <= one.t < gap[1]])
    told = [one for one in fetched_together(scene_of(log), [*taken, *placed]) if isinstance(one, ChipsFromTray)]
    assert [one.cents for one in told] == sums


def test_a_hand_missed_in_one_look_does_not_go_on_as_the_other_one_beside_it() -> None:
    """The left brings chips and stays; the right comes from its rest to spread them, and one look lacks it."""
    rest, at, beside = (900, 620), (650, 540), (660, 520)
    left = [(600, 750)] * 4 + [at] * 8
    right = [rest] * 7 + [None, *[beside] * 4]
    log = hands_in(
        [
            Observation(
                t=i / 7.5,
                frame=i,
                hands=[hand(*one, side="left"), *([hand(*other, side="right")] if other is not None else [])],
            )
            for i, (one, other) in enumerate(zip(left, right, strict=True))
        ]
    )
    points = [TABLE.mm((660, 500))]
    hand_path = came_from(log, TABLE, points, 8 / 7.5)
    assert hand_path is not None and hand_path.side == "left"


@pytest.mark.parametrize(("unlooked", "taken"), [(True, True), (False, False)], ids=["nobody looked", "watched"])
def test_a_player_who_signed_as_looks_ended_need_not_have_taken_the_stake(unlooked: bool, taken: bool) -> None:
    signing, hidden = (frames(seconds, hands=[AWAY, hand(600, 160, "player")]) for seconds in (5.0, 2.0))
    seen = chain(signing, hidden, frames(4.0, hands=[hand(500, 500)]))
    log = hands_in([one for one in seen if not (unlooked and 5.0 <= one.t < 7.0)])
    last = max(t for t in log.times if t < 5.0)
    stake = Stake("original", 2, "space:2", [dwell(X, Y, 1.0, 7.0, seen_to=last)])
    (told,) = settle_space(scene_of(log), [stake], list(stake.dwells), 4.5, 10.0, {})
    assert told.taken == taken


@pytest.mark.parametrize(("at", "taken"), [((X, Y + 60), True), ((X, Y + 300), False)], ids=["at it", "elsewhere"])
def test_a_stake_that_most_looks_miss_was_taken_as_the_dealers_hand_was_at_it_before_its_cards_went(
    at: tuple[float, float], taken: bool
) -> None:
    """A split hand's; its player signs there before, and for the other hand until its place is told bare."""
    dealers, players = hand(at[0] + 600, at[1] + 400), hand(X + 630, Y + 410, "player")
    signs, takes = frames(0.8, hands=[players]), frames(0.4, hands=[dealers])
    log = hands_in(chain(frames(10.5), signs, takes, frames(3.6), signs, signs))
    stake = Stake("original", 2, "space:2", [dwell(X, Y, 1.0, 18.9, 10.4)])
    told = settle_space(scene_of(log), [stake], stake.dwells, 9.0, 39.0, {"space:2": 13.3})
    collected = [one for one in settlement_events(scene_of(log), told, 9.0) if isinstance(one, ChipsCollected)]
    assert [(one.weak, one.t_end < 12.5) for one in collected] == [(False, True)] * taken


def test_a_stake_that_stayed_hidden_was_taken_by_the_first_hand_that_came_there() -> None:
    at = hand(600, 150)
    way = [frames(2.0, hands=[AWAY]), frames(0.5, hands=[at]), frames(1.5, hands=[AWAY]), frames(1.0, hands=[at])]
    stake = Stake("split", 2, "space:2/1", [dwell(X, Y, -5.0, 5.0, 2.0)])
    settled = [Settled(stake=stake, own=None, payoffs=(), taken=True)]
    (told,) = settlement_events(scene_of(hands_in(chain(*way, frames(2.0, hands=[AWAY])))), settled, 1.0)
    assert told.t_end == pytest.approx(2.6, abs=0.2)


def test_chips_that_are_first_seen_as_they_are_fanned_were_received_before() -> None:
    plan = with_drop()
    table, row = TableMap.of(plan), [dwell(-200.0, 100.0 + 23.0 * i, 5.0, 11.0) for i in range(5)]
    out = dwell(50.0, 100.0, 8.0, 10.0, cents=2500)
    ways = [
        (2.0, (600, 640)),
        (0.6, (600, 250)),
        (0.8, (500, 400)),
        (1.5, (430, 520)),
        (1.2, (620, 480)),
        (0.8, (600, 740)),
        (0.6, (640, 560)),
        (2.0, (760, 440)),
    ]
    log = hands_in(chain(*[frames(seconds, hands=[hand(*xy)]) for seconds, xy in ways]), plan)
    chip_groups = chip_groups_of([*row, out], table, log, 0.0, 12.0)
    between = Between(table=table, hands=log, backs=(), chips=(*row, out), start=0.0, end=12.0)
    told = {
        one.name: one for one in exchange_events(between, chip_groups) if getattr(one, "owner", "") != "exchange_out"
    }
    assert told["chips_received"].t_end <= told["chips_fanned"].t_start


@pytest.mark.parametrize(
    ("rank", "gap", "kind", "told"),
    [
        ("2", True, "original", ["??"]),
        ("2", False, "original", []),
        ("K", True, "original", []),
        ("2", True, "insurance", []),
    ],
)
def test_a_hand_taken_as_a_bust_after_a_gap_may_have_got_a_card_in_it(
    rank: str, gap: bool, kind: str, told: list[str]
) -> None:
    """Its cards are seven, six and `rank`; its chips were collected before the dealer's turn."""
    hand_of, cut = CardHand(2), (3.0, 6.0) if gap else (9.0, 9.0)
    for number, one in enumerate(("7", "6", rank)):
        hand_of.cards.append(
            CardTrack(
                number=number,
                place="space:2",
                dwells=(((0.0, -100.0), number, 6.5),),
                angle=0.0,
                face="up",
                turned=None,
                ranks={one: 0.99},
                suit=None,
                p=0.99,
                n=9,
                steady=3.0,
                t_first=number,
                t_last=6.5,
                gone=7.0,
            )
        )
    way = chain(frames(4.0, hands=[AWAY]), frames(4.0, hands=[hand(700, 300)]))
    log = hands_in([one for one in way if not cut[0] < one.t < cut[1]])
    taken = Settled(stake=Stake(kind, 2, "space:2", [dwell(X, Y, -5.0, 6.2)]), own=None, payoffs=(), taken=True)
    assert [one.card for one in unseen_cards(scene_of(log), Hands(hands=[hand_of]), [taken], 20.0) if one.weak] == told


@pytest.mark.parametrize(
    ("left_x", "side", "told"),
    [(560, "right", "both"), (420, "right", "right"), (560, "left", "both")],
    ids=["at it", "on its way", "read as two left hands"],
)
def test_both_hands_took_a_stake_that_the_second_came_to_as_the_first_was_leaving(
    left_x: float, side: str, told: str
) -> None:
    """For the length of a single look both were there."""
    away, other = [hand(700, 620, side=side), hand(400, 620, side="left")], hand(left_x, 190, side="left")
    takes = hand(640, 190, side=side)
    seen = chain(
        frames(2.0, hands=away),
        frames(0.27, hands=[takes, away[1]]),
        frames(0.14, hands=[takes, other]),
        frames(0.4, hands=[away[0], other]),
        frames(2.0, hands=away),
    )
    stake = Stake("original", 2, "space:2", [dwell(X, Y, 0.0, 2.4, seen_to=1.87)])
    (taken, *_) = settlement_events(
        scene_of(hands_in(seen)), [Settled(stake=stake, own=None, payoffs=(), taken=True)], 1.0
    )
    assert taken.name == "chips_collected" and taken.hand == told


def test_the_hand_that_came_first_took_a_stake_whose_place_was_seen_bare_only_when_the_other_had_passed() -> None:
    away = [hand(700, 620), hand(400, 620, side="left")]
    seen = chain(
        frames(2.0, hands=away),
        frames(0.4, hands=[away[0], hand(600, 190, side="left")]),
        frames(1.6, hands=away),
        frames(0.4, hands=[hand(600, 190), away[1]]),
        frames(2.0, hands=away),
    )
    stake = Stake("original", 2, "space:2", [dwell(X, Y, 0.0, 5.4, seen_to=1.87)])
    (taken, *_) = settlement_events(
        scene_of(hands_in(seen)), [Settled(stake=stake, own=None, payoffs=(), taken=True)], 1.0
    )
    assert taken.name == "chips_collected" and taken.hand == "left"


@pytest.mark.parametrize(
    ("side", "x", "told"),
    [("unknown", 630, "both"), ("unknown", 590, "both"), ("left", 590, "left")],
    ids=["not told", "not told, near", "the same one seen twice"],
)
def test_of_two_hands_that_take_a_stake_together_the_one_not_told_is_the_other(side: str, x: int, told: str) -> None:
    """Where hands meet, the reader often cannot tell the side of one of them."""
    away, fellow = [hand(700, 620), hand(400, 620, side="left")], msgspec.structs.replace(hand(x, 190), side=side)
    seen = chain(
        frames(2.0, hands=away),
        frames(0.14, hands=[hand(700, 400), hand(560, 190, side="left")]),
        frames(0.4, hands=[fellow, hand(560, 190, side="left")]),
        frames(2.0, hands=away),
    )
    stake = Stake("original", 2, "space:2", [dwell(X, Y, 0.0, 2.4, seen_to=2.14)])
    (taken, *_) = settlement_events(
        scene_of(hands_in(seen)), [Settled(stake=stake, own=None, payoffs=(), taken=True)], 1.0
    )
    assert taken.name == "chips_collected" and (taken.hand or "left") == told


def test_a_stake_lost_from_sight_before_a_hand_came_was_taken_by_that_hand() -> None:
    """An arm had hidden it."""
    away = [hand(700, 620)]
    seen = chain(frames(4.0, hands=away), frames(0.4, hands=[hand(600, 190)]), frames(2.0, hands=away))
    stake = Stake("original", 2, "space:2", [dwell(X, Y, 0.0, 4.7, seen_to=2.0)])
    log = scene_of(hands_in(seen))
    (taken, *_) = settlement_events(log, [Settled(stake=stake, own=None, payoffs=(), taken=True)], 1.0)
    assert taken.t_start == pytest.approx(4.0, abs=0.2)


def test_a_hand_that_comes_near_a_row_after_the_one_that_spread_it_did_not_spread_it() -> None:
    """It takes the tip beside it."""
    looks = chain(
        frames(20.0, hands=[AWAY]),
        frames(0.6, hands=[hand(600, 160)]),
        frames(0.3, hands=[AWAY]),
        frames(0.4, hands=[hand(530, 230, side="left")]),
        frames(18.7, hands=[AWAY]),
    )
    own = [dwell(X, Y, 1.0, 40.0), dwell(X, Y + 24, 20.95, 40.0)]
    won = [dwell(X + 80, Y, 23.0, 40.0), dwell(X + 104, Y, 23.2, 40.0)]
    stake = Stake("original", 2, "space:2", own[:1])
    log = scene_of(hands_in(looks), {2: [*own, *won]})
    told = settlement_events(log, settle_space(log, [stake], [*own, *won], 15.0, 38.0, {}), 15.0)
    assert [one.hand for one in told if isinstance(one, ChipsFanned) and one.owner == "wager"] == ["right"]


@pytest.mark.parametrize(("picked", "taken"), [(3.0, False), (6.0, True), (None, True)], ids=["before", "later", "not"])
def test_a_stake_that_lay_on_when_its_cards_had_gone_went_to_its_player_while_nobody_looked(
    picked: float | None, taken: bool
) -> None:
    looks = [one for one in frames(40.0, hands=[AWAY]) if not 5.0 < one.t < 7.0]
    stake = Stake("original", 2, "space:2", [dwell(X, Y, -5.0, 7.0, 5.0)])
    cards = {} if picked is None else {"space:2": picked}
    (told,) = settle_space(scene_of(hands_in(looks)), [stake], stake.dwells, 0.0, 38.0, cards)
    assert told.taken == taken
