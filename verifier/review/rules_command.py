"""`verifier rules`: the law's command, and of one clause also whether the simulator can plant its breach."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import click

from verifier.law.commands import rules_command as law_rules
from verifier.simulate.deviations import ALIASES, STAGEABLE
from verifier.simulate.play.plants import PLANTS


def plant_line(clause: str) -> str:
    """How a breach of the clause is planted in a simulated recording, or that none is."""
    root = ALIASES.get(clause, clause)
    if root not in STAGEABLE:
        return "plant: none"
    same = "" if root == clause else f", the same breach as {root}"
    plant = PLANTS.get(root)
    if plant is None:
        return f"plant: verifier simulate --deviate {clause}{same}"
    code = inspect.unwrap(plant).__code__
    where = Path(code.co_filename).relative_to(Path(__file__).parents[1]).as_posix()
    return f"plant: verifier simulate --deviate {clause}{same}, {code.co_name} in {where}:{code.co_firstlineno}"


def _rules(**options: Any) -> None:
    assert law_rules.callback is not None
    law_rules.callback(**options)
    if options["clause"] is not None:
        click.echo(plant_line(options["clause"]))


rules_command = click.Command("rules", params=law_rules.params, help=law_rules.help, callback=_rules)
