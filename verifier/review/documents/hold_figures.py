"""Percent-of-hold figures from a CSV file, as a clerk carries them over from the state's forms."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from verifier.domain.errors import BadInput
from verifier.formats.days import read_day
from verifier.formats.tables import read_table
from verifier.formats.wording import printable
from verifier.review.documents.hold import TRIGGERS
from verifier.review.documents.quarters import quarter_days
from verifier.store.papers import HoldFigure

COLUMNS = ("site", "day", "game", "dealer", "gross_proceeds", "prizes")
_MOST_CENTS: Final = 100_000_000_00
_LONGEST: Final = 20
"""Letters of an amount; the largest one has 15 with its sign, separators and cents."""
_DOLLARS: Final = re.compile(r"\$?(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.(?P<cents>[0-9]{1,2}))?")


def read_figures(path: Path) -> list[HoldFigure]:
    """One line for each dealer and day: site, day, game, dealer, gross_proceeds, prizes (dollars).

    Raises BadInput with the line and the column for anything else, and for a second line of a dealer and day.
    """
    found: dict[tuple[str, str, str, str], tuple[str, HoldFigure]] = {}
    for where, row in read_table(path, COLUMNS)[1]:
        one = _figure(path, where, row)
        before, _ = found.setdefault((one.site, one.day, one.game, one.dealer), (where, one))
        if before != where:
            cause = f"{printable(one.dealer)} has figures of {one.game} on {one.day} in {before} already"
            raise BadInput(path, cause, "give one line for each dealer and day", where=where)
    if not found:
        raise BadInput(path, "holds no figures", "give one line for each dealer and day")
    return [figure for _, figure in found.values()]


def figures_of(quarter: str, figures: list[HoldFigure], site: str | None, source: object) -> list[HoldFigure]:
    """Return the figures of a file, if one at least is of the quarter (and of `site`, where one is named).

    Raises BadInput, with `source` for the file, where none is: a quarter or a site is mistyped, or it is another file.
    """
    first, last = (day.isoformat() for day in quarter_days(quarter))
    if any(first <= one.day <= last and site in (None, one.site) for one in figures):
        return figures
    of = f"quarter {quarter}" + (f" and site {site}" if site is not None else "")
    raise BadInput(source, f"holds no figure of {of}", "name the quarter and the site of its lines; nothing was stored")


def _figure(path: Path, where: str, row: dict[str, str]) -> HoldFigure:
    game = row["game"].lower()
    if game not in TRIGGERS:
        raise BadInput(path, f"game {game!r} is none of {', '.join(TRIGGERS)}", "correct the game", where=where)
    for name in ("site", "dealer"):
        if not row[name]:
            raise BadInput(path, f"{name} is empty", "fill it in", where=where)
    return HoldFigure(
        site=row["site"],
        day=_day(path, row["day"], where),
        game=game,
        dealer=row["dealer"],
        gross_cents=cents(path, row["gross_proceeds"], f"{where}, gross_proceeds"),
        prizes_cents=cents(path, row["prizes"], f"{where}, prizes"),
    )


def _day(path: Path, text: str, where: str) -> str:
    try:
        return read_day(text).isoformat()
    except ValueError as error:
        raise BadInput(
            path, f"day {text!r} is no date of these years", "write it as 2026-11-17", where=where
        ) from error


def cents(path: object, text: str, where: str | None = None) -> int:
    """Dollars such as `1,234.50` as cents; raises BadInput for what is no amount of whole cents, 0 or more."""
    found = _DOLLARS.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    amount = int(found["whole"].replace(",", "")) * 100 + int((found["cents"] or "").ljust(2, "0")) if found else -1
    if not 0 <= amount <= _MOST_CENTS:
        raise BadInput(path, f"{text[:40]!r} is no amount of dollars", "write it as 1234.50", where=where)
    return amount
