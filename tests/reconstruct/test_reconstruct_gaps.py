"""What came or went while nobody looked, or somebody leaned over it: nothing moves by itself, nothing is guessed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import chain, chip, chips_settled, dwell, frames, hand, layout, scene

from verifier.domain.events import (
    CardBurned,
    CardDealt,
    ChipsCollected,
    ChipsFanned,
    ChipsFromTray,
    ChipsToTray,
    HandSignal,
    RoundStarted,
)
from verifier.domain.observations import Observation
from verifier.reconstruct.between.handled import burns_of
from verifier.reconstruct.between.session import session_events
from verifier.reconstruct.cards.dealt import collected_events, dealt_events
from verifier.reconstruct.dealt_hands import CardHand, Dealing, Layout
from verifier.reconstruct.gestures.unseen_signals import unseen_signals
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.collected import tray_events
from verifier.reconstruct.money.payments import settlement_events
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.money.settlement import Settled, settle_space
from verifier.reconstruct.money.stakes import Stake, find_stakes
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.rounds import decode_round
from verifier.reconstruct.scene import BackSeen, Between, event
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap, Xy

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
REST, WORKS = hand(400, 640, side="left"), hand(760, 640)
WAGER_X, WAGER_Y = TABLE.spaces[2].wager
GAP = (10.0, 11.6)
"""Nobody looks in it, and the dealer's right hand moves on meanwhile."""


def watched(*visits: tuple[float, float, float, float], gap: tuple[float, float] | None = GAP) -> HandLog:
    """Looks for 40 s; visits of the dealer's right hand from t0 to t1 at x, y (pixels), far off at other times."""
    log = HandLog()
    for one in frames(40.0):
        if gap is not None and gap[0] < one.t < gap[1]:
            continue
        at = next(((x, y) for t0, t1, x, y in visits if t0 <= one.t <= t1), None)
        x, y = at or (760, 640 if gap is None or one.t < gap[1] else 700)
        log.add(detections_of(replace(one, hands=[REST, hand(x, y)]), TABLE, BODY))
    return log


def after_gap(log: HandLog) -> float:
    """The first look after the gap."""
    return next(t for t in log.times if t >= GAP[1])


def settled_tracks(seen: list[Observation]) -> tuple[int, list[float | None]]:
    """How many chips there were, and when those that went did."""
    settler = chips_settled(seen)
    return len(settler.settled()) + len(settler.ended), [round(track.gone or 0.0, 1) for track in settler.ended]


def test_a_chip_that_was_seen_after_the_hand_had_left_lies_on_where_somebody_leans_over_it() -> None:
    lying, away = {"chips": [chip(600, 140)]}, [REST]
    seen = chain(
        frames(2.0, hands=away, **lying),
        frames(0.6, hands=[REST, hand(600, 160)]),
        frames(0.53, hands=away, **lying),
        frames(2.4, hands=away),
        frames(2.0, hands=away, **lying),
    )
    assert settled_tracks(seen) == (1, [])


def test_a_chip_that_is_missing_after_nobody_looked_was_taken_then() -> None:
    lying = {"chips": [chip(600, 140)]}
    seen = chain(frames(4.0, hands=[REST, WORKS], **lying), frames(6.0, hands=[REST, hand(700, 560)]))
    gone = [one for one in seen if not 4.0 <= one.t < 5.2]
    count, when = settled_tracks(gone)
    assert (count, when) == (1, [pytest.approx(5.2, abs=0.15)])


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


def dealt(hands: HandLog, *cards: CardTrack) -> list[CardDealt]:
    laid = Layout()
    for one in cards:
        of = CardHand(int(one.place[-1]), cards=[one])
        laid.hands.append(of)
        laid.dealings.append(Dealing(one, of.place, of, None))
    return [one for one in dealt_events(scene(hands), laid) if isinstance(one, CardDealt)]


def test_two_cards_that_came_while_nobody_looked_have_no_order() -> None:
    """One of them was missed in the first look after it."""
    log = watched()
    first, second = dealt(
        log, card_track(0, (0.0, -100.0), after_gap(log)), card_track(1, (-300.0, -100.0), 11.867, "space:1")
    )
    assert (first.t_start, first.t_end) == (second.t_start, second.t_end) == pytest.approx((10.0, 11.6), abs=0.15)
    assert first.from_hand is second.from_hand is None


