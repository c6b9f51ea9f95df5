"""What the text of 99-01.3-09-04 says of unusual hands: side pots, ties, short all-ins, misdeals, draws."""
# ruff: noqa: E501 (tables of hands)

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from poker_script import BLINDS, CALLED, DEALT, LEAD, RIVER, judged, log_of, touched, verdict, violations
from reports import Keep

from verifier.domain.events import CardRevealed
from verifier.law.judge import judge

VIOLATION, PASS, OPEN, NONE = "violation", "pass", "undetermined", "not_applicable"
ALL_IN = f"{DEALT}; all 3 raise 200; all 4 raise 500; all 1 raise 850; a 2 call 800"
"""Three all-ins: seat 3 for 2.00, seat 4 for 5.00, seat 1 for 9.00, which seat 2 calls. Pots of 8.00, 9.00 and 8.00."""
OUT = "burn; board 2c 7d 9h; burn; board Ts; burn; board 3s"
FOUR = "show 1 8h 8d; show 2 6h 6d; show 4 Qh Qd; show 3 Ah Ad"
DRAW = {"poker_variant": "five_card_draw", "poker_ante": 100, "poker_blinds": None}
DRAWN = (
    f"{LEAD}; ante 1 100; ante 2 100; deal 1 2 1 2 1 2 1 2 1 2; a 1 check; a 2 check; collect 1; collect 1; "
    "collect 2; burn; deal 1 1; expose 1 9c; {}; a 1 check; a 2 check; show 1 Ah Ad Ac 2h 2d; "
    "show 2 Kh Kd Kc 3h 3d; award 1 200"
)
SHORT_BET = f"{CALLED}; burn; board 2c 7d 9h; all 1 bet 30; "
SHORT_SHOWN = "show 2 Kh Kd; show 1 Ah Ad; burn; board Ts; burn; board 3s; award 1 360"
HEADS_UP_SHORT = (
    "shuffle; cut; button 1; blind 1 50 small; blind 2 100 big; deal 2 1 2 1; a 2 check; burn; board 2c 7d 9h; "
    "burn; board Ts; burn; board 3s; return 2 50; show 2 Kh Kd; show 1 Ah Ad; award 1 100"
)


def checks(*seats: int) -> str:
    return "; ".join(f"a {seat} check" for seat in seats)


def river(cards: str, *seats: int, start: str = CALLED) -> str:
    """To the river without a bet, on this board."""
    flop, turn, last = cards[:8], cards[9:11], cards[12:]
    dealt = (f"burn; board {part}; {checks(*(seats or (1, 2, 3)))}" for part in (flop, turn, last))
    return "; ".join((start, *dealt))


SHORT_BLIND = river(
    "2c 7d 9h Ts 3s",
    1,
    3,
    start=(f"{LEAD}; blind 1 50 small; blind 2 40 big; deal 1 2 3 4 1 2 3 4; a 3 call 100; a 4 fold; a 1 call 50"),
)
DRAW_OF_NONE = {"poker_ante": 100, "poker_blinds": None}
SHORT_ANTE = (
    f"{LEAD}; ante 1 60; ante 2 100; ante 3 100; ante 4 100; deal 1 2 3 4 1 2 3 4; a 2 bet 100; a 3 call 100; all 4 call 60; "
    f"{river('2c 7d 9h Ts 3s', 2, 3, start='')}; show 2 8h 8d; show 3 6h 6d; show 4 Kh Kd; show 1 Ah Ad; "
    "award 1 240; award 4 300 high 1; award 2 80 high 2"
)
"""Seat 1 has 0.60 in with the ante, seat 4 is all-in for the first bet, 2 and 3 check to the end."""
SIDE_TIE = (
    f"{LEAD}; ante 2 50; blind 1 50 small; blind 2 100 big; deal 1 2 3 4 1 2 3 4; all 3 raise 200; a 4 call 200; "
    "all 1 call 150; a 2 call 100; burn; board 2c 7d 9h; a 2 bet 200; a 4 call 200; burn; board Ts; "
    "a 2 check; a 4 check; burn; board 3s; a 2 check; a 4 check; show 2 6h 6d; show 4 Qh Qd; show 1 Ah Ad; show 3 Ac As"
)
"""A main pot of 8.50 that seats 1 and 3 tie for, a side pot of 4.00 between 2 and 4."""
BARE = "blind 1 50 small; blind 2 100 big; deal 1 2 3 4 1 2 3 4"
"""A log that begins with the blinds: nothing tells of the shuffle or the button."""
TWO = f"{DEALT}; a 3 fold; a 4 fold; a 1 call 50; a 2 check"


