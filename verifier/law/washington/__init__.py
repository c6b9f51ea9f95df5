"""The checks of wa-blackjack-a and -b, the proposals of 1999 for WAC 230-40-125; importing this registers them."""

from verifier.law.washington import (
    adopted,
    bank,
    cards,
    extra,
    holder,
    insurance,
    money,
    naturals,
    records,
    shoe,
    unread,
    wagers,
)
