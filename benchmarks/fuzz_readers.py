# ruff: noqa: E501 - tables of data
"""Gives every reader damaged files for some minutes: each must be read or refused in words, never end in a traceback.

    python benchmarks/fuzz_readers.py [SECONDS] [SEED] [READER]...

Gives each reader SECONDS of processor time, in turns; without a name, all of them. Each begins from files that it
reads well. Bytes are changed, cut, doubled, and words exchanged for those that hurt (huge numbers, deep brackets,
control characters, half letters); in a bundle also those of the files inside, which is then packed again. Prints, for
each reader, how many files were read, how many were refused, the longest time that one file took, and every other
exception with the file that caused it (kept in `out/fuzz`). Exit code 1 where there was one.
"""

from __future__ import annotations

import io
import random
import re
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
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
SLIP = b"0131,101,2026-11-17,9:15 p.m.,7,21,2,yes,50,0,20,0,0,50,0,100,0,0,$150.00,cashier,no,CC,DD,RR,yes\n"
HURTING = (
    b"1e999999", b"-1", b"NaN", b"null", b"9" * 400, b"[" * 3000, b"{" * 3000, b'"\\ud800"', b"\x1b[2J", b"\xe2\x80\xae",
    b"\xff", b"\0", b"true", b"''", b'"', b"\r", b"0x7f", b"&a [*a]", b"!!python/object:os.system", b"2026-13-45", b"1e-400",
)  # fmt: skip
MOST_KEPT = 100
TURN_S = 5.0
"""Seconds of processor time that a reader has at a time: whenever the run is ended, all had as much."""
WORD = re.compile(rb'"[^"]*"|[\w.+-]+')
Reader = Callable[[Path], object]


def readers() -> dict[str, tuple[Reader, str, list[bytes]]]:
    """Name -> the reader, the ending of its files, and files that it reads well."""
    from verifier.formats.coverage import read_coverage
    from verifier.formats.events import read_events
    from verifier.formats.findings import read_findings
    from verifier.formats.house import read_house
    from verifier.formats.layout import read_layout
    from verifier.formats.observations import open_observations
    from verifier.formats.site_records import read_records
    from verifier.law.poker.phh import import_phh
    from verifier.recording.probe import probe
    from verifier.review.bundle.pins import read_pin
    from verifier.review.bundle.verify import verify_bundle
    from verifier.review.documents.daily_checks import read_checks
    from verifier.review.documents.hold_figures import read_figures
    from verifier.review.documents.roster import read_roster
    from verifier.review.records.templates import template
    from verifier.vision.still import read_picture

    def slips(path: Path) -> object:
        return read_records(path, "0131", "fill_slip")

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
        "records": (slips, "csv", [template("fill_slip", "csv") + SLIP, template("fill_slip", "json")]),
        "records workbook": (slips, "zip", [workbook()]),
        "daily checks": (read_checks, "csv", [b"table,picture,clock,recording\n1,yes,yes,yes\n"]),
        "pinned head": (read_pin, "json", [b'{"seq":1,"hash":"00","key":"00","signature":"00"}']),
        "evidence bundle": (lambda path: verify_bundle(path, {}), "zip", [made["bundle"]]),
        "picture": (read_picture, "png", [made["png"], made["jpg"]]),
        "recording": (lambda path: probe(path), "mp4", [made["video"]]),
    }


