"""The readers' networks: small residual convolutional nets, one output a head. Imports PyTorch: load only to train."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import torch
from torch import Tensor, nn

from verifier.train.crops import CARD_MARGIN


def _conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


EDGE: Final = CARD_MARGIN / (1 + 2 * CARD_MARGIN)
PLAIN_CORNERS: Final = (EDGE, EDGE, 1 - EDGE, EDGE, 1 - EDGE, 1 - EDGE, EDGE, 1 - EDGE)
"""Where the corners of a well straightened card lie."""


class Residual(nn.Module):
    """Two convolutions round a shortcut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(width, width), nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))


CORNERS: Final = "corners"
"""Output (N, 8): where the card's corners lie in its crop, in shares of the crop, clockwise from the upper left."""


class Reader(nn.Module):
    """Crops (N, 3, h, w) RGB 0..1 to one tensor of logits for each head, in the order of `heads`.

    With `corners` there is a last output, CORNERS.
    `widths` are the channels of the stages, each halving the picture and followed, but for the first, by `depth`
    residual blocks; the last map is kept as a grid of `grid` cells, because where an index or a finger stands matters.
    """

    def __init__(
        self,
        heads: Mapping[str, int],
        size: tuple[int, int],
        widths: Sequence[int],
        grid: tuple[int, int],
        *,
        corners: bool = False,
        depth: int = 1,
    ) -> None:
        super().__init__()
        self.names = tuple(heads) + ((CORNERS,) if corners else ())
        self.counted = tuple(heads)
        stages: list[nn.Module] = []
        inputs = 3
        for index, width in enumerate(widths):
            stages.append(_conv(inputs, width, 2))
            stages += [Residual(width) for _ in range(depth if index else 0)]
            inputs = width
        self.features = nn.Sequential(*stages)
        shrink = 2 ** len(widths)
        cells = (size[1] // shrink, size[0] // shrink)
        self.pool = nn.AvgPool2d((cells[0] // grid[0], cells[1] // grid[1]))
        self.drop = nn.Dropout(0.2)
        self.mix = nn.Sequential(nn.Linear(inputs * grid[0] * grid[1], 128), nn.ReLU())
        self.heads = nn.ModuleDict({name: nn.Linear(128, count) for name, count in heads.items()})
        if corners:
            self.places = nn.Sequential(nn.Linear(inputs * grid[0] * grid[1], 128), nn.ReLU(), nn.Linear(128, 8))
            self.register_buffer("plain", torch.tensor(PLAIN_CORNERS))

    def forward(self, images: Tensor) -> tuple[Tensor, ...]:
        x = self.pool(self.features((images - 0.45) * 4.0)).flatten(1)
        mixed = self.mix(self.drop(x))
        out = tuple(self.heads[name](mixed) for name in self.counted)
        return (*out, self.plain + 0.1 * self.places(x)) if CORNERS in self.names else out


def build(name: str, heads: Mapping[str, int]) -> Reader:
    """Return the network of reader `name`: cards, chips or bills."""
    if name == "cards":
        return Reader(heads, (64, 96), (32, 64, 96, 128), (6, 4), corners=True, depth=2)
    if name == "bills":
        return Reader(heads, (160, 80), (24, 40, 64, 96), (5, 5))
    if name == "overlaps":
        return Reader(heads, (96, 96), (24, 48, 72, 96), (3, 3))
    return Reader(heads, (32, 32), (32, 64, 96), (2, 2))
