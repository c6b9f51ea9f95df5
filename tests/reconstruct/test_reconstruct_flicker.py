"""Sightings that come and go: a face that flickers, a second story of a card, what shows within a card or a chip."""

from __future__ import annotations

import msgspec
import pytest
from recon_scenes import HZ, card, chain, frames, hand, layout

from verifier.domain.observations import CardSeen, Observation
from verifier.reconstruct.cardstory import CardSettler, CardStory, tell
from verifier.reconstruct.deal import CardHand, Dealing, Layout
from verifier.reconstruct.hands import Cover, HandLog
from verifier.reconstruct.phantoms import distinct, without_phantoms
from verifier.reconstruct.piles import ChipStay
from verifier.reconstruct.printed import without_print
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.settle import CARD_TOLERANCES
from verifier.reconstruct.sights import Body, sight_of
from verifier.reconstruct.signals import signal_events
from verifier.reconstruct.zones import TableMap, Xy

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)


def stories(seen: list[Observation]) -> list[CardStory]:
    settler = CardSettler(CARD_TOLERANCES)
    for one in seen:
        sight = sight_of(one, TABLE, BODY)
        settler.step(sight.t, sight.cards, Cover(sight.hands))
    return tell([*settler.ended, *settler.lives], TABLE)


def looks(*cards: CardSeen) -> list[Observation]:
    return chain(*(frames(1 / HZ, cards=[one]) for one in cards))


def back(p: float) -> CardSeen:
    return card(300, 300, face="down", p=p)


FACE = card(300, 300, "J")


@pytest.mark.parametrize("p", [0.6, 0.8], ids=["doubtful backs", "backs that look sure"])
def test_a_face_that_flickers_is_one_card_that_lay_open(p: float) -> None:
    told = stories(looks(back(p), FACE, back(p), back(p), back(p), FACE, FACE, back(p), *[FACE] * 20))
    assert [(one.rank, one.face, one.turned) for one in told] == [("J", "up", None)]


def test_a_card_whose_face_is_first_read_otherwise_was_turned() -> None:
    told = stories(looks(*[back(0.9)] * 3, card(300, 300, "4"), *[back(0.9)] * 4, *[FACE] * 20))
    assert [(one.rank, one.face) for one in told] == [("J", "down")]


def story(number: int, xy: Xy, t: float, *, moved: tuple[Xy, float] | None = None, n: int = 50) -> CardStory:
    stays = ((xy, t, 30.0 if moved is None else moved[1]), *([] if moved is None else [(*moved, 30.0)]))
    return CardStory(
        number=number, place="space:2", stays=stays, angle=0.0, face="up", turned=None, ranks={"9": 0.95},
        suit=None, p=0.95, n=n, steady=3.0, t_first=t, t_last=30.0, gone=30.0,
    )  # fmt: skip


def test_a_card_laid_where_another_was_moved_away_from_is_another() -> None:
    first = story(0, (0.0, -100.0), 2.0, moved=((50.0, -100.0), 9.0))
    assert len(distinct([first, story(1, (1.0, -99.0), 12.0)])) == 2
    assert len(distinct([first, story(1, (51.0, -99.0), 12.0, n=9)])) == 1, "there the first one lies"


def hands_at(*visits: tuple[float, float, float], owner: str = "dealer") -> HandLog:
    """A hand of the dealer's at rest in every look, and one at each (t, x, y), pixels."""
    log = HandLog()
    for one in frames(40.0):
        near = [hand(x, y, owner) for t, x, y in visits if abs(t - one.t) < 0.2]
        seen = msgspec.structs.replace(one, hands=[hand(500, 620, side="left"), *near])
        log.add(sight_of(seen, TABLE, BODY))
    return log


def test_a_card_that_comes_by_itself_upon_another_is_none() -> None:
    lying, between = story(0, (0.0, -100.0), 2.0), story(1, (12.0, -80.0), 12.0, n=9)
    between = msgspec.structs.replace(between, gone=14.0)
    assert without_phantoms([lying, between], hands_at()) == [lying]
    assert without_phantoms([lying, between], hands_at((11.5, 610, 320))) == [lying, between], "a hand laid it"
    aside = msgspec.structs.replace(between, stays=(((-36.0, -53.0), 12.0, 14.0),))
    assert without_phantoms([lying, aside], hands_at()) == [lying, aside], "in its own place"


def stay(x: float, y: float, t0: float, t1: float, n: int, life: int, mean: float = 1.0) -> ChipStay:
    return ChipStay((x, y), 500, t0, t1, 0.95, 19.5, n, life, True, t1, False, mean)


@pytest.mark.parametrize(
    ("other", "kept"),
    [
        (stay(0.0, 14.0, 5.0, 6.0, 7, 1, 0.96), 1),
        (stay(0.0, 14.0, 5.0, 9.0, 30, 1, 0.8), 1),
        (stay(0.0, 24.0, 5.0, 6.0, 7, 1, 0.96), 2),
        (stay(0.0, 14.0, 5.0, 12.0, 50, 1, 0.96), 2),
    ],
    ids=["for a moment", "doubtful", "beside it", "and lies on"],
)
def test_a_chip_within_another(other: ChipStay, kept: int) -> None:
    assert len(without_print([stay(0.0, 0.0, 0.0, 10.0, 75, 0), other])) == kept


def test_a_gesture_before_the_other_split_hand_is_dealt_to_meant_no_card() -> None:
    first, second = CardHand(2, 0, split_at=8.0), CardHand(2, 1, split_at=8.0)
    laid = Layout(hands=[first, second])
    cards = [
        (first, (0.0, -100.0), 2.0), (second, (60.0, -100.0), 3.0), (first, (-33.0, -55.0), 10.0),
        (second, (27.0, -55.0), 14.0),
    ]  # fmt: skip
    for number, (one, xy, t) in enumerate(cards):
        one.cards.append(story(number, xy, t))
        laid.dealings.append(Dealing(one.cards[-1], one.place, one, None))
    log = hands_at(*((t, 590, 150) for t in (11.3, 11.6, 11.9, 17.0, 17.3, 17.6)), owner="player")
    scene = RoundScene(
        table=TABLE, hands=log, cards=(), stays={1: [], 2: [], 3: []}, since=0.0, start=2.0, end=30.0, begun=True,
        ended=True,
    )  # fmt: skip
    told = signal_events(scene, laid, [], 25.0)
    assert {getattr(one, "at", None): getattr(one, "meaning", None) for one in told} == {
        "space:2": "stand",
        "space:2/1": "stand",
    }
