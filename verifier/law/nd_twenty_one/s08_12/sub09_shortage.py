"""A shoe that runs short amid a round (99-01.3-08-12(9))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardDealt, Cut, Shuffle
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session
from verifier.law.shoes import after, at_round, shoe_burns, until

SHORTAGE = "ND-08-12.9-shoe-shortage"


@session_check(SHORTAGE, statute=True)
def short_shoe(session: Session) -> Iterator[Instance]:
    """When the shoe runs short the discards are shuffled and cut, a card is burned and the round goes on."""
    burns = shoe_burns(session)
    for shuffle in session.of(Shuffle):
        cards = after(session.of(CardDealt), shuffle.t_end)
        before = until(session.of(CardDealt), shuffle.t_start)
        if (
            shuffle.round is None
            or not cards
            or not before
            or not (cards[0].round == shuffle.round == before[-1].round)
        ):
            continue
        cut = [c for c in session.of(Cut) if shuffle.t_start <= c.t_start and c.t_end <= cards[0].t_end]
        ready = max([shuffle.t_start, *(c.t_start for c in cut[:1])])
        burned = any(ready <= b.t_start and b.t_end <= cards[0].t_end for b in burns)
        right = burned and (bool(cut) or (None if session.from_pixels else False))
        yield at_round(
            judged(
                SHORTAGE,
                right,
                key=shuffle.id,
                at="shoe",
                events=[shuffle, cards[0]],
                expected="the discards are shuffled and cut and a card is burned before the round goes on",
                observed="the round went on " + ("without a card burned after the cut" if cut else "without a cut"),
            ),
            cards[0],
        )
