"""The dealer's second card: never looked at or drawn too early (99-01.3-08-10(1), 11(10))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardDealt, Event, HandSignal, HoleCardCheck
from verifier.law import say
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_11.sub04_signals import decided_only_after, undecided
from verifier.law.registry import round_check
from verifier.law.rounds import Round

NO_PEEK = "ND-08-10.1.a-no-peek"
EARLY_SECOND = "ND-08-10.1.b-no-second-card-early"
DRAW_SECOND = "ND-08-11.10-draw-second"
METHOD = "ND-08-10.1-one-method"


def later_player_acts(game: Round, t: float) -> list[CardDealt | HandSignal]:
    """Cards that players got after a moment, or the decisions of hands that had not decided by then."""
    cards = [card for card in game.of(CardDealt) if hand_key(card.to) is not None and card.t_start >= t - 0.01]
    return [*cards, *(signal for hand in game.playing for signal in decided_only_after(game, hand, t))]


def within(one: Event, other: Event) -> bool:
    """Tell whether the time of one act lies within another's, so that nobody knows which of the two came first."""
    return other.t_start < one.t_start and one.t_end < other.t_end


def _after(second: CardDealt, card: CardDealt) -> bool:
    """Tell whether a player's card came after the dealer's second: cards follow each other faster than their
    times tell.
    """
    return hand_key(card.to) is not None and card.t_start > second.t_start and card.t_end > second.t_end


@round_check(NO_PEEK, partial="keep")
def no_peek(game: Round) -> Iterator[Instance]:
    """Check that the dealer does not look at the hole card before all requested cards are dealt."""
    peeks = [check for check in game.of(HoleCardCheck) if check.how == "peek"]
    for check in peeks:
        right: bool | None = True
        if game.turn_t is None or check.t_start < game.turn_t:
            waiting = any(undecided(game, hand, check.t_end) for hand in game.playing)
            unsure = waiting or later_player_acts(game, check.t_start)
            right = False if later_player_acts(game, check.t_end) else None if unsure else True
        yield judged(
            NO_PEEK,
            right,
            at="dealer",
            key=check.id,
            events=[check],
            expected="the dealer does not look at the hole card before the players' cards are dealt",
            observed=say.that("the dealer looked at the hole card at {t_start} s", t_start=say.moment(check.t_start)),
        )
    if not peeks and game.dealer_dealt and game.house.dealing_method == "hole_card_no_peek":
        yield judged(NO_PEEK, True, at="dealer")


@round_check(EARLY_SECOND, DRAW_SECOND, needs={"dealing_method": "no_hole_card"})
def second_card_early(game: Round) -> Iterator[Instance]:
    """Without a hole card the dealer's second card comes after all cards that players requested."""
    if len(game.dealer_dealt) < 2:
        return
    second = game.dealer_dealt[1]
    later = later_player_acts(game, second.t_end)
    later += [card for card in game.of(CardDealt) if _after(second, card) and card not in later]
    unsure = [act for act in later_player_acts(game, second.t_start) if within(act, second) or within(second, act)]
    surest = sorted(later, key=lambda act: -act.p)[:1]
    yield judged(
        EARLY_SECOND,
        False if later else None if unsure else True,
        at="dealer",
        events=[second, *(surest or unsure[:1])],
        expected="the dealer's second card is dealt after all cards that players requested",
        observed=say.that(
            "the dealer's second card was dealt at {t_start} s, {when} the players were done",
            t_start=say.moment(second.t_start),
            when="before" if later else "and nobody saw whether",
        ),
        also=[DRAW_SECOND, METHOD],
        incident="deal order",
        rank=1,
    )
