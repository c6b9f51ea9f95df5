"""Split and double wagers that a dealer natural makes void (99-01.3-08-11(10)(e))."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from verifier.domain.events import ChipsCollected, ChipsReturned
from verifier.law.amounts import seen, total
from verifier.law.hands import Hand
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.rounds import Round
from verifier.law.session import Session

VOID = "ND-08-11.10.e-void-split-double"


@session_check(VOID)
def voided_returned(session: Session) -> Iterator[Instance]:
    """Against a dealer natural split and double wagers are given back, all of each (11(10)(e)); in a recording the
    giving back may be out of sight."""
    for game in session.rounds:
        if game.dealer.natural and game.closed and game.opened:
            for hand in game.playing:
                yield from _not_returned(session, game, hand)


def _not_returned(session: Session, game: Round, hand: Hand) -> Iterator[Instance]:
    for kind in ("split", "double"):
        stake = hand.stakes.get(kind)
        taken = any(e.kind == kind for e in game.at(ChipsCollected, hand.key))
        if stake is None or not stake.placed or taken:
            continue
        void = [e for e in stake.returned if e.reason == "void"]
        given, due = total(seen(e.cents) for e in void), stake.amount
        other = bool(void) and given.exact and due.exact and not given.equals(due)
        if other or not stake.returned:
            unsure = session.from_pixels or game.card_missing or any(e.weak for e in game.of(ChipsReturned))
            yield msgspec.structs.replace(
                judged(
                    VOID,
                    None if unsure else False,
                    at=hand.place,
                    key=kind,
                    events=[*stake.placed, *void],
                    expected=f"the {kind} wager of {hand.place}, {due}, is returned, as the dealer has a natural",
                    observed=f"{given} of it were returned" if other else "it was not seen to be returned",
                ),
                round=game.number,
            )
