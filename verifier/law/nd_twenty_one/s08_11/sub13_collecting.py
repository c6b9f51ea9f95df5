"""With which hand chips are collected, and hand by hand where the site does so (99-01.3-08-11(13))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import ChipsCollected
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_11.sub10_busts_held import FIRST_BY_HAND, HELD_TEN, held_order, held_stakes
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session
from verifier.law.wording import hand_words

SWEEP = "ND-08-11.13-sweep-one-hand"
BY_HAND = "ND-08-11.13-hand-by-hand"
FIRST_SWEEP = "ND-08-11.10.a-one-hand-sweep"
CONSISTENT = "ND-08-11.13-option-consistent"


@round_check(SWEEP, BY_HAND, FIRST_SWEEP, FIRST_BY_HAND, HELD_TEN, partial="keep")
def collecting_hand(game: Round) -> Iterator[Instance]:
    """Chips are collected with one hand at a time, or with only the right hand by the site's option."""
    by_hand = game.house.sweep_or_hand_by_hand == "hand_by_hand"
    for event in game.of(ChipsCollected):
        clause, also = _clauses(game, event)
        if by_hand and event.mode == "sweep":
            yield judged(
                clause,
                False,
                at=event.at,
                key=f"mode {event.id}",
                events=[event],
                expected="chips are collected hand by hand, by the site's option",
                observed=say.that("the chips of {event} were swept", event=say.place(event.at)),
                also=also,
            )
        told = event.hand not in (None, "unknown")
        right = (event.hand == "right" if by_hand else event.hand != "both") if told else None
        yield judged(
            clause,
            right,
            at=event.at,
            key=event.id,
            events=[event],
            expected="chips are collected with " + ("only the right hand" if by_hand else "one hand at a time"),
            observed=say.that("the chips of {event} were collected with ", event=say.place(event.at))
            + hand_words(event.hand),
            also=also,
            incident=f"hand {clause} {event.at}" if event.hand else "hand unseen",
            uncounted=event.hand is None,
        )


def _clauses(game: Round, event: ChipsCollected) -> tuple[str, tuple[str, ...]]:
    """Return the clauses that bind a collection: 10(a) insurance and held busts against an ace, 10(b) held busts
    against a ten.
    """
    by_hand = game.house.sweep_or_hand_by_hand == "hand_by_hand"
    last, first = (BY_HAND, FIRST_BY_HAND) if by_hand else (SWEEP, FIRST_SWEEP)
    hand = game.hand_at(event.at)
    if event.kind == "insurance":
        return first, ()
    if hand is None or event not in held_stakes(game, hand):
        return last, ()
    return (last, (HELD_TEN,)) if held_order(game) == HELD_TEN else (first, (last,))


@session_check(CONSISTENT)
def one_way_of_collecting(session: Session) -> Iterator[Instance]:
    """Check that the option to collect hand by hand is applied throughout."""
    modes = [e for e in session.of(ChipsCollected) if e.mode and not e.weak]
    if not modes:
        return
    wanted = session.house.sweep_or_hand_by_hand
    odd = [e for e in modes if e.mode != wanted]
    told = "sweep_or_hand_by_hand" in session.header.house
    yield judged(
        CONSISTENT,
        True if not odd else (False if told and wanted == "hand_by_hand" else None),
        events=odd[:5],
        expected=say.that("losing wagers are collected by {wanted} at this site", wanted=wanted.replace("_", " ")),
        observed=say.that("{odd} of {modes} collections were made in the other way", odd=len(odd), modes=len(modes)),
    )
