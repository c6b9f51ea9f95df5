"""Each clause as a table: what breaks it, what does not, what leaves it open."""
# ruff: noqa: E501 (tables of hands)

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from poker_script import BLINDS, BOARD, CALLED, DEALT, LEAD, RIVER, judged, touched, verdict
from reports import hold, hold_titles

from verifier.domain.findings import FindingsReport
from verifier.law.assessed import NO_CHECK, reason_without_check
from verifier.law.attested import attestable
from verifier.law.catalogue import clauses
from verifier.law.registry import checked_clauses

SHOWN = "show 1 Ah Kd; show 2 9s 2h; show 3 5h 5c"
FOLDS = "a 3 fold; a 4 fold; a 1 fold; return 2 50; award 2 100"
VIOLATION, PASS, OPEN, NONE = "violation", "pass", "undetermined", "not_applicable"
STUD = {"poker_variant": "seven_card_stud", "poker_blinds": None}
DRAW = {"poker_variant": "five_card_draw", "poker_blinds": None, "poker_ante": 100}
FIVE = "deal 1 2 1 2 1 2 1 2 1 2"
ANTES = f"{LEAD}; ante 1 100; ante 2 100; ante 3 100; ante 4 100"
ANTED = f"{ANTES}; deal 1 2 3 4 1 2 3 4; a 1 bet 100; a 2 fold; a 3 fold; a 4 fold; return 1 100; award 1 400"
TIED = (
    f"{CALLED}; burn; board Ah Kd Qc; a 1 check; a 2 check; a 3 check; burn; board Js; a 1 check; a 2 check; a 3 check; "
    "burn; board Tc; a 1 bet 50; a 2 call 50; a 3 fold; show 1 2h 3h; show 2 4h 5h"
)
ODD = (
    f"{DEALT}; a 3 call 100; a 4 call 100; a 1 fold; a 2 check; burn; board Ah Kd Qc; a 2 check; a 3 check; a 4 check; "
    "burn; board Js; a 2 check; a 3 check; a 4 check; burn; board Tc; a 2 bet 100; a 3 call 100; a 4 fold; "
    "show 2 2h 3h; show 3 4h 5h"
)
HILO = f"{RIVER}; show 1 Ah 5h; show 2 Kh Kc; show 3 9h 9c"
SIDE = (
    f"{DEALT}; all 3 raise 400; a 4 call 400; a 1 call 350; a 2 fold; burn; board 2c 7d 9h; a 1 bet 200; a 4 call 200; "
    "burn; board Ts; a 1 check; a 4 check; burn; board 3s; a 1 check; a 4 check"
)
HEADS = "shuffle; cut; button 1; blind 1 50 small; blind 2 100 big; deal 2 1 2 1; a 1 call 50; a 2 check; burn; board 2c 7d 9h"
THREE = (
    "shuffle; cut; button 3; blind 1 50 small; blind 2 100 big; deal 1 2 3 1 2 3; a 3 fold; a 1 fold; return 2 50; "
    "award 2 100; end\n\n"
)
RUN = f"{DEALT}; all 3 raise 400; a 4 fold; a 1 fold; all 2 call 300; sweep 3 400; sweep 2 400; sweep 1 50"
SHOWN_AT_ONCE = f"{RUN}; show 3 Ah Ad; show 2 Kh Kd; burn; board 2c 7d 9h; burn; board Ts; burn; board 3s"
OPENED = f"open; look inspect; look spread; {DEALT}; {FOLDS}"
DRAWN = (
    "shuffle; up 1 Kh; up 2 Ks; up 3 2d; up 4 Qc; button {}; collect 1 hand; shuffle; cut; deal 3 4 1 2 3 4 1 2; "
    "a 1 fold; a 2 fold; a 3 fold; award 4 100"
)
DEFECT = f"{CALLED}; burn; board 2c 2c 9h"
AUDIO = {"header": {"channels": ["video", "audio"]}}

