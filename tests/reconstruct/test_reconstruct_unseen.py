"""What was not to be seen, or seems to be there and is not: gaps at a decision, ghosts, cards laid where others lay."""

from __future__ import annotations

import msgspec
import pytest
from recon_scenes import card, chain, chip, frames, hand, layout

from verifier.domain.house import House
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.reconstruct import reconstruct
from verifier.reconstruct.cards.hole import with_hole_card
from verifier.reconstruct.hands.hands import Cover, HandLog
from verifier.reconstruct.parameters.tolerances import CARD_TOLERANCES
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.cardsettle import CardSettler
from verifier.reconstruct.resting.tracks import Track
from verifier.reconstruct.table.detections import Body, CardDetection, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
PLAYERS = [card(600, 300, "9"), card(567, 345, "8")]
UP, BACK = card(560, 540, "7"), card(632, 540, face="down")
TURNED = card(632, 540, "T")
RESTING = {"hands": [hand(600, 700)]}


def log_of(seen: list[Observation]):
    return reconstruct(seen, layout(), House(), ObservationsHeader()).events


def named(events, name):
    return [one for one in events if one.name == name]


def played(*middle: list[Observation], stake: int = 500) -> list[Observation]:
    """A round at space 2 up to the dealer's turn, with `middle` between the deal and the turn."""
    wager = {"chips": [chip(600, 140, stake)], **RESTING}
    return chain(
        frames(2.0, **wager),
        frames(1.0, cards=PLAYERS[:1], **wager),
        frames(1.0, cards=[PLAYERS[0], UP], **wager),
        frames(1.0, cards=[*PLAYERS, UP], **wager),
        frames(1.0, cards=[*PLAYERS, UP, BACK], **wager),
        *middle,
        frames(2.0, cards=[*PLAYERS, UP, TURNED], **wager),
    )


def blinded(seen: list[Observation], t0: float, t1: float, *, moved: bool) -> list[Observation]:
    """The looks without those of a stretch; `moved`: the dealer's hand lies elsewhere after it."""
    late = [hand(760, 640)] if moved else RESTING["hands"]
    kept = [one for one in seen if not t0 < one.t < t1]
    return [msgspec.structs.replace(one, hands=late) if one.t >= t1 else one for one in kept]


@pytest.mark.parametrize(("moved", "count"), [(True, 1), (False, 0)], ids=["hands moved", "the table was at rest"])
def test_a_decision_that_nobody_looked_at_leaves_a_weak_signal(moved: bool, count: int) -> None:
    wager = {"chips": [chip(600, 140)], **RESTING}
    seen = played(frames(3.0, cards=[*PLAYERS, UP, BACK], **wager))
    signals = named(log_of(blinded(seen, 6.8, 8.2, moved=moved)), "hand_signal")
    assert [(one.meaning, one.weak) for one in signals] == [("stand", True)] * count


@pytest.mark.parametrize(
    ("up", "method", "count"),
    [("A", "hole_card_reader", 0), ("7", "hole_card_reader", 1), ("A", "hole_card_no_peek", 1)],
    ids=["the dealer has a natural", "the dealer has none", "nobody read it"],
)  # fmt: skip
def test_nobody_decides_where_the_reader_tells_of_a_natural(up: str, method: str, count: int) -> None:
    """Who leans over the chips then lays an insurance, or nothing."""
    dealt, resting = [*PLAYERS, card(560, 540, up)], {"chips": [chip(600, 140)], **RESTING}
    seen = chain(
        frames(2.0, **resting),
        frames(1.0, cards=PLAYERS[:1], **resting),
        frames(1.0, cards=[PLAYERS[0], dealt[2]], **resting),
        frames(1.0, cards=dealt, **resting),
        frames(1.0, cards=[*dealt, BACK], **resting),
        frames(1.5, cards=[*dealt, BACK], **RESTING),
        frames(1.0, cards=[*dealt, BACK], **resting),
        frames(2.0, cards=[*dealt, TURNED], **resting),
    )
    events = reconstruct(seen, layout(), House(dealing_method=method), ObservationsHeader()).events
    assert [(one.meaning, one.weak) for one in named(events, "hand_signal")] == [("stand", True)] * count


@pytest.mark.parametrize(("chips", "count"), [([], 1), ([chip(600, 140)], 0)], ids=["they are hidden", "they show"])
def test_a_decision_that_somebody_hides_who_leans_over_the_chips_leaves_a_weak_signal(chips, count) -> None:
    scene = {"cards": [*PLAYERS, UP, BACK], **RESTING}
    seen = played(frames(1.5, chips=chips, **scene), frames(1.0, chips=[chip(600, 140)], **scene))
    signals = named(log_of(seen), "hand_signal")
    assert [(one.meaning, one.weak) for one in signals] == [("stand", True)] * count


def test_a_wager_beside_which_something_flits_by_is_still_taken() -> None:
    ghost = [chip(600, 140), chip(609, 146, 100)]
    cards = [*PLAYERS, UP, BACK]
    players = {"hands": [hand(605, 130, "player")]}
    gone = {"cards": [*PLAYERS, UP, TURNED], "hands": [hand(600, 150)]}
    seen = chain(
        played(frames(1.0, cards=cards, chips=ghost, **players)),
        frames(0.6, chips=[chip(600, 140)], **gone),
        frames(2.0, **gone),
        frames(2.0, cards=[UP, TURNED], hands=[hand(600, 320)]),
        frames(6.0, **RESTING),
    )
    assert [one.at for one in named(log_of(seen), "chips_collected")] == ["space:2"]


