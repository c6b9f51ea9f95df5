"""Which breaches can be planted, by clause id, the other clauses that describe the same breach, and what they need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from verifier.domain.errors import BadInput
from verifier.domain.rulebooks import BANKED, USUAL, Rulebook
from verifier.domain.shared_play import SHARED_PLAY
from verifier.simulate.play import clauses, surrender, washington_clauses
from verifier.simulate.play.plants import PLANTS
from verifier.simulate.play.session_clauses import SESSION_BREACHES

ALIASES: Final[dict[str, str]] = {
    "ND-08-11.2-no-pay-tie": clauses.TIE_PAID,
    "ND-08-11.10-reveal-hole": "ND-08-12.14-exposed-hole",
    "ND-08-11.10-draw-second": "ND-08-10.1.b-no-second-card-early",
    "ND-08-09.1-range-1-25": clauses.EXCESS,
    "ND-08-11.3.a-split-separately": clauses.RIGHT_FIRST,
    "ND-08-11.13-lose-tip": "ND-08-09.2.a-tip-lose",
    "ND-08-09.2.a-tip-win": "ND-08-11.14-tip-wins",
    "ND-08-09.2.b-insurance-pays-2-1": "ND-08-11.10.c-insurance-pay",
    "ND-08-11.16.a-repeat": "ND-08-11.16-hand-by-hand",
    "ND-08-11.17-reconstructable": clauses.PICKUP_ORDER,
    "ND-08-12.10-dealer-overdraw-burn": clauses.HITS_HIGH,
    "ND-08-12.13-late-burn": clauses.NO_BURN,
    "ND-08-08.1-all-decline": "ND-08-08.1-offer-cut",
}  # fmt: skip
"""Clauses that the same staged breach also breaks, and the clause under which it is planted."""

_ROUND: Final = (
    clauses.WAGER_CHANGED, clauses.DEAL_ORDER, clauses.DEAL_ORDER_NO_HOLE, clauses.DEAL_ORDER_READER,
    clauses.START_LEFT, clauses.CARD_TOUCHED,
    clauses.TIE_PAID, clauses.NO_SIGNAL, clauses.STANDS_LOW, clauses.HITS_HIGH, clauses.NATURAL_SHORT,
    clauses.WRONG_WINNER, clauses.MISCOUNT, clauses.SETTLE_ORDER, clauses.NO_TAP, clauses.WAGER_NOT_FANNED,
    clauses.PAYOFF_NOT_FANNED, clauses.PAYOFF_WRONG, clauses.PICKUP_ORDER, clauses.CHIP_REMOVED, clauses.SOFT_HIGH,
    clauses.INSURANCE_HALF, clauses.INSURANCE_ONLY_ACE, clauses.EXCESS, clauses.WHOLE_DOLLAR, clauses.ONE_TIP,
    clauses.TIP_RANGE, clauses.TIP_PERMITTED, clauses.SPLIT_ELIGIBLE, clauses.SPLIT_EQUAL, clauses.RIGHT_FIRST,
    clauses.SPLIT_ACES, clauses.DOUBLE_ELIGIBLE, clauses.DOUBLE_AMOUNT, clauses.DOUBLE_ONE,
    clauses.NO_TIP_INSURANCE, clauses.EVEN_ELIGIBLE, clauses.SPLIT_ONE_CARD, clauses.TIP_DOUBLED,
    clauses.TIP_DOUBLE_ALONE, clauses.SOFT_17, clauses.VACANT_CARD, clauses.FIFTY_CENTS, clauses.ALL_BUST_LOW,
    clauses.ALL_BUST_HIGH, *PLANTS,
)  # fmt: skip

STAGEABLE: Final = tuple(sorted({*_ROUND, *SESSION_BREACHES}))
"""Clause ids that `--deviate` takes, besides the aliases."""

Needs = dict[str, object]
"""House options that a breach needs."""
_HOLE: Final[Needs] = {"dealing_method": "hole_card_no_peek"}
_READER: Final[Needs] = {"dealing_method": "hole_card_reader"}
_READER_INSURED: Final[Needs] = {"insurance_allowed": True, **_READER}
_INSURED: Final[Needs] = {"insurance_allowed": True, **_HOLE}
_TIPPED: Final[Needs] = {"tip_betting": "permitted"}
NEEDS: Final[dict[str, Needs]] = {
    clauses.DEAL_ORDER: _HOLE, clauses.DEAL_ORDER_NO_HOLE: {"dealing_method": "no_hole_card"},
    "ND-08-10.1.a-no-peek": _HOLE, "ND-08-12.14-exposed-hole": _HOLE,
    "ND-08-10.1.b-no-second-card-early": {"dealing_method": "no_hole_card"},
    clauses.DEAL_ORDER_READER: _READER, "ND-08-10.3.a-reader-timing": _READER,
    "ND-08-10.3.a-reader-natural-collect": _READER, "ND-08-10.3.a-reader-natural-pay": _READER_INSURED,
    "ND-08-10.3.b-reader-no-natural": _READER_INSURED,
    clauses.TIP_PERMITTED: {"tip_betting": "not_permitted"}, clauses.DOUBLE_AMOUNT: {"double_down_equal": "equal"},
    "ND-08-09.2.b-even-money-cards": {"even_money": True, **_INSURED},
    "ND-08-09.2.b-even-money-tip-push": {"even_money": True, **_INSURED, **_TIPPED},
    clauses.EVEN_ELIGIBLE: {"even_money": False, **_HOLE}, clauses.NO_TIP_INSURANCE: {**_INSURED, **_TIPPED},
    clauses.TIP_DOUBLED: {"tip_double_down": "not_permitted", **_TIPPED},
    clauses.TIP_DOUBLE_ALONE: {"tip_double_down": "equal", **_TIPPED},
    clauses.SOFT_17: {"hit_soft_17": True, "soft_17_scope": "two_card_a6"},
    "ND-08-11.8-bust-tip-lost": {**_HOLE, **_TIPPED},
    "ND-08-11.10.a-busted-collect": {"sweep_or_hand_by_hand": "sweep", **_HOLE},
    "ND-08-11.10.b-busted-collect": {"sweep_or_hand_by_hand": "sweep", **_HOLE},
    "ND-08-11.8-bust-hold-cards": _HOLE, "ND-08-11.8-bust-hold-chips": _HOLE, "ND-08-11.10.e-void-split-double": _HOLE,
    "ND-08-11.11-natural-not-early": _HOLE,
    "ND-08-11.13-hand-by-hand": {"sweep_or_hand_by_hand": "hand_by_hand"},
    "ND-08-11.10.a-hand-by-hand-option": {"sweep_or_hand_by_hand": "hand_by_hand", **_INSURED},
    "ND-08-11.13-sweep-one-hand": {"sweep_or_hand_by_hand": "sweep"},
    "ND-08-11.10.a-one-hand-sweep": {"sweep_or_hand_by_hand": "sweep", **_INSURED},
    "ND-08-11.16-hand-by-hand": {"payoff_fan_hand": "left"}, "ND-08-11.16.a-hands-away": {"payoff_fan_hand": "left"},
    "ND-08-11.16.a-tip-reposition": {"tips_fanned_after": False, **_TIPPED},
    "ND-08-11.16.b-tips-after-hands": {"tips_fanned_after": False, **_TIPPED},
}  # fmt: skip
"""House options without which a breach cannot happen."""


def needs_of(clause: str) -> Needs:
    """House options that a breach needs."""
    if clause in NEEDS:
        return NEEDS[clause]
    if clause in surrender.NEEDS:
        return {"surrender_allowed": surrender.NEEDS[clause]}
    if "insurance" in clause and clause != clauses.INSURANCE_ONLY_ACE:
        return _INSURED
    return _TIPPED if "tip-" in clause or "-tip" in clause or "tips-" in clause else {}


def agreeing(wanted: Sequence[str]) -> tuple[str, ...]:
    """Those of the clauses that can be planted together: each needs no other house option than those before it."""
    taken: list[str] = []
    needed: dict[str, object] = {}
    for clause in wanted:
        own = needs_of(ALIASES.get(clause, clause))
        if all(needed.get(name, value) == value for name, value in own.items()):
            taken.append(clause)
            needed.update(own)
    return tuple(taken)


def acts_of(rulebook: Rulebook) -> dict[str, str]:
    """Return the breaches that can be planted under a rulebook: by the id of the act, the clause that it breaks there.

    An act bears the id of the clause of North Dakota's twenty-one that it breaks; where players deal and bank, that of
    the proposal's. No breach is staged under a rulebook of another game.
    """
    if rulebook == USUAL:
        return {clause: clause for clause in STAGEABLE}
    if rulebook in BANKED:
        return washington_clauses.acts(rulebook)
    shared = {act: clause for act, clause in SHARED_PLAY.get(rulebook, {}).items() if act in STAGEABLE}
    return shared | ({clause: clause for clause in surrender.NEEDS} if rulebook == "house-manual" else {})


def canonical(clause: str, rulebook: Rulebook = USUAL) -> str:
    """Return the act by which a clause is broken; an act's own id, too, is taken under any rulebook that shares it.

    Raises BadInput for a clause that cannot be staged under the rulebook.
    """
    acts = acts_of(rulebook)
    if not acts:
        raise BadInput("--deviate", f"breaches of {rulebook} are not staged", f"plant them under {USUAL}")
    known = ALIASES.get(clause, clause)
    if known in acts:
        return known
    named = next((act for act, broken in acts.items() if broken == clause), None)
    if named is None:
        own = sorted({*acts.values(), *(ALIASES if rulebook == USUAL else ())})
        raise BadInput("--deviate", f"{clause} cannot be staged under {rulebook}", f"use one of {', '.join(own)}")
    return named
