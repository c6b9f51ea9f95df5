"""Poker performed at a simulated table: what truly happens is lawful, or breaks what was planted."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from verifier.domain.errors import BadInput
from verifier.law.judge import judge
from verifier.simulate.poker import perform
from verifier.simulate.poker.faults import FAULTS
from verifier.simulate.poker.games import VARIANTS, Variant
from verifier.simulate.poker.perform import perform_hands
from verifier.simulate.poker.script import random_hand, scripts_from_phh

HANDS = Path(__file__).parents[1] / "law" / "poker" / "hands"


@pytest.mark.parametrize("game", VARIANTS)
def test_lawful_hands_break_nothing(game: Variant) -> None:
    for seed in range(4):
        report = judge(perform_hands(seed, 4, players=5, game=game).events)
        assert report.findings == []


@pytest.mark.parametrize("game", VARIANTS)
def test_a_wrong_deal_that_is_noticed_at_once_is_lawful(game: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perform, "_MISDEALT", 1.0)
    played = perform_hands(3, 2, players=4, game=game)
    ended = [event.reason for event in played.events.events if event.name == "round_ended"]
    assert ended == ["misdeal", "misdeal"]
    assert judge(played.events).findings == []


@pytest.mark.parametrize(("game", "first", "faces"), [("omaha", 4, "d"), ("five_card_draw", 5, "d")])
def test_each_player_gets_the_cards_of_the_game(game: Variant, first: int, faces: str) -> None:
    played = perform_hands(5, 1, players=4, game=game, draw=False)
    dealt = [event for event in played.events.events if event.name == "card_dealt" and event.to.startswith("seat")]
    assert [event.face[0] for event in dealt[: 4 * first]] == [faces] * 4 * first
    assert len({event.to for event in dealt[:4]}) == 4


def test_stud_deals_two_down_and_one_up() -> None:
    played = perform_hands(5, 1, players=4, game="seven_card_stud", draw=False)
    dealt = [event.face for event in played.events.events if event.name == "card_dealt"]
    assert dealt[:12] == ["down"] * 8 + ["up"] * 4


def test_too_many_players_are_refused() -> None:
    with pytest.raises(BadInput, match="too many for seven_card_stud"):
        perform_hands(1, 1, players=6, game="seven_card_stud")


def test_a_breach_that_no_hand_of_so_few_players_can_hold_is_refused() -> None:
    with pytest.raises(BadInput, match="no hand of 3 players found"):
        perform_hands(1, 1, ["stays_unpaid"], players=3)


@pytest.mark.parametrize("name", list(FAULTS))
def test_a_planted_breach_is_what_truly_happens(name: str) -> None:
    played = perform_hands(11, 2, [name], game=FAULTS[name].games[0], players=4)
    (planted,) = played.deviations
    found = [one for one in judge(played.events).findings if one.verdict == "violation" and one.round == planted.round]
    assert planted.clause in {clause for one in found for clause in (one.clause, *one.also)}


def test_the_button_is_drawn_for_by_high_card() -> None:
    for seed in range(4):
        played = perform_hands(seed, 1, draw=True)
        report = judge(played.events)
        assert report.findings == []
        assert {row.verdict for row in report.clauses if row.clause == "ND-09-04.8-first-button-random"} == {"pass"}
        assert played.house.poker_button_draw == "high_card"


def test_the_button_is_drawn_for_once() -> None:
    with pytest.raises(BadInput, match="drawn for once"):
        perform_hands(3, 1, ["draw_not_highest", "draw_lower_suit"])


def test_a_hand_follows_from_its_seed() -> None:
    assert random_hand(random.Random(5), 6) == random_hand(random.Random(5), 6)
    assert perform_hands(5, 2).events == perform_hands(5, 2).events


PUBLISHED = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [400, 400, 400]
actions = [
  "d dh p1 AhAd", "d dh p2 KhKd", "d dh p3 QcQs", "p3 cbr 6", "p1 cc", "p2 f",
  "d db 2c7s9h", "p1 cc", "p3 cbr 10", "p1 cc", "d db 3d", "p1 cc", "p3 cc", "d db 8c", "p1 cc", "p3 cc",
  "p1 sm AhAd", "p3 sm QcQs",
]
"""


def test_a_published_hand_is_performed(tmp_path: Path) -> None:
    (tmp_path / "hand.phh").write_text(PUBLISHED)
    (script,) = scripts_from_phh(tmp_path / "hand.phh")
    played = perform_hands(3, 1, players=script.players, scripts=[script])
    assert judge(played.events).findings == []
    dealt = {event.card for event in played.events.events if event.name == "card_revealed"}
    assert dealt == {"Ah", "Ad", "Qc", "Qs"}


@pytest.mark.parametrize("name", ["stud.phh", "holdem.phh"])  # another game; a player all-in
def test_a_history_that_cannot_be_performed_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="no hand of it can be performed"):
        scripts_from_phh(HANDS / name)


def test_an_unknown_breach_is_refused() -> None:
    with pytest.raises(BadInput, match="is no breach of poker"):
        perform_hands(1, 2, ["marked_cards"])
