"""Cards that are moved, and cards that only seem to be: two aside at once for a split, one that creeps under a hand."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest
from recon_scenes import card, card_tracks, chain, frames, hand, layout

from verifier.domain.observations import CardSeen, Observation
from verifier.reconstruct.resting.cardmoves import angle_of, angle_share
from verifier.reconstruct.table.detections import Body, CardDetection
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
DEALERS = {"hands": [hand(600, 330)]}


def suited(x: float, y: float, suit: str, rank: str = "K") -> CardSeen:
    return msgspec.structs.replace(card(x, y, rank), suit=suit)


@pytest.mark.parametrize("later", ["h", "s"], ids=["read rightly throughout", "a suit misread when half covered"])
def test_two_kings_moved_aside_at_once_are_no_new_cards(later: str) -> None:
    lie = [suited(600, 300, "s"), suited(567, 345, "h")]
    aside, covered = [[suited(650, 300, "s"), suited(553, 300, suit)] for suit in ("h", later)]
    told = card_tracks(
        chain(
            frames(3.0, cards=lie),
            frames(0.3, cards=[], **DEALERS),
            frames(4.0, cards=aside, **DEALERS),
            frames(8.0, cards=covered),
        )
    )
    ways = sorted((round(one.dwells[0][0][0]), round(one.dwells[-1][0][0])) for one in told)
    assert ways == [(-33, -47), (0, 50)]


def test_two_eights_that_pass_each_other_are_not_taken_for_each_other() -> None:
    """The second one is seen on its way where the first had lain, which shows again farther on."""
    lie = [suited(624, 300, "s", "8"), suited(587, 346, "h", "8")]
    on_the_way = [[suited(x, 299, "h", "8")] for x in (616, 594)]
    apart = [suited(673, 302, "s", "8"), suited(575, 298, "h", "8")]
    passing = [frames(0.13, cards=cards, **DEALERS) for cards in on_the_way]
    told = card_tracks(chain(frames(3.0, cards=lie, **DEALERS), *passing, frames(4.0, cards=apart)))
    ways = [(one.suit, round(one.dwells[0][0][0]), round(one.dwells[-1][0][0])) for one in told]
    assert sorted(ways) == [("h", -13, -25), ("s", 24, 73)]


def test_of_cards_alike_the_one_that_comes_next_was_moved() -> None:
    first, second, third = (suited(*xy, "h", "9") for xy in ((553, 300), (650, 300), (523, 345)))
    second = msgspec.structs.replace(second, ranks={"9": 0.9})
    told = card_tracks(
        chain(
            frames(3.0, cards=[suited(600, 300, "h", "9"), suited(567, 345, "h", "9")]),
            frames(0.3, cards=[first], **DEALERS),
            frames(1.4, cards=[first, second]),
            frames(4.0, cards=[first, second, third]),
        )
    )
    assert [round(one.dwells[0][0][0]) for one in told if len(one.dwells) == 1] == [-77], "the third was dealt"


@pytest.mark.parametrize(("away", "ways"), [(2.0, 1), (0.8, 2)], ids=["dealt", "laid aside"])
def test_a_card_like_one_that_was_taken_up_with_what_lay_on_it_is_dealt_to_the_next_hand(
    away: float, ways: int
) -> None:
    """The jack of one split hand goes with its hand, another of its suit comes to the next one, whose king lies on."""
    other, jack = suited(699, 300, "d"), suited(600, 300, "c", "J")
    busted = [other, jack, suited(567, 345, "d", "2"), suited(534, 390, "h", "Q")]
    again = [other, suited(666, 345, "c", "J")]
    told = card_tracks(
        chain(
            frames(4.0, cards=busted),
            frames(0.7, cards=[other], **DEALERS),
            frames(away - 0.7, cards=[other]),
            frames(6.0, cards=again),
        )
    )
    (first, *_) = [one for one in told if one.rank == "J"]
    assert len(first.dwells) == ways


@pytest.mark.parametrize(("away", "cards"), [(1.6, 1), (1.9, 2)])
def test_a_card_that_is_laid_elsewhere_soon_may_read_as_the_other_suit_of_its_colour(away: float, cards: int) -> None:
    """Later it is another card."""
    before, after = suited(600, 300, "d"), suited(540, 300, "h")
    told = card_tracks(chain(frames(4.0, cards=[before]), frames(away, **DEALERS), frames(6.0, cards=[after])))
    assert len(told) == cards


def crept(back: CardSeen) -> list[Observation]:
    """A dealer's king that seems to creep aside under a hand, and `back` a second later where it lay."""
    under = {"hands": [hand(600, 560)]}
    creeping = [frames(0.14, cards=[suited(600 + 12 * i, 540, "d")], **under) for i in range(1, 5)]
    return chain(frames(3.0, cards=[suited(600, 540, "d")]), *creeping, frames(0.8, **under), frames(3.0, cards=[back]))