def two(cards: str) -> str:
    return river(cards, 1, 2, start=TWO)


BACK = (
    "collect 1 hand; collect 2 hand; collect 3 hand; collect 4 hand; return 1 50 void; return 2 100 void; end misdeal"
)
SKIPPED = f"{BLINDS}; deal 1 2 4 1 2 3 4"
FIFTY = f"{river('Ah Kh Qh Jh Th', start=CALLED.replace('; deal', '; ante 4 50; deal', 1))}; show 1 2d 3d; show 2 4d 5d; show 3 6d 7d"
HUNDRED = FIFTY.replace("ante 4 50", "ante 4 100")
AUDIO = {"header": {"channels": ["video", "audio"]}}
FOLDS = "a 3 fold; a 4 fold; a 1 fold; return 2 50; award 2 100"
STUD = {"poker_variant": "seven_card_stud", "poker_ante": 50, "poker_blinds": None}
ANTE_OF_50 = {"poker_ante": 50, "poker_blinds": None}
ANTED = "deal 1 2 1 2; a 1 check; a 2 bet 100; a 1 fold; return 2 100; award 2 100; end"
STUD_UP = f"{LEAD}; ante 1 50; ante 2 50; up 1 Kh; deal 2; deal 1 2; {{}}; a 2 bet 50; a 1 fold; return 2 50; award 2 100; end"
"""In stud the first card of seat 1 goes out face up."""

