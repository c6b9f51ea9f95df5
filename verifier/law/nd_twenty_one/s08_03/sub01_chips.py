"""Values of chips, and wagers without any (99-01.3-08-03(1))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from verifier.domain.events import ChipsFanned, ChipsFromTray, CurrencyWagered, PayoffPlaced, WagerPlaced
from verifier.domain.money import CHIP_COLOURS
from verifier.law import say
from verifier.law.entries import as_number
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_05.sub01_slips import chips_of, direction, slips
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.rows import of_row, ours
from verifier.law.session import Session

GREEN_CHIPS = "ND-08-03.1-25-chip-offered"
SEVERAL = 4
"""Values from which on a list of chips is taken for all that the table has (policy of this project)."""
CHIP_VALUES = "ND-08-03.1-chip-values"
CHIPS_ONLY = "ND-08-03.1-chips-only"


@session_check(GREEN_CHIPS, reads=("equipment", "fill_slip", "chips_from_tray"))
def green_chips(session: Session) -> Iterator[Instance]:
    """Where 25 dollars may be wagered, chips of 25 are at hand."""
    if session.house.table_limits.max < session.figures.wager_most_cents:
        return
    stacks: list[ChipsFromTray | WagerPlaced] = [*session.of(ChipsFromTray), *session.of(WagerPlaced)]
    moved = any("2500" in (event.chips or {}) and not event.weak for event in stacks)
    filled = [chips_of(slip) for slip in slips(session) if direction(slip) == "fill"]
    moved = moved or any(isinstance(chips, Mapping) and as_number(chips.get("2500")) for chips in filled)
    if moved:
        yield judged(GREEN_CHIPS, True)
        return
    for entry in ours(session, "equipment", "tray_inventory"):
        chips = entry.get("chips", "chip_values", "tray")
        if isinstance(chips, Mapping | list) and chips:
            values = {str(value) for value in chips}
            whole = entry.kind == "tray_inventory" or len(values) >= SEVERAL
            yield of_row(
                GREEN_CHIPS,
                bool(values & {"2500", "25", "25.00"}) or (False if whole else None),
                entry,
                expected=say.that("chips of {chip} are provided, as {chip} may be wagered", chip=say.cents(2500)),
                observed="the chips listed are worth " + say.listed(", ", sorted(values)),
            )


@session_check(CHIP_VALUES)
def chip_values(session: Session) -> Iterator[Instance]:
    """Only chips of 0.50, 1, 2, 5, 25 and 100 are in play."""
    stacks: list[WagerPlaced | ChipsFanned | PayoffPlaced | ChipsFromTray] = [
        *session.of(WagerPlaced),
        *session.of(ChipsFanned),
        *session.of(PayoffPlaced),
        *session.of(ChipsFromTray),
    ]
    for event in stacks:
        if event.chips is None:
            continue
        place = "tray" if isinstance(event, ChipsFromTray) else event.at
        odd = sorted(int(value) for value in event.chips if int(value) not in CHIP_COLOURS)
        yield judged(
            CHIP_VALUES,
            not odd,
            at=place,
            key=event.id,
            events=[event],
            expected="chips are worth 50 cents, 1, 2, 5, 25 or 100 dollars",
            observed="a chip of "
            + say.listed(", ", (say.that("{value}", value=say.cents(value)) for value in odd))
            + " was in play",
        )


@round_check(CHIPS_ONLY, partial="keep", reads=("currency_wagered",))
def chips_only(game: Round) -> Iterator[Instance]:
    """Check that no bank note lies on a betting space as cards are dealt to it."""
    for note in game.of(CurrencyWagered):
        yield judged(
            CHIPS_ONLY,
            False,
            at=note.at,
            key=note.id,
            events=[note],
            expected="wagers and tips are made with chips",
            observed=say.that("a bank note lay on the betting space of {note} in the round", note=say.place(note.at)),
        )
