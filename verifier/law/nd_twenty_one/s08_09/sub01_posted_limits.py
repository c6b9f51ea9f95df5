"""Limits, chips and methods that the house makes known or changes (99-01.3-08-03(1), 09(1), 10(1)(c)(5), 11(19))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from verifier.domain.events import (
    CardDealt,
    ChipsFromTray,
    ChipsPushed,
    ChipsReceived,
    HoleCardCheck,
    PlayerPresence,
    WagerPlaced,
)
from verifier.law.checks.records.rows import of_row, ours
from verifier.law.checks.records.slips import chips_of, direction, slips
from verifier.law.entries import Entry, as_cents, as_flag, as_number, plain, table_name
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

MINIMUM = "ND-08-09.1-min-wager-3"
MAXIMUM = "ND-08-09.1-table-max"
NOTICE = "ND-08-09.1-limit-change-notice"
GREEN_CHIPS = "ND-08-03.1-25-chip-offered"
READER_BROKEN = "ND-08-10.1.c-malfunction"
COLOUR_UP = "ND-08-11.19-colour-up-policy"
SEVERAL = 4
"""Values from which on a list of chips is taken for all that the table has (policy of this project)."""


@session_check(MINIMUM, reads=("house_rules", "disclosure"))
def low_minimum(session: Session) -> Iterator[Instance]:
    """At least one active table of the site has a minimum of 3 dollars or less."""
    posted = session.figures.posted_minimum_cents
    for entry in session.records.of("house_rules", "disclosure"):
        tables = entry.get("tables", "table_limits_by_table", "limits_by_table")
        rows = list(tables.values()) if isinstance(tables, Mapping) else tables
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            continue
        maybe = [row for row in rows if as_flag(row.get("active")) is not False]
        surely = [row for row in maybe if as_flag(row.get("active"))] or maybe
        least = [as_cents(row.get("min", row.get("minimum"))) for row in maybe]
        known = [cents for cents in least if cents is not None]
        if maybe:
            low = any((as_cents(r.get("min", r.get("minimum"))) or 10**9) <= posted for r in surely)
            none = None not in least and min(known) > posted
            yield of_row(
                MINIMUM,
                True if low else (False if none else None),
                entry,
                expected=f"one active table has a minimum of {posted / 100:.2f} or less",
                observed="the least minimum is " + (f"{min(known) / 100:.2f}" if known else "not told"),
            )


@session_check(MAXIMUM)
def table_maximum(session: Session) -> Iterator[Instance]:
    """No table's maximum is above 25 dollars; the chips of a tournament have no value (08-15(1))."""
    if session.house.tournament_rules == "on":
        return
    lawful = session.figures.wager_most_cents
    if "table_limits" in session.header.house:
        most = session.house.table_limits.max
        yield judged(
            MAXIMUM,
            most <= lawful,
            expected=f"a table's maximum is {lawful / 100:.2f} or less",
            observed=f"it is set at {most / 100:.2f}",
        )
    for entry in session.records.of("house_rules", "disclosure"):
        most_posted = max(_maxima(entry), default=None)
        if most_posted is not None:
            yield of_row(
                MAXIMUM,
                most_posted <= lawful,
                entry,
                expected=f"a table's maximum is {lawful / 100:.2f} or less",
                observed=f"it is set at {most_posted / 100:.2f}",
            )


def _maxima(entry: Entry) -> list[int]:
    """The maxima that a record names: its own, that of its limits, and those of its tables."""
    limits, tables = entry.get("table_limits", "limits"), entry.get("tables")
    rows = [entry.fields, limits, *(tables if isinstance(tables, list) else ())]
    found = [
        as_cents(r.get(n)) for r in rows if isinstance(r, Mapping) for n in ("max", "maximum", "table_max", "max_cents")
    ]
    return [cents for cents in found if cents is not None]


