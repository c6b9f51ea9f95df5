"""With which hand chips are collected, and hand by hand where the site does so (99-01.3-08-11(10)(a),(b), (13))."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from verifier.domain.events import ChipsCollected
from verifier.law.checks.busts import HELD_ORDER, held_order
from verifier.law.checks.wording import hand_words
from verifier.law.hands import STAKES, Hand, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import round_check
from verifier.law.rounds import Round

SWEEP = "ND-08-11.13-sweep-one-hand"
BY_HAND = "ND-08-11.13-hand-by-hand"
FIRST_SWEEP = "ND-08-11.10.a-one-hand-sweep"
FIRST_BY_HAND = "ND-08-11.10.a-hand-by-hand-option"
HELD_TEN = HELD_ORDER[False]


@round_check(SWEEP, BY_HAND, FIRST_SWEEP, FIRST_BY_HAND, HELD_TEN, partial="keep")
def collecting_hand(game: Round) -> Iterator[Instance]:
    """Chips are collected with one hand at a time, or with only the right hand by the site's option."""
    by_hand = game.house.sweep_or_hand_by_hand == "hand_by_hand"
    for event in game.of(ChipsCollected):
        clause, also = _clauses(game, event)
        if by_hand and event.mode == "sweep":
            yield judged(
                clause,
                False,
                at=event.at,
                key=f"mode {event.id}",
                events=[event],
                expected="chips are collected hand by hand, by the site's option",
                observed=f"the chips of {event.at} were swept",
                also=also,
            )
        told = event.hand not in (None, "unknown")
        right = (event.hand == "right" if by_hand else event.hand != "both") if told else None
        yield judged(
            clause,
            right,
            at=event.at,
            key=event.id,
            events=[event],
            expected="chips are collected with " + ("only the right hand" if by_hand else "one hand at a time"),
            observed=f"the chips of {event.at} were collected with " + hand_words(event.hand),
            also=also,
            incident=f"hand {clause} {event.at}" if event.hand else "hand unseen",
            uncounted=event.hand is None,
        )


def _clauses(game: Round, event: ChipsCollected) -> tuple[str, tuple[str, ...]]:
    """What binds a collection: 10(a) insurance and held busts against an ace, 10(b) the latter against a ten."""
    by_hand = game.house.sweep_or_hand_by_hand == "hand_by_hand"
    last, first = (BY_HAND, FIRST_BY_HAND) if by_hand else (SWEEP, FIRST_SWEEP)
    hand = game.by_key.get(hand_key(event.at) or (0, 0))
    if event.kind == "insurance":
        return first, ()
    if hand is None or event not in held_stakes(game, hand):
        return last, ()
    return (last, (HELD_TEN,)) if held_order(game) == HELD_TEN else (first, (last,))


def held_stakes(game: Round, hand: Hand) -> list[ChipsCollected]:
    """The collections of a split or doubled bust's stakes that were held until the dealer showed no natural."""
    if held_order(game) is None or not hand.bust or not (hand.split or hand.doubled):
        return []
    known = game.turn_t or 0.0
    return [e for e in game.at(ChipsCollected, hand.key) if e.kind in STAKES and e.t_end > known]


@round_check(FIRST_BY_HAND, HELD_TEN, partial="undetermined")
def held_one_by_one(game: Round) -> Iterator[Instance]:
    """Hand by hand, a held bust's cards are picked up before the chips of the next one are collected."""
    if game.house.sweep_or_hand_by_hand != "hand_by_hand":
        return
    taken = [(hand, stakes) for hand in game.playing if (stakes := held_stakes(game, hand))]
    taken.sort(key=lambda pair: pair[1][0].t_end)
    for (hand, stakes), (other, next_stakes) in itertools.pairwise(taken):
        cards = game.collected.get(hand.place)
        if cards is None:
            continue
        late = next_stakes[0].t_end <= cards.t_start
        yield judged(
            FIRST_BY_HAND if held_order(game) != HELD_TEN else HELD_TEN,
            not late,
            at=hand.place,
            key="one by one",
            events=[*stakes, *next_stakes, cards],
            expected=f"the chips and cards of {hand.place} are put away before those of {other.place} are collected",
            observed=f"the chips of {other.place} were collected while the cards of {hand.place} still lay",
            severity="major",
        )
