"""The command `verifier doctor`."""

from __future__ import annotations

from typing import Final

import click
import msgspec

MARKS: Final = {"works": "works", "optional": "not here", "fails": "FAILS"}


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of lines.")
def doctor_command(as_json: bool) -> int:
    """Try what verifier needs on this computer, and say what works. Takes some seconds.

    Nothing that is kept is changed, and nothing connects outward but to the database. Exit code 2 if a part fails.
    """
    from verifier.domain.names import shown
    from verifier.review.doctor.checks import Check, all_checks

    made: list[Check] = []
    for check in all_checks():
        made.append(check)
        if not as_json:
            click.echo(f"{check.name:20}{MARKS[check.state]:10}{shown(check.text)}")
    failed = [check.name for check in made if check.state == "fails"]
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(made)).decode())
    else:
        click.echo(f"Fails: {', '.join(failed)}" if failed else "All that a review needs works here.")
    return 2 if failed else 0
