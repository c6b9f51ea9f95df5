"""Cases of the law written as YAML (`cases/README.md`): read, played, and held against what is expected of them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
from law_build import Log, Record, findings, opening, play_on, row
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.events import AnyEvent
from verifier.domain.findings import FindingsReport
from verifier.formats.house import plain_options, with_line
from verifier.formats.records import convert_object
from verifier.formats.yamls import YamlDocument, read_yaml
from verifier.law.catalogue import by_id

FOLDER = Path(__file__).parent / "cases"
DAY = "2026-11-02"
FIELDS = {kind.__struct_config__.tag: {"event", *kind.__struct_encode_fields__} for kind in get_args(AnyEvent)}
"""The fields of each event, as docs/formats.md names them."""


class Round(Struct, forbid_unknown_fields=True):
    """A lawful round: wagers in dollars by space (or wager and tip), cards in the order drawn, what players decide.

    `dealer` and `shoe` hold from this round on, where they are no longer those of before.
    """

    wagers: dict[int, float | tuple[float, float]]
    cards: str
    decisions: str = ""
    dealer: str | None = None
    shoe: int | None = None


class Change(Struct, forbid_unknown_fields=True):
    """One change of the lawful log; one of `leave_out`, `change`, `add`."""

    leave_out: dict[str, Any] | None = None
    change: dict[str, Any] | None = None
    to: dict[str, Any] | None = None
    add: dict[str, Any] | None = None
    after: dict[str, Any] | None = None


class Expected(Struct, forbid_unknown_fields=True):
    """The clauses that have each verdict, without `ND-`; `round` is the round of every finding, where it is given.

    `says` are words of which each stands in what a finding expected or observed, `findings` is their number.
    """

    violation: tuple[str, ...] = ()
    undetermined: tuple[str, ...] = ()
    passed: tuple[str, ...] = msgspec.field(default=(), name="pass")
    not_assessed: tuple[str, ...] = ()
    not_applicable: tuple[str, ...] = ()
    round: int | None = None
    says: tuple[str, ...] = ()
    findings: int | None = None

    def rows(self) -> list[tuple[str, str]]:
        """Each clause with its verdict."""
        groups = {"pass": self.passed, **{name: getattr(self, name) for name in _VERDICTS}}
        return [(f"ND-{clause}", verdict) for verdict, clauses in groups.items() for clause in clauses]


_VERDICTS = ("violation", "undetermined", "not_assessed", "not_applicable")


class Case(Struct, forbid_unknown_fields=True):
    """One case: what happens, and what the law says of it."""

    case: str
    expect: Expected
    rounds: tuple[Round, ...] = (Round(wagers={2: 10.0}, cards="Th 7d 9s Tc"),)
    house: dict[str, Any] = {}
    date: datetime.date | None = None
    recording: bool = False
    """Whether the log was made from a recording, which shows some things and tells nobody's name."""
    but: list[Change] = []
    begins: dict[str, Any] | None = None
    ends: dict[str, Any] | None = None
    """The event that the log begins with, and the last one that it holds, once it is changed."""
    records: list[dict[str, Any]] = []


class Cases(Struct, forbid_unknown_fields=True):
    """A file of cases."""

    cases: list[Case]


def read_cases(path: Path) -> list[Case]:
    """The cases of a file. Raises BadInput, one line that names file, line and field."""
    document = read_yaml(path)
    try:
        found = convert_object(path, _texts(document.value), Cases, "file").cases
    except BadInput as error:
        raise with_line(error, document) from error
    for number, case in enumerate(found):
        _check(path, document, number, case)
    return found


def _check(path: Path, document: YamlDocument, number: int, case: Case) -> None:
    """What the types do not hold: known clauses, something expected, one change each, known events and fields."""
    where = f"line {document.line(f'cases[{number}]')}, case {case.case!r}"
    rows = case.expect.rows()
    if not rows:
        raise BadInput(path, "it expects nothing", "name a clause under `expect`", where=where)
    for clause, _ in rows:
        if clause not in by_id("nd-twenty-one"):
            raise BadInput(path, f"there is no clause {clause}", "list them with verifier rules", where=where)
    for change in case.but:
        given = [part for part in (change.leave_out, change.change, change.add) if part is not None]
        if len(given) != 1 or (change.change is None) != (change.to is None):
            raise BadInput(path, "a change is not plain", "give leave_out, change with to, or add", where=where)
        event = str(given[0].get("event"))
        if event not in FIELDS:
            raise BadInput(path, f"there is no event {event!r}", "docs/formats.md names them all", where=where)
        unknown = {*given[0], *(change.to or ())} - FIELDS[event] - {"dollars"}
        if unknown:
            raise BadInput(
                path, f"{event} has no field {sorted(unknown)[0]}", "docs/formats.md names its fields", where=where
            )
    for record in case.records:
        if not isinstance(record.get("record"), str):
            raise BadInput(path, "a record has no kind", "give it as `record`", where=where)


