"""Spoken bets (99-01.3-09-04(15))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import Announcement, AnyEvent, CardDealt, PlayerAction, PotAwarded
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.acts import Act
from verifier.law.poker.cards import BETTING
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.hand import PokerHand

SPOKEN = full("15-verbal-binding")


@hand_check("15-verbal-binding", audio=True)
def spoken_bet(hand: PokerHand) -> Iterator[Instance]:
    """Check that a call, raise or bet that was spoken is what is done."""
    for index, event in enumerate(hand.events):
        if not isinstance(event, Announcement):
            continue
        kind = _spoken(event)
        act = _next_act(hand.events[index + 1 :]) if kind else None
        if kind is None or act is None:
            continue
        replayed = next((a for s in hand.streets for a in s.acts if a.event is act), None)
        right = _as_spoken(kind, event.cents, act, replayed)
        yield judged(
            SPOKEN,
            right,
            at=act.at,
            key=event.id,
            events=[event, act],
            expected=say.that("a spoken {kind} is binding", kind=kind),
            observed=say.that(
                "{act} did a {action} of {cents}", act=say.place(act.at), action=act.action, cents=say.cents(act.cents)
            ),
        )


def _spoken(event: Announcement) -> str | None:
    said = f"{event.topic} {event.text or ''}".lower()
    return next((word for word in ("raise", "call", "bet", "check", "fold") if word in said), None)


def _next_act(events: tuple[AnyEvent, ...]) -> PlayerAction | None:
    for event in events:
        if isinstance(event, PlayerAction) and event.action in BETTING:
            return event
        if isinstance(event, CardDealt | PotAwarded | Announcement):
            return None
    return None


def _as_spoken(kind: str, cents: int | None, act: PlayerAction, replayed: Act | None) -> bool | None:
    done = "raise" if act.action == "bet" and replayed is not None and replayed.owed else act.action
    if done != kind and {done, kind} != {"bet", "raise"}:
        return False
    if cents is None or replayed is None or kind not in ("bet", "raise"):
        return True
    if act.cents is None:
        return None
    whole = act.cents + replayed.top_ups - replayed.given_back
    level = replayed.level or 0
    stake = (replayed.stake or 0) + replayed.top_ups
    return cents in (whole, stake, stake - level)
