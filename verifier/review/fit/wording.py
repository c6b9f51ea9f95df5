"""Whether a layout fits, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from verifier.domain.coverage import Fit, FitCheck

TITLES: Final = {
    "site_sign": "Site sign",
    "table_sign": "Table sign",
    "orientation": "Way up",
    "sign_place": "Place of the signs",
    "clock": "Clock",
    "card_size": "Size of cards",
    "spaces": "Spaces of the layout",
    "wagers": "Wagers at the spots",
    "seats": "Seats of the layout",
    "dealer_side": "Dealer's side",
}
"""The checks by name, as a person calls them."""


def fit_line(fit: Fit) -> str:
    """In a line whether the layout fits: what tells that it does not, or else what is not known."""
    if not fit.ok:
        return f"Layout: DOES NOT FIT: {'; '.join(_said(fit.checks, False))}."
    unknown = _said(fit.checks, None)
    agreed = sum(check.ok is True for check in fit.checks)
    return f"Layout: {agreed} of {len(fit.checks)} checks fit.{' Not known: ' if unknown else ''}{'; '.join(unknown)}"


def _said(checks: Iterable[FitCheck], ok: bool | None) -> list[str]:
    return list(dict.fromkeys(check.says for check in checks if check.ok is ok))