def _texts(value: Any) -> Any:
    """Numbers that name something become text, as in a log; the numbers of spaces stay."""
    if isinstance(value, dict):
        return {str(key): inner if key == "wagers" else _texts(inner) for key, inner in value.items()}
    return [_texts(inner) for inner in value] if isinstance(value, list) else value


def play(case: Case, source: Path) -> Log:
    """The log of a case. Raises BadInput where a change fits no event."""
    log = opening(Log(**plain_options(case.house)))
    for played in case.rounds:
        stakes = {space: _stake(wager) for space, wager in played.wagers.items()}
        log.dealer, log.shoe = played.dealer or log.dealer, played.shoe or log.shoe
        play_on(log, played.cards, stakes, played.decisions)
    for change in case.but:
        _apply(change, log, source, case.case)
    _cut(case, log, source)
    for record in case.records:
        own = {name: value for name, value in record.items() if name not in ("record", "day")}
        log.add("record_entry", type=record["record"], date=_day(record.get("day")), fields=own, source="record")
    return log


def _apply(change: Change, log: Log, source: Path, title: str) -> None:
    wanted = change.leave_out or change.change or change.after
    found = _matching(log, wanted) if wanted else []
    if wanted and not found:
        raise BadInput(source, f"nothing in the play is {wanted}", "look at the play again", where=f"case {title!r}")
    if change.leave_out:
        log.drop(*found)
    elif change.change:
        log.change(found[0], **_amounts(change.to or {}))
    else:
        own = _amounts(change.add or {})
        event = own.pop("event")
        _ = log.insert_after(found[0], event, **own) if found else log.add(event, **own)


def _cut(case: Case, log: Log, source: Path) -> None:
    """Leave out what lies before the event that the log begins with, and after the one that it ends with."""
    for wanted, keep in ((case.begins, "from"), (case.ends, "to")):
        if wanted is None:
            continue
        found = _matching(log, wanted)
        if not found:
            raise BadInput(source, f"nothing in the play is {wanted}", "look at the play again", where=case.case)
        t = found[0]["t_end"]
        log.records = [r for r in log.records if (r["t_end"] >= t if keep == "from" else r["t_end"] <= t)]


def _matching(log: Log, wanted: Mapping[str, Any]) -> list[Record]:
    own = _amounts(wanted)
    return log.all(own.pop("event"), **own)


def _stake(wager: float | tuple[float, float]) -> int | tuple[int, int]:
    return (_cents(wager[0]), _cents(wager[1])) if isinstance(wager, tuple) else _cents(wager)


def _amounts(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"cents" if k == "dollars" else k: _cents(v) if k == "dollars" else v for k, v in fields.items()}


def _cents(dollars: float) -> int:
    return round(100 * dollars)


def _day(value: Any) -> str:
    return str(value) if value is not None else DAY


def case_header(case: Case) -> dict[str, Any]:
    """The fields of the header of a case's log."""
    header: dict[str, Any] = {"date": str(case.date)} if case.date else {}
    if case.recording:
        header["video"] = "table-2.mp4"
    if case.records:
        header = {"date": DAY, "site": "0123", "table": "2", **header, "channels": ["video", "records"]}
    return header


def judged(case: Case, source: Path) -> FindingsReport:
    """What the law says of a case; a case with records is of site 0123, table 2, on 2026-11-02 unless it says else."""
    log = play(case, source)
    try:
        return log.judge(**case_header(case))
    except msgspec.ValidationError as error:
        told = f"a change makes no event: {error}"
        raise BadInput(source, told, "docs/formats.md names its fields", where=f"case {case.case!r}") from None


def wrong(case: Case, report: FindingsReport) -> list[str]:
    """What the report says otherwise than the case expects: a verdict, or a finding that names none of its clauses."""
    rows = case.expect.rows()
    found = [
        f"{clause} is {row(report, clause)}, not {verdict}"
        for clause, verdict in rows
        if row(report, clause) != verdict
    ]
    told = [f"{one.expected} | {one.observed}" for one in report.findings]
    found += [f"no finding says {words!r}: {told}" for words in case.expect.says if not any(words in t for t in told)]
    if case.expect.findings not in (None, len(report.findings)):
        found.append(f"there are {len(report.findings)} findings, not {case.expect.findings}: {told}")
    for verdict in ("violation", "undetermined"):
        expected = {clause for clause, held in rows if held == verdict}
        for finding in findings(report, verdict):
            if not expected & {finding.clause, *finding.also}:
                found.append(f"{verdict} of {finding.clause}: {finding.observed}")
            elif case.expect.round not in (None, finding.round):
                found.append(f"{verdict} of {finding.clause} is in round {finding.round}, not {case.expect.round}")
    return found
