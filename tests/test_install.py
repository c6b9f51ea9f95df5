"""The software installs like other software, on any system: no module of one system alone, one command that tells."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from verifier import cli
from verifier.review.doctor import checks
from verifier.review.doctor.checks import CHECKS, all_checks
from verifier.review.doctor.commands import doctor_command
from verifier.vision.models import models_folder

ROOT = Path(__file__).parents[1]
ELSEWHERE = """
import builtins, importlib, os, sys, types
import psutil
FOREIGN = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"}
GONE = {"sched_getaffinity", "sched_setaffinity", "getuid", "geteuid", "mkfifo", "O_NONBLOCK", "sysconf", "fchmod"}
other_os = types.ModuleType("os")
other_os.__dict__.update({name: value for name, value in vars(os).items() if name not in GONE})
del psutil.Process.cpu_affinity
one, two = builtins.__import__, importlib.import_module
def imported(name, globals=None, *rest, **more):
    if str((globals or {}).get("__name__")).startswith("verifier"):
        if name.partition(".")[0] in FOREIGN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if name == "os":
            return other_os
    return one(name, globals, *rest, **more)
def import_module(name, package=None):
    if name in FOREIGN and sys._getframe(1).f_globals["__name__"].startswith("verifier"):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return two(name, package)
builtins.__import__, importlib.import_module = imported, import_module
"""
"""What a Python without these modules and functions would be like: Windows lacks all, macOS the affinity."""


def elsewhere(script: str, tmp_path: Path) -> str:
    """What a script prints in such a Python; the processes that it begins are such ones, too."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(ELSEWHERE, encoding="utf-8")
    paths = [tmp_path / "site", ROOT, ROOT / "tests", ROOT / "tests" / "review"]
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths)), "VERIFIER_HOME": str(tmp_path / "home")}
    file = tmp_path / "script.py"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run([sys.executable, file], env=variables, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_every_module_is_imported_where_the_modules_of_posix_are_missing(tmp_path: Path) -> None:
    told = elsewhere(
        """
import importlib, pkgutil
import verifier
TRAINING = {"torch", "ultralytics", "onnx", "onnxslim", "torchvision", "nncf"}
count = 0
for one in pkgutil.walk_packages(verifier.__path__, "verifier."):
    if one.name.startswith(("verifier.store.migrations", "verifier.dashboard.main", "verifier.dashboard.serve")):
        continue  # these run when they are imported
    try:
        importlib.import_module(one.name)
        count += 1
    except ModuleNotFoundError as error:
        assert error.name.partition(".")[0] in TRAINING, (one.name, error)
print(count)
""",
        tmp_path,
    )
    assert int(told) > 300


def test_a_night_runs_where_the_modules_of_posix_are_missing(tmp_path: Path) -> None:
    told = elsewhere(
        f"""
from pathlib import Path
from batch_fakes import make_table, record
from batch_night import run_pool_night
if __name__ == "__main__":
    folder = make_table(Path({str(tmp_path)!r}) / "night")
    record(folder / "a.mp4", 4)
    ((job,), tally) = run_pool_night(folder, workers=2)
    print(job.state, job.reviewed, dict(tally.failures))
""",
        tmp_path,
    )
    assert told.strip() == "reviewed 4.0 {}"


def test_the_module_runs_as_the_command_does() -> None:
    done = subprocess.run([sys.executable, "-m", "verifier", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("verifier, version")


def test_the_doctor_finds_that_all_works_here() -> None:
    made = {check.name: check for check in all_checks()}
    assert list(made) == list(CHECKS)
    assert {name: check.text for name, check in made.items() if check.state == "fails"} == {}


def test_the_doctor_tells_what_fails_and_ends_with_two(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VERIFIER_MODELS", str(tmp_path / "nowhere"))
    monkeypatch.setenv("VERIFIER_DATABASE_URL", "sqlite:////dev/null/no.sqlite")
    picked = {name: CHECKS[name] for name in ("Python", "Models", "Database", "Cluster (Ray)")}
    monkeypatch.setattr(checks, "CHECKS", picked)
    done = CliRunner().invoke(doctor_command, ["--json"], standalone_mode=False)
    states = {one["name"]: one["state"] for one in json.loads(done.output)}
    assert (states["Python"], states["Models"]) == ("works", "fails")
    assert done.return_value == 2


@pytest.mark.parametrize("counter", [True, False])
def test_the_doctor_tells_that_a_folder_of_models_has_no_counter_of_overlapping_cards(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, counter: bool
) -> None:
    folder = shutil.copytree(models_folder(), tmp_path / "models", ignore=shutil.ignore_patterns("checkpoints"))
    for path in [] if counter else folder.glob("overlaps.*"):
        path.unlink()
    monkeypatch.setenv("VERIFIER_MODELS", str(folder))
    state, text = CHECKS["Models"]()
    assert (state, "without the counter of overlapping cards" in text) == ("works", not counter)


def test_a_full_disk_and_a_missing_decoder_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifier.recording import trial

    usage = checks.shutil.disk_usage("/")
    monkeypatch.setattr(checks.shutil, "disk_usage", lambda _: usage._replace(free=checks.LEAST_FREE))
    assert CHECKS["Data folder"]()[0] == "works"
    monkeypatch.setattr(checks.shutil, "disk_usage", lambda _: usage._replace(free=checks.LEAST_FREE - 1))
    assert CHECKS["Data folder"]()[0] == "fails"
    monkeypatch.setattr(trial, "DECODERS", ("h264", "no such codec"))
    assert CHECKS["Recordings"]() == ("fails", "H.264 is written and read; decoders are missing: no such codec")


def test_an_interruption_says_what_is_kept() -> None:
    assert cli.after_interruption(["review", "a.mp4"]).startswith("what was watched is kept")
    assert "not kept" in cli.after_interruption(["weekly"])
    assert set(cli.RESUMING) <= set(cli.COMMANDS)


def test_groups_tell_each_commands_sentence_whole() -> None:
    for name in ("evidence", "retention", "train"):
        told = CliRunner().invoke(cli.load_command(name), ["--help"]).output
        assert "..." not in told.partition("Commands:")[2]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
@pytest.mark.parametrize(
    ("mine", "mode", "state"), [(False, 0o777, "fails"), (False, 0o770, "works"), (True, 0o777, "works")]
)
def test_the_doctor_tells_of_a_data_folder_of_another_user_that_everybody_may_enter(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mine: bool, mode: int, state: str
) -> None:
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path))
    tmp_path.chmod(mode)
    me = os.getuid()
    monkeypatch.setattr(checks.os, "getuid", lambda: me if mine else me + 1)
    monkeypatch.setattr(checks, "LEAST_FREE", 0)
    told, text = checks._data()
    assert told == state
    assert ("chmod o-rwx" in text) is (state == "fails")
