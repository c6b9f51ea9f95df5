"""The command of the simulation room."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack, cast

import click

from verifier.domain.errors import BadInput
from verifier.domain.rulebooks import ABOUT, Rulebook, game_of

if TYPE_CHECKING:
    from verifier.simulate.perform import Performance
    from verifier.simulate.render import Camera, Look

_SIZE = re.compile(r"^(\d{3,4})x(\d{3,4})$")


class Played(TypedDict):
    """The options that say what is played, as click reads them and `perform` takes them."""

    rounds: int
    rulebook: Rulebook
    minutes: float | None
    deviations: tuple[str, ...]
    spaces: int | None
    game: str | None
    shift_change: bool | None
    shuffle: bool | None


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.match(text)
    if not match:
        raise BadInput("--size", f"{text!r} is no picture size", "write it as 1280x720")
    width, height = int(match[1]), int(match[2])
    if width % 2 or height % 2 or not 320 <= width <= 3840 or not 180 <= height <= 2160:
        raise BadInput("--size", f"{text} cannot be encoded", "use even numbers from 320x180 to 3840x2160")
    return width, height


@click.command("simulate")
@click.option("--seed", type=click.IntRange(0), required=True, help="The same seed gives the same recording.")
@click.option(
    "--rounds", type=click.IntRange(1, 400), default=3, show_default=True, help="Rounds (hands of poker) to play."
)
@click.option(
    "--rulebook",
    type=click.Choice(list(ABOUT)),
    default="nd-twenty-one",
    show_default=True,
    help="Rulebook that is played by; each has its own breaches.",
)
@click.option("--minutes", type=click.FloatRange(1.0, 480.0), help="Play about so long, with idle time, instead.")
@click.option(
    "--deviate", "deviations", multiple=True, metavar="CLAUSE", help="Break this clause once; may be repeated."
)
@click.option("--spaces", type=click.IntRange(1, 7), help="Betting spaces; at poker, players.")
@click.option(
    "--game",
    type=click.Choice(("holdem", "omaha", "seven_card_stud", "five_card_draw")),
    help="Game of poker (default: holdem).",
)
@click.option("--shift-change/--no-shift-change", default=None, help="Relieve the dealer (default: by the seed).")
@click.option("--shuffle/--no-shuffle", default=None, help="Begin with a shuffle (default: by the seed).")
@click.option("--size", default="1280x720", show_default=True, help="Picture size in pixels.")
@click.option("--fps", type=click.IntRange(15, 30), default=20, show_default=True, help="Frames a second.")
@click.option(
    "--difficulty",
    type=click.Choice(("easy", "typical", "hard")),
    default="typical",
    show_default=True,
    help="How camera and picture are.",
)
@click.option(
    "--split",
    type=click.Choice(("train", "test")),
    default="test",
    show_default=True,
    help="Which card faces, felts, chips and people: those of training or others.",
)
@click.option("--bitrate", type=click.IntRange(200, 20000), default=1400, show_default=True, help="Most kbit/s.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def simulate_command(
    seed: int,
    size: str,
    fps: int,
    difficulty: str,
    split: str,
    bitrate: int,
    out: Path,
    quiet: bool,
    **played: Unpack[Played],
) -> int:
    """Make a simulated recording with its truth: video, layout, house options, true events, planted breaches."""
    from verifier.simulate.record import make_folder, record

    pixels = _size(size)
    make_folder(out)
    performance = _performed(seed, played)
    look, camera = look_and_camera(seed, pixels, difficulty, split)
    parameters = {
        "rounds": played["rounds"],
        "minutes": played["minutes"],
        "deviate": list(played["deviations"]),
        "spaces": len(performance.plan.spaces),
        "difficulty": difficulty,
        "split": split,
        "rulebook": played["rulebook"],
    }
    if played["game"] is not None:
        parameters["game"] = played["game"]
    with _bar(quiet) as told:
        record(performance, look, camera, out, fps, bitrate=bitrate * 1000, parameters=parameters, progress=told)
    _print(performance, out)
    return 0


def _performed(seed: int, played: Played) -> Performance:
    """Play what is asked for: twenty-one, or a game of poker where the rulebook is of it."""
    if game_of(played["rulebook"]) != "poker":
        from verifier.simulate.perform import perform

        if played["game"] is not None:
            raise BadInput("--game", f"{played['game']} is a game of poker", "add --rulebook nd-poker")
        return perform(
            seed,
            rounds=played["rounds"],
            deviations=played["deviations"],
            spaces=played["spaces"],
            shift_change=played["shift_change"],
            shuffle=played["shuffle"],
            minutes=played["minutes"],
            rulebook=played["rulebook"],
        )
    from verifier.simulate.poker.games import GAMES, Variant
    from verifier.simulate.poker.perform import perform_hands
    from verifier.simulate.poker.script import LEAST_PLAYERS

    for option, value in (("--shift-change", played["shift_change"]), ("--shuffle", played["shuffle"])):
        if value is not None:
            raise BadInput(option, "poker is played without it", "leave it out: each hand has its own shuffle")
    game = cast(Variant, played["game"] or "holdem")
    players = played["spaces"] or min(GAMES[game].most, random.Random(f"players of {seed}").randint(4, 6))
    if players < LEAST_PLAYERS:
        raise BadInput("--spaces", f"{players} players are too few for poker", f"name {LEAST_PLAYERS} or more")
    return perform_hands(seed, played["rounds"], played["deviations"], players, minutes=played["minutes"], game=game)


def _print(performance: Performance, out: Path) -> None:
    click.echo(f"{out}: {performance.duration:.1f} s, {len(performance.events.events)} events")
    for planted in performance.deviations:
        where = planted.at or "the shift"
        click.echo(f"  {planted.clause}: round {planted.round or '-'}, {where}, {planted.t_start:.1f} s")


def look_and_camera(seed: int, size: tuple[int, int], difficulty: str, split: str) -> tuple[Look, Camera]:
    """Appearance and camera of a recording; `difficulty` easy, typical or hard."""
    from dataclasses import replace
    from typing import Literal, cast

    import numpy as np

    from verifier.simulate.render import Camera, Look

    rng = np.random.default_rng([seed, 77])
    look = Look.sample(rng, cast(Literal["train", "test"], split))
    levels: dict[str, Literal["easy", "normal", "hard"]] = {"easy": "easy", "typical": "normal", "hard": "hard"}
    camera = Camera.sample(rng, size, levels[difficulty])
    if difficulty == "easy":
        look = replace(look, noise=min(look.noise, 1.5), blur=0.0, glare=min(look.glare, 0.1))
    elif difficulty == "hard":
        look = replace(look, blur=max(look.blur, 0.8), glare=max(look.glare, 0.3), noise=max(look.noise, 3.0))
    return look, camera


@contextmanager
def _bar(quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar; give what is called with the frames done and their number."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from verifier.formats.console import console

    share = TextColumn("{task.percentage:>3.0f} %")
    columns = (TextColumn("{task.description}"), BarColumn(), share, TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), disable=quiet) as bar:
        task = bar.add_task("recording", total=None)
        yield lambda done, whole: bar.update(task, completed=done, total=whole)
