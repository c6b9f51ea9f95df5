"""Makes the recording that `vision_speed.py` times: `python benchmarks/vision_recording.py OUT [--seconds 180]`.

1920 x 1080, 30 frames a second, H.264 as recorders write it (key frame every two seconds, B-frames, at most
`--bitrate`), sensor noise on every frame. One third play (whole rounds at natural pace), one third resting (play is
held as the first player is to decide: cards and chips lie, the dealer's hands and one player's tremble by about two
millimetres and shift by two centimetres every eight seconds), one third idle (an empty table). The same seed gives the
same pictures. Writes video.mp4, layout.yaml and stretches.json ([kind, start, end] in seconds) into OUT.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import msgspec

from verifier.domain.events import HandSignal, RoundEnded
from verifier.formats.layout import write_layout
from verifier.simulate.commands import look_and_camera
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import Performance, perform
from verifier.simulate.record import encode, pictures
from verifier.simulate.scene import HandSprite, Scene

SEED: Final = 31
SIZE: Final = (1920, 1080)
FPS: Final = 30
TREMBLE_MM: Final = 2.0
SHIFT_MM: Final = 20.0
SHIFT_EVERY: Final = 8.0


@dataclass(frozen=True)
class Stretch:
    """From `start` to `end` (media seconds) the scene runs from `at` on, stands there, or is an empty table."""

    kind: str
    start: float
    end: float
    at: float


@dataclass(frozen=True)
class Shift:
    """A performance with resting and idle stretches put in, as `pictures` takes it."""

    performance: Performance
    stretches: tuple[Stretch, ...]

    @property
    def plan(self) -> Any:
        return self.performance.plan

    @property
    def duration(self) -> float:
        return self.stretches[-1].end

    def scene_at(self, t: float) -> Scene:
        """Return the table at media time `t`; the burned-in clock goes on through all stretches."""
        now = next((s for s in self.stretches if t < s.end), self.stretches[-1])
        into = t - now.start if now.kind == "play" else 0.0
        scene = self.performance.scene_at(now.at + into)
        clock = self.performance.scene_at(t).clock
        if now.kind == "idle":
            return msgspec.structs.replace(scene, t=t, clock=clock, hands=(), cards=(), chips=())
        hands = scene.hands if now.kind == "play" else tuple(_trembling(hand, t - now.start) for hand in scene.hands)
        return msgspec.structs.replace(scene, t=t, clock=clock, hands=hands)


def _trembling(hand: HandSprite, t: float) -> HandSprite:
    """Return a resting hand at time `t`: it trembles, and shifts a little now and then."""
    phase = hand.id * 1.7
    shifted = SHIFT_MM * (int((t + phase) / SHIFT_EVERY) % 2)
    into = min(1.0, ((t + phase) % SHIFT_EVERY) / 0.5)
    shift = shifted * into + (SHIFT_MM - shifted) * (1 - into)
    x = hand.xy[0] + TREMBLE_MM * math.sin(2.1 * t + phase) + shift - SHIFT_MM / 2
    y = hand.xy[1] + TREMBLE_MM * math.sin(2.9 * t + 2 * phase)
    return msgspec.structs.replace(hand, xy=(x, y))


def plan_shift(performance: Performance, seconds: float) -> Shift:
    """Thirds of play, rest and idle; each round is held once, as its first player is to decide."""
    events = performance.events.events
    holds, ends = [], []
    for number in sorted({e.round for e in events if isinstance(e, RoundEnded) and e.round is not None}):
        holds.append(min(e.t_start for e in events if isinstance(e, HandSignal) and e.round == number) + 0.25)
        ends.append(max(e.t_end for e in events if isinstance(e, RoundEnded) and e.round == number))
    third = min(seconds / 3, ends[-1])
    holds = [t for t in holds if t < third]
    stretches: list[Stretch] = []
    t = at = 0.0
    for hold in (*holds, third):
        stretches.append(Stretch("play", t, t + hold - at, at))
        t, at = t + hold - at, hold
        if hold != third:
            stretches.append(Stretch("rest", t, t + third / len(holds), at))
            t += third / len(holds)
    stretches.append(Stretch("idle", t, t + third, at))
    return Shift(performance, tuple(stretches))


def main() -> None:
    """Read the command line and write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--bitrate", type=int, default=4000, help="most kbit/s")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    performance = perform(SEED, options.rounds, spaces=4, shift_change=False, shuffle=False)
    look, camera = look_and_camera(SEED, SIZE, "typical", "test")
    shift = plan_shift(performance, options.seconds)
    options.out.mkdir(parents=True, exist_ok=True)
    frames = pictures(shift, look, camera, FPS)
    encode(options.out / "video.mp4", frames, int(shift.duration * FPS), SIZE, FPS, options.bitrate * 1000)
    layout = layout_for(performance.plan, camera, name="Speed", look=look)
    write_layout(options.out / "layout.yaml", layout)
    stretches = [[s.kind, round(s.start, 3), round(s.end, 3)] for s in shift.stretches]
    (options.out / "stretches.json").write_text(json.dumps(stretches) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
