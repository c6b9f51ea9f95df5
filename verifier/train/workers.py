"""Worker processes of training and scoring: started fresh, one thread each, gone when what began them is gone."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process

import cv2


def worker_pool(jobs: int, begin: Callable[..., object] | None = None, *given: object) -> ProcessPoolExecutor:
    """Return a pool of `jobs` processes; each calls `begin(*given)` once, before its first task.

    They are spawned: a fork would inherit the locks of OpenCV's and OpenVINO's threads. A worker whose parent was
    killed would wait for tasks for ever, or finish one that nobody collects; it ends instead.
    """
    return ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin, initargs=(begin, given))


def _begin(begin: Callable[..., object] | None, given: tuple[object, ...]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    cv2.setNumThreads(1)
    if begin is not None:
        begin(*given)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
