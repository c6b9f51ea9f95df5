"""The catalogue as rows, filtered, and as the page that tells what is checked and what is not, and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, get_args

from msgspec import Struct

from verifier.domain.events import AnyEvent
from verifier.law.assessed import reason_without_check
from verifier.law.catalogue import Clause, clauses, text_date
from verifier.law.registry import checks

_RECORDS: Final = "A review judges records that were imported: [how many clauses](law-records.md#bringing-records-in)."
_ALL_CHANNELS: Final = ("video", "audio", "records")
CHANNELS: Final = ("video_engine", "video_motion", "video_quality", "audio", "records", "manual")


SOURCES: Final = (
    "play and picture, as an event log tells of them",
    "a transcript of what was said",
    "the site's records",
    "events that no review reads yet: another text in the picture, a closing table, a moving button",
    "not judged, for the reasons below",
)
REVIEWED: Final = frozenset(
    {
        "view_check",
        "overlay_read of clock",
        "second overlay_read of clock",
        "overlay_read of site_id",
        "overlay_read of table_number",
        "recording_segment with its rate",
        "recording_segment with its colour",
        "second recording_segment",
        "currency_spread",
        "chips_from_tray",
        "wager_placed",
        "position of insurance",
        "position of tip",
        "position of split wager",
        "position of split cards",
        "position of payoff",
        "position of the dealer's draw",
    }
)
"""What the log of a review may hold, of what checks ask for by name (`Check.reads`)."""
EVENT_NAMES: Final = frozenset(kind.__struct_config__.tag for kind in get_args(AnyEvent))


class Row(Struct, frozen=True, kw_only=True):
    """A clause with whether it is checked, by which check and from what, or why it is not."""

    clause: Clause
    check: str | None
    reads: tuple[str, ...]
    why: str | None

    @property
    def state(self) -> str:
        return "checked" if self.check else str(self.why)


class Wanted(Struct, frozen=True, kw_only=True):
    """What to list; None and empty text take everything."""

    observability: str | None = None
    severity: str | None = None
    section: str | None = None
    option: str | None = None
    checked: bool | None = None
    text: str = ""

    def fits(self, row: Row) -> bool:
        """Whether a row is among what is wanted."""
        clause = row.clause
        words = " ".join((clause.id, clause.cite, clause.title, clause.requirement)).lower()
        return (
            self.observability in (None, clause.observability)
            and self.severity in (None, clause.severity)
            and (self.section is None or self.section in clause.id.removeprefix("ND-") or self.section in clause.cite)
            and self.option in (None, clause.house_option)
            and self.checked in (None, row.check is not None)
            and all(word in words for word in self.text.lower().split())
        )


def rows(rulebook: str, wanted: Wanted | None = None) -> list[Row]:
    """The clauses of a rulebook that are wanted, in the order of the law."""
    own = defaultdict(list)
    for check in checks(rulebook):
        for clause_id in check.clauses:
            own[clause_id].append(check)
    found = []
    for clause in clauses(rulebook):
        checking = own.get(clause.id, [])
        reads = tuple(dict.fromkeys(name for check in checking for name in check.reads))
        why = None if checking else reason_without_check(clause, _ALL_CHANNELS)
        row = Row(clause=clause, check=checking[0].name if checking else None, reads=reads, why=why)
        if wanted is None or wanted.fits(row):
            found.append(row)
    return found


def plain_row(row: Row) -> dict[str, object]:
    """A row as a map for JSON."""
    clause = row.clause
    return {
        "id": clause.id,
        "cite": clause.cite,
        "title": clause.title,
        "requirement": clause.requirement,
        "actor": clause.actor,
        "house_option": clause.house_option,
        "applies_when": clause.applies_when,
        "observability": clause.observability,
        "severity": clause.severity,
        "in_force": {"from": clause.in_force.from_, "to": clause.in_force.to},
        "implemented": row.check is not None,
        "check": row.check,
        "reads": list(row.reads),
        "why": row.why,
    }


def coverage_page(rulebook: str) -> str:
    """Markdown: how many clauses are checked by channel, and the others under their reasons."""
    found = rows(rulebook)
    checked = Counter(row.clause.observability for row in found if row.check)
    whole = Counter(row.clause.observability for row in found)
    lines = [
        f"# What is checked of {rulebook}",
        "",
        f"Text of {text_date(rulebook)}. {sum(checked.values())} of {len(found)} clauses are checked.",
        f"This page is made by `verifier rules --rulebook {rulebook} --markdown`.",
        _RECORDS,
        "",
        "| seen by | clauses | checked | not checked |",
        "|---|---|---|---|",
        *(f"| {name} | {whole[name]} | {checked[name]} | {whole[name] - checked[name]} |" for name in CHANNELS),
        f"| all | {len(found)} | {sum(checked.values())} | {len(found) - sum(checked.values())} |",
        "",
        *_sources(rulebook, found),
    ]
    return "\n".join([*lines, *_reasons(row for row in found if not row.check)]) + "\n"


def _sources(rulebook: str, found: Iterable[Row]) -> Iterator[str]:
    """From what the clauses are judged, counted."""
    counted = Counter(_source_of(rulebook, row) for row in found)
    yield from ("## From what a clause is judged", "", "| source | clauses |", "|---|---|")
    yield from (f"| {source} | {counted[source]} |" for source in SOURCES)
    yield from ("", "Of play and picture a review judges what its recording showed (docs/law.md).", "")


def _source_of(rulebook: str, row: Row) -> str:
    recording, speech, records, unread, none = SOURCES
    if row.check is None:
        return none
    own = [check for check in checks(rulebook) if row.clause.id in check.clauses]
    if all(check.audio for check in own):
        return speech
    if row.clause.observability != "records" and any(not c.reads or REVIEWED & set(c.reads) for c in own):
        return recording
    named = {read for check in own for read in check.reads}
    seen = {read for read in named if EVENT_NAMES & set(read.split())}
    return records if row.clause.observability == "records" or named - seen else unread


def _reasons(unchecked: Iterable[Row]) -> Iterator[str]:
    groups: dict[str, list[Clause]] = defaultdict(list)
    for row in unchecked:
        groups[str(row.why)].append(row.clause)
    for why, members in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        yield from (f"## {why[:1].upper()}{why[1:]} ({len(members)})", "")
        yield from (
            f"- `{clause.id}` {clause.title} ({clause.cite.removeprefix('N.D. Admin. Code ')})" for clause in members
        )
        yield ""
