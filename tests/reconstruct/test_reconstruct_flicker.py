"""Detections that come and go: a face that flickers, a second card track of a card, what shows within a card or a
chip.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace
from recon_scenes import HZ, card, card_tracks, chain, frames, hand, layout

from verifier.domain.observations import CardSeen, Observation
from verifier.reconstruct import parameters as par
from verifier.reconstruct.cards.overlap import overlap
from verifier.reconstruct.dealt_hands import CardHand, Dealing, Layout
from verifier.reconstruct.gestures.signals import signal_events
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.payments import settlement_events
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.money.settlement import Settled, settle_space
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.money.sums import reconciled
from verifier.reconstruct.parameters.tolerances import CARD_TOLERANCES
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.cardsettle import CardSettler
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.resting.distinct import distinct
from verifier.reconstruct.resting.existence import existing
from verifier.reconstruct.resting.lain_on import buried
from verifier.reconstruct.resting.printed import without_print
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap, Xy

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)


def numbers(cards: Sequence[CardTrack]) -> list[int]:
    return [card.number for card in cards]


def looks(*cards: CardSeen) -> list[Observation]:
    return chain(*(frames(1 / HZ, cards=[one]) for one in cards))


def back(p: float) -> CardSeen:
    return card(300, 300, face="down", p=p)


FACE = card(300, 300, "J")


@pytest.mark.parametrize("p", [0.6, 0.8], ids=["doubtful backs", "backs that look sure"])
def test_a_face_that_flickers_is_one_card_that_lay_open(p: float) -> None:
    told = card_tracks(looks(back(p), FACE, back(p), back(p), back(p), FACE, FACE, back(p), *[FACE] * 20))
    assert [(one.rank, one.face, one.turned) for one in told] == [("J", "up", None)]


def test_a_card_whose_face_is_first_read_otherwise_was_turned() -> None:
    told = card_tracks(looks(*[back(0.9)] * 3, card(300, 300, "4"), *[back(0.9)] * 4, *[FACE] * 20))
    assert [(one.rank, one.face) for one in told] == [("J", "down")]


def card_track(number: int, xy: Xy, t: float, *, moved: tuple[Xy, float] | None = None, n: int = 50) -> CardTrack:
    dwells = ((xy, t, 30.0 if moved is None else moved[1]), *([] if moved is None else [(*moved, 30.0)]))
    return CardTrack(
        number=number,
        place="space:2",
        dwells=dwells,
        angle=0.0,
        face="up",
        turned=None,
        ranks={"9": 0.95},
        suit=None,
        p=0.95,
        n=n,
        steady=3.0,
        t_first=t,
        t_last=30.0,
        gone=30.0,
    )


def test_a_card_laid_where_another_was_moved_away_from_is_another() -> None:
    first = card_track(0, (0.0, -100.0), 2.0, moved=((50.0, -100.0), 9.0))
    assert len(distinct([first, card_track(1, (1.0, -99.0), 12.0)])) == 2
    assert len(distinct([first, card_track(1, (51.0, -99.0), 12.0, n=9)])) == 1, "there the first one lies"


def test_a_look_that_was_off_moves_no_card() -> None:
    lying = card_track(0, (0.0, -100.0), 2.0, n=40)
    off = card_track(1, (9.0, -96.0), 12.0, n=9)
    off = msgspec.structs.replace(off, dwells=((off.xy, 12.0, 12.3),), ranks=lying.ranks)
    (one,) = distinct([lying, off])
    assert one.dwells == lying.dwells


@pytest.mark.parametrize(("gone", "x", "told"), [(24.2, -34.0, 1), (26.0, -34.0, 0), (24.2, 20.0, 0)])
def test_a_bust_card_in_the_neighbours_area_is_told_where_it_went_at_once_with_its_hand(
    gone: float, x: float, told: int
) -> None:
    hand = [
        replace(card_track(i, (34.0 - 34.0 * i, -150.0 + 47.0 * i), 2.0 + i), t_last=24.0, gone=24.1) for i in range(2)
    ]
    bust = replace(card_track(2, (x, -56.0), 23.6, n=4), place="space:1", steady=0.4, gone=gone)
    bust = replace(bust, dwells=((bust.xy, 23.6, 24.0),), t_last=24.0)
    neighbours = replace(card_track(3, (-300.0, -100.0), 2.0), place="space:1")
    assert len(existing(distinct([*hand, neighbours], [bust]), HandLog())) == 3 + told
    assert len(existing(distinct([*hand, neighbours, replace(bust, n=5)]), HandLog())) == 3 + told


@pytest.mark.parametrize("count", [2, 1], ids=["with a hole card", "without"])
@pytest.mark.parametrize(("gone", "drew"), [(26.0, 1), (29.4, 0)], ids=["no cards were left", "cards are taken up"])
def test_a_dealers_card_that_goes_at_once_was_drawn_where_no_other_cards_were_left(
    gone: float, drew: int, count: int
) -> None:
    dealers = [replace(card_track(i, (100.0 * i, 0.0), 2.0), place="dealer") for i in range(count)]
    drawn = replace(card_track(2, (200.0, 0.0), 29.6, n=5), place="dealer", steady=0.4)
    others = replace(card_track(3, (0.0, -100.0), 3.0), t_last=gone, gone=gone)
    kept = existing(distinct([*dealers, drawn, others]), HandLog())
    assert len([card for card in kept if card.place == "dealer"]) == count + drew


@pytest.mark.parametrize(("gone", "drew"), [(26.0, 1), (29.4, 0)], ids=["gone before", "taken up then"])
def test_a_long_hands_card_that_lay_at_the_dealers_place_keeps_none_from_being_drawn(gone: float, drew: int) -> None:
    dealers = replace(card_track(0, (0.0, 0.0), 2.0), place="dealer")
    reaching = replace(card_track(1, (380.0, -60.0), 20.0), place="dealer", t_last=gone, gone=gone)
    drawn = replace(card_track(2, (75.0, 0.0), 29.6, n=3), place="dealer", steady=0.3)
    assert len(existing(distinct([dealers, reaching, drawn]), HandLog())) == 2 + drew


@pytest.mark.parametrize(("rank", "n", "drew"), [("K", 2, 1), ("9", 2, 0), ("9", 3, 1)])
def test_of_a_dealers_card_that_goes_at_once_a_glimpse_is_enough_that_is_no_look_at_another(
    rank: str, n: int, drew: int
) -> None:
    dealers = [replace(card_track(i, (100.0 * i, 0.0), 2.0), place="dealer") for i in range(2)]
    drawn = replace(card_track(2, (200.0, 0.0), 29.6, n=n), place="dealer", steady=0.1, ranks={rank: 0.95})
    assert len(existing(distinct(dealers, [drawn]), HandLog())) == 2 + drew
    taken = replace(card_track(3, (0.0, -100.0), 3.0), gone=29.4)
    assert len(existing(distinct([*dealers, taken], [drawn]), HandLog())) == 3, "cards are taken"


def test_a_glimpse_of_a_face_is_what_showed_at_one_place() -> None:
    settler = CardSettler(CARD_TOLERANCES)
    at = [card(557, 560, "K"), card(580, 560, "K"), card(580, 560, "K")]
    for number, seen in enumerate([*[[one] for one in at], *[[]] * 20]):
        detection = detections_of(Observation(t=number / 7.5, frame=number, cards=seen), TABLE, BODY)
        settler.step(detection.t, detection.cards, HandLog().cover(detection))
    (glimpse,) = settler.glimpsed
    assert (len(glimpse.trail), glimpse.t_first, glimpse.t_last) == (2, pytest.approx(1 / 7.5), pytest.approx(2 / 7.5))


def hands_at(*visits: tuple[float, float, float], owner: str = "dealer") -> HandLog:
    """A hand of the dealer's at rest in every look, and one at each (t, x, y), pixels."""
    log = HandLog()
    for one in frames(40.0):
        near = [hand(x, y, owner) for t, x, y in visits if abs(t - one.t) < 0.2]
        seen = msgspec.structs.replace(one, hands=[hand(500, 620, side="left"), *near])
        log.add(detections_of(seen, TABLE, BODY))
    return log


