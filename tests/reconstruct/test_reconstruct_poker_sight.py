"""When a card of a poker table was surely seen, and since when it may have lain there."""

from __future__ import annotations

import pytest
from msgspec import structs
from poker_scenes import HOUSE, SEATS, Played, card_dwell, layout, whole

from verifier.domain.events import EventLog
from verifier.domain.observations import HandSeen, Observation
from verifier.law.judge import judge
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.poker.card_dwells import CardDwell, card_dwells_of, joined, with_glimpse
from verifier.reconstruct.poker.draw import draw_of
from verifier.reconstruct.poker.hand import decode_hand
from verifier.reconstruct.poker.ordering import dealt_in_order
from verifier.reconstruct.resting.tracks import Dwell, Track
from verifier.reconstruct.table.detections import Body, CardDetection, detections_of
from verifier.reconstruct.table.zones import TableMap

SPOT = SEATS[1]
HZ = 8


def looked(
    begin: float, end: float, *covered: tuple[float, float], blind: tuple[float, float] = (-1.0, -1.0)
) -> HandLog:
    """Looks at the table, none in the time `blind`; a player's hand is on the spot in each of the times `covered`."""
    table, log = TableMap.of(layout()), HandLog()
    x, y = SPOT[0] + 800.0, SPOT[1] + 500.0
    for step in range(round(begin * HZ), round(end * HZ)):
        t = step / HZ
        if blind[0] <= t <= blind[1]:
            continue
        there = any(since <= t <= until for since, until in covered)
        hand = HandSeen(owner="player", side="right", p=0.95, box=(x - 40.0, y - 60.0, x + 40.0, y + 60.0))
        log.add(detections_of(Observation(t=t, hands=[hand] if there else []), table, Body.of(table)))
    return log


def dwells(hands: HandLog, *shown: tuple[float, float], every: int = 1) -> list[CardDwell]:
    """The dwells of a track of a back at the spot that shows in the times `shown`, in each of `every` looks."""
    back = CardDetection(xy=SPOT, angle=0.0, face="down", ranks={}, suit=None, p=0.95, visible=1.0)
    times = [t for begin, end in shown for t in hands.times_between(begin, end)[::every]]
    track: Track[CardDetection] = Track(1, SPOT, times[0], times[-1])
    track.trail.extend((t, back) for t in times)
    track.dwells.append(Dwell(SPOT, times[0], times[-1], len(times)))
    track.gone = times[-1] + 0.5
    return card_dwells_of([track], TableMap.of(layout()), hands)


def test_a_card_that_is_seen_well_came_just_before_its_first_sight() -> None:
    (card,) = dwells(looked(0.0, 40.0), (10.0, 30.0))
    assert card.rest == 10.0
    assert 0.0 < card.rest - card.early < 0.5


def test_a_card_that_few_looks_show_may_have_come_earlier() -> None:
    (card,) = dwells(looked(0.0, 40.0), (10.0, 30.0), every=4)
    assert card.rest - card.early > 2.0


def test_a_place_that_a_hand_hides_is_not_searched() -> None:
    (card,) = dwells(looked(0.0, 40.0, (7.0, 9.9)), (10.0, 30.0))
    assert 6.0 < card.early < 7.0


def test_a_place_that_nobody_looked_at_is_not_searched() -> None:
    (card,) = dwells(looked(0.0, 40.0, blind=(7.0, 9.9)), (10.0, 30.0))
    assert 6.0 < card.early < 7.0


@pytest.mark.parametrize("hidden", [True, False])
def test_what_shows_only_under_a_hand_is_no_card_where_the_bare_place_shows_none(*, hidden: bool) -> None:
    hands = looked(0.0, 40.0, (10.0, 11.0), (13.0, 14.0)) if hidden else looked(0.0, 40.0)
    assert len(joined(dwells(hands, (10.0, 11.0), (13.0, 14.0)))) == (0 if hidden else 1)


@pytest.mark.parametrize(("until", "weak"), [(40.0, True), (20.0, False)])
def test_a_card_that_only_shows_under_a_hand_is_told_weakly(until: float, *, weak: bool) -> None:
    (card,) = dwells(looked(0.0, 40.0, (9.0, until)), (10.0, 30.0))
    assert (card.p < par.WELL_SEEN_P) is weak


@pytest.mark.parametrize(("hand", "rest"), [(True, 16.0), (False, 10.0)])
def test_a_hand_that_passes_for_a_card_before_it_came_is_not_the_card(*, hand: bool, rest: float) -> None:
    hands = looked(0.0, 40.0, (9.5, 12.0)) if hand else looked(0.0, 40.0)
    (card,) = joined(dwells(hands, (10.0, 12.0), (16.0, 30.0)))
    assert (card.rest, card.until) == (rest, 30.0)