ROWS: list[tuple[str, str, str, dict[str, Any]]] = [
    # Side pots (26), (1)
    ("1-hand-ranking", PASS, f"{ALL_IN}; {FOUR}; {OUT}; award 1 800 high 2; award 4 900 high 1; award 3 800", {}),
    ("1-hand-ranking", VIOLATION, f"{ALL_IN}; {FOUR}; {OUT}; award 1 800 high 2; award 3 1700", {}),
    ("1-hand-ranking", VIOLATION, f"{ALL_IN}; {FOUR}; {OUT}; award 4 1700 high 1; award 3 800", {}),
    ("1-hand-ranking", VIOLATION, f"{ALL_IN}; {FOUR}; {OUT}; award 1 700 high 2; award 4 1000 high 1; award 3 800", {}),
    ("27-odd-chip", NONE, f"{ALL_IN}; {FOUR}; {OUT}; award 1 700 high 2; award 4 1000 high 1; award 3 800", {}),
    ("1-hand-ranking", VIOLATION, f"{ALL_IN}; {FOUR}; {OUT}; award 3 2500", {}),
    ("1-hand-ranking", VIOLATION, f"{DEALT}; a 3 fold; a 4 fold; a 1 fold; return 2 50; award 9 100", {}),
    ("1-hand-ranking", VIOLATION, f"{two('2c 7d 9h Ts 3s')}; show 1 Ah Kd; show 2 9s 2h; award 9 200", {}),
    ("1-hand-ranking", OPEN, f"{DEALT}; a 3 fold; a 4 fold; a 1 fold; return 2 50; weak award 9 100", {}),
    # Ties (25), (27)
    ("25-tie-break", PASS, f"{river('Ah Kh Qh Jh Th')}; show 1 2d 3d; show 2 4d 5d; show 3 6d 7d; award 1 100; award 2 100; award 3 100", {}),
    ("25-tie-break", VIOLATION, f"{river('Ah Kh Qh Jh Th')}; show 1 2d 3d; show 2 4d 5d; show 3 6d 7d; award 1 150; award 2 150", {}),
    ("25-tie-break", VIOLATION, f"{river('8h 8d 8c 8s 2d')}; show 1 Kd 3d; show 2 Ac 5d; show 3 Qd 7d; award 1 300", {}),
    ("25-tie-break", VIOLATION, f"{two('Ah Ad Kc Ks Qd')}; show 1 3d 3c; show 2 2d 2c; award 1 200", {}),
    ("25-tie-break", VIOLATION, f"{two('Ah Kh Jh 9h 2d')}; show 1 3h Qc; show 2 4h 4c; award 1 200", {}),
    ("25-tie-break", VIOLATION, f"{two('8h 9d Tc 2s 3d')}; show 1 Js Qs; show 2 Jd Qd; award 1 200", {}),
    ("25-tie-break", VIOLATION, f"{two('2c 3d 6h Ks Td')}; show 1 Ah 4d; show 2 Ad 5c; award 2 200 low", {"poker_game": "low"}),
    ("27-odd-chip", PASS, f"{FIFTY}; award 1 150; award 2 100; award 3 100", {}),
    ("27-odd-chip", VIOLATION, f"{FIFTY}; award 1 100; award 2 150; award 3 100", {}),
    ("27-odd-chip", PASS, f"{HUNDRED}; award 1 150; award 2 150; award 3 100", {}),
    ("27-odd-chip", VIOLATION, f"{HUNDRED}; award 1 200; award 2 100; award 3 100", {}),
    ("27-odd-chip", PASS, f"{HUNDRED}; award 1 134; award 2 133; award 3 133", {}),
    ("27-odd-chip", PASS, f"{SIDE_TIE}; award 1 450; award 3 400; award 4 400 high 1", {}),
    ("27-odd-chip", VIOLATION, f"{SIDE_TIE}; award 1 400; award 3 450; award 4 400 high 1", {}),
    ("27-odd-chip", VIOLATION, f"{SIDE_TIE}; award 1 400; award 3 400; award 3 50 odd_chip; award 4 400 high 1", {}),
    # The ace in a straight (1)(f)
    ("1.f-ace-low-straight", PASS, f"{two('2h 3d 4c 5s Kd')}; show 1 Ad Ac; show 2 6h 6d; award 2 200", {}),
    ("1.f-ace-low-straight", VIOLATION, f"{two('2h 3d 4c 5s Kd')}; show 1 Ad Qc; show 2 6h 8d; award 1 200", {}),
    # The size of raises (17)
    ("17-multi-chip-half-raise", VIOLATION, f"{DEALT}; a 3 raise 300; a 4 raise 400; a 1 fold; a 2 fold; a 3 fold; return 4 100; award 4 750", {}),
    ("17-multi-chip-half-raise", PASS, f"{DEALT}; a 3 raise 300; a 4 raise 500; a 1 fold; a 2 fold; a 3 fold; return 4 200; award 4 750", {}),
    ("17-multi-chip-half-raise", OPEN, f"{DEALT}; a 3 raise 140 20 7; a 4 fold; a 1 fold; a 2 fold; return 3 40; award 3 250", {}),
    ("17-multi-chip-half-raise", OPEN, f"{SHORT_BET}a 2 raise 100; a 3 fold; return 2 70; {SHORT_SHOWN}", {}),
    ("17-multi-chip-half-raise", PASS, f"{SHORT_BET}a 2 raise 130; a 3 fold; return 2 100; {SHORT_SHOWN}", {}),
    ("17-multi-chip-half-raise", VIOLATION, f"{CALLED}; burn; board 2c 7d 9h; all 1 bet 100; a 2 raise 160; a 3 fold; return 2 60; {SHORT_SHOWN}", {}),
    # A blind or ante that may have been the last chip (10), (11)
    ("10-round-ends", OPEN, f"{SHORT_BLIND}; show 1 8h 8d; show 3 6h 6d; show 2 Ah Ad; award 2 120; award 1 120 high 1", {}),
    ("10-round-ends", PASS, f"{SHORT_BLIND}; show 1 8h 8d; show 3 6h 6d; show 2 Ah Ad; award 2 120; award 1 120 high 1",
     {"stacks": {"seat:1": 5000, "seat:2": 40, "seat:3": 5000, "seat:4": 5000}}),
    ("10-round-ends", VIOLATION, f"{SHORT_BLIND}; show 1 8h 8d; show 3 6h 6d; show 2 Ah Ad; award 2 120; award 1 120 high 1",
     {"stacks": {"seat:1": 5000, "seat:2": 4000, "seat:3": 5000, "seat:4": 5000}}),
    ("11-heads-up-blind", PASS, HEADS_UP_SHORT, {}),
    ("10-round-ends", OPEN, HEADS_UP_SHORT, {}),
    ("9-ante", VIOLATION, f"{LEAD}; ante 1 60; ante 2 100; deal 1 2 1 2", DRAW_OF_NONE),
    ("9-ante", OPEN, SHORT_ANTE, DRAW_OF_NONE), ("23.e-side-pot-first", NONE, SHORT_ANTE, DRAW_OF_NONE),
    ("9-ante", VIOLATION, SHORT_ANTE, {**DRAW_OF_NONE, "stacks": {f"seat:{n}": 5000 for n in (1, 2, 3, 4)}}),
    ("9-ante", PASS, SHORT_ANTE, {**DRAW_OF_NONE, "stacks": {"seat:1": 60, "seat:2": 5000, "seat:3": 5000, "seat:4": 160}}),
    # Misdeals (13)
    ("13-substantial-action", PASS, f"{SKIPPED}; a 3 call 100; a 4 call 100; return 3 100 void; return 4 100 void; {BACK}", {}),
    ("13-substantial-action", PASS, f"{SKIPPED}; a 3 raise 300; return 3 300 void; {BACK}", {}),
    ("13-substantial-action", PASS, f"{SKIPPED}; a 3 call 50; a 3 call 50; a 4 fold; return 3 100 void; {BACK}", {}),
    ("13-substantial-action", VIOLATION, f"{SKIPPED}; a 3 raise 300; a 4 fold; return 3 300 void; {BACK}", {}),
    ("13-substantial-action", VIOLATION, f"{SKIPPED}; a 3 fold; a 4 fold; a 1 fold; {BACK}", {}),
    # An exposed card of a draw (12)
    ("12-exposed-card", PASS, DRAWN.format("deal 2; burn 9c exposed; deal 1"), DRAW),
    ("12-exposed-card", VIOLATION, DRAWN.format("burn 9c exposed; deal 1; deal 2"), DRAW),
    ("12-exposed-card", VIOLATION, DRAWN.format("deal 2"), DRAW),
    # Antes that the dealer left lying (9)
    ("9-ante", VIOLATION, f"{LEAD}; ante 1 50; ante 2 50; sweep 1 50 ante; {ANTED}", ANTE_OF_50),
    ("9-ante", PASS, f"{LEAD}; ante 1 50; ante 2 50; sweep 1 50 ante; sweep 2 50 ante; {ANTED}", ANTE_OF_50),
    ("9-ante", PASS, f"{LEAD}; ante 1 50; ante 2 50; {ANTED}", ANTE_OF_50),
    # What was spoken (15)
    ("15-verbal-binding", PASS, f"{DEALT}; say raise 300; a 3 raise 200; chips 3 100; a 4 fold; a 1 fold; a 2 fold; return 3 200; award 3 250", AUDIO),
    ("15-verbal-binding", VIOLATION, f"{DEALT}; say raise 400; a 3 raise 200; chips 3 100; a 4 fold; a 1 fold; a 2 fold; return 3 200; award 3 250", AUDIO),
    ("15-verbal-binding", PASS, f"{DEALT}; say raise 200; a 3 raise 300; a 4 fold; a 1 fold; a 2 fold; return 3 200; award 3 250", AUDIO),
    ("15-verbal-binding", VIOLATION, f"{DEALT}; say raise 201; a 3 raise 300; a 4 fold; a 1 fold; a 2 fold; return 3 200; award 3 250", AUDIO),
    ("15-verbal-binding", PASS, f"{DEALT}; say raise; a 3 raise 300; a 4 fold; a 1 fold; a 2 fold; return 3 200; award 3 250", AUDIO),
    ("15-verbal-binding", PASS, f"{DEALT}; say call 100; a 3 call 100; a 4 fold; a 1 fold; a 2 check; burn; board 2c 7d 9h", AUDIO),
    ("15-verbal-binding", VIOLATION, f"{DEALT}; say fold; a 3 call 100; a 4 fold; a 1 fold; a 2 check; burn; board 2c 7d 9h", AUDIO),
    ("15-verbal-binding", OPEN, f"{DEALT}; say raise 300; a 3 raise ?; a 4 fold; a 1 fold; a 2 fold; award 3 250", AUDIO),
    ("15-verbal-binding", PASS, f"{CALLED}; burn; board 2c 7d 9h; say bet 100; a 1 bet 100; a 2 fold; a 3 fold; return 1 100; award 1 300", AUDIO),
    ("15-verbal-binding", VIOLATION, f"{CALLED}; burn; board 2c 7d 9h; say bet 200; a 1 bet 100; a 2 fold; a 3 fold; return 1 100; award 1 300", AUDIO),
    ("15-verbal-binding", VIOLATION, f"{CALLED}; burn; board 2c 7d 9h; say check; a 1 bet 100; a 2 fold; a 3 fold; return 1 100; award 1 300", AUDIO),
    ("15-verbal-binding", NONE, f"{CALLED}; burn; say bet 200; board 2c 7d 9h; a 1 check; a 2 check; a 3 check", AUDIO),
    # Exposed cards whose burn names the cause, or another one (12)
    ("12-exposed-card", PASS, f"{BLINDS}; deal 1 2 3; expose 3 Kh; deal 4 1 2 3 4; deal 3; burn ?? exposed; {FOLDS}", {}),
    ("12-exposed-card", PASS, f"{BLINDS}; deal 1 2 3; expose 3 Kh; deal 4 1 2 3 4; deal 3; burn ?? flashed; {FOLDS}", {}),
    ("12-exposed-card", VIOLATION, STUD_UP.format("up 1 9c; up 2 2d"), STUD),
    # Another card is burned, in place of the exposed one or beside it (12, 14)
    ("12-exposed-card", OPEN, f"{BLINDS}; deal 1 2 3; expose 3 Kh; deal 4 1 2 3 4; deal 3; burn 5c; {FOLDS}", {}),
    ("12-exposed-card", OPEN, f"{BLINDS}; deal 1 2 3; expose 3 Kh; deal 4 1 2 3 4; deal 3; burn; {FOLDS}", {}),
    ("14-burn-policy", OPEN, f"{BLINDS}; deal 1 2 3; expose 3 Kh; deal 4 1 2 3 4; deal 3; burn Kh exposed; burn; {FOLDS}", {}),
    ("14-burn-policy", NONE, f"{BLINDS}; deal 1 2 3; expose 3 Kh; deal 4 1 2 3 4; deal 3; burn Kh exposed; {FOLDS}", {}),
    ("14-burn-policy", OPEN, f"{DEALT}; burn; {FOLDS}", {}),
    # What the log does not hold
    ("11-heads-up-switch", NONE, "shuffle; cut; button 3; blind 1 50 small; blind 2 100 big; deal 1 2 3 1 2 3; a 3 fold; a 1 fold; return 2 50; "
     "award 2 100; end\n\nshuffle; cut; button 1; blind 2 50 small; blind 3 100 big; deal 2 3", {}),
    ("26-dealer-awards", OPEN, f"{RIVER}; show 1 Ah Kd; show 2 Qh Qd; show 3 Js 8s; award 3 ?; end", {}),
    ("25-tie-break", OPEN, f"{river('Ah Kh Qh Jh Th')}; show 1 2d 3d; show 2 4d 5d; show 3 6d 7d; award 1 100", {}),
    ("10-match-or-raise", VIOLATION, f"{BARE}; a 3 check; a 4 fold; a 1 fold; a 2 check", {}),
    ("10-match-or-raise", OPEN, f"{BARE.replace('blind 1 50 small; ', '')}; a 3 check; a 4 fold; a 1 fold; a 2 check", {}),
    ("10-match-or-raise", NONE, "deal 1 2 3 4 1 2 3 4; a 3 check; a 4 fold; a 1 fold; a 2 check", {}),
    ("10-first-round-start", VIOLATION, f"{BARE}; a 4 fold; a 3 fold; a 1 fold; return 2 50; award 2 100", {}),
    ("9-ante", OPEN, "ante 2 100; deal 1 2 1 2; a 1 check; a 2 bet 100; a 1 fold; return 2 100; award 2 200",
     {"poker_ante": 100, "poker_blinds": None}),
    ("9-ante", VIOLATION, f"{LEAD}; ante 2 100; deal 1 2 1 2; a 1 check; a 2 bet 100; a 1 fold; return 2 100; award 2 100",
     {"poker_ante": 100, "poker_blinds": None}),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "expected", "script", "options"), ROWS,
                         ids=[f"{n} {row[0]} {row[1]}" for n, row in enumerate(ROWS)])  # fmt: skip