def test_a_card_that_comes_by_itself_upon_another_is_none() -> None:
    lying, between = card_track(0, (0.0, -100.0), 2.0), card_track(1, (12.0, -80.0), 12.0, n=9)
    between = msgspec.structs.replace(between, gone=14.0)
    assert numbers(existing([lying, between], hands_at())) == numbers([lying])
    assert numbers(existing([lying, between], hands_at((11.5, 610, 320)))) == numbers([lying, between]), (
        "a hand laid it"
    )
    players = hands_at((11.5, 610, 320), owner="player")
    assert numbers(existing([lying, between], players)) == numbers([lying]), "players lay no cards"
    aside = msgspec.structs.replace(between, dwells=(((-36.0, -53.0), 12.0, 14.0),))
    assert numbers(existing([lying, aside], hands_at())) == numbers([lying, aside]), "in its own place"
    doubtful = msgspec.structs.replace(aside, p=0.8)
    assert numbers(existing([doubtful], hands_at((11.5, 610, 320), owner="player"))) == [], "bills, laid by a player"
    assert numbers(existing([doubtful], hands_at((11.5, 610, 320)))) == numbers([doubtful]), (
        "hardly seen, but the dealer laid it"
    )


@pytest.mark.parametrize(
    ("t_last", "p", "ranks", "told"),
    [
        (12.6, 0.8, {}, 0),
        (15.0, 0.8, {}, 1),
        (12.6, 0.97, {}, 1),
        (12.6, 0.8, {"9": 0.9}, 1),
    ],
    ids=["a ghost", "it stayed", "it was surely seen", "it was read"],
)
def test_a_face_that_shows_only_under_a_hand_and_cannot_be_read_is_none(
    t_last: float, p: float, ranks: dict[str, float], told: int
) -> None:
    card = msgspec.structs.replace(card_track(1, (12.0, -80.0), 12.0), gone=t_last, t_last=t_last, p=p, ranks=ranks)
    resting = hands_at(*((11.6 + 0.1 * i, 610, 320) for i in range(60)))
    assert len(existing([card], resting)) == told
    leaving = hands_at((11.5, 610, 320), (12.0, 610, 320))
    assert numbers(existing([card], leaving)) == numbers([card]), "it lay there when the hand had left"


