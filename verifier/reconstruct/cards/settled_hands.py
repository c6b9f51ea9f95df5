"""What became of each hand's stakes and cards, as far as it tells of the cards themselves."""

from __future__ import annotations

from collections.abc import Sequence, Set
from fractions import Fraction

from msgspec import Struct

from verifier.engine.outcomes import HandFacts
from verifier.reconstruct.dealt_hands import CardHand, Layout
from verifier.reconstruct.money.settlement import Settled
from verifier.reconstruct.money.sums import paid_odds


class Settlement(Struct, frozen=True, kw_only=True):
    """Which way a hand's chips went: 1 paid, -1 collected, 0 neither; `early`: before the dealer's turn.

    `held`: its cards were laid aside until then, as only those of a bust are. `odds`: it was paid so many times what
    it had wagered: once, as no natural is (but for even money, which an ace of the dealer's allows), or three to two,
    as naturals alone are; None: not told. `stood`: its player signed to stand. `yielded`: chips and cards were taken
    after a draw and before the dealer's turn, and its player, who had not signed to stand, let it be.
    """

    sign: int
    early: bool
    held: bool
    odds: Fraction | None
    stood: bool
    yielded: bool
    facts: HandFacts


def settlement_of(
    layout: Layout,
    settled: Sequence[Settled],
    hand: CardHand,
    turn: float,
    held: Set[int],
    stood: Set[str],
    *,
    ended: bool,
) -> Settlement | None:
    """Return what became of a hand's stakes; None where that is not told, or differs between them."""
    mine = [
        one for one in settled if one.stake.place == hand.place and one.stake.kind in ("original", "split", "double")
    ]
    signs = {-1 if one.taken else 1 if one.payoffs else 0 for one in mine}
    if len(signs) != 1 or (signs == {0} and not ended):
        return None
    insured = any(one.stake.kind == "insurance" and one.stake.space == hand.number for one in settled)
    doubled = any(one.stake.kind == "double" for one in mine)
    split = len(layout.space(hand.number)) > 1
    odds = [paid_odds(one.own, one.payoffs) for one in mine]
    early = all(one.taken and one.stake.gone < turn - 0.5 for one in mine)
    gathered = all(card.gone is not None and card.gone < turn for card in hand.cards)
    return Settlement(
        sign=signs.pop(),
        early=early,
        yielded=early and gathered and _drew(hand) and hand.place not in stood,
        held=any(card.number in held for card in hand.cards),
        odds=next(filter(None, odds), None),
        stood=hand.place in stood,
        facts=HandFacts(split=split, doubled=doubled, insured=insured, even_money=False),
    )


def _drew(hand: CardHand) -> bool:
    return len(hand.cards) > (2 if hand.split_at is None else 1)
