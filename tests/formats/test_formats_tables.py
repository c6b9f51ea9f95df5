"""CSV tables that people keep: read, or refused with the line."""

from pathlib import Path

import pytest

from verifier.domain.errors import BadInput
from verifier.formats.tables import read_table

NEEDED = ("site", "day")


def table(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    return path


def test_rows_are_read_with_their_lines(tmp_path: Path) -> None:
    path = table(tmp_path, '\ufeffsite,day,note\n 1 ,2026-11-17,"two\nlines"\n\n2\n'.encode())
    assert read_table(path, NEEDED) == (
        ["site", "day", "note"],
        [
            ("line 3", {"site": "1", "day": "2026-11-17", "note": "two\nlines"}),
            ("line 5", {"site": "2", "day": "", "note": ""}),
        ],
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "lacks the column site"),
        (b"site\n1\n", "lacks the column day"),
        (b"site,day,site\n1,2,3\n", "has the column site more than once"),
        (b"site,day\n1,2,3\n", "line 2: has more cells than columns"),
        (b"site,day\n1," + b"x" * 200_000, "is no table"),
        (b"site,day\n\xff,1\n", "is not UTF-8 text"),
    ],
    ids=["empty", "column", "twice", "cells", "long", "latin"],
)
def test_what_is_no_such_table_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        read_table(table(tmp_path, content), NEEDED)
