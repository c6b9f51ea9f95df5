"""Colours and edge spots of the chips, as an equipment record describes them (99-01.3-08-03(3))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from verifier.domain.money import CHIP_COLOURS
from verifier.law import say
from verifier.law.entries import Entry, as_cents, as_flag, as_number, plain
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.s08_02.sub01_table import READS
from verifier.law.nd_twenty_one.s08_02.sub03_cards import plainly
from verifier.law.registry import session_check
from verifier.law.rows import of_row, ours
from verifier.law.session import Session

SPEC = "ND-08-03.2-spec-chips-required"
SPOT_COLOURS = "ND-08-03.3-edge-spot-colours"
SPACING = "ND-08-03.3-edge-spot-spacing"
REVERSED = "ND-08-03.3-no-reversed-colours"
_LOOKS: Final[dict[int, tuple[str, str, tuple[int, ...], str | None]]] = {
    50: ("ND-08-03.3.a-50c-yellow", "mustard", (0,), None), 100: ("ND-08-03.3.b-1-white", "white", (4,), "solid"),
    200: ("ND-08-03.3.c-2-pink", "pink", (4,), "split"), 500: ("ND-08-03.3.d-5-red", "red", (6,), "solid"),
    2500: ("ND-08-03.3.e-25-green", "green", (8, 3), "solid"),
    10000: ("ND-08-03.3.f-100-black", "black", (4,), "triple split"),
}  # fmt: skip
"""Each chip's clause, primary colour, lawful numbers of edge spots and their style (08-03(3)(a)-(f))."""


def chip_table(entry: Entry) -> dict[int, Mapping[str, object]]:
    """Chips of an equipment record by value in cents, each with its looks."""
    chips = entry.get("chips", "chip_table")
    if not isinstance(chips, Mapping):
        return {}
    found = {as_cents(int(v) if str(v).isdigit() else v): looks for v, looks in chips.items()}
    return {
        cents: {plain(k): v for k, v in looks.items()}
        for cents, looks in found.items()
        if cents is not None and isinstance(looks, Mapping)
    }


def _primary(looks: Mapping[str, object]) -> str | None:
    value = looks.get("primary", looks.get("colour", looks.get("color")))
    return plain(value) if isinstance(value, str) else None


def _secondary(looks: Mapping[str, object]) -> set[str] | None:
    value = looks.get("secondary", looks.get("spot_colours", looks.get("spot_colour")))
    if value is None:
        return None
    return {plain(str(v)) for v in (value if isinstance(value, list) else [value])}


@session_check(*(clause for clause, *_ in _LOOKS.values()), SPEC, SPOT_COLOURS, SPACING, REVERSED, reads=READS)
def chip_looks(session: Session) -> Iterator[Instance]:
    """Each chip has the colour and edge spots that the rule gives its value."""
    for entry in ours(session, "equipment"):
        table = chip_table(entry)
        said = [_as_specified(session, cents, looks) for cents, looks in table.items() if cents in _LOOKS]
        for cents, right in zip((c for c in table if c in _LOOKS), said, strict=True):
            clause, colour, spots, style = _LOOKS[cents]
            yield of_row(
                clause,
                right,
                entry,
                expected=say.that("a chip of {cents} is {colour} with ", cents=say.cents(cents), colour=colour)
                + (
                    say.that("{spots} {style} edge spots", spots=say.listed(" or ", spots), style=style)
                    if style
                    else "no edge spots"
                ),
                observed="it is " + say.listed(", ", (say.that("{k} {v}", k=k, v=v) for k, v in table[cents].items())),
            )
        if said and session.house.video_surveillance == "present":
            yield plainly(SPEC, False not in said, entry, "chips are colour-coded where the table is recorded")
        yield from _spots(entry, table)


def _as_specified(session: Session, cents: int, looks: Mapping[str, object]) -> bool | None:
    _, colour, spots, style = _LOOKS[cents]
    primary, count = _primary(looks), as_number(looks.get("spots", looks.get("edge_spots")))
    given = looks.get("style", looks.get("spot_style"))
    if cents == 50 and session.house.fifty_cent_piece != "chip":
        return True
    right = [
        None
        if primary is None
        else primary.replace("mustard_yellow", "mustard").replace("yellow", "mustard") == colour,
        None if count is None else count in spots,
        None if style is None or not isinstance(given, str) else plain(given).replace("_", " ") == style,
    ]
    return False if False in right else (True if right[0] and right[1] else None)


def _spots(entry: Entry, table: Mapping[int, Mapping[str, object]]) -> Iterator[Instance]:
    for cents, looks in table.items():
        colours, even = _secondary(looks), as_flag(looks.get("equally_spaced", looks.get("spacing_equal")))
        if colours is not None and cents != 50:
            right = 1 <= len(colours) <= 2 and _primary(looks) not in colours
            yield plainly(
                SPOT_COLOURS,
                right,
                entry,
                say.that("a chip of {cents} has one or two contrasting spot colours", cents=say.cents(cents)),
            )
        if even is not None:
            yield plainly(
                SPACING, even, entry, say.that("the edge spots of {cents} are equally spaced", cents=say.cents(cents))
            )
    known = [(c, _primary(x), _secondary(x)) for c, x in table.items() if c in CHIP_COLOURS or _primary(x)]
    for (one, first, spots_1), (two, second, spots_2) in combinations(known, 2):
        if first and second and spots_1 and spots_2:
            swapped = second in spots_1 and first in spots_2
            yield of_row(
                REVERSED,
                not swapped,
                entry,
                key=f"{one} {two}",
                expected="no two values have each other's primary and secondary colours",
                observed=say.that(
                    "{one} is {first} with {second}, {two} is {second} with {first}",
                    one=say.cents(one),
                    first=first,
                    second=second,
                    two=say.cents(two),
                ),
            )
