"""What a process uses of this computer: its cores and its memory, on Linux, macOS and Windows.

Each function does what the system allows and nothing where it allows nothing. No module of one system alone is imported
before it is needed, so that this one can be imported everywhere.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from collections.abc import Iterable

import psutil


def usable_cores() -> list[int]:
    """Numbers of the cores that this process may run on, in order; all of them where the system (macOS) names none."""
    process = psutil.Process()
    if hasattr(process, "cpu_affinity"):
        return sorted(process.cpu_affinity())
    return list(range(os.cpu_count() or 1))


def hold_to(cores: Iterable[int]) -> None:
    """Let this process run on these cores only, where the system (not macOS) can."""
    process = psutil.Process()
    if hasattr(process, "cpu_affinity"):
        process.cpu_affinity(list(cores))


def limit_threads(cores: int) -> None:
    """Let OpenCV use no more threads than there are cores; the other libraries look at the process's own."""
    import cv2

    cv2.setNumThreads(max(1, cores))


def limit_memory(most: int) -> None:
    """Limits the memory that this process may write to, in bytes: beyond it a request for more fails.

    Does nothing on Windows, which has no such limit. There the pool alone watches what a worker has in use.
    """
    try:
        resource = importlib.import_module("resource")
    except ModuleNotFoundError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def return_memory() -> None:
    """Give freed memory of this process back to the system: glibc keeps more and more of it between what is still
    in use.
    """
    if sys.platform == "win32":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def resident_bytes(pid: int | None) -> int:
    """Bytes of memory that a process has in use; 0 if it is gone."""
    if pid is None:
        return 0
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0
