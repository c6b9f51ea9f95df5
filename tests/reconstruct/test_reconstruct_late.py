"""Hands and chips that are missed for some looks: what shows late was laid by the hand that was there meanwhile."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import HZ, chain, chip, chips_settled, dwell, frames, hand, layout, scene

from verifier.domain.events import CardDealt, ChipsFanned, PayoffPlaced
from verifier.domain.observations import HandSeen, Observation
from verifier.reconstruct.cards.dealt import dealt_events
from verifier.reconstruct.dealt_hands import CardHand, Dealing, Layout
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.hands.owners import with_owners
from verifier.reconstruct.leaning import hidden_at
from verifier.reconstruct.money.payments import settlement_events
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.money.settlement import Settled, settle_space
from verifier.reconstruct.money.stakes import Stake, left_bare
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import chip_dwells
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
REST = hand(400, 640, side="left")
AT_CARDS = (600.0, 300.0)


def watched(*visits: tuple[float, float, float, float], missed: tuple[float, ...] = ()) -> HandLog:
    """Looks for 20 s; the dealer's right hand at x, y (pixels) from t0 to t1 of each visit, missed in some looks."""
    log = HandLog()
    for one in frames(20.0):
        at = [hand(x, y) for t0, t1, x, y in visits if t0 <= one.t <= t1 and one.t not in missed]
        log.add(detections_of(replace(one, hands=[REST, *at]), TABLE, BODY))
    return log


def dealt(log: HandLog, t: float, since: float) -> CardDealt:
    """A space's first card that shows at `t`; the round before was over at `since`."""
    card = CardTrack(
        number=0,
        place="space:2",
        dwells=((TABLE.mm(AT_CARDS), t, 18.0),),
        angle=0.0,
        face="up",
        turned=None,
        ranks={"9": 0.95},
        suit=None,
        p=0.95,
        n=50,
        steady=3.0,
        t_first=t,
        t_last=18.0,
        gone=18.0,
    )
    of = CardHand(2, cards=[card])
    (told,) = dealt_events(replace(scene(log), since=since), Layout(hands=[of], dealings=[Dealing(card, "", of, None)]))
    assert isinstance(told, CardDealt)
    return told


def test_a_card_was_laid_by_the_hand_that_was_missed_as_it_came_and_is_seen_to_leave() -> None:
    log = watched((6.0, 6.5, *AT_CARDS), (10.667, 10.8, *AT_CARDS), missed=(10.667,))
    assert dealt(log, 10.667, 0.0).t_start == pytest.approx(9.9, abs=0.1)


def test_a_card_that_shows_when_the_hand_that_laid_it_has_left_was_dealt_since_that_came() -> None:
    told = dealt(watched((9.4, 10.0, *AT_CARDS)), 10.667, 0.0)
    assert (told.t_start, told.t_end) == (pytest.approx(9.2, abs=0.1), 10.667)


def test_a_card_that_somebody_hid_was_not_dealt_in_the_round_before() -> None:
    assert dealt(watched((6.0, 6.5, *AT_CARDS)), 10.667, 8.0).t_start == 8.0


@pytest.mark.parametrize("here", [True, False], ids=["a hand was over it", "nobody was"])
def test_a_wager_began_to_be_spread_as_the_hand_that_spread_it_was_over_it(here: bool) -> None:
    log = watched((9.6, 9.9, 600.0, 150.0 if here else 500.0))
    own, won = (Pile(tuple(dwell(x, 26 * i, t, 18.0) for i in (0, 1))) for x, t in ((0, 10.0), (80, 12.0)))
    stake = Stake("original", 2, "space:2", [dwell(0, 0, 2.0, 10.0)])
    told = settlement_events(scene(log), [Settled(stake=stake, own=own, payoffs=(won,), taken=False)], 5.0)
    (fan,) = [one for one in told if isinstance(one, ChipsFanned) and one.owner == "wager"]
    assert fan.t_start == pytest.approx(9.6 if here else 10.0, abs=0.1)


def sides_told(rests: str) -> list[set[str]]:
    """What is decided of the sides of a hand that reads as left, then as right, and of another that `rests`."""
    log = []
    for i in range(24):
        moves = hand(420 + 10 * i, 300, side="left" if i < 10 else "right")
        other: list[HandSeen] = [] if 12 <= i < 16 else [hand(900, 600, side=rests)]
        log.append(detections_of(Observation(t=i / HZ, frame=i, hands=[moves, *other]), TABLE, BODY).hands)
    told = with_owners(log, TABLE, BODY)
    return [{hands[0].side for hands in told[16:]}, {hands[1].side for hands in told if len(hands) > 1}]


def test_nobody_has_two_right_hands() -> None:
    """Though the other one is missed for some looks."""
    assert sides_told("right")[0] == {"unknown"}
    assert sides_told("left")[0] == {"right"}


