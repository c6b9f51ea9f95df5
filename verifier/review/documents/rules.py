"""The rules that a document stands under: those of the recordings or tables that it tells of."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from verifier.domain.rulebooks import ABOUT, USUAL, game_of, is_law
from verifier.store.repository import Store


class Rules(Struct, frozen=True, kw_only=True):
    """The rules that a document's recordings were judged by.

    `north_dakota`: some of them by North Dakota's rules of twenty-one, on which the duties that documents cite rest.
    `others` names each other rulebook with its source and standing; `titles` heads a document by each of them, with
    the edition. `games` are those that were played, `own` how those rules are told from the others.
    """

    north_dakota: bool = True
    others: list[str] = []
    titles: list[str] = []
    games: str = "twenty-one"
    own: str = "North Dakota's rules"

    def cited(self, section: str, says: str) -> str:
        """Return what stands over a page: the section of North Dakota's Code and what it says, or whose rules apply."""
        also = f" Judged by {'; '.join(self.others)}" if self.others else ""
        if self.north_dakota:
            return f"N.D. Admin. Code {section}: {says}" + (f"{also}, at some of the tables." if also else "")
        return f"{says[:1].upper()}{says[1:]}{also}, not by {self.own}."


def rules_of(used: Iterable[str]) -> Rules:
    """Return the rules that these rulebooks are; those of North Dakota's twenty-one where there is none."""
    names = set(used)
    usual = {name for name in names if is_law(name) and game_of(name) == game_of(USUAL)}
    abouts = [about for name, about in ABOUT.items() if name in names - usual]
    games = sorted({game_of(name) for name in names} or {game_of(USUAL)}, reverse=True)
    law = any(about.law for about in abouts)
    return Rules(
        north_dakota=not abouts or bool(usual),
        others=[f"{about.name} ({about.source}; {about.standing})" for about in abouts],
        titles=[f"{about.name}, text of {about.text_of}" for about in abouts],
        games=" and ".join(games),
        own="North Dakota's rules of twenty-one" if law else "North Dakota's rules",
    )


def rules_at(store: Store, sites: Iterable[str], table: str | None = None, day: str | None = None) -> Rules:
    """Return the rules that the sites' recordings were judged by: those of one `table`, of a `day` (ISO) if it has any.

    Where a day has no recording, the newest of each table tells by which rules the table is played.
    """
    found = [one for site in sites for one in store.reviews(site=site) if table is None or one.table == table]
    of_day = [one.rulebook for one in found if day is not None and one.play_date == day]
    newest: dict[tuple[str | None, str | None], str] = {}
    for one in found:
        newest.setdefault((one.site, one.table), one.rulebook)
    return rules_of(of_day or newest.values())
