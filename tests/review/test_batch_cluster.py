"""The night on a local Ray cluster of several nodes with a real PostgreSQL server, a node killed in the middle."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from batch_fakes import make_table, record
from batch_night import run_night
from postgres_server import programs, server

from verifier.review.batch.engines.base import Limits
from verifier.review.batch.engines.cluster import Cluster
from verifier.review.batch.tally import Tally
from verifier.review.batch.tasks import Setup
from verifier.store.repository import Store

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed (Debian: apt-get install postgresql)"),
]


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A cluster of three nodes; the first only keeps it together, as a machine that stays would."""
    ray = pytest.importorskip("ray", reason="the extra 'cluster' is not installed")
    pytest.importorskip("psycopg", reason="the extra 'cluster' is not installed")
    from ray.cluster_utils import Cluster as Local

    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).parents[2]), str(Path(__file__).parents[1]), str(Path(__file__).parent)]
    )
    local, workers = _started(Local)
    yield local, workers
    ray.shutdown()
    local.shutdown()


def _started(local_cluster: Any) -> tuple[Any, list[Any]]:
    """The cluster and its two working nodes; Ray gives a node 30 s to start, which a busy machine may miss."""
    small = {"object_store_memory": 80 << 20}
    for attempt in range(4):
        local = local_cluster()
        try:
            local.add_node(num_cpus=0, include_dashboard=False, **small)
            return local, [local.add_node(num_cpus=1, **small) for _ in range(2)]
        except Exception:  # Ray raises no narrower one
            local.shutdown()
            if attempt == 3:
                raise
    raise AssertionError


def test_a_lost_node_costs_nothing_but_time(nodes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    local, workers = nodes
    night, held = tmp_path / "night", tmp_path / "held"
    for table in ("2", "5"):
        folder = make_table(night / table, table=table)
        record(folder / "a.mp4", 12, clock="2026-11-17T21:00:00", held=str(held))
        record(folder / "b.mp4", 8, clock="2026-11-17T21:00:10")
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "pool"))
    usual, _ = run_night(night)
    held.touch()

    def lose(_: Tally) -> None:
        """The node on which a task waits is lost, which cannot end by itself."""
        node = held.with_suffix(".node")
        if held.exists() and node.is_file() and node.read_text():
            (lost,) = [one for one in workers if one.node_id == node.read_text()]
            local.remove_node(lost, allow_graceful=False)
            held.unlink()

    with server() as (url, _):
        monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "ray"))
        monkeypatch.setenv("VERIFIER_DATABASE_URL", url)

        def engine(setup: Setup) -> Cluster:
            return Cluster(setup, local.address, Limits())

        jobs, tally = run_night(night, engine=engine, tick=lose, patience=120.0)
        store = Store(url)
        found = [one.finding for one in store.findings()]
        store.close()
    monkeypatch.delenv("VERIFIER_DATABASE_URL")
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "pool"))
    assert not held.exists()
    assert [(job.key, job.reviewed, job.findings) for job in jobs] == [(j.key, j.reviewed, j.findings) for j in usual]
    assert sum(tally.failures.values()) >= 1
    assert found == [one.finding for one in Store().findings()]
    for one in (tmp_path / "pool" / "evidence").rglob("events.jsonl"):
        assert (tmp_path / "ray" / one.relative_to(tmp_path / "pool")).read_bytes() == one.read_bytes()
