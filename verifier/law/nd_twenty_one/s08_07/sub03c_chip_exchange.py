"""Chip exchanges (99-01.3-08-07(3)(c))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import ChipsFanned, ChipsFromTray, ChipsPushed, ChipsReceived, ChipsToTray, HandsClear
from verifier.domain.money import CHIP_COLOURS
from verifier.law import say
from verifier.law.amounts import seen, total
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.session import Session
from verifier.law.stretches import NEXT, before, step, stretches

IN_LEFT = "ND-08-07.3.c-exchange-in-left"
CLEAR_IN = "ND-08-07.3.c-exchange-hands-clear-in"
EQUAL = "ND-08-07.3.c-exchange-equal"
CLEAR_OUT = "ND-08-07.3.c-exchange-hands-clear-out"
ORDER = "ND-08-07.3.c-exchange-order"
_ORDERED = "the exchanged chips go in the tray after the others are pushed to the player"


@session_check(IN_LEFT, EQUAL, ORDER)
def chip_exchange(session: Session) -> Iterator[Instance]:
    """Chips received are fanned, exchanged for their equal, and put in the tray last."""
    for received, members, went_on in stretches(session, ChipsReceived, until=NEXT):
        pushes = [e for e in members if isinstance(e, ChipsPushed)]
        taken = before([e for e in members if isinstance(e, ChipsFromTray)], pushes)
        fans = [e for e in members if isinstance(e, ChipsFanned) and e.owner == "exchange_in"]
        if pushes:
            yield step(
                IN_LEFT,
                received,
                bool(fans) or _single(received),
                "the chips received are fanned",
                "they were not fanned",
            )
            yield _equal(received, taken, pushes)
        out = [e for e in members if isinstance(e, ChipsFanned) and e.owner == "exchange_out"]
        if pushes and not out:
            chips = [e.chips for e in taken]
            one = len(chips) == 1 and chips[0] is not None and sum(chips[0].values()) == 1
            bare = step(EQUAL, received, one, "the chips given are fanned", "they were not fanned", *taken, *pushes)
            yield msgspec.structs.replace(bare, incident=f"given for {received.id}")
        trayed = [e for e in members if isinstance(e, ChipsToTray)]
        if pushes and (went_on or trayed):
            yield _put_away(received, trayed, pushes, went_on)
        elif not went_on:
            yield step(ORDER, received, None, _ORDERED, "the log ends before that", *pushes)
        elif out and taken and trayed and not session.from_pixels:
            yield step(
                ORDER,
                received,
                False,
                "the chips given are pushed to the player before the others are trayed",
                "they were never pushed to the player",
                *out,
                *trayed,
            )


def _equal(received: ChipsReceived, taken: Sequence[ChipsFromTray], pushes: Sequence[ChipsPushed]) -> Instance:
    """Tell whether the chips that were taken, and those that were pushed, are worth what was received."""
    given = seen(received.cents)
    sums = [total(seen(e.cents) for e in group) for group in (taken, pushes) if group]
    said = [amount.equals(given) for amount in sums]
    equal = step(
        EQUAL,
        received,
        False if False in said else (None if None in said else True),
        say.that("chips worth {given} are given in exchange", given=given),
        say.that("chips worth {sums} were given for {given}", sums=say.listed(" / ", (s for s in sums)), given=given),
        *taken,
        *pushes,
    )
    return msgspec.structs.replace(equal, incident=None if False in said else f"given for {received.id}")


def _single(received: ChipsReceived) -> bool | None:
    """Tell whether it is one chip, which needs no fan; a sum that one chip makes may be one."""
    if received.chips:
        return sum(received.chips.values()) == 1
    return None if received.cents is None or received.cents in CHIP_COLOURS else False


def _put_away(
    received: ChipsReceived, trayed: Sequence[ChipsToTray], pushes: Sequence[ChipsPushed], went_on: bool
) -> Instance:
    """Check that all the exchanged chips go in the tray once the others are pushed. A sum that was not seen leaves this
    open.
    """
    given, put = seen(received.cents), total(seen(e.cents) for e in trayed)
    late = bool(trayed) and trayed[-1].t_end > pushes[0].t_start
    short = put.exact and given.exact and put.low < given.low
    full = (False if went_on else None) if short else (True if put.exact and given.exact else None)
    observed = (
        "they did not go in the tray"
        if not trayed
        else (
            say.that("{put} of the {given} went in the tray", put=put, given=given)
            if late
            else "they went in the tray before that"
        )
    )
    found = step(
        ORDER,
        received,
        full if late else False,
        _ORDERED,
        observed,
        *trayed,
        *pushes,
    )
    return msgspec.structs.replace(found, uncounted=late and full is None)


@session_check(CLEAR_IN, CLEAR_OUT, video=True)
def exchange_in_view(session: Session) -> Iterator[Instance]:
    """Check that the hands leave the chips received, and the chips given, so that both are in view."""
    for received, members, _ in stretches(session, ChipsReceived, until=NEXT):
        pushes = [e for e in members if isinstance(e, ChipsPushed)]
        taken = before([e for e in members if isinstance(e, ChipsFromTray)], pushes)
        if not pushes or not taken:
            continue
        clear = [e for e in members if isinstance(e, HandsClear)]
        yield step(
            CLEAR_IN,
            received,
            any(c.t_start <= taken[0].t_start for c in clear),
            "the hands leave the chips received before others are taken",
            "they never left them",
        )
        yield step(
            CLEAR_OUT,
            received,
            any(c.t_end >= taken[-1].t_end and c.t_start <= pushes[0].t_end for c in clear),
            "the hands leave the replacement chips before they are pushed",
            "they never left them",
        )
