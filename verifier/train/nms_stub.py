"""Lets Ultralytics run where torchvision's compiled operators do not load (a CPU build of PyTorch beside a CUDA wheel).

Ultralytics imports torchvision in its validator only to reach `torchvision.ops.nms`. Nothing else of it is used here.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def ensure_torchvision() -> bool:
    """Import torchvision, or put a small stand-in with `ops.nms` in its place; return True where the real one works."""
    try:
        return "nms_stub" not in str(importlib.import_module("torchvision").__doc__)
    except (ImportError, RuntimeError, OSError, AttributeError):
        for name in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
            del sys.modules[name]
    stub, ops = types.ModuleType("torchvision", "nms_stub"), types.ModuleType("torchvision.ops")
    ops.__dict__["nms"] = nms
    stub.__dict__.update(ops=ops, __version__="0.0")
    sys.modules.update({"torchvision": stub, "torchvision.ops": ops})
    return False


def nms(boxes: Tensor, scores: Tensor, threshold: float) -> Tensor:
    """Greedy non-maximum suppression of (N, 4) corner boxes; indices of those kept, best first."""
    import torch

    order, keep = scores.argsort(descending=True), []
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    while order.numel():
        best, order = order[0], order[1:]
        keep.append(best)
        low, high = torch.maximum(boxes[best, :2], boxes[order, :2]), torch.minimum(boxes[best, 2:], boxes[order, 2:])
        shared = (high - low).clamp(min=0).prod(1)
        order = order[shared / (areas[best] + areas[order] - shared + 1e-9) <= threshold]
    return torch.stack(keep) if keep else scores.new_zeros(0, dtype=torch.long)
