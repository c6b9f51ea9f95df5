"""Acts between rounds as their traces tell of them: surely, weakly, or not at all."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import hand
from test_reconstruct_gaps import BODY, TABLE, watched

from verifier.domain.events import Shuffle
from verifier.domain.observations import Observation
from verifier.reconstruct.between.handled import burns_of, cut_of, receptacle_taken
from verifier.reconstruct.between.unattended import table_states
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.scene import BackSeen, Between, event
from verifier.reconstruct.table.detections import detections_of

SHOE, ON_THE_WAY, HOLDER, RECEPTACLE = (90.0, 600.0), (600.0, 600.0), (1115.0, 600.0), (950.0, 740.0)
BURNING = ((9.0, 9.3, *SHOE), (9.4, 9.9, *ON_THE_WAY), (10.0, 10.6, *HOLDER))
"""A hand of the dealer's goes from the shoe to the discard holder."""


def between(log: HandLog, *backs: tuple[float, tuple[float, float]]) -> Between:
    seen = tuple(BackSeen(t, TABLE.mm(xy), 0.9) for t, xy in backs)
    return Between(table=TABLE, hands=log, backs=seen, start=0.0, end=40.0)


def seen_at(xy: tuple[float, float], since: float, looks: int) -> list[tuple[float, tuple[float, float]]]:
    return [(since + n / 7.5, xy) for n in range(looks)]


@pytest.mark.parametrize(
    ("way", "lies", "weak"),
    [(3, 3, [False]), (0, 3, [False]), (4, 0, [False]), (2, 0, [True]), (0, 2, [True]), (0, 0, [True])],
    ids=["seen", "in the holder", "on its way", "two looks on its way", "hardly", "by the hand alone"],
)
def test_a_card_that_a_hand_brings_from_the_shoe_to_the_holder_is_burned(way: int, lies: int, weak: list[bool]) -> None:
    backs = [*seen_at((600.0, 570.0), 9.47, way), *seen_at(HOLDER, 10.13, lies)]
    assert [one.weak for one in burns_of(between(watched(*BURNING, gap=None), *backs), ())] == weak


def test_a_hand_that_puts_cards_away_and_did_not_come_from_the_shoe_burns_none() -> None:
    assert burns_of(between(watched(*BURNING[1:], gap=None)), ()) == []


def test_a_burn_begins_with_the_card_on_its_way() -> None:
    backs = [*seen_at((600.0, 570.0), 9.47, 3), *seen_at(HOLDER, 10.13, 4)]
    (burn,) = burns_of(between(watched(*BURNING, gap=None), *backs), ())
    assert (burn.t_start, burn.t_end) == pytest.approx((9.47, 10.18), abs=0.05)


def test_no_card_is_burned_where_the_table_has_no_discard_holder_though_nobody_looked() -> None:
    zones = {name: zone for name, zone in TABLE.zones.items() if name != "discard"}
    here = between(watched())
    assert len(burns_of(here, ())) == 1
    assert burns_of(replace(here, table=replace(TABLE, zones=zones)), ()) == []


def player(*times: float) -> Between:
    """A player's hand at the inner area in looks at these times, of ten a second."""
    log = HandLog()
    for tick in range(300):
        t = tick / 10
        reaching = [hand(600.0, 430.0, "player")] if t in times else []
        look = Observation(t=t, frame=tick, hands=[hand(400.0, 640.0, side="left"), *reaching])
        log.add(detections_of(look, TABLE, BODY))
    return between(log)


@pytest.mark.parametrize(
    ("times", "by"),
    [((12.0, 12.1), "player"), ((12.0,), None), ((18.0, 18.1), None)],
    ids=["seen", "one look", "too late"],
)
def test_a_player_who_reaches_in_soon_after_a_shuffle_cuts(times: tuple[float, ...], by: str | None) -> None:
    shuffle = event(Shuffle, 5.0, 10.0, 0.9, method="hand", scope=None)
    assert cut_of(player(*times), shuffle).by == by


@pytest.mark.parametrize(("until", "p"), [(19.4, 0.9), (19.27, 0.601)], ids=["three looks", "two looks"])
def test_a_hand_at_the_receptacle_right_before_it_leaves_takes_it(until: float, p: float) -> None:
    taken = receptacle_taken(between(watched((19.0, until, *RECEPTACLE), gap=None)), 20.0)
    assert taken is not None and taken.p == pytest.approx(p, abs=0.002)


def test_a_hand_that_rests_before_the_tray_covers_nothing_and_one_over_it_may() -> None:
    left = [
        table_states(between(watched((10.0, 11.0, 600.0, y), gap=None)), 19.0, 20.0, 38.0, None)[0].tray
        for y in (690.0, 760.0)
    ]
    assert left == ["open", None]
