"""Loads what the pages rest on while nobody has opened them yet, so that the first one to do so need not wait."""

from __future__ import annotations

import gc
import importlib
from threading import Thread
from typing import Final

HEAVY: Final = (
    "verifier.law.judge",
    "verifier.review.stepping",
    "verifier.review.watch.sampling",
    "verifier.review.weekly_files",
    "verifier.review.documents.hold_files",
    "verifier.review.sample_check.check",
    "verifier.review.calibrate.proposal",
    "altair",
)
"""Modules of the pages that take long to load; none that draws, for pages are loaded by their own run."""


def load() -> None:
    """Load the modules and the law in force."""
    for name in HEAVY:
        importlib.import_module(name)
    from verifier.law.catalogue import by_id

    by_id("nd-twenty-one")
    gc.freeze()  # what is loaded stays: the collector need not look through it again


def load_meanwhile() -> None:
    """Load them while the server starts."""
    Thread(target=load, name="warm", daemon=True).start()
