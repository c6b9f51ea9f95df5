"""The options by which a person tells how a recording is to be read, the same for every command that opens one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict, TypeVar

import click

from verifier.recording.timeline import Reading

F = TypeVar("F", bound=Callable[..., object])
_TRACK = click.IntRange(min=1)
_RATE = click.FloatRange(min=0, max=1000, min_open=True)


class Told(TypedDict):
    """The options, as click reads them."""

    track: int | None
    rate: float | None
    aspect: float | None


class Aspect(click.ParamType[float]):
    """The width of a pixel by its height: `16:11`, or a number."""

    name = "W:H"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the ratio; where the text is none, click tells the person."""
        try:
            width, _, height = str(value).partition(":")
            aspect = float(width) / float(height or 1)
        except (ValueError, ZeroDivisionError):
            aspect = 0.0
        if not 0.25 <= aspect <= 4:
            self.fail(f"{value!r} is no ratio between 1:4 and 4:1, such as 16:11", param, ctx)
        return aspect


def reading_options(command: F) -> F:
    """Add --track, --fps and --pixel-aspect to a command."""
    for option in (
        click.option("--pixel-aspect", "aspect", type=Aspect(), help="Width of a pixel by its height, told wrong."),
        click.option("--fps", "rate", type=_RATE, help="Pictures a second of a bare H.264 or H.265 stream."),
        click.option("--track", type=_TRACK, help="Picture track to watch, from 1 [default: the file's default one]."),
    ):
        command = option(command)
    return command


def reading_of(told: Told) -> Reading:
    """Return the reading that the options ask for."""
    return Reading(track=told["track"], rate=told["rate"], aspect=told["aspect"])
