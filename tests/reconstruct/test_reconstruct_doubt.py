"""What is not there, what hides, and what stays open: print and false positives, rows with gaps, hole cards not
seen.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import HZ, card, chip, hand, layout

from verifier.domain.observations import CardSeen, Observation
from verifier.reconstruct.cards.hole import with_hole_card
from verifier.reconstruct.hands.hands import Cover, HandLog
from verifier.reconstruct.money.piles import Pile, with_weak
from verifier.reconstruct.money.sums import joined, reconciled
from verifier.reconstruct.parameters.tolerances import CARD_TOLERANCES, CHIP_TOLERANCES
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.resting.printed import without_print
from verifier.reconstruct.resting.settle import Settler
from verifier.reconstruct.table.detections import Body, FrameDetections, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)


def detection(t=0.0, **seen) -> FrameDetections:
    return detections_of(Observation(t=t, frame=0, **seen), TABLE, BODY)


def settle(scenes, kind="chips"):
    """Feeds (seconds, seen) stretches to a settler and gives it."""
    settler = Settler(CARD_TOLERANCES if kind == "cards" else CHIP_TOLERANCES)
    t = 0.0
    for seconds, seen in scenes:
        for _ in range(round(seconds * HZ)):
            now = detection(t, **seen)
            settler.step(t, now.cards if kind == "cards" else now.chips, Cover(now.hands))
            t += 1 / HZ
    return settler


def dwell(x, y, cents=100, *, radius=19.5, t0=0.0, t1=9.0, track=0, seldom=False):
    return ChipDwell((x, y), cents, t0, t1, 0.95, radius, 30, track, True, t1, seldom)


def row(*gaps, cents=None):
    """Chips in a row with the gaps (mm) between their centres."""
    xs = [0.0]
    for gap in gaps:
        xs.append(xs[-1] + gap)
    values = cents or [100] * len(xs)
    return Pile(tuple(dwell(x, 0.0, value, track=i) for i, (x, value) in enumerate(zip(xs, values, strict=True))))


def unread(x, y, *, p=0.95) -> CardSeen:
    seen = card(x, y, "4", across=True, p=p)
    return CardSeen(
        id=None, face="up", p=p, quad=seen.quad, rank="4", suit="h", ranks={"4": 0.4, "J": 0.3}, visible=1.0
    )


def test_a_face_that_cannot_be_read_upon_one_that_can_is_none():
    assert len(detection(cards=[card(600, 300, "Q"), unread(600, 270)]).cards) == 1
    assert len(detection(cards=[card(600, 300, "Q"), unread(540, 345)]).cards) == 2, "an ill read card in its own place"


def test_two_cards_that_are_read_both_stay():
    assert len(detection(cards=[card(600, 300, "Q"), card(605, 325, "8")]).cards) == 2


def test_print_beside_a_chip_is_no_chip():
    chips = [dwell(0.0, 0.0), dwell(0.0, 33.0, 500, radius=23.5, track=1), dwell(90.0, 0.0, track=2)]
    assert [s.track for s in without_print(chips)] == [0, 2]


def test_a_chip_seen_somewhat_larger_stays():
    chips = [dwell(0.0, 0.0), dwell(0.0, 33.0, 500, radius=21.0, track=1)]
    assert without_print(chips) == chips


def test_a_half_covered_chip_counts_between_two_sure_ones_only():
    sure = [dwell(0.0, 0.0), dwell(46.0, 0.0, track=1)]
    assert len(with_weak(sure, [dwell(23.0, 1.0, track=2)])) == 3
    assert len(with_weak(sure, [dwell(80.0, 0.0, track=2)])) == 2
    seldom = replace(dwell(23.0, 1.0, track=2), n=sure[0].n // 10)
    assert len(with_weak(sure, [seldom])) == 2, "the rims of the two pass for it now and then"


@pytest.mark.parametrize(
    ("pile", "cents"),
    [
        (row(24, 24), 300),
        (row(24, 34), None),
        (row(34, 24, cents=[500, 100, 100]), 700),
        (row(24, 24, 24, 24, 34), 600),
    ],
    ids=["even", "a gap within one value", "a gap between two values", "sets of five"],
)
def test_the_amount_of_a_row(pile, cents):
    assert pile.cents == cents


def test_a_row_in_two_pieces_states_no_amount():
    pieces = row(24)
    assert pieces.cents == 200
    assert Pile(pieces.dwells, unsure=True).cents is None


def test_a_half_covered_chip_that_reads_otherwise_than_its_neighbours_is_not_believed():
    chips = [dwell(0.0, 0.0), dwell(24.0, 0.0, 2500, track=1, seldom=True), dwell(48.0, 0.0, track=2)]
    assert Pile(tuple(chips)).cents is None


def test_a_chip_that_is_missed_with_no_hand_near_is_still_there():
    elsewhere = {"hands": [hand(1000, 700)]}
    scenes = [(2.0, {"chips": [chip(600, 140)], **elsewhere}), (3.0, elsewhere)]
    assert len(settle(scenes).settled()) == 1
    assert settle([*scenes, (4.0, elsewhere)]).settled() == [], "in the end it is believed to be gone"


def test_a_chip_is_gone_once_a_hand_was_there():
    scenes = [
        (2.0, {"chips": [chip(600, 140)]}),
        (0.5, {"hands": [hand(600, 140)]}),
        (1.5, {"hands": [hand(900, 700)]}),
    ]
    assert settle(scenes).settled() == []


@pytest.mark.parametrize(("every", "lies"), [(4, True), (1, False)], ids=["seldom seen", "always seen"])
def test_a_chip_is_missed_for_as_long_as_it_was_before(every, lies):
    bare, seen = {"hands": [hand(900, 700)]}, {"chips": [chip(600, 140)], "hands": [hand(900, 700)]}
    looks = [(1 / HZ, bare)] * (every - 1) + [(1 / HZ, seen)]
    settler = settle([*looks * (40 // every), (0.4, {"hands": [hand(600, 140)]}), (1.5, bare)])
    assert bool(settler.settled()) is lies


def test_a_chip_that_comes_back_with_no_hand_near_had_never_left():
    lying = {"chips": [chip(600, 140)], "hands": [hand(1000, 700)]}
    gone = {"hands": [hand(1000, 700)]}
    settler = settle([(2.0, lying), (7.0, gone), (2.0, lying)])
    (track,) = settler.settled()
    assert track.t_rest < 1.0


def test_a_resting_card_is_not_carried_off_by_one_that_passes_over_it():
    rest, step = card(600, 540, "J"), 1 / HZ
    passing = [(step, {"cards": [card(600 + 22 * i, 540, "K")]}) for i in (1, 2)]
    scenes = [(2.0, {"cards": [rest]}), *passing, (2.0, {"cards": [rest, card(650, 540, "K")]})]
    settler = settle(scenes, "cards")
    places = sorted(round(track.xy[0] + 600) for track in settler.settled())
    assert places == [600, 650]
    first = min(settler.settled(), key=lambda track: track.xy)
    assert first.t_rest < 1.0


@pytest.mark.parametrize(
    ("own", "payoff", "doubtful"),
    [
        ([500, 500, 500], [500, 500, 200], True),
        ([500, 500, 500], [500, 500, 500], False),
        ([500, 500, 500], [500, 500], False),
        ([500, 500, 500], [500, 100, 100], False),
    ],
    ids=["one chip reads otherwise", "equal", "a chip less", "two chips of another value"],
)
def test_sums_that_one_misread_chip_would_make_equal_are_not_told(own, payoff, doubtful):
    def fan(values):
        return row(*[24] * (len(values) - 1), cents=values)

    wager, paid = reconciled(fan(own), fan(payoff))
    assert (wager.cents is None) == doubtful
    assert (paid.cents is None) == doubtful


def test_a_doubtful_chip_without_which_wager_and_payoff_are_equal_is_none():
    wager, paid = row(24, cents=[100, 100]), row(cents=[100])
    printed = replace(wager, dwells=(wager.dwells[0], replace(wager.dwells[1], mean=0.8)))
    assert [pile.size for pile in reconciled(printed, paid)] == [1, 1]
    assert [pile.size for pile in reconciled(wager, paid)] == [2, 1], "a chip that is surely there is one"


def test_a_row_with_a_doubtful_end_states_no_amount():
    fan = row(24, 24, cents=[100, 100, 100])
    ends = [
        replace(fan, dwells=tuple(replace(s, mean=0.8 if i == k else 0.97) for i, s in enumerate(fan.dwells)))
        for k in range(3)
    ]
    assert [pile.cents for pile in ends] == [None, 300, None]


def card_track(number, xy, t, face="up", place="dealer", ranks=None, gone=None):
    return CardTrack(
        number=number,
        place=place,
        dwells=((xy, t, 40.0),),
        angle=0.0,
        face=face,
        turned=None,
        ranks=ranks or ({"9": 0.95} if face == "up" else {}),
        suit=None,
        p=0.95,
        n=50,
        steady=3.0,
        t_first=t,
        t_last=40.0,
        gone=gone,
    )


def log_with(*tips):
    """Hands of the dealer: one at rest in every look, and one at each (t, x, y)."""
    log = HandLog()
    for i in range(round(40 * HZ)):
        t = round(i / HZ, 3)
        near = [hand(x, y) for at, x, y in tips if abs(at - t) < 0.2]
        log.add(detection(t, hands=[hand(500, 620, side="left"), *near]))
    return log


UP, SPOT = (-40.0, 140.0), (32.0, 140.0)
FIRST = [
    card_track(0, UP, 10.0),
    card_track(1, (0.0, -100.0), 11.0, place="space:2"),
    card_track(2, (-36.0, -53.0), 12.0, place="space:2"),
]


def test_a_second_card_that_shows_its_face_without_a_draw_lay_there_face_down():
    hole = next(c for c in with_hole_card([*FIRST, card_track(3, SPOT, 30.0)], [], log_with(), TABLE) if c.number == 3)
    assert hole.face == "down"
    assert hole.turned is not None
    assert hole.turned[1] == 30.0
    assert 12.0 < hole.t_rest < 15.0


def test_a_second_card_that_was_drawn_was_dealt_face_up():
    drawn = with_hole_card([*FIRST, card_track(3, SPOT, 30.0)], [], log_with((28.9, 85.0, 600.0)), TABLE)
    assert next(c for c in drawn if c.number == 3).face == "up"


def test_a_back_that_was_lost_and_the_face_that_was_turned_are_one_card():
    cards = [*FIRST, card_track(3, SPOT, 13.0, "down", gone=20.0), card_track(4, SPOT, 30.0)]
    told = with_hole_card(cards, [(13.5, SPOT), (19.0, SPOT)], log_with(), TABLE)
    assert [c.number for c in told if c.place == "dealer"] == [0, 4]
    assert told[-1].turned == (19.0, 30.0)
    assert told[-1].t_rest == 13.0


DEALT = [
    card_track(1, (0.0, -100.0), 10.0, place="space:2"),
    card_track(2, (-300.0, -100.0), 11.0, place="space:1"),
    card_track(5, (-36.0, -53.0), 14.0, place="space:2"),
    card_track(6, (-336.0, -53.0), 15.0, place="space:1"),
]
"""Two spaces' first cards, and their second ones, between which the dealer deals its own first."""
SECOND = card_track(3, SPOT, 16.1, "down")


