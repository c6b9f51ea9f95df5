"""The posterior of a track being a card of its own: evidence adds up, and its weights are fitted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from test_reconstruct_flicker import card_track, hands_at

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.existence import evidence, existing, log_odds

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
import existence_fit

HERE = (12.0, -80.0)
LAID = hands_at((11.8, 610, 320), (12.0, 610, 320))


def test_each_piece_of_evidence_has_its_weight() -> None:
    card = card_track(0, HERE, 12.0)
    assert list(evidence(card, [], [card], HandLog())) == list(par.EXISTENCE_ODDS)


def test_all_but_a_hand_that_ended_with_it_speaks_against_a_track() -> None:
    speaks_for = {name for name, odds in par.EXISTENCE_ODDS.items() if odds > 0.0}
    assert speaks_for == {"card", "last"}


@pytest.mark.parametrize(("odds", "exists"), [(0.0, 1), (-0.01, 0)])
def test_a_track_as_likely_a_card_as_none_is_one(odds: float, exists: int, monkeypatch: pytest.MonkeyPatch) -> None:
    card = card_track(0, HERE, 12.0)
    monkeypatch.setattr(par, "EXISTENCE_ODDS", dict.fromkeys(par.EXISTENCE_ODDS, 0.0) | {"card": odds})
    assert len(existing([card], LAID)) == exists


@pytest.mark.parametrize(("odds", "p"), [(0.0, 0.5), (1.0986, 0.75), (8.0, 0.98)], ids=["even", "3 to 1", "as seen"])
def test_a_track_is_no_surer_than_the_evidence_for_it(odds: float, p: float, monkeypatch: pytest.MonkeyPatch) -> None:
    card = replace(card_track(0, HERE, 12.0), p=0.98)
    monkeypatch.setattr(par, "EXISTENCE_ODDS", dict.fromkeys(par.EXISTENCE_ODDS, 0.0) | {"card": odds})
    assert existing([card], LAID)[0].p == p


@pytest.mark.parametrize(
    ("p", "by_itself", "exists"),
    [(0.98, False, 1), (0.98, True, 1), (0.8, False, 1), (0.8, True, 0)],
    ids=["sure and laid", "sure", "laid", "neither"],
)
def test_evidence_that_does_not_suffice_alone_adds_up(p: float, by_itself: bool, exists: int) -> None:
    card = replace(card_track(0, HERE, 12.0), p=p)
    assert len(existing([card], hands_at() if by_itself else LAID)) == exists


@pytest.mark.parametrize("case", existence_fit.CASES, ids=list(existence_fit.CASES))
def test_cases_of_recordings(case: str) -> None:
    found, own = existence_fit.CASES[case]
    assert (log_odds(found) >= 0.0) == own


def test_a_track_that_is_none_speaks_against_no_other() -> None:
    print_ = replace(card_track(0, HERE, 2.0, n=50), p=0.8)
    upon = replace(card_track(1, (12.0, -70.0), 12.0, n=49), p=0.8, gone=14.0)
    assert existing([print_, upon], hands_at((11.5, 610, 320))) == [upon]


def lain(card: int, name: str, xy: tuple[float, float], t0: float, t1: float) -> existence_fit.Lain:
    return existence_fit.Lain(card, name, xy, t0, t1)


@pytest.mark.parametrize(
    ("there", "truths"),
    [
        ([lain(7, "9s", HERE, 11.0, 31.0)], ["own", "second"]),
        ([lain(7, "9s", HERE, 11.0, 31.0), lain(8, "9h", (20.0, -80.0), 11.0, 31.0)], ["own", "second"]),
        ([lain(7, "9s", HERE, 11.0, 13.0)], ["none", "none"]),
        ([lain(7, "9s", (60.0, -80.0), 11.0, 31.0)], ["none", "none"]),
    ],
    ids=["of one card", "of the nearer one", "gone for most of the time", "elsewhere"],
)
def test_tracks_are_compared_with_where_cards_truly_lay(there: list[existence_fit.Lain], truths: list[str]) -> None:
    seldom, often = card_track(0, HERE, 12.0, n=20), card_track(1, HERE, 12.0, n=40)
    told = existence_fit.labelled([(seldom, {"card": 1.0}), (often, {"card": 2.0})], there)
    assert [(one.truth, one.found["card"]) for one in told] == list(zip(truths, [2.0, 1.0], strict=True))


def test_weights_move_from_where_the_search_begins_by_what_tracks_and_cases_show() -> None:
    start = existence_fit.START
    shown = dict.fromkeys(start, 0.0) | {"card": 1.0, "covered": 1.0}
    by_cases = existence_fit.fitted([])
    real = existence_fit.fitted([existence_fit.Sample(shown, "own")] * 500)
    none = existence_fit.fitted([existence_fit.Sample(shown, "none")] * 500)
    assert real["covered"] > by_cases["covered"] == start["covered"] > none["covered"]
    assert real["instead"] == none["instead"] == start["instead"], "neither shows it"
