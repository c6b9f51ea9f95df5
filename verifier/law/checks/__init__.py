"""The checks of nd-twenty-one by topic; importing this package registers them."""

from verifier.law.checks import (  # noqa: F401
    busts,
    cash,
    deal,
    dealer,
    dealer_cards,
    decisions,
    inactive,
    insurance,
    order,
    payoff,
    settlement,
    shift,
    shoe,
    splits,
    table,
    tip_payoff,
    tips,
    wagers,
)
