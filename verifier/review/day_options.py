"""The kinds of days and moments that commands take."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import click

from verifier.formats.days import within_years


class DayType(click.DateTime):
    """A day or moment, in the years of these records."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return the moment. Raises click's BadParameter for what is none, or in another year."""
        found: datetime = super().convert(value, param, ctx)
        try:
            return within_years(found)
        except ValueError as error:
            self.fail(f"{value!r}: {error}.", param, ctx)


DAY: Final = DayType(["%Y-%m-%d"])
MOMENT: Final = DayType(["%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S"])
