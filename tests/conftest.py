"""No test sees anybody's data: each has an empty home of its own and SQLite in it. Recordings of numbered pictures."""

from __future__ import annotations

import gc
import os
import sqlite3
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import av
import numpy as np
import pytest
from numbered import SIZE, picture_at
from order_of_tests import spread

if TYPE_CHECKING:
    from sqlalchemy import Engine


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected, nor ever among them and their modules: they stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no process waits for another one's last test."""
    items[:] = spread(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("VERIFIER_DATABASE_URL", raising=False)
    return tmp_path / "home"


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> sqlite3.Connection:
    """A store of this version without a row, made by all migrations."""
    from verifier.store.database import open_engine

    path = tmp_path_factory.mktemp("empty") / "verifier.sqlite"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("VERIFIER_HOME", str(path.parent))
        open_engine(f"sqlite:///{path}").dispose()
    connection = sqlite3.connect(path, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = DELETE")  # as a new file has it
    return connection


@pytest.fixture(autouse=True)
def _copied_store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copy new stores where the store is not what is tested: its migrations take a tenth of a second."""
    if request.path.parent.name not in ("review", "dashboard"):
        return
    from verifier.store import database

    empty: sqlite3.Connection = request.getfixturevalue("empty_store")
    migrate, one = database._migrate, Lock()

    def copied(engine: Engine) -> None:
        path = Path(engine.url.database or "")
        with one:
            if engine.url.get_backend_name() == "sqlite" and path.is_file() and not path.stat().st_size:
                with closing(sqlite3.connect(path)) as new:
                    empty.backup(new)
        migrate(engine)

    monkeypatch.setattr(database, "_migrate", copied)


@pytest.fixture(autouse=True)
def _own_main(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's AppTest leaves its page as __main__, which processes that other tests begin would run."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture
def encode(tmp_path: Path) -> Callable[..., Path]:
    """Makes an H.264 file from presentation times in milliseconds."""

    def make(
        times: Iterable[int],
        name: str = "video.mp4",
        *,
        b_frames: int = 0,
        gop: int = 30,
        options: dict[str, str] | None = None,
        size: tuple[int, int] = SIZE,
        moving: Callable[[int], bool] = lambda _: True,
        draw: Callable[[np.ndarray, int], None] | None = None,
    ) -> Path:
        path = tmp_path / name
        with av.open(str(path), "w", options=options or {}) as container:
            stream = container.add_stream("libx264", rate=1000)
            stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
            stream.codec_context.time_base = stream.time_base = Fraction(1, 1000)
            stream.options = {"bf": str(b_frames), "g": str(gop), "preset": "veryfast", "crf": "20"}
            for number, time in enumerate(times):
                picture = picture_at(number, size, moving(time))
                if draw is not None:
                    draw(picture, time)
                frame = av.VideoFrame.from_ndarray(picture, "bgr24")
                frame.pts, frame.time_base = time, Fraction(1, 1000)
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
        return path

    return make


@pytest.fixture
def sound_only(tmp_path: Path) -> Path:
    path = tmp_path / "sound.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=16000)
        for start in range(0, 16000, 1024):
            frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
            frame.sample_rate, frame.pts = 16000, start
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path
