"""Cards that nobody saw come one by one, that were held on their way, and those of a hand that reaches to the shoe."""

from __future__ import annotations

import pytest
from alone_scenes import SPACE_1, dealer, hand, log_of, lying, told
from recon_scenes import card, chain, chip, frames, layout
from recon_scenes import hand as a_hand

from verifier.domain.events import CardDealt
from verifier.domain.house import House
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.reconstruct import reconstruct
from verifier.reconstruct.cards.deal import lay_out
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap, Xy

TABLE = TableMap.of(layout())
Dwell = tuple[Xy, float, float]


def card_track(
    number: int, place: str, rank: str, *dwells: Dwell, turned: tuple[float, float] | None = None
) -> CardTrack:
    return CardTrack(
        number=number,
        place=place,
        dwells=dwells,
        angle=0.0,
        face="down" if turned else "up",
        turned=turned,
        ranks={rank: 0.99},
        suit="h",
        p=0.98,
        n=50,
        steady=3.0,
        t_first=dwells[0][1],
        t_last=30.0,
        gone=30.0,
    )


def test_of_cards_that_show_at_once_the_one_that_follows_its_hands_last_came_first() -> None:
    pair = [
        card_track(0, "space:1", "2", ((0, 0), 1.0, 30.0)),
        card_track(1, "space:1", "2", ((-33, 45), 2.0, 4.0), ((105, 0), 4.5, 30.0)),
    ]
    aces = [
        card_track(2, "space:1", "A", ((-66, 90), 8.8, 30.0)),
        card_track(3, "space:1", "A", ((-33, 45), 8.93, 30.0)),
    ]
    layout = lay_out([*pair, *aces], HandLog())
    assert [[card.number for card in one.cards] for one in layout.hands] == [[0, 3, 2], [1]]


def unwatched() -> HandLog:
    """A dealer's hand that moves, and that nobody looks at from 5 to 7 s."""
    log = HandLog()
    for i in range(75):
        t = round(i / 7.5, 3)
        if not 5.0 < t < 7.0:
            seen = Observation(t=t, frame=i, hands=[a_hand(300 + 30 * (i % 2) + (90 if t > 5.0 else 0), 620)])
            log.add(detections_of(seen, TABLE, Body.of(TABLE)))
    return log


def test_of_cards_that_came_while_nobody_looked_those_came_first_that_are_dealt_first() -> None:
    """Which of them shows in the first look after it is chance."""
    places = [("space:1", -300), ("space:2", 0), ("space:3", 300), ("dealer", 0)]
    firsts = [card_track(i, place, "5", ((x, -100), 1.0 + i, 30.0)) for i, (place, x) in enumerate(places)]
    seconds = [
        card_track(10, "space:2", "9", ((-33, -55), 7.0, 30.0)),
        card_track(11, "space:1", "9", ((-333, -55), 7.13, 30.0)),
        card_track(12, "space:3", "9", ((267, -55), 7.0, 30.0)),
    ]
    layout = lay_out([*firsts, *seconds], unwatched())
    assert [one.place for one in layout.dealings][4:] == ["space:1", "space:2", "space:3"]


def test_of_the_dealers_cards_that_came_while_nobody_looked_those_nearer_to_what_lay_came_first() -> None:
    lay = [
        card_track(0, "space:1", "5", ((-300, -100), 1.0, 30.0)),
        card_track(1, "space:1", "6", ((-333, -55), 2.0, 30.0)),
        card_track(2, "dealer", "Q", ((0, 100), 3.0, 30.0)),
    ]
    came = [
        card_track(3, "dealer", "T", ((130, 100), 7.0, 30.0)),
        card_track(4, "dealer", "3", ((80, 100), 7.13, 30.0)),
    ]
    layout = lay_out([*lay, *came], unwatched())
    assert [card.number for card in layout.space(0)[0].cards] == [2, 4, 3]


def test_a_card_that_was_held_on_its_way_is_dealt_where_it_comes_to_lie() -> None:
    cards = [
        card_track(0, "space:1", "5", ((0, 0), 1.0, 30.0)),
        card_track(1, "space:1", "4", ((-33, 45), 2.0, 30.0)),
        card_track(2, "", "9", ((200, 200), 5.7, 9.6), ((-66, 90), 9.9, 30.0), turned=(9.6, 9.73)),
        card_track(3, "", "8", ((200, 200), 12.0, 13.6), ((300, 190), 13.9, 30.0)),
    ]
    layout = lay_out(cards, HandLog())
    (last,) = [dealing.card for dealing in layout.dealings if dealing.card.number > 1]
    assert (last.number, last.t_rest, last.face) == (2, 9.9, "up")


def test_a_long_hand_that_reaches_into_the_shoes_area_keeps_its_last_card() -> None:
    x, y = SPACE_1
    long = [lying(1.0 + 2.0 * i, 24.0, x - 33 * i, y + 45 * i, rank) for i, rank in enumerate("234A25")]
    log = log_of([*long, *hand(600.0, 300.0, "K7", 1.5, 22.0, pace=2.0), *dealer(24.0)])
    assert told(log, "space:1") == [*"234A25"]


def test_a_card_is_laid_after_the_one_before_where_that_lay_until_its_player_moved_it() -> None:
    own = [
        card_track(0, "space:3", "3", ((300, -100), 1.0, 30.0)),
        card_track(1, "space:3", "5", ((267, -55), 2.0, 4.0), ((304, -55), 4.5, 30.0)),
    ]
    dealers = [
        card_track(2, "dealer", "9", ((-40, 140), 1.5, 30.0)),
        card_track(3, "dealer", "7", ((32, 140), 2.5, 30.0)),
    ]
    layout = lay_out([*own, *dealers, card_track(4, "dealer", "9", ((234, -10), 9.0, 30.0))], unwatched())
    assert {one.place: [card.number for card in one.cards] for one in layout.hands} == {
        "space:3": [0, 1, 4],
        "dealer": [2, 3],
    }


@pytest.mark.parametrize(("off", "side"), [(150, "left"), (230, None)], ids=["at its edge", "farther away"])
def test_the_hand_whose_fingers_are_at_a_cards_edge_as_it_comes_to_rest_placed_it(off: float, side: str | None) -> None:
    pair = [card(600, 300, "9"), card(567, 345, "8")]
    lays = {"hands": [a_hand(567, 345 + off, side="left"), a_hand(330, 620)], "chips": [chip(600, 140)]}
    rests = {"hands": [a_hand(330, 620)], "chips": [chip(600, 140)]}
    seen = chain(
        frames(2.0, **rests),
        frames(1.0, cards=pair[:1], **rests),
        frames(0.4, cards=pair[:1], **lays),
        frames(0.3, cards=pair, **lays),
        frames(2.0, cards=[*pair, card(560, 540, "K")], **rests),
        frames(8.0, **rests),
    )
    events = reconstruct(seen, layout(), House(), ObservationsHeader()).events
    (second,) = [one for one in events if isinstance(one, CardDealt) and one.card.startswith("8")]
    assert second.placed_hand == side
