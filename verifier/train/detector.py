"""Trains the detector: YOLO26n with oriented boxes, from scratch, on rendered pictures.

Only the one-to-many head is trained (`end2end` off): in short runs it learns far faster than the NMS-free head, and the
reader removes doubles itself. On a CPU the network runs in bfloat16, channels last; the loss stays in float32.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.train.labels import CLASSES

NETWORK: Final = Path(__file__).with_name("yolo26n-obb-o2m.yaml")
LIGHT: Final[dict[str, object]] = {
    "optimizer": "AdamW", "lrf": 0.01, "cos_lr": True, "momentum": 0.9, "weight_decay": 0.01, "warmup_epochs": 0.5,
    "warmup_bias_lr": 0.0, "mosaic": 0.0, "close_mosaic": 0, "translate": 0.06, "degrees": 0.0,
    "fliplr": 0.5, "flipud": 0.5, "hsv_h": 0.01, "hsv_s": 0.35, "hsv_v": 0.3, "erasing": 0.0, "plots": False,
    "deterministic": False, "patience": 0, "workers": 2, "cache": False, "val": True,
}  # fmt: skip
"""Schedule and augmentation; light, since the pictures vary by themselves."""


class DetectorPlan(Struct, frozen=True, kw_only=True):
    """How to train: `size` of the square pictures in pixels, `rate` the highest learning rate of AdamW."""

    epochs: int = 10
    batch: int = 16
    size: int = 512
    rate: float = 0.002
    seed: int = 0
    zoom: float = 0.25
    """Pictures are shown up to so much larger or smaller than they are, as a share."""
    threads: int = 2
    weights: Path | None = None
    """A checkpoint to start from, instead of nothing."""

    @property
    def options(self) -> dict[str, object]:
        """The plan in Ultralytics' words."""
        return {
            "epochs": self.epochs,
            "batch": self.batch,
            "nbs": self.batch,
            "imgsz": self.size,
            "lr0": self.rate,
            "seed": self.seed,
            "scale": self.zoom,
            "pretrained": self.weights is not None,
        }


def prepare(folder: Path) -> None:
    """Keep Ultralytics' settings in `folder`, offline: nothing synchronised, nothing reported, nothing fetched."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(YOLO_CONFIG_DIR=str(folder), YOLO_OFFLINE="true", YOLO_AUTOINSTALL="false")
    from verifier.train.nms_stub import ensure_torchvision

    ensure_torchvision()
    reports = dict.fromkeys(("sync", "tensorboard", "mlflow", "wandb", "comet"), False)
    importlib.import_module("ultralytics").settings.update(reports)


def write_data_file(folder: Path) -> Path:
    """Write the data description that Ultralytics reads, for `folder` with images/ and labels/, each train and val."""
    names = "\n".join(f"  {index}: {name}" for index, name in enumerate(CLASSES))
    path = folder / "data.yaml"
    text = f"path: {folder.resolve()}\ntrain: images/train\nval: images/val\nnames:\n{names}\n"
    path.write_text(text, encoding="utf-8")
    return path


def train_detector(data: Path, runs: Path, plan: DetectorPlan, *, resume: bool = False) -> Path:
    """Train on the pictures under `data` and return the last checkpoint; each epoch leaves one in `runs`.

    With `resume` it goes on from the last checkpoint of an interrupted run. Raises BadInput where there is none.
    """
    prepare(runs / "settings")
    from verifier.train.trainer import MixedTrainer

    last = runs / "detector" / "weights" / "last.pt"
    if resume and not last.exists():
        raise BadInput(last, "no checkpoint to resume from", "start without --resume")
    overrides = {"resume": str(last)} if resume else options(write_data_file(data), runs, plan)
    trainer = MixedTrainer(overrides=overrides)
    trainer.threads = plan.threads
    trainer.train()
    return last


def options(data: Path, runs: Path, plan: DetectorPlan) -> dict[str, object]:
    """Ultralytics' options for a new run."""
    import torch

    device = "0" if torch.cuda.is_available() else "cpu"
    where = {"data": str(data), "project": str(runs.resolve()), "name": "detector", "exist_ok": True, "device": device}
    return {**where, **LIGHT, "model": str(plan.weights or NETWORK), "amp": device != "cpu", **plan.options}
