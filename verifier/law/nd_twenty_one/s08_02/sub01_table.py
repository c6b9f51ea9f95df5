"""Table, cards and chips as an equipment record describes them, and the felt's words (99-01.3-08-02, 08-03)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Final

from verifier.domain.events import OverlayRead
from verifier.domain.money import CHIP_COLOURS
from verifier.law.checks.records.rows import of_row, ours
from verifier.law.entries import Entry, as_cents, as_flag, as_number, plain
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

STANDS = "ND-08-02.1-felt-statement-s17"
HITS = "ND-08-02.1-felt-statement-h17"
GREEN = "ND-08-02.1-green-surface"
GRAPHICS = "ND-08-02.1-no-graphics"
SEVEN = "ND-08-02.1-max-seven-spaces"
SHOE = "ND-08-02.3-shoe-on-left"
UNIFORM = "ND-08-02.3-cards-uniform"
FACES = "ND-08-02.3-card-face-colours"
BACKS = "ND-08-02.3-back-colours"
DESIGN = "ND-08-02.3-back-design"
COIN = "ND-08-03.1-half-dollar-clarity"
SPEC = "ND-08-03.2-spec-chips-required"
SPOT_COLOURS = "ND-08-03.3-edge-spot-colours"
SPACING = "ND-08-03.3-edge-spot-spacing"
REVERSED = "ND-08-03.3-no-reversed-colours"
READS = ("equipment",)
_LOOKS: Final[dict[int, tuple[str, str, tuple[int, ...], str | None]]] = {
    50: ("ND-08-03.3.a-50c-yellow", "mustard", (0,), None), 100: ("ND-08-03.3.b-1-white", "white", (4,), "solid"),
    200: ("ND-08-03.3.c-2-pink", "pink", (4,), "split"), 500: ("ND-08-03.3.d-5-red", "red", (6,), "solid"),
    2500: ("ND-08-03.3.e-25-green", "green", (8, 3), "solid"),
    10000: ("ND-08-03.3.f-100-black", "black", (4,), "triple split"),
}  # fmt: skip
"""Each chip's clause, primary colour, lawful numbers of edge spots and their style (08-03(3)(a)-(f))."""


@session_check(STANDS, reads=("overlay_read of felt",))
def felt_says_stand(session: Session) -> Iterator[Instance]:
    """The felt says what naturals pay and that the dealer stands on 17."""
    if not session.house.hit_soft_17:
        yield from _felt_words(session, STANDS)


@session_check(HITS, needs={"hit_soft_17": True}, reads=("overlay_read of felt",))
def felt_says_hit(session: Session) -> Iterator[Instance]:
    """The felt says what naturals pay and that the dealer hits a soft 17."""
    yield from _felt_words(session, HITS)


def _felt_words(session: Session, clause: str) -> Iterator[Instance]:
    """What the felt says, of which equivalent words are allowed."""
    hits = session.house.hit_soft_17
    for event in session.of(OverlayRead):
        if event.what != "felt" or not event.text or event.weak:
            continue
        text = " ".join(event.text.lower().replace("seventeen", "17").replace("sixteen", "16").split())
        says_hit = bool(re.search(r"(hit|draw)s?\b[^.]*soft 17", text))
        says_stand = bool(re.search(r"stand[^.]*17", text)) and not says_hit
        natural = bool(re.search(r"3 (to|:|for) 2|3:2|three to two", text))
        wrong_odds = bool(re.search(r"6 (to|:) 5|6:5|six to five", text))
        agrees, denies = (says_hit, says_stand) if hits else (says_stand, says_hit)
        right = False if wrong_odds or (denies and hits is not None) else (True if agrees and natural else None)
        yield judged(
            clause,
            right,
            key=event.id,
            events=[event],
            expected="the felt says: Blackjack pays 3 to 2, "
            + ("dealer must hit soft 17" if hits else "dealer must stand on 17 and must draw to 16"),
            observed=f"it says: {event.text}",
        )


@session_check(GREEN, GRAPHICS, SEVEN, SHOE, reads=READS)
def table_surface(session: Session) -> Iterator[Instance]:
    """The surface is green, without graphics, with seven spaces at most, the shoe at the dealer's left."""
    for entry in session.records.of("equipment"):
        colour = entry.words("surface_colour", "surface_color", "felt_colour", "felt_color", "surface")
        if colour is not None:
            yield of_row(GREEN, "green" in colour, entry, expected="the surface is green", observed=f"it is {colour}")
        graphics = entry.told("graphics", "imprinted_graphics")
        if graphics is not None:
            approved = entry.flag("graphics_authorized", "graphics_authorised", "graphics_approved") is True
            yield of_row(
                GRAPHICS,
                not graphics or approved,
                entry,
                expected="the surface has no graphics but authorized ones",
                observed="it has graphics that were not authorized",
            )
        spaces = entry.number("betting_spaces", "spaces")
        if spaces is not None:
            yield of_row(
                SEVEN, spaces <= 7, entry, expected="the layout has at most seven spaces", observed=f"it has {spaces:g}"
            )
        side = entry.words("shoe_side", "shoe_position", "shoe")
        if side and side.split()[-1] in ("left", "right"):
            yield of_row(
                SHOE,
                side.endswith("left"),
                entry,
                expected="the shoe is at the dealer's left",
                observed=f"at the {side}",
            )


