"""A fan that is found as one card: at least one lies there, and nobody knows how many."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import HZ, card, card_tracks, chain, frames, hand, layout

from verifier.domain.doubt import MORE
from verifier.domain.events import CardDealt
from verifier.domain.house import House
from verifier.domain.layout import CARD_MM
from verifier.domain.observations import CardSeen, ObservationsHeader
from verifier.reconstruct import parameters as par
from verifier.reconstruct import reconstruct
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.several import with_several

SHORT, LONG = CARD_MM


def card_track(
    short: float = SHORT, long: float = LONG, *, apart: float = 0.0, unreadable: float = 0.0, face: str = "up"
) -> CardTrack:
    return CardTrack(
        number=0,
        place="space:2",
        dwells=(((0.0, 0.0), 1.0, 30.0),),
        angle=0.0,
        face=face,
        turned=None,
        ranks={"9": 0.95} if face == "up" else {},
        suit=None,
        p=0.95,
        n=50,
        steady=3.0,
        t_first=1.0,
        t_last=30.0,
        gone=30.0,
        size=(short, long),
        apart=apart,
        unreadable=unreadable,
    )


def told(one: CardTrack, *others: CardTrack) -> bool:
    first, *rest = with_several([one, *others])
    assert not any(other.several for other in rest)
    assert first.ranks == ({} if first.several else one.ranks)
    return first.several


@pytest.mark.parametrize(
    ("one", "others", "unknown"),
    [
        (card_track(), [], False),
        (card_track(par.SEVERAL_WIDE * SHORT + 0.01), [], True),
        (card_track(par.SEVERAL_WIDE * SHORT - 0.01), [], False),
        (card_track(par.SEVERAL_WIDE * SHORT, 1.2 * LONG), [], False),
        (card_track(SHORT, 0.8 * LONG), [], False),
        (card_track(0.9 * LONG, LONG), [card_track(1.2 * SHORT, 1.2 * LONG)] * 2, True),
        (card_track(1.25 * SHORT, 1.2 * LONG), [card_track(1.2 * SHORT, 1.2 * LONG)] * 3, False),
        (card_track(1.1 * SHORT, 0.85 * LONG), [card_track(SHORT, 0.8 * LONG)] * 3, False),
        (card_track(1.3 * SHORT, 0.8 * LONG), [card_track(SHORT, 0.8 * LONG)] * 3, True),
        (card_track(0.9 * LONG, LONG, face="down"), [], False),
        (card_track(apart=par.SEVERAL_APART_SHARE), [], True),
        (card_track(apart=par.SEVERAL_APART_SHARE - 0.001), [], False),
        (card_track(unreadable=par.SEVERAL_UNREADABLE_P), [], True),
        (card_track(unreadable=par.SEVERAL_UNREADABLE_P - 0.001), [], False),
        (replace(card_track(unreadable=0.9), ranks={}), [], False),
    ],
    ids=[
        "a card",
        "a tenth wider",
        "a little less",
        "all of it larger",
        "shortened by the camera",
        "two others",
        "as all look here",
        "a slanting camera",
        "wide for a slanting camera",
        "a back",
        "boxes apart",
        "boxes alike",
        "unlike any face",
        "like a face",
        "not read at all",
    ],
)
def test_what_cannot_be_one_card(one: CardTrack, others: list[CardTrack], unknown: bool) -> None:
    assert told(one, *others) == unknown


def across(share: float, x: float) -> CardTrack:
    """A card at x mm along the table, larger in width and in shape by a share."""
    return replace(card_track((1 + share) * SHORT, LONG), dwells=(((x, 0.0), 1.0, 30.0),))


@pytest.mark.parametrize(
    ("share", "x", "others", "unknown"),
    [
        (0.17, 850.0, 6, False),
        (0.17, 0.0, 6, True),
        (0.30, 850.0, 6, True),
        (0.17, 850.0, 5, True),
        (0.1798, 899.0, 6, False),
        (0.1802, 901.0, 6, True),
    ],
    ids=["as the map grows", "in the middle", "wider than the map grows", "too few others to tell", "far", "too far"],
)
def test_a_card_is_measured_by_how_the_others_seem_to_grow_across_the_table(
    share: float, x: float, others: int, unknown: bool
) -> None:
    """The map of a slanting camera bends: each 300 mm to the right a card seems 6 in 100 larger."""
    beside = [across(0.0002 * at, at) for at in (-600.0, -300.0, 0.0, 150.0, 300.0, 600.0)[:others]]
    assert with_several([across(share, x), *beside])[0].several == unknown


ROW = [(50.0 * n - 175.0, 2.0 * (-1) ** n) for n in range(8)]
SPACE = [(20.0 * (-1) ** n, 10.0 * n - 35.0) for n in range(8)]


@pytest.mark.parametrize("others", [ROW, SPACE], ids=["the dealer's row, two millimetres off its line", "one space"])
@pytest.mark.parametrize("place", [(0.0, 300.0), (500.0, 0.0), (0.0, -300.0), (-500.0, 0.0)])
def test_a_fan_is_told_where_the_others_do_not_tell_how_cards_grow(
    others: list[tuple[float, float]], place: tuple[float, float]
) -> None:
    """Their sizes differ by 1 %: carried on to a place far from them, that would be a fan's width."""
    beside = [
        replace(card_track((1 + 0.01 * (-1) ** n) * SHORT, LONG), dwells=((at, 1.0, 30.0),))
        for n, at in enumerate(others)
    ]
    fan = replace(card_track(1.15 * SHORT, LONG), dwells=((place, 1.0, 30.0),))
    assert with_several([fan, *beside])[0].several


