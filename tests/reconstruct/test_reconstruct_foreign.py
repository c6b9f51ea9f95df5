"""Observations that other makers may write: fast ones, and things that their detectors give without size or belief."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace
from recon_scenes import bill, card, frames, hand, layout

from verifier.domain.events import AnyEvent
from verifier.domain.house import House
from verifier.domain.observations import Observation, ObservationsHeader, Quality
from verifier.reconstruct import parameters as par
from verifier.reconstruct.decoder import Reconstructor
from verifier.reconstruct.reconstruction import Reconstruction, reconstruct
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

QUALITY = Quality(sharpness=200.0, obstructed=0.0, luma=100.0)


def _taken(hz: float, every: int) -> list[Observation]:
    """The looks of which something is made, of 60 s in which one in `every` tells of more than cards."""
    taken: list[Observation] = []

    class Told(Reconstructor):
        def step(self, observation: Observation) -> list[AnyEvent]:
            taken.append(observation)
            return super().step(observation)

    reconstruction = Reconstruction(layout(), House(), ObservationsHeader())
    reconstruction._decoder = Told(layout(), House())
    for number in range(round(60 * hz)):
        look = Observation(t=number / hz, frame=number)
        if number % every == every // 2:
            look = replace(look, clock=f"{number}", bills=[bill(600, 480)], cut_cards=[], quality=QUALITY)
        reconstruction.take(look)
    return taken


def test_what_only_a_look_passed_over_tells_is_told_by_the_next() -> None:
    taken = _taken(30.0, 20)
    assert all(b.t - a.t >= par.LOOK_STEP_S for a, b in pairwise(taken))
    whole = [one for one in taken if one.bills == [bill(600, 480)]]
    assert len(whole) == 90
    assert [one.clock for one in whole] == [f"{number}" for number in range(10, 1800, 20)]
    assert all(one.quality == QUALITY and one.cut_cards == [] for one in whole)


def test_what_a_look_tells_itself_is_not_overruled_by_one_passed_over() -> None:
    taken = _taken(30.0, 1)
    assert all(one.clock == f"{one.frame}" for one in taken)


def test_a_card_without_a_side_is_none() -> None:
    line = replace(card(300, 300), quad=((300.0, 300.0), (300.0, 300.0), (300.0, 340.0), (300.0, 340.0)))
    point = replace(card(600, 300), quad=((600.0, 300.0),) * 4)
    log = reconstruct(frames(20.0, cards=[line, point]), layout(), House(), ObservationsHeader())
    assert not [event for event in log.events if event.name == "card_dealt"]


def test_hands_of_no_belief_are_followed() -> None:
    seen = [replace(one, hands=[replace(hand(500 + 10 * (i % 40), 400), p=0.0)]) for i, one in enumerate(frames(20.0))]
    reconstruct(seen, layout(), House(), ObservationsHeader())


def test_of_a_picture_whose_quality_is_told_in_part_the_rest_is_unknown() -> None:
    seen = [
        replace(one, quality=Quality(sharpness=120.0, obstructed=None, luma=None))
        for one in frames(30.0, cards=[card(300, 300)])
    ]
    checks = [e for e in reconstruct(seen, layout(), House(), ObservationsHeader()).events if e.name == "view_check"]
    assert [(check.sharpness, check.occlusion) for check in checks] == [(120.0, None)]


def test_a_card_that_one_look_tells_twice_is_one() -> None:
    """So of a pair that is split no third card comes."""
    table = TableMap.of(layout())
    eight, again = card(300, 300, "8"), replace(card(302, 301, "8"), p=0.45)
    unread, other = replace(card(301, 300, None), p=0.5), replace(card(301, 301, "9"), p=0.5)
    seen = Observation(t=0.0, frame=0, cards=[again, eight, unread, other])
    cards = detections_of(seen, table, Body.of(table)).cards
    assert [(max(one.ranks, default=None), one.p) for one in cards] == [("8", eight.p), ("9", 0.5)]
