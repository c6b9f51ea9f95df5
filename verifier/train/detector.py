"""Trains the detector: YOLO26n with oriented boxes, from scratch, on rendered pictures.

Only the one-to-many head is trained (`end2end` off): in short runs it learns far faster than the NMS-free head, and the
reader removes doubles itself. On a CPU the network runs in bfloat16, channels last; the loss stays in float32.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.train.labels import CLASSES


class DetectorPlan(Struct, frozen=True, kw_only=True):
    """How to train: `size` of the square pictures in pixels, `rate` the highest learning rate of AdamW."""

    epochs: int = 10
    batch: int = 16
    size: int = 512
    rate: float = 0.002
    seed: int = 0
    threads: int = 2
    close: int = 2
    """Last epochs without random shifts and zooms."""


def prepare(folder: Path) -> None:
    """Keeps Ultralytics' settings in `folder`, offline: nothing synchronised, nothing reported, nothing fetched."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(YOLO_CONFIG_DIR=str(folder), YOLO_OFFLINE="true", YOLO_AUTOINSTALL="false")
    from verifier.train.nms_stub import ensure_torchvision

    ensure_torchvision()
    from ultralytics import settings

    settings.update({"sync": False, "tensorboard": False, "mlflow": False, "wandb": False, "comet": False})


def write_data_file(folder: Path) -> Path:
    """The data description that Ultralytics reads, for `folder` with images/ and labels/, train and val in each."""
    names = "\n".join(f"  {index}: {name}" for index, name in enumerate(CLASSES))
    path = folder / "data.yaml"
    path.write_text(f"path: {folder.resolve()}\ntrain: images/train\nval: images/val\nnames:\n{names}\n", encoding="utf-8")
    return path


def train_detector(data: Path, runs: Path, plan: DetectorPlan, *, resume: bool = False) -> Path:
    """Trains on the pictures under `data` and returns the last checkpoint; each epoch leaves one in `runs`.

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


def options(data: Path, runs: Path, plan: DetectorPlan) -> dict[str, Any]:
    """Ultralytics' options: light augmentation, since the pictures vary by themselves."""
    import torch

    device = "0" if torch.cuda.is_available() else "cpu"
    return {
        "model": str(Path(__file__).with_name("yolo26n-obb-o2m.yaml")), "data": str(data), "project": str(runs.resolve()),
        "name": "detector", "exist_ok": True, "pretrained": False, "device": device, "seed": plan.seed,
        "epochs": plan.epochs, "batch": plan.batch, "nbs": plan.batch, "imgsz": plan.size, "workers": 2,
        "optimizer": "AdamW", "lr0": plan.rate, "lrf": 0.01, "cos_lr": True, "momentum": 0.9, "weight_decay": 0.01,
        "warmup_epochs": 0.5, "warmup_bias_lr": 0.0, "cache": False, "plots": False, "val": True, "amp": device != "cpu",
        "mosaic": 0.0, "close_mosaic": plan.close, "scale": 0.25, "translate": 0.06, "degrees": 0.0, "fliplr": 0.5,
        "flipud": 0.5, "hsv_h": 0.01, "hsv_s": 0.35, "hsv_v": 0.3, "deterministic": False, "max_det": 300,
        "patience": 0,
    }  # fmt: skip