def test_a_card_that_shows_with_no_hand_near_was_laid_when_one_had_been() -> None:
    """Somebody had leaned over it."""
    x, y = 600.0, 300.0
    log = watched((8.0, 8.3, x, y), gap=None)
    (late,) = dealt(log, card_track(0, TABLE.mm((x, y)), 10.667))
    assert (late.t_start, late.t_end) == pytest.approx((8.3, 10.667), abs=0.15)
    (seen,) = dealt(watched((10.2, 10.5, x, y), gap=None), card_track(0, TABLE.mm((x, y)), 10.667))
    assert seen.t_end - seen.t_start < 1.0, "a hand laid it"


def test_a_round_whose_first_card_came_at_a_time_nobody_knows_began_by_the_last_of_it() -> None:
    """Chips may have gone to the tray meanwhile."""
    x, y = 600.0, 300.0
    first = card_track(0, TABLE.mm((x, y)), 10.667)
    cards = replace(scene(watched((8.0, 8.3, x, y), gap=None)), cards=(first,), start=10.667)
    (began,) = (one for one in decode_round(cards) if isinstance(one, RoundStarted))
    assert (began.t_start, began.t_end) == pytest.approx((8.25, 9.9), abs=0.15)
    assert began.p == 0.97


def paid(log: HandLog, fan: float, payoff: float) -> list[object]:
    own = Pile((dwell(0, 0, fan, 30.0), dwell(0, 26, fan, 30.0)))
    won = Pile((dwell(80, 0, payoff, 30.0), dwell(106, 0, payoff + 0.3, 30.0)))
    stake = Stake("original", 2, "space:2", [dwell(0, 0, 2.0, fan)])
    told = [Settled(stake=stake, own=own, payoffs=(won,), taken=False)]
    return settlement_events(scene(log, {2: [*own.dwells, *won.dwells]}), told, 5.0)


def test_a_row_spread_while_nobody_looked_was_so_before_the_tray_or_after_by_whichever_hand() -> None:
    log = watched((9.5, 9.7, 600, 720), (11.5, 12.5, 600, 160))
    told = paid(log, after_gap(log), 12.1)
    (fan,) = [one for one in told if isinstance(one, ChipsFanned) and one.owner == "wager"]
    (taken,) = [one for one in told if isinstance(one, ChipsFromTray)]
    assert fan.t_start == pytest.approx(GAP[0], abs=0.15) and fan.hand is None
    assert taken.t_end > fan.t_start and taken.hand is None


def test_a_payoff_laid_behind_a_row_that_came_while_nobody_looked_is_no_part_of_it() -> None:
    log = watched((11.5, 12.2, 600, 160))
    since = after_gap(log)
    row = [dwell(0, 26.0 * i, since, 30.0) for i in range(3)]
    payoff = dwell(0, -38, since + 0.5, 30.0, 2500)
    stake = Stake("original", 2, "space:2", [dwell(0, 0, 2.0, since)])
    (told,) = settle_space(scene(log), [stake], [*row, payoff], 5.0, 35.0, {})
    assert [pile.size for pile in (told.own, *told.payoffs) if pile is not None] == [3, 1]


@pytest.mark.parametrize(
    ("gap", "side", "weak"),
    [(GAP, "right", [True, False]), (None, "right", [False]), (None, None, [True, False])],
    ids=["nobody looked", "watched", "no hand seen to take them"],
)
def test_collected_chips_may_have_gone_to_the_tray_unseen(
    gap: tuple[float, float] | None, side: str | None, weak: list[bool]
) -> None:
    log = watched((13.5, 14.5, 600, 720), gap=gap)
    taken = event(ChipsCollected, 9.8, 12.0, 0.97, kind="original", at="space:2", cents=None, to="hand", hand=side)
    told = tray_events(scene(log), [taken])
    assert [one.weak for one in told if isinstance(one, ChipsToTray)] == weak


def between(log: HandLog, *backs: BackSeen) -> Between:
    return Between(table=TABLE, hands=log, backs=backs, start=2.0, end=20.0)


