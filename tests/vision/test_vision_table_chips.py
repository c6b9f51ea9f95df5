"""A table's own chips: somebody lays one of each colour before the camera, and chips that look so have its name."""

from __future__ import annotations

import numpy as np
import pytest

from verifier.domain.enrolment import EnrolledChip
from verifier.vision.enrolling import AT_FIRST, CHIP_PLACE, KEPT_COLOURS, OutOfOrderError, ShownChip, learnt_chips
from verifier.vision.look_alikes import ALIKE
from verifier.vision.table_chips import LEAST_CHIPS, TableChips, are_these

PURPLE, ROSE = (110.0, 150.0, 100.0), (160.0, 140.0, 130.0)
CHIPS = TableChips({"other": EnrolledChip(colours=[PURPLE]), "pink": EnrolledChip(colours=[ROSE])})
DOUBT = {"other": 0.4, "pink": 0.1, "red": 0.5}


def off(colour: tuple[float, float, float], far: float) -> np.ndarray:
    """A colour of another hue, `far` away."""
    return np.array(colour) + np.array((0.0, far, 0.0))


@pytest.mark.parametrize(("far", "name"), [(0.0, "other"), (ALIKE, "other"), (ALIKE + 0.01, "red")])
def test_a_chip_that_looks_like_one_that_was_shown_is_that_one(far: float, name: str) -> None:
    weighed = CHIPS.weighed(DOUBT, off(PURPLE, far))
    assert max(weighed, key=lambda one: weighed[one]) == name
    assert sum(weighed.values()) == pytest.approx(1.0)
    assert CHIPS.knows(off(PURPLE, far)) == (far <= ALIKE)


def test_a_chip_unlike_all_that_were_shown_keeps_its_reading() -> None:
    assert CHIPS.weighed(DOUBT, off(PURPLE, 2 * ALIKE)) == DOUBT


def test_lightness_counts_half() -> None:
    assert CHIPS.knows(np.array(PURPLE) + np.array((2 * ALIKE, 0.0, 0.0)))
    assert not CHIPS.knows(np.array(PURPLE) + np.array((2 * ALIKE + 0.1, 0.0, 0.0)))


def test_two_that_were_shown_and_look_alike_leave_it_to_the_reader() -> None:
    twins = TableChips({"white": EnrolledChip(colours=[ROSE]), "pink": EnrolledChip(colours=[ROSE])})
    weighed = twins.weighed({"white": 0.3, "pink": 0.7}, np.array(ROSE))
    assert weighed["pink"] == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("known", "strange", "told"),
    [(9, 3, True), (8, 4, False), (LEAST_CHIPS - 1, 0, None)],
    ids=["three of four", "two of three", "too few"],
)
def test_whether_a_tables_chips_are_those_that_were_shown(known: int, strange: int, told: bool | None) -> None:
    colours = [np.array(ROSE)] * known + [off(ROSE, 3 * ALIKE)] * strange
    assert are_these(CHIPS, colours) is told


def laid(begin: float, colour: tuple[float, float, float], name: str = "", p: float = 0.99) -> ShownChip:
    chip = ShownChip((begin, 0.0), 10.0, begin, begin + 2.0)
    others = [one for one in ("other", "pink", "red") if one != name]
    for _ in range(4):
        chip.reading.add({name: p, **dict.fromkeys(others, (1 - p) / 2)} if name else dict.fromkeys(others, 1 / 3))
    chip.colours = [np.array(colour)] * 4
    return chip


def test_chips_have_the_names_of_the_order_in_which_they_were_laid() -> None:
    told = learnt_chips([laid(2.0, PURPLE), laid(3.0, ROSE)], ["other", "pink"])
    assert {name: chip.colours[0] for name, chip in told.items()} == {"other": PURPLE, "pink": ROSE}


def test_looks_with_the_hand_over_the_chip_are_not_kept() -> None:
    chip = laid(2.0, PURPLE)
    chip.colours.insert(0, np.array((60.0, 135.0, 140.0)))
    (learnt,) = learnt_chips([chip], ["other"]).values()
    assert learnt.colours == [PURPLE] * 4


@pytest.mark.parametrize(("begin", "count"), [(AT_FIRST, 0), (AT_FIRST + 0.1, 1)], ids=["from the start", "laid"])
def test_chips_that_lie_there_from_the_start_are_not_shown(begin: float, count: int) -> None:
    assert len(learnt_chips([laid(begin, ROSE)], ["pink"] * count)) == count


def test_another_number_of_chips_is_refused() -> None:
    with pytest.raises(OutOfOrderError, match="1 chips were laid down, 2 are named"):
        learnt_chips([laid(2.0, ROSE)], ["pink", "other"])


@pytest.mark.parametrize("p", [0.99, 0.6])
def test_chips_that_surely_are_in_another_order_are_refused(p: float) -> None:
    chips = [laid(2.0, PURPLE, "other", p), laid(3.0, ROSE, "pink", p)]
    if p < 0.95:
        assert set(learnt_chips(chips, ["pink", "other"])) == {"pink", "other"}
        return
    with pytest.raises(OutOfOrderError, match="chip 1 is surely other, by the order it would be pink"):
        learnt_chips(chips, ["pink", "other"])


def test_chips_that_come_into_sight_together_have_no_order() -> None:
    with pytest.raises(OutOfOrderError, match="chip 1 came into sight together with another one"):
        learnt_chips([laid(2.0, PURPLE), laid(2.0, ROSE)], ["other", "pink"])
    assert set(learnt_chips([laid(2.0, PURPLE), laid(2.0, ROSE)], ["other", "other"])) == {"other"}


def test_a_chip_of_one_colour_in_half_of_its_looks_and_another_in_the_others_is_not_learnt() -> None:
    chip = laid(2.0, PURPLE)
    chip.colours[:2] = [np.array(ROSE)] * 2
    with pytest.raises(OutOfOrderError, match="chip 1 has one colour in some looks and another in the others"):
        learnt_chips([chip], ["other"])


@pytest.mark.parametrize(("moved", "looks"), [(0.99, 2), (1.01, 1)], ids=["lies", "was moved"])
def test_looks_at_another_place_do_not_count(moved: float, looks: int) -> None:
    from verifier.domain.observations import ChipSeen

    chip = ShownChip((0.0, 0.0), 10.0, 2.0, 2.0)
    for x in (0.0, moved * CHIP_PLACE * 10.0):
        seen = ChipSeen(colour="pink", p=0.9, center=(x, 0.0), radius=10.0)
        chip.take(seen, 2.0 + x, {"pink": 1.0}, np.array(ROSE))
    assert (chip.reading.looks, len(chip.colours)) == (looks, looks)
    for _ in range(2 * KEPT_COLOURS):
        chip.take(seen, 9.0, {"pink": 1.0}, np.array(ROSE))
    assert len(chip.colours) == KEPT_COLOURS
