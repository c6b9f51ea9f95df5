"""What every request must be: asked of a name of this dashboard's, of a usual size, and from its own pages."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from functools import cache
from pathlib import Path
from typing import Final

from starlette.requests import HTTPConnection

from verifier.dashboard.settings import UPLOAD_MB
from verifier.dashboard.web.cookies import same_origin

UPLOAD_MOST: Final = UPLOAD_MB * 1024 * 1024
_OWN_NAMES: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?", re.IGNORECASE)
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_INLINE: Final = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def own_names() -> frozenset[str]:
    """Return the names by which browsers may ask for this dashboard: this computer's own, and those of
    `VERIFIER_HOSTS`.
    """
    more = os.environ.get("VERIFIER_HOSTS", "")
    return _OWN_NAMES | {name.strip().lower() for name in more.split(",") if name.strip()}


def asked_by_name(connection: HTTPConnection) -> bool:
    """Tell whether the request names this dashboard: another name that leads here is an attack (DNS rebinding)."""
    host = _HOST.fullmatch(connection.headers.get("host", ""))
    return host is not None and host[1].lower() in own_names()


def of_usual_size(connection: HTTPConnection) -> bool:
    """Tell whether the request says its size, and that is no more than an upload may have."""
    if "transfer-encoding" in connection.headers:
        return False
    length = connection.headers.get("content-length", "0")
    return length.isascii() and length.isdigit() and int(length) <= UPLOAD_MOST


def from_own_page(connection: HTTPConnection) -> bool:
    """Tell whether what changes something, or opens the pages' connection, comes from a page of this name and port."""
    if connection.scope["type"] == "http" and connection.scope["method"] in _READING:
        return True
    return same_origin(connection)


def policy(connection: HTTPConnection) -> bytes:
    """Return the content security policy of the pages: nothing is fetched from elsewhere, nothing is sent elsewhere.

    Streamlit loads components from `blob:` addresses and styles elements in place.
    """
    host = connection.headers.get("host", "")
    rules = (
        "default-src 'none'",
        f"script-src 'self' blob: {_inline_hashes()}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "media-src 'self' data: blob:",
        "font-src 'self' data:",
        f"connect-src 'self' ws://{host} wss://{host}",
        "worker-src 'self' blob:",
        "manifest-src 'self'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
    return "; ".join(rules).encode()


@cache
def _inline_hashes() -> str:
    """Return the hashes of the scripts that stand in Streamlit's own page."""
    import streamlit

    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()
    digests = (hashlib.sha256(script).digest() for script in _INLINE.findall(page))
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
