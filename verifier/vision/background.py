"""Works on a thread of its own, ahead of the consumer."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")


class Background(Iterator[T]):
    """Runs an iterator on a thread with a bounded queue; its exceptions re-raise in the caller.

    `close` stops the thread; leaving a `with` block does so too.
    """

    def __init__(self, make: Callable[[], Iterator[T]], *, size: int = 8) -> None:
        self._queue: queue.Queue[tuple[T | None, BaseException | None, bool]] = queue.Queue(size)
        self._stop = threading.Event()
        self._ended = False
        self._thread = threading.Thread(target=self._run, args=(make,), name="background", daemon=True)
        self._thread.start()

    def _run(self, make: Callable[[], Iterator[T]]) -> None:
        try:
            for item in make():
                if not self._put((item, None, False)):
                    return
        except BaseException as error:  # noqa: BLE001 - handed to the caller, who raises it
            self._put((None, error, True))
        else:
            self._put((None, None, True))

    def _put(self, entry: tuple[T | None, BaseException | None, bool]) -> bool:
        while not self._stop.is_set():
            try:
                self._queue.put(entry, timeout=0.1)
            except queue.Full:
                continue
            return True
        return False

    def __next__(self) -> T:
        if self._ended:
            raise StopIteration
        item, error, last = self._queue.get()
        if last:
            self._ended = True
            self.close()
            if error is not None:
                raise error
            raise StopIteration
        return item  # type: ignore[return-value]

    def close(self) -> None:
        """Stop the thread and wait for it."""
        self._stop.set()
        self._ended = True
        self._thread.join()

    def __enter__(self) -> Background[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
