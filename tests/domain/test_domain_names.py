"""Names of files as text: whatever bytes a name has, it can be written down and leads back to the file."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of, path_text, shown

NAME_BYTES = st.binary(min_size=1, max_size=255).filter(lambda name: not {0, ord("/")} & set(name))


@given(NAME_BYTES)
def test_any_name_can_be_written_down_and_leads_back(name: bytes) -> None:
    path = Path("/night") / os.fsdecode(name)
    text = path_text(path)
    assert path_of(text) == path
    assert msgspec.json.decode(msgspec.json.encode(text)) == text
    assert shown(text) == text, "nothing in it steers a terminal"


@given(NAME_BYTES, NAME_BYTES)
def test_two_names_never_have_one_text(one: bytes, other: bytes) -> None:
    assert (path_text(os.fsdecode(one)) == path_text(os.fsdecode(other))) == (one == other)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (b"21:08:02 100%'\".mp4", "21:08:02 100%'\".mp4"),
        ("Tisch 7 \u00e4\u65e5.mp4".encode(), "Tisch 7 \u00e4\u65e5.mp4"),
        (b"latin\xe9.mp4", r"latin\xe9.mp4"),
        (b"a\nb\x1b[2J.mp4", r"a\x0ab\x1b[2J.mp4"),
        (rb"latin\xe9.mp4", r"latin\x5cxe9.mp4"),
        (rb"back\slash.mp4", r"back\slash.mp4"),
        ("\u202e4pm.exe".encode(), r"\xe2\x80\xae4pm.exe"),
    ],
)
def test_what_is_no_text_is_escaped_and_nothing_else(name: bytes, text: str) -> None:
    """The cases night_killed_by_a_name and control_characters."""
    assert path_text(os.fsdecode(name)) == text


def test_an_error_names_such_a_file_in_one_line_that_can_be_printed() -> None:
    error = BadInput(Path(os.fsdecode(b"\x1b[2Jlatin\xe9.mp4")), "says \x1b[2J", "look")
    assert str(error) == r"\x1b[2Jlatin\xe9.mp4: says \x1b[2J; look"
    assert str(error).encode().isascii()
