"""Who bets: players, each at an own space (99-01.3-08-01(2))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import PlayerPresence, WagerPlaced
from verifier.law import say
from verifier.law.entries import plain
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

OUTSIDER = "ND-08-01.2-no-outsider-wager"
CROSS = "ND-08-01.2-no-cross-wager"
_NOT_PLAYERS = frozenset({"other", "outsider", "spectator", "bystander", "non_player"})


@session_check(OUTSIDER, CROSS)
def wagers_by_players(session: Session) -> Iterator[Instance]:
    """Nobody but a player wagers, and only on the own hand; spaces belong to players by their arrival."""
    owner: dict[int, str] = {}
    for event in session.events:
        if isinstance(event, PlayerPresence):
            for space in event.spaces or ():
                if event.phase == "arrive":
                    owner[space] = event.id
                else:
                    owner.pop(space, None)
        elif isinstance(event, WagerPlaced) and event.by:
            yield from _placed_by(event, owner)


def _placed_by(event: WagerPlaced, owner: dict[int, str]) -> Iterator[Instance]:
    by = plain(event.by or "")
    key = hand_key(event.at)
    yield judged(
        OUTSIDER,
        by not in _NOT_PLAYERS,
        key=event.id,
        at=event.at,
        events=[event],
        expected="only players wager",
        observed=say.that("a wager at {event} was placed by someone who does not play", event=say.place(event.at)),
    )
    digits = by.removeprefix("space_")
    if key is None or digits == by or not digits.isdigit() or int(digits) == key[0]:
        return
    mine, theirs = owner.get(int(digits)), owner.get(key[0])
    right = None if mine is None or theirs is None else mine == theirs
    yield judged(
        CROSS,
        right,
        key=event.id,
        at=event.at,
        events=[event],
        expected="a player wagers on the own hand only",
        observed=say.that("the player of space {digits} wagered on space {key}", digits=digits, key=key[0]),
    )