def test_a_ten_and_a_queen_that_are_laid_apart_are_not_taken_for_each_other() -> None:
    """The queen passes where the ten had lain; a back in the dealer's hand shows below meanwhile."""
    ten, queen = suited(600, 300, "h", "T"), suited(566, 346, "h", "Q")
    aside, passing = suited(551, 299, "h", "T"), suited(604, 323, "h", "Q")
    apart, away = [aside, suited(650, 298, "h", "Q")], {"hands": [hand(760, 640)]}
    told = card_tracks(
        chain(
            frames(3.0, cards=[ten, queen], **DEALERS),
            frames(0.13, cards=[suited(564, 300, "h", "T")], **DEALERS),
            frames(0.27, cards=[aside, queen], **DEALERS),
            frames(0.13, cards=[aside, passing], **DEALERS),
            frames(0.6, cards=apart, **away),
            frames(1.0, cards=[*apart, card(617, 430, face="down")], **away),
            frames(3.0, cards=apart, **away),
        )
    )
    ways = [(one.rank, round(one.dwells[0][0][0]), round(one.dwells[-1][0][0])) for one in told if one.rank]
    assert sorted(ways) == [("Q", -34, 50), ("T", 0, -49)]


@pytest.mark.parametrize(
    ("before", "at_first", "later", "cards"),
    [("c", "s", "s", 2), ("d", "s", "s", 3), ("c", "d", "c", 2), ("c", "d", "d", 3)],
    ids=["the other black suit", "of another colour", "of its suit in the end", "of another colour in the end"],
)
def test_a_card_moved_aside_whose_suit_is_read_otherwise_at_first_is_no_new_card(
    before: str, at_first: str, later: str, cards: int
) -> None:
    other = suited(567, 345, "h", "7")
    told = card_tracks(
        chain(
            frames(3.0, cards=[suited(600, 300, before, "7"), other]),
            frames(0.3, cards=[other], **DEALERS),
            frames(2.4, cards=[other, suited(650, 300, at_first, "7")], **DEALERS),
            frames(9.0, cards=[other, suited(650, 300, later, "7")]),
        )
    )
    assert len(told) == cards


def test_a_card_seen_again_where_it_lay_had_not_moved() -> None:
    assert len(card_tracks(crept(suited(600, 540, "d")))) == 1


def test_a_card_of_another_rank_laid_there_is_another() -> None:
    assert sorted(one.rank or "?" for one in card_tracks(crept(suited(600, 540, "d", "4")))) == ["4", "K"]


def split_off(to: CardSeen, like: list[CardSeen]) -> list[Observation]:
    """A card at the rim of space 2's area goes under the dealer's hand; one lies at `to` then, and `like` all along."""
    both = [suited(690, 300, "h", to.rank), *like]
    return chain(frames(3.0, cards=both), frames(0.4, cards=like, **DEALERS), frames(4.0, cards=[*like, to], **DEALERS))