def workbook() -> bytes:
    """Return a template of slips with one filled in."""
    import openpyxl

    from verifier.review.records.templates import template

    book = openpyxl.load_workbook(io.BytesIO(template("fill_slip", "xlsx")))
    book["fill_slip"].append(SLIP.decode().strip().split(","))
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def made_files() -> dict[str, bytes]:
    """Return the files that a review leaves, by the stages of the tests, in a home that is gone afterwards."""
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
            "bundle": (at / "one.zip").read_bytes(),
            "video": inputs[0].read_bytes(),
            "png": cv2.imencode(".png", picture)[1].tobytes(),
            "jpg": cv2.imencode(".jpg", picture)[1].tobytes(),
        }


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Return the content with one to four faults."""
    data = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        place, length = chance.randrange(len(data) + 1), chance.randint(1, 40)
        match chance.randrange(8):
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
            case 5 | 6:
                exchange_word(data, place, chance)
            case _:
                del data[place if chance.random() < 0.2 else len(data) :]
    return bytes(data)


def exchange_word(data: bytearray, place: int, chance: random.Random) -> None:
    """Replace the first word after a place by another word of the same file, or by one that hurts."""
    word = WORD.search(data, place, place + 2000)
    other = WORD.search(data, chance.randrange(len(data) + 1))
    if word is not None:
        known = other is not None and chance.random() < 0.5
        data[word.start() : word.end()] = other.group()[:2000] if known and other else chance.choice(HURTING)


def damaged_archive(content: bytes, chance: random.Random) -> bytes:
    """Return a bundle with a damaged file inside, names exchanged, doubled or left out; or damaged from outside."""
    if chance.random() < 0.3:
        return damaged(content, chance)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = [(name, archive.read(name)) for name in archive.namelist()]
    place = chance.randrange(len(files))
    name, inside = files[place]
    match chance.randrange(8):
        case 0:
            files.append((chance.choice(files)[0], inside))
        case 1:
            files[place] = (
                chance.choice(("../" + name, "/" + name, name + "\0x", name.upper(), "." + name, name + "/")),
                inside,
            )
        case 2:
            del files[place]
        case _:
            files[place] = (name, damaged(inside, chance))
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w", chance.choice((0, 8))) as archive:
        warnings.simplefilter("ignore")
        for name, inside in files:
            archive.writestr(name, inside)
    return packed.getvalue()


def main() -> int:
    """Run for the time given, or until told to end (SIGTERM, Ctrl+C); print what was done by then."""
    seconds, seed = float((*sys.argv[1:2], "60")[0]), int((*sys.argv[2:3], "41")[0])
    known = readers()
    under_way = [Fuzzed(title, *known[title], random.Random(f"{seed} {title}")) for title in sys.argv[3:] or known]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        going = under_way
        while going:
            going = [one for one in going if one.go_on(seconds)]
    for one in under_way:
        print(one.told())
    print(f"{sum(one.found.total() for one in under_way)} files, seed {seed}")
    return 1 if any(one.found["faults"] for one in under_way) else 0


class Fuzzed:
    """One reader, its chance, and what came of its files so far."""

    def __init__(self, title: str, read: Reader, ending: str, good: list[bytes], chance: random.Random) -> None:
        self._title, self._read, self._ending, self._good, self._chance = title, read, ending, good, chance
        self._damage = damaged_archive if ending == "zip" else damaged
        self.found: Counter[str] = Counter()
        self._spent = self._longest = 0.0

    def go_on(self, seconds: float) -> bool:
        """Damages files for a turn's time; whether time of the `seconds` is left afterwards."""
        end = min(seconds, self._spent + TURN_S)
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / f"damaged.{self._ending}"
            while self._spent < end:
                path.write_bytes(self._damage(self._chance.choice(self._good), self._chance))
                begin = time.process_time()
                self.found[outcome(self._read, path, self._title, ROOT / "out" / "fuzz")] += 1
                took = time.process_time() - begin
                self._spent, self._longest = self._spent + took, max(self._longest, took)
        return self._spent < seconds

    def told(self) -> str:
        """Return the counts in a line."""
        read, refused, faults = (self.found[name] for name in ("read", "refused", "faults"))
        counts = f"{self._title:<18} {read:>8} read {refused:>8} refused {faults:>4} faults"
        return f"{counts} in {self._spent:.0f} s, the longest {self._longest:.2f} s"


def outcome(read: Reader, path: Path, title: str, kept: Path) -> str:
    """Return what became of one file."""
    try:
        read(path)
    except BadInput as error:
        if not any(map(is_hidden, str(error))):
            return "refused"
        told = f"what does not show stands in: {error!r}"
    except Exception:  # noqa: BLE001 - whatever else a reader raises is what is looked for
        told = traceback.format_exc(limit=-2)
    else:
        return "read"
    kept.mkdir(parents=True, exist_ok=True)
    number = len(list(kept.iterdir())) + 1
    if number > MOST_KEPT:
        return "faults"
    (kept / f"{title.replace(' ', '-')}-{number}{path.suffix}").write_bytes(path.read_bytes())
    print(f"{title}: {told}", flush=True)
    return "faults"


if __name__ == "__main__":
    sys.exit(main())
