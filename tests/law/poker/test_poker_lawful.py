"""Lawful hands of every kind, as a table: none may be accused."""
# ruff: noqa: E501 (tables of hands)

from __future__ import annotations

import pytest
from poker_play import HOLE, table_of
from poker_script import BLINDS, BOARD, CALLED, DEALT, LEAD, RIVER, judged, violations
from reports import Keep

SPLIT = (
    f"{CALLED}; burn; board Ah Kd Qc; a 1 check; a 2 check; a 3 check; burn; board Js; a 1 check; a 2 check; a 3 check"
)
FOLD_3 = "a 1 fold; a 2 fold; a 3 fold"
LAWFUL = {
    "everyone folds to the big blind": f"{DEALT}; a 3 fold; a 4 fold; a 1 fold; return 2 50; award 2 100",
    "showdown, best hand shown first by who acted first": f"{RIVER}; show 1 Ah Kd; show 2 9s 2h; show 3 5h 5c; award 2 300",
    "loser mucks unseen": f"{RIVER}; show 1 9s 9c; muck 2; collect 2; muck 3; collect 3; award 1 300",
    "loser concedes": f"{RIVER}; show 1 9s 9c; concede 2; collect 2; concede 3; collect 3; award 1 300",
    "a tie with an odd chip to the left of the button":
        f"{SPLIT}; burn; board Tc; a 1 bet 50; a 2 call 50; a 3 fold; show 1 2h 3h; show 2 4h 5h; "
        "award 1 200; award 2 200",
    "the odd chip pushed by itself":
        f"{DEALT}; a 3 call 100; a 4 call 100; a 1 fold; a 2 check; burn; board Ah Kd Qc; a 2 check; a 3 check; a 4 check;"
        "burn; board Js; a 2 check; a 3 check; a 4 check; burn; board Tc; a 2 bet 100; a 3 call 100; a 4 fold; "
        "show 2 2h 3h; show 3 4h 5h; award 2 250; award 3 250; award 2 50 odd_chip",
    "a short call is completed": f"{DEALT}; a 3 call 50; a 3 call 50; a 4 fold; a 1 call 50; a 2 check; {BOARD}; board 3s; "
        "a 1 check; a 2 check; a 3 check; show 1 Ah Kd; show 2 9s 2h; show 3 5h 5c; award 2 300",
    "a short call is folded": f"{DEALT}; a 3 call 50; a 3 fold; a 4 fold; a 1 fold; return 2 50; award 2 150",
    "a short call is completed with chips": f"{DEALT}; a 3 call 50; chips 3 50; a 4 fold; a 1 fold; a 2 check; burn; "
        "board 2c 7d 9h; a 2 bet 100; a 3 fold; return 2 100; award 2 250",
    "half a raise is completed": f"{DEALT}; a 3 raise 150; chips 3 50; a 4 fold; a 1 fold; a 2 fold; return 3 100; award 3 250",
    "less than half a raise is a call, the rest goes back":
        f"{DEALT}; a 3 raise 140; return 3 40 excess; a 4 fold; a 1 fold; a 2 check; burn; board 2c 7d 9h; a 2 bet 100; "
        "a 3 fold; return 2 100; award 2 250",
    "bets logged as chips and as acts": f"{DEALT}; chips 3 300; a 3 raise 300; a 4 fold; a 1 fold; a 2 fold; return 3 200; "
        "award 3 250",
    "an all-in for less than a raise": f"{DEALT}; a 3 raise 300; all 4 raise 350; a 1 fold; a 2 fold; a 3 call 50; "
        "show 3 Ah Ad; show 4 Kh Kd; burn; board 2c 7d 9h; burn; board Ts; burn; board 3s; award 3 850",
    "side pot, shown first": f"{DEALT}; all 3 raise 400; a 4 call 400; a 1 call 350; a 2 fold; burn; board 2c 7d 9h; "
        "a 1 bet 200; a 4 call 200; burn; board Ts; a 1 check; a 4 check; burn; board 3s; a 1 check; a 4 check; "
        "show 1 Kh Kd; show 4 Qh Qd; show 3 Ah Ad; award 3 1300 high 0; award 1 400 high 1",
    "an exposed card replaced after the deal":
        f"{BLINDS}; deal 1 2 3; expose 3 Kh; deal 4 1 2 3 4; deal 3; burn Kh exposed; a 3 fold; a 4 fold; a 1 fold; "
        "return 2 50; award 2 100",
    "an exposed card burned first, then replaced":
        f"{BLINDS}; deal 1 2 3 4 1; up 2 Kh; deal 3 4; burn Kh exposed; deal 2; a 3 fold; a 4 fold; a 1 fold; "
        "return 2 50; award 2 100",
    "an exposed card replaced at the end of its pass":
        f"{BLINDS}; deal 1; expose 1 Kh; deal 2 3 4; burn Kh exposed; deal 1; deal 1 2 3 4; a 3 fold; a 4 fold; a 1 fold; "
        "return 2 50; award 2 100",
    "a card that a player showed stays":
        f"{DEALT}; shows 3 Kh; a 3 fold; a 4 fold; a 1 fold; return 2 50; award 2 100",
    "a misdeal is dealt again": f"{BLINDS}; deal 1 2 4 1 2 3 4; collect 1 hand; collect 2 hand; collect 3 hand; "
        f"collect 4 hand; return 1 50 void; return 2 100 void; end misdeal\n\n{DEALT}; a 3 fold; a 4 fold; a 1 fold; "
        "return 2 50; award 2 100; end",
    "a misdeal after two folds": f"{BLINDS}; deal 1 2 4 1 2 3 4; a 3 fold; a 4 fold; collect 1 hand; collect 2 hand; "
        "collect 3 hand; collect 4 hand; return 1 50 void; return 2 100 void; end misdeal",
    "heads-up: the button has the small blind": "shuffle; cut; button 1; blind 1 50 small; blind 2 100 big; "
        "deal 2 1 2 1; a 1 call 50; a 2 check; burn; board 2c 7d 9h; a 2 check; a 1 bet 100; a 2 fold; return 1 100; "
        "award 1 200",
    "play becomes heads-up": "shuffle; cut; button 3; blind 1 50 small; blind 2 100 big; deal 1 2 3 1 2 3; a 3 fold; "
        "a 1 fold; return 2 50; award 2 100; end\n\nleave 3; shuffle; cut; button 2; blind 2 50 small; blind 1 100 big; "
        "deal 1 2 1 2; a 2 fold; return 1 50; award 1 100; end",
    "the deck is opened": f"open; look inspect; look spread; {DEALT}; a 3 fold; a 4 fold; a 1 fold; return 2 50; award 2 100",
    "the button is drawn": "shuffle; up 1 Kh; up 2 Ks; up 3 2d; up 4 Qc; button 2; collect 1 hand; shuffle; cut; "
        "blind 3 50 small; blind 4 100 big; deal 3 4 1 2 3 4 1 2; a 1 fold; a 2 fold; a 3 fold; return 4 50; award 4 100",
    "a defective deck: wagers go back": f"{CALLED}; burn; board 2c 2c 9h; return 1 100 void; return 2 100 void; "
        "return 3 100 void; end defective deck",
    "a hand with too many cards is dead": f"{DEALT}; deal 3; a 3 call 100; a 4 fold; a 1 call 50; a 2 check; {BOARD}; "
        "board 3s; a 1 check; a 2 check; a 3 check; show 1 Ah Kd; show 2 9s 2h; show 3 9c 9d 4h; award 2 300",
    "a hand mucked face up wins": f"{RIVER}; show 1 Ah Kd; show 2 9s 9c; muck 2; show 3 5h 5c; award 2 300",
    "a hand retrieved in time": f"{RIVER}; show 1 Ah Kd; muck 2; show 2 9s 9c; show 3 5h 5c; award 2 300",
    "a leaver folds first": f"{DEALT}; a 3 fold; leave 3; a 4 fold; a 1 fold; return 2 50; award 2 100",
    "a faced card is put aside": f"{BLINDS}; deal 1 2; faced Kh; burn Kh faced; deal 3 4 1 2 3 4; a 3 fold; a 4 fold; "
        "a 1 fold; return 2 50; award 2 100",
    "a hand without a flop goes to the one who raised": f"{DEALT}; a 3 raise 300; a 4 fold; a 1 fold; a 2 fold; "
        "return 3 200; award 3 250",
    "the log ends in the hand": f"{CALLED}; burn; board 2c 7d",
    "the log begins in the hand": f"a 3 fold; burn; board 2c 7d 9h; a 1 check; a 2 bet 100; a 1 fold; award 2 300; end\n\n{RIVER}; "
        "show 1 Ah Kd; show 2 9s 2h; show 3 5h 5c; award 2 300",
    "something is taken from the pot": f"{RIVER}; show 1 Ah Kd; show 2 9s 2h; show 3 5h 5c; award 2 280",
}  # fmt: skip
OTHER_GAMES = {
    "high-low, three quarters": (
        f"{RIVER}; show 1 Ah 5h; show 2 As 5c; show 3 Kh Kc; award 3 150 high; award 1 75 low; award 2 75 low",
        {"poker_game": "high_low"}),
    "high-low, wins high and ties low": (
        f"{LEAD}; ante 1 100; ante 2 100; ante 4 100; deal 1 2 4 1 2 4; a 1 check; a 2 check; a 4 check; "
        "burn; board 4c 5d 8h; a 1 check; a 2 check; a 4 check; burn; board Ts; a 1 check; a 2 check; a 4 check; burn; "
        "board Kc; a 1 bet 100; a 2 call 100; a 4 fold; show 1 Ah 2h; show 2 As 2d; award 1 250; award 2 250",
        {"poker_game": "high_low", "poker_blinds": None, "poker_ante": 100}),
    "five-card draw, one stands pat": (
        f"{LEAD}; ante 1 100; ante 2 100; deal 1 2 1 2 1 2 1 2 1 2; a 1 check; a 2 check; collect 1; collect 1; burn; "
        "deal 1 1; a 1 bet 100; a 2 call 100; show 1 Ah Ad Ac 2h 2d; show 2 Kh Kd Kc 3h 3d; award 1 400",
        {"poker_variant": "five_card_draw", "poker_ante": 100, "poker_blinds": None}),
    "stud with a bring-in": (
        f"{LEAD}; ante 1 50; ante 2 50; deal 1 2 1 2; up 1 Kh; up 2 2d; a 2 bet 50; a 1 raise 100; a 2 call 50; burn; "
        "up 1 Qh; up 2 2h; a 2 bet 100; a 1 fold; return 2 100; award 2 300",
        {"poker_variant": "seven_card_stud", "poker_ante": 50, "poker_blinds": None}),
    "a burn after each betting round": (
        f"{CALLED}; burn; board 2c 7d 9h; a 1 check; a 2 check; a 3 check; burn; board Ts; a 1 check; a 2 check; a 3 check; "
        "burn; board 3s; a 1 check; a 2 check; a 3 check; burn; show 1 Ah Kd; show 2 9s 2h; show 3 5h 5c; award 2 300",
        {"poker_burn_procedure": "after_each_round"}),
    "nothing configured": (f"{RIVER}; show 1 Ah Kd; show 2 9s 2h; show 3 5h 5c; award 2 300", {
        "poker_game": None, "poker_variant": None, "poker_blinds": None, "poker_burn_procedure": None,
        "poker_button_draw": None}),
}  # fmt: skip


@pytest.mark.parametrize("script", LAWFUL.values(), ids=LAWFUL.keys())
def test_a_lawful_hand_is_not_accused(script: str, keep: Keep) -> None:
    report = judged(script)
    assert violations(report) == []
    keep(report)


@pytest.mark.parametrize(("script", "house"), OTHER_GAMES.values(), ids=OTHER_GAMES.keys())
def test_a_lawful_hand_of_another_game_is_not_accused(script: str, house: dict[str, object], keep: Keep) -> None:
    report = judged(script, **house)
    assert violations(report) == []
    keep(report)


@pytest.mark.parametrize("variant", HOLE)
@pytest.mark.parametrize("game", ["high", "low", "high_low"])
def test_random_lawful_play_is_not_accused(variant: str, game: str) -> None:
    for seed in (3, 5):
        assert violations(table_of(seed, hands=2, variant=variant, game=game).judge()) == []
