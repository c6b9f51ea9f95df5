"""Hand histories in the PHH notation become event logs; lawful ones are not accused, bad ones are refused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pokerkit as pk
import pytest
from poker_play import AUTOMATIC, act_randomly
from pokerkit.notation import HandHistory

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.domain.events import AnyEvent
from verifier.formats.events import read_events
from verifier.law.judge import judge
from verifier.law.poker.phh import import_phh

HANDS = Path(__file__).parent / "hands"
LIMIT = (AUTOMATIC, True, 0, (50, 100), 100, 200)
STUD = (AUTOMATIC, True, 25, 50, 100, 200)
GAMES = {
    "FT": lambda: pk.FixedLimitTexasHoldem(*LIMIT),
    "NT": lambda: pk.NoLimitTexasHoldem(AUTOMATIC, True, 25, (50, 100), 100),
    "PO": lambda: pk.PotLimitOmahaHoldem(AUTOMATIC, True, 0, (50, 100), 100),
    "FO/8": lambda: pk.FixedLimitOmahaHoldemHighLowSplitEightOrBetter(*LIMIT),
    "F7S": lambda: pk.FixedLimitSevenCardStud(*STUD),
    "F7S/8": lambda: pk.FixedLimitSevenCardStudHighLowSplitEightOrBetter(*STUD), "FR": lambda: pk.FixedLimitRazz(*STUD),
}  # fmt: skip


def played(code: str, count: int) -> list[HandHistory]:
    rng = random.Random(code)
    found = []
    for _ in range(count):
        game = GAMES[code]()
        stacks = [rng.choice([400, 1000, 20000]) for _ in range(rng.choice([2, 3, 5]))]
        random.seed(rng.random())
        state = game(stacks, len(stacks))
        while state.status:
            act_randomly(state, rng)
        found.append(HandHistory.from_game_state(game, state))
    return found


@pytest.mark.parametrize("file", sorted(HANDS.glob("*.phh")), ids=lambda f: f.stem)
def test_a_written_hand_is_lawful_and_money_is_conserved(file: Path) -> None:
    (log,) = import_phh(file).logs.values()
    assert [f for f in judge(log).findings if f.verdict == "violation"] == []
    events = log.events
    put_in = sum(e.cents or 0 for e in events if e.name in ("wager_placed", "player_action"))
    out = sum(e.cents or 0 for e in events if e.name in ("pot_awarded", "chips_returned"))
    assert put_in == out
    assert {e.source for e in events} == {"record"}
    assert not {e.name for e in events} & {"card_burned", "button_moved", "shuffle", "cut"}


def money(events: Sequence[AnyEvent], *names: str) -> dict[int | None, int]:
    """Cents by round in the events of these names."""
    found: Counter[int | None] = Counter()
    for event in events:
        if event.name in names:
            found[event.round] += getattr(event, "cents", None) or 0
    return found


@pytest.mark.parametrize("code", GAMES)
def test_random_hands_of_a_collection_are_lawful(code: str, tmp_path: Path) -> None:
    file = tmp_path / "night.phhs"
    file.write_text(HandHistory.dumps_all(played(code, 8)), encoding="utf-8")
    (log,) = import_phh(file).logs.values()
    assert len({e.round for e in log.events}) == 8
    assert money(log.events, "wager_placed", "player_action") == money(log.events, "pot_awarded", "chips_returned")
    assert [f for f in judge(log).findings if f.verdict == "violation"] == []


def test_a_wrong_award_in_a_history_would_be_found() -> None:
    (log,) = import_phh(HANDS / "holdem.phh").logs.values()
    text = [e for e in log.events if e.name == "pot_awarded"]
    import msgspec

    wrong = tuple(msgspec.structs.replace(e, at="seat:3") if e is text[0] else e for e in log.events)
    report = judge(msgspec.structs.replace(log, events=wrong))
    assert "ND-09-04.1-hand-ranking" in {c for f in report.findings for c in (f.clause, *f.also)}


def test_the_command_writes_a_log_that_is_judged(tmp_path: Path) -> None:
    out = tmp_path / "h.events.jsonl"
    assert run(["import-phh", str(HANDS / "holdem.phh"), "--out", str(out)]) == 0
    assert read_events(out).header.rulebook == "nd-poker"
    assert run(["check", str(out)]) == 0


def test_a_folder_of_several_games_gives_a_log_each(tmp_path: Path) -> None:
    out = tmp_path / "all.events.jsonl"
    assert run(["import-phh", str(HANDS), "--out", str(out)]) == 0
    assert sorted(f.name for f in tmp_path.iterdir()) == [
        "all.holdem-high.events.jsonl",
        "all.omaha-high_low.events.jsonl",
        "all.seven_card_stud-high.events.jsonl",
    ]


@pytest.mark.parametrize("text", [
    "", "not toml at all [", 'variant = "NT"', 'variant = "XX"\nactions = []', "\x00\x01",
    (HANDS / "holdem.phh").read_text(encoding="utf-8").replace("p3 cbr 3", "p3 cbr 0.001"),
    (HANDS / "holdem.phh").read_text(encoding="utf-8").replace("p2 cc", "p9 cc"),
    (HANDS / "holdem.phh").read_text(encoding="utf-8").replace("d db 2c7d9h", "d db 2c7d").replace("2c7s9h", "ZZ"),
    (HANDS / "holdem.phh").read_text(encoding="utf-8").replace("starting_stacks = [40,", 'starting_stacks = ["a",'),
    (HANDS / "holdem.phh").read_text(encoding="utf-8").replace('"NT"', '"N2L1D"'),
])  # fmt: skip
def test_bad_input_is_refused_in_one_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.phh"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput):
        import_phh(file)
    assert run(["import-phh", str(file), "--out", str(tmp_path / "o.jsonl")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


@pytest.mark.parametrize(("old", "new", "said"), [
    ('variant = "NT"\n', "", "missing: variant; give a PHH file"),
    *(("[40,", f"[{amount},", "starting_stacks is no amount, or none that is played for")
      for amount in ("9" * 400, "1e999999", "-1e999999", "nan", "1_000_000_000_001")),
    ("antes = [", "antes = 0 # [", "antes is no list of amounts"),
    ("[40,", '["a",', "starting_stacks is no amount, or none that is played for; correct the hand or take it out"),
    ('"p3 cbr 3"', "3", "actions is no list of texts (in quotes)"),
    ("p3 cbr 3", "p3 jump", "an act of player 3 is missing or out of turn; correct the hand or take it out"),
])  # fmt: skip
def test_the_cause_is_told_in_words(old: str, new: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.phh"
    text = (HANDS / "holdem.phh").read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        import_phh(file)
    assert said in str(caught.value)


def test_a_missing_file_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.phh", tmp_path):
        with pytest.raises(BadInput):
            import_phh(path)


HAND = """variant = "NT"
ante_trimming_status = true
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ["d dh p1 AsKs", "d dh p2 2c3d", "p2 f"]
"""


def test_a_hand_that_is_left_out_says_nothing_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.phh").write_text(HAND.replace("antes = [0, 0]", "antes = [1, 1]"), encoding="utf-8")
    (tmp_path / "b.phh").write_text(HAND.replace("antes = [0, 0]", "antes = [1e-400]"), encoding="utf-8")
    made = import_phh(tmp_path)
    (log,) = made.logs.values()
    assert log.header.house["poker_ante"] == 100
    assert len(made.left_out) == 1 and "not in whole cents" in made.left_out[0]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("finishing_stacks = [201, 199]", None),
        ("finishing_stacks = [200, 199]", None),  # one for the house
        ("finishing_stacks = [198, 199]", None),  # all that was won
        (
            "finishing_stacks = [197, 199]",
            r"finishing_stacks \[197, 199\] contradict the acts, which leave \[201, 199\]",
        ),
        ("finishing_stacks = [201, 198]", r"contradict the acts"),  # the house takes nothing of a folded hand's stack
        ("finishing_stacks = [150, 250]", r"contradict the acts"),
        ("finishing_stacks = [201]", r"finishing_stacks \[201\] holds 1 amounts for 2 players"),
        ("winnings = [2, 0]", None),
        ("winnings = [1, -1]", None),
        ("winnings = [3, 0]", None),
        ("winnings = [3.01, 0]", r"winnings \[3.01, 0\] contradict the acts, by which the players get \[3, 0\]"),
        ("winnings = [0, 1]", r"winnings \[0, 1\] contradict the acts"),
        ("winnings = [1, 0, 0]", r"winnings \[1, 0, 0\] holds 3 amounts for 2 players"),
    ],
)
def test_amounts_that_contradict_the_acts_are_told(tmp_path: Path, line: str, says: str | None) -> None:
    """phh_small; the house's share comes from what was won."""
    path = tmp_path / "hand.phh"
    path.write_text(f"{HAND}{line}\n", encoding="utf-8")
    if says is None:
        assert import_phh(path).logs
        return
    with pytest.raises(BadInput, match=says):
        import_phh(path)


