"""The finder of bank notes: a small convolutional network with one map a quarter of the picture. Imports PyTorch.

Like CenterNet (Zhou et al. 2019, arXiv 1904.07850): a logit for the middle of a bill at each cell, and what places it.
"""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn

from verifier.train.networks import Residual

OUTPUTS: Final = 7
WIDTHS: Final = (12, 24, 48)


def _conv(inputs: int, outputs: int, stride: int = 1, spread: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, spread, spread, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class Finder(nn.Module):
    """Pictures (N, 3, h, w) RGB 0..1 to (N, 7, h/4, w/4); what the seven are, `verifier.vision.bills.boxes_of` says."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c = WIDTHS
        self.fine = nn.Sequential(_conv(3, a, 2), _conv(a, b, 2), Residual(b))
        self.coarse = nn.Sequential(
            _conv(b, c, 2), Residual(c), _conv(c, c, spread=2), _conv(c, c, spread=4), Residual(c)
        )
        self.narrow = nn.Conv2d(c, b, 1)
        self.joined = nn.Sequential(_conv(2 * b, b), _conv(b, b))
        self.out = nn.Conv2d(b, OUTPUTS, 1)
        nn.init.constant_(self.out.bias, 0.0)
        self.out.bias.data[0] = -4.0

    def forward(self, pictures: Tensor) -> Tensor:
        fine = self.fine((pictures - 0.45) * 4.0)
        coarse = nn.functional.interpolate(self.narrow(self.coarse(fine)), scale_factor=2.0, mode="nearest")
        return self.out(self.joined(torch.cat([fine, coarse], 1)))
