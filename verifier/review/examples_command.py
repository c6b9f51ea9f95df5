"""`verifier examples`: rejected findings as labelled examples."""

from __future__ import annotations

import getpass
from pathlib import Path

import click


@click.command("examples")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for examples.jsonl and images.")
def examples_command(out: Path) -> int:
    """Export the findings that people rejected, with their reasons, frames and observations, for training.

    Whoever may read the data folder may run it; the audit log names the user of the computer.
    """
    from verifier.review.examples import export_examples
    from verifier.review.people.roles import Person, Role
    from verifier.store.repository import Store

    user = getpass.getuser()
    header = export_examples(Store(), Person(name=user, full_name=user, role=Role.MANAGER), out)
    click.echo(f"{sum(header.counts.values())} examples in {out / 'examples.jsonl'}")
    for reason, number in sorted(header.counts.items()):
        click.echo(f"  {reason}: {number}")
    return 0
