"""The cookie that holds a session's token, and where a browser may be sent after signing in."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

COOKIE: Final = "verifier_session"


def token_of(connection: HTTPConnection) -> str | None:
    """Return the session's token that a browser sent."""
    return connection.cookies.get(COOKIE)


def signed_in(connection: HTTPConnection, token: str, target: str) -> Response:
    """Send the browser on to `target` with its session's token, which no script can read."""
    response = RedirectResponse(safe_target(target), status_code=303)
    secure = connection.url.scheme == "https"
    response.set_cookie(COOKIE, token, httponly=True, samesite="lax", secure=secure, path="/")
    return response


def safe_target(target: str | None) -> str:
    """Return `target` where it is a page of this dashboard, else the first page."""
    plain = target or "/"
    fine = plain.startswith("/") and not plain.startswith(("//", "/\\")) and plain.isprintable() and len(plain) < 500
    return plain if fine else "/"


def same_origin(connection: HTTPConnection) -> bool:
    """Tell whether a form was sent from this dashboard's own page."""
    scheme, _, place = connection.headers.get("origin", "").partition("://")
    return scheme in ("http", "https") and place == connection.headers.get("host")
