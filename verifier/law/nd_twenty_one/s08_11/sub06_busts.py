"""Busted hands: collected at once, or held until the dealer's second card is known (99-01.3-08-11(6)-(8))."""

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
    WagerMoved,
)
from verifier.law import say
from verifier.law.amounts import seen, total
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


def next_act(game: Round, hand: Hand) -> AnyEvent | None:
    """Return the next act of the round elsewhere after a hand busted: a card, a signal, or the dealer's turn."""
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


def lost_at_once(game: Round, hand: Hand) -> str | None:
    """Return the clause by which a busted hand loses its chips and cards at once; None where it does not lose them at
    once.
    """
    extra = _extra(game, hand)
    if not hand.bust or (extra and game.dealer.up_high is not False):
        return None
    return LOW if extra else COLLECT


@round_check(COLLECT, DISCARD, LOW, partial="undetermined")
def bust_at_once(game: Round) -> Iterator[Instance]:
    """Check that a plain bust, and a split or doubled bust against 2-9, loses its chips and cards before the next
    act.
    """
    for hand in game.playing:
        clause = lost_at_once(game, hand)
        if clause is None:
            continue
        act = next_act(game, hand)
        stakes = [e for e in game.at(ChipsCollected, hand.key) if e.kind in (*STAKES, "tip", "tip_double")]
        cards = game.collected.get(hand.place)
        if act is None and not game.closed:
            continue
        if stakes:
            moves: tuple[AnyEvent, ...] = (*stakes, *_trayed(game, stakes))
            late = [e for e in moves if act is not None and e.t_start >= act.t_end]
            yield _late(game, hand, clause, late[:1], act, "chips")
        if cards is not None or game.closed:
            late_cards: list[AnyEvent] = [cards] if cards and act is not None and cards.t_start >= act.t_end else []
            yield _late(
                game, hand, DISCARD if clause == COLLECT else LOW, late_cards, act, "cards", missing=cards is None
            )


def _trayed(game: Round, stakes: list[ChipsCollected]) -> list[ChipsToTray]:
    """Return the movement to the tray that ends a collection into the hand, where the log tells of one. With it, and
    what went there before, all that was collected is in the tray as far as the sums were seen.
    """
    if stakes[-1].to != "hand":
        return []
    due = total(seen(e.cents) for e in stakes)
    since = [e for e in game.of(ChipsToTray) if e.t_end > stakes[0].t_end]
    for count, last in enumerate(since, start=1):
        given = total(seen(e.cents) for e in since[:count])
        if last.t_end > stakes[-1].t_end and (not given.exact or given.low >= due.low):
            return [last]
    return since[-1:] if since and since[-1].t_end > stakes[-1].t_end else []


def _late(
    game: Round,
    hand: Hand,
    clause: str,
    late: Sequence[AnyEvent],
    act: AnyEvent | None,
    what: str,
    *,
    missing: bool = False,
) -> Instance:
    right: bool | None = not late
    if missing:
        right = None if _picked_later(game) else False
    return judged(
        clause,
        right,
        at=hand.place,
        key=what,
        events=[*(c.dealt for c in hand.cards), act, *late],
        expected=say.that(
            "the {what} of {hand} are taken at once, as it is over 21", what=what, hand=say.place(hand.place)
        ),
        observed=say.that(
            "{hand} had {hand_2} and its {what} were ", hand=say.place(hand.place), hand_2=hand.text(), what=what
        )
        + ("never seen to be taken" if missing else "taken only after play had gone on"),
        incident=f"bust {hand.place}",
    )


def _picked_later(game: Round) -> bool:
    """Tell whether the log holds no pick-up at all, so that a missing one tells nothing."""
    return not game.of(CardsCollected)


@round_check(HOLD_CARDS, HOLD_CHIPS, TIP_LOST, partial="undetermined")
def bust_held(game: Round) -> Iterator[Instance]:
    """Against an ace or ten a split, doubled or insured bust is held until the dealer's second card is known."""
    if game.dealer.up_high is False or game.reader:
        return
    for hand in game.playing:
        if not hand.bust or not _extra(game, hand):
            continue
        if game.dealer.up_high is None:
            yield _held_or_lost(game, hand)
            continue
        known = game.turn_t
        cards = game.collected.get(hand.place)
        early_cards = cards is not None and (known is None or cards.t_end <= known)
        held = _aside(game, hand)
        if known is None and not game.closed:
            continue
        if held or early_cards:
            yield judged(
                HOLD_CARDS,
                not early_cards,
                at=hand.place,
                events=[*(c.dealt for c in hand.cards), cards if early_cards else None],
                expected=say.that(
                    "the cards of {hand} are held aside until the dealer's second card is known",
                    hand=say.place(hand.place),
                ),
                observed=say.that(
                    "{hand} had {hand_2} and its cards were discarded before that",
                    hand=say.place(hand.place),
                    hand_2=hand.text(),
                ),
                incident=f"held {hand.place}",
            )
        if hand.split or hand.doubled:
            yield _held_chips(game, hand)
            yield from _held_tip(game, hand)


