"""A PostgreSQL server of Debian's package for the tests, started on a socket in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "nobody"


def programs() -> Path | None:
    """The folder of the newest PostgreSQL's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


@contextmanager
def server() -> Iterator[tuple[str, Path]]:
    """Runs a server; gives its URL, and the data folder with which `start` and `stop` work.

    PostgreSQL refuses to run as root: then it runs as another user, in a folder that this one may reach at all times.
    pytest's own folders are closed to others whenever another run of tests begins.
    """
    bin_folder = programs()
    assert bin_folder is not None
    data = Path(tempfile.mkdtemp(prefix="verifier-pg-"))
    try:
        _own(data)
        _run([bin_folder / "initdb", "-D", data, "-U", "verifier", "-A", "trust", "--no-sync", "-E", "UTF8"])
        start(data)
        yield f"postgresql+psycopg://verifier@/postgres?host={data}", data
    finally:
        stop(data)
        shutil.rmtree(data, ignore_errors=True)


def start(data: Path) -> None:
    """Starts the server of a data folder and waits until it answers."""
    options = f"-k {data} -c listen_addresses='' -c fsync=off -c shared_buffers=64MB"
    _run([_program("pg_ctl"), "-D", data, "-w", "-t", "120", "-l", data / "log", "-o", options, "start"])


def stop(data: Path) -> None:
    """Stops it at once and waits until it is gone; nothing is done where it does not run."""
    if (data / "postmaster.pid").exists():
        _run([_program("pg_ctl"), "-D", data, "-w", "-t", "120", "-m", "immediate", "stop"])


def _program(name: str) -> Path:
    folder = programs()
    assert folder is not None
    return folder / name


def _own(folder: Path) -> None:
    if os.geteuid() == 0:
        user = pwd.getpwnam(USER)
        os.chown(folder, user.pw_uid, user.pw_gid)


def _run(command: list[Path | str]) -> None:
    user = USER if os.geteuid() == 0 else None
    done = subprocess.run(
        [str(one) for one in command], check=False, user=user, capture_output=True, text=True, cwd="/"
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
