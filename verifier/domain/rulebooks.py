"""The rulebooks that a site may be under: their names, and what standing their texts have."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

Rulebook = Literal["nd-twenty-one", "wa-blackjack-a", "wa-blackjack-b", "house-manual", "nd-poker"]
USUAL: Final[Rulebook] = "nd-twenty-one"
"""The rulebook of a site that names none."""


BANKED: Final[tuple[Rulebook, ...]] = ("wa-blackjack-a", "wa-blackjack-b")
"""The rulebooks by which a player deals and banks, and covers each wager."""


class About(Struct, frozen=True):
    """A rulebook's name for people, where its text comes from, its edition (ISO day) and its standing.

    `law`: whether the text is shown as law in force; a proposal and a casino's own manual are not.
    """

    name: str
    source: str
    text_of: str
    standing: str
    law: bool


_PROPOSAL: Final = (
    "a proposal of 1999 that is not shown as adopted; it and the other proposal exclude each other, and a third "
    "version of the notice (OTS-3081.1) would have repealed the section"
)
ABOUT: Final[dict[str, About]] = {
    "nd-twenty-one": About(
        "North Dakota twenty-one", "N.D. Admin. Code chapter 99-01.3-08", "2025-01-01", "law in force", True
    ),
    "wa-blackjack-a": About(
        "Washington blackjack, proposal A", "WAC 230-40-125, version OTS-2905.3", "1999-01-01", _PROPOSAL, False
    ),
    "wa-blackjack-b": About(
        "Washington blackjack, proposal B", "WAC 230-40-125, second version", "1999-01-01", _PROPOSAL, False
    ),
    "house-manual": About(
        "Casino dealer manual", "blackjack dealer manual (dealer hits soft 17)", "2025-01-01",
        "a casino's own rules, not law", False,
    ),
    "nd-poker": About(
        "North Dakota poker", "N.D. Admin. Code section 99-01.3-09-04", "2024-10-01", "law in force", True
    ),
}  # fmt: skip


def name_of(rulebook: str) -> str:
    """Return a rulebook's name for people; the id itself where it is not known (an older store)."""
    return ABOUT[rulebook].name if rulebook in ABOUT else rulebook


def named(rulebook: str) -> str:
    """Return the name, with a warning where the text is not shown as law in force."""
    return name_of(rulebook) + ("" if is_law(rulebook) else " (not law in force)")


def described(rulebook: str, text_of: str) -> str:
    """Return the name, the edition (ISO day) and the standing, as they stand below findings and in documents."""
    told = f"{name_of(rulebook)}, text of {text_of}"
    if rulebook not in ABOUT:
        return told
    return told + (", " if is_law(rulebook) else ". Not law in force: ") + ABOUT[rulebook].standing


def game_of(rulebook: str) -> str:
    """Return the game that a rulebook judges: twenty-one (blackjack) or poker."""
    return "poker" if rulebook == "nd-poker" else "twenty-one"


def is_law(rulebook: str) -> bool:
    """Tell whether the text is shown as law in force (also said of a rulebook that is not known: an older store)."""
    return rulebook not in ABOUT or ABOUT[rulebook].law