@session_check(NOTICE, reads=("house_rules",))
def change_announced(session: Session) -> Iterator[Instance]:
    """A change of limits is posted and announced with adequate notice."""
    for entry in session.records.of("house_rules", "limit_change"):
        if entry.kind != "limit_change" and "limit" not in (entry.words("change", "changed") or ""):
            continue
        said = [entry.flag("posted"), entry.flag("announced", "notice", "adequate_notice")]
        yield of_row(
            NOTICE,
            False if False in said else (True if None not in said else None),
            entry,
            expected="new limits are posted and announced with notice",
            observed="they were not posted" if said[0] is False else "they were not announced",
        )


@session_check(GREEN_CHIPS, reads=("equipment", "fill_slip", "chips_from_tray"))
def green_chips(session: Session) -> Iterator[Instance]:
    """Where 25 dollars may be wagered, chips of 25 are at hand."""
    if session.house.table_limits.max < session.figures.wager_most_cents:
        return
    stacks: list[ChipsFromTray | WagerPlaced] = [*session.of(ChipsFromTray), *session.of(WagerPlaced)]
    moved = any("2500" in (event.chips or {}) and not event.weak for event in stacks)
    filled = [chips_of(slip) for slip in slips(session) if direction(slip) == "fill"]
    moved = moved or any(isinstance(chips, Mapping) and as_number(chips.get("2500")) for chips in filled)
    if moved:
        yield judged(GREEN_CHIPS, True)
        return
    for entry in ours(session, "equipment", "tray_inventory"):
        chips = entry.get("chips", "chip_values", "tray")
        if isinstance(chips, Mapping | list) and chips:
            values = {str(value) for value in chips}
            whole = entry.kind == "tray_inventory" or len(values) >= SEVERAL
            yield of_row(
                GREEN_CHIPS,
                bool(values & {"2500", "25", "25.00"}) or (False if whole else None),
                entry,
                expected="chips of 25.00 are provided, as 25.00 may be wagered",
                observed="the chips listed are worth " + ", ".join(sorted(values)),
            )


@session_check(READER_BROKEN, reads=("reader_malfunction", "other"))
def reader_broken(session: Session) -> Iterator[Instance]:
    """With a broken reader the table deals without it."""
    for entry in ours(session, "reader_malfunction", "malfunction"):
        used = [e for e in session.of(HoleCardCheck) if e.how == "reader" and not e.weak]
        elsewhere = entry.where and session.header.table and entry.where != table_name(session.header.table)
        if not elsewhere and entry.day in (None, session.records.play_date):
            yield of_row(
                READER_BROKEN,
                not used,
                entry,
                events=used[:1],
                expected="while the reader is broken the hole card is not checked before the players have acted",
                observed="the hole card was checked",
            )


def _coloured_up(session: Session, push: ChipsPushed) -> bool:
    """Whether a player who then left was given fewer and dearer chips for several of lower value."""
    key = hand_key(push.at)
    before = [e for e in session.of(ChipsReceived) if e.at == push.at and e.t_end <= push.t_start]
    taken = [e for e in session.of(ChipsFromTray) if e.t_end <= push.t_start]
    if key is None or not before or not taken or taken[-1].t_start < before[-1].t_end:
        return False
    count, given = sum((before[-1].chips or {}).values()), sum((taken[-1].chips or {}).values())
    dealt = next((c.t_start for c in session.of(CardDealt) if c.t_start >= push.t_end), float("inf"))
    leaving = (e for e in session.of(PlayerPresence) if push.t_end <= e.t_start <= dealt and e.phase == "leave")
    return 0 < given < count and any(key[0] in (e.spaces or ()) for e in leaving)


@session_check(COLOUR_UP)
def colour_up(session: Session) -> Iterator[Instance]:
    """Chips are coloured up only where the organization adopted such a policy."""
    for event in session.of(ChipsPushed):
        named = event.reason is not None and plain(event.reason) in ("colour_up", "color_up")
        if named or _coloured_up(session, event):
            yield judged(
                COLOUR_UP,
                session.house.colour_up_policy == "adopted",
                at=event.at,
                key=event.id,
                events=[event],
                expected="chips are coloured up only under an adopted policy",
                observed="they were coloured up and no policy is adopted",
            )
