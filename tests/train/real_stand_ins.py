"""Drawn stand-ins for photos of the public sets, and what a detector says of them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from verifier.domain.observations import CardSeen, Observation

GREEN, SKIN, CLOTH = (60, 140, 50), (130, 160, 205), (70, 30, 30)


def seen(*, cards=(), chips=(), hands=()) -> Observation:
    return Observation(t=0, frame=0, cards=list(cards), chips=list(chips), hands=list(hands))


def card(x: float, rank: str | None, suit: str | None = "h", sure: float = 0.5) -> CardSeen:
    quad = ((x, 0.0), (x + 50, 0.0), (x + 50, 70.0), (x, 70.0))
    return CardSeen(id=None, face="up", p=0.9, quad=quad, rank=rank, suit=suit, ranks={rank: sure} if rank else None)


def green_hand(*, thumb_below: bool = True) -> np.ndarray:
    """A hand that points left with its thumb out, its arm leaving to the right; the wrist is at x 220."""
    image = np.full((200, 300, 3), GREEN, np.uint8)
    cv2.rectangle(image, (220, 85), (299, 119), SKIN, -1)
    cv2.ellipse(image, (185, 102), (50, 36), 0, 0, 360, SKIN, -1)
    for y in (76, 93, 110, 127):
        cv2.line(image, (170, y), (90, y), SKIN, 11)
    cv2.line(image, (180, 102), (140, 175 if thumb_below else 29), SKIN, 13)
    return image


def card_photo(
    angle: float, middle: tuple[float, float] = (150, 150), width: float = 80
) -> tuple[np.ndarray, np.ndarray]:
    image = np.full((300, 300, 3), (60, 80, 110), np.uint8)
    quad = cv2.boxPoints((middle, (width, 1.4 * width), angle)).astype(np.float32)
    cv2.fillConvexPoly(image, quad.astype(np.int32), (235, 235, 235))
    cv2.circle(image, (int(middle[0]), int(middle[1])), int(width / 5), (30, 30, 200), -1)
    return image, quad


def bounds(quad: np.ndarray) -> tuple[float, float, float, float]:
    (x0, y0), (x1, y1) = quad.min(0), quad.max(0)
    return float(x0), float(y0), float(x1), float(y1)


def save_voc(folder: Path, name: str, image: np.ndarray, cards: dict[str, tuple[float, float, float, float]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{name}.jpg"), image)
    items = "".join(
        f"<object><name>{rank}</name><bndbox><xmin>{x0}</xmin><ymin>{y0}</ymin><xmax>{x1}</xmax><ymax>{y1}</ymax></bndbox></object>"
        for rank, (x0, y0, x1, y1) in cards.items()
    )
    (folder / f"{name}.xml").write_text(f"<annotation>{items}</annotation>", encoding="utf-8")