ROWS: list[tuple[str, str, str, dict[str, Any]]] = [
    # The deck
    ("2-one-deck", PASS, f"{RIVER}; {SHOWN}; award 2 300", {}),
    ("2-one-deck", VIOLATION, f"{RIVER}; show 1 Ah Kd; show 2 Ah 2h; award 1 300", {}),
    ("2-one-deck", VIOLATION, f"{RIVER}; show 1 Ah 2c; show 2 9s 2h; award 1 300", {}),
    ("2-one-deck", VIOLATION, f"{CALLED}; burn 2c; board 2c 7d 9h; a 1 bet 100; a 2 fold; a 3 fold; award 1 300", {}),
    ("2-one-deck", PASS, f"{RIVER}; show 1 Ah Kd; show 1 Ah Kd; show 2 9s 2h; award 2 300", {}),
    ("2-one-deck", OPEN, f"{DEFECT}; return 1 100 void; return 2 100 void; return 3 100 void; end defective deck", {}),
    ("28-defective-deck", PASS, f"{DEFECT}; return 1 100 void; return 2 100 void; return 3 100 void; end defective deck", {}),
    ("28-defective-deck", VIOLATION, f"{DEFECT}; return 1 100 void; return 2 50 void; return 3 100 void; end defective deck", {}),
    ("28-defective-deck", VIOLATION, f"{DEFECT}; return 1 100 void; return 3 100 void; end defective deck", {}),
    ("28-defective-deck", VIOLATION, f"{DEFECT}; award 1 300; end defective deck", {}),
    ("28-defective-deck", VIOLATION, f"{DEFECT}; a 1 bet 100; a 2 fold; a 3 fold; award 1 300", {}),
    ("4-approve-deck", PASS, OPENED, {}),
    ("4-approve-deck", VIOLATION, OPENED.replace("look inspect; ", ""), {}),
    ("4-approve-deck", OPEN, OPENED.replace("open; look inspect; ", ""), {}),
    ("4-approve-deck", VIOLATION, f"open; look spread; {DEALT.replace('cut', 'look inspect; cut')}; {FOLDS}", {}),
    ("5-spread", PASS, OPENED, {}),
    ("5-spread", VIOLATION, OPENED.replace("look spread; ", ""), {}),
    ("5-shuffle-after", PASS, OPENED, {}),
    ("5-shuffle-after", VIOLATION, f"open; look inspect; look spread; {DEALT.replace('shuffle; cut; ', '')}; {FOLDS}", {}),
    ("5-shuffle-after", VIOLATION, f"open; look inspect; shuffle; cut; look spread; {DEALT.replace('shuffle; cut; ', '')}; {FOLDS}", {}),
    ("6-shuffle-each-hand", PASS, f"{DEALT}; {FOLDS}; end\n\n{DEALT}; {FOLDS}", {}),
    ("6-shuffle-each-hand", VIOLATION, f"{DEALT}; {FOLDS}; end\n\n{DEALT.replace('shuffle; cut; ', '')}; {FOLDS}", {}),
    ("6-shuffle-each-hand", VIOLATION, f"{DEALT}; {FOLDS}; end\n\n{DEALT.replace('shuffle', 'shuffle discards')}; {FOLDS}", {}),
    ("6-shuffle-each-hand", NONE, f"{DEALT.replace('shuffle; cut; ', '')}; {FOLDS}", {}),
    ("6-shuffle-each-hand", OPEN, f"{DEALT}; {FOLDS}; end\n\nweak {DEALT}; {FOLDS}", {}),
    ("6-dealer-cut", PASS, f"{DEALT}; {FOLDS}", {}),
    ("6-dealer-cut", VIOLATION, f"{DEALT.replace('cut; ', '')}; {FOLDS}", {}),
    ("6-dealer-cut", VIOLATION, f"{DEALT.replace('cut', 'cut player')}; {FOLDS}", {}),
    ("6-dealer-cut", VIOLATION, f"{DEALT.replace('cut', 'cut seat:3')}; {FOLDS}", {}),
    ("6-dealer-cut", VIOLATION, f"{DEALT.replace('shuffle; cut', 'cut; shuffle')}; {FOLDS}", {}),
    ("7-order-undisturbed", VIOLATION, f"{CALLED}; shuffle; {BOARD}; board 3s; a 1 bet 50; a 2 fold; a 3 fold; award 1 300", {}),
    ("7-order-undisturbed", VIOLATION, f"{BLINDS}; deal 1 2; cut; deal 3 4 1 2 3 4; {FOLDS}", {}),
    ("7-order-undisturbed", PASS, f"{DEALT}; {FOLDS}; shuffle; cut", {}),
    # The button
    ("8-suit-tiebreak", PASS, DRAWN.format(2), {}),
    ("8-suit-tiebreak", VIOLATION, DRAWN.format(1), {}),
    ("8-suit-tiebreak", OPEN, DRAWN.format(2).replace("Ks", "K?"), {}),
    ("8-first-button-random", VIOLATION, DRAWN.format(4).replace("Ks", "3s"), {}),
    ("8-first-button-random", PASS, DRAWN.format(2).replace("Kh", "3h"), {}),
    ("8-first-button-random", VIOLATION, DRAWN.format(2).replace("up 3 2d; ", ""), {"seats": [f"seat:{n}" for n in (1, 2, 3, 4)]}),
    ("8-first-button-random", VIOLATION, OPENED, {"poker_button_draw": "high_card"}),
    ("8-first-button-random", NONE, f"{DEALT}; {FOLDS}", {"poker_button_draw": "high_card"}),
    # Antes
    ("9-ante", PASS, ANTED, {"poker_ante": 100, "poker_blinds": None}),
    ("9-ante", VIOLATION, ANTED.replace("ante 3 100; ", ""), {"poker_ante": 100, "poker_blinds": None}),
    ("9-ante", VIOLATION, ANTED.replace("ante 3 100", "ante 3 50"), {"poker_ante": 100, "poker_blinds": None}),
    ("9-ante", VIOLATION, ANTED.replace("ante 4 100; deal 1", "deal 1; ante 4 100; deal"), {"poker_ante": 100, "poker_blinds": None}),
    ("9-ante", OPEN, ANTED.replace("ante 3 100", "ante 3 ?"), {"poker_ante": 100, "poker_blinds": None}),
    ("9-ante", "not_assessed", f"{DEALT}; {FOLDS}", {}),
    ("9-ante-fixed", PASS, ANTED, {"poker_ante": 100, "poker_blinds": None}),
    ("9-ante-fixed", VIOLATION, ANTED.replace("a 1 bet", "change 2 100 200 ante; a 1 bet"), {"poker_ante": 100, "poker_blinds": None}),
    ("9-ante-fixed", PASS, ANTED.replace("deal 1 2 3", "change 2 50 100 ante; deal 1 2 3"), {"poker_ante": 100, "poker_blinds": None}),
    ("9-ante-fixed", VIOLATION, ANTED.replace("a 1 bet", "ante 2 100; a 1 bet"), {"poker_ante": 100, "poker_blinds": None}),
    ("9-ante-fixed", OPEN, ANTED.replace("a 1 bet", "change 2 ? ? ante; a 1 bet"), {"poker_ante": 100, "poker_blinds": None}),
    # The deal
    ("7-left-of-button", PASS, f"{DEALT}; {FOLDS}", {}),
    ("7-left-of-button", VIOLATION, f"{BLINDS}; deal 2 3 4 1 2 3 4 1; {FOLDS}", {}),
    ("7-left-of-button", VIOLATION, f"{BLINDS}; deal 1 2 4 3 1 2 3 4; {FOLDS}", {}),
    ("7-left-of-button", VIOLATION, f"{BLINDS}; deal 1 1 2 2 3 3 4 4; {FOLDS}", {}),
    ("13-misdeal", OPEN, f"{BLINDS}; deal 1 2; weak deal 4; deal 3 4 1 2 3 4; {FOLDS}", {}),
    ("7-left-of-button", VIOLATION, f"{LEAD}; ante 1 100; ante 2 100; {FIVE}; a 1 check; a 2 check; collect 1; collect 2; burn; deal 2 1; "
     "a 1 bet 100; a 2 fold; return 1 100; award 1 200", DRAW),
    ("13-misdeal", VIOLATION, f"{BLINDS}; deal 1 2 3 4 1 2 4; {FOLDS}", {}),
    ("13-misdeal", VIOLATION, f"{DEALT}; deal 3; {FOLDS}", {}),
    ("13-misdeal", VIOLATION, f"{DEALT}; {FOLDS}", {"seats": [f"seat:{n}" for n in (1, 2, 3, 4, 5)]}),
    ("13-misdeal", VIOLATION, f"{DEALT}; {FOLDS}", {"seats": [f"seat:{n}" for n in (1, 2, 4)]}),
    ("13-misdeal", PASS, f"arrive 3; {DEALT}; {FOLDS}", {"seats": [f"seat:{n}" for n in (1, 2, 4)]}),
    ("13-misdeal", PASS, f"leave 5; {DEALT}; {FOLDS}", {"seats": [f"seat:{n}" for n in (1, 2, 3, 4, 5)]}),
    ("13-misdeal", PASS, f"{BLINDS}; deal 1 2 3 4 1 2 4; collect 1 hand; collect 2 hand; collect 3 hand; collect 4 hand; "
     "return 1 50 void; return 2 100 void; end misdeal", {}),
    ("13-misdeal", VIOLATION, f"{BLINDS}; deal 1 2 3 4 1 2 4; collect 1 hand; collect 2 hand; return 1 50 void; return 2 100 void; "
     "end misdeal", {}),
    ("13-misdeal", OPEN, f"{DEALT}; deal 3; a 3 call 100; a 4 fold; a 1 call 50; a 2 check; {BOARD}; board 3s; "
     "a 1 check; a 2 check; a 3 check; show 1 Ah Kd; show 2 9s 2h; show 3 9c 9d 4h; award 2 300", {}),
    ("13-substantial-action", PASS, f"{BLINDS}; deal 1 2 3 4 1 2 4; a 3 fold; a 4 fold; end misdeal", {}),
    ("13-substantial-action", VIOLATION, f"{BLINDS}; deal 1 2 3 4 1 2 4; a 3 fold; a 4 fold; a 1 call 50; end misdeal", {}),
    ("13-substantial-action", VIOLATION, f"{BLINDS}; deal 1 2 3 4 1 2 4; a 3 raise 200; a 4 fold; end misdeal", {}),
    ("13-substantial-action", PASS, f"{BLINDS}; deal 1 2 3 4 1 2 4; a 3 raise 200; end misdeal", {}),
    ("12-exposed-card", VIOLATION, f"{BLINDS}; deal 1 2 3; expose 3 Kh; deal 4 1 2 3 4; {FOLDS}", {}),
    ("12-exposed-card", VIOLATION, f"{BLINDS}; deal 1 2 3; expose 3 Kh; burn Kh exposed; deal 3; deal 4 1 2 3 4; {FOLDS}", {}),
    ("12-exposed-card", VIOLATION, f"{BLINDS}; deal 1 2; up 3 Kh; deal 4 1 2 3 4; {FOLDS}", {}),
    ("12-exposed-card", PASS, f"{BLINDS}; deal 1 2 3; expose 3 Kh; deal 4 1 2 3 4; deal 3; burn Kh exposed; {FOLDS}", {}),
    ("12-exposed-card", PASS, f"{BLINDS}; deal 1 2; up 3 Kh; deal 4; burn Kh exposed; deal 3; deal 1 2 3 4; {FOLDS}", {}),
    ("12-exposed-card", VIOLATION, f"{DEALT}; shows 3 Kh; burn Kh exposed; deal 3; {FOLDS}", {}),
    ("12-exposed-card", PASS, f"{DEALT}; shows 3 Kh; {FOLDS}", {}),
    ("12-exposed-card", OPEN, f"{BLINDS}; deal 1 2 3; weak expose 3 Kh; deal 4 1 2 3 4; {FOLDS}", {}),
    ("14-burn-policy", PASS, f"{RIVER}; {SHOWN}; award 2 300", {}),
    ("14-burn-policy", VIOLATION, f"{CALLED}; {BOARD.replace('burn; board Ts', 'board Ts')}; board 3s; a 1 bet 50; a 2 fold; a 3 fold; award 1 300", {}),
    ("14-burn-policy", VIOLATION, f"{CALLED}; burn; {BOARD}; board 3s; a 1 bet 50; a 2 fold; a 3 fold; award 1 300", {}),
    ("14-burn-policy", VIOLATION, f"{DEALT}; a 3 call 100; burn; a 4 fold; a 1 call 50; a 2 check; board 2c 7d 9h; a 1 bet 50; a 2 fold; a 3 fold; award 1 300", {}),
    ("14-burn-policy", VIOLATION, f"{RIVER}; burn; {SHOWN}; award 2 300", {}),
    ("14-burn-policy", PASS, f"{RIVER}; burn; {SHOWN}; award 2 300", {"poker_burn_procedure": "after_each_round"}),
    ("14-burn-policy", OPEN, f"{CALLED}; weak burn; board 2c 7d 9h; a 1 bet 50; a 2 fold; a 3 fold; award 1 300", {}),
    ("22-faced-deck-card", VIOLATION, f"{BLINDS}; deal 1 2; faced Kh; up 3 Kh; deal 4 1 2 3 4; {FOLDS}", {}),
    ("22-faced-deck-card", PASS, f"{BLINDS}; deal 1 2; faced Kh; burn Kh faced; deal 3 4 1 2 3 4; {FOLDS}", {}),
    ("22-faced-deck-card", VIOLATION, f"{CALLED}; burn; board 2c 7d; burn 9h faced; board 9h; a 1 bet 50; a 2 fold; a 3 fold; award 1 300", {}),
    # Turns
    ("10-first-round-start", PASS, f"{DEALT}; {FOLDS}", {}),
    ("10-first-round-start", VIOLATION, f"{DEALT}; a 4 fold; a 3 fold; a 1 fold; return 2 50; award 2 100", {}),
    ("10-first-round-start", VIOLATION, ANTED.replace("a 1 bet 100; a 2 fold", "a 2 fold; a 1 bet 100"), {"poker_ante": 100, "poker_blinds": None}),
    ("10-first-round-start", VIOLATION, f"{DEALT}; a 3 call 100; a 1 fold; a 4 fold; return 2 0; a 2 check; burn; board 2c 7d 9h; a 2 bet 100; a 3 fold; award 2 250", {}),
    ("10-later-rounds", PASS, f"{RIVER}; {SHOWN}; award 2 300", {}),
    ("10-later-rounds", VIOLATION, f"{CALLED}; burn; board 2c 7d 9h; a 2 check; a 3 check; a 1 bet 50; a 2 fold; a 3 fold; award 1 300", {}),
    ("10-later-rounds", OPEN, f"{CALLED}; burn; board 2c 7d 9h; weak a 3 check; a 1 check; a 2 bet 100; a 3 fold; a 1 fold; award 2 300", {}),
    ("11-heads-up-blind", PASS, f"{HEADS}; a 2 bet 100; a 1 fold; return 2 100; award 2 200", {}),
    ("11-heads-up-blind", VIOLATION, f"{HEADS}; a 1 bet 100; a 2 fold; return 1 100; award 1 200", {}),
    ("11-heads-up-blind", VIOLATION, "shuffle; cut; button 2; blind 1 50 small; blind 2 100 big; deal 1 2 1 2; a 1 fold; award 2 150", {}),
    ("11-heads-up-blind", VIOLATION, "shuffle; cut; button 1; blind 1 50 small; blind 2 100 big; deal 2 1 2 1; a 2 check; a 1 fold; award 2 150", {}),
    ("11-heads-up-switch", PASS, f"{THREE}leave 3; shuffle; cut; button 2; blind 2 50 small; blind 1 100 big; deal 1 2 1 2; a 2 fold; award 1 150", {}),
    ("11-heads-up-switch", VIOLATION, f"{THREE}leave 3; shuffle; cut; button 1; blind 1 50 small; blind 2 100 big; deal 2 1 2 1; a 1 fold; award 2 150", {}),
    # Bets
    ("10-match-or-raise", PASS, f"{RIVER}; {SHOWN}; award 2 300", {}),
    ("10-match-or-raise", VIOLATION, f"{DEALT}; a 3 check; a 4 fold; a 1 fold; a 2 check; {BOARD}", {}),
    ("10-match-or-raise", OPEN, f"{DEALT}; a 3 call ?; a 4 fold; a 1 fold; a 2 check; burn; board 2c 7d 9h; a 2 bet 50; a 3 fold; award 2 250", {}),
    ("10-round-ends", PASS, f"{RIVER}; {SHOWN}; award 2 300", {}),
    ("10-round-ends", VIOLATION, f"{CALLED}; burn; board 2c 7d 9h; a 1 check; a 2 check; burn; board Ts; a 1 bet 50; a 2 fold; a 3 fold; award 1 300", {}),
    ("10-round-ends", VIOLATION, f"{DEALT}; a 3 call 100; a 4 fold; a 1 call 50; burn; board 2c 7d 9h; a 1 bet 50; a 2 fold; a 3 fold; award 1 300", {}),
    ("10-round-ends", VIOLATION, f"{CALLED}; burn; board 2c 7d 9h; a 1 check; a 2 bet 100; a 3 call 100; burn; board Ts; a 1 check; a 2 check; a 3 check; award 1 300", {}),
    ("10-round-ends", OPEN, f"{CALLED}; burn; board 2c 7d 9h; a 1 check; a 2 check; weak a 3 check; burn; board Ts; a 1 bet 50; a 2 fold; a 3 fold; award 1 300", {}),
    ("16-short-call", VIOLATION, f"{DEALT}; a 3 call 50; a 4 fold; a 1 call 50; a 2 check; burn; board 2c 7d 9h; a 1 bet 50; a 2 fold; a 3 fold; award 1 250", {}),
    ("16-short-call", PASS, f"{DEALT}; a 3 call 50; a 3 call 50; a 4 fold; a 1 fold; a 2 check; burn; board 2c 7d 9h; a 2 bet 50; a 3 fold; award 2 250", {}),
    ("16-short-call", PASS, f"{DEALT}; a 3 call 50; a 4 fold; a 1 call 50; a 2 check; a 3 call 50; burn; board 2c 7d 9h; a 1 bet 50; a 2 fold; a 3 fold; award 1 300", {}),
    ("16-short-call", NONE, f"{DEALT}; all 3 call 50; a 4 fold; a 1 fold; show 3 Ah Ad; show 2 9s 2h; burn; board 2c 7d 9h; burn; board Ts; burn; board 3s; award 3 150; award 2 50 high 1", {}),
    ("16-bet-made", VIOLATION, f"{DEALT}; a 3 raise 300; change 3 300 100; a 4 fold; a 1 fold; a 2 check", {}),
    ("16-bet-made", OPEN, f"{DEALT}; a 3 raise 300; change 3 300 ?; a 4 fold; a 1 fold; a 2 check", {}),
    ("17-single-chip-call", VIOLATION, f"{DEALT}; a 3 raise 500 500 1; a 4 fold; a 1 fold; a 2 fold; award 3 250", AUDIO),
    ("17-single-chip-call", OPEN, f"{DEALT}; a 3 raise 500 500 1; a 4 fold; a 1 fold; a 2 fold; award 3 250", {}),
    ("17-single-chip-call", PASS, f"{DEALT}; say raise; a 3 raise 500 500 1; a 4 fold; a 1 fold; a 2 fold; award 3 250", AUDIO),
    ("10-match-or-raise", OPEN, f"{DEALT}; a 3 call 50; chips 3 ?; a 4 fold; a 1 fold; a 2 check; burn; board 2c 7d 9h", {}),
    ("16-short-call", VIOLATION, f"{DEALT}; a 3 call 50; chips 3 40; a 4 fold; a 1 fold; a 2 check; burn; board 2c 7d 9h", {}),
    ("17-single-chip-call", NONE, f"{DEALT}; a 3 call 100 100 1; a 4 fold; a 1 fold; a 2 check; burn; board 2c 7d 9h", {}),
    ("17-single-chip-call", NONE, f"{DEALT}; a 3 raise 500 250 2; a 4 fold; a 1 fold; a 2 fold; award 3 250", AUDIO),
    ("17-single-chip-call", VIOLATION, f"{DEALT}; a 3 raise 200 200 1; a 4 fold; a 1 fold; a 2 fold; award 3 250", AUDIO),
    ("17-single-chip-call", PASS, f"{DEALT}; a 3 call 500 500 1; return 3 400; a 4 fold; a 1 fold; a 2 check; burn; board 2c 7d 9h", {}),
    ("17-multi-chip-half-raise", VIOLATION, f"{DEALT}; a 3 raise 150; a 4 fold; a 1 fold; a 2 fold; return 3 50; award 3 250", {}),
    ("17-multi-chip-half-raise", PASS, f"{DEALT}; a 3 raise 150; a 3 raise 50; a 4 fold; a 1 fold; a 2 fold; return 3 100; award 3 250", {}),
    ("17-multi-chip-half-raise", PASS, f"{DEALT}; a 3 raise 200; a 4 fold; a 1 fold; a 2 fold; return 3 100; award 3 250", {}),
    ("17-multi-chip-half-raise", VIOLATION, f"{DEALT}; a 3 call 150 50 3; a 4 fold; a 1 fold; a 2 call 50; burn; board 2c 7d 9h; a 2 bet 100; a 3 fold; award 2 350", {}),
    ("17-multi-chip-half-raise", VIOLATION, f"{DEALT}; a 3 raise 300; a 4 raise 400; a 1 fold; a 2 fold; a 3 fold; award 4 850", {}),
    ("15-verbal-binding", VIOLATION, f"{DEALT}; say raise; a 3 call 100; a 4 fold; a 1 fold; a 2 check; burn; board 2c 7d 9h", AUDIO),
    ("15-verbal-binding", PASS, f"{DEALT}; say raise 300; a 3 raise 300; a 4 fold; a 1 fold; a 2 fold; return 3 200; award 3 250", AUDIO),
    ("15-verbal-binding", VIOLATION, f"{DEALT}; say raise 300; a 3 raise 200; a 4 fold; a 1 fold; a 2 fold; return 3 100; award 3 250", AUDIO),
    ("15-verbal-binding", "not_assessed", f"{DEALT}; {FOLDS}", {}),
    # Dead hands
    ("18-fouled-hand", VIOLATION, f"{DEALT}; deal 3; a 3 call 100; a 4 fold; a 1 call 50; a 2 check; {BOARD}; board 3s; a 1 check; "
     "a 2 check; a 3 check; show 1 Ah Kd; show 2 9s 2h; show 3 9c 9d 4h; award 3 300", {}),
    ("24.a-too-many-cards", VIOLATION, f"{DEALT}; deal 3; a 3 call 100; a 4 fold; a 1 call 50; a 2 check; {BOARD}; board 3s; a 1 check; "
     "a 2 check; a 3 check; show 1 Ah Kd; show 2 9s 2h; show 3 9c 9d 4h; award 3 300", {}),
    ("18-fouled-hand", VIOLATION, f"{LEAD}; ante 1 100; ante 2 100; {FIVE}; a 1 check; a 2 check; collect 1; collect 1; burn; deal 1 1 1; "
     "a 1 check; a 2 check; show 1 Ah Ad Ac 2h 2d; show 2 Kh Kd 9c 3h 3d; award 1 200", DRAW),
    ("18-fouled-hand", PASS, f"{RIVER}; {SHOWN}; award 2 300", {}),
    ("19-fouled-no-recovery", VIOLATION, f"{DEALT}; deal 3; a 3 call 100; a 4 fold; return 3 100 error; a 1 fold; return 2 50; award 2 150", {}),
    ("19-fouled-no-recovery", PASS, f"{DEALT}; deal 3; a 3 call 100; return 3 100 void; a 4 fold; a 1 fold; award 2 150", {}),
    ("24.c-premature-discard", VIOLATION, f"{RIVER}; show 1 Ah Kd; muck 2; collect 2; show 3 5h 5c; award 2 300", {}),
    ("24.h-facedown-dead", VIOLATION, f"{RIVER}; show 1 Ah Kd; muck 2; show 3 5h 5c; award 2 300", {}),
    ("24.g-facedown-retrieval", VIOLATION, f"{RIVER}; show 1 Ah Kd; muck 2; muck 3; show 2 9s 9c; award 2 300", {}),
    ("24.g-facedown-retrieval", PASS, f"{RIVER}; show 1 Ah Kd; muck 2; show 2 9s 9c; muck 3; award 2 300", {}),
    ("24.d-verbal-concession", VIOLATION, f"{RIVER}; show 1 Ah Kd; concede 2; show 3 5h 5c; award 2 300", AUDIO),
    ("24.e-leaver-discards", VIOLATION, f"{CALLED}; leave 3; burn; board 2c 7d 9h; a 1 check; a 2 check", {}),
    ("24.e-leaver-discards", PASS, f"{DEALT}; a 3 fold; leave 3; a 4 fold; a 1 fold; award 2 150", {}),
    ("24.f-faceup-discard-live", VIOLATION, f"{RIVER}; show 1 Ah Kd; show 2 9s 9c; muck 2; show 3 5h 5c; award 3 300", {}),
    ("24.f-faceup-discard-live", PASS, f"{RIVER}; show 1 Ah Kd; show 2 9s 9c; muck 2; show 3 5h 5c; award 2 300", {}),
    # Showdown
    ("23-show-order", PASS, f"{RIVER}; {SHOWN}; award 2 300", {}),
    ("23-show-order", VIOLATION, f"{RIVER}; show 2 9s 2h; show 3 5h 5c; show 1 Ah Kd; award 2 300", {}),
    ("23-show-order", PASS, f"{RIVER}; muck 1; show 2 9s 2h; show 3 5h 5c; award 2 300", {}),
    ("23-show-order", PASS, f"{CALLED}; {BOARD}; board 3s; a 1 check; a 2 bet 100; a 3 call 100; a 1 fold; show 2 9s 2h; show 3 5h 5c; award 2 500", {}),
    ("23-show-order", VIOLATION, f"{CALLED}; {BOARD}; board 3s; a 1 check; a 2 bet 100; a 3 call 100; a 1 fold; show 3 5h 5c; show 2 9s 2h; award 2 500", {}),
    ("23-show-order", VIOLATION, f"{CALLED}; {BOARD}; board 3s; a 1 check; a 2 bet 100; a 3 raise 200; a 1 fold; a 2 call 100; show 2 9s 2h; show 3 5h 5c; award 2 700", {}),
    ("23.d-clockwise", VIOLATION, f"{RIVER}; show 1 Ah Kd; show 3 5h 5c; show 2 9s 2h; award 2 300", {}),
    ("23.d-clockwise", PASS, f"{RIVER}; {SHOWN}; award 2 300", {}),
    ("23.e-side-pot-first", PASS, f"{SIDE}; show 1 Kh Kd; show 4 Qh Qd; show 3 Ah Ad; award 3 1300 high 0; award 1 400 high 1", {}),
    ("23.e-side-pot-first", VIOLATION, f"{SIDE}; show 3 Ah Ad; show 1 Kh Kd; show 4 Qh Qd; award 3 1300 high 0; award 1 400 high 1", {}),
    ("24-all-in-show", PASS, f"{SIDE}; show 1 Kh Kd; show 4 Qh Qd; show 3 Ah Ad; award 3 1300 high 0; award 1 400 high 1", {}),
    ("24-all-in-show", PASS, f"{SHOWN_AT_ONCE}; award 3 850", {}),
    ("24-all-in-show", VIOLATION, f"{RUN}; burn; board 2c 7d 9h; burn; board Ts; burn; board 3s; show 3 Ah Ad; show 2 Kh Kd; award 3 850", {}),
    ("24-all-in-show", VIOLATION, f"{RUN}; show 3 Ah Ad; burn; board 2c 7d 9h; show 2 Kh Kd; burn; board Ts; burn; board 3s; award 3 850", {}),
    ("24-all-in-show", PASS, f"{RUN}; show 3 Ah Ad; burn; show 2 Kh Kd; board 2c 7d 9h; burn; board Ts; burn; board 3s; award 3 850", {}),
    ("24-all-in-show", VIOLATION, f"{SIDE}; show 1 Kh Kd; muck 4; show 3 Ah Ad; award 3 1300 high 0; award 1 400 high 1", {}),
    ("24-all-in-show", VIOLATION, f"{SIDE}; show 1 Kh Kd; show 3 Ah Ad; award 3 1300 high 0; award 1 400 high 1; show 4 Qh Qd", {}),
    # Awards
    ("1-hand-ranking", PASS, f"{RIVER}; {SHOWN}; award 2 300", {}),
    ("1-hand-ranking", VIOLATION, f"{RIVER}; {SHOWN}; award 1 300", {}),
    ("24.b-cards-speak", VIOLATION, f"{RIVER}; {SHOWN}; award 1 300", {}),
    ("24.j-no-kill-winner", VIOLATION, f"{RIVER}; show 1 Ah Kd; show 2 9s 2h; collect 2; show 3 5h 5c; award 1 300", {}),
    ("1-hand-ranking", VIOLATION, f"{SIDE}; show 1 Kh Kd; show 4 Qh Qd; show 3 Ah Ad; award 3 1700", {}),
    ("1-hand-ranking", VIOLATION, f"{SIDE}; show 1 Kh Kd; show 4 Qh Qd; show 3 Ah Ad; award 3 1300 high 0; award 3 400 high 1", {}),
    ("1-hand-ranking", OPEN, f"{RIVER}; show 1 Ah Kd; show 2 Qs ??; show 3 4h 5c; award 1 300", {}),
    ("1-hand-ranking", PASS, f"{RIVER}; show 1 Ah Ac; show 2 9s K?; show 3 5h 5c; award 1 300", {}),
    ("1-hand-ranking", OPEN, f"{RIVER}; show 1 Ah Kd; weak show 2 9s 2h; show 3 5h 5c; award 3 300", {}),
    ("1.f-ace-low-straight", PASS, f"{CALLED}; {BOARD.replace('9h', '5h')}; board 3s; a 1 check; a 2 check; a 3 check; "
     "show 1 Ah 4d; show 2 9s 9c; show 3 Kh Kc; award 1 300", {}),
    ("1.f-ace-low-straight", VIOLATION, f"{CALLED}; {BOARD.replace('9h', '5h')}; board 3s; a 1 check; a 2 check; a 3 check; "
     "show 1 Ah 4d; show 2 9s 9c; show 3 Kh Kc; award 2 300", {}),
    ("1.f-ace-low-straight", VIOLATION, f"{CALLED}; {BOARD.replace('2c 7d 9h', '2c Kd 9h').replace('Ts', 'Qs')}; board 3s; a 1 check; a 2 check; a 3 check; "
     "show 1 Ah 4d; show 2 9s 9c; show 3 8h 8c; award 1 300", {}),
    ("25-tie-break", PASS, f"{TIED}; award 1 200; award 2 200", {}),
    ("25-tie-break", VIOLATION, f"{TIED}; award 1 400", {}),
    ("25-tie-break", VIOLATION, f"{RIVER}; show 1 9s Kd; show 2 9d Jh; show 3 5h 5c; award 2 300", {}),
    ("27-odd-chip", PASS, f"{ODD}; award 2 300; award 3 250", {}),
    ("27-odd-chip", VIOLATION, f"{ODD}; award 2 250; award 3 300", {}),
    ("27-odd-chip", PASS, f"{ODD}; award 2 250; award 3 250; award 2 50 odd_chip", {}),
    ("27-odd-chip", VIOLATION, f"{ODD}; award 2 250; award 3 250; award 3 50 odd_chip", {}),
    ("27-odd-chip", VIOLATION, f"{ODD}; award 2 400; award 3 150", {}),
    ("25-high-low", PASS, f"{HILO}; award 3 150 high; award 1 150 low", {"poker_game": "high_low"}),
    ("25-high-low", VIOLATION, f"{HILO}; award 3 200 high; award 1 100 low", {"poker_game": "high_low"}),
    ("25-high-low", VIOLATION, f"{HILO}; award 3 300 both", {"poker_game": "high_low"}),
    ("25-high-low", VIOLATION, f"{HILO}; award 3 150 high; award 2 150 low", {"poker_game": "high_low"}),
    ("1-hand-ranking", PASS, f"{RIVER}; show 1 Ah 5h; show 2 Kh Kc; show 3 9s 9c; award 1 300", {"poker_game": "low"}),
    ("1-hand-ranking", VIOLATION, f"{RIVER}; show 1 Ah 5h; show 2 Kh Kc; show 3 9s 9c; award 3 300", {"poker_game": "low"}),
    ("26-dealer-awards", VIOLATION, f"{CALLED}; burn; board 2c 7d 9h; a 1 check; a 2 check; a 3 check; award 1 300", {}),
    ("26-dealer-awards", PASS, f"{RIVER}; {SHOWN}; award 2 300", {}),
    ("26-dealer-awards", PASS, f"{SHOWN_AT_ONCE}; award 3 850; end", {}),
    ("26-dealer-awards", VIOLATION, f"{SHOWN_AT_ONCE}; award 3 849; end", {}),
    ("26-dealer-awards", OPEN, f"{SHOWN_AT_ONCE}; award 3 851; end", {}),
    ("26-dealer-awards", VIOLATION, f"{SHOWN_AT_ONCE}; end", {}),
    ("26-dealer-awards", OPEN, SHOWN_AT_ONCE, {}),
    ("26-dealer-awards", OPEN, f"{SHOWN_AT_ONCE}; award 3 849; end".replace("; sweep 3 400; sweep 2 400; sweep 1 50", ""), {}),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "expected", "script", "options"), ROWS,
                         ids=[f"{n} {row[0]} {row[1]}" for n, row in enumerate(ROWS)])  # fmt: skip