def dealt_to_dealer(cards, *draws, both_down=True):
    told = with_hole_card(cards, [], log_with(*[(t, 85.0, 600.0) for t in draws]), TABLE, both_down=both_down)
    return {c.number: (c.face, round(c.t_rest, 1), c.turned and c.turned[1]) for c in told if c.place == "dealer"}


@pytest.mark.parametrize(
    ("seen", "next_dealt", "told"),
    [(14.3, 15.0, 12.1), (14.3, 15.7, 12.1), (14.3, 15.9, 14.3), (12.9, 15.0, 12.9)],
    ids=["no time to deal it there", "hardly any", "time enough", "before the second cards"],
)
def test_a_first_back_that_shows_between_two_players_cards_was_dealt_in_its_turn(seen, next_dealt, told):
    """Cards come a second apart."""
    dealt = [replace(c, dwells=((c.xy, next_dealt, 40.0),)) if c.number == 6 else c for c in DEALT]
    dealt += [card_track(8 + n, (300.0 - 36 * n, -100.0), 9.0 + 4 * n, place="space:3") for n in range(2)]
    cards = [*dealt, card_track(0, UP, seen, "down"), card_track(3, SPOT, 17.5, "down")]
    assert dealt_to_dealer(cards)[0] == ("down", told, None)


