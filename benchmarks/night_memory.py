"""Shows whether memory grows with a recording's length: `python benchmarks/night_memory.py OUT [--hours 8]`.

What was seen in a sample recording (watched once, kept in OUT) is repeated, moved in time, as one stream of so many
hours, without a picture. The stream runs through the reconstruction as it does when a shift is concluded, then the law
judges the log. Prints the memory in use after each half hour of recording, the seconds, and the most memory. Watching
is not in it: that is done in segments of two minutes, each by itself.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path
from typing import Final

from night_conclude import SAMPLE, repeated, watched

from verifier.formats.house import read_house
from verifier.formats.layout import read_layout
from verifier.law.judge import judge
from verifier.reconstruct.reconstruction import Reconstruction
from verifier.review.pipeline.values import Segment

STEP_S: Final = 1800.0


def resident_mib() -> int:
    """Memory that this process has in use now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 20


def main() -> None:
    """Reconstructs and judges the stream, and tells the memory as it goes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--hours", type=float, default=8.0)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    header, seen, length = watched(options.out)
    reconstructor = Reconstruction(read_layout(SAMPLE / "layout.yaml"), read_house(SAMPLE / "house.yaml"), header)
    began = time.process_time()
    print(f"before the first look {resident_mib()} MiB", flush=True)
    for number in range(round(options.hours * 3600 / STEP_S)):
        begin = number * STEP_S
        for one in repeated(seen, length, Segment(warm=begin, begin=begin, end=begin + STEP_S, first=False)):
            reconstructor.take(one)
        print(f"after {(number + 1) * STEP_S / 3600:.1f} h {resident_mib()} MiB", flush=True)
    log = reconstructor.log()
    report = judge(log)
    print(f"{len(log.events)} events, {len(report.findings)} findings: {resident_mib()} MiB")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{time.process_time() - began:.0f} processor seconds, at most {most} MiB")


if __name__ == "__main__":
    main()
