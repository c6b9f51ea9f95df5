"""The trained detector (YOLO26n-obb, see models/detector.md) on the processor: cards, chips and hands of a picture."""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, Final, Generic

import numpy as np

from verifier.domain.errors import BadInput
from verifier.recording.decode import Picture
from verifier.vision.detection import (
    ALIKE,
    CHIP,
    CLASSES,
    HAND,
    MIN_P,
    WATCHING,
    Detection,
    K,
    with_apart,
    without_doubles,
)
from verifier.vision.fitting import Fitted, fit
from verifier.vision.geometry import Bounds, Floats
from verifier.vision.models import ModelFile
from verifier.vision.nearer import NEARER, WINDOW, windows, within
from verifier.vision.regions import whole_in
from verifier.vision.runtime import RESTORE, Requests, compile_model, cores, read_model, with_byte_pictures

LONG_SIDE: Final = 960
FAINT: Final = 0.1
"""Least probability of a faint hand."""
SIZES: Final = 18
"""Sizes for which the network is kept built: those of two recordings watched in turns. Each takes half a second and
some 30 MiB."""
ROUNDING: Final = 1e-5
"""Room for rounding below a score that is worth a look at its probability."""


class Detector:
    """Runs the network with several requests at once, results in order.

    For each size of a recording's parts the network is built anew: built for any size, it is half as slow again. Those
    that another recording needed make way. Each runs on its share of the cores, `threads` or as many as the pictures
    under way leave it: more threads than cores would wait for each other. Threads of the program may share a detector.

    Takes both of Ultralytics' output layouts: the raw head (1, 4 + classes + 1, anchors), whose doubles are suppressed
    here, and the end-to-end one (1, n, 7) of cx, cy, w, h, score, class, angle.
    """

    def __init__(
        self,
        model: ModelFile,
        *,
        long_side: int | None = None,
        streams: int = 2,
        threads: int = 0,
        min_p: float = MIN_P,
        faint_hands: bool = False,
        precision: str = "f32",
    ) -> None:
        if list(model.card.classes) != list(CLASSES):
            raise BadInput(model.path, f"finds {model.card.classes}, not {list(CLASSES)}", RESTORE)
        self.long_side = long_side or model.card.long_side or LONG_SIDE
        self._model = model
        self._min_p = min_p
        self._faint = min(FAINT, min_p) if faint_hands else None
        self._streams = streams
        self._options: dict[str, Any] = {"threads": threads, "precision": precision}
        self._share = {"threads": threads or max(1, cores() // streams)}
        self._network: Any = read_model(model.path)
        self._sizes: OrderedDict[tuple[int, ...], Requests] = OrderedDict()
        self._building = Lock()

    def stream(
        self, pictures: Iterable[tuple[K, Picture, Sequence[Bounds]]], long_side: int | None = None
    ) -> Iterator[tuple[K, list[Detection]]]:
        """Yield what lies whole in one of the bounds of each picture (h, w, 3) blue-first, in order.

        `streams` pictures are under way.
        `long_side` is that of the whole picture as the network gets it, in pixels; by default the detector's own.
        """
        waiting: deque[_Pending[K]] = deque()
        for key, picture, parts in pictures:
            if len(waiting) >= self._streams:
                done = waiting.popleft()
                yield done.key, self._watched(done)
            fitted = [fit(picture, long_side or self.long_side, part) for part in parts]
            running = [self._start(part, self._for_size(part.blob.shape)) for part in fitted]
            waiting.append(_Pending(key, picture, running))
        for done in waiting:
            yield done.key, self._watched(done)

    def detect(self, picture: Picture, long_side: int | None = None) -> list[Detection]:
        """Return detections of one picture (h, w, 3) blue-first, looked at with the given long side."""
        running = self._start(fit(picture, long_side or self.long_side), self._any_size)
        return self._finish(_Pending(None, picture, [running]))

    @cached_property
    def _any_size(self) -> Requests:
        network = with_byte_pictures(self._network.clone())
        return Requests(compile_model(network, streams=self._streams, **self._options))

    def _for_size(self, shape: tuple[int, ...]) -> Requests:
        """Return the network built for blobs (1, h, w, 3). The network that was not needed for longest makes way for a
        new one.
        """
        with self._building:
            if shape not in self._sizes:
                while len(self._sizes) >= SIZES:
                    self._sizes.popitem(last=False)
                self._sizes[shape] = self._built(shape)
            self._sizes.move_to_end(shape)
            return self._sizes[shape]

    def _built(self, shape: tuple[int, ...]) -> Requests:
        network = self._network.clone()
        network.reshape([1, 3, *shape[1:3]])
        options = self._options | self._share
        return Requests(compile_model(with_byte_pictures(network), streams=1, **options))

    def _start(self, fitted: Fitted, network: Requests) -> _Running:
        """Start a request of the network."""
        request = network.take()
        request.start_async({0: fitted.blob}, share_inputs=True)
        return _Running(fitted, network, request)

    def _finish(self, done: _Pending[Any], alike: Mapping[str, tuple[float, float]] = ALIKE) -> list[Detection]:
        height, width = done.picture.shape[:2]
        found = [
            d for part in done.parts for d in self._found(part) if whole_in(d, part.fitted.bounds, (width, height))
        ]
        return with_apart(without_doubles(found, alike), found)

    def _watched(self, done: _Pending[Any]) -> list[Detection]:
        """Return what a picture shows; look at chips that lie close from nearer."""
        found = self._finish(done, WATCHING)
        longest = max(done.picture.shape[:2])
        scale = min((part.fitted.scale for part in done.parts), default=1.0)
        fine = min(1.0, NEARER * scale)
        chips = [d for d in found if d.kind == CHIP and d.p >= MIN_P]
        if fine <= scale or len(chips) < 2:
            return found
        boxes = np.stack([d.box for d in chips])
        size = (done.picture.shape[1], done.picture.shape[0])
        squares = windows(boxes[:, :2], boxes[:, 2:4].mean(axis=1), round(WINDOW / fine), size)
        fitted = [fit(done.picture, round(fine * longest), square) for square in squares]
        running = [self._start(part, self._for_size(part.blob.shape)) for part in fitted]
        for square, part in zip(squares, running, strict=True):
            found = [d for d in found if d.kind != CHIP or not within(d.centre, square)]
            found += [d for d in self._found(part) if d.kind == CHIP and within(d.centre, square)]
        return without_doubles(found, WATCHING) if squares else found

    def _found(self, part: _Running) -> list[Detection]:
        part.request.wait()
        output = np.asarray(part.request.get_output_tensor(0).data)[0]
        raw = output.shape[-1] != 7 or output.shape[0] == len(CLASSES) + 5
        boxes, scores, kinds = (_raw if raw else _end_to_end)(output, self._floors)
        boxes[:, :4] /= part.fitted.scale
        boxes[:, :2] += part.fitted.bounds[:2]
        part.network.give_back(part.request)
        seen = (
            self._detection(CLASSES[kind], float(score), box)
            for box, score, kind in zip(boxes, scores, kinds, strict=True)
        )
        return [d for d in seen if d is not None]

    def _detection(self, kind: str, score: float, box: Floats) -> Detection | None:
        p = self._probability(kind, score)
        faint = p < max(self._min_p, self._model.card.thresholds.get(kind, 0.0))
        if faint and (kind != HAND or self._faint is None or p < self._faint):
            return None
        return Detection(kind, p, box, faint)

    @cached_property
    def _floors(self) -> Floats:
        """(classes,) scores below which an object of a class is too unsure to count, not even as a faint one."""
        return np.array([self._score(kind, self._least(kind)) for kind in CLASSES], np.float32) - ROUNDING

    def _least(self, kind: str) -> float:
        """Return the least probability of an object of a class that counts, if only as a faint one."""
        if kind == HAND and self._faint is not None:
            return self._faint
        return max(self._min_p, self._model.card.thresholds.get(kind, 0.0))

    def _score(self, kind: str, p: float) -> float:
        """Return the score that means a probability."""
        scale, bias = self._model.card.calibration.get(kind, (1.0, 0.0))
        return 1 / (1 + math.exp(-(math.log(p / (1 - p)) - bias) / scale)) if 0 < p < 1 else p

    def _probability(self, kind: str, score: float) -> float:
        scale, bias = self._model.card.calibration.get(kind, (1.0, 0.0))
        score = min(max(score, 1e-6), 1 - 1e-6)
        return 1 / (1 + math.exp(-(scale * math.log(score / (1 - score)) + bias)))


@dataclass(frozen=True, slots=True)
class _Running:
    """A request under way; `network` takes it back."""

    fitted: Fitted
    network: Requests
    request: Any


@dataclass(frozen=True, slots=True)
class _Pending(Generic[K]):
    key: K
    picture: Picture
    parts: list[_Running]


def _raw(output: Floats, floors: Floats) -> tuple[Floats, Floats, Any]:
    """(4 + classes + 1, anchors) -> boxes (n, 5), scores (n,), class numbers (n,)."""
    scores = output[4:-1]
    some = np.flatnonzero(scores.max(axis=0) >= floors.min())
    scores = scores[:, some]
    best, kinds = scores.max(axis=0), scores.argmax(axis=0)
    enough = best >= floors[kinds]
    keep = some[enough]
    boxes = np.concatenate([output[:4, keep], output[-1:, keep]]).T
    return np.ascontiguousarray(boxes, np.float32), best[enough], kinds[enough]


def _end_to_end(output: Floats, floors: Floats) -> tuple[Floats, Floats, Any]:
    rows = output[output[:, 4] >= floors[output[:, 5].astype(int)]]
    boxes = np.concatenate([rows[:, :4], rows[:, 6:7]], axis=1)
    return np.ascontiguousarray(boxes, np.float32), rows[:, 4], rows[:, 5].astype(int)
