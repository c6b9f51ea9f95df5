"""The checks of `verifier doctor`. Each tries the thing itself, on this computer, and changes nothing that is kept."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from verifier import __version__
from verifier.domain.errors import BadInput
from verifier.domain.names import path_text

State = Literal["works", "optional", "fails"]
OLDEST: Final = (3, 11)
"""The oldest Python of pyproject.toml's `requires-python`."""
LEAST_FREE: Final = 1 << 30
"""Bytes of free disk below which the check fails: the clips and stills of one eight-hour recording with 260 findings
took several hundred MiB (docs/night-shift.md), and a database needs room to grow."""


class Check(msgspec.Struct, frozen=True):
    """What was tried, whether it works, and what was found; `optional` is missing and only some need it."""

    name: str
    state: State
    text: str


def all_checks() -> Iterator[Check]:
    """Every check in turn, each as soon as it has been made."""
    for name, check in CHECKS.items():
        try:
            state, text = check()
        except BadInput as error:
            state, text = "fails", str(error)
        except Exception as error:  # noqa: BLE001 - a part that fails in any way is what this command is there to tell
            state, text = "fails", f"{type(error).__name__}: {error}"
        yield Check(name, state, " ".join(text.split()))


def _python() -> tuple[State, str]:
    text = f"{platform.python_version()} on {platform.system()} {platform.machine()}, verifier {__version__}"
    if sys.version_info < OLDEST:
        return "fails", f"{text}; Python {'.'.join(map(str, OLDEST))} or newer is needed"
    return "works", text


def _processor() -> tuple[State, str]:
    import openvino

    from verifier.vision.runtime import best_precision, cores, device

    known = ", ".join(openvino.Core().available_devices)
    return "works", f"{cores()} cores; OpenVINO knows {known} and computes on {device()} in {best_precision()}"


def _models() -> tuple[State, str]:
    import numpy as np

    from verifier.vision.models import models_folder, overlaps_for
    from verifier.vision.networks import load_networks

    networks = load_networks()
    picture = np.zeros((360, 640, 3), np.uint8)
    list(networks.finder.stream([(0, picture, [(0, 0, 640, 360)])]))
    told = f"{len(networks.identities)} models in {path_text(models_folder())}, as their cards name them"
    if overlaps_for() is None:
        told += "; without the counter of overlapping cards (overlaps.onnx) more fans pass for one card"
    return "works", told


def _text() -> tuple[State, str]:
    import cv2
    import numpy as np

    from verifier.vision.ocr import TextReader

    picture = np.full((60, 300, 3), 255, np.uint8)
    cv2.putText(picture, "20:15:07", (20, 45), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (0, 0, 0), 3)
    read = TextReader().line(picture)
    return ("works", "reads the digits of a clock") if read == "20:15:07" else ("fails", f"reads {read!r} for 20:15:07")


def _recordings() -> tuple[State, str]:
    from verifier.recording.trial import PICTURES, missing_decoders, write_and_read

    missing = missing_decoders()
    with tempfile.TemporaryDirectory() as folder:
        read = write_and_read(Path(folder))
    if read != PICTURES:
        return "fails", f"of {PICTURES} pictures written as H.264 {read} could be read back"
    if missing:
        return "fails", f"H.264 is written and read; decoders are missing: {', '.join(missing)}"
    return "works", "H.264 is written and read; all decoders of recorders are there"


def _graphics() -> tuple[State, str]:
    from verifier.recording.hardware import accelerator

    found = accelerator()
    return "works", f"decodes by {found}" if found else "none that decodes; the processor does it"


def _documents() -> tuple[State, str]:
    import typst

    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "trial.typ"
        source.write_text("= A document\nwith a line", encoding="utf-8")
        made = typst.compile(str(source), root=name, format="pdf", ignore_system_fonts=True)
    assert isinstance(made, bytes)
    return ("works", "PDF documents are set") if made.startswith(b"%PDF") else ("fails", "the PDF is none")


def _data() -> tuple[State, str]:
    from verifier.store.home import home

    folder = home()
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    with tempfile.TemporaryFile(dir=there):
        pass
    free = shutil.disk_usage(there).free
    text = f"{path_text(folder)}, {free / (1 << 30):.1f} GiB free"
    if folder.exists() and _open_to_all(folder.stat()):
        remedy = "have its owner shut it with chmod o-rwx, or set VERIFIER_HOME"
        return "fails", f"{text}; it belongs to another user, and every user of this computer may enter it: {remedy}"
    return ("works", text) if free >= LEAST_FREE else ("fails", f"{text}; free some space, or set VERIFIER_HOME")


def _open_to_all(folder: os.stat_result) -> bool:
    """Tell whether everybody may enter a folder that is another user's. Our own one is shut when it is used."""
    mine = sys.platform == "win32" or folder.st_uid == os.getuid()
    return not mine and bool(folder.st_mode & 0o007)


def _database() -> tuple[State, str]:
    from verifier.store.state import database_state

    return "works", database_state()


def _room() -> tuple[State, str]:
    import streamlit

    return "works", f"Streamlit {streamlit.__version__}"


def _extra(module: str, for_what: str, extra: str) -> Callable[[], tuple[State, str]]:
    def check() -> tuple[State, str]:
        if importlib.util.find_spec(module) is None:
            return "optional", f"not installed; {for_what} needs it: pip install 'verifier[{extra}]'"
        return "works", "installed"

    return check


def _mail() -> tuple[State, str]:
    if os.environ.get("VERIFIER_SMTP_URL"):
        return "works", "VERIFIER_SMTP_URL is set (not tried: nothing connects outward without need)"
    return "optional", "VERIFIER_SMTP_URL is not set: morning reports are not sent by mail"


CHECKS: Final[dict[str, Callable[[], tuple[State, str]]]] = {
    "Python": _python,
    "Processor": _processor,
    "Models": _models,
    "Text in pictures": _text,
    "Recordings": _recordings,
    "Graphics card": _graphics,
    "Documents": _documents,
    "Data folder": _data,
    "Database": _database,
    "Review room": _room,
    "Mail": _mail,
    "Cluster (Ray)": _extra("ray", "a night on several computers", "cluster"),
    "Training (PyTorch)": _extra("torch", "training models", "train"),
}
"""Name -> what tries it; in the order in which they are told."""
