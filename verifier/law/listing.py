"""The catalogue as rows, filtered, and as the page that tells what is checked and what is not, and why."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final, get_args

from msgspec import Struct

from verifier.domain.events import AnyEvent
from verifier.law.assessed import reason_without_check
from verifier.law.catalogue import RULEBOOKS, Clause, clauses, text_date
from verifier.law.registry import checks

_RECORDS: Final = "A review judges records that were imported: [how many clauses](law-records.md#bringing-records-in)."
_ALL_CHANNELS: Final = ("video", "audio", "records")
CHANNELS: Final = ("video_engine", "video_motion", "video_quality", "audio", "records", "manual")


SOURCES: Final = (
    "play and picture",
    "a transcript",
    "the site's records",
    "a person's attestation",
    "events that no review reads yet",
    "not judged",
)
"""From what a clause is judged. What no review reads: another text in the picture, a closing table, a moving button."""
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
        """Tell whether a row is among what is wanted."""
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
    """Return the clauses of a rulebook that are wanted, in the order of the law."""
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
    """Return a row as a map for JSON."""
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


def coverage_page(rulebook: str, plant: Callable[[str], str | None] = lambda clause: None) -> str:
    """Markdown: from what each clause is judged, by document, and why the others are not.

    `plant` tells by which clause the simulator plants a breach of a clause, None where it does not.
    """
    found = rows(rulebook)
    checked = sum(row.check is not None for row in found)
    lines = [
        f"# What is checked of {rulebook}",
        "",
        f"Text of {text_date(rulebook)}. {checked} of {len(found)} clauses are checked.",
        f"This page is made by `verifier rules --rulebook {rulebook} --markdown`.",
        _RECORDS,
        "",
        *_documents(rulebook, plant),
        *_attested(found),
        *_reasons(row for row in found if not row.check),
        *_of_others(rulebook),
        *_pictured(rulebook, found, plant),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _documents(rulebook: str, plant: Callable[[str], str | None]) -> Iterator[str]:
    """From what the clauses of each document are judged, counted."""
    yield from ("## From what a clause is judged", "")
    yield "| document | clauses | " + " | ".join(SOURCES) + " |"
    yield "|---" * (2 + len(SOURCES)) + "|"
    for name, book, members in _in_documents(rulebook):
        counted = Counter(source_of(book, row) for row in members)
        seen = [row for row in members if source_of(book, row) == SOURCES[0]]
        planted = sum(plant(row.clause.id) is not None for row in seen)
        cells = [f"{counted[SOURCES[0]]} ({planted})", *(str(counted[source]) for source in SOURCES[1:])]
        yield f"| {name} | {len(members)} | {' | '.join(cells)} |"
    yield from (
        "",
        "In parentheses: of how many the simulator plants a breach, on which recordings are scored. Of the picture a",
        "review judges what its recording showed ([law](law.md)); of poker, some of it ([rulebooks](rulebooks.md)).",
        "",
    )


def _in_documents(rulebook: str) -> Iterator[tuple[str, str, list[Row]]]:
    """Yield the documents: the sections of a rulebook, the rulebook as a whole, and the others, each with its
    clauses.
    """
    found = rows(rulebook)
    sections: dict[str, list[Row]] = defaultdict(list)
    for row in found:
        sections[_section(row.clause)].append(row)
    if len(sections) > 1:
        yield from ((name, rulebook, members) for name, members in sections.items())
    yield f"**{rulebook}**", rulebook, found
    yield from ((f"**{name}**", name, rows(name)) for name in RULEBOOKS if name != rulebook)


def _section(clause: Clause) -> str:
    """Return the section of the Administrative Code that a clause stands in; empty for other texts."""
    found = re.match(r"N\.D\. Admin\. Code (99-01\.3-\d\d-\d\d)", clause.cite)
    return found[1] if found else ""


def _attested(found: Iterable[Row]) -> Iterator[str]:
    """Yield lines on the clauses that a person attests, with the page on which each is asked."""
    members = [row.clause for row in found if row.clause.attested is not None]
    if not members:
        return
    yield from (f"## Attested by a person ({len(members)})", "")
    forms = {"day": "the daily page", "week": "the weekly page"}
    yield from (f"- `{one.id}` {one.title} ({_cited(one)}; {forms[str(one.attested)]})" for one in members)
    yield ""


def _pictured(rulebook: str, found: Iterable[Row], plant: Callable[[str], str | None]) -> Iterator[str]:
    """Yield lines on the clauses that are judged from play and picture, with the planted deviation that breaks each."""
    seen = [row.clause for row in found if source_of(rulebook, row) == SOURCES[0]]
    yield from (f"## Judged from play and picture ({len(seen)})", "")
    yield from ("| clause | | planted by `--deviate` |", "|---|---|---|")
    for clause in seen:
        root = plant(clause.id)
        yield f"| `{clause.id}` | {clause.title} | {'-' if root is None else root.removeprefix('ND-')} |"
    yield ""


def _of_others(rulebook: str) -> Iterator[str]:
    """Yield lines on what is not judged of the other rulebooks, and why."""
    yield from ("## Not judged of the other rulebooks", "")
    for name in (one for one in RULEBOOKS if one != rulebook):
        left = [row for row in rows(name) if row.check is None]
        yield from (f"- {name}: `{row.clause.id}` {row.clause.title}: {row.why}" for row in left)
    yield ""


def _cited(clause: Clause) -> str:
    return clause.cite.removeprefix("N.D. Admin. Code ")


def source_of(rulebook: str, row: Row) -> str:
    """Return from what a clause is judged, one of SOURCES."""
    recording, speech, records, attested, unread, none = SOURCES
    if row.check is None:
        return none
    if row.clause.attested is not None:
        return attested
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
        yield from (f"## Not judged: {why} ({len(members)})", "")
        yield from (f"- `{clause.id}` {clause.title} ({_cited(clause)})" for clause in members)
        yield ""
