"""Stands before every address: pages, pictures, uploads and the connection that the pages talk over.

Nobody comes in who is not signed in, asks by a foreign name, or is sent here by a foreign page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import quote

from anyio.to_thread import run_sync
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from verifier.dashboard.settings import UPLOAD_MB
from verifier.dashboard.web.cookies import token_of
from verifier.dashboard.web.doors import asked_by_name, from_own_page, of_usual_size, policy
from verifier.dashboard.web.shown import Shown
from verifier.review.people.roles import Person

OPEN: Final = ("/sign-in", "/first", "/oidc/start", "/oidc/callback", "/enter", "/_stcore/health")
"""Whoever is not signed in may ask for these, and for the program's own scripts and styles under /static/."""
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
        self._shown = Shown()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        send = _hardened(send, connection)
        if not asked_by_name(connection):
            await _turn_away(scope, receive, send, "this dashboard has another name (VERIFIER_HOSTS)", 421)
        elif not of_usual_size(connection):
            await _turn_away(scope, receive, send, f"larger than {UPLOAD_MB} MB, or of unknown size", 413)
        elif is_open(scope["path"]):
            await self._app(scope, receive, send)
        else:
            await self._behind_sign_in(connection, receive, send)

    async def _behind_sign_in(self, connection: HTTPConnection, receive: Receive, send: Send) -> None:
        scope, token = connection.scope, token_of(connection) or ""
        person = await run_sync(self._knows, token)
        if person is None:
            await _refuse(scope, receive, send)
            return
        if not from_own_page(connection):
            await _turn_away(scope, receive, send, "this does not come from a page of this dashboard", 403)
            return
        if scope["path"].startswith("/media/") and not self._shown.was_shown(token, scope["path"]):
            await _turn_away(scope, receive, send, "this was not shown to you", 404)
            return
        scope.setdefault("state", {})["person"] = person
        told = self._shown.listening(token, send) if scope["type"] == "websocket" else send
        await self._app(scope, receive, told)


def is_open(path: str) -> bool:
    """Tell whether a path needs no session."""
    return path in OPEN or (path.startswith("/static/") and ".." not in path)


async def _turn_away(scope: Scope, receive: Receive, send: Send, why: str, status: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4000 + status, "reason": why})
    else:
        await PlainTextResponse(why, status_code=status)(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """Send a page's request to sign-in; refuse anything else."""
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


def _hardened(send: Send, connection: HTTPConnection) -> Send:
    always = (*_HEADERS, (b"content-security-policy", policy(connection)))

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            named = {name.lower() for name, _ in headers}
            message["headers"] = headers + [pair for pair in always if pair[0] not in named]
        await send(message)

    return sending
