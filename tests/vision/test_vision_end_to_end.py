"""The shipped models on a rendered, encoded stretch of play, against its truth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from verifier.domain.observations import Observation
from verifier.vision.observe import observe

START = 44.0


def matched(truth: list, seen: list, place: Callable[[object], np.ndarray], within: float) -> list[tuple]:
    pairs = []
    for real in truth:
        near = [s for s in seen if np.linalg.norm(place(s) - place(real)) <= within]
        if near:
            pairs.append((real, min(near, key=lambda s: float(np.linalg.norm(place(s) - place(real))))))
    return pairs


@pytest.mark.slow
def test_a_stretch_of_play_is_seen_as_it_was(encode: Callable[..., Path]) -> None:
    from verifier.simulate.commands import look_and_camera
    from verifier.simulate.perform import perform
    from verifier.simulate.render import Renderer, annotate

    performance = perform(4242, 1)
    look, camera = look_and_camera(4242, (1280, 720), "easy", "test")
    renderer = Renderer(performance.plan, look, camera)

    def draw(picture: np.ndarray, time: int) -> None:
        picture[:] = renderer.render(performance.scene_at(START + time / 1000))

    path = encode(range(0, 2000, 100), size=(1280, 720), draw=draw)
    cards: list[tuple] = []
    chips: list[tuple] = []
    true_cards = true_chips = 0
    last: Observation | None = None
    for seen in observe(path):
        truth = annotate(performance.scene_at(START + seen.t), camera, performance.plan)
        real = [card for card in truth.cards if card.visible is None or card.visible >= 0.3]
        true_cards, true_chips = true_cards + len(real), true_chips + len(truth.chips)
        cards += matched(real, seen.cards, lambda c: np.mean(c.quad, axis=0), 20.0)
        chips += matched(truth.chips, seen.chips, lambda c: np.asarray(c.center), 10.0)
        last = seen
    assert last is not None
    assert true_cards > 20
    assert len(cards) >= 0.9 * true_cards
    assert len(chips) >= 0.8 * true_chips
    up = [(real, seen) for real, seen in cards if real.face == seen.face == "up"]
    assert sum(real.rank == seen.rank for real, seen in up) >= 0.85 * len(up)
    assert len({card.id for card in last.cards}) == len(last.cards)
