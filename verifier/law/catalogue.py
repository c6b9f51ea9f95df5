"""The clause catalogues of the rulebooks: `clauses.yaml` in the folder of a rulebook or of each of its sections."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final, Literal

import msgspec
import yaml
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.findings import Severity
from verifier.domain.rulebooks import ABOUT

Observability = Literal["video_engine", "video_motion", "video_quality", "audio", "records", "manual"]

_FOLDERS: Final = {
    "nd-twenty-one": ("nd_twenty_one", None),
    "wa-blackjack-a": ("washington", "A"),
    "wa-blackjack-b": ("washington", "B"),
    "house-manual": ("manual", None),
    "nd-poker": ("poker", None),
}
FILE: Final = "clauses.yaml"
RULEBOOKS: Final = tuple(_FOLDERS)
_SIDES: Final = re.compile(r"\b(left|right|leftmost|rightmost|clockwise)\b")


class InForce(Struct, frozen=True, rename={"from_": "from"}):
    """Dates (ISO) between which the text holds; None where not known."""

    from_: str | None = None
    to: str | None = None

    def on(self, day: str | None) -> bool:
        """Tell whether the text holds on a day (ISO); of an unknown day it does."""
        return day is None or ((self.from_ or day) <= day <= (self.to or day))


class Clause(Struct, frozen=True, kw_only=True):
    """One requirement of the law, with where it stands and what of it can be seen.

    `video`: it applies only to a table with video surveillance, or only to one without; None where both may be.
    `attested`: a person attests it, what is done each day in the daily form, what stands for longer in the weekly one.
    """

    id: str
    cite: str
    title: str
    requirement: str
    actor: str
    house_option: str | None
    applies_when: str
    video: Literal["present", "absent"] | None = None
    observability: Observability
    attested: Literal["day", "week"] | None = None
    severity: Severity
    in_force: InForce = InForce()
    version: list[str] | None = None

    @property
    def sided(self) -> bool:
        """Whether it tells left from right, so that nothing can be said of it in a picture that is turned."""
        return self.observability in ("video_engine", "video_motion") and bool(_SIDES.search(self.requirement.lower()))


@cache
def clauses(rulebook: str = "nd-twenty-one") -> tuple[Clause, ...]:
    """Clauses of a rulebook in the order of the law's sections; raises BadInput for an unknown rulebook."""
    if rulebook not in _FOLDERS:
        raise BadInput("rulebook", f"{rulebook!r} is not known", f"choose one of {', '.join(RULEBOOKS)}")
    folder, version = _FOLDERS[rulebook]
    found: list[Clause] = []
    whole = resources.files("verifier.law").joinpath(folder)
    for place in (whole, *sorted(whole.iterdir(), key=lambda f: f.name)):
        if (file := place.joinpath(FILE)).is_file():
            found.extend(_read(file.read_text(encoding="utf-8")))
    return tuple(c for c in found if version is None or c.version is None or version in c.version)


@cache
def by_id(rulebook: str) -> dict[str, Clause]:
    """Clauses of a rulebook by their ids."""
    return {clause.id: clause for clause in clauses(rulebook)}


def text_date(rulebook: str) -> str:
    """Date (ISO) of the edition whose text the catalogue was made from."""
    return ABOUT[rulebook].text_of


def _read(text: str) -> list[Clause]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return msgspec.convert(yaml.load(text, Loader=loader), list[Clause])
