"""Doubtful cards weighed by what followed: what the money and the draws say, and what they may not change."""

from __future__ import annotations

import dataclasses
import math
from typing import Literal

import pytest
from msgspec.structs import replace

from verifier.domain.events import HandSignal
from verifier.reconstruct.cards.coherence import faceup, weighed
from verifier.reconstruct.dealt_hands import CardHand, Dealing, Layout
from verifier.reconstruct.gestures.signals import stood_at
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.money.settlement import Settled
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import event

TURN = 20.0
EITHER = {"7": 0.5, "J": 0.45}


def card_track(number: int, place: str, t: float, ranks: dict[str, float], gone: float = 40.0) -> CardTrack:
    return CardTrack(
        number=number,
        place=place,
        dwells=(((0.0, 0.0), t, 40.0),),
        angle=0.0,
        face="up",
        turned=None,
        ranks=ranks,
        suit="h",
        p=0.98,
        n=50,
        steady=3.0,
        t_first=t,
        t_last=gone,
        gone=gone,
    )


def read(rank: str) -> dict[str, float]:
    return {rank: 0.99}


def dealt(dealer: list[dict[str, float]], player: list[dict[str, float]], gone: float = 40.0) -> Layout:
    layout = Layout()
    for number, cards in ((0, dealer), (2, player)):
        hand = CardHand(number)
        layout.hands.append(hand)
        for i, ranks in enumerate(cards):
            hand.cards.append(card_track(10 * number + i, hand.place, 5.0 + i, ranks, gone if number else 40.0))
            layout.dealings.append(Dealing(hand.cards[-1], hand.place, hand, None))
    return layout


def chips(t0: float, t1: float = math.inf) -> ChipDwell:
    return ChipDwell((0.0, 0.0), 500, t0, t1, 0.99, 19.5, 50, 1, True, min(t1, 40.0))


def money(sign: int, gone: float = 30.0) -> list[Settled]:
    stake = Stake("original", 2, "space:2", [chips(1.0, gone if sign < 0 else math.inf)])
    payoffs = (Pile((chips(31.0),)),) if sign > 0 else ()
    return [Settled(stake=stake, own=None, payoffs=payoffs, taken=sign < 0)]


def ranks_of(layout: Layout, number: int) -> dict[str, float]:
    hand = next(hand for hand in layout.hands if hand.number == number)
    assert [d.card for d in layout.dealings if d.hand is hand] == hand.cards, "dealings and hands hold the same cards"
    return hand.cards[0].ranks


EIGHTEEN = [read("T"), read("8")]


@pytest.mark.parametrize(("sign", "likely"), [(0, "J"), (-1, "7")], ids=["left as a tie", "collected as a loss"])
def test_a_doubtful_card_is_told_by_the_way_the_chips_went(sign: int, likely: str) -> None:
    after = ranks_of(weighed(dealt(EIGHTEEN, [EITHER, read("8")]), money(sign), TURN, set(), ended=True), 2)
    assert after[likely] > 0.9


def test_the_second_hand_of_a_split_loses_as_others_do() -> None:
    layout = dealt(EIGHTEEN, [EITHER, read("8")])
    layout.hands[1].index, layout.hands[1].split_at = 1, 5.5
    (lost,) = money(-1)
    lost.stake.place = "space:2/1"
    assert ranks_of(weighed(layout, [lost], TURN, set(), ended=True), 2)["7"] > 0.9


def test_a_card_read_well_stays_what_it_is_whatever_was_paid() -> None:
    before = dealt(EIGHTEEN, [read("7"), read("8")])
    assert ranks_of(weighed(before, money(1), TURN, set(), ended=True), 2) == read("7")


def test_a_small_doubt_leaves_a_strange_settlement_open() -> None:
    almost = {"7": 0.984, "J": 0.006}
    after = ranks_of(weighed(dealt(EIGHTEEN, [almost, read("8")]), money(0), TURN, set(), ended=True), 2)
    assert 0.2 < after["7"] < 0.8


def test_the_dealers_card_is_told_by_the_draw_after_it() -> None:
    layout = dealt([EITHER, read("8"), read("5")], EIGHTEEN)
    assert ranks_of(weighed(layout, money(-1), TURN, set(), ended=True), 0)["7"] > 0.9