@pytest.mark.parametrize(("more", "unknown"), [(par.SEVERAL_MORE_P, True), (par.SEVERAL_MORE_P - 0.001, False)])
def test_a_card_at_which_more_are_counted_than_were_found_is_several(more: float, unknown: bool) -> None:
    assert told(replace(card_track(), more=more)) == unknown


@pytest.mark.parametrize(("looks", "known"), [(10, 0.0), (11, 0.9)])
def test_more_cards_must_be_counted_in_a_quarter_of_the_looks(looks: int, known: float) -> None:
    """In fewer it may be a hand that comes and goes over a card."""
    fanned = replace(card(300, 300, "9"), more=0.9)
    there = chain(frames(looks / HZ, cards=[fanned]), frames((40 - looks) / HZ, cards=[card(300, 300, "9")]))
    (one,) = card_tracks(there)
    assert one.more == known


@pytest.mark.parametrize(("looks", "known"), [(15, 0.0), (16, 0.9)])
def test_a_card_that_is_laid_on_another_late_is_counted(looks: int, known: float) -> None:
    """Two seconds suffice, however long the lower card had lain there."""
    fanned = replace(card(300, 300, "9"), more=0.9)
    there = chain(frames(240 / HZ, cards=[card(300, 300, "9")]), frames(looks / HZ, cards=[fanned]))
    (one,) = card_tracks(there)
    assert one.more == known


def test_what_is_held_for_several_cards_is_shown_as_such() -> None:
    assert par.SEVERAL_MORE_P == MORE
    assert replace(card(300, 300, "9"), more=MORE).number_in_doubt
    assert not replace(card(300, 300, "9"), more=MORE - 0.01).number_in_doubt
    assert not card(300, 300, "9").number_in_doubt


def fan(width: float, apart: float | None = None, unreadable: float | None = None) -> CardSeen:
    quad = ((300 - width / 2, 256), (300 + width / 2, 256), (300 + width / 2, 344), (300 - width / 2, 344))
    return replace(card(300, 300, "9"), quad=quad, apart=apart, unreadable=unreadable)


@pytest.mark.parametrize(
    ("seen", "unknown"), [(fan(63), False), (fan(88), True), (fan(63, 0.15), True), (fan(63, None, 0.4), True)]
)
def test_a_fan_counts_as_at_least_one_card(seen: CardSeen, unknown: bool) -> None:
    king = card(600, 300, "K")
    seen_long = chain(frames(4.0, cards=[seen, king], hands=[hand(1000, 700)]))
    log = reconstruct(seen_long, layout(), House(), ObservationsHeader())
    first = [e for e in log.events if isinstance(e, CardDealt) and e.to == "space:1"]
    other = [e for e in log.events if isinstance(e, CardDealt) and e.to == "space:2"]
    expected = [("??", None, False), ("??", None, True)] if unknown else [("9h", {"9"}, False)]
    assert [(e.card, e.ranks and set(e.ranks), e.p < 0.5) for e in first] == expected
    assert [e.card for e in other] == ["Kh"], "a card beside it is read as ever"


def beside_it(x: float, t0: float = 1.0, t1: float = 30.0) -> CardTrack:
    return replace(card_track(), dwells=(((x, 0.0), t0, t1),), t_first=t0, t_last=t1, gone=t1)


@pytest.mark.parametrize(
    ("others", "p"),
    [
        ([beside_it(-62.9), beside_it(62.9)], par.WEAK_P),
        ([beside_it(-63.1), beside_it(62.9)], 0.95),
        ([beside_it(62.9)], 0.95),
        ([beside_it(-40.0, 31.0, 40.0), beside_it(40.0)], 0.95),
    ],
    ids=["two cards that it covers", "one of them too far", "one card", "one of them later"],
)
def test_a_box_between_two_cards_may_be_made_of_their_parts(others: list[CardTrack], p: float) -> None:
    """Cards edge to edge show no line between their papers: of a box that is no card's not even one is sure there."""
    assert with_several([card_track(apart=par.SEVERAL_APART_SHARE), *others])[0].p == p


def test_a_card_between_two_cards_is_as_sure_as_it_was_seen() -> None:
    assert with_several([card_track(), beside_it(-40.0), beside_it(40.0)])[0].p == 0.95
