"""Nothing that is printed steers a terminal: C0 and C1 controls, ANSI, marks of direction, what nobody sees."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import click
import pytest
from rich.markup import escape
from rich.table import Table

from verifier import cli
from verifier.domain.names import is_hidden
from verifier.formats.console import console
from verifier.formats.terminal import PlainStream, guarded_terminal, printable_text

EVIL = "a\x1b[2J\x1b[Hb\x07\x08\rc\x9b31md\u202ee\u2066f\u200bg\u2028h\x00\udcff\U000e0041"


def steers(text: str) -> list[str]:
    return [one for one in text if is_hidden(one) and one not in "\n\t"]


def test_text_is_kept_and_what_steers_is_escaped() -> None:
    assert printable_text("Zo\u00eb \u2660 10\t$5\n") == "Zo\u00eb \u2660 10\t$5\n"
    assert steers(printable_text(EVIL)) == []
    assert printable_text("\x1b[8m\u202e") == r"\u001b[8m\u202e"


def test_json_stays_json_that_says_the_same() -> None:
    told = json.dumps({"file": EVIL}, ensure_ascii=False)
    assert json.loads(printable_text(told)) == {"file": EVIL}


def test_what_any_part_of_the_program_prints(capsys: pytest.CaptureFixture[str]) -> None:
    with guarded_terminal():
        click.echo(EVIL)
        click.echo(EVIL, err=True)
        sys.stdout.write(EVIL)
        sys.stderr.writelines([EVIL])
    told = capsys.readouterr()
    assert steers(told.out + told.err) == []
    assert told.out.count("d\\u202ee") == 2


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_no_encoding_of_the_terminal_lets_it_through(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    with guarded_terminal():
        click.echo(EVIL + "\u2660")
        sys.stdout.flush()
    assert steers(raw.getvalue().decode(encoding)) == []


def test_tables_have_colours_of_their_own_only() -> None:
    screen = io.StringIO()
    table = Table(title=escape(EVIL))
    table.add_column(escape(EVIL))
    table.add_row(f"[red]{escape(EVIL)}[/red]")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", PlainStream(screen))
        console(force_terminal=True, width=200, color_system="standard").print(table, escape(EVIL))
    told = screen.getvalue()
    assert "\x1b[31m" in told, "its own red"
    assert "\x1b[2J" not in told and "\x9b" not in told and "\u202e" not in told


def test_the_whole_command_line_is_guarded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The case control_characters, for a name of a file and for one of a column."""
    evil = tmp_path / "a\x1b[2J\u202e.csv"
    evil.write_text("site,\x1b[2J\n", "utf-8")
    assert cli.run(["hold", "--quarter", "2026-Q3", "--figures", str(evil), "--out", str(tmp_path / "out")]) == 2
    assert cli.run([EVIL.replace("\x00", "")]) == 2
    told = capsys.readouterr()
    assert steers(told.out + told.err) == []
    assert len(told.err.splitlines()) == 2


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_a_terminal_is_still_one() -> None:
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as screen:
        stream = PlainStream(screen)
        assert stream.isatty() and stream.fileno() == screen.fileno()
    os.close(ours)
