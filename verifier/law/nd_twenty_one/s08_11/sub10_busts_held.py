"""Held busts are collected in their turn (99-01.3-08-11(10)(a)-(b))."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from verifier.domain.events import AnyEvent, CardsCollected, ChipsCollected, ChipsToTray, PayoffPlaced
from verifier.law import say
from verifier.law.hands import STAKES, Hand, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import round_check
from verifier.law.rounds import Round
from verifier.law.side_by_side import right_to_left

HELD_ORDER = {True: "ND-08-11.10.a-busted-collect", False: "ND-08-11.10.b-busted-collect"}
FIRST_BY_HAND = "ND-08-11.10.a-hand-by-hand-option"
HELD_TEN = HELD_ORDER[False]


def held_order(game: Round) -> str | None:
    """Return the clause by which held busts are collected once the dealer has no natural; None where none are."""
    if game.dealer.up_high is not True or game.reader or game.dealer.natural is not False or game.turn_t is None:
        return None
    return HELD_ORDER[game.dealer.up_ace is True]


@round_check(*HELD_ORDER.values(), partial="undetermined")
def held_collected(game: Round) -> Iterator[Instance]:
    """Without a dealer natural, held busts are collected right to left before naturals and the dealer's draw.

    Their cards follow when all their chips are trayed; hand by hand, each hand is completed before the next.
    """
    clause = held_order(game)
    if clause is None or game.turn_t is None:
        return
    aside = {hand.key: hand for hand in game.playing if hand.bust and (hand.split or hand.doubled)}
    perhaps = {hand.key for hand in game.playing if hand.bust is not False and (hand.split or hand.doubled)}
    taken = [
        (hand, e)
        for hand in aside.values()
        for e in game.at(ChipsCollected, hand.key)
        if e.kind in STAKES and e.t_end > game.turn_t
    ]
    taken.sort(key=lambda pair: pair[1].t_end)
    keys = [hand.key for hand, _ in taken]
    held = {hand.key for hand, _ in taken}
    by_hand = game.house.sweep_or_hand_by_hand == "hand_by_hand"
    after: list[AnyEvent] = [c for c in game.dealer_dealt[2:] if c.face == "up"]
    after += [
        e for e in game.of(CardsCollected) if e.t_start > game.turn_t and not (by_hand and hand_key(e.from_) in perhaps)
    ]
    after += [e for e in game.of(PayoffPlaced) if e.kind in STAKES and e.t_start > game.turn_t]
    busted = {hand.key for hand in game.playing if hand.bust is not False}
    after += [e for e in game.of(ChipsCollected) if e.kind in STAKES and hand_key(e.at) not in busted]
    for hand, event in taken:
        late = [c for c in after if game.turn_t < c.t_end <= event.t_start][:1]
        yield judged(
            clause,
            False if late else right_to_left(game, keys),
            at=hand.place,
            events=[event, *late],
            expected="held busts are collected from the dealer's right, before the dealer draws",
            observed=say.that("the stake of {hand} was collected ", hand=say.place(hand.place))
            + ("after play had gone on" if late else "out of order"),
        )
    for key in sorted(held):
        yield from _held_cards(game, game.by_key[key], clause, [e for e in after if not isinstance(e, CardsCollected)])


def _held_cards(game: Round, hand: Hand, clause: str, later: list[AnyEvent]) -> Iterator[Instance]:
    """Check that the cards of a held bust go to the discard holder before play goes on.

    Where chips are swept, theirs are in the tray by then; hand by hand, the text does not say which go first.
    """
    cards = game.collected.get(hand.place)
    if cards is None or game.turn_t is None or cards.t_end <= game.turn_t:
        return
    late = [e for e in later if game.turn_t < e.t_end <= cards.t_start][:1]
    taken = [e for e in game.at(ChipsCollected, hand.key) if e.kind in STAKES and e.t_end > game.turn_t]
    trayed = [e for e in game.of(ChipsToTray) if taken and taken[-1].to == "hand" and e.t_end > taken[-1].t_end][:1]
    swept = game.house.sweep_or_hand_by_hand != "hand_by_hand"
    untrayed = [e for e in trayed if swept and cards.t_end <= e.t_start]
    yield judged(
        clause,
        not late and not untrayed,
        at=hand.place,
        key="cards",
        events=[cards, *late, *untrayed],
        expected=say.that(
            "the cards of {hand} are discarded once its chips are trayed, before naturals are paid and "
            "the dealer draws",
            hand=say.place(hand.place),
        ),
        observed="they were discarded " + ("after play had gone on" if late else "before its chips were in the tray"),
    )


def held_stakes(game: Round, hand: Hand) -> list[ChipsCollected]:
    """Return the collections of a split or doubled bust's stakes that were held until the dealer showed no natural."""
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
            expected=say.that(
                "the chips and cards of {hand} are put away before those of {part} are collected",
                hand=say.place(hand.place),
                part=say.place(other.place),
            ),
            observed=say.that(
                "the chips of {part} were collected while the cards of {hand} still lay",
                part=say.place(other.place),
                hand=say.place(hand.place),
            ),
            severity="major",
        )