def test_a_clause_says_of_a_hand(clause: str, expected: str, script: str, options: dict[str, Any]) -> None:
    report = judged(script, **options)
    assert verdict(report, clause) == expected, [(f.clause, f.verdict, f.observed) for f in report.findings]
    assert verdict(touched(script, **options), clause) == expected
    hold("poker-clauses", _title(clause, expected, script, options), report, _plain())


def test_each_kept_report_is_of_a_hand() -> None:
    hold_titles("poker-clauses", [_title(*row) for row in ROWS])


@cache
def _plain() -> FindingsReport:
    """The report of a plain lawful hand."""
    return judged(f"{RIVER}; {SHOWN}; award 2 300")


def _title(clause: str, expected: str, script: str, options: dict[str, Any]) -> str:
    return f"{clause} {expected}: {script!r} {options or ''}".strip()


def test_every_clause_is_checked_or_has_a_reason() -> None:
    checked = checked_clauses("nd-poker")
    left = [c for c in clauses("nd-poker") if c.id not in checked]
    assert len(checked) + len(left) == 61
    assert [c.id for c in left if reason_without_check(c, ("video", "audio")) == NO_CHECK] == []


def test_every_check_is_seen_to_accuse() -> None:
    accused = {f"ND-09-04.{row[0]}" for row in ROWS if row[1] == VIOLATION}
    by_record = {"ND-09-04.7-deal-from-hand", "ND-09-04.7-top-card"}
    by_statement = {one.id for one in attestable("nd-poker")}  # test_law_attested.py accuses by each
    assert set(checked_clauses("nd-poker")) - accused - by_record - by_statement == set()
