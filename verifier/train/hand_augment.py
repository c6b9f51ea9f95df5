"""Random changes of hand crops on the way into training: turned, mirrored, lit, soiled (PyTorch, RGB 0..1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from verifier.train.crop_sets import HEADS, UNLABELLED

Draw = Callable[..., Tensor]
"""Draws numbers 0..1 of the shape that it is given."""

SIDE: Final = list(HEADS["hands"]).index("side")
OWNER: Final = list(HEADS["hands"]).index("owner")
OWNER_TURN: Final = math.radians(15)
"""Turned further, an arm no longer tells whose it is."""
TURN: Final = math.radians(18)
ANY_TURN: Final = 0.3
"""Share of the crops turned by any angle."""


def augmented_hands(
    images: Tensor, labels: Tensor, points: Tensor, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """(N, 3, h, w) crops with labels (N, heads) and points (N, 21, 3), changed together; the inputs are kept."""

    def draw(*shape: int) -> Tensor:
        return torch.rand(*shape, generator=generator)

    images, labels, points = _mirrored(images, labels, points, draw)
    images, labels, points = _turned(images, labels, points, draw, generator)
    return _soiled(_lit(_patched(images, draw), draw, generator), draw, generator), labels, points


def _mirrored(images: Tensor, labels: Tensor, points: Tensor, draw: Draw) -> tuple[Tensor, Tensor, Tensor]:
    """Half of the hands mirrored: a left hand becomes a right one. Whose it is and what it shows stays."""
    flip = draw(len(images)) < 0.5
    images = torch.where(flip[:, None, None, None], images.flip(3), images)
    sides = labels[:, SIDE]
    labels, points = labels.clone(), points.clone()
    labels[:, SIDE] = torch.where(flip & (sides != UNLABELLED), 1 - sides, sides)
    points[..., 0] = torch.where(flip[:, None], 1 - points[..., 0], points[..., 0])
    return images, labels, points


def _turned(
    images: Tensor, labels: Tensor, points: Tensor, draw: Draw, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """Turn, zoom, stretch and shift the crops; beyond OWNER_TURN leave the owner unlabelled."""
    n = len(images)
    angle = torch.randn(n, generator=generator) * TURN
    angle = torch.where(draw(n) < ANY_TURN, (draw(n) * 2 - 1) * math.pi, angle)
    zoom = torch.exp(torch.randn(n, 1, generator=generator) * 0.09 + torch.randn(n, 2, generator=generator) * 0.04)
    c, s = angle.cos(), angle.sin()
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0], theta[:, 0, 1] = c * zoom[:, 0], s * zoom[:, 0]
    theta[:, 1, 0], theta[:, 1, 1] = -s * zoom[:, 1], c * zoom[:, 1]
    theta[:, :, 2] = torch.randn(n, 2, generator=generator) * 0.06
    grid = functional.affine_grid(theta, list(images.shape), align_corners=False)
    images = functional.grid_sample(images, grid, mode="bilinear", padding_mode="reflection", align_corners=False)
    labels = labels.clone()
    labels[angle.abs() > OWNER_TURN, OWNER] = UNLABELLED
    centred = points[..., :2] * 2 - 1 - theta[:, None, :, 2]
    placed = torch.linalg.solve(theta[:, None, :, :2], centred[..., None])[..., 0]
    return images, labels, torch.cat([(placed + 1) / 2, points[..., 2:]], 2)


def _patched(images: Tensor, draw: Draw) -> Tensor:
    """Over a quarter of the crops a small patch of another crop or of one colour: cards, chips, cuffs, anything."""
    n, _, h, w = images.shape
    ys, xs = torch.arange(h)[None, :, None] / h, torch.arange(w)[None, None, :] / w
    x, y, a, b = (draw(n)[:, None, None] for _ in range(4))
    mask = ((xs - x).abs() < 0.04 + 0.14 * a) & ((ys - y).abs() < 0.04 + 0.14 * b) & (draw(n) < 0.25)[:, None, None]
    plain = draw(n, 3, 1, 1).expand_as(images)
    fill = torch.where((draw(n) < 0.5)[:, None, None, None], plain, images.roll(1, 0))
    return torch.where(mask[:, None], fill, images)


def _lit(images: Tensor, draw: Draw, generator: torch.Generator) -> Tensor:
    """Gain, gamma, cast, contrast, mixed colours, greying, and light that falls off or a shadow's edge across."""
    n, _, h, w = images.shape
    images = images + (draw(n, 1, 1, 1) - 0.5) * images * (1 - images) * 1.2
    grey = images.mean(1, keepdim=True)
    paled = torch.where(draw(n) < 0.12, torch.ones(n), draw(n) * 0.7 - 0.25)[:, None, None, None]
    images = torch.lerp(images, grey.expand_as(images), paled)
    blend = torch.eye(3) + 0.06 * torch.randn(n, 3, 3, generator=generator)
    images = torch.einsum("nij,njhw->nihw", blend, images)
    ys, xs = torch.linspace(-1, 1, h)[:, None], torch.linspace(-1, 1, w)[None, :]
    way = draw(n, 1, 1) * 2 * math.pi
    ramp = way.cos() * xs + way.sin() * ys + (draw(n, 1, 1) - 0.5)
    hard = torch.where(draw(n, 1, 1) < 0.2, torch.full((n, 1, 1), 25.0), torch.full((n, 1, 1), 1.5))
    shade = 1 - 0.55 * draw(n, 1, 1) * torch.where(draw(n, 1, 1) < 0.4, 1.0, 0.0) * torch.sigmoid(ramp * hard)
    middle = images.mean((1, 2, 3), keepdim=True)
    images = (images - middle) * (0.65 + 0.65 * draw(n, 1, 1, 1)) + middle * (0.65 + 0.65 * draw(n, 1, 1, 1))
    return images * shade[:, None] * (0.85 + 0.3 * draw(n, 3, 1, 1)) + 0.12 * (draw(n, 1, 1, 1) - 0.5)


def _soiled(images: Tensor, draw: Draw, generator: torch.Generator) -> Tensor:
    """Take detail from a third of the crops, by up to four times; lay noise over all."""
    n, _, h, w = images.shape
    factor = 0.25 + 0.35 * float(draw(1))
    small = functional.interpolate(images, scale_factor=factor, mode="bilinear", antialias=True)
    soft = functional.interpolate(small, size=(h, w), mode="bilinear")
    share = (draw(n) < 0.33).float() * draw(n)
    images = torch.lerp(images, soft, share[:, None, None, None])
    grain = torch.randn(1 + n // 8, *images.shape[1:], generator=generator)
    noise = grain[torch.randint(len(grain), (n,), generator=generator)] * (0.06 * draw(n, 1, 1, 1) ** 2)
    return (images + noise).clamp(0, 1)
