"""The builders of logs lie in this folder, tables of records in those of the sections: all are on the path."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from reports import Keep

_FOLDERS = [*sorted(Path(__file__).parent.glob("s08_*")), Path(__file__).parent / "poker"]
sys.path[:0] = [str(folder) for folder in _FOLDERS]


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> Keep:
    """Compares a report with the one that is kept of this test (`reports.py`)."""
    from law_build import plain
    from reports import hold

    return lambda report: hold(f"tables/{request.path.stem}", request.node.name, report, plain(report))
