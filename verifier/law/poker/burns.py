"""Burned cards (99-01.3-09-04(14))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import AnyEvent, CardBurned, CardDealt
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.cards import Dealing
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.deal import over
from verifier.law.poker.hand import PokerHand

BURN = full("14-burn-policy")


@hand_check("14-burn-policy")
def burns(hand: PokerHand) -> Iterator[Instance]:
    """Exactly one card is burned for each further dealing, when the site's procedure says."""
    if hand.misdealt or not hand.filmed:
        return
    for dealing in hand.cards.dealings[1:] if hand.initial else hand.cards.dealings:
        if dealing.street == 0:
            continue
        yield _burn(hand, dealing)
    yield from _last_burns(hand)
    if hand.cards.stray_burns and all(held.gone for held, _ in hand.cards.exposures):
        yield judged(
            BURN,
            None,
            key="stray",
            events=hand.cards.stray_burns,
            expected="a card is burned after a round of betting or before further cards",
            observed="a card was burned at another time, and why is not told",
        )


def _burn(hand: PokerHand, dealing: Dealing) -> Instance:
    after_rounds = hand.house.poker_burn_procedure == "after_each_round"
    acted = any(street.number == dealing.street - 1 and street.acts for street in hand.streets)
    count = len(dealing.burns) + len(dealing.early_burns)
    right: bool | None = count == 1 and not dealing.early_burns
    if count == 0 and not acted and hand.house.poker_burn_procedure != "before_additional_cards":
        right = True if after_rounds else None
    if dealing.inside and right is not False:
        right = None if hand.variant == "five_card_draw" else False
    observed = (
        say.that("{count} cards were burned", count=count + len(dealing.inside))
        if count != 1
        else (
            "the card was burned before the betting round was over"
            if dealing.early_burns
            else "another card was burned"
        )
    )
    return judged(
        BURN,
        right,
        at="board" if dealing.board else None,
        key=f"street {dealing.street}",
        events=[_last_act(hand, dealing), *dealing.early_burns, *dealing.burns, *dealing.inside],
        expected="one card is burned " + ("after each round of betting" if after_rounds else "before further cards"),
        observed=observed,
    )


def _last_act(hand: PokerHand, dealing: Dealing) -> AnyEvent:
    """Return the last record before a dealing that neither burns nor deals a card; it shows where in the hand a burn is
    missing.
    """
    before = hand.events[: hand.position(dealing.cards[0])]
    return next((e for e in reversed(before) if not isinstance(e, CardBurned | CardDealt)), dealing.cards[0])


def _last_burns(hand: PokerHand) -> Iterator[Instance]:
    """Burns after the last dealing: none before_additional_cards, at most one after_each_round."""
    late = hand.cards.late_burns
    mode = hand.house.poker_burn_procedure
    allowed = 0 if mode == "before_additional_cards" else 1
    if len(late) > allowed:
        contested = len(hand.live) > 1
        draws = hand.variant == "five_card_draw" and len(late) == 1
        yield judged(
            BURN,
            False if contested and over(hand) and not draws else None,
            key="after the last cards",
            events=late,
            expected="cards are burned only for further cards" if not allowed else "one card is burned after a round",
            observed="a card was burned and no card followed"
            if len(late) == 1
            else say.that("{late} cards were burned and no card followed", late=len(late)),
        )
