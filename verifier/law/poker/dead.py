"""Checks of dead hands: wrong number of cards, folded, mucked or conceded hands (09-04(18), (19), (24))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import (
    AnyEvent,
    CardBurned,
    CardDealt,
    CardRevealed,
    CardsCollected,
    ChipsReturned,
    PlayerAction,
    PlayerPresence,
    PotAwarded,
)
from verifier.domain.poker import FULL_HAND, STUD
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.cards import BETTING, is_burn
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.hand import PokerHand
from verifier.law.poker.tabled import fouled

FOULED, TOO_MANY, NO_RECOVERY = full("18-fouled-hand"), full("24.a-too-many-cards"), full("19-fouled-no-recovery")
PREMATURE, FACE_DOWN, RETRIEVAL = (
    full("24.c-premature-discard"), full("24.h-facedown-dead"), full("24.g-facedown-retrieval")
)  # fmt: skip
CONCESSION, LEAVER, FACED = (
    full("24.d-verbal-concession"), full("24.e-leaver-discards"), full("22-faced-deck-card")
)  # fmt: skip


def _awarded(hand: PokerHand) -> dict[str, PotAwarded]:
    found: dict[str, PotAwarded] = {}
    for award in hand.awards:
        found.setdefault(award.at, award)
    return found


@hand_check("18-fouled-hand", "24.a-too-many-cards")
def fouled_hand(hand: PokerHand) -> Iterator[Instance]:
    """Check that a hand with a wrong number of cards is dead and wins nothing while another is in."""
    size = FULL_HAND.get(hand.variant or "")
    if size is None or not hand.awards or not hand.contested or hand.called_off:
        return
    wrong = fouled(hand) | {s for s in hand.live if len(hand.cards.known(s)) > size}
    for seat, award in _awarded(hand).items():
        if seat not in hand.live:
            continue
        count = max(hand.cards.count(seat), len(hand.cards.known(seat)))
        too_many = seat in wrong and count > size
        yield judged(
            FOULED,
            seat not in wrong,
            at=seat,
            events=[award, *_cards_of(hand, seat)],
            expected=say.that("a hand of {size} cards", size=size).then("another is fouled and cannot win"),
            observed=say.that("{seat} won with {count} cards", seat=say.place(seat), count=count),
            also=[TOO_MANY] if too_many else [],
            incident="award",
            rank=1,
        )
    for seat in sorted(wrong - set(_awarded(hand))):
        yield judged(FOULED, True, at=seat)


def _cards_of(hand: PokerHand, seat: str) -> list[AnyEvent]:
    return [e for e in hand.events if isinstance(e, CardDealt) and e.to == seat]


@hand_check("19-fouled-no-recovery")
def fouled_recovery(hand: PokerHand) -> Iterator[Instance]:
    """Check that a fouled hand's wagers stay in the pot, but for a bet on which nobody has acted yet."""
    if hand.misdealt or hand.called_off or hand.hole_cards is None:
        return
    size = FULL_HAND[hand.variant or ""]
    for event in hand.events:
        if not isinstance(event, ChipsReturned) or event.reason == "excess" or event.at not in hand.seats:
            continue
        count = hand.cards.count(event.at)
        if hand.variant == STUD or count == size:
            continue
        before = [e for e in hand.events[: hand.position(event)] if isinstance(e, PlayerAction) and e.action in BETTING]
        fresh = bool(before) and before[-1].at == event.at and before[-1].cents is not None
        right = fresh and event.cents is not None and event.cents <= (before[-1].cents or 0)
        yield judged(
            NO_RECOVERY,
            right if event.cents is not None or not fresh else None,
            at=event.at,
            events=[event],
            expected="only a bet on which nobody has acted goes back to a player with a fouled hand",
            observed=say.that(
                "wagers were returned to {event}, whose hand has {count} cards", event=say.place(event.at), count=count
            ),
        )


@hand_check("24.c-premature-discard", "24.g-facedown-retrieval", "24.h-facedown-dead", "24.d-verbal-concession")
def discarded_hand(hand: PokerHand) -> Iterator[Instance]:
    """Check that a hand that was folded, mucked or conceded wins nothing, unless it was retrieved in time."""
    if not hand.awards or hand.called_off:
        return
    for seat, award in _awarded(hand).items():
        out = _gave_up(hand, seat)
        others = [s for s in hand.live if s != seat and s not in hand.gave_up]
        if out is None or (seat not in hand.folded and not others and not hand.folded):
            continue
        if seat not in hand.folded and not others:
            continue
        yield from _award_to(hand, seat, award, out)


def _gave_up(hand: PokerHand, seat: str) -> PlayerAction | None:
    acts = [e for e in hand.events[: hand.award_position] if isinstance(e, PlayerAction) and e.at == seat]
    return next((e for e in acts if e.action in ("fold", "muck", "concede")), None)