@session_check(UNIFORM, FACES, BACKS, DESIGN, COIN, reads=READS)
def cards_in_use(session: Session) -> Iterator[Instance]:
    """Cards are alike, jumbo, red and black, with backs of one or two colours and one design."""
    for entry in ours(session, "equipment"):
        cards = entry.get("cards")
        fields = {**entry.fields, **({plain(k): v for k, v in cards.items()} if isinstance(cards, Mapping) else {})}
        alike = [as_flag(fields.get(n)) for n in ("uniform", "same_size", "cards_uniform") if fields.get(n) is not None]
        jumbo = as_flag(fields.get("jumbo"))
        if session.house.card_reader_cards == "jumbo" and jumbo is not None:
            alike.append(jumbo)
        if alike:
            yield _plainly(UNIFORM, False not in alike, entry, "cards are alike and jumbo-faced")
        faces, backs = fields.get("face_colours"), fields.get("back_colours", fields.get("back_colors"))
        if isinstance(faces, list) and faces:
            named = {plain(str(colour)) for colour in faces}
            yield _plainly(
                FACES,
                named <= {"red", "maroon", "black"} and "black" in named,
                entry,
                "faces are red or maroon and black",
            )
        if isinstance(backs, list) and backs:
            yield _plainly(
                BACKS, len({plain(str(c)) for c in backs}) <= 2, entry, "backs have one colour, or two half and half"
            )
        elif isinstance(backs, Mapping) and backs:
            halves = [as_number(count) for count in backs.values()]
            even = len(halves) == 1 or (len(halves) == 2 and halves[0] == halves[1])
            yield _plainly(BACKS, even, entry, "backs have one colour, or two half and half")
        design = as_flag(fields.get("same_back_design", fields.get("back_design_identical")))
        if design is not None:
            yield _plainly(DESIGN, design, entry, "all backs have one design")
        coin = as_flag(fields.get("coin_clear", fields.get("half_dollar_clear")))
        if coin is not None and session.house.fifty_cent_piece != "chip":
            yield _plainly(COIN, coin, entry, "the 50-cent coin is clear in the picture")


def _plainly(clause: str, right: bool, entry: Entry, expected: str) -> Instance:
    return of_row(clause, right, entry, expected=expected, observed="the equipment record says otherwise")


def chip_table(entry: Entry) -> dict[int, Mapping[str, Any]]:
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


def _primary(looks: Mapping[str, Any]) -> str | None:
    value = looks.get("primary", looks.get("colour", looks.get("color")))
    return plain(value) if isinstance(value, str) else None


def _secondary(looks: Mapping[str, Any]) -> set[str] | None:
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
                expected=f"a chip of {cents / 100:.2f} is {colour} with "
                + (f"{' or '.join(map(str, spots))} {style} edge spots" if style else "no edge spots"),
                observed="it is " + ", ".join(f"{k} {v}" for k, v in table[cents].items()),
            )
        if said and session.house.video_surveillance == "present":
            yield _plainly(SPEC, False not in said, entry, "chips are colour-coded where the table is recorded")
        yield from _spots(entry, table)


def _as_specified(session: Session, cents: int, looks: Mapping[str, Any]) -> bool | None:
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


def _spots(entry: Entry, table: Mapping[int, Mapping[str, Any]]) -> Iterator[Instance]:
    for cents, looks in table.items():
        colours, even = _secondary(looks), as_flag(looks.get("equally_spaced", looks.get("spacing_equal")))
        if colours is not None and cents != 50:
            right = 1 <= len(colours) <= 2 and _primary(looks) not in colours
            yield _plainly(
                SPOT_COLOURS, right, entry, f"a chip of {cents / 100:.2f} has one or two contrasting spot colours"
            )
        if even is not None:
            yield _plainly(SPACING, even, entry, f"the edge spots of {cents / 100:.2f} are equally spaced")
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
                observed=f"{one / 100:.2f} is {first} with {second}, {two / 100:.2f} is {second} with {first}",
            )