@pytest.mark.parametrize(("draws", "told"), [((), 16.1), ((16.8,), 18.2)], ids=["no draw", "drawn"])
def test_a_second_back_that_shows_long_after_its_turn_was_dealt_then_unless_it_was_drawn(draws, told):
    late = [*DEALT, card_track(0, UP, 12.1, "down"), card_track(3, SPOT, 18.2, "down")]
    assert dealt_to_dealer(late, *draws)[3] == ("down", told, None)


@pytest.mark.parametrize(("seen", "told"), [(19.3, 12.1), (19.1, 19.1)], ids=["long after the deal", "soon after"])
def test_a_first_back_that_shows_long_after_the_deal_was_dealt_in_its_turn(seen, told):
    assert dealt_to_dealer([*DEALT, SECOND, card_track(0, UP, seen, "down")])[0] == ("down", told, None)


def test_where_the_first_card_is_dealt_open_a_back_is_the_second():
    late = [*DEALT, card_track(0, UP, 12.1), card_track(3, SPOT, 18.2, "down")]
    assert dealt_to_dealer(late, both_down=False)[3] == ("down", 16.1, None)


def test_of_two_cards_dealt_down_the_one_that_shows_its_face_first_was_turned():
    first = card_track(0, UP, 17.0)
    assert dealt_to_dealer([*DEALT, first, SECOND]) == {0: ("down", 12.1, 17.0), 3: ("down", 16.1, None)}
    assert dealt_to_dealer([*DEALT, first, SECOND], both_down=False)[0] == ("up", 17.0, None)


