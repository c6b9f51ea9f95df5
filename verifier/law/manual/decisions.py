"""The players' decisions: turns, drawing, doubles, splits (Definitions 2 and 6, Dealing 5 and 7, The Play 7 and 8)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import CardDealt, CardsMoved, WagerPlaced
from verifier.domain.places import space
from verifier.engine.totals import LIMIT, Total, possible_totals
from verifier.law import say
from verifier.law.hands import Hand, agree, cards_text, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.manual.clauses import (
    ACES_ONE,
    DOUBLE,
    DOUBLE_OPTION,
    NO_DRAW,
    ONE_SPLIT,
    SPLIT,
    SPLIT_OPTION,
    TURNS,
    UNDER_21,
)
from verifier.law.manual.deal import initial_cards, last_decision
from verifier.law.manual.live import surrendered
from verifier.law.nd_twenty_one.s08_11.sub04_signals import dealt_as_requested, hit_signalled, not_bypassed
from verifier.law.registry import MANUAL, round_check
from verifier.law.rounds import Round


@round_check(TURNS, rulebooks=MANUAL, partial="undetermined")
def turns_from_the_left(game: Round) -> Iterator[Instance]:
    """Players take their turns from the dealer's left."""
    initial = {card.id for _, card in initial_cards(game)}
    aside = initial | {held.dealt.id for _, held, _ in game.folded.burned}
    cards = [(hand_key(c.to), c) for c in game.of(CardDealt) if c.id not in aside]
    splits = [(hand_key(m.from_), m) for m in game.of(CardsMoved) if m.kind == "split"]
    told = [(hand.key, s) for hand in game.playing for s in last_decision(game, hand)] if game.rules.by_signal else []
    acts = sorted(
        ((key[0], event) for key, event in [*cards, *splits, *told] if key is not None), key=lambda act: act[1].t_end
    )
    wrong = next(((a, b) for a, b in itertools.pairwise(acts) if b[0] < a[0]), None)
    if acts:
        yield judged(
            TURNS,
            wrong is None,
            at=f"space:{wrong[1][0]}" if wrong else None,
            key="order",
            events=[act for _, act in wrong or ()],
            expected="players take their turns from the dealer's left",
            observed=say.that("space {wrong} played after space {wrong_2}", wrong=wrong[1][0], wrong_2=wrong[0][0])
            if wrong
            else "",
        )


@round_check(TURNS, rulebooks=MANUAL)
def turns_indicated(game: Round) -> Iterator[Instance]:
    """Check that a player indicates each card and the stand. A surrendered hand and a blackjack need no signal."""
    silent = {hand.place for hand in game.hands if surrendered(game, hand) or _may_have_surrendered(game, hand)}
    for said in (hit_signalled(game), not_bypassed(game), dealt_as_requested(game)):
        for instance in said:
            if instance.at not in silent and (instance.clause.startswith("ND-08-11.4") or instance.key == "last"):
                yield msgspec.structs.replace(instance, clause=TURNS, also=(), incident=f"turn {instance.at}")


def _may_have_surrendered(game: Round, hand: Hand) -> bool:
    """Tell whether a hand may have been given up: it has two cards and lost its whole wager to a blackjack with an ace
    showing.
    """
    lost_all = game.dealer.natural is not False and game.dealer.up_ace is not False
    return game.house.surrender_allowed is not False and lost_all and len(hand.cards) == 2


@round_check(UNDER_21, NO_DRAW, rulebooks=MANUAL)
def drawn_under_21(game: Round) -> Iterator[Instance]:
    """Check that a player draws below 21 only: never on a blackjack or a hard 21. On a soft 21 the manual leaves it
    open.
    """
    for hand in game.playing:
        for index in range(2, len(hand.cards)):
            before, drawn = hand.cards[:index], hand.cards[index]
            totals = possible_totals([card.ranks for card in before])
            two = index == 2 and not hand.split
            allowed = agree(_may_draw(total, blackjack=two) for total in totals)
            barred = all(total.best == LIMIT and (not total.soft or two) for total in totals)
            yield judged(
                NO_DRAW if barred else UNDER_21,
                allowed,
                at=hand.place,
                key=drawn.dealt.id,
                events=[*(card.dealt for card in before), drawn.dealt],
                expected=say.that(
                    "{hand} draws no card on {cards_text}",
                    hand=say.place(hand.place),
                    cards_text=cards_text(before, totals),
                ),
                observed=say.that("it was dealt {drawn}", drawn=drawn.text),
                also=[UNDER_21] if barred else [],
                incident=f"draw {hand.place}",
            )
            if allowed is False:
                break


def _may_draw(total: Total, *, blackjack: bool) -> bool | None:
    """Tell whether a hand may draw; None for a soft 21, which 7 leaves out of "less than 21" and 7(a) does not forbid.

    `blackjack`: its two original cards make the total.
    """
    if total.best == LIMIT and total.soft and not blackjack:
        return None
    return total.best < LIMIT


@round_check(DOUBLE_OPTION, DOUBLE, SPLIT_OPTION, SPLIT, rulebooks=MANUAL, partial="keep")
def options_of_the_house(game: Round) -> Iterator[Instance]:
    """Doubles and splits only where the casino allows them."""
    for hand in game.hands:
        if hand.doubled and game.house.double_allowed is not None:
            placed = hand.stakes["double"].placed if "double" in hand.stakes else ()
            yield _permitted(hand.place, "double", game.house.double_allowed, DOUBLE_OPTION, DOUBLE, placed)
    for event, old, _, _ in game.folded.splits:
        if game.house.split_allowed is not None:
            yield _permitted(space(*old), "split", game.house.split_allowed, SPLIT_OPTION, SPLIT, (event,))


def _permitted(
    place: str, what: str, allowed: bool, clause: str, also: str, events: Sequence[CardsMoved | WagerPlaced]
) -> Instance:
    key = events[0].id if what == "split" else ""
    return judged(
        clause,
        allowed,
        at=place,
        key=key,
        events=events,
        expected=say.that("no {what}, as the casino does not allow it", what=what),
        observed=say.that(
            "{place} was {which}", place=say.place(place), which="doubled" if what == "double" else "split"
        ),
        also=[also],
    )


@round_check(ONE_SPLIT, rulebooks=MANUAL, needs={"multiple_action": True}, partial="keep")
def split_once(game: Round) -> Iterator[Instance]:
    """Check that a pair is split once at most in multiple action blackjack."""
    for event, old, new, _ in game.folded.splits:
        yield judged(
            ONE_SPLIT,
            new[1] < 2,
            at=space(*old),
            key=event.id,
            events=[event],
            expected="a pair is split once at most in multiple action blackjack",
            observed=say.that("space {new} was split again", new=new[0]),
        )


@round_check(ACES_ONE, rulebooks=MANUAL)
def aces_split_once(game: Round) -> Iterator[Instance]:
    """Split aces get one card each, so that they are not split again."""
    spaces: set[int] = set()
    for event, old, _, pair in game.folded.splits:
        if pair and all(card.ranks == {"A"} for card in pair):
            yield judged(
                ACES_ONE,
                old[0] not in spaces,
                at=space(*old),
                key=event.id,
                events=[event],
                expected="split aces get one card each and no further cards",
                observed=say.that("the aces of space {old} were split again", old=old[0]),
            )
            spaces.add(old[0])