def test_the_rim_of_a_card_beside_a_sleeve_is_no_card_under_it() -> None:
    rim = replace(
        card_track(1, (12.0, -80.0), 12.0), gone=12.6, t_last=12.6, p=0.8, ranks={"6": 0.22, "7": 0.17, "8": 0.15}
    )
    reaching = hands_at((11.5, 610, 320), *((11.6 + 0.1 * i, 610, 150) for i in range(60)))
    assert numbers(existing([rim], reaching)) == [], "the forearm lay over it all the time"
    beside = hands_at(*((11.6 + 0.1 * i, 760, 150) for i in range(60)), (11.5, 610, 320))
    assert numbers(existing([rim], beside)) == numbers([rim]), "it showed in plain view"


@pytest.mark.parametrize(
    ("mean", "n", "ranks", "until", "told"),
    [
        (0.7, 20, {"J": 0.5, "K": 0.4}, 24.0, 0),
        (0.7, 4, {"J": 0.98}, 13.2, 0),
        (0.7, 20, {"J": 0.98}, 24.0, 1),
        (0.9, 20, {"J": 0.5, "K": 0.4}, 24.0, 1),
        (0.7, 80, {"J": 0.5, "K": 0.4}, 24.0, 1),
    ],
    ids=["letters of the felt", "read, and soon gone", "surely read", "surely found", "found in nearly every look"],
)
def test_a_face_found_unsurely_and_missed_at_its_bare_place_is_print(
    mean: float, n: int, ranks: dict[str, float], until: float, told: int
) -> None:
    seen = card_track(1, (12.0, -80.0), 12.0, n=n)
    seen = replace(seen, mean=mean, ranks=ranks, t_last=until, gone=until, p=0.98)
    laid = hands_at((11.8, 610, 320), (12.0, 610, 320))
    others = [card_track(i, (200.0 * i, -300.0), 12.0) for i in range(2, 5)]
    assert len(existing([seen, *others], laid)) == len(others) + told
    dim = [replace(other, mean=0.75) for other in others]
    assert len(existing([seen, *dim], laid)) == len(dim) + 1, "all are found as unsurely"


