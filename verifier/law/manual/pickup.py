"""The pick-up of the cards and who may touch them (Dealing 9, Player conduct (a))."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from verifier.domain.events import CardsCollected, Touch
from verifier.law import say
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.manual.clauses import HANDLING, PICKUP, REPLAY
from verifier.law.manual.live import surrendered
from verifier.law.registry import MANUAL, round_check
from verifier.law.rounds import Round


@round_check(PICKUP, REPLAY, rulebooks=MANUAL, partial="undetermined")
def picked_up_from_the_right(game: Round) -> Iterator[Instance]:
    """Cards that remain are picked up from the dealer's right, each space's hands together."""
    picked = _remaining(game)
    spaces = [space for space, _ in picked]
    if len(spaces) < 2:
        return
    runs = [space for space, _ in itertools.groupby(spaces)]
    whole = len(runs) == len(set(runs))
    right = whole and runs == sorted(runs, reverse=True)
    yield judged(
        PICKUP if whole else REPLAY,
        right,
        events=[event for _, event in picked],
        expected="cards are picked up from the dealer's far right, hand by hand",
        observed="cards were picked up in the order of spaces " + say.listed(", ", (space for space in spaces)),
        also=[REPLAY if whole else PICKUP],
    )


def _remaining(game: Round) -> list[tuple[int, CardsCollected]]:
    """Pick-ups from the first of a hand not settled apart on: those of blackjacks, busts and surrenders precede."""
    found: list[tuple[int, CardsCollected]] = []
    for event in game.of(CardsCollected):
        key = hand_key(event.from_)
        hand = game.by_key.get(key) if key else None
        if key is None or hand is None:
            continue
        apart = hand.bust is not False or hand.natural is not False or surrendered(game, hand)
        if found or not apart:
            found.append((key[0], event))
    return found


@round_check(HANDLING, rulebooks=MANUAL, partial="keep")
def cards_not_handled(game: Round) -> Iterator[Instance]:
    """Nobody but the dealer handles the cards."""
    for touch in game.of(Touch):
        if touch.object == "card" and touch.by != "dealer":
            who = "a player" if touch.by == "player" else "someone else"
            yield judged(
                HANDLING,
                None if touch.displaced is None else False,
                at=touch.at,
                key=touch.id,
                events=[touch],
                expected="nobody but the dealer handles the cards",
                observed=say.that("{who} touched a card of {touch}", who=who, touch=say.place(touch.at))
                + (" and moved it" if touch.displaced else ""),
            )
    yield judged(HANDLING, True)
