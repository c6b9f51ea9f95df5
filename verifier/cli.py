"""The `verifier` command: finds the commands of the other rooms, and is the one place that catches errors."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Sequence

import click

from verifier import __version__
from verifier.domain.errors import BadInput
from verifier.domain.names import path_text, shown
from verifier.formats.terminal import guard_terminal, guarded_terminal

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130
_TRAINING = {"torch", "ultralytics", "onnx", "onnxslim", "torchvision"}

COMMANDS: dict[str, tuple[str, str]] = {
    "review": ("verifier.review.commands:review_command", "Review a recording: findings, stills, clips."),
    "batch": ("verifier.review.batch.commands:batch_command", "Review many recordings, resumable: the night shift."),
    "tables": ("verifier.review.floor.commands:tables_group", "The kept tables: list, import and export them."),
    "enrol": ("verifier.review.floor.enrol_command:enrol_command", "Learn a table's own card faces from a show."),
    "records": ("verifier.review.intake.commands:records_group", "The site's records: import, list, templates."),
    "check": ("verifier.law.commands:check_command", "Judge an event log, no video needed."),
    "reconstruct": ("verifier.reconstruct.commands:reconstruct_command", "Turn observations into events."),
    "detect": ("verifier.vision.commands:detect_command", "Find cards, chips and hands in still pictures."),
    "import-phh": ("verifier.law.poker.commands:import_phh_command", "Turn poker hands (PHH) into event logs."),
    "recheck": ("verifier.review.recheck_command:recheck_command", "Judge stored reviews again under changed options."),
    "rules": ("verifier.review.rules_command:rules_command", "List the clauses with citation and observability."),
    "dashboard": ("verifier.dashboard.commands:dashboard_command", "Open the review dashboard in the browser."),
    "examples": ("verifier.review.examples_command:examples_command", "Export rejected findings to learn from."),
    "weekly": ("verifier.review.document_commands:weekly_command", "Write the weekly review documentation."),
    "daily": ("verifier.review.document_commands:daily_command", "Write the daily surveillance review log."),
    "hold": ("verifier.review.document_commands:hold_command", "Percent-of-hold, its triggers and the review plan."),
    "roster": ("verifier.review.document_commands:roster_command", "Add a roster: who dealt on which shift."),
    "retention": ("verifier.review.retention.commands:retention_group", "What is due to go, legal holds, purging."),
    "zones": ("verifier.zones.commands:zones_command", "Propose a table's layout from a recording."),
    "sample-check": ("verifier.review.sample_check.commands:sample_check_command", "Check a sample recording."),
    "evidence": ("verifier.review.bundle.commands:evidence_group", "Export evidence bundles and check them offline."),
    "doctor": ("verifier.review.doctor.commands:doctor_command", "Try what verifier needs on this computer."),
    "simulate": ("verifier.simulate.commands:simulate_command", "Make a simulated recording with its truth."),
    "score": ("verifier.review.commands:score_command", "Score a review against a simulated recording's truth."),
    "train": ("verifier.train.commands:train_group", "Train and export the models (needs the train extra)."),
    "evaluate": ("verifier.train.evaluate_command:evaluate_command", "Score the models on unseen pictures."),
}
"""Name -> (module:attribute, one line of help). Loaded only when called, so that starting stays fast."""


RESUMING: dict[str, str] = {
    "review": "what was watched is kept; the same command goes on where it was",
    "batch": "reviews that are done are stored, and what was watched of the others is kept; "
    "the same command goes on where it was",
    "train": "of a detector the last checkpoint is kept; the same command with --resume goes on from it",
    "evaluate": "what was measured is kept; the same command goes on where it was",
    "dashboard": "the dashboard has stopped; all decisions that were taken are stored",
}
"""Command -> what an interruption leaves behind, where the command goes on or keeps something."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def load_command(name: str) -> click.Command:
    """Import the command. Raises BadInput where the training packages are missing."""
    module, _, attribute = COMMANDS[name][0].partition(":")
    try:
        command = getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _TRAINING:
            raise
        raise BadInput(name, f"needs the Python package {error.name}", "pip install 'verifier[train]'") from error
    assert isinstance(command, click.Command)
    if isinstance(command, click.Group):
        _tell_whole_sentences(command)
    return command


def _tell_whole_sentences(group: click.Group) -> None:
    """Let the list of a group's commands show each one's first sentence whole, where click would cut it off."""
    for command in group.commands.values():
        first = " ".join((command.help or "").split("\n\n")[0].split())
        command.short_help = command.short_help or first


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="verifier")
def cli() -> None:
    """Judge overhead recordings of twenty-one tables, clause by clause.

    Exit codes: 0 nothing to review, 4 findings to review, 3 only part was reviewed, 2 bad input or usage.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    guard_terminal()
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (default: this process's arguments) and give the exit code.

    Whatever a person can act on becomes one line on stderr. Other exceptions pass through: they are bugs, exit 1.
    """
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")  # its warnings would stand among our lines on stderr
    with guarded_terminal():
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        result = cli.main(list(arguments) if arguments is not None else None, "verifier", standalone_mode=False)
    except BadInput as error:
        return _complain(str(error))
    except click.ClickException as error:
        return _complain(_usage(error))
    except (KeyboardInterrupt, click.Abort):
        words = list(arguments) if arguments is not None else sys.argv[1:]
        click.echo(f"verifier: interrupted; {after_interruption(words)}", err=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain(_system(error))
    return result if isinstance(result, int) else 0


def after_interruption(words: Sequence[str]) -> str:
    """Return what became of the work of an interrupted command, by the words of the command line."""
    name = next((word for word in words if not word.startswith("-")), "")
    return RESUMING.get(name, "what it had not finished is not kept; run the same command again")


def _complain(line: str) -> int:
    click.echo("verifier: " + shown(" ".join(line.split())), err=True)
    return EXIT_BAD_INPUT


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "verifier"
    return f"{error.format_message()} See '{path} --help'."


def _system(error: OSError) -> str:
    place = path_text(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else "the system"
    reason = error.strerror or str(error)
    remedies = {
        errno.ENOSPC: "free some space or write elsewhere",
        errno.EDQUOT: "free some space or write elsewhere",
        errno.EACCES: "check its permissions or choose another place",
        errno.EPERM: "check its permissions or choose another place",
        errno.EROFS: "choose a place that can be written",
        errno.ENOENT: "check the path",
        errno.ENOTDIR: "check the path",
        errno.EISDIR: "name a file, not a folder",
        errno.EMFILE: "close other programs or raise the limit of open files",
    }
    return (
        f"{place}: {reason[:1].lower() + reason[1:]}; {remedies.get(error.errno or 0, 'check the file and the disk')}"
    )
