"""Ultralytics' trainer for oriented boxes, made quick on a CPU. Imports PyTorch: load it only to train."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from ultralytics.models.yolo import obb
from ultralytics.nn import tasks

from verifier.train.assigner import ChipsFirst
from verifier.train.mixed import mixed


def to_float(value: object) -> object:
    """Nested predictions with every floating tensor as float32."""
    if isinstance(value, dict):
        return {key: to_float(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(to_float(part) for part in value)
    return value.float() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def fall(trainer: MixedTrainer) -> None:
    """Set the rate for the next step: Ultralytics sets it once an epoch, so it would not fall in a single epoch."""
    steps = len(trainer.train_loader)
    done = trainer.ema.updates / steps
    warmth = min(1.0, (done + 1 / steps) / max(trainer.args.warmup_epochs, 1 / steps))
    for group in trainer.optimizer.param_groups:
        group["lr"] = group["initial_lr"] * trainer.lf(done) * warmth


class MixedModel(tasks.OBBModel):
    """YOLO with oriented boxes whose training passes run in bfloat16 on a CPU that has it."""

    def predict(self, x: Tensor, *args: object, **kwargs: object) -> object:
        if not (self.training and x.device.type == "cpu" and x.shape[0] > 1):
            return super().predict(x, *args, **kwargs)
        x = x.contiguous(memory_format=torch.channels_last)
        with mixed("cpu"):
            out = super().predict(x, *args, **kwargs)
        return to_float(out)

    def init_criterion(self) -> nn.Module:
        """Return the loss, in which a chip upon a card is learnt, too."""
        loss = super().init_criterion()
        loss.assigner.__class__ = ChipsFirst
        return loss


class MixedTrainer(obb.OBBTrainer):
    """Trains `MixedModel`; the weights lie channels last, which a CPU with vector units likes.

    Ultralytics leaves one core idle on a CPU; `threads` uses them all.
    """

    threads = 2

    def _setup_train(self) -> None:
        super()._setup_train()
        torch.set_num_threads(self.threads)
        self.add_callback("on_train_batch_start", fall)

    def get_model(self, cfg: str | None = None, weights: nn.Module | None = None, verbose: bool = True) -> MixedModel:
        model = MixedModel(cfg, nc=self.data["nc"], ch=self.data["channels"], verbose=verbose)
        if weights:
            model.load(weights)
        moved: MixedModel = model.to(memory_format=torch.channels_last)
        return moved