@pytest.mark.parametrize(("rank", "tracks"), [("2", 2), ("9", 1)], ids=["another rank", "the same rank"])
def test_a_card_laid_where_one_of_another_rank_lay_is_a_new_one(rank: str, tracks: int) -> None:
    settler = CardSettler(CARD_TOLERANCES)
    with_hand = {"hands": [hand(600, 330)]}
    scenes = chain(
        frames(2.0, cards=[card(600, 300, "9")]),
        frames(0.4, **with_hand),
        frames(1.5, hands=[hand(1000, 700)]),
        frames(0.4, **with_hand),
        frames(2.0, cards=[card(600, 300, rank)]),
    )
    for one in scenes:
        detection = detections_of(one, TABLE, BODY)
        settler.step(detection.t, detection.cards, Cover(detection.hands))
    assert len([track for track in (*settler.ended, *settler.settled()) if track.settled]) == tracks


@pytest.mark.parametrize(("after", "tracks"), [(1100, 2), (1000, 1)], ids=["hands moved", "the table was at rest"])
def test_a_card_that_was_taken_while_nobody_looked_is_not_the_next_one_laid_there(after: float, tracks: int) -> None:
    late = {"hands": [hand(after, 700)]}
    seen = [*frames(2.0, cards=[card(600, 300, "9")], hands=[hand(1000, 700)]), *frames(1.5, 3.4, **late)]
    assert len(tracks_in([*seen, *frames(2.0, 4.9, cards=[card(600, 300, "2")], **late)])) == tracks


def test_a_card_seen_after_a_gap_was_not_taken_in_it() -> None:
    late = {"hands": [hand(1100, 700)]}
    lying = [*frames(2.0, cards=[card(600, 300, "9")], hands=[hand(1000, 700)])]
    again = [*frames(0.2, 3.4, cards=[card(600, 300, "9")], **late), *frames(2.0, 3.7, **late)]
    assert [track.gone for track in tracks_in([*lying, *again])] == [None]


def tracks_of(*parts: list[Observation]) -> list[Track[CardDetection]]:
    return tracks_in(chain(*parts))


def tracks_in(seen: list[Observation]) -> list[Track[CardDetection]]:
    settler, hands = CardSettler(CARD_TOLERANCES), HandLog()
    for one in seen:
        detection = detections_of(one, TABLE, BODY)
        settler.step(detection.t, detection.cards, hands.cover(detection))
        hands.add(detection)
    return [track for track in (*settler.ended, *settler.settled()) if track.settled]


@pytest.mark.parametrize(
    ("missed", "rank", "since"),
    [(0.9, "9", 1.067), (1.6, "9", 2.8), (0.9, "2", 2.133)],
    ids=["the same card", "for long", "another card"],
)
def test_a_card_missed_after_one_sure_look_had_come_by_then(missed: float, rank: str, since: float) -> None:
    """Others that came while it was missed came after it."""
    busy = {"hands": [hand(1000, 700)]}
    (track,) = tracks_of(
        frames(1.067, **busy),
        frames(0.134, cards=[card(600, 300, "9")], **busy),
        frames(missed, **busy),
        frames(2.0, cards=[card(600, 300, rank)], **busy),
    )
    assert track.dwells[0].t0 == pytest.approx(since, abs=0.01)


def test_a_face_where_print_passed_for_a_back_now_and_then_is_of_a_card_laid_there() -> None:
    printed, rest = card(600, 300, face="down", p=0.55), {"hands": [hand(1000, 700)]}
    flicker = [frames(0.4, cards=[printed], **rest), frames(0.8, **rest)]
    (track,) = tracks_of(*flicker * 4, frames(2.0, cards=[card(600, 300, "9")], hands=[hand(620, 330)]))
    assert track.t_rest == pytest.approx(4.8, abs=0.3)
    assert track.p > 0.9


@pytest.mark.parametrize(("over", "tracks"), [(1000, 1), (600, 2)], ids=["no hand was near", "a hand laid it there"])
def test_what_comes_back_with_no_hand_near_had_never_left(over: float, tracks: int) -> None:
    """A hand was at it just before somebody leant over it."""
    lying, away = {"cards": [card(600, 300, "9")]}, {"hands": [hand(1000, 700)]}
    told = tracks_of(
        frames(2.0, hands=[hand(600, 330)], **lying),
        frames(4.6, **away),
        frames(0.3, hands=[hand(over, 330)]),
        frames(2.0, **lying, **away),
    )
    assert len(told) == tracks


def card_track(number: int, place: str, xy: tuple[float, float], t: float) -> CardTrack:
    return CardTrack(
        number=number,
        place=place,
        dwells=((xy, t, 40.0),),
        angle=0.0,
        face="up",
        turned=None,
        ranks={"9": 0.95},
        suit=None,
        p=0.95,
        n=50,
        steady=3.0,
        t_first=t,
        t_last=40.0,
        gone=None,
    )


@pytest.mark.parametrize("dealt_down", [True, False])
def test_where_the_second_card_is_drawn_late_no_back_is_made_up(dealt_down: bool) -> None:
    cards = [
        card_track(0, "dealer", (-40.0, 140.0), 10.0),
        card_track(1, "space:2", (0.0, -100.0), 11.0),
        card_track(2, "space:2", (-36.0, -53.0), 12.0),
        card_track(3, "dealer", (32.0, 140.0), 30.0),
    ]
    log = HandLog()
    for one in frames(40.0, hands=[hand(500, 620, side="left")]):
        log.add(detections_of(one, TABLE, BODY))
    second = next(c for c in with_hole_card(cards, [], log, TABLE, dealt_down=dealt_down) if c.number == 3)
    assert (second.face == "down") == dealt_down