def test_two_cards_dealt_down_whose_backs_were_missed_were_both_turned():
    cards = [*DEALT, card_track(0, UP, 17.0), card_track(3, SPOT, 25.0)]
    assert dealt_to_dealer(cards) == {0: ("down", 12.1, 17.0), 3: ("down", 16.1, 25.0)}


def test_a_back_that_was_lost_and_its_face_are_one_card_whichever_of_two_dealt_down_it_is():
    lost = card_track(7, UP, 12.1, "down", gone=16.0)
    assert dealt_to_dealer([*DEALT, lost, card_track(0, UP, 17.0), SECOND])[0] == ("down", 12.1, 17.0)


def test_a_card_beside_two_that_were_dealt_down_was_drawn():
    drawn = card_track(4, (104.0, 140.0), 30.0)
    cards = [*DEALT, card_track(0, UP, 12.1, "down"), SECOND, drawn]
    assert dealt_to_dealer(cards)[4] == ("up", 30.0, None)


@pytest.mark.parametrize(("drawn", "backs"), [((), [0, 3]), ((17.7, 85.0, 600.0), [0, 3, 4])], ids=["back", "drawn"])
def test_a_hole_card_that_comes_back_from_the_reader_is_the_one_that_was_taken_there(drawn, backs):
    cards = [*FIRST, card_track(3, SPOT, 13.0, "down", gone=17.0), card_track(4, SPOT, 18.8, "down")]
    told = with_hole_card(cards, [], log_with(*[drawn] if drawn else []), TABLE)
    assert [c.number for c in told if c.place == "dealer"] == backs
    assert [c.t_rest for c in told if c.number == 3] == [13.0]


def test_an_unsure_chip_of_one_look_that_is_told_again_and_again_is_none_upon_another():
    real = chip(0.0, 100.0)
    first, second = replace(chip(14.0, 100.0), p=0.76), replace(chip(14.4, 100.0), p=0.81)
    under = (0.5, {"chips": [real]})
    assert len(settle([under, (1.0, {"chips": [real, first]})]).settled()) == 1
    assert len(settle([under, (1.0, {"chips": [real, first]}), (0.5, {"chips": [real, second]})]).settled()) == 2
    assert len(settle([under, (1.0, {"chips": [real, chip(14.0, 100.0)]})]).settled()) == 2
    assert len(settle([(1.0, {"chips": [first]})]).settled()) == 1


def test_a_payoff_that_may_be_of_several_stakes_is_weak_and_stays_weak_when_joined():
    pile = row(14.0, 14.0, 14.0)
    assert replace(pile, undivided=True).laid_p <= 0.45 < pile.laid_p
    assert joined([pile, replace(pile, undivided=True)]).undivided
