"""Shared play: the clause of another rulebook that the same act breaks as a clause of North Dakota's twenty-one.

Law names the clauses of adopted checks by this table, and the simulator plants breaches by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SHARED_PLAY: Final[Mapping[str, Mapping[str, str]]] = {
    "house-manual": {
        "ND-08-08.1-offer-cut": "HM-shoe.2-load",
        "ND-08-08.1-shuffle-before-play": "HM-shoe.2-load",
        "ND-08-08.3-burn-first-card": "HM-shoe.3-burn",
        "ND-08-09.2.b-insurance-only-ace": "HM-def.4-insurance",
        "ND-08-09.2.c-split-21-not-natural": "HM-def.1-blackjack",
        "ND-08-09.2.c-split-aces-one": "HM-shoe.7.c-aces-one",
        "ND-08-09.2.c-split-eligible": "HM-def.6-split",
        "ND-08-09.2.c-split-wager-equal": "HM-def.6-split",
        "ND-08-09.2.d-double-amount": "HM-def.2-double",
        "ND-08-09.2.d-double-eligible": "HM-def.2-double",
        "ND-08-09.2.d-one-card": "HM-shoe.7.b-double-one",
        "ND-08-10.1-players-faceup": "HM-shoe.4-order",
        "ND-08-10.1.a-order": "HM-shoe.4-order",
        "ND-08-10.2-left-hand-draw": "HM-shoe.4-hand-nearest",
        "ND-08-10.2-right-hand-place": "HM-shoe.4-hand-nearest",
        "ND-08-10.2-start-left": "HM-shoe.4-clockwise",
        "ND-08-11.2-no-card-touch": "HM-conduct.a-no-handling",
        "ND-08-11.2-no-switch-card": "HM-conduct.a-no-handling",
        "ND-08-11.4-hand-signal-bypass": "HM-shoe.5-turns-left",
        "ND-08-11.4-hand-signal-hit": "HM-shoe.5-turns-left",
        "ND-08-11.5-deal-as-requested": "HM-shoe.5-turns-left",
        "ND-08-11.9-all-bust-end-high": "HM-shoe.8.b-no-effect",
        "ND-08-11.9-all-bust-end-low": "HM-shoe.8.b-no-effect",
        "ND-08-11.10.f-draw-to-17": "HM-shoe.8.a-h17",
        "ND-08-11.10.g-soft18-21": "HM-shoe.8.a-h17",
        "ND-08-11.10.g-stand-17": "HM-shoe.8.a-h17",
        "ND-08-11.10.h-bust-pays-active": "HM-play.1-win",
        "ND-08-11.11-natural-not-early": "HM-play.4.b-bj-hold",
        "ND-08-11.11-natural-pays-3-2": "HM-play.1-win",
        "ND-08-11.12-tie-push": "HM-play.3-push",
        "ND-08-11.16.a-payoff-equal": "HM-play.1-win",
        "ND-08-11.17-dealer-cards-last": "HM-shoe.9-dealer-on-top",
        "ND-08-11.17-pickup-order": "HM-shoe.9-right-ccw",
    },
}
"""By rulebook: a clause of North Dakota's twenty-one, and the clause there that each such breach breaks.

Of several that break one clause the first is planted where a breach is asked for by the rulebook's own clause. Acts
that break different clauses, depending on the cards, are left out.
"""
