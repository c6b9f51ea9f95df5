"""Runs tasks on a Ray cluster: as many at once as it has processors; the work of a lost node is done again.

Recordings, the work folder and the data folder must be reachable by the same path on every machine.
"""

from __future__ import annotations

import os
import time
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.review.batch.engines.base import Ended, Limits
from verifier.review.batch.engines.cores import take_core
from verifier.review.batch.engines.process import limit_memory, limit_threads, return_memory
from verifier.review.batch.engines.worker import ONE_CHIP_GROUP, RESERVED
from verifier.review.batch.tasks import Failed, Kind, Outcome, Setup, Task, perform

if TYPE_CHECKING:
    from ray import ObjectRef

SLOTS_EVERY_S: Final = 5.0
_OUTCOMES: Final[msgspec.json.Decoder[Outcome]] = msgspec.json.Decoder(Outcome)
_TASKS: Final[msgspec.json.Decoder[Task]] = msgspec.json.Decoder(Task)
_VARIABLES: Final = ("VERIFIER_HOME", "VERIFIER_MODELS", "VERIFIER_DEVICE", "PYTHONPATH")


class Cluster:
    """A Ray cluster: the one at `address`, or else one on this computer alone."""

    def __init__(self, setup: Setup, address: str | None, limits: Limits) -> None:
        self._ray = ray = _ray()
        self._limits = limits
        self._mine = not ray.is_initialized()
        if self._mine:
            _connect(ray, address)
        self._setup = ray.put(msgspec.json.encode(setup))
        self._perform = ray.remote(num_cpus=1, max_retries=0, max_calls=0)(_perform)
        self._running: dict[ObjectRef[bytes], tuple[int, float]] = {}
        self._slots, self._slots_due = 0, 0.0

    @property
    def slots(self) -> int:
        """Processors of the nodes that are there now, and at least what runs."""
        now = time.monotonic()
        if now >= self._slots_due:
            self._slots_due = now + SLOTS_EVERY_S
            self._slots = max(1, int(self._ray.cluster_resources().get("CPU", 0)))
        return self._slots

    def give(self, number: int, task: Task) -> None:
        """Send a task to the cluster."""
        ref = self._perform.remote(self._setup, msgspec.json.encode(task), self._limits.memory)
        self._running[ref] = (number, time.monotonic() + 10 * self._limits.silence_of(task))

    def wait(self, seconds: float) -> list[Ended]:
        """Return what ended meanwhile; end a task that takes far too long."""
        if not self._running:
            time.sleep(seconds)
            return []
        done, _ = self._ray.wait(list(self._running), num_returns=1, timeout=seconds)
        ended = [Ended(self._running[ref][0], self._outcome(ref)) for ref in done]
        for ref in done:
            del self._running[ref]
        return ended + self._overdue()

    def progress(self) -> dict[int, float]:
        """Return nothing: tasks on other machines report only their end."""
        return {}

    def close(self) -> None:
        """End what runs, and the cluster where it was begun here."""
        for ref in self._running:
            self._ray.cancel(ref, force=True)
        self._running.clear()
        if self._mine:
            self._ray.shutdown()

    def _outcome(self, ref: ObjectRef[bytes]) -> Outcome:
        errors = self._ray.exceptions
        try:
            return _OUTCOMES.decode(self._ray.get(ref))
        except errors.OutOfMemoryError as error:
            return _failed("memory", error)
        except (errors.NodeDiedError, errors.ObjectLostError, errors.RaySystemError) as error:
            return _failed("away", error)
        except (errors.WorkerCrashedError, errors.TaskCancelledError) as error:
            return _failed("killed", error)
        except errors.RayError as error:
            return _failed("away", error)

    def _overdue(self) -> list[Ended]:
        """Tasks that have run for longer than any should: ten times what a worker here may say nothing for."""
        now = time.monotonic()
        late = [(ref, number) for ref, (number, until) in self._running.items() if now > until]
        for ref, _ in late:
            self._ray.cancel(ref, force=True)
            del self._running[ref]
        return [Ended(number, Failed(kind="hung", cause="it takes far too long")) for _, number in late]


def _failed(kind: Kind, error: Exception) -> Failed:
    return Failed(kind=kind, cause=f"{type(error).__name__}: {str(error).strip().splitlines()[0]}")


def _perform(setup: bytes, task: bytes, memory: int) -> bytes:
    """Run a task in a worker of the cluster; models remain loaded in its process for the next task."""
    _settle(memory)
    outcome = perform(msgspec.json.decode(setup, type=Setup), _TASKS.decode(task), _silent)
    return_memory()
    return msgspec.json.encode(outcome)


@lru_cache(maxsize=1)
def _settle(memory: int) -> None:
    """Make a process of the cluster a worker like the pool's: on a core of its own, within limits."""
    limit_memory(RESERVED * memory)
    take_core()
    limit_threads(1)


def _silent(done: float) -> None:
    """Ignore the progress."""


def _ray() -> ModuleType:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")  # by Ray's own choice, everything else comes first
    try:
        import ray
    except ModuleNotFoundError as error:
        raise BadInput("--engine ray", "needs the Python package ray", "pip install 'verifier[cluster]'") from error
    return ray


def _connect(ray: ModuleType, address: str | None) -> None:
    variables = {name: os.environ[name] for name in _VARIABLES if name in os.environ} | ONE_CHIP_GROUP
    variables.setdefault("PYTHONPATH", str(Path(__file__).parents[4]))
    options: dict[str, object] = {} if address else {"include_dashboard": False}
    try:
        ray.init(
            address=address,
            runtime_env={"env_vars": variables},
            log_to_driver=False,
            configure_logging=False,
            ignore_reinit_error=True,
            **options,
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        cause = f"no Ray cluster answers ({error})"
        raise BadInput(address or "ray", cause, "start one with 'ray start --head', or leave --address out") from error
