"""A store as a large organization has it, with the dashboard served on it and a browser, for the room's benchmarks.

Every recording is one file of an hour, made of the same seconds again and again; its log and its observations have as
many lines as an hour's review writes, and each finding has a clip and a still. Only the pictures are not real, and the
recordings, clips and stills are links to one file of each kind: the computer keeps them in memory, where real ones are
read from the disk.
"""

from __future__ import annotations

import gzip
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import av
import cv2
import msgspec
import numpy as np
from msgspec import Struct
from playwright.sync_api import Page, sync_playwright
from sqlalchemy import insert, text

from verifier.domain.events import AnyEvent, CardDealt, EventLog, EventsHeader, PayoffPlaced, WagerPlaced
from verifier.domain.findings import Finding
from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation, ObservationsHeader
from verifier.formats.events import write_events
from verifier.formats.layout import write_layout
from verifier.formats.observations import ObservationWriter
from verifier.law.catalogue import clauses
from verifier.recording.probe import probe
from verifier.review.clips import make_clip
from verifier.review.frames import frames_at
from verifier.review.originals import timeline_name
from verifier.review.people.accounts import NewAccount, create, create_first
from verifier.review.people.roles import Role
from verifier.store.database import database_url, open_engine
from verifier.store.repository import Store
from verifier.store.room.urgency import urgency
from verifier.store.tables import FindingRow, ReviewRow

HOUR_S, LOOP_S, FPS, SIZE, KEY_FRAMES = 3600, 20, 25, (1280, 720), 50
ROUNDS, ROUND_S, LOOK_S = 60, 60.0, 0.2
CLIP_S = 8.0
CLIP, STILL = "clip.mp4", "still.jpg"
KEPT = ("events.jsonl", "observations.jsonl.gz", "layout.yaml", timeline_name(0), CLIP, STILL)
"""What each review's folder holds: links to one file of each kind."""
PASSWORD = "correct horse battery"
SITES, TABLES = 4, 5


