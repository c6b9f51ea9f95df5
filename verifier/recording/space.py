"""The system's words for a full disk."""

from __future__ import annotations

import errno
from typing import Final

NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""Error numbers of the system that mean a full disk, or one's share of it used up."""
