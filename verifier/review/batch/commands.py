"""The command of the night shift."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from verifier.recording.timeline import Reading
from verifier.review.reading_options import reading_options

if TYPE_CHECKING:
    from verifier.review.batch.shift import Order

_FILE = click.Path(path_type=Path)


class Wanted(TypedDict):
    """The options of the command that say what the shift is to do, as click reads them."""

    places: tuple[str, ...]
    layout: Path | None
    house: Path | None
    workers: int | None
    memory: int
    silence: float
    start: str | None
    end: str | None
    watch: bool
    engine: str
    address: str | None
    work: Path | None
    patience: float
    report: Path | None
    mail_to: tuple[str, ...]
    metrics: Path | None
    track: int | None
    rate: float | None
    aspect: float | None


@click.command("batch")
@click.argument("places", nargs=-1, required=True, metavar="DIR|GLOB|MANIFEST...")
@click.option("--layout", type=_FILE, help="Layout for recordings that have none by them.")
@click.option("--house", type=_FILE, help="House options for recordings that have none by them.")
@click.option("--workers", type=click.IntRange(1), help="Processes on this computer [default: one for each core].")
@click.option("--memory", type=click.IntRange(256), default=1536, show_default=True, help="MiB that a worker may use.")
@click.option("--silence", type=click.FloatRange(5), default=180, show_default=True, help="Seconds: longer is hung.")
@click.option("--from", "start", help="Time of day before which no work is done, for example 22:00.")
@click.option("--until", "end", help="Time of day at which work stops, to go on the next night, for example 08:00.")
@click.option("--watch", is_flag=True, help="Go on looking for new recordings until interrupted.")
@click.option("--engine", type=click.Choice(["pool", "ray"]), default="pool", show_default=True, help="Where to work.")
@click.option("--address", help="Address of the Ray cluster [default: one on this computer].")
@click.option("--work", type=_FILE, help="Folder for checkpoints; with a cluster one that all machines reach.")
@click.option("--patience", default=600.0, show_default=True, help="Seconds to wait for a share or database.")
@click.option("--report", type=_FILE, help="Folder of the morning report [default: in the data folder].")
@click.option("--mail-to", multiple=True, help="Send the report to this address (server: VERIFIER_SMTP_URL).")
@click.option("--metrics", type=_FILE, help="File for metrics in Prometheus' text format.")
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print the report of this run as JSON.")
@click.option("--quiet", is_flag=True, help="No progress.")
def batch_command(as_json: bool, quiet: bool, **wanted: Unpack[Wanted]) -> int:
    """Reviews all recordings in folders, globs or manifests that are not reviewed yet; can be interrupted at any time.

    A manifest is a CSV file with the columns file, site, table, dealers, layout, house, start, priority.
    """
    import msgspec

    from verifier.review.batch.printing import print_report
    from verifier.review.batch.progress import Progress
    from verifier.review.batch.shift import Shift

    order = _order(wanted)
    with Progress(quiet) as progress:
        made, files = Shift(order, progress).run()
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(made)).decode())
    else:
        print_report(made, files)
    return made.exit_code


def _order(wanted: Wanted) -> Order:
    """Return what the shift is to do, as the command line says it."""
    from verifier.review.batch.engines.base import Limits
    from verifier.review.batch.hours import Hours, read_time
    from verifier.review.batch.shift import Order
    from verifier.review.pipeline.folders import Folders, usual_folders

    layout, house, work = wanted["layout"], wanted["house"], wanted["work"]
    start, end = wanted["start"], wanted["end"]
    return Order(
        places=list(wanted["places"]),
        how=Reading(track=wanted["track"], rate=wanted["rate"], aspect=wanted["aspect"]),
        layout=layout.absolute() if layout else None,
        house=house.absolute() if house else None,
        folders=Folders(work.absolute()) if work else usual_folders(),
        workers=wanted["workers"],
        limits=Limits(memory=wanted["memory"] << 20, silence=wanted["silence"]),
        engine=wanted["engine"],
        address=wanted["address"],
        hours=Hours(read_time(start) if start else None, read_time(end) if end else None),
        watch=wanted["watch"],
        patience=wanted["patience"],
        metrics=wanted["metrics"],
        report=wanted["report"],
        mail_to=list(wanted["mail_to"]),
    )