def test_a_card_that_was_taken_long_before_another_came_to_its_place_is_not_that_one() -> None:
    """The card that was drawn for the button and the first one of the hand are seen as one track."""
    first, second = dwells(looked(0.0, 60.0), (10.0, 15.0), (30.0, 50.0))
    assert (first.rest, first.until, first.gone, second.rest) == (10.0, 15.0, 30.0, 30.0)


def test_glimpses_that_follow_each_other_lead_back_to_when_a_card_may_have_come() -> None:
    card = card_dwell("seat:1", 20.0)
    step = par.POKER_GLIMPSE_S - 0.5
    glimpses = [(20.0 - step, SPOT), (20.0 - 2 * step, SPOT), (20.0 - 3 * step - 1.0, SPOT)]
    assert with_glimpse(card, glimpses, HandLog()).early == 20.0 - 2 * step


@pytest.mark.parametrize(("every", "before"), [(1, 0.5), (8, 2.0)])
def test_the_fewer_the_glimpses_the_longer_none_may_have_shown_before(every: int, before: float) -> None:
    hands, card = looked(0.0, 40.0), card_dwell("seat:1", 20.0)
    times = hands.times_between(14.0, 19.9)[::every]
    early = with_glimpse(card, [(t, SPOT) for t in times], hands).early
    assert (times[0] - early > before) is (every > 1)


@pytest.mark.parametrize(("both", "apart", "cards"), [(0.4, 3.0, 1), (2.0, 3.0, 2), (0.4, 30.0, 2)])
def test_a_card_whose_track_is_handed_over_is_one(both: float, apart: float, cards: int) -> None:
    first = card_dwell("seat:1", 10.0, until=20.0, gone=20.3)
    second = card_dwell("seat:1", 20.0 - both, xy=(SPOT[0] + apart, SPOT[1]), until=60.0)
    found = joined([first, second], moving=True)
    assert len(found) == cards
    assert found[-1].until == 60.0


@pytest.mark.parametrize(
    ("up", "text", "faced", "cards"),
    [
        (None, "??", False, 2),
        (60.0, "8c", False, 2),
        (60.0, "2c", False, 2),
        (60.0, "2h", False, 1),
        (60.0, "2?", False, 1),
        (60.0, "?h", False, 1),
        (15.0, "8c", True, 1),
    ],
)
def test_a_back_where_a_face_lay_is_another_card(up: float | None, text: str, cards: int, *, faced: bool) -> None:
    exposed = card_dwell("seat:1", 10.0, until=14.0, gone=14.1, up=10.0, faced=True, text="2h", rank_p=0.99)
    later = card_dwell("seat:1", 15.0, up=up, faced=faced, text=text, rank_p=0.9)
    assert len(joined([exposed, later], moving=True)) == cards


def test_a_card_seen_late_is_told_in_whichever_turn_it_may_have_come() -> None:
    """The second of three cards of seat 2 is first seen when all are dealt."""
    cards = [card_dwell(f"seat:{seat}", 10.0 + 0.5 * index) for index, seat in enumerate((1, 2, 3) * 3)]
    cards[4] = structs.replace(cards[4], rest=16.0, early=11.6)
    told = [card for _, card, _ in dealt_in_order(cards)]
    assert [card.place for card in told] == ["seat:1", "seat:2", "seat:3"] * 3
    assert told[4].rest == 16.0
    cards[4] = structs.replace(cards[4], early=15.5, faced=True)
    assert [card.place for _, card, _ in dealt_in_order(cards)][-1] == "seat:2"


@pytest.mark.parametrize("start", [1, 2, 3])
def test_of_several_orders_that_may_be_the_due_one_is_told(start: int) -> None:
    """Nobody looked while three cards came."""
    cards = [card_dwell(f"seat:{seat}", 20.0, late=3.0) for seat in (1, 2, 3)]
    order = [f"seat:{(start - 1 + step) % 3 + 1}" for step in range(3)]
    assert [card.place for _, card, _ in dealt_in_order(cards, order)] == order


