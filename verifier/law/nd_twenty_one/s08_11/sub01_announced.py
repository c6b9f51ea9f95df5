"""What the dealer says of the upcard, where a transcript is given (99-01.3-08-11(1))."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.shared.speech import said
from verifier.law.registry import round_check
from verifier.law.rounds import Round

UPCARD = "ND-08-11.1-announce-upcard"
_NAMES: Final = {
    "ace": "A", "two": "2", "deuce": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "T", "jack": "J", "queen": "Q", "king": "K", "10": "T",
    **{str(pips): str(pips) for pips in range(2, 10)},
}  # fmt: skip


@round_check(UPCARD, audio=True)
def upcard_announced(game: Round) -> Iterator[Instance]:
    """Check that the dealer announces the faceup card once."""
    up, act = game.dealer.up, _first_act(game)
    if up is None or (act is None and not game.closed):
        return
    spoken = said(game, "upcard")
    yield judged(
        UPCARD,
        bool(spoken),
        at="dealer",
        events=[up.dealt, *spoken],
        expected="the dealer announces the faceup card to all players",
        observed="nothing was announced",
    )
    named = {
        _NAMES[word] for e in spoken for word in re.findall(r"[a-z]+|\d+", (e.text or "").lower()) if word in _NAMES
    }
    if len(named) == 1:
        (rank,) = named
        tens = set("TJQK")
        yield judged(
            UPCARD,
            rank in up.ranks or (rank == "T" and bool(tens & up.ranks)),
            at="dealer",
            key="named",
            events=[up.dealt, *spoken],
            expected=say.that("the faceup card, {up}, is announced", up=up.text),
            observed=say.that("the dealer said").detail("{spoken}", spoken=spoken[0].text),
        )


def _first_act(game: Round) -> float | None:
    return game.turn_t