@pytest.mark.parametrize(
    ("p", "ranks", "kept"),
    [(0.7, {"9": 0.95}, 1), (0.7, {"8": 0.95}, 2), (0.99, {"9": 0.95}, 2)],
    ids=["doubtful and alike", "another", "sure"],
)
def test_a_doubtful_card_that_shows_what_lies_under_it_is_a_second_look_at_that(
    p: float, ranks: dict[str, float], kept: int
) -> None:
    lying, upon = card_track(0, (0.0, -100.0), 2.0), card_track(1, (23.0, -94.0), 12.0, n=9)
    upon = msgspec.structs.replace(upon, p=p, ranks=ranks)
    assert len(existing([lying, upon], hands_at((11.5, 610, 320)))) == kept


@pytest.mark.parametrize(
    ("unseen", "rank", "kept"),
    [((11.9, 13.4), "9", 1), ((11.9, 12.3), "9", 2), ((11.9, 13.4), "8", 2)],
    ids=["instead of it", "beside it", "another"],
)
def test_a_card_that_shows_only_instead_of_one_like_it_beside_it_is_that_one(
    unseen: tuple[float, float], rank: str, kept: int
) -> None:
    lying = replace(card_track(0, (0.0, -100.0), 2.0), unseen=(unseen,))
    beside = replace(card_track(1, (10.0, -50.0), 12.0, n=9), ranks={rank: 0.95}, p=0.98, t_last=13.2, gone=14.0)
    assert len(existing([lying, beside], hands_at((11.5, 610, 320)))) == kept


@pytest.mark.parametrize(
    ("suit", "gone", "n", "kept"),
    [("s", 13.8, 6, 1), ("s", 30.0, 6, 2), ("h", 13.8, 6, 2), ("s", 13.8, 30, 2)],
    ids=["it went by itself", "it went with its hand", "of another suit", "seen often"],
)
def test_a_card_that_shows_for_a_moment_beside_its_like_and_goes_by_itself_is_no_card(
    suit: str, gone: float, n: int, kept: int
) -> None:
    lying = replace(card_track(0, (0.0, -100.0), 2.0), suit="s")
    beside = replace(card_track(1, (49.0, -100.0), 12.7, n=n), suit=suit, p=0.98, t_last=13.4, gone=gone)
    assert len(existing([lying, beside], hands_at((12.5, 650, 320)))) == kept


@pytest.mark.parametrize(("n", "unseen", "kept"), [(9, (13.0, 20.0), 1), (40, (13.0, 20.0), 2), (9, (13.0, 14.0), 2)])
def test_a_card_that_shows_now_and_then_beside_one_like_it_is_that_one(
    n: int, unseen: tuple[float, float], kept: int
) -> None:
    lying = card_track(0, (0.0, -100.0), 2.0, n=80)
    beside = replace(card_track(1, (10.0, -50.0), 12.0, n=n), p=0.98, t_last=22.0, gone=24.0, unseen=(unseen,))
    assert len(existing([lying, beside], hands_at((11.5, 610, 320)))) == kept


def dwell(x: float, y: float, t0: float, t1: float, n: int, track: int, mean: float = 1.0) -> ChipDwell:
    return ChipDwell((x, y), 500, t0, t1, 0.95, 19.5, n, track, True, t1, False, mean)


@pytest.mark.parametrize(
    ("other", "kept"),
    [
        (dwell(0.0, 14.0, 5.0, 6.0, 7, 1, 0.96), 1),
        (dwell(0.0, 14.0, 5.0, 9.0, 30, 1, 0.8), 1),
        (dwell(0.0, 24.0, 5.0, 6.0, 7, 1, 0.96), 2),
        (dwell(0.0, 14.0, 5.0, 12.0, 50, 1, 0.96), 2),
    ],
    ids=["for a moment", "doubtful", "beside it", "and lies on"],
)
def test_a_chip_within_another(other: ChipDwell, kept: int) -> None:
    assert len(without_print([dwell(0.0, 0.0, 0.0, 10.0, 75, 0), other])) == kept


@pytest.mark.parametrize(("x", "t1"), [(5.0, 30.0), (60.0, 12.0)], ids=["under the card", "beside it"])
def test_a_chip_that_a_card_is_laid_on_lies_on(x: float, t1: float) -> None:
    lying = {2: [dwell(x, -80.0, 2.0, 12.0, 75, 0)]}
    assert buried(lying, [card_track(0, (0.0, -100.0), 12.1)])[2][0].t1 == t1