def test_the_deal_begins_left_of_the_button_where_that_may_be() -> None:
    """The first two cards show late, at one time; with the button elsewhere seat 1 was first."""
    played = Played(button=None).deal((2, 3, 4, 1) * 2).board()
    played.cards = [structs.replace(one, rest=14.0, early=9.0) if one.rest < 14.0 else one for one in played.cards]
    for button, first in ((1, "seat:2"), (4, "seat:1")):
        drafts = decode_hand(structs.replace(played.scene(), button=button))
        dealt = [one for one in drafts if one.name == "card_dealt"]
        assert min(dealt, key=lambda one: one.t_end).to == first


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_card_that_no_look_shows_is_told_weakly_in_its_turn(seat: int) -> None:
    order = [1, 2, 3, 4] * 2
    order.pop(3 + seat)
    played = Played().deal(order).board()
    dealt = [one for one in played.events() if one.name == "card_dealt"][:8]
    assert [one.to for one in dealt] == [f"seat:{number}" for number in (1, 2, 3, 4) * 2]  # type: ignore[union-attr]
    assert [one.to for one in dealt if one.weak] == [f"seat:{seat}"]  # type: ignore[union-attr]
    assert [(one.clause[9:], one.verdict) for one in judge(played.log()).findings] == [("13-misdeal", "undetermined")]


def test_many_cards_out_of_order_are_told_soon() -> None:
    """Whatever the order, each seat's cards are tried in few ways."""
    seats = [1, 2, 3, 4] * 5
    cards = [card_dwell(f"seat:{seat}", 10.0 + index, late=8.0) for index, seat in enumerate(seats)]
    cards += [card_dwell("seat:1", 40.0, late=0.1), card_dwell("seat:3", 41.0, late=0.1)]
    assert len(dealt_in_order(cards)) == len(cards)


@pytest.mark.parametrize(("beyond", "place"), [(30.0, "burns"), (40.0, None)])
def test_a_card_lies_where_it_covers_a_part(beyond: float, place: str | None) -> None:
    left = -250.0 - 80.0
    assert TableMap.of(layout()).card_place((left - beyond, 250.0)) == place


def test_cards_at_a_seat_where_nobody_sits_are_no_hand_that_a_misdeal_gathers() -> None:
    """Two of three players fold, and the cards of the third and of the empty seat are taken together."""
    played = Played().deal().fold(1, 20.0).fold(2, 22.0)
    played.cards = [
        structs.replace(one, until=30.0, gone=30.5) if one.place in ("seat:3", "seat:4") else one
        for one in played.cards
    ]
    whole, three = HOUSE, structs.replace(HOUSE, seats=["seat:1", "seat:2", "seat:3"])
    ends = [next(e for e in played.events(house) if e.name == "round_ended") for house in (whole, three)]
    assert [end.reason for end in ends] == ["misdeal", None]  # type: ignore[union-attr]
    assert any(one.clause == "ND-09-04.13-misdeal" for one in judge(played.log(three)).findings)


def hands_of(*orders: tuple[int, ...]) -> EventLog:
    """A log of hands that are dealt so, one after the other."""
    events = []
    for number, order in enumerate(orders):
        played = Played(button=None).deal(order).board()
        for one in played.events():
            shift = 100.0 * number
            again = structs.replace(one, id=f"{number}-{one.id}", round=number + 1)
            events.append(structs.replace(again, t_start=one.t_start + shift, t_end=one.t_end + shift))
    return EventLog(played.log().header, tuple(events))


ALL, LESS = (1, 2, 3, 4) * 2, (1, 3, 4) * 2


@pytest.mark.parametrize(
    ("orders", "verdicts"),
    [
        ((LESS,), {1: "violation"}),
        ((LESS, ALL), {1: "violation"}),
        ((ALL, LESS, ALL), {2: "violation"}),
        ((ALL, LESS), {2: "undetermined"}),
        ((ALL, LESS, LESS, LESS), {2: "undetermined"}),
        ((ALL, LESS, LESS, ALL), {2: "undetermined"}),
        ((LESS, LESS, ALL), {1: "undetermined"}),
    ],
)
def test_a_player_who_may_have_left_was_not_surely_skipped(
    orders: tuple[tuple[int, ...], ...], verdicts: dict[int, str]
) -> None:
    found = [one for one in judge(hands_of(*orders)).findings if "13-misdeal" in one.clause]
    assert {one.round: one.verdict for one in found} == verdicts


def test_a_back_that_passes_over_the_board_makes_no_hand_of_a_draw() -> None:
    cards = [card_dwell(f"seat:{seat}", 10.0 + seat, up=10.0 + seat, faced=True, text="9c") for seat in (1, 2, 4)]
    assert draw_of([*cards, card_dwell("board", 20.0)]) is not None
    assert draw_of([*cards, card_dwell("board", 20.0, up=20.0, faced=True, text="2d")]) is None


