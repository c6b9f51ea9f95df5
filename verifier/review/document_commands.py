"""`verifier weekly`, `daily`, `hold` and `roster`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from verifier.domain.errors import BadInput
from verifier.review.day_options import DAY

if TYPE_CHECKING:
    from verifier.review.documents.keeping import Made

_FILE = click.Path(path_type=Path)


class Told(TypedDict):
    """The options of the weekly document that are answers as they stand, by the names that these have."""

    reviewer: str
    account: str
    role: str
    access_authority: str
    organization: str
    shift: str
    hold_quarter: str
    excluded_tables: str
    conclusion: str
    independent: bool
    attested: bool


@contextmanager
def _reason_option() -> Iterator[None]:
    """Names the option where a reason is missing."""
    from verifier.review.documents.keeping import NoReason

    try:
        yield
    except NoReason as error:
        raise BadInput(error.source, error.cause, f"{error.remedy} with --reason") from error


def _show(made: Made) -> int:
    for path in made.files.values():
        click.echo(f"{'Draft' if made.draft else f'Version {made.document.version}'}: {path}")
    return 0


@click.command("weekly")
@click.option("--week", help="ISO week of play, for example 2026-W47.")
@click.option("--site", help="Site, as in the layout file.")
@click.option("--review", type=_FILE, help="Folder of a review: takes site and week from it.")
@click.option("--out", type=_FILE, required=True, help="Folder for PDF, CSV and XLSX.")
@click.option("--reviewer", default="", help="Name of the person who reviewed.")
@click.option("--account", default="", help="Account of that person: takes the minutes that the dashboard counted.")
@click.option("--role", default="", help="Role of that person.")
@click.option("--authority", "access_authority", default="", help="Access authority of that person under 08-04(4)(a).")
@click.option("--organization", default="", help="Name of the organization.")
@click.option("--minutes", multiple=True, metavar="TABLE=MIN", help="Minutes watched of a table, by the person's word.")
@click.option("--shift", default="", help="Shift reviewed, as the roster names it.")
@click.option("--hold-quarter", default="", help="Quarter of the low percent-of-hold (default: the one before).")
@click.option("--determined", type=DAY, help="Day on which the percent-of-hold became known.")
@click.option("--excluded", "excluded_tables", default="", help="Active tables left out, and why.")
@click.option("--conclusion", default="", help="Reason for the low percent-of-hold, or what is done next.")
@click.option("--independent", is_flag=True, help="The person did not deal at the site on the reviewed shifts.")
@click.option(
    "--attest", "attested", is_flag=True, help="The reviewer attests it: keeps a version, else it is a draft."
)
@click.option("--stills", is_flag=True, help="Shows the findings' stills; only for readers who may see video.")
@click.option("--reason", default="", help="Why the document is corrected, where it was made before.")
def weekly_command(
    week: str | None,
    site: str | None,
    review: Path | None,
    out: Path,
    minutes: tuple[str, ...],
    determined: datetime | None,
    stills: bool,
    reason: str,
    **told: Unpack[Told],
) -> int:
    """Write the weekly review documentation of one site and week as PDF, CSV and XLSX.

    Without --attest it is a draft, which can be made anew and is not kept.
    """
    from verifier.review.people.makers import at_the_command_line
    from verifier.review.weekly import gather_week
    from verifier.review.weekly_files import write_weekly
    from verifier.review.weekly_stills import week_stills
    from verifier.review.weekly_target import read_minutes, target_week
    from verifier.review.weekly_values import Answers
    from verifier.store.repository import Store

    if told["attested"] and not told["reviewer"].strip():
        raise BadInput("--attest", "needs a reviewer", "name the person who attests with --reviewer")
    store = Store()
    place, when = target_week(store, site, week, review)
    known = determined.date().isoformat() if determined else ""
    answers = Answers(**told, minutes=read_minutes(minutes), determined=known)
    weekly = gather_week(store, place, when, answers)
    with _reason_option():
        pictures = week_stills(store, weekly, at_the_command_line()) if stills else None
        return _show(write_weekly(weekly, out, store, reason, stills=pictures))


@click.command("daily")
@click.option("--site", required=True, help="Site, as in the layout file.")
@click.option("--date", "day", type=DAY, required=True, help="Day of the log.")
@click.option("--checks", type=_FILE, help="CSV of what the employee saw, a line for each table.")
@click.option("--table", "tables", multiple=True, help="A twenty-one table of the site (default: those reviewed).")
@click.option("--employee", default="", help="Name of the employee who attests.")
@click.option("--initials", default="", help="Initials of the employee.")
@click.option("--organization", default="", help="Name of the organization.")
@click.option("--out", type=_FILE, required=True, help="Folder for PDF, CSV and XLSX.")
@click.option("--reason", default="", help="Why the log is corrected, where it was made before.")
def daily_command(
    site: str,
    day: datetime,
    checks: Path | None,
    tables: tuple[str, ...],
    employee: str,
    initials: str,
    organization: str,
    out: Path,
    reason: str,
) -> int:
    """Write the daily surveillance review log. The employee's attestation is the act; the software supports it.

    Without --employee, or where the picture of a table was not stated, it is a draft, which is not kept.

    Exit code 4 if a table's repair time has run out.
    """
    from verifier.review.documents.daily import gather_day
    from verifier.review.documents.daily_checks import read_checks
    from verifier.review.documents.daily_files import write_daily
    from verifier.store.repository import Store

    store = Store()
    seen = read_checks(checks) if checks else []
    log = gather_day(store, site, day.date(), seen, tables, employee, initials, organization)
    with _reason_option():
        _show(write_daily(store, log, out, reason))
    for line in log.overdue:
        click.echo(line)
    return 4 if log.overdue else 0


@click.command("hold")
@click.option("--quarter", required=True, help="Quarter, for example 2026-Q3.")
@click.option("--figures", type=_FILE, help="CSV to add: site, day, game, dealer, gross_proceeds, prizes.")
@click.option("--site", help="One site only.")
@click.option("--determined", type=DAY, help="Day on which the figures became known (default: today).")
@click.option("--out", type=_FILE, required=True, help="Folder for PDF, CSV and XLSX.")
@click.option("--by", default=None, help="A name for the document; the log names the user of this computer.")
@click.option("--reason", default="", help="Why the document is corrected, where it was made before.")
def hold_command(
    quarter: str,
    figures: Path | None,
    site: str | None,
    determined: datetime | None,
    out: Path,
    by: str | None,
    reason: str,
) -> int:
    """Percent-of-hold by site, game and dealer. Exit code 4 if a figure asks for a review or for a call."""
    from verifier.review.documents.hold import hold_report
    from verifier.review.documents.hold_figures import figures_of, read_figures
    from verifier.review.documents.hold_files import write_hold
    from verifier.review.people.makers import at_the_command_line
    from verifier.store.papers import Papers
    from verifier.store.repository import Store

    store, who = Store(), at_the_command_line(by or "")
    if figures is not None:
        read = figures_of(quarter, read_figures(figures), site, figures)
        Papers(store).add_figures(read, who.actor)
        click.echo(f"Stored: {len(read)} figures of {figures}")
    known = determined.date() if determined else date.today()
    report = hold_report(store, quarter, known, site)
    if not report.sites:
        raise BadInput(f"quarter {quarter}", "has no figures", "give them with --figures")
    with _reason_option():
        _show(write_hold(store, report, out, who.shown, reason, actor=who.actor))
    for duty in report.duties:
        click.echo(f"Site {duty.site}, {duty.game}: {duty.says} ({duty.cite}, by {duty.by})")
    return 4 if report.duties else 0


@click.command("roster")
@click.argument("file", type=_FILE)
@click.option("--by", default=None, help="A name for the log, beside the user of this computer.")
def roster_command(file: Path, by: str | None) -> int:
    """Add the roster in FILE (CSV: site, day, shift, person, duty)."""
    from verifier.review.documents.roster import read_roster
    from verifier.review.people.makers import at_the_command_line
    from verifier.store.papers import Papers
    from verifier.store.repository import Store

    duties = read_roster(file)
    Papers(Store()).set_roster(duties, at_the_command_line().actor, by or "")
    click.echo(f"{len(duties)} duties added to the roster")
    return 0
