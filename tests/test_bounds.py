# ruff: noqa: E501 - tables of data
"""Small files that unfold: each is refused in words with at most 512 MiB of memory, measured in a process of its own."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from verifier.review.bundle.manifest import sign_manifest
from verifier.store.audit.signing import Signer

MOST_MIB = 512
CODE = """
import sys
from pathlib import Path
from verifier.cli import run
code = run(sys.argv[1:])
(peak,) = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print("PEAK", int(peak) // 1024, "CODE", code)
"""
"""The peak of this program's own memory: `ru_maxrss` would also count that of the process that began it."""
KEY = Signer(Ed25519PrivateKey.generate())


def manifest(size: int) -> bytes:
    head = {"seq": 1, "hash": "0" * 64, "key": "0" * 64, "signature": "0" * 128}
    return json.dumps(
        {
            "format": "verifier-evidence",
            "version": 1,
            "software": "x",
            "subject": "s",
            "made_by": "b",
            "made_at": "x",
            "originals": [],
            "files": [{"path": "a", "sha256": "0" * 64, "size": size}],
            "audit": {"first": 1, "previous": "0", "head": head},
        }
    ).encode()


def bundle(path: Path, inside: Callable[[zipfile.ZipFile], None], content: bytes = b"", signed: bool = True) -> Path:
    """A bundle signed with a key of the attacker's own, or with none."""
    content = content or manifest(1)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("manifest.json", content)
        made.writestr(
            "signature.json",
            json.dumps(
                {
                    "algorithm": "Ed25519",
                    "key": KEY.public,
                    "signature": sign_manifest(content, KEY).signature if signed else "0" * 128,
                }
            ),
        )
        inside(made)
    return path


def zeros(mebibytes: int) -> Callable[[zipfile.ZipFile], None]:
    def inside(made: zipfile.ZipFile) -> None:
        with made.open("a", "w", force_zip64=True) as stream:
            for _ in range(mebibytes):
                stream.write(bytes(1 << 20))

    return inside


def png(path: Path, side: int) -> Path:
    """A black picture of one bit a pixel."""
    pack, row = zlib.compressobj(9), bytes(1 + side // 8)
    data = b"".join(pack.compress(row * 64) for _ in range(side // 64)) + pack.flush()

    def part(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = part(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + part(b"IDAT", data) + part(b"IEND", b""))
    return path


LINE = b'{"seq":1,"previous":"","deed_sha256":"","hash":"","key":"","signature":""}\n'
VERIFY = ("evidence", "verify")
BOMBS: dict[str, tuple[tuple[str, ...], Callable[[Path], Path], int]] = {
    "an audit log of short lines": (VERIFY, lambda at: bundle(at / "a.zip", lambda z: z.writestr("audit.jsonl", b"{}\n" * (20 << 20))), 2),
    "an audit log of whole entries": (VERIFY, lambda at: bundle(at / "a.zip", lambda z: z.writestr("audit.jsonl", LINE * 200_000)), 4),
    "more entries than a log has": (VERIFY, lambda at: bundle(at / "a.zip", lambda z: z.writestr("audit.jsonl", LINE * 310_000), signed=True), 2),
    "a file of zeros": (VERIFY, lambda at: bundle(at / "a.zip", zeros(600), manifest(600 << 20)), 2),
    "a file of zeros, unsigned": (VERIFY, lambda at: bundle(at / "a.zip", zeros(600), manifest(600 << 20), signed=False), 2),
    "a manifest of zeros": (VERIFY, lambda at: bundle(at / "a.zip", lambda z: None, b" " * (200 << 20)), 2),
    "a list of 300,000 files": (VERIFY, lambda at: bundle(at / "a.zip", lambda z: [z.writestr(f"{n}", b"") for n in range(300_000)] and None), 2),
    "a picture": (("detect",), lambda at: png(at / "b.png", 32_000), 2),
    "a findings file": (("score", ".", "--review"), lambda at: _file(at / "findings.json", b'{"a":[' + b"{}," * (3 << 20) + b"{}]}"), 2),
    "a layout of empty names": (("review", "x.mp4", "--house", "x", "--out", "x", "--layout"), lambda at: _file(at / "l.yaml", b"- a\n" * 65_000), 2),
    "a large layout": (("review", "x.mp4", "--house", "x", "--out", "x", "--layout"), lambda at: _file(at / "l.yaml", b"- a\n" * (1 << 20)), 2),
    "an event log of one line": (("check",), lambda at: _file(at / "e.jsonl", b"[" * (40 << 20)), 2),
    "a table": (("roster",), lambda at: _file(at / "r.csv", b"site,day,shift,person,duty\n" + b",\n" * (30 << 20)), 2),
    "a table just small enough": (("roster",), lambda at: _file(at / "r.csv", b"site,day,shift,person,duty\n" + b",\n" * 2_700_000), 2),
    "a hand history": (("import-phh", "--out", "x"), lambda at: _file(at / "h.phh", b"a = [" + b"1," * (30 << 20) + b"]"), 2),
}  # fmt: skip


def _file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_it_is_refused_with_little_memory(tmp_path: Path, name: str) -> None:
    words, make, code = BOMBS[name]
    made = make(tmp_path)
    environment = {**os.environ, "VERIFIER_HOME": str(tmp_path / "home")}
    ran = subprocess.run(
        [sys.executable, "-c", CODE, *words, str(made if "score" not in words else tmp_path)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        check=False,
        timeout=300,
    )
    peak, _, ended = ran.stdout.split("PEAK ")[1].split()[:3]
    assert "Traceback" not in ran.stderr
    assert int(ended) == code, ran.stdout + ran.stderr
    assert int(peak) <= MOST_MIB, f"{peak} MiB"
