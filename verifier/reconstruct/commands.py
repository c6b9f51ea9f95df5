"""The `reconstruct` command: an observations file to an event log."""

from __future__ import annotations

from pathlib import Path

import click

from verifier.domain.house import House
from verifier.formats.events import write_events
from verifier.formats.house import check_game, read_house
from verifier.formats.layout import check_size, read_layout
from verifier.formats.observations import open_observations
from verifier.reconstruct.reconstruction import reconstruct


@click.command("reconstruct")
@click.argument("observations", type=click.Path(path_type=Path))
@click.option("--layout", "layout_path", required=True, type=click.Path(path_type=Path), help="Layout of the table.")
@click.option("--house", "house_path", type=click.Path(path_type=Path), help="House options; default: the rule's own.")
@click.option("--out", "out_path", required=True, type=click.Path(path_type=Path), help="Event log to write.")
def reconstruct_command(observations: Path, layout_path: Path, house_path: Path | None, out_path: Path) -> None:
    """Turn OBSERVATIONS (what was seen) into an event log (what happened). No video is needed."""
    layout = read_layout(layout_path)
    house = read_house(house_path) if house_path else House()
    check_game(house, house_path or "the house options", layout.game)
    source = open_observations(observations)
    if source.header.video is not None:
        check_size(source.header.video, layout, layout_path)
    log = reconstruct(source, layout, house, source.header)
    write_events(out_path, log)
    click.echo(f"{out_path}: {len(log.events)} events")
