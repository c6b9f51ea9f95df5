"""Random changes of crop batches on the way into training (PyTorch tensors, RGB 0..1)."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

Draw = Callable[..., Tensor]
"""Draws numbers 0..1 of the shape that it is given."""


def augmented(batch: Tensor, generator: torch.Generator) -> Tensor:
    """(N, 3, h, w) with random light, colour cast, noise, blur, small shifts and covered patches."""
    return _relit(_moved(batch, _drawing(generator), 0.08, 0.04)[0], generator)


def augmented_cards(batch: Tensor, corners: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Cards and their corners (N, 4, 2) in shares of the crop (NaN: unknown), half turned by 180 degrees, all moved.

    The corners go on from the crop's upper left clockwise, whichever way the card is turned.
    """
    draw = _drawing(generator)
    turn = draw(batch.shape[0]) < 0.5
    batch = torch.where(turn[:, None, None, None], batch.flip(2, 3), batch)
    corners = torch.where(turn[:, None, None], 1 - corners.roll(2, 1), corners)
    batch, theta = _moved(batch, draw, 0.14, 0.1)
    squares = torch.cat([theta, torch.tensor([[[0.0, 0.0, 1.0]]]).expand(len(theta), 1, 3)], 1)
    points = torch.cat([corners * 2 - 1, torch.ones_like(corners[..., :1])], 2)
    moved = points @ torch.linalg.inv(squares).transpose(1, 2)
    return _relit(batch, generator), (moved[..., :2] + 1) / 2


def _drawing(generator: torch.Generator) -> Draw:
    def draw(*shape: int) -> Tensor:
        return torch.rand(*shape, generator=generator)

    return draw


def _relit(batch: Tensor, generator: torch.Generator) -> Tensor:
    """Softer, partly covered, in another light, noisy."""
    n, draw = batch.shape[0], _drawing(generator)
    batch = _softened(batch, draw)
    batch = _covered(batch, draw, generator)
    gain = 0.7 + 0.6 * draw(n, 1, 1, 1)
    cast = 0.92 + 0.16 * draw(n, 3, 1, 1)
    lift = 0.12 * (draw(n, 1, 1, 1) - 0.5)
    noise = torch.randn(batch.shape, generator=generator) * (0.045 * draw(n, 1, 1, 1) ** 2)
    return (batch * gain * cast + lift + noise).clamp(0, 1)


def _moved(batch: Tensor, draw: Draw, zoom: float, turn: float) -> tuple[Tensor, Tensor]:
    """Shifted, zoomed and turned; and the (N, 2, 3) that did it, from new to old places in -1..1."""
    n, aspect = batch.shape[0], batch.shape[3] / batch.shape[2]
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = 1 + zoom * (draw(n) - 0.5)
    theta[:, 1, 1] = 1 + zoom * (draw(n) - 0.5)
    skew = 2 * turn * (draw(n) - 0.5)
    theta[:, 0, 1], theta[:, 1, 0] = skew / aspect, -skew * aspect
    theta[:, :, 2] = zoom * (draw(n, 2) - 0.5)
    grid = functional.affine_grid(theta, list(batch.shape), align_corners=False)
    moved = functional.grid_sample(batch, grid, mode="bilinear", padding_mode="border", align_corners=False)
    return moved, theta


def _softened(batch: Tensor, draw: Draw) -> Tensor:
    """Blur a quarter of the crops, so that they lose detail."""
    small = functional.interpolate(batch, scale_factor=0.5, mode="bilinear", antialias=True)
    soft = functional.interpolate(small, size=batch.shape[2:], mode="bilinear")
    share = (draw(batch.shape[0]) < 0.25).float() * draw(batch.shape[0])
    return torch.lerp(batch, soft, share[:, None, None, None])


def _covered(batch: Tensor, draw: Draw, generator: torch.Generator) -> Tensor:
    """Lay a patch of one colour over a fifth of the crops."""
    n, _, h, w = batch.shape
    ys, xs = torch.arange(h)[None, :, None] / h, torch.arange(w)[None, None, :] / w
    x, y, a, b = (draw(n)[:, None, None] for _ in range(4))
    inside = ((xs - x).abs() < 0.05 + 0.16 * a) & ((ys - y).abs() < 0.05 + 0.16 * b)
    mask = inside & (draw(n) < 0.2)[:, None, None]
    return torch.where(mask[:, None], draw(n, 3, 1, 1), batch)