@pytest.mark.parametrize(("told", "several"), [(200, True), (40, True), (8, False), (0, False)])
def test_a_face_that_may_be_several_cards_is_not_read(told: int, *, several: bool) -> None:
    """The counter of overlapping cards holds it in so many of its 160 looks that more lie there."""
    hands = looked(0.0, 40.0)
    face = CardDetection(xy=SPOT, angle=0.0, face="up", ranks={"K": 0.99}, suit="s", p=0.95, visible=1.0)
    track: Track[CardDetection] = Track(1, SPOT, 10.0, 30.0)
    for index, t in enumerate(hands.times_between(10.0, 30.0)):
        track.trail.append((t, structs.replace(face, more=0.9 if index < told else 0.1)))
    track.dwells.append(Dwell(SPOT, 10.0, 30.0, len(track.trail)))
    (card,) = card_dwells_of([track], TableMap.of(layout()), hands)
    assert (card.several, card.text) == (several, "??" if several else "Ks")


def test_what_was_several_cards_in_one_part_of_its_time_is_several_cards() -> None:
    one = card_dwell("seat:1", 10.0, until=20.0, gone=20.1, up=10.0, faced=True, several=True)
    same = card_dwell("seat:1", 20.5, up=20.5, faced=True, text="Ks", rank_p=0.99)
    (card,) = joined([one, same])
    assert (card.several, card.text) == (True, "??")


def with_several(played: Played, place: str) -> Played:
    """The hand in which the first card that lies at a place may be several."""
    index = next(index for index, one in enumerate(played.cards) if one.place == place)
    played.cards[index] = structs.replace(played.cards[index], several=True, text="??", rank_p=0.0)
    return played


@pytest.mark.parametrize(
    ("place", "opened"),
    [
        ("seat:3", ["13-misdeal", "18-fouled-hand"]),
        ("seat:1", ["13-misdeal"]),
        ("board", ["14-burn-policy"]),
    ],
)
def test_a_card_that_may_be_several_opens_how_many_were_dealt(place: str, opened: list[str]) -> None:
    findings = judge(with_several(whole(), place).log()).findings
    assert {(one.clause[9:], one.verdict) for one in findings} == {(clause, "undetermined") for clause in opened}


@pytest.mark.parametrize(
    ("place", "verdict"), [(None, "violation"), ("seat:3", "undetermined"), ("board", "undetermined")]
)
def test_a_hand_in_which_several_cards_may_lie_is_not_read(place: str | None, verdict: str) -> None:
    """Seat 1 gets the pot against a set of nines."""
    played = Played().deal().fold(2, 20.0).board().fold(4, 36.0)
    played = played.show(1, 60.0, ("As", "Kd")).show(3, 62.0, ("9s", "9d")).push(1)
    found = judge((with_several(played, place) if place else played).log()).findings
    assert {one.verdict for one in found if "1-hand-ranking" in one.clause} == {verdict}


def test_an_exposed_card_that_may_be_several_leaves_open_how_many_were_burned() -> None:
    played = whole()
    lain = {"up": 25.0, "faced": True, "text": "??", "xy": (-300.0, 250.0)}
    played.cards.append(card_dwell("burns", 25.0, several=True, **lain))
    burned = [one for one in played.events() if one.name == "card_burned" and one.face_shown]
    assert [one.weak for one in burned] == [False, True]


def test_a_card_of_the_draw_that_may_be_several_leaves_open_how_many_were_drawn() -> None:
    cards = [card_dwell(f"seat:{seat}", 10.0 + seat, up=10.0 + seat, faced=True, text="9c") for seat in (1, 2, 4)]
    cards[1] = structs.replace(cards[1], several=True, text="??")
    drawn = draw_of(cards) or []
    assert [one.to for one in drawn if one.name == "card_dealt" and one.weak] == ["seat:2"]


def test_a_card_glimpsed_where_another_lay_did_not_come_before_that_one_went() -> None:
    """A card is dealt on the spot of an exposed one that was taken; what was glimpsed there before was the exposed."""
    hands = looked(0.0, 40.0)
    exposed = CardDetection(xy=SPOT, angle=0.0, face="up", ranks={"9": 0.99}, suit="d", p=0.95, visible=1.0)
    tracks = [
        track_of(hands, (10.0, 14.5), exposed),
        track_of(hands, (16.4, 30.0), structs.replace(exposed, face="down", ranks={})),
    ]
    glimpses = [(t, SPOT) for t in hands.times_between(10.0, 30.0)]
    first, second = card_dwells_of(tracks, TableMap.of(layout()), hands, glimpses)
    assert first.until <= second.early <= second.rest
    order = [card_dwell("seat:2", 10.5), card_dwell("seat:2", 12.5), structs.replace(first, until=12.0)]
    assert [card.rest for _, card, _ in dealt_in_order([*order, second])][-1] == second.rest


