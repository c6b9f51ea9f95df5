"""A third card that two overlapping ones seem to form, and a doubtful one that shows after the hand has left."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.distinct import distinct
from verifier.reconstruct.resting.existence import existing

END = 30.0


def card_track(number: int, x: float, t: float, rank: str, *, n: int = 50, unseen: float = 0.0) -> CardTrack:
    """A card at x mm before the dealer from `t` on; `unseen` seconds of the time from 12 s on."""
    missed = ((12.0, 12.0 + unseen),) if unseen else ()
    return CardTrack(
        number=number,
        place="dealer",
        dwells=(((x, 140.0), t, END),),
        angle=0.0,
        face="up",
        turned=None,
        ranks={rank: 0.95},
        suit="h",
        p=0.98,
        n=n,
        steady=3.0,
        t_first=t,
        t_last=END,
        gone=END,
        unseen=missed,
    )


ROW = [
    card_track(0, 60.0, 9.0, "3"),
    card_track(1, 100.0, 10.0, "2", unseen=9.0),
    card_track(2, 146.0, 11.0, "3", n=20, unseen=12.0),
]


def numbers(cards: list[CardTrack]) -> list[int]:
    return sorted(one.number for one in existing(distinct(cards), HandLog()))


def test_what_shows_amid_two_overlapping_cards_instead_of_them_is_no_third() -> None:
    assert numbers([*ROW, card_track(3, 124.0, 12.0, "6", n=60)]) == [0, 1, 2]


@pytest.mark.parametrize(
    ("cards", "kept"),
    [
        (
            [
                ROW[0],
                card_track(1, 100.0, 10.0, "2"),
                card_track(2, 146.0, 11.0, "3"),
                card_track(3, 124.0, 12.0, "6", n=60),
            ],
            {3},
        ),
        ([ROW[0], ROW[1], card_track(3, 130.0, 12.0, "6", n=60)], {0, 1, 3}),
        ([ROW[0], ROW[1], replace(ROW[2], t_last=11.9), card_track(3, 124.0, 12.0, "6", n=60)], {3}),
    ],
    ids=["both are seen beside it", "the row's next card", "one that never showed again"],
)
def test_a_card_upon_two_others_is_one_where_those_are_seen_too_or_never_again(
    cards: list[CardTrack], kept: set[int]
) -> None:
    assert kept <= set(numbers(cards))
