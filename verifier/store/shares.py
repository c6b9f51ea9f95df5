"""Whether a file lies on a disk that several computers write to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_MOUNTS: Final = Path("/proc/self/mounts")
_SHARED: Final = frozenset(
    {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "afs",
        "ceph",
        "glusterfs",
        "lustre",
        "gpfs",
        "beegfs",
        "ocfs2",
        "gfs2",
    }
)


def on_share(path: Path, mounts: Path = _MOUNTS) -> bool:
    """Tell whether `path` lies on a network share; by Linux's table of mounts, or a Windows path such as
    `//server/share`.

    A FUSE mount counts as one, since nobody can tell what is behind it; elsewhere False.
    """
    whole = path.absolute().resolve()
    if whole.as_posix().startswith("//"):
        return True
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    rows = [line.split() for line in lines]
    above = [(Path(row[1].replace("\\040", " ")), row[2]) for row in rows if len(row) > 2]
    inside = [(len(point.parts), kind) for point, kind in above if whole.is_relative_to(point)]
    kind = max(inside, default=(0, ""), key=lambda one: one[0])[1]
    return kind in _SHARED or kind.startswith("fuse")
