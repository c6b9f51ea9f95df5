"""On what a detector's probabilities are fitted: tables of both worlds that no training shows, in its styles."""

from __future__ import annotations

from verifier.train.cases import FRAME
from verifier.train.tune import FIRST_SEED, FIRST_SOLID_SEED, fitted_on


def test_both_worlds_are_fitted_on_in_the_trainings_styles() -> None:
    both = fitted_on(3, 2)
    assert [one.kind for one in both] == ["easy", "normal", "hard", "solid", "solid"]
    assert [one.seed for one in both] == [*range(FIRST_SEED, FIRST_SEED + 3), FIRST_SOLID_SEED, FIRST_SOLID_SEED + 1]
    assert {(one.split, one.size) for one in both} == {("train", FRAME)}


def test_the_flat_world_alone_by_default_and_the_solid_one_alone_where_asked() -> None:
    assert {one.kind for one in fitted_on(7, 0)} == {"easy", "normal", "hard", "any"}
    assert {one.kind for one in fitted_on(0, 3)} == {"solid"}
