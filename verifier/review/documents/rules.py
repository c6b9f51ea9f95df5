"""The rules that a document stands under: those of the recordings or tables that it tells of."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from verifier.domain.rulebooks import ABOUT, is_law
from verifier.store.repository import Store


class Rules(Struct, frozen=True, kw_only=True):
    """The rules that a document's recordings were judged by.

    `north_dakota`: some of them by North Dakota's. `others` names each other rulebook with its source and standing;
    `titles` heads a document by each of them, with the edition.
    """

    north_dakota: bool = True
    others: list[str] = []
    titles: list[str] = []

    def cited(self, section: str, says: str) -> str:
        """Return what stands over a page: the section of North Dakota's Code and what it says, or whose rules apply."""
        also = f" Judged by {'; '.join(self.others)}" if self.others else ""
        if self.north_dakota:
            return f"N.D. Admin. Code {section}: {says}" + (f"{also}, at some of the tables." if also else "")
        return f"{says[:1].upper()}{says[1:]}{also}, not by North Dakota's rules."


def rules_of(used: Iterable[str]) -> Rules:
    """Return the rules that these rulebooks are; those of North Dakota where there is none."""
    names = set(used)
    abouts = [about for name, about in ABOUT.items() if name in names and not is_law(name)]
    return Rules(
        north_dakota=not abouts or any(is_law(name) for name in names),
        others=[f"{about.name} ({about.source}; {about.standing})" for about in abouts],
        titles=[f"{about.name}, text of {about.text_of}" for about in abouts],
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
