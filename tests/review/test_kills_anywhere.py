# ruff: noqa: E501 - tables of data
"""kill -9 at random moments of storing, exporting and a second review: the old or the new is there, never a half."""

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
from pathlib import Path

import msgspec
import pytest

from verifier.review.bundle.verify import verify_bundle
from verifier.review.bundle.whole import check_log
from verifier.store.papers import Papers
from verifier.store.repository import Store

KILLS = 50
STEPS = {
    "review": """
from review_fakes import SHOWN, fake_stages, finding
review_recording(at / "video.mp4", at / "layout.yaml", at / "house.yaml", at / "out", stages=fake_stages(SHOWN, finding()))
""",
    "store": """
documents = Papers(Store()).documents("weekly", "0123", "2026-W47")
text = b"%PDF " + str(len(documents)).encode() * 400_000
keep_document(Store(), "weekly", "0123", "2026-W47", "Kim", "{}", at / "papers",
              lambda version: {"pdf": text, "csv": text[::-1]}, reason="again")
""",
    "export": """
review = Store().reviews()[0].id
write_bundle(Store(), collect_review(Store(), review), at / "bundles" / f"{len(list((at / 'bundles').glob('*.zip')))}.zip", "Kim")
""",
}
BEFORE = """
import sys
from pathlib import Path
at = Path(sys.argv[1])
(at / "bundles").mkdir(exist_ok=True)
from verifier.review.bundle.collect import collect_review
from verifier.review.bundle.write import write_bundle
from verifier.review.documents.keeping import keep_document
from verifier.review.recording import review_recording
from verifier.store.papers import Papers
from verifier.store.repository import Store
import review_fakes
print("ready", flush=True)
"""


def begun(at: Path, step: str) -> subprocess.Popen[bytes]:
    """A process that has loaded everything and now does the step."""
    tests = Path(__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tests.parent), str(tests)))}
    child = subprocess.Popen(
        [sys.executable, "-c", BEFORE + STEPS[step], str(at)], env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert child.stdout is not None
    child.stdout.readline()
    return child


def check_whole(at: Path, home: Path) -> None:
    """What is kept is whole, and the store, the files and the audit log agree."""
    assert check_log(Store())[1] == []
    for document in Papers(Store()).documents():
        for name, digest in document.files.items():
            assert hashlib.sha256((Path(document.folder) / name).read_bytes()).hexdigest() == digest
    versions = sorted(document.version for document in Papers(Store()).documents())
    assert versions == list(range(1, len(versions) + 1))
    for bundle in (at / "bundles").glob("*.zip"):
        assert zipfile.ZipFile(bundle).testzip() is None
        assert verify_bundle(bundle, {Store().signer().public: "us"}).sound
    for review in Store().reviews():
        folder = Path(review.folder)
        assert gzip.decompress((folder / "observations.jsonl.gz").read_bytes())
        msgspec.json.decode((folder / "findings.json").read_bytes())
        for stored in Store().findings([review.id]):
            for name in (stored.clip, *stored.stills):
                content = (folder / str(name)).read_bytes()
                assert content[4:8] == b"ftyp" if str(name).endswith(".mp4") else content[-2:] == b"\xff\xd9"
    assert not [path for path in home.rglob("*.part") if not path.name.startswith(".")]


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_and_falsifies_nothing(tmp_path: Path) -> None:
    from review_fakes import write_inputs

    home = Path(os.environ["VERIFIER_HOME"])
    write_inputs(tmp_path)
    usual = {}
    for step in STEPS:
        child, began = begun(tmp_path, step), time.monotonic()
        assert child.wait(120) == 0
        usual[step] = time.monotonic() - began
    check_whole(tmp_path, home)
    moments, killed = random.Random(41), 0
    for number in range(KILLS):
        step = list(STEPS)[number % len(STEPS)]
        child = begun(tmp_path, step)
        time.sleep(moments.uniform(0.0, usual[step]))
        child.send_signal(signal.SIGKILL)
        killed += child.wait(60) == -signal.SIGKILL
        check_whole(tmp_path, home)
    assert killed >= KILLS // 2, "most of them were in the middle"
    for step in STEPS:
        assert begun(tmp_path, step).wait(120) == 0, "and what was interrupted is done when it is asked for again"
    check_whole(tmp_path, home)
