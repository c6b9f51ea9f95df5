"""Where things come to rest by a layout."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import msgspec
import pytest

from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import CardSeen, ChipSeen, Drift, HandSeen, Observation, Quality
from verifier.review.fit.judgement import NO_SPACE, STRAY_LOOKS, STRAY_SHARE, fit_checks, misfits, spaces_check
from verifier.review.fit.things import SEEN_P, STEP_S, STILL_MM, STRAY_CARDS, Things
from verifier.simulate.commands import look_and_camera
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import perform
from verifier.simulate.truth_observations import Noise, truth_observations
from verifier.vision.glimpse import Glimpse


def box(x: float, y: float, w: float = 60.0, h: float = 40.0) -> list[tuple[float, float]]:
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


LAYOUT = Layout(
    version=1,
    image_size=(1280, 720),
    pixels_per_mm=0.5,
    zones=Zones(dealer=box(500, 400, 300, 100), inner=box(400, 380, 450, 150), tray=box(400, 560, 450, 100)),
    spaces={
        1: SpaceZones(area=box(200, 100, 250, 250), wager=box(300, 150), cards=box(300, 250)),
        2: SpaceZones(area=box(800, 100, 250, 250), wager=box(900, 150), cards=box(900, 250)),
    },
)


def card(x: float, y: float, size: float = 1.0) -> CardSeen:
    w, h = 31.5 * size / 2, 44 * size / 2
    return CardSeen(face="up", p=0.9, quad=((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)))


def chip(x: float, y: float, p: float = 0.9) -> ChipSeen:
    return ChipSeen(colour="red", cents=500, p=p, center=(x, y), radius=10.0)


def hand(x: float, y: float, dy: float) -> HandSeen:
    """A hand whose wrist is at x, y and whose middle finger begins `dy` pixels below it."""
    points = [(x, y, 1.0)] * 9 + [(x, y + dy, 1.0)] * 12
    return HandSeen(owner="dealer", side="left", facing="back", p=0.9, box=(x, y, x + 10, y + 10), keypoints=points)


def looks(count: int = 3, step: float = STEP_S, **seen: object) -> Iterator[Observation]:
    return (Observation(t=round(n * step, 3), frame=n, **seen) for n in range(count))  # type: ignore[arg-type]


def taken(seen: Iterator[Observation], layout: Layout = LAYOUT) -> Things:
    things = Things(layout)
    for one in seen:
        things.take(one)
    return things


def test_a_card_counts_once_it_rests_by_its_size_and_place() -> None:
    things = taken(looks(cards=[card(330, 270)]))
    assert dict(things.sizes) == {50: 2}
    assert dict(things.card_places) == {"space:1": 2}
    assert dict(taken(looks(cards=[card(330, 270, 1.2)])).sizes) == {60: 2}


def test_looks_that_follow_closely_count_once() -> None:
    assert sum(taken(looks(4, STEP_S / 2, cards=[card(330, 270)])).sizes.values()) == 1
    assert sum(taken(looks(4, cards=[card(330, 270)])).sizes.values()) == 3


@pytest.mark.parametrize(("off", "rests"), [(STILL_MM * 0.5 - 0.01, 1), (STILL_MM * 0.5 + 0.01, 0)])
def test_what_moves_does_not_rest(off: float, rests: int) -> None:
    first, second = Observation(t=0.0, chips=[chip(330, 170)]), Observation(t=1.0, chips=[chip(330 + off, 170)])
    assert sum(taken(iter([first, second])).spot_gaps.values()) == rests


@pytest.mark.parametrize(("p", "seen"), [(SEEN_P, 2), (SEEN_P - 0.01, 0)])
def test_what_is_hardly_seen_does_not_count(p: float, seen: int) -> None:
    assert sum(taken(looks(chips=[chip(330, 170, p)])).spot_gaps.values()) == seen


def test_a_dealt_hand_has_two_cards_and_a_stake_lies_at_its_spot() -> None:
    hands = [card(320, 265), card(340, 275)]
    assert taken(looks(cards=hands[:1])).carded == {}
    assert (taken(looks(cards=hands)).carded, taken(looks(cards=hands)).staked[1]) == ({1: 2}, 0)
    there = taken(looks(cards=hands, chips=[chip(330, 170)]))
    assert (dict(there.carded), dict(there.staked)) == ({1: 2}, {1: 2})
    assert taken(looks(cards=hands, chips=[chip(330 + 16, 170)])).staked[1] == 0
    assert taken(looks(cards=hands, chips=[chip(330 + 14, 170)])).staked[1] == 2


def test_chips_of_the_dealers_part_are_not_before_the_players() -> None:
    assert taken(looks(chips=[chip(500, 600), chip(500, 450)])).spot_gaps == {}
    assert dict(taken(looks(chips=[chip(330, 170 + 21)])).spot_gaps) == {8: 2}


@pytest.mark.parametrize(("dy", "way"), [(-30.0, "away"), (30.0, "toward")])
def test_hands_over_the_dealers_part_point_away_from_the_dealer_or_toward(dy: float, way: str) -> None:
    assert dict(taken(looks(1, hands=[hand(600, 450, dy)])).pointing) == {way: 1}
    assert taken(looks(1, hands=[hand(330, 60, dy)])).pointing == {}  # a player's, at the rail


def test_a_shifted_camera_is_followed() -> None:
    moved = Quality(
        sharpness=None, obstructed=None, luma=None, view="shifted", drift=Drift(dx=40, dy=0, roll=0, scale=1, p=1)
    )
    hands, there = [card(360, 265), card(380, 275)], [chip(370, 170)]
    assert taken(looks(cards=hands, chips=there)).staked[1] == 0
    assert taken(looks(cards=hands, chips=there, quality=moved)).staked[1] == 2


def test_it_can_be_pickled_between_two_looks() -> None:
    things = taken(looks(cards=[card(330, 270)]))
    assert pickle.loads(pickle.dumps(things)).sizes == things.sizes


def changed(layout: Layout, dx: float = 0.0, *, over: bool = False) -> Layout:
    """The layout moved by so many millimetres to the right, or turned upside down."""
    width, height = layout.image_size

    def zones(value: Zones | SpaceZones) -> dict[str, list[tuple[float, float]]]:
        named = {name: getattr(value, name) for name in value.__struct_fields__}
        return {
            name: [(width - x, height - y) if over else (x + dx * layout.scale, y) for x, y in zone]
            for name, zone in named.items()
            if zone is not None
        }

    spaces = {number: SpaceZones(**zones(space)) for number, space in layout.spaces.items()}
    return msgspec.structs.replace(layout, zones=Zones(**zones(layout.zones)), spaces=spaces)


@pytest.fixture(scope="module", params=[(9003, "easy"), (9004, "typical"), (9006, "hard")])
def played(request: pytest.FixtureRequest) -> tuple[Layout, list[Observation]]:
    """A round as a noisy detector sees it, and the layout of its table."""
    seed, difficulty = request.param
    performance = perform(seed, 1, spaces=3 + seed % 5)
    look, camera = look_and_camera(seed, (1280, 720), difficulty, "test")
    layout = layout_for(performance.plan, camera, site=performance.site, table=performance.table, look=look)
    return layout, list(truth_observations(performance, camera, hz=2.5, noise=Noise(missed=0.1)))


def cause(layout: Layout, seen: list[Observation]) -> str | None:
    return misfits(fit_checks(layout, Glimpse(), taken(iter(seen), layout), clock_read=True, start=0.0, end=seen[-1].t))


def test_the_layout_of_the_table_fits_what_a_noisy_detector_sees(played: tuple[Layout, list[Observation]]) -> None:
    layout, seen = played
    assert cause(layout, seen) is None


def test_hands_at_a_space_that_the_layout_lacks_are_told(played: tuple[Layout, list[Observation]]) -> None:
    layout, seen = played
    whole = taken(iter(seen), layout)
    assert (whole.astray, spaces_check(whole).ok) == (0, True)
    for number in (number for number in whole.spaces if whole.carded[number] > 20):
        spaces = {other: space for other, space in layout.spaces.items() if other != number}
        check = spaces_check(taken(iter(seen), msgspec.structs.replace(layout, spaces=spaces)))
        assert (check.ok, check.says) == (None, NO_SPACE), number


def test_single_cards_and_a_spread_deck_are_no_hand_elsewhere() -> None:
    places = ((20, 1), (60, 2), (20, 7))
    things = [taken(looks(5, cards=[card(1100 + dx * n, 650) for n in range(count)])) for dx, count in places]
    assert [one.astray for one in things] == [0, 0, 0]
    assert taken(looks(5, cards=[card(1100 + 20 * n, 650) for n in range(STRAY_CARDS)])).astray == 4


@pytest.mark.parametrize(("astray", "carded", "ok"), [(5, 0, False), (6, 0, True), (6, 594, True), (6, 595, False)])
def test_few_looks_at_a_hand_elsewhere_are_no_space(astray: int, carded: int, ok: bool) -> None:
    things = Things(LAYOUT)
    things.astray = astray
    things.carded[1] = carded
    assert (STRAY_LOOKS, STRAY_SHARE) == (6, 0.01)
    assert (spaces_check(things).says == NO_SPACE) is ok


@pytest.mark.parametrize("dx", [-85.0, 85.0])
def test_a_layout_shifted_by_a_hands_width_does_not(played: tuple[Layout, list[Observation]], dx: float) -> None:
    layout, seen = played
    assert "wager spots" in (cause(changed(layout, dx), seen) or "")
