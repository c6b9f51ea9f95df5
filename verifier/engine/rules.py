"""What differs between the rulebooks of blackjack in dealing, drawing and paying: the parameters of shared play.

Sources: N.D. Admin. Code 99-01.3-08-09 to -11; the proposals of 1999 for WAC 230-40-125; the casino dealer manual.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from verifier.domain.house import EqualOr, House
from verifier.engine.totals import Total

Soft17 = Literal["stand", "hit_ace_six", "hit"]
"""stand: on every 17. hit_ace_six: an ace and a six as the first two cards are hit. hit: any soft 17 is hit."""


class Rules(Struct, frozen=True, kw_only=True):
    """Parameters of play.

    `must_hit`: a soft 17 that may be hit must be. `natural_odds`: payment of a natural as a fraction of the wager, None
    where the site's odds are not configured. `both_down`: both dealer cards are dealt face down and the first is turned
    up after the deal. `returns_extra`: a dealer's natural takes the original wager only; split and double stakes go
    back. `split_naturals`: an ace and a ten-count after a split are a natural too. `simple_21_pushes`: a player's 21
    of three or more cards ties with a dealer's natural. `saves_insured_natural`: an insured natural keeps its wager
    against a dealer's natural. `double_amount`: None where the site's option is not configured. `by_signal`: players
    decide by hand signals (else by word, and a gesture tells nothing).
    """

    soft_17: Soft17 = "stand"
    must_hit: bool = False
    natural_odds: tuple[int, int] | None = (3, 2)
    both_down: bool = False
    returns_extra: bool = True
    split_naturals: bool = False
    simple_21_pushes: bool = False
    saves_insured_natural: bool = True
    double_amount: EqualOr | None = None
    most_decks: int = 8
    by_signal: bool = True

    def may_draw(self, total: Total, cards: int) -> bool:
        """Tell whether the dealer may draw on a total of so many cards."""
        return total.best <= 16 or self.hits(total, cards)

    def must_draw(self, total: Total, cards: int) -> bool:
        """Tell whether the dealer has to draw on a total of so many cards while a hand remains in play."""
        return total.best <= 16 or (self.must_hit and self.hits(total, cards))

    def hits(self, total: Total, cards: int) -> bool:
        """Tell whether the total is a soft 17 that is hit."""
        soft_17 = total.best == 17 and total.soft
        return soft_17 and (self.soft_17 == "hit" or (self.soft_17 == "hit_ace_six" and cards == 2))


TWENTY_ONE: Final = Rules()
_ODDS: Final = {"3:2": (3, 2), "6:5": (6, 5), None: None}


def rules_of(rulebook: str, house: House) -> Rules:
    """Parameters of a rulebook under a site's options; those of twenty-one for a rulebook that plays no blackjack."""
    if rulebook == "house-manual":
        return Rules(
            soft_17="stand" if house.hit_soft_17 is False else "hit",
            must_hit=True,
            natural_odds=_ODDS[house.blackjack_payoff],
            both_down=True,
            returns_extra=False,
            simple_21_pushes=house.push_rule == "simple21_vs_bj_push",
            double_amount="equal",
        )
    if rulebook.startswith("wa-blackjack"):
        return Rules(
            soft_17="hit_ace_six" if house.hit_soft_17 else "stand",
            must_hit=True,
            returns_extra=False,
            split_naturals=True,
            saves_insured_natural=rulebook == "wa-blackjack-b",
            double_amount="equal",
            most_decks=6 if rulebook == "wa-blackjack-a" else 2,
            by_signal=False,
        )
    soft_17: Soft17 = "hit" if house.soft_17_scope != "two_card_a6" else "hit_ace_six"
    return Rules(soft_17=soft_17 if house.hit_soft_17 else "stand", double_amount=house.double_down_equal)
