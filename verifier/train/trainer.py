"""Ultralytics' trainer for oriented boxes, made quick on a CPU. Imports PyTorch: load it only to train."""

from __future__ import annotations

import importlib
from typing import Any

torch: Any = importlib.import_module("torch")
obb: Any = importlib.import_module("ultralytics.models.yolo.obb")
tasks: Any = importlib.import_module("ultralytics.nn.tasks")


def to_float(value: Any) -> Any:
    """Nested predictions with every floating tensor as float32."""
    if isinstance(value, dict):
        return {key: to_float(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(to_float(part) for part in value)
    return value.float() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


class MixedModel(tasks.OBBModel):  # type: ignore[misc]
    """YOLO with oriented boxes whose training passes run in bfloat16 on a CPU."""

    def predict(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        if not (self.training and x.device.type == "cpu" and x.shape[0] > 1):
            return super().predict(x, *args, **kwargs)
        x = x.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            out = super().predict(x, *args, **kwargs)
        return to_float(out)


class MixedTrainer(obb.OBBTrainer):  # type: ignore[misc]
    """Trains `MixedModel`; the weights lie channels last, which a CPU with vector units likes.

    Ultralytics leaves one core idle on a CPU; `threads` uses them all.
    """

    threads = 2

    def _setup_train(self) -> None:
        super()._setup_train()
        torch.set_num_threads(self.threads)

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:
        model = MixedModel(cfg, nc=self.data["nc"], ch=self.data["channels"], verbose=verbose)
        if weights:
            model.load(weights)
        return model.to(memory_format=torch.channels_last)