def _award_to(hand: PokerHand, seat: str, award: PotAwarded, out: PlayerAction) -> Iterator[Instance]:
    at = hand.position(out)
    if out.action == "concede":
        yield judged(
            CONCESSION,
            False,
            at=seat,
            events=[out, award],
            expected="a concession is binding",
            observed=say.that("{seat} conceded and was awarded the pot", seat=say.place(seat)),
            incident="award",
            rank=1,
        )
        return
    shown = [e for e in hand.events[at : hand.award_position] if isinstance(e, CardRevealed) and e.at == seat]
    before = [e for e in hand.events[:at] if isinstance(e, CardRevealed) and e.at == seat and e.how == "showdown"]
    collected = hand.into_muck(seat)
    if shown:
        yield from _retrieved(hand, seat, award, out, shown[0], collected)
    elif before and collected is None:
        yield judged(FACE_DOWN, True, at=seat)
    else:
        touched = collected is not None or out.action == "fold"
        yield judged(
            PREMATURE if touched else FACE_DOWN,
            False,
            at=seat,
            events=[out, collected, award],
            expected="a hand discarded face down that is not retrieved is dead",
            observed=say.that("{seat} discarded the hand and was awarded the pot", seat=say.place(seat)),
            also=[FACE_DOWN] if touched else [],
            incident="award",
            rank=1,
        )


def _retrieved(
    hand: PokerHand,
    seat: str,
    award: PotAwarded,
    out: PlayerAction,
    shown: CardRevealed,
    collected: CardsCollected | None,
) -> Iterator[Instance]:
    between = hand.events[hand.position(out) + 1 : hand.position(shown)]
    induced = [
        e for e in between if isinstance(e, PlayerAction) and e.at != seat and e.action in ("muck", "fold", "concede")
    ]
    yield judged(
        RETRIEVAL,
        not induced,
        at=seat,
        events=[out, *induced, shown, award],
        expected="a hand discarded face down is retrieved only while no other player was induced to discard",
        observed=say.that("{seat} took the hand back after another had discarded", seat=say.place(seat)),
        incident="award",
        rank=1,
    )
    touched = collected is not None and hand.position(collected) < hand.position(shown)
    yield judged(
        PREMATURE,
        None if touched and not induced else True,
        at=seat,
        events=[collected, shown, award],
        expected="a hand that touched the discards is dead unless it can be fully identified and retrieved",
        observed=say.that("{seat}'s hand was collected with the discards and awarded the pot", seat=say.place(seat)),
        incident="award",
    )


@hand_check("24.e-leaver-discards", partial="keep", reads=("player_presence",))
def leaver(hand: PokerHand) -> Iterator[Instance]:
    """Check that a player who leaves in the middle of a hand discards first."""
    for event in hand.events:
        if not isinstance(event, PlayerPresence) or event.phase != "leave" or hand.first_card is None:
            continue
        here = hand.position(event)
        if not hand.position(hand.first_card) < here < hand.award_position or hand.misdealt:
            continue
        for seat in [*(event.at or ()), *(say.that("seat:{n}", n=n) for n in event.spaces or ())]:
            if seat in hand.seats:
                yield judged(
                    LEAVER,
                    _discarded(hand, seat, here),
                    at=seat,
                    events=[event],
                    expected="a player who leaves concedes by discarding the hand",
                    observed=say.that("{seat} left with the hand still in", seat=say.place(seat)),
                )


def _discarded(hand: PokerHand, seat: str, before: int) -> bool | None:
    for event in hand.events[:before]:
        if isinstance(event, PlayerAction) and event.at == seat and event.action in ("fold", "muck", "concede"):
            if event.action == "concede":
                return any(isinstance(e, CardsCollected) and e.from_ == seat for e in hand.events[:before])
            return True
        if isinstance(event, CardsCollected) and event.from_ == seat and hand.variant != "five_card_draw":
            return True
    return None if seat in hand.betting.all_in else False


@hand_check("22-faced-deck-card", partial="keep")
def faced_card(hand: PokerHand) -> Iterator[Instance]:
    """Check that a card that lies face up in the deck is dead and that the next card takes its place."""
    for index, event in enumerate(hand.events):
        faced = isinstance(event, CardRevealed) and (event.at in ("hand", "shoe") or event.how == "shoe_mouth")
        if isinstance(event, CardRevealed) and faced:
            used = _played(hand, event.card, index)
            yield judged(
                FACED,
                None if "?" in event.card else used is None,
                at=used.to if used else None,
                events=[event, used],
                expected="a card faced in the deck is dead and replaced by the next",
                key=event.id,
                observed=say.that("{card} was dealt into the hand", card=say.card(event.card)),
            )
        elif isinstance(event, CardBurned) and not is_burn(event):
            reason = (event.reason or "").lower()
            if "face" in reason or "box" in reason:
                used = _played(hand, event.card, index)
                yield judged(
                    FACED,
                    used is None,
                    at=used.to if used else None,
                    events=[event, used],
                    key=event.id,
                    expected="a card faced in the deck is dead and replaced by the next",
                    observed="the dead card was dealt into the hand",
                )


def _played(hand: PokerHand, card: str, after: int) -> CardDealt | None:
    if "?" in card:
        return None
    return next((e for e in hand.events[after:] if isinstance(e, CardDealt) and e.card == card), None)
