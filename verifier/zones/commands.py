"""`verifier zones`: the layout of a table, proposed from its recording."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from verifier.domain.errors import BadInput
from verifier.recording.timeline import Reading

if TYPE_CHECKING:
    from rich.progress import Progress

    from verifier.zones.proposal import Proposal

EXIT_UNSURE = 3
_FILE = click.Path(path_type=Path)


@click.command("zones")
@click.argument("video", type=_FILE)
@click.option("--spaces", type=click.IntRange(1, 7), help="Number of betting spaces [default: as seen].")
@click.option("--out", type=_FILE, help="Layout file (YAML) to write; one that exists is not overwritten.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the layout, and confidence and reason of each part.")
@click.option("--track", type=click.IntRange(min=1), help="Picture track to watch, from 1 [default: the file's].")
@click.option(
    "--fps", "rate", type=click.FloatRange(0, 1000, min_open=True), help="Pictures a second of a bare stream."
)
@click.option("--quiet", is_flag=True, help="No progress bar.")
def zones_command(
    video: Path, spaces: int | None, out: Path | None, as_json: bool, track: int | None, rate: float | None, quiet: bool
) -> int:
    """Propose the layout of the table that VIDEO shows, from its first ten minutes.

    Exit code 0, or 3 if the dealer's side, the scale or a betting spot is not sure: a person must look.
    """
    from verifier.formats.layout import write_layout
    from verifier.zones import propose

    if out is not None and out.exists():
        raise BadInput(out, "exists already", "name another file, or move this one away")
    with _bar(quiet or as_json) as bar:
        task = bar.add_task("looking", total=1.0)
        how = Reading(track=track, rate=rate)
        proposal = propose(
            video, spaces=spaces, reading=how, on_progress=lambda share: bar.update(task, completed=share)
        )
    if out is not None:
        write_layout(out, proposal.layout)
    if as_json:
        click.echo(_json(proposal))
    else:
        _show(proposal, out)
    return EXIT_UNSURE if proposal.unsure else 0


def _bar(quiet: bool) -> Progress:
    from rich.progress import BarColumn, Progress, TextColumn

    from verifier.formats.console import console

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    shown_on = console(stderr=True)
    return Progress(*columns, console=shown_on, disable=quiet or not shown_on.is_terminal, transient=True)


def _json(proposal: Proposal) -> str:
    import msgspec

    fields = {
        "format": "verifier-zones",
        "version": 1,
        "layout": proposal.layout,
        "mirrored": proposal.mirrored,
        "parts": proposal.parts,
        "unsure": proposal.unsure,
        "looked": proposal.looked,
        "seconds": proposal.seconds,
    }
    return msgspec.json.format(msgspec.json.encode(fields)).decode()


def _show(proposal: Proposal, out: Path | None) -> None:
    from rich.table import Table

    from verifier.formats.console import console

    table = Table()
    for name in ("part", "sure", "why"):
        table.add_column(name, justify="right" if name == "sure" else "left")
    for name, part in proposal.parts.items():
        table.add_row(name.replace("_", " "), f"{part.confidence:.0%}", part.reason, style="" if part.sure else "bold")
    console().print(table)
    layout = proposal.layout
    click.echo(
        f"site {layout.site or '?'}, table {layout.table or '?'}: {len(layout.spaces)} spaces, the dealer at the "
        f"{layout.dealer_side}{', mirrored' if proposal.mirrored else ''}, {layout.scale:.3f} pixels a millimetre; "
        f"{proposal.looked} pictures of {proposal.seconds:.0f} s"
    )
    if out is not None:
        click.echo(f"written: {out}")
    if proposal.unsure:
        click.echo(f"Not sure: {', '.join(proposal.unsure)}. Check these before you judge with this layout.")
