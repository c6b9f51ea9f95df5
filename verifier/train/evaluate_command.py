"""`verifier evaluate`: how good the models are on pictures that they never saw."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from verifier.train.evaluation_samples import EvaluationSample
    from verifier.train.scoring import Tally

_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command("evaluate")
@click.option("--pictures", default=2000, show_default=True, help="Unseen simulated pictures; 0 for none.")
@click.option("--solid", default=0, show_default=True, help="Unseen pictures of the solid world (needs moderngl).")
@click.option("--real", type=_FOLDER, help="Folder of real sets; what is held out of them is scored.")
@click.option("--models", type=_FOLDER, help="Folder of models; the shipped ones by default.")
@click.option("--long-side", type=int, help="Pixels to which frames are scaled; the detector's own by default.")
@click.option("--precision", type=click.Choice(["f32", "bf16", "int8"]), help="By default as for recordings.")
@click.option(
    "--out",
    type=_FOLDER,
    default=Path("out/evaluation"),
    show_default=True,
    help="What was seen; a later call goes on there. Empty it when code changes.",
)
@click.option("--gallery", type=_FOLDER, help="Folder for sheets of the worst errors (PNG).")
@click.option(
    "--markdown",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Page to put the tables into; its plots go to images/ beside it.",
)
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def evaluate_command(
    pictures: int,
    solid: int,
    real: Path | None,
    models: Path | None,
    long_side: int | None,
    precision: str | None,
    out: Path,
    gallery: Path | None,
    markdown: Path | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Scores the models on unseen simulated pictures, and on real photos where given."""
    from verifier.train.cases import cases, solid_cases
    from verifier.train.evaluate import real_figures, tallies
    from verifier.train.evaluation_samples import Setup
    from verifier.train.flaws import flaws
    from verifier.train.gallery import write_gallery
    from verifier.train.looking import seen_of

    if solid:
        from verifier.train.solid.draw import opengl

        opengl()
    setup = Setup(models=models, long_side=long_side, precision=precision)
    path = setup.file(out)
    with click.progressbar(length=pictures + solid, label="pictures", file=sys.stderr) as bar:
        samples = seen_of([*cases(pictures), *solid_cases(solid)], path, setup, jobs=jobs, tick=bar.update)
    groups = tallies(samples)
    real_ones = real_figures(real, setup.real_file(out), models, gallery, jobs=jobs) if real else {}
    if gallery is not None and samples:
        write_gallery((flaw for sample in samples for flaw in flaws(sample)), gallery)
    if markdown is not None:
        _publish(markdown, groups, real_ones, f"{pictures} pictures, models and way {path.stem}.")
        if solid:
            _publish_solid(markdown, groups, samples, f"{solid} pictures, models and way {path.stem}.")
    _print({name: {"pictures": t.counts["pictures"], **t.figures()} for name, t in groups.items()} | real_ones, as_json)


def _print(scores: Mapping[str, Mapping[str, float]], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(scores, indent=1))
        return
    for name, figures in scores.items():
        click.echo(name)
        for figure, value in figures.items():
            click.echo(f"  {figure:42s} {value:.4f}" if isinstance(value, float) else f"  {figure:42s} {value}")


def _publish(page: Path, groups: Mapping[str, Tally], real_ones: Mapping[str, Mapping[str, float]], made: str) -> None:
    """Put the tables into a page and the plots into images/ beside it."""
    from verifier.train import report

    if "all" in groups:
        plot = page.parent / "images" / "reliability.png"
        plot.parent.mkdir(parents=True, exist_ok=True)
        report.write_plot(plot, groups["all"])
        flat = {name: tally for name, tally in groups.items() if not name.startswith("solid")}
        report.insert(page, "simulated", f"{made}\n\n{report.simulated(flat, f'images/{plot.name}')}")
    if real_ones:
        report.insert(page, "real", report.real(real_ones))


def _publish_solid(page: Path, groups: Mapping[str, Tally], samples: Sequence[EvaluationSample], made: str) -> None:
    """Put the solid world's tables into a page, beside the flat world's figures where these were measured, too."""
    from verifier.train import report
    from verifier.train.solid_scores import false_finds, fan_counts

    mine = [sample for sample in samples if sample.case.kind.startswith("solid")]
    columns = {name: tally for name, tally in groups.items() if name == "all" or name.startswith("solid")}
    report.insert(page, "solid", f"{made}\n\n{report.solid(columns, fan_counts(mine), false_finds(mine))}")
