"""Measures how recordings are watched where their pixels are real: held-out photos, each shown as a short recording.

    python benchmarks/real_recordings.py --real DIR

No real overhead recording with its truth is to be had. Here each photo is made as large as a camera over a table would
show its cards or hands (`--width`, pixels of a card), is held for two seconds under sensor noise in H.264, and is
watched as recordings are: their detector, their scale, their precision, many looks at resting things. Changes of
colour, light and sharpness stand for other felts and recorders. How large things are in a photo is measured by what
`verifier detect` finds there, since no layout tells it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.domain.observations import Observation
from verifier.simulate.record import DEFAULT_BITRATE, encode
from verifier.train.real_pictures.cards import EDJE
from verifier.train.real_pictures.hands import ASL, FINGERCOUNT, FOREARM, RPS
from verifier.train.real_pictures.scores import score_real
from verifier.train.real_pictures.split import MARTINABELEDA
from verifier.vision.fitting import side_for
from verifier.vision.networks import Networks, load_networks
from verifier.vision.observe import observe
from verifier.vision.still import detect_image

Image = NDArray[np.uint8]
FPS: Final = 15
FRAMES: Final = 30
NOISE: Final = 3.0
HAND_MM: Final = 190.0
"""From the wrist to the tips of a stretched hand."""
LEAST_SIDE: Final = 320
"""Smaller photos are framed in grey: no recorder writes less."""


def hue(turn: int) -> Callable[[Image], Image]:
    """Green turned to another colour by `turn` of OpenCV's 180 steps: another felt."""

    def change(image: Image) -> Image:
        hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
        green = (hsv[..., 0] > 35) & (hsv[..., 0] < 95) & (hsv[..., 1] > 60)
        hsv[..., 0] = np.where(green, (hsv[..., 0].astype(int) + turn) % 180, hsv[..., 0])
        return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)

    return change


def greyish(image: Image) -> Image:
    """Half of the colour gone."""
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(image, 0.5, grey, 0.5, 0), np.uint8)


def dim(image: Image) -> Image:
    """Two thirds of the light, dark tones darker still."""
    return np.clip((image / 255.0) ** 1.8 * 170, 0, 255).astype(np.uint8)


def blurred(image: Image) -> Image:
    """Out of focus by 1.5 pixels of the photo."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.5), np.uint8)


def upside_down(image: Image) -> Image:
    """Return the picture turned by 180 degrees."""
    return np.ascontiguousarray(image[::-1, ::-1])


CHANGES: Final[dict[str, Callable[[Image], Image]]] = {
    "as taken": np.asarray, "blue felt": hue(55), "red felt": hue(-60), "greyish": greyish, "dim": dim,
    "blurred": blurred, "turned by half": upside_down,
}  # fmt: skip
PLACELESS: Final = (MARTINABELEDA,)
"""Sets whose cards' places are not compared: only these may be turned."""


class Recorder:
    """Shows photos as recordings in which a card is `width` pixels wide, and tells what was seen last."""

    def __init__(self, width: float, change: Callable[[Image], Image], folder: Path) -> None:
        self._watching, self._measuring = load_networks(faint_hands=True), load_networks(photos=True)
        self._width, self._change = width, change
        self._video = folder / "photo.mp4"

    def see(self, image: Image) -> Observation:
        """Return what watching the photo (h, w, 3) as a recording tells, in the photo's pixels."""
        scale = self._width / (card_width(image, self._measuring) or self._width)
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        picture = framed(np.asarray(cv2.resize(self._change(image), None, fx=scale, fy=scale, interpolation=how)))
        rng = np.random.default_rng(0)
        shown = (with_noise(picture, rng) for _ in range(FRAMES))
        encode(self._video, shown, FRAMES, (picture.shape[1], picture.shape[0]), FPS, DEFAULT_BITRATE)
        side = side_for(self._width, max(picture.shape[:2]))
        *_, last = observe(self._video, networks=self._watching, long_side=side)
        return scaled(last, 1 / scale)


def card_width(image: Image, networks: Networks) -> float | None:
    """Pixels that a card is wide, by the cards found in a photo, or else by the longest hand; None without either."""
    seen = detect_image(image, networks=networks)
    cards = [
        min(np.linalg.norm(np.subtract(q[0], q[1])), np.linalg.norm(np.subtract(q[1], q[2])))
        for q in (card.quad for card in seen.cards)
    ]
    hands = [max(x1 - x0, y1 - y0) * CARD_MM[0] / HAND_MM for x0, y0, x1, y1 in (hand.box for hand in seen.hands)]
    return float(np.median(cards)) if cards else max(hands, default=None)


def framed(picture: Image) -> Image:
    """At least LEAST_SIDE pixels a side, in even numbers, the photo in the upper left corner."""
    h, w = picture.shape[:2]
    frame = np.full((max(LEAST_SIDE, h + h % 2), max(LEAST_SIDE, w + w % 2), 3), 90, np.uint8)
    frame[:h, :w] = picture
    return frame


def with_noise(picture: Image, rng: np.random.Generator) -> Image:
    """Sensor noise, new at each frame."""
    noise = rng.normal(0, NOISE, (*picture.shape[:2], 1))
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def scaled(seen: Observation, k: float) -> Observation:
    """Return the same observation in pixels of a picture `k` times as large."""
    cards = [structs.replace(c, quad=tuple((x * k, y * k) for x, y in c.quad)) for c in seen.cards]
    chips = [structs.replace(c, center=(c.center[0] * k, c.center[1] * k), radius=c.radius * k) for c in seen.chips]
    hands = [structs.replace(h, box=tuple(v * k for v in h.box), keypoints=None) for h in seen.hands]
    return structs.replace(seen, cards=cards, chips=chips, hands=hands)


def main() -> None:
    """Print a row for each set, width and change."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", type=Path, required=True, help="folder of the real sets")
    parser.add_argument("--width", type=int, nargs="*", default=[60, 45, 34], help="pixels of a card")
    parser.add_argument("--sets", nargs="*", default=[MARTINABELEDA, EDJE, RPS, FINGERCOUNT, ASL, FOREARM])
    parser.add_argument("--most", type=int, help="photos of a set at most")
    arguments = parser.parse_args()
    print("| set | card, px | as | figures |\n| -- | -- | -- | -- |")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.sets:
            for width, change in plan(name, arguments.width):
                recorder = Recorder(width, CHANGES[change], Path(folder))
                figures = score_real(recorder.see, arguments.real, sets=[name], most=arguments.most)[name]
                told = ", ".join(f"{key} {value:.3f}" for key, value in figures.items())
                print(f"| {name} | {width} | {change} | {told} |", flush=True)


def plan(name: str, widths: Sequence[int]) -> list[tuple[int, str]]:
    """Every width as taken; at the second one every change, where the set's felt is green and its places are free."""
    rows = [(width, "as taken") for width in widths]
    return rows + [(widths[min(1, len(widths) - 1)], c) for c in CHANGES if c != "as taken" and name in PLACELESS]


if __name__ == "__main__":
    main()