def test_a_card_that_is_dealt_twice_is_told(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """phh_small. Where the log shows both, the rulebook judges them; PokerKit's warnings never reach the terminal."""
    path = tmp_path / "hand.phh"
    path.write_text(HAND.replace("2c3d", "AsKd"), encoding="utf-8")
    recwarn.clear()
    with pytest.raises(BadInput, match="the card As is dealt twice"):
        import_phh(path)
    shown = '"d dh p1 AsKs", "d dh p2 AsKd", "p2 cc", "p1 cbr 200", "p2 cc", "p1 sm AsKs", "p2 sm AsKd", "d db 2c3d4h"'
    acts = f'actions = [{shown}, "d db 5s", "d db 7h"]'
    path.write_text(HAND.replace(HAND.splitlines()[-1], acts), encoding="utf-8")
    (log,) = import_phh(path).logs.values()
    assert [e.card for e in log.events if e.name == "card_revealed"].count("As") == 2
    assert not list(recwarn)


def test_whoever_wins_by_a_fold_gets_the_own_bet_with_the_pot(tmp_path: Path) -> None:
    """phh_small; PokerKit pushes only what the others put in: the pot would be short by the bet that was called."""
    path = tmp_path / "hand.phh"
    path.write_text(HAND, encoding="utf-8")
    (log,) = import_phh(path).logs.values()
    assert [(e.at, e.cents) for e in log.events if e.name == "chips_returned"] == [("seat:1", 100)]
    assert [(e.at, e.cents) for e in log.events if e.name == "pot_awarded"] == [("seat:1", 200)]


def test_a_byte_order_mark_is_no_part_of_a_hand(tmp_path: Path) -> None:
    """phh_small."""
    path = tmp_path / "hand.phh"
    path.write_text(HAND, encoding="utf-8-sig")
    assert import_phh(path).logs


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('variant = ["NT"]', "variant is no text"),
        ("antes = [[0], 0]", "antes is no amount"),
        ("antes = [nan, 0]", "antes is no amount"),
        ("antes = [1e999999, 0]", "antes is no amount"),
        ("antes = [1e-400]", "not in whole cents"),
        ("antes = [0.005, 0.005]", "not in whole cents"),
        ("starting_stacks = [true, 200]", "starting_stacks is no amount"),
        ("min_bet = {a = 'b'}", "min_bet is no amount"),
        ("actions = [{a = 1}]", "actions is no list of texts"),
        ("actions = 3", "actions is no list of texts"),
        ("year = 2026.5", "year is no whole number"),
        ("year = 2026\nmonth = 13\nday = 1", "year, month and day are no date"),
        ("year = 99999\nmonth = 1\nday = 1", "year, month and day are no date"),
        ("x = " + "[" * 2000 + "]" * 2000, "nested too deeply"),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_one_line(tmp_path, line, says):
    """The case phh_tracebacks: histories that were damaged or made by other programs."""
    kinds = {
        "variant": '"NT"',
        "antes": "[0, 0]",
        "blinds_or_straddles": "[1, 2]",
        "min_bet": "2",
        "starting_stacks": "[200, 200]",
        "actions": '["d dh p1 AsKs", "d dh p2 2c3d", "p2 f"]',
    }
    kinds.pop(line.partition(" =")[0], None)
    (file := tmp_path / "hand.phh").write_text("\n".join([line, *(f"{name} = {told}" for name, told in kinds.items())]))
    with pytest.raises(BadInput, match=says):
        import_phh(file)
