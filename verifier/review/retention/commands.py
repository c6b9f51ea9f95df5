"""`verifier retention`: what is due to go, legal holds, purging."""

from __future__ import annotations

from datetime import date, datetime

import click

from verifier.review.day_options import DAY

_MARKS = {"due": "! due", "held": "■ held", "kept": "· kept", "purged": "– purged"}


@click.group("retention")
def retention_group() -> None:
    """List what is kept until when; hold, release and purge. Nothing is ever purged by itself."""


@retention_group.command("list")
@click.option("--all", "everything", is_flag=True, help="Also what must still be kept, and what was purged.")
@click.option("--date", "day", type=DAY, help="As of this day (default: today).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_command(everything: bool, day: datetime | None, as_json: bool) -> int:
    """List what is due or held. Exit code 4 if something is due."""
    import msgspec

    from verifier.review.retention.due import kept_things
    from verifier.store.repository import Store

    things = kept_things(Store(), day.date() if day else date.today())
    shown = [one for one in things if everything or one.state in ("due", "held")]
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(shown)).decode())
    else:
        for one in shown:
            hold = f" Hold: {one.hold}" if one.hold else ""
            click.echo(f"{_MARKS[one.state]:<9} {one.item}: {one.says}; keep until {one.until} ({one.cite}).{hold}")
        if not shown:
            click.echo("Nothing is due and nothing is on hold.")
    return 4 if any(one.state == "due" for one in things) else 0


def _act(name: str) -> click.Command:
    @click.argument("item")
    @click.option("--reason", required=True, help="Why.")
    @click.option("--by", default=None, help="A name for the reason; the log names the user of this computer.")
    def command(item: str, reason: str, by: str | None) -> int:
        from verifier.review.people.makers import at_the_command_line
        from verifier.review.retention import acts
        from verifier.store.repository import Store

        who = at_the_command_line().actor
        reason = f"{reason} (said by {by})" if by else reason
        if name == "purge":
            gone = acts.purge(Store(), item, who, reason, date.today())
            for path in gone:
                click.echo(f"Removed: {path}")
            if not gone:
                click.echo("Written down. No file of it lies in the data folder: remove the recording where it lies.")
        else:
            (acts.hold if name == "hold" else acts.release)(Store(), item, who, reason, date.today())
            click.echo(f"{name.capitalize()}: {item}")
        return 0

    helps = {
        "hold": "Puts a legal hold on ITEM.",
        "release": "Ends the legal hold on ITEM.",
        "purge": "Removes ITEM, if it is due and not held.",
    }
    return retention_group.command(name, help=helps[name])(command)


HOLD, RELEASE, PURGE = _act("hold"), _act("release"), _act("purge")