def test_a_chip_that_somebody_hid_lay_on_until_the_hand_came_that_spread_its_stack() -> None:
    """Who leans over it goes as that hand comes: its place was never seen bare after that."""
    row = [chip(600, 140, 500), chip(600, 164, 100)]
    seen = chain(
        frames(2.0, hands=[REST], chips=[chip(600, 140, 100)]),
        frames(1.2, hands=[REST]),
        frames(0.3, hands=[REST, hand(690, 200)]),
        frames(0.3, hands=[REST, hand(640, 150)]),
        frames(3.0, hands=[REST], chips=row),
    )
    settler = chips_settled(seen)
    dwells = chip_dwells([*settler.ended, *settler.settled()])
    assert not left_bare(Stake("original", 2, "space:2", dwells[:1]), dwells)


@pytest.mark.parametrize(
    ("chips", "hand_x", "taken"),
    [(2, 690.0, False), (1, 690.0, True), (2, 600.0, True)],
    ids=["a row", "the next wager", "a hand is seen to take it"],
)
def test_a_stake_at_whose_place_a_row_lies_later_was_spread_while_somebody_hid_it(
    chips: int, hand_x: float, taken: bool
) -> None:
    log = watched((7.8, 8.1, hand_x, 160.0), (9.0, 9.4, 600.0, 160.0))
    stake = Stake("original", 2, "space:2", [dwell(0, 0, 2.0, 8.0)])
    row = [dwell(2, 24 * i, 11.5, 40.0) for i in range(chips)]
    (told,) = settle_space(scene(log), [stake], [*stake.dwells, *row], 5.0, 18.0, {"space:2": 16.0})
    assert told.taken == taken


@pytest.mark.parametrize(("paid_at", "before"), [(12.0, True), (10.0, False)], ids=["at once", "the payoff first"])
def test_a_wagers_row_that_the_first_look_at_its_payoff_shows_was_spread_before(paid_at: float, before: bool) -> None:
    """Somebody leaned over both, and over the hands that laid them."""
    own, won = (Pile(tuple(dwell(x, 26 * i, t, 18.0) for i in (0, 1))) for x, t in ((0, 12.0), (80, paid_at)))
    stake = Stake("original", 2, "space:2", [dwell(0, 0, 2.0, 12.0)])
    told = settlement_events(scene(watched()), [Settled(stake=stake, own=own, payoffs=(won,), taken=False)], 5.0)
    (fan,) = [one for one in told if isinstance(one, ChipsFanned) and one.owner == "wager"]
    (taken,) = [one for one in told if one.name == "chips_from_tray"]
    assert (fan.t_start < taken.t_start) == before


@pytest.mark.parametrize(("came", "taken"), [(7.8, True), (8.5, False)], ids=["as it went", "when it was hidden"])
def test_a_hand_that_comes_when_somebody_hides_a_stake_is_not_seen_to_take_it(came: float, taken: bool) -> None:
    stake = Stake("original", 2, "space:2", [replace(dwell(0, 0, 2.0, 8.4), seen_to=7.867)])
    row = [dwell(2, 24 * i, 11.5, 40.0) for i in (0, 1)]
    log = watched((came, 8.8, 600.0, 160.0))
    (told,) = settle_space(scene(log), [stake], [*stake.dwells, *row], 5.0, 18.0, {"space:2": 16.0})
    assert told.taken == taken


@pytest.mark.parametrize(("laid", "weak"), [(12.0, True), (13.5, False)], ids=["with its payoff", "then paid"])
def test_a_row_that_shows_when_somebody_leans_back_was_spread_meanwhile(laid: float, weak: bool) -> None:
    log = watched((11.2, 11.5, 600.0, 150.0), (12.8, 13.5, 680.0, 150.0))
    own, won = (Pile(tuple(dwell(x, 26 * i, t, 18.0) for i in (0, 1))) for x, t in ((0, 12.0), (80, laid)))
    stake = Stake("original", 2, "space:2", [replace(dwell(0, 0, 2.0, 8.7), seen_to=8.0)])
    told = settlement_events(scene(log), [Settled(stake=stake, own=own, payoffs=(won,), taken=False)], 5.0)
    (fan,) = [one for one in told if isinstance(one, ChipsFanned) and one.owner == "wager"]
    (paid,) = [one for one in told if isinstance(one, PayoffPlaced)]
    assert (fan.t_start, paid.weak) == (pytest.approx(8.0, abs=0.2), weak)


@pytest.mark.parametrize(("later", "told"), [(12.4, True), (18.0, False)], ids=["the same", "another round's"])
def test_nobody_leans_over_chips_from_one_round_to_the_next(later: float, told: bool) -> None:
    """Chips of an earlier row, taken at last, and of one laid there later do not hide what is done between."""
    gone, again = replace(dwell(2, 26, 4.0, 10.3), seen_to=10.1, n=60), dwell(2, 26, later, 30.0)
    assert (hidden_at(scene(watched(), {2: [gone, again]}), 2, 9.0, 13.0) is not None) is told