def track_of(hands: HandLog, shown: tuple[float, float], card: CardDetection) -> Track[CardDetection]:
    """A track of a card that every look shows in a time."""
    times = hands.times_between(*shown)
    track: Track[CardDetection] = Track(1, SPOT, times[0], times[-1])
    track.trail.extend((t, card) for t in times)
    track.dwells.append(Dwell(SPOT, times[0], times[-1], len(times)))
    track.gone = times[-1] + 0.2
    return track


def test_one_look_at_a_face_makes_no_card_of_a_hand() -> None:
    """A hand passes for a back in four looks; much later a card that is gathered shows its face there once."""
    hands = looked(0.0, 80.0, (0.0, 70.0))
    back = CardDetection(xy=SPOT, angle=0.0, face="down", ranks={}, suit=None, p=0.95, visible=1.0)
    track = track_of(hands, (10.0, 10.5), back)
    track.trail.append((68.0, structs.replace(back, face="up", ranks={"9": 0.9})))
    track.t_last, track.gone = 68.0, None
    assert card_dwells_of([track], TableMap.of(layout()), hands) == []


@pytest.mark.parametrize(("back", "cards"), [(True, 2), (False, 1)])
def test_a_card_that_shows_again_where_it_lay_was_not_moved(*, back: bool, cards: int) -> None:
    """The second card of a seat comes as a hand hides the first."""
    first = card_dwell("seat:1", 10.0, until=12.0, gone=14.0)
    second = card_dwell("seat:1", 12.2, xy=(SPOT[0] + 60.0, SPOT[1]))
    again = [card_dwell("seat:1", 30.0)] if back else []
    assert len(joined([first, second, *again], moving=True)) == cards


@pytest.mark.parametrize(
    ("mucked", "apart", "cards"), [(None, 2.0, 1), (12.5, 2.0, 2), (20.0, 2.0, 1), (None, 60.0, 2)]
)
def test_what_shows_where_a_card_lay_is_that_card_unless_one_was_taken(
    mucked: float | None, apart: float, cards: int
) -> None:
    first = card_dwell("seat:1", 10.0, until=12.0, gone=14.0)
    again = card_dwell("seat:1", 30.0, xy=(SPOT[0] + apart, SPOT[1]))
    assert len(joined([first, again], moving=True, went=[] if mucked is None else [mucked])) == cards


def test_a_card_of_the_deal_that_a_hand_hid_is_dealt_once() -> None:
    played = whole()
    hidden = played.cards[0]
    played.cards[0] = structs.replace(hidden, until=12.0, gone=14.0)
    played.cards.append(structs.replace(hidden, rest=18.0, early=12.0))
    assert [one.to for one in played.events() if one.name == "card_dealt"].count("seat:1") == 2
    assert not judge(played.log()).findings


DRAWN = structs.replace(HOUSE, poker_variant="five_card_draw", poker_blinds=None)


@pytest.mark.parametrize(("apart", "dealt"), [(2.0, 10), (60.0, 11)])
def test_a_card_that_shows_again_was_not_thrown_away(apart: float, dealt: int) -> None:
    """A card is hidden as another player's card goes to the muck, and shows again before the cards that are drawn."""
    played = Played().deal((1, 2) * 5)
    hidden = played.cards[0]
    played.cards[0] = structs.replace(hidden, until=30.0, gone=31.0)
    played.cards.append(card_dwell("muck", 31.0))
    played.cards.append(structs.replace(hidden, rest=34.0, early=33.5, xy=(hidden.xy[0] + apart, hidden.xy[1])))
    assert len([one for one in played.events(DRAWN) if one.name == "card_dealt"]) == dealt


@pytest.mark.parametrize(("rank_p", "told"), [(0.95, "?d"), (0.99, "8d")])
def test_a_rank_is_told_only_if_hardly_another_may_be(rank_p: float, told: str) -> None:
    """A queen drawn for the button read as an eight (all looks: 0.97): the button seemed won by a lower card."""
    face = CardDetection(
        xy=SPOT, angle=0.0, face="up", ranks={"8": rank_p, "Q": 1.0 - rank_p}, suit="d", p=0.95, visible=1.0
    )
    (card,) = card_dwells_of(
        [track_of(looked(0.0, 40.0), (10.0, 10.9), face)], TableMap.of(layout()), looked(0.0, 40.0)
    )
    assert card.text == told
