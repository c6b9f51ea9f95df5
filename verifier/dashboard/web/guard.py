"""Lets nobody in who is not signed in: pages, pictures, uploads and the connection that the pages talk over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import quote

from anyio.to_thread import run_sync
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from verifier.dashboard.web.cookies import token_of
from verifier.review.people.roles import Person

OPEN: Final = ("/sign-in", "/first", "/oidc/start", "/oidc/callback", "/_stcore/health")
"""Whoever is not signed in may ask for these, and for the program's own scripts and styles under /static/."""
UPLOAD_MOST: Final = 64 * 1024 * 1024
_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)

Knows = Callable[[str | None], Person | None]
"""Whose session a token is."""


class Guard:
    """ASGI middleware: `knows` tells whose session a token is; the person goes on in the scope's state."""

    def __init__(self, app: ASGIApp, knows: Knows) -> None:
        self._app = app
        self._knows = knows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if _too_large(connection):
            await PlainTextResponse("too large", status_code=413)(scope, receive, send)
            return
        guarded = not is_open(scope["path"])
        if guarded:
            person = await run_sync(self._knows, token_of(connection))
            if person is None:
                await _refuse(scope, receive, send)
                return
            scope.setdefault("state", {})["person"] = person
        await self._app(scope, receive, _hardened(send) if guarded else send)


def is_open(path: str) -> bool:
    """Whether a path needs no session."""
    return path in OPEN or (path.startswith("/static/") and ".." not in path)


def _too_large(connection: HTTPConnection) -> bool:
    length = connection.headers.get("content-length", "0")
    return not length.isdigit() or int(length) > UPLOAD_MOST


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """A page goes to sign-in; anything else is refused."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4401, "reason": "not signed in"})
        return
    wants_page = "text/html" in HTTPConnection(scope).headers.get("accept", "") and scope["method"] == "GET"
    if wants_page:
        target = quote(
            scope["path"] + (f"?{scope['query_string'].decode('ascii', 'replace')}" if scope["query_string"] else "")
        )
        await RedirectResponse(f"/sign-in?next={target}", status_code=303)(scope, receive, send)
    else:
        await PlainTextResponse("not signed in", status_code=401)(scope, receive, send)


def _hardened(send: Send) -> Send:
    async def sending(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))  # type: ignore[call-overload]
            named = {name.lower() for name, _ in headers}
            message["headers"] = headers + [pair for pair in _HEADERS if pair[0] not in named]
        await send(message)

    return sending  # type: ignore[return-value]
