from click.testing import CliRunner

from verifier.train.commands import train_group
from verifier.train.evaluate_command import evaluate_command


def test_commands_explain_themselves() -> None:
    runner = CliRunner()
    for command in (train_group, evaluate_command, *train_group.commands.values()):
        result = runner.invoke(command, ["--help"])
        assert result.exit_code == 0 and command.help


def test_rendering_a_table_from_the_command_line(tmp_path) -> None:
    result = CliRunner().invoke(train_group, ["pictures", "--out", str(tmp_path), "--tables", "1", "--jobs", "1"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("8 pictures")
    assert len(list((tmp_path / "labels" / "train").glob("*.txt"))) == 8
