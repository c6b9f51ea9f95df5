"""`verifier tables`: the tables that the store keeps."""

from __future__ import annotations

import getpass
import re
from datetime import datetime
from pathlib import Path

import click

from verifier.review.day_options import DAY

_FILE = click.Path(path_type=Path)


@click.group("tables")
def tables_group() -> None:
    """List, import and export the kept tables: layouts and house options with their dates."""


@tables_group.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_command(as_json: bool) -> int:
    """List the tables with their versions."""
    import msgspec

    from verifier.store.floor import Floor
    from verifier.store.repository import Store

    tables = Floor(Store()).tables()
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(tables)).decode())
        return 0
    for table in tables:
        click.echo(f"{table.label}{f', recordings below {table.folder}' if table.folder else ''}")
        for one in table.versions:
            what = {"layout": "layout", "house": "house options", "cards": "cards"}[one.kind]
            since, day = one.valid_from or "ever", one.made_at[:10]
            click.echo(f"  {what} {one.version}, since {since}, by {one.made_by} on {day}")
    if not tables:
        click.echo("No table is kept. Add one on the page 'Tables' of the dashboard, or by verifier tables import.")
    return 0


@tables_group.command("import")
@click.argument("file", type=_FILE)
@click.option("--house", type=_FILE, help="House options, where FILE is a layout.")
@click.option("--site", help="Site, where FILE is a layout that names none.")
@click.option("--table", help="Table, where FILE is a layout that names none.")
@click.option("--folder", type=_FILE, help="Folder below which the table's recordings lie.")
@click.option("--since", type=DAY, help="First day of the layout and options [default: ever].")
@click.option("--by", default=None, help="Who (default: the user of this computer).")
def import_command(
    file: Path,
    house: Path | None,
    site: str | None,
    table: str | None,
    folder: Path | None,
    since: datetime | None,
    by: str | None,
) -> int:
    """Keep the table of FILE: one that `tables export` wrote, or a layout (with --house)."""
    from verifier.domain.errors import BadInput
    from verifier.formats.house import read_house
    from verifier.formats.layout import read_layout
    from verifier.formats.yamls import read_yaml
    from verifier.review.floor.exchange import import_table
    from verifier.store.floor import SINCE_EVER, Floor
    from verifier.store.repository import Store

    who = by or getpass.getuser()
    if read_yaml(file).value.get("format") == "verifier-table":
        if house or site or table or folder or since:
            raise BadInput(file, "tells all of its table itself", "leave the options out, or import a layout")
        click.echo(f"Kept: {import_table(Floor(Store()), file, who).label}")
        return 0
    layout, options = read_layout(file), read_house(house) if house else None
    site, table = site or layout.site, table or layout.table
    if not site or not table:
        raise BadInput(file, "does not say which site and table it is of", "give them with --site and --table")
    day = since.date().isoformat() if since else SINCE_EVER
    floor = Floor(Store())
    if folder is not None:
        floor.put_table(site, table, str(folder.absolute()), who)
    floor.add_layout(site, table, layout, who, since=day)
    if options is not None:
        floor.add_house(site, table, options, who, since=day)
    click.echo(f"Kept: Site {site}, table {table}")
    return 0


@tables_group.command("export")
@click.argument("out", type=_FILE)
@click.option("--site", help="Only this site's.")
@click.option("--table", help="Only this table.")
def export_command(out: Path, site: str | None, table: str | None) -> int:
    """Write the kept tables as YAML files into the folder OUT, one a table."""
    from verifier.review.floor.exchange import write_table
    from verifier.store.floor import Floor
    from verifier.store.repository import Store

    tables = [one for one in Floor(Store()).tables() if site in (None, one.site) and table in (None, one.table)]
    if not tables:
        click.echo("No such table is kept.")
        return 0
    out.mkdir(parents=True, exist_ok=True)
    names: set[str] = set()
    for one in tables:
        name = re.sub(r"[^A-Za-z0-9_-]+", "_", f"{one.site}-{one.table}")
        name += f"-{len(names)}" if name in names else ""
        names.add(name)
        write_table(out / f"{name}.table.yaml", one)
        click.echo(out / f"{name}.table.yaml")
    return 0