@pytest.mark.parametrize(("back", "t1"), [((13.6, 30.0), [30.0]), ((40.0, 50.0), [12.0, 50.0])], ids=["soon", "no"])
def test_a_chip_whose_rim_a_card_was_laid_upon_lay_on_if_it_is_seen_again_by_then(
    back: tuple[float, float], t1: list[float]
) -> None:
    t0, until = back
    lying = {2: [dwell(40.0, -100.0, 2.0, 12.0, 75, 0), dwell(40.0, -99.0, t0, until, 40, 1)]}
    upon = msgspec.structs.replace(card_track(0, (0.0, -100.0), 12.1), gone=30.0)
    assert [one.t1 for one in buried(lying, [upon])[2]] == t1


def test_a_chip_seen_again_once_the_card_upon_it_is_gone_is_one() -> None:
    lying = {2: [dwell(5.0, -80.0, 2.0, 12.0, 75, 0), dwell(6.0, -80.0, 30.2, 36.0, 40, 1)]}
    (one,) = buried(lying, [card_track(0, (0.0, -100.0), 12.1)])[2]
    assert (one.t0, one.t1, one.n) == (2.0, 36.0, 115)


@pytest.mark.parametrize(("p", "turned"), [(0.97, 4.0), (0.5, 2.0)], ids=["surely", "doubtfully"])
def test_a_card_that_shows_its_back_again_had_not_been_turned(p: float, turned: float) -> None:
    unread = msgspec.structs.replace(FACE, ranks={}, rank=None)
    told = card_tracks(looks(*[back(0.97)] * 15, *[unread] * 5, *[back(p)] * 10, *[FACE] * 60))
    assert [one.turned and round(one.turned[1]) for one in told] == [turned]


def test_what_shows_within_a_chip_does_not_make_it_print() -> None:
    false_positive = msgspec.structs.replace(dwell(5.0, 14.0, 5.0, 6.0, 6, 2), cents=2500, radius=15.0)
    row = [dwell(0.0, 0.0, 0.0, 10.0, 75, 0), dwell(24.0, 0.0, 0.0, 10.0, 75, 1)]
    assert without_print([*row, false_positive]) == row


@pytest.mark.parametrize(("looks", "kept"), [(16, 2), (70, 3)], ids=["for a moment", "and lies on"])
def test_what_is_far_narrower_than_the_chips_that_it_touches_makes_no_print_of_them(looks: int, kept: int) -> None:
    false_positive = msgspec.structs.replace(dwell(16.0, 12.0, 5.0, 6.0, looks, 2), cents=2500, radius=13.3)
    row = [dwell(0.0, 0.0, 0.0, 10.0, 75, 0), dwell(0.0, 24.0, 0.0, 10.0, 75, 1)]
    left = without_print([*row, false_positive])
    assert left[:2] == row and len(left) == kept


def test_a_sliver_read_in_several_colours_is_no_measure_of_itself() -> None:
    chip = dwell(0.0, 0.0, 0.0, 30.0, 200, 0)
    sliver = [
        msgspec.structs.replace(dwell(0.0, 17.0, t, t + 1.0, 16, 1, 0.85), cents=cents, radius=12.5)
        for t, cents in ((5.0, 200), (6.0, 2500), (7.0, None))
    ]
    assert without_print([chip, *sliver]) == [chip]


def test_what_is_doubtful_beside_a_chip_does_not_make_it_print() -> None:
    false_positive = msgspec.structs.replace(dwell(15.0, 27.0, 5.0, 6.0, 16, 2, 0.77), cents=None, radius=15.0)
    row = [dwell(0.0, 0.0, 0.0, 10.0, 75, 0), dwell(0.0, 22.0, 0.0, 10.0, 75, 1)]
    assert without_print([*row, false_positive])[:2] == row


def test_an_overlap_of_which_the_lower_card_is_not_seen_whole_is_not_told() -> None:
    lower, upper = card_track(0, (0.0, -100.0), 2.0), card_track(1, (-33.0, -55.0), 12.0)
    assert overlap(lower, upper, 12.0) == pytest.approx(0.2326, abs=0.001)
    cut = msgspec.structs.replace(lower, size=(55.0, 80.0))
    assert overlap(cut, upper, 12.0) is None