def test_a_clause_says_of_an_unusual_hand(
    clause: str, expected: str, script: str, options: dict[str, Any], keep: Keep
) -> None:
    report = judged(script, **options)
    keep(report)
    assert verdict(report, clause) == expected, [(f.clause, f.verdict, f.observed) for f in report.findings]
    assert verdict(touched(script, **options), clause) == expected


@pytest.mark.parametrize("row", [row for row in ROWS if row[1] in (PASS, OPEN, NONE) and "700" not in row[2]],
                         ids=lambda row: row[0])  # fmt: skip
def test_an_unusual_but_lawful_hand_is_not_accused(row: tuple[str, str, str, dict[str, Any]]) -> None:
    assert violations(judged(row[2], **row[3])) == []


@pytest.mark.parametrize(
    ("shown", "clause", "wanted"),
    [
        (("seat:1", "seat:2", "seat:3"), "23-show-order", OPEN),
        (("seat:1", "seat:2", "seat:3"), "23.d-clockwise", OPEN),
        (("seat:2", "seat:3"), "23-show-order", PASS),
        (("seat:2", "seat:3"), "23.d-clockwise", OPEN),
    ],
)
def test_of_hands_that_were_shown_at_once_nobody_knows_which_came_first(
    shown: tuple[str, ...], clause: str, wanted: str
) -> None:
    log = log_of(f"{RIVER}; show 1 Ah Kd; show 2 Qh Qd; show 3 Js 8s; award 3 300")
    times = next(e for e in log.events if isinstance(e, CardRevealed) and e.at in shown)
    events = tuple(
        msgspec.structs.replace(e, t_start=times.t_start, t_end=times.t_end)
        if isinstance(e, CardRevealed) and e.at in shown
        else e
        for e in log.events
    )
    assert verdict(judge(msgspec.structs.replace(log, events=events)), clause) == wanted
