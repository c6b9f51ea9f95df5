"""`verifier records`: the site's slips, counts, reports and other records."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Literal

import click

from verifier.formats.record_kinds import record_kinds
from verifier.review.day_options import DAY

_FILE = click.Path(path_type=Path)
_KIND = click.Choice(list(record_kinds()))


@click.group("records")
def records_group() -> None:
    """Import and list the site's records: slips, counts, reports, disclosures and others that the law judges."""


@records_group.command("import")
@click.argument("files", nargs=-1, required=True, type=_FILE)
@click.option("--site", help="Site of the rows that name none.")
@click.option("--kind", type=_KIND, help="Kind of the rows, where the file does not name it.")
@click.option("--by", default=None, help="Account of a manager or an administrator (default: who runs the command).")
@click.option("--no-recheck", is_flag=True, help="Leave the stored reviews as they are.")
def import_command(
    files: tuple[Path, ...], site: str | None, kind: str | None, by: str | None, no_recheck: bool
) -> int:
    """Keep the records in FILES (CSV, XLSX, JSON) and judge again the reviews that they bear on.

    All rows are kept or none. A record that is there already gets a further version; the earlier one stays. Exit code
    4 if a review has new findings.
    """
    from verifier.review.intake.importing import import_records, judge_again
    from verifier.review.people.makers import at_the_command_line
    from verifier.review.recheck_command import lines
    from verifier.review.records.rights import require_account
    from verifier.store.repository import Store

    store = Store()
    if by is not None:
        require_account(store, by)
    made = import_records(store, files, at_the_command_line().actor, site, kind, named=by or "")
    click.echo(f"{len(made.new)} new, {len(made.changed)} in a further version, {made.same} known already")
    if no_recheck or not made.kept:
        return 0
    results = judge_again(store, made.kept)
    for result in results:
        if result.new or result.gone or result.changed or result.stale:
            click.echo("\n".join(lines(result)))
    click.echo(f"{len(results)} stored review{'' if len(results) == 1 else 's'} judged again")
    return 4 if any(result.new for result in results) else 0


@records_group.command("list")
@click.option("--site", help="Only this site's.")
@click.option("--kind", type=_KIND, help="Only this kind.")
@click.option("--from", "first", type=DAY, help="Only days from this one on.")
@click.option("--to", "last", type=DAY, help="Only days up to this one.")
@click.option("--versions", is_flag=True, help="Earlier versions, too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_command(
    site: str | None,
    kind: str | None,
    first: datetime | None,
    last: datetime | None,
    versions: bool,
    as_json: bool,
) -> int:
    """List the kept records: the standing version of each, or all."""
    import msgspec

    from verifier.store.repository import Store
    from verifier.store.site_records import SiteRecords

    records = SiteRecords(Store())
    days = [day.date().isoformat() if day else None for day in (first, last)]
    found = records.every(site, days[0], days[1], kind) if versions else records.standing(site, days[0], days[1], kind)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
        return 0
    for one in found:
        where = f"site {one.site}{f' table {one.table}' if one.table else ''} {one.day or '-'}"
        taken = f", withdrawn: {one.withdrawn}" if one.withdrawn else ""
        by = f"version {one.version}, by {one.made_by} on {one.made_at[:10]}{taken}"
        click.echo(f"{one.id}  {one.kind}  {where}  {one.name}  {by}")
    if not found:
        click.echo("No such record is kept. Add some with verifier records import.")
    return 0


@records_group.command("withdraw")
@click.argument("number", type=int)
@click.option("--reason", required=True, help="Why it is taken back.")
@click.option("--by", default=None, help="Account that takes it back (default: who runs the command).")
def withdraw_command(number: int, reason: str, by: str | None) -> int:
    """Take the record NUMBER (see records list) back: it no longer counts, and its versions stay.

    What an account signed in the room only that account takes back, or an administrator of accounts; any other record
    a manager or an administrator. The reviews that it bore on are judged again. Exit code 4 if one has new findings.
    """
    from verifier.domain.errors import BadInput
    from verifier.review.intake.withdrawing import withdraw
    from verifier.review.people.makers import at_the_command_line
    from verifier.review.recheck_command import lines
    from verifier.review.records.rights import account_at
    from verifier.store.repository import Store
    from verifier.store.site_records import SiteRecords

    store = Store()
    person = None if by is None else account_at(store, by)
    record = SiteRecords(store).numbered(number)
    if record is None:
        raise BadInput(f"record {number}", "is not kept", "see verifier records list for the numbers")
    _, results = withdraw(store, person, record, at_the_command_line().actor, reason)
    for result in results:
        if result.new or result.gone or result.changed or result.stale:
            click.echo("\n".join(lines(result)))
    click.echo(f"{record.kind} {record.name} is withdrawn; {len(results)} stored reviews judged again")
    return 4 if any(result.new for result in results) else 0


@records_group.command("check")
@click.option("--site", required=True, help="Site, as in the layout file.")
@click.option("--from", "first", type=DAY, help="First day (default: a week before the last).")
@click.option("--to", "last", type=DAY, help="Last day (default: today).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check_command(site: str, first: datetime | None, last: datetime | None, as_json: bool) -> int:
    """Judge a site's records by themselves, with or without a recording. Exit code 4 if something is found."""
    import msgspec

    from verifier.review.records.site import check_site
    from verifier.store.repository import Store

    until = last.date() if last else date.today()
    since = first.date() if first else until - timedelta(days=6)
    if since > until:
        raise click.BadParameter("it lies after --to", param_hint="--from")
    found = check_site(Store(), site, since, until)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    else:
        for one in found.findings:
            click.echo(f"{one.verdict} {one.clause} {one.day or '-'}: {one.observed}; expected: {one.expected}")
        click.echo(f"{found.records} records, {len(found.verdicts)} clauses judged, {len(found.findings)} findings")
        if found.by_word:
            click.echo(found.by_word)
    return 4 if found.findings else 0


@records_group.command("template")
@click.argument("kind", type=_KIND)
@click.option("--format", "form", type=click.Choice(["csv", "xlsx", "json"]), default="csv", show_default=True)
@click.option("--out", type=_FILE, help="File to write (default: records-KIND in this folder).")
def template_command(kind: str, form: Literal["csv", "xlsx", "json"], out: Path | None) -> int:
    """Write an empty file for records of KIND, with its columns; the XLSX file says what each column tells."""
    from verifier.domain.errors import BadInput
    from verifier.formats.files import write_file
    from verifier.review.records.templates import template

    path = out or Path(f"records-{kind}.{form}")
    if path.exists():
        raise BadInput(path, "is there already", "name another file with --out")
    write_file(path, template(kind, form))
    click.echo(path)
    return 0
