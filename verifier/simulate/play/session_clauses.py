"""Clauses that are broken between rounds: at the shoe, with cash, at an exchange, at a change of dealers."""

from __future__ import annotations

from typing import Final

from verifier.simulate.play import clauses

NO_CUT: Final = "ND-08-08.1-offer-cut"
BURN_SHOWN: Final = "ND-08-08.3-burn-not-shown"
TAKES_FIRST: Final = "ND-08-11.18.a-then-take-receptacle"
SHOWN_AFTER_EXCHANGE: Final = "ND-08-11.18.b-show-hands"
GIVEN: Final = "ND-08-06.1-cash-only"
NO_GROUND: Final = "ND-08-08.2-reshuffle-only-when"
INDICATOR_PASSED: Final = "ND-08-08.2-reshuffle-on-indicator"
BUY_IN_FAULTS: Final = {
    "ND-08-07.3.b-bills-face-down-flat": "face_up", "ND-08-07.3.b-bills-in-sequence": "unsorted",
    "ND-08-07.3.b-bills-inner-area": "not_square", "ND-08-07.3.b-hands-clear-cash": "stays_on_cash",
    "ND-08-07.3.b-chips-equal-cash": "unequal", "ND-08-07.3.b-stack-right-hand": "left_stacks",
    "ND-08-07.3.b-fan-buyin": "not_fanned", "ND-08-07.3.b-hands-clear-chips": "stays_on_chips",
    "ND-08-07.3.b-cash-to-drop-last": "drops_first",
}  # fmt: skip
EXCHANGE_FAULTS: Final = {
    "ND-08-07.3.c-exchange-in-left": "not_fanned", "ND-08-07.3.c-exchange-hands-clear-in": "stays_in",
    "ND-08-07.3.c-exchange-equal": "unequal", "ND-08-07.3.c-exchange-hands-clear-out": "stays_out",
    "ND-08-07.3.c-exchange-order": "trayed_first",
}  # fmt: skip
TIP_EXCHANGE_FAULTS: Final = {
    "ND-08-11.18.b-fan-exchanged-only": "not_fanned", "ND-08-11.18.b-equal-value": "unequal",
    "ND-08-11.18.b-place-left": "wrong_side", "ND-08-11.18.b-place-right": "not_right",
    "ND-08-11.18.b-hands-away": "hands_stay", "ND-08-11.18.b-tray-then-receptacle": "receptacle_first",
}  # fmt: skip
CLOSING_FAULTS: Final = {
    "ND-08-03.4-unattended-tray": "tray", "ND-08-07.1-unattended-cards": "cards", "ND-08-07.2-unattended-shoe": "shoe",
}  # fmt: skip
AT_SHIFT: Final = (clauses.HANDS_NOT_SHOWN, clauses.NO_BURN_NEW_DEALER, TAKES_FIRST, SHOWN_AFTER_EXCHANGE)
SESSION_BREACHES: Final = (
    clauses.NO_BURN, NO_CUT, BURN_SHOWN, NO_GROUND, GIVEN, INDICATOR_PASSED, *AT_SHIFT, *BUY_IN_FAULTS,
    *EXCHANGE_FAULTS, *TIP_EXCHANGE_FAULTS, *CLOSING_FAULTS,
)  # fmt: skip
