"""Busted hands: collected at once, or held until the dealer's second card is known (99-01.3-08-11(6)-(8), (10))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import (
    AnyEvent,
    CardDealt,
    CardRevealed,
    CardsCollected,
    CardsMoved,
    ChipsCollected,
    ChipsToTray,
    HandSignal,
    PayoffPlaced,
)
from verifier.law.hands import STAKES, Hand, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session

COLLECT = "ND-08-11.6-bust-collect-now"
DISCARD = "ND-08-11.6-bust-cards-discard"
LOW = "ND-08-11.7-bust-lowcard-collect"
HOLD_CARDS = "ND-08-11.8-bust-hold-cards"
HOLD_CHIPS = "ND-08-11.8-bust-hold-chips"
TIP_LOST = "ND-08-11.8-bust-tip-lost"
HELD_ORDER = {True: "ND-08-11.10.a-busted-collect", False: "ND-08-11.10.b-busted-collect"}


def next_act(game: Round, hand: Hand) -> AnyEvent | None:
    """The next act of the round elsewhere after a hand busted: a card or a signal, or the dealer's turn."""
    bust_t = hand.cards[-1].t
    for event in game.events:
        if event.t_start < bust_t - 0.01:
            continue
        if isinstance(event, CardDealt) and event.to != hand.place and event.t_start >= bust_t:
            return event
        if isinstance(event, HandSignal) and hand_key(event.at) != hand.key and event.meaning != "insurance":
            return event
        if isinstance(event, CardRevealed) and event.at == "dealer":
            return event
    return None


def _extra(game: Round, hand: Hand) -> bool:
    first = game.by_key.get((hand.key[0], 0))
    return hand.split or hand.doubled or (first is not None and "insurance" in first.tips)


@round_check(COLLECT, DISCARD, LOW, partial="undetermined")
def bust_at_once(game: Round) -> Iterator[Instance]:
    """A plain bust, and a split or doubled bust against 2-9, loses its chips and cards before the next act."""
    for hand in game.playing:
        extra = _extra(game, hand)
        if not hand.bust or (extra and game.dealer.up_high is not False):
            continue
        act = next_act(game, hand)
        stakes = [e for e in game.at(ChipsCollected, hand.key) if e.kind in (*STAKES, "tip", "tip_double")]
        cards = game.collected.get(hand.place)
        if act is None and not game.closed:
            continue
        clause = LOW if extra else COLLECT
        if stakes:
            moves: tuple[AnyEvent, ...] = (*stakes, *_trayed(game, stakes))
            late = [e for e in moves if act is not None and e.t_start >= act.t_end]
            yield _late(game, hand, clause, late[:1], act, "chips")
        if cards is not None or game.closed:
            late_cards: list[AnyEvent] = [cards] if cards and act is not None and cards.t_start >= act.t_end else []
            yield _late(game, hand, LOW if extra else DISCARD, late_cards, act, "cards", missing=cards is None)


def _trayed(game: Round, stakes: list[ChipsCollected]) -> list[ChipsToTray]:
    """The movement to the tray that ends a collection into the hand, where the log tells of one."""
    if stakes[-1].to != "hand":
        return []
    return [e for e in game.of(ChipsToTray) if e.t_end > stakes[-1].t_end][:1]


def _late(
    game: Round, hand: Hand, clause: str, late: Sequence[AnyEvent], act: AnyEvent | None, what: str,
    *, missing: bool = False,
) -> Instance:  # fmt: skip
    right: bool | None = not late
    if missing:
        right = None if _picked_later(game) else False
    return judged(
        clause, right, at=hand.place, key=what, events=[*(c.dealt for c in hand.cards), act, *late],
        expected=f"the {what} of {hand.place} are taken at once, as it is over 21",
        observed=f"{hand.place} had {hand.text()} and its {what} were "
        + ("never seen to be taken" if missing else "taken only after play had gone on"),
        incident=f"bust {hand.place}",
    )  # fmt: skip


def _picked_later(game: Round) -> bool:
    """Whether the log holds no pick-up at all, so that a missing one tells nothing."""
    return not game.of(CardsCollected)


@round_check(HOLD_CARDS, HOLD_CHIPS, TIP_LOST, partial="undetermined")
def bust_held(game: Round) -> Iterator[Instance]:
    """Against an ace or ten a split, doubled or insured bust is held until the dealer's second card is known."""
    if game.dealer.up_high is not True or game.reader:
        return
    for hand in game.playing:
        if not hand.bust or not _extra(game, hand):
            continue
        known = game.turn_t
        cards = game.collected.get(hand.place)
        early_cards = cards is not None and (known is None or cards.t_end <= known)
        held = _aside(game, hand)
        if known is None and not game.closed:
            continue
        if held or early_cards:
            yield judged(
                HOLD_CARDS, not early_cards, at=hand.place,
                events=[*(c.dealt for c in hand.cards), cards if early_cards else None],
                expected=f"the cards of {hand.place} are held aside until the dealer's second card is known",
                observed=f"{hand.place} had {hand.text()} and its cards were discarded before that",
                incident=f"held {hand.place}",
            )  # fmt: skip
        chips = [e for e in game.at(ChipsCollected, hand.key) if e.kind in STAKES]
        early = [e for e in chips if known is None or e.t_end <= known]
        if hand.split or hand.doubled:
            yield judged(
                HOLD_CHIPS, not early, at=hand.place, events=[*(c.dealt for c in hand.cards), *early],
                expected=f"the chips of {hand.place} lie on its cards until the dealer's second card is known",
                observed=f"{hand.place} had {hand.text()} and its chips were collected before that",
                incident=f"held {hand.place}",
            )  # fmt: skip
            yield from _held_tip(game, hand)


