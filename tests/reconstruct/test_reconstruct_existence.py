"""The posterior of a track being a card of its own: evidence adds up, and its weights are fitted."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from test_reconstruct_flicker import hands_at, story

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.existence import evidence, existing, log_odds

HERE = (12.0, -80.0)
LAID = hands_at((11.8, 610, 320), (12.0, 610, 320))


def test_each_piece_of_evidence_has_its_weight() -> None:
    card = story(0, HERE, 12.0)
    assert list(evidence(card, [], [card], HandLog())) == list(par.EXISTENCE_ODDS)


def test_all_but_a_hand_that_ended_with_it_speaks_against_a_track() -> None:
    speaks_for = {name for name, odds in par.EXISTENCE_ODDS.items() if odds > 0.0}
    assert speaks_for == {"card", "last"}


@pytest.mark.parametrize(("odds", "exists"), [(0.0, 1), (-0.01, 0)])
def test_a_track_as_likely_a_card_as_none_is_one(odds: float, exists: int, monkeypatch: pytest.MonkeyPatch) -> None:
    card = story(0, HERE, 12.0)
    found = evidence(card, [], [card], LAID)
    monkeypatch.setitem(par.EXISTENCE_ODDS, "card", par.EXISTENCE_ODDS["card"] - log_odds(found) + odds)
    assert len(existing([card], LAID)) == exists


@pytest.mark.parametrize(
    ("p", "by_itself", "exists"),
    [(0.98, False, 1), (0.98, True, 1), (0.8, False, 1), (0.8, True, 0)],
    ids=["sure and laid", "sure", "laid", "neither"],
)
def test_evidence_that_does_not_suffice_alone_adds_up(p: float, by_itself: bool, exists: int) -> None:
    card = replace(story(0, HERE, 12.0), p=p)
    assert len(existing([card], hands_at() if by_itself else LAID)) == exists


def test_a_track_that_is_none_speaks_against_no_other() -> None:
    print_ = replace(story(0, HERE, 2.0, n=50), p=0.8)
    upon = replace(story(1, (12.0, -70.0), 12.0, n=49), p=0.8, gone=14.0)
    assert existing([print_, upon], hands_at((11.5, 610, 320))) == [upon]
