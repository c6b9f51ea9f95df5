"""The cards as an equipment record describes them (99-01.3-08-02(3))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from verifier.law.entries import Entry, as_flag, as_number, plain
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.s08_02.sub01_table import READS
from verifier.law.registry import session_check
from verifier.law.rows import of_row, ours
from verifier.law.say import Said
from verifier.law.session import Session

UNIFORM = "ND-08-02.3-cards-uniform"
FACES = "ND-08-02.3-card-face-colours"
BACKS = "ND-08-02.3-back-colours"
DESIGN = "ND-08-02.3-back-design"
COIN = "ND-08-03.1-half-dollar-clarity"


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
            yield plainly(UNIFORM, False not in alike, entry, "cards are alike and jumbo-faced")
        faces, backs = fields.get("face_colours"), fields.get("back_colours", fields.get("back_colors"))
        if isinstance(faces, list) and faces:
            named = {plain(str(colour)) for colour in faces}
            yield plainly(
                FACES,
                named <= {"red", "maroon", "black"} and "black" in named,
                entry,
                "faces are red or maroon and black",
            )
        if isinstance(backs, list) and backs:
            yield plainly(
                BACKS, len({plain(str(c)) for c in backs}) <= 2, entry, "backs have one colour, or two half and half"
            )
        elif isinstance(backs, Mapping) and backs:
            halves = [as_number(count) for count in backs.values()]
            even = len(halves) == 1 or (len(halves) == 2 and halves[0] == halves[1])
            yield plainly(BACKS, even, entry, "backs have one colour, or two half and half")
        design = as_flag(fields.get("same_back_design", fields.get("back_design_identical")))
        if design is not None:
            yield plainly(DESIGN, design, entry, "all backs have one design")
        coin = as_flag(fields.get("coin_clear", fields.get("half_dollar_clear")))
        if coin is not None and session.house.fifty_cent_piece != "chip":
            yield plainly(COIN, coin, entry, "the 50-cent coin is clear in the picture")


def plainly(clause: str, right: bool, entry: Entry, expected: Said | str) -> Instance:
    """Return an instance from a row of equipment that says outright whether the clause is kept."""
    return of_row(clause, right, entry, expected=expected, observed="the equipment record says otherwise")
