"""The round ends where all players bust (99-01.3-08-11(9))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.engine.totals import LIMIT
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.registry import round_check
from verifier.law.rounds import Round

ALL_BUST_LOW = "ND-08-11.9-all-bust-end-low"
ALL_BUST_HIGH = "ND-08-11.9-all-bust-end-high"


@round_check(ALL_BUST_LOW, ALL_BUST_HIGH, partial="undetermined")
def all_bust(game: Round) -> Iterator[Instance]:
    """When all players bust, split hands of one card among them, the round ends without a card for the dealer."""
    hands, dealer = [hand for hand in game.hands if hand.has_wager and hand.cards], game.dealer
    if not hands or dealer.up is None or not all(hand.bust for hand in hands) or dealer.up_high is None:
        return
    if dealer.up_high and any(hand.split or hand.doubled or hand.tips.get("insurance") for hand in hands):
        return
    clause = ALL_BUST_HIGH if dealer.up_high else ALL_BUST_LOW
    extra = [c for c in game.dealer_dealt[1 if game.no_hole else 2 :] if c.t_start > max(h.cards[-1].t for h in hands)]
    if game.no_hole or len(game.dealer_dealt) >= 2:
        yield judged(
            clause,
            not extra,
            at="dealer",
            events=extra,
            expected="the round ends, as every player is over 21",
            observed=say.that(
                "every player was over {limit} and the dealer drew {extra} more", limit=LIMIT, extra=len(extra)
            ),
            incident="dealer hand",
        )
