"""A reconstruction that is kept and taken up again tells what an undisturbed one tells."""

from __future__ import annotations

import pickle

from verifier.domain.observations import ObservationsHeader
from verifier.reconstruct.reconstruction import Reconstruction, reconstruct
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import perform
from verifier.simulate.render.camera import Camera
from verifier.simulate.truth_observations import truth_observations

CAMERA = Camera.straight((640, 360))
HEADER = ObservationsHeader()


def test_a_reconstruction_kept_in_the_middle_of_a_round_gives_the_same_log():
    performance = perform(5, rounds=1, spaces=2, shift_change=False, shuffle=False)
    layout = layout_for(performance.plan, CAMERA, site="0001", table="1")
    seen = list(truth_observations(performance, CAMERA, hz=5.0))
    kept = pickle.dumps(Reconstruction(layout, performance.house, HEADER))
    for first in range(0, len(seen), 40):
        one = pickle.loads(kept)
        for observation in seen[first : first + 40]:
            one.take(observation)
        kept = pickle.dumps(one)
    whole = reconstruct(seen, layout, performance.house, HEADER)
    assert whole.events
    assert pickle.loads(kept).log() == whole
