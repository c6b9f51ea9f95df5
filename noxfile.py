"""The quick tests on every Python that is installed (not a part of CI): `pipx install nox`, then `nox`."""

from __future__ import annotations

import nox

nox.options.default_venv_backend = "venv"
nox.options.error_on_missing_interpreters = False
QUICK = "not slow and not browser and not cluster"


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def quick(session: nox.Session) -> None:
    """Run the tests without encoded video, browser or cluster, with the pinned versions; other tests may be named."""
    session.install("--constraint", "constraints.txt", "--editable", ".[test]")
    session.run("python", "-m", "pytest", "-m", QUICK, *session.posargs)