def test_chips_that_went_before_the_dealers_turn_tell_of_a_bust() -> None:
    layout = dealt(EIGHTEEN, [{"4": 0.5, "K": 0.45}, read("4"), read("8")])
    late, early = (weighed(layout, money(-1, gone), TURN, set(), ended=True) for gone in (30.0, 10.0))
    assert ranks_of(early, 2)["K"] > 0.9
    assert ranks_of(late, 2)["4"] > 0.9, "a bust's go at once"


def test_in_a_round_that_was_cut_off_chips_that_lie_tell_nothing() -> None:
    layout = dealt(EIGHTEEN, [EITHER, read("8")])
    assert ranks_of(weighed(layout, money(0), TURN, set(), ended=False), 2) == EITHER


def test_cards_that_were_laid_aside_tell_of_a_bust() -> None:
    layout = dealt(EIGHTEEN, [{"4": 0.5, "K": 0.45}, read("4"), read("8")])
    asides: tuple[set[int], ...] = (set(), {20, 21, 22})
    left, aside = (weighed(layout, money(-1), TURN, set(), numbers, ended=True) for numbers in asides)
    assert ranks_of(aside, 2)["K"] > 0.9
    assert ranks_of(left, 2)["4"] > 0.9, "a bust's cards do not lie on"


def played_on(sign: int, *, drawn: bool, gone: float = 30.0) -> dict[str, float]:
    """What an ace beside a king becomes, whose hand took a card (`drawn`) and whose chips went so."""
    hand = [read("A"), read("K"), *([read("8")] if drawn else [])]
    return ranks_of(weighed(dealt(EIGHTEEN, hand), money(sign, gone), TURN, set(), ended=True), 2)


def test_a_sure_card_is_doubted_where_the_players_draw_and_the_dealers_collection_are_against_it() -> None:
    after = played_on(-1, drawn=True, gone=10.0)
    assert 0.02 < after["A"] < 0.5, "the picture's word is not dropped"
    assert after["A"] < sum(after[rank] for rank in "456789TJQK") and "2" not in after, "another makes a bust of it"


@pytest.mark.parametrize(
    ("sign", "drawn", "gone"), [(-1, False, 10.0), (1, True, 30.0)], ids=["the dealer alone", "the player alone"]
)
def test_a_sure_card_stays_what_it_is_where_one_person_alone_acted_against_it(
    sign: int, drawn: bool, gone: float
) -> None:
    assert played_on(sign, drawn=drawn, gone=gone) == read("A")


def yielded(last: str, *, gathered: bool = True, stood: frozenset[str] = frozenset()) -> dict[str, float]:
    """What an ace becomes beside a six and `last`, whose chips, and cards if `gathered`, went before the turn."""
    layout = dealt(EIGHTEEN, [read("A"), read("6"), read(last)], gone=12.0 if gathered else 40.0)
    return ranks_of(weighed(layout, money(-1, 10.0), TURN, set(), stood=stood, ended=True), 2)


def test_an_ace_is_doubted_where_the_player_let_chips_and_cards_go_as_those_of_a_bust() -> None:
    after = yielded("6")
    assert 0.1 < after["A"] < 0.5, "the picture's word is not dropped"
    assert after["A"] + sum(after[rank] for rank in "TJQK") > 0.98


@pytest.mark.parametrize("kept", [{"gathered": False}, {"stood": frozenset({"space:2"})}], ids=["cards lie", "stood"])
def test_an_ace_stays_one_where_the_player_did_not_let_the_hand_go(kept) -> None:
    assert yielded("6", **kept) == read("A")


def natural(*, stood: bool, paid: int, ace: dict[str, float] | None = None) -> dict[str, float]:
    """What an ace beside a king becomes, whose wager of 500 was paid so much."""
    mine = replace(money(1)[0], own=Pile((chips(1.0),)), payoffs=(Pile((replace(chips(31.0), cents=paid),)),))
    laid = dealt(EIGHTEEN, [ace or read("A"), read("K")])
    return ranks_of(weighed(laid, [mine], TURN, set(), stood={"space:2"} if stood else set(), ended=True), 2)