def paid_rows(*rows: float) -> list[ChipDwell]:
    return [dwell(90.0 + 22.0 * i, y, 12.0, 99.0, 90, 10 * n + i) for n, y in enumerate(rows) for i in (0, 1)]


def test_payoffs_laid_row_beside_row_are_of_two_stakes() -> None:
    wagers = [dwell(0.0, -260.0, 1.0, 99.0, 200, 90), dwell(42.0, -260.0, 1.0, 99.0, 200, 91)]
    stakes = [Stake(kind, 2, "space:2", [one]) for kind, one in zip(("original", "double"), wagers, strict=True)]
    scene = RoundScene(
        table=TABLE, hands=hands_at(), cards=(), dwells={}, since=0.0, start=2.0, end=30.0, begun=True, ended=True
    )
    told = settle_space(scene, stakes, [*wagers, *paid_rows(-270.0, -232.0)], 10.0, 30.0, {})
    assert [[pile.size for pile in one.payoffs] for one in told] == [[2], [2]]
    far = dwell(160.0, -270.0, 12.5, 99.0, 60, 97)  # a third chip, with a wide gap before it
    told = settle_space(scene, stakes, [*wagers, *paid_rows(-270.0, -232.0), far], 10.0, 30.0, {})
    assert sorted(pile.size for one in told for pile in one.payoffs) == [2, 3]


def test_a_gesture_before_the_other_split_hand_is_dealt_to_meant_no_card() -> None:
    first, second = CardHand(2, 0, split_at=8.0), CardHand(2, 1, split_at=8.0)
    laid = Layout(hands=[first, second])
    cards = [
        (first, (0.0, -100.0), 2.0),
        (second, (60.0, -100.0), 3.0),
        (first, (-33.0, -55.0), 10.0),
        (second, (27.0, -55.0), 14.0),
    ]
    for number, (one, xy, t) in enumerate(cards):
        one.cards.append(card_track(number, xy, t))
        laid.dealings.append(Dealing(one.cards[-1], one.place, one, None))
    log = hands_at(*((t, 590, 150) for t in (11.3, 11.6, 11.9, 17.0, 17.3, 17.6)), owner="player")
    scene = RoundScene(
        table=TABLE,
        hands=log,
        cards=(),
        dwells={1: [], 2: [], 3: []},
        since=0.0,
        start=2.0,
        end=30.0,
        begun=True,
        ended=True,
    )
    told = signal_events(scene, laid, [], 25.0)
    assert {getattr(one, "at", None): getattr(one, "meaning", None) for one in told} == {
        "space:2": "stand",
        "space:2/1": "stand",
    }


def test_beside_a_natural_a_payoff_of_three_to_two_but_for_one_colour_is_left_open() -> None:
    own = Pile((dwell(0.0, 0.0, 0.0, 10.0, 75, 0),))
    paid = Pile(
        tuple(
            msgspec.structs.replace(dwell(70.0 + 33.0 * i, 0.0, 5.0, 10.0, 40, 1 + i), cents=cents)
            for i, cents in enumerate((500, 200, 100))
        )
    )
    assert reconciled(own, paid, odds=par.ODDS_NATURAL)[1].cents is None
    assert reconciled(own, paid)[1].cents == 800, "the wager may hide chips"


@pytest.mark.parametrize(("x", "p"), [(702, [0.9]), (610, [0.45]), (500, [])], ids=["there", "first stake", "nowhere"])
def test_a_tap_at_the_first_stake_of_a_split_space_may_be_for_the_second(x: float, p: list[float]) -> None:
    """Spaces are at 0; the second stake lies 102 mm aside."""
    stake = Stake("split", 2, "space:2/1", [dwell(102.0, -260.0, 1.0, 99.0, 200, 90)])
    log = hands_at(*((20.0 + 0.2 * i, x, 160.0) for i in range(6)))
    scene = RoundScene(
        table=TABLE, hands=log, cards=(), dwells={}, since=0.0, start=2.0, end=30.0, begun=True, ended=True
    )
    settled = [Settled(stake=stake, own=Pile(tuple(stake.dwells)), payoffs=(), taken=False)]
    assert [one.p for one in settlement_events(scene, settled, 10.0)] == p
