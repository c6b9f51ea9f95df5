# ruff: noqa: E501 - tables of data
"""Gives every reader damaged files for some minutes: each must be read or refused in words, never end in a traceback.

    python benchmarks/fuzz_readers.py [SECONDS] [SEED]

Each reader begins from files that it reads well. Bytes are changed, cut, doubled, and words exchanged for those that
hurt (huge numbers, deep brackets, control characters, half letters). Prints, for each reader, how many files were read,
how many were refused, and every other exception with the file that caused it (kept in `out/fuzz`). Exit code 1 where
there was one.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from verifier.domain.errors import BadInput
from verifier.domain.names import is_hidden

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "sample_videos" / "flagged"
HAND = b"""variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ["d dh p1 AsKs", "d dh p2 2c3d", "p2 f"]
year = 2026
month = 11
day = 17
"""
FIGURES = b"site,day,game,dealer,gross_proceeds,prizes\n0131,2026-08-17,twenty-one,Lee,1000.50,900\n"
ROSTER = b"site,day,shift,person,duty\n0131,2026-08-17,evening,Lee,twenty-one\n"
HURTING = (
    b"1e999999", b"-1", b"NaN", b"null", b"9" * 400, b"[" * 3000, b"{" * 3000, b'"\\ud800"', b"\x1b[2J", b"\xe2\x80\xae",
    b"\xff", b"\0", b"true", b"''", b'"', b"\r", b"0x7f", b"&a [*a]", b"!!python/object:os.system", b"2026-13-45", b"1e-400",
)  # fmt: skip
Reader = Callable[[Path], object]


def readers() -> dict[str, tuple[Reader, str, list[bytes]]]:
    """Name -> the reader, the ending of its files, and files that it reads well."""
    from verifier.formats.coverage import read_coverage
    from verifier.formats.events import read_events
    from verifier.formats.findings import read_findings
    from verifier.formats.house import read_house
    from verifier.formats.layout import read_layout
    from verifier.formats.observations import open_observations
    from verifier.law.poker.phh import import_phh
    from verifier.recording.probe import probe
    from verifier.review.bundle.pins import read_pin
    from verifier.review.bundle.verify import verify_bundle
    from verifier.review.documents.daily_checks import read_checks
    from verifier.review.documents.hold_figures import read_figures
    from verifier.review.documents.roster import read_roster
    from verifier.vision.still import read_picture

    made = made_files()
    return {
        "layout": (read_layout, "yaml", [(SAMPLE / "layout.yaml").read_bytes()]),
        "house options": (read_house, "yaml", [(SAMPLE / "house.yaml").read_bytes()]),
        "events": (read_events, "jsonl", [made["events.jsonl"]]),
        "observations": (lambda path: list(open_observations(path)), "jsonl", [made["observations.jsonl"]]),
        "findings": (read_findings, "json", [made["findings.json"]]),
        "coverage": (read_coverage, "json", [made["coverage.json"]]),
        "hand history": (import_phh, "phh", [HAND]),
        "hand histories": (import_phh, "phhs", [b"[1]\n" + HAND + b"[2]\n" + HAND]),
        "hold figures": (read_figures, "csv", [FIGURES]),
        "roster": (read_roster, "csv", [ROSTER]),
        "daily checks": (read_checks, "csv", [b"table,picture,clock,recording\n1,yes,yes,yes\n"]),
        "pinned head": (read_pin, "json", [b'{"seq":1,"hash":"00","key":"00","signature":"00"}']),
        "evidence bundle": (lambda path: verify_bundle(path, {}), "zip", [made["bundle"]]),
        "picture": (read_picture, "png", [made["png"], made["jpg"]]),
        "recording": (lambda path: probe(path), "mp4", [made["video"]]),
    }


def made_files() -> dict[str, bytes]:
    """What a review leaves, by the stages of the tests, in a home that is gone afterwards."""
    import os

    import cv2
    import numpy as np

    sys.path.insert(0, str(ROOT / "tests"))
    with tempfile.TemporaryDirectory() as name:
        at = Path(name)
        os.environ["VERIFIER_HOME"] = str(at / "home")
        from review_fakes import SHOWN, fake_stages, finding, write_inputs

        from verifier.review.bundle.collect import collect_review
        from verifier.review.bundle.write import write_bundle
        from verifier.review.recording import review_recording
        from verifier.store.repository import Store

        inputs = write_inputs(at)
        review = review_recording(*inputs, at / "out", stages=fake_stages(SHOWN, finding()))
        write_bundle(Store(), collect_review(Store(), review.review.id), at / "one.zip", "Kim")
        names = ("events.jsonl", "observations.jsonl", "findings.json", "coverage.json")
        picture = np.arange(64 * 48 * 3, dtype=np.uint8).reshape(48, 64, 3)
        return {
            **{one: (at / "out" / one).read_bytes() for one in names},
            "bundle": (at / "one.zip").read_bytes(), "video": inputs[0].read_bytes(),
            "png": cv2.imencode(".png", picture)[1].tobytes(), "jpg": cv2.imencode(".jpg", picture)[1].tobytes(),
        }  # fmt: skip


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The content with one to four faults."""
    data = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        place, length = chance.randrange(len(data) + 1), chance.randint(1, 40)
        match chance.randrange(6):
            case 0:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[place : place + length]
            case 2:
                data[place:place] = data[place : place + length]
            case 3:
                data[place : place + chance.randint(0, 8)] = chance.choice(HURTING)
            case 4:
                other = chance.randrange(len(data) + 1)
                data[place : place + length] = data[other : other + length]
            case _:
                del data[place if chance.random() < 0.2 else len(data) :]
    return bytes(data)


def main() -> int:
    """Runs for the time that is given."""
    seconds, seed = float((*sys.argv[1:2], "60")[0]), int((*sys.argv[2:3], "41")[0])
    chance, known = random.Random(seed), readers()
    counts: dict[str, Counter[str]] = {name: Counter() for name in known}
    kept = ROOT / "out" / "fuzz"
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        while time.monotonic() < end:
            for title, (read, ending, good) in known.items():
                path = Path(name) / f"damaged.{ending}"
                path.write_bytes(damaged(chance.choice(good), chance))
                counts[title][outcome(read, path, title, kept)] += 1
    for title, found in counts.items():
        print(f"{title:<18} {found['read']:>8} read {found['refused']:>8} refused {found['faults']:>4} faults")
    print(f"{sum(map(Counter.total, counts.values()))} files in {seconds:.0f} s, seed {seed}")
    return 1 if any(found["faults"] for found in counts.values()) else 0


def outcome(read: Reader, path: Path, title: str, kept: Path) -> str:
    """What became of one file."""
    try:
        read(path)
    except BadInput as error:
        if not any(map(is_hidden, str(error))):
            return "refused"
    except Exception:  # noqa: BLE001 - whatever else a reader raises is what is looked for
        pass
    else:
        return "read"
    kept.mkdir(parents=True, exist_ok=True)
    number = len(list(kept.iterdir())) + 1
    (kept / f"{title.replace(' ', '-')}-{number}{path.suffix}").write_bytes(path.read_bytes())
    print(f"{title}: {traceback.format_exc(limit=-2)}")
    return "faults"


if __name__ == "__main__":
    sys.exit(main())
