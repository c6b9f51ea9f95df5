"""Holds what pip installed against the hashes of the files that this project knows; `make setup` calls it.

    python check_hashes.py REPORT

REPORT is what `pip install --report REPORT` wrote: pip has compared what it fetched with the hash in it. Exit code 1
where a pinned package is another version, or came as a file that `constraints-hashes.txt` does not list. pip's own
`--require-hashes` takes all packages or none, and not the checkout itself.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

LIST = Path(__file__).with_name("constraints-hashes.txt")


def known(text: str) -> dict[str, tuple[str, set[str]]]:
    """Package -> its version, and the SHA-256 of each of its files."""
    found: dict[str, tuple[str, set[str]]] = {}
    for entry in re.split(r"\n(?=\S)", text.replace("\\\n", " ")):
        pinned = re.match(r"([\w.-]+)==([\w.+!-]+)", entry)
        if pinned:
            found[plain(pinned[1])] = pinned[2], set(re.findall(r"--hash=sha256:([0-9a-f]{64})", entry))
    return found


def plain(name: str) -> str:
    """Return a package's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def faults(report: dict[str, list[dict[str, dict[str, object]]]], files: dict[str, tuple[str, set[str]]]) -> list[str]:
    """Return what was installed and is not known; a package that is not pinned at all is left to pip."""
    told = []
    for one in report["install"]:
        name, version = str(one["metadata"]["name"]), str(one["metadata"]["version"])
        archive = one["download_info"].get("archive_info")
        if plain(name) not in files or not isinstance(archive, dict):
            continue
        pinned, hashes = files[plain(name)]
        if version != pinned:
            told.append(f"{name} {version} is not the pinned version {pinned}")
        elif archive.get("hashes", {}).get("sha256") not in hashes:
            told.append(f"{name} {version} came as a file that {LIST.name} does not list")
    return told


def main() -> int:
    """Print each fault."""
    report = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    found = faults(report, known(LIST.read_text(encoding="utf-8")))
    for line in found:
        sys.stderr.write(f"{line}: do not use what was installed\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
