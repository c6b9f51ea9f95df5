"""Measures how fast a recording is watched: `python benchmarks/vision_speed.py VIDEO [--layout L] [--hz 7.5]`.

Passes over the recording, one after another in this process: decoding what watching needs (frames that it can pass over
are spared); watching with nothing found (adds motion gate and quality); watching with the detector but nothing read
(adds the detector and following); then, `--turns N` times one after the other, decoding alone (every frame, as a plain
player would) and all of watching. Prints for each the wall time as times real time, and the processor time, user and
system, of this process and its children: in seconds, for a second of recording and in milliseconds for a frame of it.
The differences are the stages' cost. Then the ratios of watching to decoding alone in wall and in processor time, which
is the truer one where other work presses on the machine; looks a second by kind of stretch where stretches.json lies
beside the recording; and the peak memory. `--flat MINUTES` instead watches one long file that holds the recording again
and again (joined without encoding anew) and prints the resident memory as it goes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import av

from verifier.domain.layout import Layout
from verifier.domain.observations import Observation
from verifier.formats.layout import read_layout
from verifier.recording.decode import Decoder
from verifier.recording.probe import probe
from verifier.vision.detection import Detection
from verifier.vision.geometry import Bounds
from verifier.vision.motion import wanted
from verifier.vision.networks import Networks, load_networks
from verifier.vision.observe import HZ, observe
from verifier.vision.readers import CardReading, HandReading

SAMPLES: Final = 40


class Way(NamedTuple):
    """How to watch: looks a second while something moves, and the long side in pixels (by default by the layout)."""

    hz: float
    long_side: int | None


class Blind:
    """A finder that finds nothing."""

    def stream(
        self, pictures: Iterable[tuple[Any, Any, Sequence[Bounds]]], long_side: int | None = None
    ) -> Iterator[tuple[Any, list[Detection]]]:
        return ((key, []) for key, _, _ in pictures)

    def detect(self, picture: Any, long_side: int | None = None) -> list[Detection]:
        return []


def timed(work: Callable[[], int], duration: float, frames: int) -> dict[str, float]:
    """Run `work`, which counts, on a recording of `duration` seconds and so many frames; return its figures."""
    wall, used = time.perf_counter(), processor_seconds()
    count = work()
    wall, used = time.perf_counter() - wall, processor_seconds() - used
    return {
        "seconds": round(wall, 2),
        "times_real_time": round(duration / wall, 2),
        "cpu_seconds": round(used, 2),
        "cpu_per_media_second": round(used / duration, 4),
        "cpu_ms_a_frame": round(1000 * used / frames, 3),
        "count": count,
    }


def processor_seconds() -> float:
    """Processor time so far, user and system, of this process and of its children that have ended."""
    return sum(os.times()[:4])


class Unread:
    """Readers that read nothing, in no time."""

    def cards(self, picture: Any, quads: Sequence[Any]) -> list[CardReading]:
        return [CardReading({"A": 1.0}, {"h": 1.0}, 0.0) for _ in quads]

    def aside(self, picture: Any, quads: Sequence[Any]) -> list[Mapping[str, float]]:
        return [{"A": 1.0} for _ in quads]

    def chips(self, picture: Any, found: Sequence[Detection]) -> list[Mapping[str, float]]:
        return [{"red": 1.0} for _ in found]

    def hands(self, picture: Any, found: Sequence[Detection]) -> list[HandReading]:
        return [HandReading({"left": 1.0}, {"back": 1.0}, {"5": 1.0}, {"dealer": 1.0}) for _ in found]


def peak_mib() -> float:
    """Peak resident memory of this process in MiB (Linux counts KiB, macOS bytes)."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def resident_mib() -> float:
    """Memory resident now in MiB; nan where the system does not tell (not Linux)."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.is_file() else []
    return next((round(int(line.split()[1]) / 1024, 1) for line in lines if line.startswith("VmRSS:")), float("nan"))


def measure(
    video: Path, table: Layout | None, way: Way, networks: Networks, *, stages: bool, turns: int
) -> dict[str, Any]:
    """Return the figures of one recording, less loading the models; building the networks is in the first turn."""
    facts = probe(video)
    duration = facts.info.duration or 0.0
    seen: list[Observation] = []

    def watched(using: Networks) -> int:
        seen[:] = observe(video, table, networks=using, hz=way.hz, long_side=way.long_side)
        return len(seen)

    def decoded() -> int:
        return sum(1 for _ in Decoder(facts))

    parts: dict[str, Callable[[], int]] = {}
    if stages:
        parts["spared"] = lambda: sum(1 for _ in Decoder(facts, wanted=wanted(facts, way.hz)))
        parts["blind"] = lambda: watched(Networks(Blind(), Unread(), networks.identities, networks.text))
        parts["unread"] = lambda: watched(Networks(networks.finder, Unread(), networks.identities, networks.text))
    frames = len(facts.times)
    figures = {name: timed(work, duration, frames) for name, work in parts.items()}
    pairs = [
        (timed(decoded, duration, frames), timed(lambda: watched(networks), duration, frames)) for _ in range(turns)
    ]
    return {
        "video": str(video),
        "size": [facts.info.width, facts.info.height],
        "fps": facts.info.fps_nominal,
        "duration": duration,
        **figures,
        "decode": [decode for decode, _ in pairs],
        "watch": [watch for _, watch in pairs],
        "watch_to_decode": [_ratio(watch, decode, "seconds") for decode, watch in pairs],
        "watch_to_decode_cpu": [_ratio(watch, decode, "cpu_seconds") for decode, watch in pairs],
        "looks_a_second": _paces(video, seen),
        "peak_mib": peak_mib(),
    }


def _ratio(one: Mapping[str, float], other: Mapping[str, float], what: str) -> float:
    return round(one[what] / max(other[what], 1e-6), 2)


def _paces(video: Path, seen: Sequence[Observation]) -> dict[str, float]:
    """Return the looks a second by kind of stretch."""
    file = video.parent / "stretches.json"
    if not file.is_file():
        return {}
    lengths: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for kind, start, end in json.loads(file.read_text(encoding="utf-8")):
        lengths[kind] += end - start
        counts[kind] += sum(start <= o.t < end for o in seen)
    return {kind: round(counts[kind] / length, 2) for kind, length in lengths.items()}


def flat(video: Path, table: Layout | None, way: Way, networks: Networks, minutes: float) -> dict[str, Any]:
    """Resident memory over one file that holds the recording many times."""
    with tempfile.TemporaryDirectory() as folder:
        long = Path(folder) / "long.mp4"
        times = repeated(video, long, minutes * 60)
        watch = observe(long, table, networks=networks, hz=way.hz, long_side=way.long_side)
        samples: list[tuple[float, float]] = []
        start, every = time.perf_counter(), minutes * 60 / SAMPLES
        for seen in watch:
            if seen.t >= every * len(samples):
                samples.append((round(seen.t / 60, 1), resident_mib()))
                print("minute {}: {} MiB".format(*samples[-1]), file=sys.stderr, flush=True)
        wall = time.perf_counter() - start
        return {
            "minutes": minutes,
            "repeats": times,
            "times_real_time": round(minutes * 60 / wall, 2),
            "covered": watch.coverage.share,
            "resident_mib": samples,
            "peak_mib": peak_mib(),
        }


def repeated(video: Path, out: Path, seconds: float) -> int:
    """Write the packets of a recording over and over until `seconds` are filled; return how often."""
    length, count = probe(video).info.duration or 1.0, 0
    with av.open(str(out), "w", options={"movflags": "faststart"}) as target:
        stream = None
        while count * length < seconds:
            with av.open(str(video)) as source:
                track = source.streams.video[0]
                stream = stream or target.add_stream_from_template(track)
                for packet in source.demux(track):
                    if packet.dts is None or packet.pts is None or packet.time_base is None:
                        continue
                    shift = round(count * length / packet.time_base)
                    packet.pts, packet.dts, packet.stream = packet.pts + shift, packet.dts + shift, stream
                    target.mux(packet)
            count += 1
    return count


def main() -> None:
    """Read the command line and print one JSON object a video."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", type=Path, nargs="+")
    parser.add_argument("--layout", type=Path, help="default: layout.yaml beside the video, where there is one")
    parser.add_argument("--hz", type=float, default=HZ)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--long-side", type=int, help="pixels of the detector's long side; default: by the layout")
    parser.add_argument("--precision", choices=("f32", "bf16", "int8"), help="default: what is quickest here")
    parser.add_argument("--no-stages", action="store_true", help="only decoding alone and all of watching")
    parser.add_argument("--turns", type=int, default=1, help="how often decoding alone and all of watching are timed")
    parser.add_argument("--flat", type=float, metavar="MINUTES", help="watch the memory over so long a file instead")
    options = parser.parse_args()
    networks = load_networks(options.models, faint_hands=True, precision=options.precision)
    way = Way(options.hz, options.long_side)
    for video in options.video:
        beside = video.parent / "layout.yaml"
        layout = options.layout or (beside if beside.is_file() else None)
        table = read_layout(layout) if layout else None
        if options.flat:
            figures = flat(video, table, way, networks, options.flat)
        else:
            figures = measure(video, table, way, networks, stages=not options.no_stages, turns=options.turns)
        print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
