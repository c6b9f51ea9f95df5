"""Command `verifier import-phh`."""

from __future__ import annotations

from pathlib import Path

import click

from verifier.formats.events import write_events
from verifier.law.poker.phh import import_phh

IN_PART = 3
"""Exit code: done in part, as some hands are of other games or cannot be replayed."""


@click.command("import-phh")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Event log to write.")
def import_phh_command(source: Path, out: Path) -> None:
    """Turn poker hand histories (SOURCE: a .phh or .phhs file, or a folder) into event logs for `verifier check`.

    Hands of several games go to a log each, named after the game.
    """
    imported = import_phh(source)
    for (variant, game), log in imported.logs.items():
        target = out if len(imported.logs) == 1 else _named(out, f"{variant}-{game}")
        write_events(target, log)
        count = len({event.round for event in log.events})
        hands = f"{count} hand{'' if count == 1 else 's'}"
        click.echo(f"{target}: {hands} of {variant.replace('_', ' ')}, {game.replace('_', '-')}")
    for reason in imported.left_out:
        click.echo(f"left out: {reason}", err=True)
    if imported.left_out:
        raise click.exceptions.Exit(IN_PART)


def _named(out: Path, game: str) -> Path:
    """`night.events.jsonl` as `night.holdem-high.events.jsonl`."""
    stem, dot, rest = out.name.partition(".")
    return out.with_name(f"{stem}.{game}{dot}{rest}")
