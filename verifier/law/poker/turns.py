"""Checks of whose turn it is: first to act, the end of a round of betting, heads-up play (09-04(10), (11))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import AnyEvent, CardBurned, CardDealt, PotAwarded
from verifier.domain.poker import STUD
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.acts import Street
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.hand import PokerHand, hand_of
from verifier.law.poker.presence import perhaps_all_in

FIRST, LATER, ENDS = full("10-first-round-start"), full("10-later-rounds"), full("10-round-ends")
MATCH, BLIND, SWITCH = full("10-match-or-raise"), full("11-heads-up-blind"), full("11-heads-up-switch")


@hand_check("10-first-round-start", "10-later-rounds")
def turns(hand: PokerHand) -> Iterator[Instance]:
    """Check who acts first on each street, and that the others act in turn."""
    if hand.misdealt or hand.by_chips:
        return
    idle = perhaps_all_in(hand)
    for street in hand.streets:
        clause = FIRST if street.number == 0 else LATER
        for index, act in enumerate(street.acts):
            if not act.due or not act.pending:
                continue
            out = bool(act.skipped) and _acts_later(street, index, act.skipped)
            right: bool | None = False
            if index == 0:
                right = True if act.seat in act.due else None if idle & set(act.due) else False
            elif not out:
                continue
            yield judged(
                clause,
                right,
                at=act.seat,
                key=act.event.id,
                events=[act.event],
                expected=say.that("{due} is to act", due=say.listed(" or ", map(say.place, act.due))),
                observed=say.that("{act} acted", act=say.place(act.seat)),
                incident=f"turn {street.number}",
            )


def _acts_later(street: Street, index: int, skipped: tuple[str, ...]) -> bool:
    """Tell whether the players passed over acted afterwards, so that they were in fact passed over."""
    later = {act.seat for act in street.acts[index + 1 :]}
    return any(seat in later for seat in skipped)


@hand_check("10-round-ends")
def round_ends(hand: PokerHand) -> Iterator[Instance]:
    """Betting ends when all have had a chance to act and all who are in have wagered the same."""
    if hand.misdealt or hand.called_off or hand.first_act is None:
        return
    for street in hand.streets:
        if not street.closed:
            continue
        late = [seat for seat in street.short if seat not in street.waiting]
        answered = {act.seat for act in street.acts if act.short_by and not act.settled}
        waiting = [seat for seat in street.waiting if seat not in answered]
        others = [seat for seat in late if seat not in answered]
        if not waiting and not others:
            yield judged(ENDS, True, key=str(street.number))
            continue
        yield judged(
            ENDS,
            _surely(hand, street, {*waiting, *others}),
            at=(waiting or others)[0],
            key=str(street.number),
            events=_around(hand, street),
            expected="every player has a chance to act, and all who stay in have wagered the same",
            observed=say.that(
                "the round ended before {waiting} had matched or acted",
                waiting=say.listed(", ", map(say.place, waiting or others)),
            ),
            also=[MATCH] if street.short else [],
            incident=f"ends {street.number}",
            rank=3,
        )


def _surely(hand: PokerHand, street: Street, waiting: set[str]) -> bool | None:
    """Return False where it is certain that seats waited, else None. A round without any act in the log may not have
    been looked at. The ante or blind may also have been their last chip, or that of all whom the one who waited could
    have bet against.
    """
    idle = perhaps_all_in(hand)
    able = set(hand.live) - hand.betting.all_in - idle
    if idle and (idle >= waiting or len(able) <= 1):
        return None
    return False if street.acts or street.waiting else None


def _around(hand: PokerHand, street: Street) -> list[AnyEvent]:
    last = street.acts[-1].event if street.acts else None
    after = hand.events[hand.position(last) :] if last is not None else ()
    closing = next((e for e in after if isinstance(e, CardBurned | CardDealt | PotAwarded)), None)
    return [e for e in (last, closing) if e is not None]


@hand_check("11-heads-up-blind")
def heads_up(hand: PokerHand) -> Iterator[Instance]:
    """Heads-up, the button posts the small blind, acts first before the flop and last after it."""
    if not hand.heads_up or not hand.blinds or hand.moved is None or hand.variant == STUD or hand.misdealt:
        return
    button = hand.moved.to
    small, big = hand.blinds.get("small"), hand.blinds.get("big")
    posted = small.at == button if small is not None else (big.at != button if big is not None else None)
    if button not in hand.seats or posted is None:
        return
    yield judged(
        BLIND,
        posted,
        at=button,
        key="blind",
        events=[hand.moved, small, big],
        expected="heads-up the button posts the small blind",
        observed="the other player posted it",
        incident="heads up",
        rank=2,
    )
    for street in hand.streets:
        if not street.acts or perhaps_all_in(hand):
            continue
        first = street.acts[0]
        right = (first.seat == button) == (street.number == 0)
        if len(first.due) == 0 and street.number:
            continue
        yield judged(
            BLIND,
            right,
            at=first.seat,
            key=f"street {street.number}",
            events=[hand.moved, first.event],
            expected="heads-up the button acts first on the first round and last on later ones",
            observed=say.that("{first} acted first", first=say.place(first.seat)),
            incident=f"turn {street.number}",
            rank=2,
        )


@hand_check("11-heads-up-switch")
def heads_up_switch(hand: PokerHand) -> Iterator[Instance]:
    """When play becomes heads-up, the player who had the big blind most recently gets the button."""
    before = hand.game.previous
    if not hand.heads_up or before is None or hand.moved is None or len(hand_of(before).seats) < 3:
        return
    if hand_of(before).misdealt:
        return
    while before is not None:
        big = hand_of(before).blinds.get("big")
        if big is not None and big.at in hand.seats:
            yield judged(
                SWITCH,
                hand.moved.to == big.at,
                at=hand.moved.to,
                events=[big, hand.moved],
                expected=say.that("{big}, who had the big blind most recently, gets the button", big=say.place(big.at)),
                observed=say.that("{moved} got it", moved=say.place(hand.moved.to)),
            )
            return
        before = before.previous