def _held_or_lost(game: Round, hand: Hand) -> Instance:
    """Leave open whether a bust is to be held or lost at once, where the card that decides it was not read."""
    return judged(
        HOLD_CARDS,
        None,
        at=hand.place,
        key="or lost",
        events=[*(c.dealt for c in hand.cards), *(c.dealt for c in game.dealer.cards[:1])],
        expected=say.that(
            "{hand} is held aside against an ace or ten, and lost at once against another card",
            hand=say.place(hand.place),
        ),
        observed=say.that(
            "{hand} had {hand_2} and the dealer's face-up card was not read",
            hand=say.place(hand.place),
            hand_2=hand.text(),
        ),
        also=[LOW],
        incident=f"held {hand.place}",
    )


def _held_chips(game: Round, hand: Hand) -> Instance:
    """Tell whether the chips of a bust that is to be held lay on its cards until the dealer's second card was known."""
    chips = [e for e in game.at(ChipsCollected, hand.key) if e.kind in STAKES]
    early = [e for e in chips if game.turn_t is None or e.t_end <= game.turn_t]
    return judged(
        HOLD_CHIPS,
        not early,
        at=hand.place,
        events=[*(c.dealt for c in hand.cards), *early],
        expected=say.that(
            "the chips of {hand} lie on its cards until the dealer's second card is known",
            hand=say.place(hand.place),
        ),
        observed=say.that(
            "{hand} had {hand_2} and its chips were collected before that",
            hand=say.place(hand.place),
            hand_2=hand.text(),
        ),
        incident=f"held {hand.place}",
    )


@session_check(HOLD_CARDS, HOLD_CHIPS)
def held_aside(session: Session) -> Iterator[Instance]:
    """Check that the cards of a held bust are moved outside the betting space and its chips laid on them.

    In a recording that act may be out of sight; elsewhere chips that nothing tells to have been moved may lie there.
    """
    for game in session.rounds:
        if game.opened and game.closed and game.dealer.up_high is True and not game.reader:
            for hand in game.playing:
                if not hand.bust or not _extra(game, hand):
                    continue
                if not _aside(game, hand):
                    yield _not_seen(game, hand, HOLD_CARDS, None if session.from_pixels else False, "held aside")
                elif not session.from_pixels and (hand.split or hand.doubled) and not _upon(game, hand):
                    yield _not_seen(game, hand, HOLD_CHIPS, None, "laid on them")


def _not_seen(game: Round, hand: Hand, clause: str, right: bool | None, act: str) -> Instance:
    what = "cards" if clause == HOLD_CARDS else "chips"
    return msgspec.structs.replace(
        judged(
            clause,
            right,
            at=hand.place,
            events=[c.dealt for c in hand.cards],
            key=f"seen {what}",
            expected=say.that(
                "the {what} of {hand} are {act} until the dealer's second card is known",
                what=what,
                hand=say.place(hand.place),
                act=act,
            ),
            observed=say.that(
                "{hand} had {hand_2} and its {what} were not seen to be {act}",
                hand=say.place(hand.place),
                hand_2=hand.text(),
                what=what,
                act=act,
            ),
            incident=f"held {hand.place}",
        ),
        round=game.number,
    )


def _upon(game: Round, hand: Hand) -> bool:
    """Tell whether the log tells that each stake of a held hand was moved, or taken too early, which is a breach
    itself.
    """
    moved = {m.kind for m in game.of(WagerMoved) if hand_key(m.from_) == hand.key}
    early = [e for e in game.at(ChipsCollected, hand.key) if game.turn_t is None or e.t_end <= game.turn_t]
    return bool(early) or all(kind in moved for kind in hand.stakes if kind in STAKES)


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
            TIP_LOST,
            not late,
            at=hand.place,
            events=[*late, act],
            expected=say.that("the tip of {hand} goes to the tray at once", hand=say.place(hand.place)),
            observed="it was collected later",
        )