@pytest.mark.parametrize(
    ("stood", "paid"), [(False, 500), (True, 750), (True, 500)], ids=["paid short", "a needless gesture", "both"]
)
def test_an_ace_of_a_natural_stays_one_where_the_dealer_pays_it_short_though_its_player_signed_to_stand(
    stood: bool, paid: int
) -> None:
    """A dealer who takes it for any 21 asks its player: the two acts are one error, the dealer's."""
    assert natural(stood=stood, paid=paid) == read("A")


def test_a_payment_of_three_to_two_tells_of_a_natural_as_an_even_one_tells_against_it() -> None:
    doubtful = {"A": 0.76, "9": 0.2}
    assert natural(stood=True, paid=750, ace=doubtful)["A"] > 0.7
    assert natural(stood=True, paid=500, ace=doubtful).get("A", 0.0) < 0.1
    assert natural(stood=False, paid=750, ace=doubtful)["A"] > 0.9


def lay_on(seven: dict[str, float], *, stood: bool) -> dict[str, float]:
    """What a doubtful seven becomes before 2-10-5, a bust whose chips nobody took though a three would tie."""
    layout = dealt([read("T"), read("K")], [seven, read("2"), read("T"), read("5")])
    places = frozenset({"space:2"} if stood else ())
    return ranks_of(weighed(layout, money(0), TURN, set(), stood=places, ended=True), 2)


def test_a_doubtful_bust_whose_player_signed_to_stand_was_none() -> None:
    doubtful = {"7": 0.96, "3": 0.03}
    assert lay_on(doubtful, stood=True)["3"] > 0.98
    assert lay_on(doubtful, stood=False)["3"] < 0.9, "the dealer alone acted so"


def test_a_bust_read_without_a_doubt_stays_one_whoever_took_it_for_none() -> None:
    assert lay_on(read("7"), stood=True) == read("7")


@pytest.mark.parametrize(("t", "places"), [(7.5, {"space:2"}), (5.5, set())], ids=["at last", "before its last card"])
def test_a_player_stood_who_signed_so_after_the_hands_last_card(t: float, places: set[str]) -> None:
    signal = event(HandSignal, t - 0.8, t, 0.98, at="space:2", meaning="stand")
    assert stood_at(dealt(EIGHTEEN, [read("T"), read("6"), read("5")]), [signal]) == places


def laid(index: int, face: Literal["up", "down"], turned: float | None = None) -> CardTrack:
    """Return a dealer's card, with the time (s) at which it was turned."""
    turn = None if turned is None else (turned - 0.2, turned)
    return replace(card_track(index, "dealer", 5.0 + index, read("T")), face=face, turned=turn)


@pytest.mark.parametrize(
    ("cards", "which"),
    [
        ([laid(0, "up"), laid(1, "down", 20.0)], 0),
        ([laid(0, "down", 20.0), laid(1, "up")], 1),
        ([laid(0, "down", 8.0), laid(1, "down", 20.0), laid(2, "up")], 0),
        ([laid(0, "down", 20.0), laid(1, "down", 8.0)], 1),
        ([laid(0, "down", 8.0), laid(1, "down")], 0),
        ([laid(0, "down"), laid(1, "down"), laid(2, "up")], None),
    ],
)
def test_the_faceup_card_was_dealt_face_up_or_turned_first(cards: list[CardTrack], which: int | None) -> None:
    assert faceup(cards) == which


@pytest.mark.parametrize(("turned", "rank"), [(8.0, "J"), (None, "7")])
def test_what_followed_tells_of_cards_where_both_of_the_dealers_were_dealt_down(
    turned: float | None, rank: str
) -> None:
    """A hand collected before the dealer's turn was a bust; nothing tells so where no faceup card is known."""
    almost = {"7": 0.9758, "J": 0.0145}
    layout = dealt(EIGHTEEN, [almost, read("8"), read("5")], gone=10.0)
    backs = [laid(0, "down", turned), laid(1, "down")]
    layout.hands[0].cards[:] = backs
    layout.dealings[:2] = [dataclasses.replace(d, card=card) for d, card in zip(layout.dealings, backs, strict=False)]
    found = ranks_of(weighed(layout, money(-1, 10.0), TURN, set(), ended=True), 2)
    assert max(found, key=lambda one: found[one]) == rank