@session_check(HOLD_CARDS)
def held_aside(session: Session) -> Iterator[Instance]:
    """The cards of a held bust are moved outside the betting space; in a recording that act may be out of sight."""
    for game in session.rounds:
        if game.opened and game.closed and game.dealer.up_high is True and not game.reader:
            for hand in game.playing:
                if hand.bust and _extra(game, hand) and not _aside(game, hand):
                    yield msgspec.structs.replace(judged(
                        HOLD_CARDS, None if session.from_pixels or hand.bust is None else False, at=hand.place,
                        events=[c.dealt for c in hand.cards],
                        expected=f"the cards of {hand.place} are held aside until the dealer's second card is known",
                        observed=f"{hand.place} had {hand.text()} and its cards were not seen to be held aside",
                        incident=f"held {hand.place}",
                    ), round=game.number)  # fmt: skip


def _aside(game: Round, hand: Hand) -> bool:
    return any(m.kind == "bust_hold" and hand_key(m.from_) == hand.key for m in game.of(CardsMoved))


def _held_tip(game: Round, hand: Hand) -> Iterator[Instance]:
    if "tip" not in hand.tips:
        return
    act = next_act(game, hand)
    tips = [e for e in game.at(ChipsCollected, hand.key) if e.kind in ("tip", "tip_double")]
    late = [e for e in tips if act is not None and e.t_start >= act.t_end]
    if tips:
        yield judged(
            TIP_LOST, not late, at=hand.place, events=[*late, act],
            expected=f"the tip of {hand.place} goes to the tray at once", observed="it was collected later",
        )  # fmt: skip


@round_check(*HELD_ORDER.values(), partial="undetermined")
def held_collected(game: Round) -> Iterator[Instance]:
    """Without a dealer natural, held busts are collected right to left before naturals and the dealer's draw.

    Their cards follow when all their chips are trayed; hand by hand, each hand is completed before the next.
    """
    if game.dealer.up_high is not True or game.reader or game.dealer.natural is not False or game.turn_t is None:
        return
    clause = HELD_ORDER[game.dealer.up_ace is True]
    aside = {hand.key: hand for hand in game.playing if hand.bust and (hand.split or hand.doubled)}
    perhaps = {hand.key for hand in game.playing if hand.bust is not False and (hand.split or hand.doubled)}
    taken = [
        (hand, e) for hand in aside.values()
        for e in game.at(ChipsCollected, hand.key) if e.kind in STAKES and e.t_end > game.turn_t
    ]  # fmt: skip
    taken.sort(key=lambda pair: pair[1].t_end)
    keys = [hand.key for hand, _ in taken]
    held = {hand.key for hand, _ in taken}
    by_hand = game.house.sweep_or_hand_by_hand == "hand_by_hand"
    after: list[AnyEvent] = [c for c in game.dealer_dealt[2:] if c.face == "up"]
    after += [
        e for e in game.of(CardsCollected)
        if e.t_start > game.turn_t and not (by_hand and hand_key(e.from_) in perhaps)
    ]  # fmt: skip
    after += [e for e in game.of(PayoffPlaced) if e.kind in STAKES and e.t_start > game.turn_t]
    busted = {hand.key for hand in game.playing if hand.bust is not False}
    after += [e for e in game.of(ChipsCollected) if e.kind in STAKES and hand_key(e.at) not in busted]
    for hand, event in taken:
        late = [c for c in after if game.turn_t < c.t_end <= event.t_start][:1]
        yield judged(
            clause, not late and keys == sorted(keys, reverse=True), at=hand.place, events=[event, *late],
            expected="held busts are collected from the dealer's right, before the dealer draws",
            observed=f"the stake of {hand.place} was collected "
            + ("after play had gone on" if late else "out of order"),
        )  # fmt: skip
    for key in sorted(held):
        yield from _held_cards(game, game.by_key[key], clause, [e for e in after if not isinstance(e, CardsCollected)])


def _held_cards(game: Round, hand: Hand, clause: str, later: list[AnyEvent]) -> Iterator[Instance]:
    """The cards of a held bust go to the discard holder with its chips, before play goes on."""
    cards = game.collected.get(hand.place)
    if cards is None or game.turn_t is None or cards.t_end <= game.turn_t:
        return
    late = [e for e in later if game.turn_t < e.t_end <= cards.t_start][:1]
    yield judged(
        clause, not late, at=hand.place, key="cards", events=[cards, *late],
        expected=f"the cards of {hand.place} are discarded before naturals are paid and the dealer draws",
        observed="they were discarded after play had gone on",
    )  # fmt: skip
