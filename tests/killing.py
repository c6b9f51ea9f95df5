"""kill -9 at random moments of storing, exporting and a second review, and what must hold after each."""

from __future__ import annotations

import gzip
import hashlib
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path
from typing import Final

import msgspec
from review_fakes import write_inputs

from verifier.review.bundle.verify import verify_bundle
from verifier.review.bundle.whole import whole_check
from verifier.store.papers import Papers
from verifier.store.repository import Store

STEPS: Final = ("review", "store", "export")
_CHILD: Final = """
import os, sys, traceback
from pathlib import Path
from review_fakes import SHOWN, fake_stages, finding
from verifier.review.bundle.collect import collect_review
from verifier.review.bundle.write import write_bundle
from verifier.review.documents.keeping import keep_document
from verifier.review.recording import review_recording
from verifier.store.papers import Papers
from verifier.store.repository import Store

at = Path(sys.argv[1])
done = os.open(at / "done", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

def acknowledge(what):
    os.write(done, f"{what}\\n".encode())

def review():
    inputs = [at / name for name in ("video.mp4", "layout.yaml", "house.yaml")]
    review_recording(*inputs, at / "out", stages=fake_stages(SHOWN, finding()))

def store():
    for number in range(3):
        text = os.urandom(1_000_000)
        made = keep_document(Store(), "weekly", "0123", "2026-W47", "Kim", "{}", at / "papers",
                             lambda version: {"pdf": text, "csv": text[::-1]}, reason="again")
        acknowledge(f"document {made.document.version}")
        verdict = Store().add_verdict(Store().findings()[0].id, "confirmed", "Kim", "clear")
        acknowledge(f"verdict {verdict.id}")

def export():
    target = at / "bundles" / f"{os.getpid()}.zip"
    write_bundle(Store(), collect_review(Store(), Store().reviews()[0].id), target, "Kim")
    acknowledge(f"bundle {target}")

for step in sys.stdin:
    child = os.fork()
    if not child:
        try:
            {"review": review, "store": store, "export": export}[step.strip()]()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    print(child, flush=True)
    sys.stdin.readline()  # its number is no other's until it is waited for
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Killed:
    """A program that has loaded everything, and does each step in a process of its own, which may be killed."""

    def __init__(self, at: Path) -> None:
        """`at` is a folder that the inputs are written to; the store is that of VERIFIER_HOME."""
        self._at = at
        write_inputs(at)
        (at / "bundles").mkdir()
        tests = Path(__file__).parent
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tests.parent), str(tests)))}
        self._program = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(at)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        """Ends the program."""
        self._program.communicate()

    def whole(self, step: str) -> float:
        """Does a step to its end; gives the seconds that it took."""
        began = time.monotonic()
        self._begin(step)
        assert self._ended() == 0
        return time.monotonic() - began

    def killed(self, step: str, after: float) -> bool:
        """Does a step and kills it after so many seconds; whether it was still under way."""
        process = self._begin(step)
        time.sleep(after)
        os.kill(process, signal.SIGKILL)
        ended = self._ended()
        assert ended in (0, -signal.SIGKILL)
        return ended != 0

    def check(self) -> None:
        """What was acknowledged is there, what is kept is whole, and store, files and audit log agree."""
        checked = whole_check(Store())
        assert checked.faults == []
        documents = Papers(Store()).documents()
        verdicts = {verdict.id for verdict in Store().verdicts()}
        assert sorted(one.version for one in documents) == list(range(1, len(documents) + 1))
        done = (self._at / "done").read_text().splitlines()
        for what, _, which in (line.partition(" ") for line in done):
            known = {"document": {str(one.version) for one in documents}, "verdict": set(map(str, verdicts))}
            assert Path(which).is_file() if what == "bundle" else which in known[what]
        for document in documents:
            for name, digest in document.files.items():
                assert hashlib.sha256((Path(document.folder) / name).read_bytes()).hexdigest() == digest
        for bundle in (self._at / "bundles").glob("*.zip"):
            assert zipfile.ZipFile(bundle).testzip() is None
            assert verify_bundle(bundle, {Store().signer().public: "us"}).sound
        self._check_reviews()

    def _check_reviews(self) -> None:
        for review in Store().reviews():
            folder = Path(review.folder)
            assert gzip.decompress((folder / "observations.jsonl.gz").read_bytes())
            msgspec.json.decode((folder / "findings.json").read_bytes())
            for stored in Store().findings([review.id]):
                for name in (stored.clip, *stored.stills):
                    content = (folder / str(name)).read_bytes()
                    assert content[4:8] == b"ftyp" if str(name).endswith(".mp4") else content[-2:] == b"\xff\xd9"

    def _begin(self, step: str) -> int:
        """The process that does the step."""
        return self._asked(step)

    def _ended(self) -> int:
        """Waits for that process; gives its exit code."""
        return self._asked("wait")

    def _asked(self, line: str) -> int:
        assert self._program.stdin is not None and self._program.stdout is not None
        self._program.stdin.write(f"{line}\n")
        self._program.stdin.flush()
        return int(self._program.stdout.readline())


def kill_anywhere(at: Path, kills: int, seed: int) -> Counter[str]:
    """Kills the steps in turn at random moments, checks everything after each, and does each once more to its end.

    Gives step -> how many of its kills met it under way.
    """
    program, moments, met = Killed(at), random.Random(seed), Counter[str]()
    try:
        program.whole("review")  # once, so that loading what is loaded at the first use is not taken for the step
        usual = {step: program.whole(step) for step in STEPS}
        program.check()
        for number in range(kills):
            step = STEPS[number % len(STEPS)]
            met[step] += program.killed(step, moments.uniform(0.0, usual[step]))
            program.check()
        for step in STEPS:
            program.whole(step)
        program.check()
    finally:
        program.close()
    return met
