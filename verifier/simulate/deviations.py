"""Which breaches can be planted, by clause id, and the other clauses that describe the same breach."""

from __future__ import annotations

from typing import Final

from verifier.domain.errors import BadInput
from verifier.simulate.play import breaches

ALIASES: Final[dict[str, str]] = {
    "ND-08-11.18.b-show-hands": breaches.HANDS_NOT_SHOWN,
    "ND-08-11.2-no-pay-tie": breaches.TIE_PAID,
    "ND-08-11.10.g-soft18-21": breaches.HITS_HIGH,
    "ND-08-09.2-original-before-cards": breaches.WAGER_CHANGED,
}
"""Clauses that the same staged breach also breaks, and the clause under which it is planted."""

STAGEABLE: Final = tuple(sorted({*breaches.ROUND_BREACHES, *breaches.SESSION_BREACHES}))
"""Clause ids that `--deviate` takes, besides the aliases."""


def canonical(clause: str) -> str:
    """The id under which a clause is planted; raises BadInput for one that cannot be staged."""
    known = ALIASES.get(clause, clause)
    if known not in STAGEABLE:
        raise BadInput(
            "--deviate", f"{clause} cannot be staged", f"use one of {', '.join([*STAGEABLE, *sorted(ALIASES)])}"
        )
    return known


def is_session_breach(clause: str) -> bool:
    """Whether the breach belongs to the shoe or the shift and not to a round."""
    return clause in breaches.SESSION_BREACHES
