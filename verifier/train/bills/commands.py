"""The commands that render and train for bank notes."""

from __future__ import annotations

from pathlib import Path

import click

_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command("bills")
@click.option("--out", type=_FOLDER, required=True, help="Folder of pictures; these go to its folder crops.")
@click.option("--count", default=3100, show_default=True, help="Pictures of the inner area; a tenth is for validation.")
@click.option("--tables", default=2500, show_default=True, help="Tables with eight pictures of single bills.")
@click.option("--first-seed", default=0, show_default=True, help="Seed of the first.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def bills_command(out: Path, count: int, tables: int, first_seed: int, jobs: int) -> None:
    """Render bank notes in the inner area, and crops of them; keep what is there already."""
    from verifier.train.bills.pictures import write

    click.echo(f"{write(out, count, tables, first_seed, jobs)} files in {out / 'crops'}")


@click.command("bill-finder")
@click.option("--data", type=_FOLDER, required=True, help="Folder that `train bills` wrote.")
@click.option("--runs", type=_FOLDER, default=Path("runs"), show_default=True, help="Folder for checkpoints.")
@click.option("--models", type=_FOLDER, default=Path("models"), show_default=True, help="Where to export to.")
@click.option("--minutes", default=12.0, show_default=True, help="Wall time to train for.")
@click.option("--epochs", default=30, show_default=True, help="Times through the pictures at most.")
@click.option("--seed", default=0, show_default=True, help="Seed of weights and order.")
@click.option("--threads", default=2, show_default=True, help="Threads.")
def bill_finder_command(
    data: Path, runs: Path, models: Path, minutes: float, epochs: int, seed: int, threads: int
) -> None:
    """Train the finder of bank notes and export it (the reader: `train reader bills`)."""
    from verifier.train.bills.pictures import VIEW
    from verifier.train.bills.training import FinderPlan, train_finder
    from verifier.train.export import export_finder

    runs.mkdir(parents=True, exist_ok=True)
    plan = FinderPlan(minutes=minutes, epochs=epochs, seed=seed, threads=threads)
    network, figures = train_finder(data / "crops", plan, runs / "bill_finder.pt")
    facts = {"seed": seed, "data": data.name, "validation": figures}
    click.echo(str(export_finder(network, VIEW, models, facts)))
