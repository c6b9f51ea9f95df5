"""The hands' network: classes and 21 keypoints from one trunk. Imports PyTorch: load only to train.

A keypoint is classified along each axis on its own (SimCC, Li et al., ECCV 2022): probabilities over bins tell both
the place and how sure it is. Bins reach beyond the crop, where a hand that the picture's edge cuts goes on. A map of
each keypoint, summed over columns and rows, gives the bins a first guess, which a small perceptron corrects.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor, nn

from verifier.train.crops import HAND_INPUT, HAND_POINTS
from verifier.train.networks import Residual

POINTS: Final = "points"
BINS: Final = 72
SPAN: Final = (-0.25, 1.25)
"""Shares of the crop's side where the first bin begins and the last one ends."""
_WIDTHS: Final = (16, 32, 80, 128)
_MIX: Final = 64


def _step(inputs: int, outputs: int, stride: int, size: int = 3) -> nn.Sequential:
    conv = nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.ReLU())


class HandNetwork(nn.Module):
    """Crops (N, 3, 128, 128) RGB 0..1 to logits of each head and (N, 21, 2, BINS) of the keypoints' x and y."""

    def __init__(self, heads: Mapping[str, int]) -> None:
        super().__init__()
        self.names = (*heads, POINTS)
        a, b, c, d = _WIDTHS
        self.fine = nn.Sequential(_step(3, a, 2), _step(a, b, 2), Residual(b), _step(b, c, 2), Residual(c))
        self.coarse = nn.Sequential(_step(c, d, 2), Residual(d), Residual(d))
        self.from_fine, self.from_coarse = _step(c, _MIX, 1, 1), _step(d, _MIX, 1, 1)
        self.maps = nn.Sequential(Residual(_MIX), nn.Conv2d(_MIX, HAND_POINTS, 1))
        cells = (HAND_INPUT[0] // 8) * (HAND_INPUT[1] // 8)
        self.axes = nn.Sequential(nn.Linear(cells, 160), nn.ReLU(), nn.Linear(160, 2 * BINS))
        self.drop = nn.Dropout(0.2)
        self.mix = nn.Sequential(nn.Linear(d * 16 + 4 * HAND_POINTS, 160), nn.ReLU())
        self.heads = nn.ModuleDict({name: nn.Linear(160, count) for name, count in heads.items()})
        self.register_buffer("centres", bin_centres(), persistent=False)
        self.register_buffer("spread", cells_to_bins(HAND_INPUT[0] // 8), persistent=False)

    def forward(self, images: Tensor) -> tuple[Tensor, ...]:
        fine = self.fine((images - 0.45) * 4.0)
        coarse = self.coarse(fine)
        wide = nn.functional.interpolate(self.from_coarse(coarse), scale_factor=2.0, mode="nearest")
        maps = self.maps(self.from_fine(fine) + wide)
        guess = torch.stack([log_sum(maps, 2), log_sum(maps, 3)], 2) @ self.spread
        points = guess + self.axes(maps.flatten(2)).unflatten(2, (2, BINS))
        places = (torch.softmax(points.float(), 3) * self.centres).sum(3) - 0.5
        pooled = nn.functional.avg_pool2d(coarse, 2).flatten(1)
        mixed = self.mix(torch.cat([self.drop(pooled), 4.0 * places.flatten(1), upright(places).flatten(1)], 1))
        return (*(self.heads[name](mixed) for name in self.names[:-1]), points)


def log_sum(maps: Tensor, axis: int) -> Tensor:
    """Log of the sum of powers over an axis, in steps that ONNX readers know."""
    highest = maps.amax(axis, keepdim=True)
    return ((maps - highest).exp().sum(axis, keepdim=True).log() + highest).squeeze(axis)


def upright(places: Tensor) -> Tensor:
    """(N, 21, 2) places in the hand's own frame: wrist at the origin, the middle finger's knuckle at (0, 1).

    Turned so, the thumb's side tells a left back and a right palm from a right back and a left palm, and the tips tell
    which fingers are stretched, wherever the hand comes from.
    """
    offset = places - places[:, :1]
    axis = offset[:, 9:10]
    square = axis.square().sum(2).clamp(min=0.01)
    along = (offset * axis).sum(2) / square
    across = (offset[:, :, 0] * axis[:, :, 1] - offset[:, :, 1] * axis[:, :, 0]) / square
    return torch.stack([across, along], 2).clamp(-3.0, 3.0)


def bin_centres() -> Tensor:
    """(BINS,) middles of the bins as shares of the crop's side."""
    low, high = SPAN
    return low + (torch.arange(BINS) + 0.5) * (high - low) / BINS


def cells_to_bins(cells: int) -> Tensor:
    """(cells, BINS) shares by which each bin takes from the cells of a map: linear between their middles."""
    at = (bin_centres() * cells - 0.5).clamp(0, cells - 1)
    return (1 - (at[None] - torch.arange(cells)[:, None]).abs()).clamp(min=0)