@pytest.mark.parametrize(("x", "y"), [(790, 300), (750, 300)], ids=["in the next space's area", "beyond all areas"])
def test_a_card_split_off_beyond_its_spaces_area_is_no_new_card(x: float, y: float) -> None:
    told = card_tracks(split_off(suited(x, y, "h", "9"), [suited(657, 345, "s", "9")]))
    assert sorted((one.place, len(one.dwells)) for one in told) == [("space:2", 1), ("space:2", 2)]


def test_a_king_split_off_from_a_queen_is_no_new_card() -> None:
    told = card_tracks(split_off(suited(790, 300, "h", "K"), [suited(657, 345, "s", "Q")]))
    assert sorted((one.place, len(one.dwells)) for one in told) == [("space:2", 1), ("space:2", 2)]


@pytest.mark.parametrize(
    ("read", "suit", "like", "cards"),
    [("Q", "h", "K", 2), ("9", "h", "9", 2), ("Q", "d", "K", 3), ("Q", "h", "5", 3)],
    ids=["a king was a queen", "a king was a nine", "of another suit", "not of the pair's value"],
)
def test_a_card_that_was_misread_until_it_was_split_off_is_no_new_card(
    read: str, suit: str, like: str, cards: int
) -> None:
    other = suited(567, 345, "s", like)
    told = card_tracks(
        chain(
            frames(3.0, cards=[suited(600, 300, "h", "K"), other]),
            frames(0.3, cards=[other], **DEALERS),
            frames(0.4, cards=[other, suited(650, 300, suit, read)], **DEALERS),
            frames(6.0, cards=[other, suited(650, 300, suit, read)]),
        )
    )
    assert len(told) == cards


def test_a_card_like_one_taken_from_the_space_beside_it_is_a_new_card() -> None:
    told = card_tracks(split_off(suited(790, 300, "h", "9"), [suited(657, 345, "s", "T")]))
    assert sorted(one.place for one in told) == ["space:2", "space:2", "space:3"]


def test_what_shows_of_a_card_beside_a_hand_does_not_turn_it() -> None:
    """The half of a card that lies across is longer the other way."""
    looks = [(91.0, (64.0, 92.0)), (90.0, (63.0, 89.0)), (1.0, (65.0, 78.0)), (179.0, (61.0, 70.0))]
    trail = [(float(i), SimpleNamespace(angle=angle, size=size)) for i, (angle, size) in enumerate(looks)]
    assert angle_of(SimpleNamespace(t_rest=0.0, trail=trail)) == pytest.approx(90.0, abs=1.5)
    assert angle_share(SimpleNamespace(t_rest=0.0, trail=trail)) == 1.0


@pytest.mark.parametrize(("first", "agree"), [(0.0, 6), (44.0, 6), (46.0, 7), (91.0, 7), (136.0, 6), (179.0, 6)])
def test_one_look_across_does_not_turn_a_card_but_makes_it_less_sure_how_it_lies(first: float, agree: int) -> None:
    angles = [first, 89.0, 91.0, 90.0, 92.0, 88.0, 91.0]
    looks = [
        (float(t), CardDetection((0.0, 0.0), a, "up", {}, None, 1.0, 1.0, (61.0, 86.0))) for t, a in enumerate(angles)
    ]
    assert angle_of(SimpleNamespace(t_rest=0.0, trail=looks)) == pytest.approx(90.0, abs=1.0)
    assert angle_share(SimpleNamespace(t_rest=0.0, trail=looks)) == pytest.approx(agree / 7)


@pytest.mark.parametrize(("beside", "told"), [(True, 3), (False, 1)], ids=["its hand was taken up", "moved"])
def test_a_card_alike_of_another_suit_that_comes_after_its_hand_was_taken_up_was_dealt(beside: bool, told: int) -> None:
    """A second later and nearby, on a hand that was split off; alone it may be the same card, its suit misread."""
    jack, eight, next_jack = suited(600, 300, "s", "J"), suited(567, 345, "d", "8"), suited(660, 345, "c", "J")
    lie = [jack, eight] if beside else [jack]
    seen = chain(frames(4.0, cards=lie), frames(1.2, **DEALERS), frames(5.0, cards=[next_jack]))
    assert len(card_tracks(seen)) == told
