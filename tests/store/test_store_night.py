"""Opening a store is all or nothing, also where the program is killed in the middle of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from alembic import op
from sqlalchemy import create_engine, inspect

from verifier.store.repository import Store


def test_a_program_killed_while_it_migrates_leaves_nothing_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, made, create = f"sqlite:///{tmp_path / 's.sqlite'}", [0], op.create_table

    def third_kills(*arguments: object, **options: object) -> object:
        made[0] += 1
        if made[0] == 3:
            os._exit(9)
        return create(*arguments, **options)  # type: ignore[arg-type]

    pid = os.fork()
    if pid == 0:
        monkeypatch.setattr(op, "create_table", third_kills)
        Store(url)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    engine = create_engine(url)
    assert "reviews" not in inspect(engine).get_table_names()
    engine.dispose()
    assert Store(url).reviews() == []
