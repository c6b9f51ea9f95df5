"""Surrender: half of the wager, on the first two cards, and not against a blackjack with an ace (Definitions 7)."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import Announcement, ChipsCollected, ChipsReturned
from verifier.law import say
from verifier.law.amounts import seen, total
from verifier.law.hands import Hand
from verifier.law.instances import Instance, judged
from verifier.law.manual.clauses import SURRENDER, SURRENDER_BLACKJACK, SURRENDER_OPTION
from verifier.law.manual.live import HALF, surrendered
from verifier.law.money import moved
from verifier.law.registry import MANUAL, round_check
from verifier.law.rounds import Round


def _given_up(game: Round) -> list[tuple[Hand, float]]:
    """Surrendered hands and when each was given up."""
    found = []
    for hand in game.hands:
        if surrendered(game, hand):
            back = [e.t_start for e in game.at(ChipsReturned, hand.key) if e.reason == "surrender"]
            taken = [e.t_start for e in game.at(ChipsCollected, hand.key) if e.kind == "original"]
            found.append((hand, min([*back, *taken])))
    return found


@round_check(SURRENDER_OPTION, SURRENDER, rulebooks=MANUAL, partial="keep")
def surrender_allowed(game: Round) -> Iterator[Instance]:
    """Surrender only where the casino allows it, and never in multiple action blackjack."""
    for hand, _ in _given_up(game):
        allowed = False if game.house.multiple_action else game.house.surrender_allowed
        yield judged(
            SURRENDER_OPTION,
            allowed,
            at=hand.place,
            events=game.at(ChipsReturned, hand.key),
            expected="no surrender, as the casino does not allow it"
            + (" in multiple action blackjack" if game.house.multiple_action else ""),
            observed=say.that("{hand} got half of its wager back", hand=say.place(hand.place)),
            also=[SURRENDER],
            incident=f"surrender {hand.place}",
        )


@round_check(SURRENDER, rulebooks=MANUAL)
def surrender_timing(game: Round) -> Iterator[Instance]:
    """Half of the wager is given up, on the first two cards, after the total is announced."""
    for hand, t in _given_up(game):
        before = [card for card in hand.dealt if card.t_end <= t + 0.01]
        early = game.deal_end is not None and t < game.deal_end - 0.01
        late = game.turned is not None and game.turned.t_end <= t
        right = len(before) == HALF == len(hand.cards) and not hand.split and not hand.doubled
        yield judged(
            SURRENDER,
            right and not early and not late,
            at=hand.place,
            key="timing",
            events=[*(c.dealt for c in hand.cards), *game.at(ChipsReturned, hand.key)],
            expected="a hand is given up once its first two cards are dealt, before it plays on",
            observed=say.that("{hand} was given up with {before} cards", hand=say.place(hand.place), before=len(before))
            + (" before the deal was complete" if early else " after the dealer's second card was turned" * late),
            incident=f"surrender {hand.place}",
        )
        yield from _half(game, hand)
        if _totals_spoken(game):
            said = [a for a in game.of(Announcement) if a.topic == "total" and a.t_start <= t]
            yield judged(
                SURRENDER,
                bool(said) or None,
                at=hand.place,
                key="total",
                events=game.at(ChipsReturned, hand.key),
                expected="the total is announced before a hand is given up",
                observed="it is not to be heard that it was",
            )


def _totals_spoken(game: Round) -> bool:
    return any(a.topic == "total" for a in game.of(Announcement))


def _half(game: Round, hand: Hand) -> Iterator[Instance]:
    stake = hand.stakes.get("original")
    if stake is None or not stake.first.exact or _to_blackjack(game):
        return
    half, actual = stake.first.times(1, HALF), moved(game, hand)
    back = [seen(e.cents) for e in game.at(ChipsReturned, hand.key) if e.reason == "surrender"]
    parts = [actual.taken.equals(half), total(back).equals(half) if back else True]
    right = False if False in parts or actual.payoffs else (None if None in parts else True)
    yield judged(
        SURRENDER,
        right,
        at=hand.place,
        key="half",
        events=actual.events,
        expected=say.that(
            "{half} of the wager of {first} is collected and the rest returned", half=half, first=stake.first
        ),
        observed=say.that("{hand} {actual}", hand=say.place(hand.place), actual=actual.text()),
        incident=f"surrender {hand.place}",
    )


def _to_blackjack(game: Round) -> bool:
    """Tell whether the dealer has a blackjack with an ace showing, so that a surrender does not stand."""
    return bool(game.dealer.natural and game.dealer.up_ace)


@round_check(SURRENDER_BLACKJACK, rulebooks=MANUAL)
def no_surrender_to_blackjack(game: Round) -> Iterator[Instance]:
    """Against a blackjack with an ace showing the whole wager is lost."""
    for hand, _ in _given_up(game):
        stake = hand.stakes.get("original")
        unread = game.turned is not None and game.dealer.natural is None and game.dealer.up_ace is not False
        if not (_to_blackjack(game) or unread) or stake is None or not game.closed:
            continue
        taken = moved(game, hand).taken
        whole = taken.equals(stake.first)
        yield judged(
            SURRENDER_BLACKJACK,
            whole or None if unread else whole,
            at=hand.place,
            events=[*(c.dealt for c in game.dealer.cards[:2]), game.turned, *game.at(ChipsReturned, hand.key)],
            expected=say.that(
                "the whole wager of {first} is lost to a blackjack with an ace showing", first=stake.first
            ),
            observed=say.that("{hand} lost {taken} and kept the rest", hand=say.place(hand.place), taken=taken),
        )
