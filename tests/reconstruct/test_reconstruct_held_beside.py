"""Which of two neighbours' busts lies in a pile between their spaces, and which chips are laid upon it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from recon_scenes import dwell, layout

from verifier.reconstruct.cards.held import held_aside, hold_stakes
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
PILE = (TABLE.spaces[2].wager[0] - 106.0, TABLE.spaces[2].wager[1])


def card_track(number: int, rank: str, space: int, index: int, until: float, *later: float) -> CardTrack:
    """A card of a space's hand that lies there until some time, and from `later` on in the pile."""
    x, y = TABLE.spaces[space].cards
    dwells = [((x - 33.0 * index, y + 45.0 * index), 2.0 + index, until), *((PILE, t, 30.0) for t in later)]
    return CardTrack(
        number=number,
        place=f"space:{space}",
        dwells=tuple(dwells),
        angle=0.0,
        face="up",
        turned=None,
        ranks={rank: 0.98},
        suit="d",
        p=0.98,
        n=40,
        steady=3.0,
        t_first=dwells[0][1],
        t_last=dwells[-1][2],
        gone=dwells[-1][2],
    )


@pytest.mark.parametrize("collected", [4.0, 8.2], ids=["long before", "shortly before"])
def test_a_pile_is_of_the_hand_that_went_as_it_came_not_of_a_bust_beside_it_collected_before(collected: float) -> None:
    """The pile's card is one that both hands have."""
    first = [card_track(n, rank, 1, n, collected) for n, rank in enumerate(("9", "5", "K"))]
    second = [
        card_track(10, "5", 2, 0, 12.3, 12.8),
        *(card_track(10 + n, rank, 2, n, 12.1) for n, rank in ((1, "Q"), (2, "J"))),
    ]
    _, (bust,) = held_aside([*first, *second], [], TABLE)
    assert sorted(bust.cards) == [10, 11, 12]


@pytest.mark.parametrize("bare", [12.6, 23.7], ids=["soon", "late"])
def test_a_stake_missed_in_most_looks_went_to_its_cards_as_a_chip_shows_there(bare: float) -> None:
    """Its place is told to be bare only long after."""
    stake = Stake("original", 2, "space:2", [replace(dwell(0, 0, 1.0, bare), seen_to=11.9)])
    upon = dwell(-106, 0, 13.5, 20.0)
    held = SimpleNamespace(cards={1}, pile=SimpleNamespace(xy=PILE, t_rest=12.8), since=12.1)
    scene = SimpleNamespace(held=[held], dwells={2: [*stake.dwells, upon]})
    hand = SimpleNamespace(place="space:2", cards=[SimpleNamespace(number=1)])
    hold_stakes(scene, SimpleNamespace(hands=[hand]), [stake])
    assert stake.upon == [upon]
