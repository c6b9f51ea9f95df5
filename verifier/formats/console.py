"""Tables, colours and progress on a terminal (rich), with the text in them made printable."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console as Console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment

from verifier.formats.terminal import below, printable_text


class PlainConsole(Console):
    """A console whose colours are its own: what is printed brings none, and moves no cursor."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield the segments to print, with their text made printable."""
        for one in super().render(renderable, options):
            yield one if one.control else Segment(printable_text(one.text), one.style)


def console(*, stderr: bool = False, **how: Any) -> Console:
    """Return a console on stdout or stderr. Arguments in `how` are those of `rich.console.Console`."""
    return PlainConsole(file=below(sys.stderr if stderr else sys.stdout), **how)
