"""Nothing connects outward: while a recording is reviewed, documents are made and pages run, no socket leaves here."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from review_fakes import SHOWN, fake_stages, finding, write_inputs
from streamlit.testing.v1 import AppTest

from verifier.cli import run
from verifier.review.people.accounts import create_first
from verifier.review.people.sessions import open_session
from verifier.review.recording import review_recording
from verifier.store.repository import Store

_HERE = ("127.0.0.1", "::1", "localhost", "")


class OutwardError(AssertionError):
    """Something asked for a place elsewhere."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What was asked for elsewhere: a connection, a datagram or the address of a name. Must stay empty."""
    found: list[str] = []

    def guarded(name: str) -> None:
        real = getattr(socket.socket, name)

        def asking(self: socket.socket, *given: Any) -> Any:
            place = given[-1] if name == "sendto" else given[0]
            if self.family in (socket.AF_INET, socket.AF_INET6) and place[0] not in _HERE:
                found.append(f"{name} {place}")
                raise OutwardError(place)
            return real(self, *given)

        monkeypatch.setattr(socket.socket, name, asking)

    for name in ("connect", "connect_ex", "sendto"):
        guarded(name)
    real_lookup = socket.getaddrinfo

    def lookup(host: Any, *given: Any, **more: Any) -> Any:
        if host not in (None, *_HERE):
            found.append(f"getaddrinfo {host}")
            raise OutwardError(host)
        return real_lookup(host, *given, **more)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    yield found
    assert found == []


def test_the_guard_sees_what_asks(asked: list[str]) -> None:
    with pytest.raises(OutwardError), socket.socket() as one:
        one.connect(("192.0.2.1", 9))
    with pytest.raises(OutwardError):
        socket.create_connection(("name.example", 80))
    assert len(asked) == 2
    asked.clear()


def test_a_review_its_documents_and_its_bundle(asked: list[str], tmp_path: Path) -> None:
    made = review_recording(*write_inputs(tmp_path), tmp_path / "out", stages=fake_stages(SHOWN, finding()))
    assert run(["weekly", "--review", str(tmp_path / "out"), "--out", str(tmp_path / "papers")]) == 0
    bundle = tmp_path / "one.evidence.zip"
    assert run(["evidence", "export", "--review", made.review.id, "--out", str(bundle)]) == 0
    assert run(["evidence", "verify", str(bundle)]) == 0


@pytest.mark.slow
def test_a_review_with_the_real_networks(asked: list[str], tmp_path: Path) -> None:
    video, layout, house = write_inputs(tmp_path)
    words = ["review", str(video), "--layout", str(layout), "--house", str(house), "--out", str(tmp_path / "out")]
    assert run([*words, "--quiet"]) in (0, 3, 4)


def test_the_pages(asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    review_recording(*write_inputs(tmp_path), tmp_path / "out", stages=fake_stages(SHOWN, finding()))
    token = open_session(Store(), create_first(Store(), "ada", "Ada", "correct horse battery"))
    monkeypatch.setattr("verifier.dashboard.access.token", lambda: token)
    main = Path(__file__).parents[1] / "verifier" / "dashboard" / "main.py"
    page = AppTest.from_file(str(main), default_timeout=120).run()
    assert not page.exception
