"""Every pinned package has hashes, they name no host, and a file that is not listed is not installed silently."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
LISTED = (ROOT / "constraints-hashes.txt").read_text(encoding="utf-8")


@pytest.fixture
def checking() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_hashes", ROOT / "check_hashes.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_pinned_package_has_the_hashes_of_its_files(checking: ModuleType) -> None:
    pinned = (line.partition("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    versions = {checking.plain(name): version.split()[0] for name, _, version in pinned}
    known = checking.known(LISTED)
    assert {name: version for name, (version, _) in known.items()} == versions, "make hashes"
    assert [name for name, (_, hashes) in known.items() if not hashes] == []


def test_the_hashes_name_no_host() -> None:
    assert "://" not in LISTED
    assert "index-url" not in LISTED


def installed(name: str, version: str, sha256: str) -> dict[str, object]:
    archive = {"archive_info": {"hashes": {"sha256": sha256}}}
    return {"metadata": {"name": name, "version": version}, "download_info": archive}


@pytest.mark.parametrize(
    ("version", "foreign", "says"),
    [("pinned", False, ""), ("pinned", True, "does not list"), ("0.0.1", False, "not the pinned version")],
)
def test_a_file_that_is_not_listed_is_told(
    checking: ModuleType, tmp_path: Path, version: str, foreign: bool, says: str
) -> None:
    pinned, hashes = checking.known(LISTED)["argon2-cffi"]
    sha256 = "0" * 64 if foreign else max(hashes)
    checkout = {"metadata": {"name": "verifier", "version": "1"}, "download_info": {"dir_info": {"editable": True}}}
    one = installed("argon2_cffi", pinned if version == "pinned" else version, sha256)
    report = {"install": [checkout, one, installed("torch", "9", "0" * 64)]}
    (tmp_path / "report.json").write_text(json.dumps(report))
    command = [sys.executable, str(ROOT / "check_hashes.py"), str(tmp_path / "report.json")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == (1 if says else 0)
    assert says in done.stderr
