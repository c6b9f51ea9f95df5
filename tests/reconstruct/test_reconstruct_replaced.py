"""A card that becomes another in its place, and what only looks like one (`card_exchanged_in_place`)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from recon_scenes import HZ, card, card_tracks, chain, frames, hand, layout

from verifier.domain.events import CardDealt, CardReplaced
from verifier.domain.house import House
from verifier.domain.observations import CardSeen, HandSeen, Observation, ObservationsHeader
from verifier.reconstruct import parameters as par
from verifier.reconstruct import reconstruct
from verifier.reconstruct.resting.card_tracks import CardTrack, with_doubt
from verifier.reconstruct.resting.replaced import Replacement, replacement
from verifier.reconstruct.table.detections import CardDetection

AWAY = hand(1000, 700)


def face(rank: str, suit: str, x: float = 300.0, *, sure: float = 0.97, shown: float = 1.0) -> CardSeen:
    return replace(card(x, 300.0, rank), suit=suit, ranks={rank: sure}, visible=shown)


def looks(seconds: float, *cards: CardSeen, hands: Sequence[HandSeen] = (AWAY,)) -> list[Observation]:
    return frames(seconds, cards=list(cards), hands=list(hands))


JACK, QUEEN, THREE_CLUBS, THREE_SPADES = face("J", "h"), face("Q", "c"), face("3", "c"), face("3", "s")
COVERING = hand(300.0, 300.0)


def at(
    seconds: Sequence[float], rank: str, suit: str = "h", *, sure: float = 0.97, shown: float = 1.0, x: float = 0.0
) -> list[tuple[float, CardDetection]]:
    return [(t, CardDetection((x, 0.0), 0.0, "up", {rank: sure}, suit, 0.95, shown)) for t in seconds]


LONG = [0.2 * i for i in range(10)]


def changes(*parts: list[Observation]) -> list[Replacement | None]:
    return [one.replaced for one in card_tracks(chain(*parts))]


@pytest.mark.parametrize("between", [[], looks(1.5, hands=[COVERING])], ids=["no hand", "a hand over the place"])
@pytest.mark.parametrize(
    ("first", "then", "sure"), [(JACK, QUEEN, True), (THREE_CLUBS, THREE_SPADES, False)], ids=["rank", "suit"]
)
def test_a_card_that_becomes_another_in_its_place_is_two(
    first: CardSeen, then: CardSeen, sure: bool, between: list[Observation]
) -> None:
    """Another suit of the same black may yet be a misreading."""
    (card_track,) = card_tracks(chain(looks(2.4, first), between, looks(2.4, then)))
    change = card_track.replaced
    assert change is not None and change.settled == sure == (change.p > 0.9)
    assert (card_track.text, change.text) == (f"{first.rank}{first.suit}", f"{then.rank}{then.suit}")
    assert change.t0 == pytest.approx(2.4 - 1 / HZ, abs=0.01)
    assert change.t1 == pytest.approx(2.4 + len(between) / HZ, abs=0.01)
    assert card_track.ranks.keys() == {first.rank}, "the first card's reading is its own"


@pytest.mark.parametrize("between", [[], looks(0.8)], ids=["at once", "a bare place between"])
@pytest.mark.parametrize(("away", "exchange"), [(0.0, True), (par.TWIN_MM, True), (par.TWIN_MM + 1, False)])
@pytest.mark.parametrize("longer", [2.4, 4.0])
def test_none_of_two_cards_is_lost_though_nobody_came_for_the_first(
    longer: float, away: float, exchange: bool, between: list[Observation]
) -> None:
    """The second has a track of its own where it lies somewhat aside, or where the place was bare meanwhile."""
    parts = [looks(longer, JACK), between, looks(3.0, face("Q", "c", 300.0 + away))]
    told, dealt = exchanges(*parts)
    assert [(e.card_before, e.card_after) for e in told] == [("Jh", "Qc")] * exchange
    assert [e.card for e in dealt] == ["Jh", "Qc"][: 2 - exchange], "farther off both count as lying there"


@pytest.mark.parametrize(
    ("then", "told"),
    [(looks(3.0, QUEEN), True), ([*looks(1.5, QUEEN), *looks(1.5, JACK)], False)],
    ids=["the second stays", "the first shows again"],
)
def test_a_bare_place_and_another_face_for_a_while_is_no_exchange(then: list[Observation], told: bool) -> None:
    changed, dealt = exchanges(looks(3.0, JACK), looks(0.8), then)
    assert [(e.card_before, e.card_after) for e in changed] == [("Jh", "Qc")] * told
    assert [e.card for e in dealt] == ["Jh"]


@pytest.mark.parametrize(("pause", "weak"), [(1.0, False), (30.0, True)])
def test_before_and_after_a_pause_without_pictures(pause: float, weak: bool) -> None:
    beside = face("9", "s", 600.0)
    after = [replace(one, t=one.t + 3.0 + pause) for one in looks(3.0, QUEEN, beside)]
    log = reconstruct([*looks(3.0, JACK, beside), *after], layout(), House(), ObservationsHeader())
    told = [event for event in log.events if isinstance(event, CardReplaced)]
    assert [(e.card_before, e.card_after, e.weak) for e in told] == [("Jh", "Qc", weak)]


@pytest.mark.parametrize("hands", [[AWAY], []], ids=["hands elsewhere", "no hands at all"])
def test_the_dealers_card_too(hands: list[HandSeen]) -> None:
    nine, king = (replace(card(640, 540, rank), suit="c") for rank in "9K")
    beside = face("9", "s", 600.0)
    told, dealt = exchanges(looks(3.0, nine, beside, hands=hands), looks(3.5, king, beside, hands=hands))
    assert [(e.at, e.card_before, e.card_after) for e in told] == [("dealer", "9c", "Kc")]
    assert [e.card for e in dealt if e.to == "dealer"] == ["9c"]


@pytest.mark.parametrize(
    "odd",
    [
        [looks(3.0, JACK), looks(0.4, QUEEN), looks(3.0, JACK)],
        [looks(2.0, JACK), looks(4.0, QUEEN), looks(2.0, JACK)],
        [looks(3.0, THREE_CLUBS), looks(0.3, THREE_SPADES), looks(3.0, THREE_CLUBS)],
        [looks(6.0, JACK), looks(0.3, QUEEN)],
        [looks(0.3, QUEEN), looks(6.0, JACK)],
        [part for _ in range(8) for part in (looks(0.7, THREE_CLUBS), looks(0.6, THREE_SPADES))],
        [looks(3.0, JACK), looks(3.0, face("Q", "h", sure=0.6))],
        [looks(3.0, card(300, 300, face="down")), looks(3.0, card(300, 300, face="down"))],
        [looks(3.0, JACK), looks(1.5, hands=[COVERING]), looks(3.0, JACK)],
    ],
    ids=[
        "a few odd looks",
        "the first face again",
        "a suit for two looks",
        "odd looks at the end",
        "odd looks at first",
        "a suit that flickers",
        "an unsure reading",
        "a back for a back",
        "a hand came by",
    ],
)
def test_a_misread_is_no_exchange(odd: list[list[Observation]]) -> None:
    assert changes(*odd) == [None]


def test_what_shows_less_reads_otherwise_perhaps_for_that_alone() -> None:
    (change,) = changes(looks(3.0, JACK), looks(3.0, face("Q", "c", shown=0.5)))
    assert change is not None and not change.settled


@pytest.mark.parametrize(
    ("seen", "settled"),
    [
        (at(LONG, "J") + at([2.0 + t for t in LONG], "Q"), True),
        (at(LONG, "J") + at([2.0 + t for t in LONG], "Q", "d"), True),
        (at(LONG, "3", "c") + at([2.0 + t for t in LONG], "3", "s"), False),
        (at(LONG, "3", "c") + at([2.0 + t for t in LONG], "3", "h"), True),
    ],
    ids=["another rank", "and suit", "the other black suit", "a red suit"],
)
def test_a_change_is_sure_from_nineteen_in_twenty_on(seen: list[tuple[float, CardDetection]], settled: bool) -> None:
    change = replacement(seen)
    assert change is not None and change.settled == settled
    chance = 1.0 / (1.0 + par.OTHER_FACES * math.exp(-change.odds))
    assert (chance >= par.REPLACED_SURE_P) == settled


@pytest.mark.parametrize(
    ("then", "told"),
    [
        (at([2.0, 2.0 + par.REPLACED_LEAST_S], "Q"), False),
        (at([2.0, 2.2, 2.0 + par.REPLACED_LEAST_S], "Q"), True),
        (at([2.0, 2.2, 1.99 + par.REPLACED_LEAST_S], "Q"), False),
        (at(LONG, "Q", x=par.REPLACED_PLACE_MM), True),
        (at(LONG, "Q", x=par.REPLACED_PLACE_MM + 0.1), False),
        (at([2.0 + t for t in LONG[1:]], "Q", "c") + at([4.0], "J"), True),
        (at([2.0 + t for t in LONG[2:]], "Q", "c") + at([4.0], "J"), False),
    ],
    ids=["two looks", "three", "too short", "in its place", "beside it", "one look of ten odd", "one of nine"],
)
def test_each_face_lasts_in_its_place(then: list[tuple[float, CardDetection]], told: bool) -> None:
    assert (replacement([*at(LONG, "J"), *then]) is not None) == told


@pytest.mark.parametrize(
    ("t", "shown", "settled"),
    [
        (1.8 + par.REPLACED_HIDDEN_S, 1.0, True),
        (1.81 + par.REPLACED_HIDDEN_S, 1.0, False),
        (1.81 + par.REPLACED_TAKES_S, 1.0, True),
        (1.79 + par.REPLACED_TAKES_S, 1.0, False),
        (2.0, par.REPLACED_SHOWN_SHARE, True),
        (2.0, par.REPLACED_SHOWN_SHARE - 0.01, False),
    ],
)
def test_what_else_changed_leaves_it_open(t: float, shown: float, settled: bool) -> None:
    change = replacement([*at(LONG, "J"), *at([t + each for each in LONG], "Q", shown=shown)])
    assert change is not None and change.settled == settled


@pytest.mark.parametrize(
    ("ranks", "told"),
    [
        ({"Q": par.READ_P + 0.001}, True),
        ({"Q": par.READ_P - 0.001}, False),
        ({"Q": 0.86, "K": 0.14}, True),
        ({"Q": 0.83, "K": 0.17}, False),
    ],
    ids=["read", "hardly read", "the king is below a tenth", "it is above"],
)
def test_how_sure_each_face_must_be(ranks: dict[str, float], told: bool) -> None:
    queens = [(2.0 + t, replace(detection, ranks=ranks)) for t, detection in at(LONG, "Q")]
    assert (replacement([*at(LONG, "J"), *queens]) is not None) == told


def test_one_change_must_be_likelier_than_none(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [*at(LONG, "3", "c"), *at([2.0 + t for t in LONG], "3", "s")]
    change = replacement(seen)
    assert change is not None
    monkeypatch.setattr(par, "REPLACED_LEAST_ODDS", change.odds - 0.01)
    assert replacement(seen) is not None
    monkeypatch.setattr(par, "REPLACED_LEAST_ODDS", change.odds + 0.01)
    assert replacement(seen) is None


@pytest.mark.parametrize(("first", "suit", "told"), [(0.0, "h", True), (0.01, "h", False), (0.01, "c", True)])
def test_a_rank_alone_that_reads_otherwise_must_leave_the_first_no_chance(first: float, suit: str, told: bool) -> None:
    queens = [(2.0 + t, replace(detection, ranks={"Q": 0.98, "J": first})) for t, detection in at(LONG, "Q", suit)]
    assert (replacement([*at(LONG, "J"), *queens]) is not None) == told


def card_track(
    number: int, rank: str, t: float, until: float, x: float = 0.0, change: Replacement | None = None
) -> CardTrack:
    return CardTrack(
        number=number,
        place="space:2",
        dwells=(((x, 0.0), t, until),),
        angle=0.0,
        face="up",
        turned=None,
        ranks={rank: 0.95},
        suit="h",
        p=0.95,
        n=50,
        steady=3.0,
        t_first=t,
        t_last=until,
        gone=until,
        replaced=change,
    )


CHANGE = Replacement(
    t0=10.0,
    t1=10.5,
    ranks_before={"J": 0.95},
    suit_before="h",
    ranks={"Q": 0.95},
    suit="h",
    p=0.9,
    odds=7.0,
    settled=True,
)
SOON = par.CARD_MOVE_S


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (card_track(1, "J", 10.5 + SOON, 30.0, 200.0), False),
        (card_track(1, "J", 10.6 + SOON, 30.0, 200.0), True),
        (card_track(1, "Q", 2.0, 10.0 - SOON, 200.0), False),
        (card_track(1, "Q", 2.0, 9.9 - SOON, 200.0), True),
    ],
    ids=["the first was moved", "one like it came later", "the second lay beside it", "one like it had gone"],
)
def test_a_card_that_was_moved_explains_the_other_face(other: CardTrack, told: bool) -> None:
    first, _ = with_doubt([card_track(0, "J", 1.0, 30.0, change=CHANGE), other])
    assert (first.replaced == CHANGE) is told and (first.replaced is None) is not told


@pytest.mark.parametrize(
    ("t", "x", "settled"),
    [
        (10.2, par.CARD_TRACK_OVER_MM, False),
        (10.2, par.CARD_TRACK_OVER_MM + 1.0, True),
        (5.0, 40.0, True),
    ],
)
def test_a_card_that_comes_upon_it_leaves_it_open(t: float, x: float, settled: bool) -> None:
    first, _ = with_doubt([card_track(0, "J", 1.0, 30.0, change=CHANGE), card_track(1, "5", t, 30.0, x)])
    assert first.replaced is not None and first.replaced.settled == settled


def exchanges(*parts: list[Observation]) -> tuple[list[CardReplaced], list[CardDealt]]:
    log = reconstruct(chain(*parts), layout(), House(), ObservationsHeader())
    told = [event for event in log.events if isinstance(event, CardReplaced)]
    return told, [event for event in log.events if isinstance(event, CardDealt)]


def test_two_piles_exchanged_at_once_are_told_in_the_log() -> None:
    clubs, spades = face("3", "c", 600.0), face("3", "s", 600.0)
    told, dealt = exchanges(looks(3.0, JACK, clubs), looks(3.5, QUEEN, spades))
    assert [(e.at, e.card_before, e.card_after) for e in told] == [("space:1", "Jh", "Qc"), ("space:2", "3c", "3s")]
    assert [(e.to, e.card) for e in dealt] == [("space:1", "Jh"), ("space:2", "3c")]
    assert [set(e.ranks or {}) for e in dealt] == [{"J"}, {"3"}], "no posterior mixes the two"
    assert [e.p > 0.9 for e in told] == [True, False] and told[1].weak


def test_a_doubtful_exchange_is_weak_in_the_log() -> None:
    told, _ = exchanges(looks(3.0, JACK), looks(3.5, face("Q", "c", shown=0.5)))
    assert [e.weak for e in told] == [True]
