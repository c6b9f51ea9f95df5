"""The models' forms in whole numbers (INT8), for processors that are quicker so (docs/speed.md).

Post-training quantisation by NNCF: the ranges of activations are those of whole frames of tables that no scored
picture shows, of the crops that are read of them, and, where a folder of training pictures is given, of real photos.
What tells scores, boxes, angles and classes stays in float32. SiLU is one operation first, so that the convolution
before it computes it in passing; by itself it costs as much as all convolutions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from verifier.train.cases import Image, cases
from verifier.train.crop_sets import load_hands
from verifier.train.crops import CARD_INPUT, HAND_INPUT
from verifier.train.export import read_facts, write_facts
from verifier.train.real_pictures.split import read_picture
from verifier.train.tune import KINDS
from verifier.train.unseen import make
from verifier.vision.crops import card_crop, hand_crop
from verifier.vision.detection import HAND
from verifier.vision.detector import LONG_SIDE, Detector
from verifier.vision.fitting import fit
from verifier.vision.geometry import Floats
from verifier.vision.models import DETECTOR, find_model
from verifier.vision.runtime import read_model
from verifier.vision.verdicts import CARDS

if TYPE_CHECKING:
    import openvino as ov

FIRST_SEED: Final = 7_100_000
HEAD: Final = "/model.23/"
"""Of the detector."""
LAST: Final = "2"
"""Of the head's three convolutions in a row the last one."""
KEPT: Final = "(Concat|Mul|Add|Sub|Div|Split|Sigmoid|dfl|Cos|Sin|Slice|Softmax).*"
CONVOLUTIONS: Final = ("Convolution", "GroupConvolution")


NAMES: Final = (DETECTOR, "cards", "hands")
"""Models that have such a form. The reader of chips has none: it takes a tenth of a millisecond."""


HANDS: Final = 400
"""Hands kept for validation that join: somewhat more than those of 180 frames."""
WINDOWS: Final = 120
"""Windows of real photos that join the frames, two of them beside each other in a picture: a third as many pictures."""


def quantise(
    models: Path,
    pictures: int = 180,
    names: Sequence[str] = NAMES,
    tick: Callable[[int], object] = int,
    data: Path | None = None,
) -> list[Path]:
    """Write NAME.int8.xml, .bin and .json of each model of `names` beside it in `models`.

    `tick` hears of each frame made. `data` is a folder of training pictures: windows of real photos there join the
    frames, and some of the hands kept for validation join theirs, so that ranges hold for what is real, too.
    """
    frames = list(_frames(pictures, tick))
    cards, hands = _crops(frames, Detector(find_model(DETECTOR, models), threads=1, streams=1))
    if data is not None:
        frames += real_windows(data)
        hands += _kept_hands(data)
    shown = {DETECTOR: [fit(frame, LONG_SIDE).blob[0] for frame in frames], "cards": cards, "hands": hands}
    return [_quantised(models / f"{name}.onnx", shown[name]) for name in names]


def _quantised(source: Path, given: Sequence[Image]) -> Path:
    """Write one network in whole numbers, beside it; `given` are pictures (h, w, 3) as the network gets them.

    Its card has the network's probabilities, but not its figures: those are not of this form.
    """
    import nncf
    import openvino as ov
    from openvino import _offline_transformations as passes

    network = read_model(source)
    passes.apply_moc_transformations(network, False)
    whole = nncf.quantize(
        network,
        nncf.Dataset([_blob(picture) for picture in given]),
        preset=nncf.QuantizationPreset.MIXED,
        subset_size=len(given),
        ignored_scope=nncf.IgnoredScope(names=exact_in(network), patterns=[HEAD + KEPT], validate=False),
    )
    target = source.with_suffix(".int8.xml")
    ov.save_model(whole, str(target), compress_to_fp16=False)
    write_facts(target, {name: fact for name, fact in read_facts(source).items() if name != "validation"})
    return target


def exact_in(network: ov.Model) -> list[str]:
    """Names of what stays in float32: a detector's last convolutions, a reader's products of whole vectors."""
    nodes = [(node.get_friendly_name(), node.get_type_name()) for node in network.get_ordered_ops()]
    last = [name for name, kind in nodes if kind in CONVOLUTIONS and name.startswith(HEAD) and _place(name) == LAST]
    return last or [name for name, kind in nodes if kind == "MatMul"]


def _place(name: str) -> str:
    return name.split("/")[3].split(".")[-1]


def _frames(pictures: int, tick: Callable[[int], object]) -> Iterator[Image]:
    for case in cases(pictures, FIRST_SEED, KINDS, "train"):
        image = make(case).image
        tick(1)
        yield image


def _crops(frames: Sequence[Image], detector: Detector) -> tuple[list[Image], list[Image]]:
    """Return what is read of the frames: crops of cards, and of hands."""
    found = [(frame, d) for frame in frames for d in detector.detect(frame, LONG_SIDE)]
    cards = [card_crop(frame, d.quad, CARD_INPUT) for frame, d in found if d.kind in CARDS]
    return cards, [hand_crop(frame, d.upright, HAND_INPUT) for frame, d in found if d.kind == HAND]


def real_windows(data: Path) -> list[Image]:
    """Up to WINDOWS training windows of real photos of cards and hands, two beside each other in a picture."""
    paths = sorted(path for kind in ("cards", "hands") for path in (data / "images" / "train").glob(f"real-*-{kind}-*"))
    chosen = [paths[i] for i in np.linspace(0, len(paths) - 1, min(WINDOWS, len(paths))).astype(int)]
    windows = [read_picture(path) for path in chosen]
    return [np.hstack(pair) for pair in zip(windows[::2], windows[1::2], strict=False)]


def _kept_hands(data: Path) -> list[Image]:
    """Up to HANDS crops of hands from those kept for validation, from each of its files alike."""
    crops, _, _ = load_hands(sorted((data / "crops").glob("val-*.npz")))
    return [crops[i] for i in np.linspace(0, len(crops) - 1, min(HANDS, len(crops))).astype(int)]


def _blob(picture: Image) -> Floats:
    """Return a picture as the networks get it: (1, 3, h, w), red first, from 0 to 1."""
    return np.ascontiguousarray(picture[None, ..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32) / 255.0
