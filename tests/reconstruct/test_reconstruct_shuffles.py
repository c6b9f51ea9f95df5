"""A shuffle whose cards no detector knows: both of the dealer's hands mix something for some seconds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from inner_scenes import look, stack
from msgspec import structs
from recon_scenes import HZ, bill, card, chain, layout

from verifier.domain.events import AnyEvent
from verifier.domain.house import House
from verifier.domain.observations import ChipSeen, Observation, ObservationsHeader
from verifier.law.judge import LEAST_SURE
from verifier.reconstruct import reconstruct

LEFT, RIGHT = (420.0, 600.0), (560.0, 600.0)


def mixing(
    seconds: float, *, left: float = 120.0, right: float = 120.0, chips: Sequence[ChipSeen] = (), every: int = 1
) -> list[Observation]:
    """Hands that go to and fro over the inner area, each by so many millimetres a second; chips show in every n-th
    look.
    """
    return [
        one
        for i in range(round(seconds * HZ))
        for one in look(
            1,
            chips if i % every == 0 else (),
            left=(LEFT[0] + left / HZ * (i % 2), LEFT[1]),
            right=(RIGHT[0] + right / HZ * (i % 2), RIGHT[1]),
        )
    ]


def shuffles(looks: list[Observation]) -> list[AnyEvent]:
    seen = chain(look(15), looks, look(30))
    return [one for one in reconstruct(seen, layout(), House(), ObservationsHeader()).events if one.name == "shuffle"]


def test_hands_that_mix_tell_a_shuffle_that_accuses_nobody() -> None:
    (shuffle,) = shuffles(mixing(6.0))
    assert 5.0 < shuffle.t_end - shuffle.t_start < 7.1
    assert not shuffle.weak
    assert shuffle.p < LEAST_SURE


@pytest.mark.parametrize(("seconds", "told"), [(2.4, 0), (4.1, 1)])
def test_it_takes_some_seconds(seconds: float, told: int) -> None:
    assert len(shuffles(mixing(seconds))) == told


@pytest.mark.parametrize(("moved", "told"), [(54.0, 0), (84.0, 1)])
def test_both_hands_move_by_sixty_millimetres_a_second(moved: float, told: int) -> None:
    assert len(shuffles(mixing(6.0, left=moved))) == told
    assert len(shuffles(mixing(6.0, right=moved))) == told


@pytest.mark.parametrize(("rest", "told"), [(0.6, 1), (2.9, 0)])
def test_hands_that_rest_meanwhile_do_not_mix(rest: float, told: int) -> None:
    moving = mixing(2.5, left=240.0, right=240.0)
    assert len(shuffles([*moving, *mixing(rest, left=0.0, right=0.0), *moving])) == told


@pytest.mark.parametrize(("every", "told"), [(1, 0), (3, 1)], ids=["chips lie there", "print passes for a chip"])
def test_chips_that_show_in_most_looks_tell_of_an_exchange(every: int, told: int) -> None:
    assert len(shuffles(mixing(6.0, chips=stack(640.0, [500]), every=every))) == told


def test_bank_notes_tell_of_an_exchange() -> None:
    looks = [structs.replace(one, bills=[bill(640.0, 500.0)]) for one in mixing(6.0)]
    assert shuffles(looks) == []


def test_a_shuffle_that_its_cards_tell_is_told_once() -> None:
    packs = [card(480, 540, face="down"), card(600, 540, face="down")]
    (shuffle,) = shuffles([structs.replace(one, cards=packs) for one in mixing(6.0)])
    assert shuffle.p >= LEAST_SURE
