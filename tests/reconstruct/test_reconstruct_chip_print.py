"""What has no chip's size, or is printed on a card's back, is no chip."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import card, chip, layout

from verifier.domain.observations import CardSeen, ChipSeen, Observation
from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
R, NEAR = par.CHIP_RADIUS_MM, par.SIGN_MM


def seen(one: ChipSeen, *cards: CardSeen) -> int:
    observation = Observation(t=0.0, frame=0, cards=list(cards), chips=[one, chip(900, 300)])
    return len(detections_of(observation, TABLE, Body.of(TABLE)).chips) - 1


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (1.0, 1),
        (par.LEAST_CHIP_RADII + 0.001, 1),
        (par.LEAST_CHIP_RADII - 0.001, 0),
        (par.MOST_CHIP_RADII - 0.001, 1),
        (par.MOST_CHIP_RADII + 0.001, 0),
        (12.3, 0),
    ],
)
def test_a_chip_has_a_chips_size_on_its_table(share: float, told: int) -> None:
    assert seen(replace(chip(600, 140), radius=share * R)) == told


@pytest.mark.parametrize(
    ("under", "told"),
    [
        (card(600.0, 140.0, face="down"), 0),
        (card(600.0 + NEAR, 140.0, face="down"), 0),
        (card(600.0 + NEAR + 0.1, 140.0, face="down"), 1),
        (card(600.0, 140.0, face="down", p=par.SURE_CARD_LOOK_P - 0.01), 1),
        (card(600.0, 140.0, "K"), 1),
    ],
    ids=["in the middle of a back", "near it", "beside it", "hardly a back", "laid on a face"],
)
def test_a_round_sign_on_a_cards_back_is_no_chip(under: CardSeen, told: int) -> None:
    assert seen(chip(600, 140), under) == told
