"""Rounds played by the dealer manual: lawful under it, and dealt in its order."""

from __future__ import annotations

import pytest

from verifier.domain.errors import BadInput
from verifier.domain.events import CardDealt, CardRevealed
from verifier.law.judge import judge
from verifier.simulate.perform import perform


@pytest.mark.parametrize("seed", range(6))
def test_rounds_by_the_manual_break_none_of_its_clauses(seed: int) -> None:
    log = perform(seed, 3, rulebook="house-manual").events
    assert log.header.rulebook == "house-manual"
    assert not judge(log).findings


def test_both_dealer_cards_are_dealt_down_and_the_first_is_turned() -> None:
    log = perform(3, 1, rulebook="house-manual").events
    own = [e for e in log.events if isinstance(e, CardDealt) and e.to == "dealer"][:2]
    turned = next(e for e in log.events if isinstance(e, CardRevealed))
    assert [card.face for card in own] == ["down", "down"]
    assert turned.t_start >= own[1].t_end


def test_breaches_are_planted_under_twenty_one_only() -> None:
    with pytest.raises(BadInput, match="not staged"):
        perform(1, 1, ["ND-08-11.2-no-pay-tie"], rulebook="house-manual")
