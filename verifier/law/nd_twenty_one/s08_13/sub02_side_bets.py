"""No side bets (99-01.3-08-13(2)(f))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import WagerPlaced
from verifier.law import say
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

SIDE_BET = "ND-08-13.2.f-no-side-bets"
_ND_KINDS = frozenset({"original", "split", "double", "insurance", "tip", "tip_double"})


@session_check(SIDE_BET)
def no_side_bets(session: Session) -> Iterator[Instance]:
    """There are no bets but original, tip, insurance, split and double, on the spaces."""
    for event in session.of(WagerPlaced):
        lawful = event.kind in _ND_KINDS and hand_key(event.at) is not None
        if not lawful or event is session.of(WagerPlaced)[0]:
            yield judged(
                SIDE_BET,
                lawful,
                key=event.id,
                at=event.at,
                events=[event],
                expected="there are no side bets",
                observed=say.that(
                    "a bet of another kind ({kind}) was placed at {event}", kind=event.kind, event=say.place(event.at)
                ),
            )