def make_hour(path: Path) -> Path:
    """Write an hour of H.264 with a key frame every two seconds."""
    draw = np.random.default_rng(1)
    noise = draw.integers(0, 255, (SIZE[1] // 40, SIZE[0] // 40, 3), np.uint8).repeat(40, 0).repeat(40, 1)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "ultrafast", "bf": "0", "crf": "40"})
        stream.width, stream.height, stream.pix_fmt, stream.gop_size = *SIZE, "yuv420p", KEY_FRAMES
        shots = (av.VideoFrame.from_ndarray(np.roll(noise, number * 2, 1), "rgb24") for number in range(LOOP_S * FPS))
        made = [packet for shot in (*shots, None) for packet in stream.encode(shot)]
        base = made[0].time_base
        step = round(1 / FPS / base)
        for number in range(HOUR_S * FPS):
            like = made[number % len(made)]
            packet = av.Packet(bytes(like))
            packet.stream, packet.time_base, packet.is_keyframe = stream, base, like.is_keyframe
            packet.pts = packet.dts = number * step
            packet.duration = step
            container.mux(packet)
    return path


def make_log(path: Path) -> None:
    """Write a log of an hour of rounds with five bettors each."""
    events: list[AnyEvent] = []

    def add(type_: type[Any], number: int, at_s: float, /, **fields: object) -> None:
        start = (number - 1) * ROUND_S + at_s
        name = f"e{len(events)}"
        events.append(type_(id=name, t_start=start, t_end=start + 0.5, p=0.97, source="video", round=number, **fields))

    for number in range(1, ROUNDS + 1):
        for space in range(1, 6):
            at = f"space:{space}"
            add(WagerPlaced, number, space, at=at, kind="original", cents=500)
            for turn, card in enumerate(("Kh", "9s"), 1):
                ranks = {card[0]: 0.9, "Q": 0.1}
                add(
                    CardDealt, number, 10 + 5 * turn + space, card=card, to=at, face="up", seq=space * turn, ranks=ranks
                )
            add(PayoffPlaced, number, 40 + space, at=at, kind="original", cents=500)
        for turn, card in enumerate(("Kc", "9d"), 1):
            add(CardDealt, number, 16 + 5 * turn, card=card, to="dealer", face="up", seq=10 + turn)
    header = EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one", site="0", table="1")
    write_events(path, EventLog(header, tuple(sorted(events, key=lambda event: event.t_start))))


def make_observations(path: Path) -> None:
    """Write an hour of looks, five a second, at ten cards, eight stacks and four hands."""
    plain = path.with_suffix("")
    box = ((40.0, 30.0), (62.0, 30.0), (62.0, 60.0), (40.0, 60.0))
    cards = [
        CardSeen(id=n, face="up", p=0.9, rank="K", suit="h", quad=box, ranks={"K": 0.9, "Q": 0.1}) for n in range(10)
    ]
    chips = [ChipSeen(id=20 + n, p=0.9, colour="red", center=(300.0, 200.0), radius=20.0) for n in range(8)]
    hands = [
        HandSeen(id=40 + n, owner="dealer", side="left", facing="back", p=0.9, box=(150, 90, 190, 130))
        for n in range(4)
    ]
    with ObservationWriter(plain, ObservationsHeader(sample_hz=5.0)) as writer:
        for look in range(int(HOUR_S / LOOK_S)):
            t = round(look * LOOK_S, 3)
            writer.write(Observation(t=t, frame=look * 5, cards=cards, chips=chips, hands=hands))
    path.write_bytes(gzip.compress(plain.read_bytes(), 1))
    plain.unlink()


def make_layout(path: Path) -> None:
    """Write a layout of seven spaces in a row."""
    width, height = SIZE

    def box(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float]]:
        return [(x * width, y * height) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]

    spaces = {n: SpaceZones(area=box(0.13 * n - 0.1, 0.1, 0.13 * n, 0.4)) for n in range(1, 8)}
    zones = Zones(dealer=box(0.3, 0.8, 0.7, 0.99), inner=box(0.3, 0.5, 0.7, 0.75))
    write_layout(path, Layout(version=1, image_size=SIZE, pixels_per_mm=0.8, zones=zones, spaces=spaces))


def make_pictures(video: Path, home: Path) -> None:
    """Make the recording's timeline, and a clip and a still as each finding has them."""
    whole = probe(video)
    with (home / timeline_name(0)).open("wb") as stream:
        whole.timeline.write(stream, whole.facts)
    make_clip(whole, 0.0, CLIP_S, home / CLIP)
    ((_, picture),) = frames_at(video, [CLIP_S / 2])
    cv2.imwrite(str(home / STILL), picture)


def review_rows(count: int, home: Path, video: Path) -> Iterator[dict[str, Any]]:
    """So many recordings of twenty tables at four sites, day after day, each with a folder of its own."""
    first, sha256 = date(2026, 10, 5), probe(video).info.sha256
    for number in range(count):
        day = (first + timedelta(days=number // (SITES * TABLES))).isoformat()
        folder = home / "evidence" / f"{number:012x}"
        folder.mkdir(parents=True)
        for name in KEPT:
            (folder / name).hardlink_to(home / name)
        yield {
            "id": f"{number:012x}",
            "video_sha256": sha256,
            "video_name": f"table{number}.mp4",
            "site": f"{number % SITES:04d}",
            "table_name": str(number // SITES % TABLES + 1),
            "play_date": day,
            "rulebook": "nd-twenty-one",
            "law_as_of": "2025-01-01",
            "folder": str(folder),
            "duration": float(HOUR_S),
            "reviewed_seconds": float(HOUR_S),
            "coverage": 1.0,
            "clock_start": f"{day}T20:00:00",
            "gaps": '[[1200.0, 1290.0, "damaged here"]]' if number % 4 == 0 else "[]",
            "clock_end": f"{day}T21:00:00",
            "reviewed_at": f"{day}T23:59:59",
            "video_path": str(video),
        }


def finding_rows(reviews: int, each: int) -> Iterator[dict[str, Any]]:
    """So many findings of each review, of clauses and severities at random; each rests on an event of the log."""
    chance, known = random.Random(1), clauses("nd-twenty-one")
    for review in range(reviews):
        for seq in range(1, each + 1):
            clause, number = chance.choice(known), chance.randrange(1, ROUNDS + 1)
            t = (number - 1) * ROUND_S + chance.randrange(3, 50)
            made = Finding(
                clause=clause.id,
                cite=clause.cite,
                title=clause.title,
                severity=clause.severity,
                round=number,
                verdict=chance.choice(("violation", "undetermined")),
                at="space:3",
                t_start=t,
                t_end=t + 2,
                clock=None,
                p=round(chance.random(), 2),
                expected=clause.requirement,
                observed="as seen",
                events=[f"e{(number - 1) * 22 + 6}"],
            )
            decision = chance.choice(("open", "open", "open", "confirmed"))
            yield {
                "id": f"{review:012x}-{seq:04d}",
                "review_id": f"{review:012x}",
                "seq": seq,
                "digest": f"{review * each + seq:064x}",
                "current": True,
                "clause": clause.id,
                "verdict": made.verdict,
                "body": msgspec.json.encode(made).decode(),
                "clip": CLIP,
                "stills": f'["{STILL}"]',
                "urgency": urgency(made),
                "dealer": f"D{review % 90}",
                "origin": "software",
                "decision": decision,
                "decided_by": "Kim Olson (kim)" if decision != "open" else None,
            }


def fill(reviews: int, findings: int, people: int = 1) -> None:
    """Fill the store of VERIFIER_HOME, with `people` managers kim, kim2, kim3 and so on, and ada the administrator."""
    home = Path(os.environ["VERIFIER_HOME"])
    video = make_hour(home / "hour.mp4")
    make_log(home / "events.jsonl")
    make_observations(home / "observations.jsonl.gz")
    make_layout(home / "layout.yaml")
    make_pictures(video, home)
    engine = open_engine(database_url())
    with engine.begin() as connection:
        connection.execute(insert(ReviewRow), list(review_rows(reviews, home, video)))
        connection.execute(insert(FindingRow), list(finding_rows(reviews, findings)))
        connection.execute(text("ANALYZE"))
    engine.dispose()
    chief = create_first(Store(), "ada", "Ada Admin", PASSWORD)
    for number in range(1, people + 1):
        name = "kim" if number == 1 else f"kim{number}"
        create(Store(), chief, NewAccount(name=name, full_name=f"Kim {number}", role=Role.MANAGER, password=PASSWORD))


class Room(Struct, frozen=True):
    """A dashboard that is served: its address and its process."""

    address: str
    pid: int


@contextmanager
def served(kept: str | None, reviews: int, findings: int) -> Iterator[Room]:
    """Serve the dashboard on a data folder that an earlier run filled (`kept`), or on one that is filled now."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VERIFIER_HOME"] = kept or folder
        os.environ.pop("VERIFIER_DATABASE_URL", None)
        if not kept:
            fill(reviews, findings)
        port = free_port()
        server = serve(port)
        try:
            yield Room(f"http://localhost:{port}", server.pid)
        finally:
            server.terminate()
            server.wait(10)


@contextmanager
def browser_page() -> Iterator[Page]:
    """Give a page of 1440 by 900 in a headless Chromium."""
    with sync_playwright() as playwright:
        found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(
            executable_path=found, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(60_000)
        yield page
        browser.close()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serve(port: int) -> subprocess.Popen[bytes]:
    """Start the dashboard and wait until it listens."""
    start = [
        sys.executable,
        "-c",
        "from verifier.cli import main; main()",
        "dashboard",
        "--no-open",
        "--port",
        str(port),
    ]
    server = subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server
        time.sleep(0.1)
    raise RuntimeError("the dashboard did not start")


def own_seconds(pid: int) -> float:
    """Seconds that a process has computed so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def browser_seconds() -> float:
    """Seconds that the browser of this process has computed so far, in all of its processes (Linux)."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        parents.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found, total = [os.getpid()], 0.0
    for parent in found:
        found += parents.get(parent, [])
    for pid in found:
        try:
            if "chrom" in Path(f"/proc/{pid}/comm").read_text():
                total += own_seconds(pid)
        except OSError:
            continue
    return total