def test_a_card_on_its_way_from_the_shoe_may_be_burned_while_nobody_looks() -> None:
    log = watched((9.0, 9.3, 90, 600), (9.4, 10.0, 900, 620))
    coming = [BackSeen(9.5, TABLE.mm((500, 600)), 0.9), BackSeen(9.8, TABLE.mm((800, 610)), 0.9)]
    assert [one.weak for one in burns_of(between(log, *coming), ())] == [True]
    short = watched((9.0, 9.3, 90, 600), gap=None)
    assert not [one for one in burns_of(between(short), ()) if isinstance(one, CardBurned)]


def test_no_dealer_goes_while_nobody_looks() -> None:
    """The receptacle was touched before; a second of rest, then nobody looks for two."""
    log = HandLog()
    for one in frames(20.0):
        hands = [] if 9.4 <= one.t < 12.4 else [REST, hand(950, 720) if 8.0 <= one.t < 9.0 else WORKS]
        if not 9.7 < one.t < 12.2:
            log.add(detections_of(replace(one, hands=hands), TABLE, BODY))
    assert not [one for one in session_events(between(log)) if one.name == "dealer_shift"]


def test_one_gesture_asks_for_one_card() -> None:
    log, laid, of = watched(), Layout(), CardHand(2)
    times = (2.0, 3.0, 8.4, after_gap(log))
    for number, t in enumerate(times):
        of.cards.append(card_track(number, (-33.0 * number, -100.0 + 45.0 * number), t))
        laid.dealings.append(Dealing(of.cards[-1], "space:2", of, None))
    laid.hands.append(of)
    hit = event(HandSignal, 7.2, 8.3, 0.98, at="space:2", meaning="hit")
    stood = event(HandSignal, 13.0, 14.0, 0.98, at="space:2", meaning="stand")
    glimpse = event(HandSignal, 11.0, 11.2, 0.45, at="space:2", meaning="hit")  # tells nothing surely
    for signals in ([hit, stood], [hit, glimpse, stood]):
        told = unseen_signals(scene(log, {2: [dwell(0, 0, 0.5, 30.0)]}), laid, signals, 20.0)
        assert [(getattr(one, "meaning", None), one.weak) for one in told] == [("hit", True)]


@pytest.mark.parametrize(("ranks", "kinds"), [("98", ["original", "double"]), ("AK", ["original"])])
def test_chips_beside_a_wager_that_came_while_nobody_looked_are_a_players(ranks: str, kinds: list[str]) -> None:
    """The dealer's hand is there in the next look, with the card for them. On a natural they are its payoff."""
    log = watched((11.5, 12.5, 650, 160))
    added = dwell(48, 0, after_gap(log), 30.0)
    places = zip(ranks, (card_track(0, (0.0, -100.0), 2.0), card_track(1, (-33.0, -55.0), 3.0)), strict=True)
    laid = Layout(hands=[CardHand(2, cards=[replace(card, ranks={rank: 0.99}) for rank, card in places])])
    dwells = {1: [], 2: [dwell(0, 0, 0.5, 30.0), added], 3: []}
    stakes = find_stakes(scene(log, dwells), laid, 25.0, dwells)
    assert [one.kind for one in stakes] == kinds
    assert [round(one.placed, 1) for one in stakes] == [0.5, 10.0][: len(kinds)]


def test_a_hand_on_its_way_as_nobody_looked_may_have_been_anywhere_though_it_is_there_again() -> None:
    for x, told in ((600.0, True), (760.0, False)):
        log = HandLog()
        for t, at in ((1.0, x), (1.13, 760.0)):
            log.add(detections_of(Observation(t=t, frame=0, hands=[REST, hand(at, 640)]), TABLE, BODY))
        late = detections_of(Observation(t=2.6, frame=0, hands=[REST, hand(760, 640)]), TABLE, BODY)
        assert log.cover(late).unlooked is told


def test_cards_last_seen_before_nobody_looked_were_taken_up_in_that_time_though_a_hand_was_there_already() -> None:
    log = watched((9.8, 10.0, 600, 300))
    last = max(t for t in log.times if t <= GAP[0])
    of = CardHand(2, cards=[replace(card_track(0, TABLE.mm((600, 300)), 2.0), t_last=last, gone=after_gap(log))])
    (told,) = collected_events(scene(log), Layout(hands=[of]))
    assert (told.t_start, told.t_end) == pytest.approx((last, after_gap(log)), abs=0.01)
