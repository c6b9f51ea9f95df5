"""The demo's doors: an address that signs in once, and a page on which each role can be tried."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from html import escape
from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from verifier.dashboard.web.cookies import same_origin, signed_in, token_of
from verifier.dashboard.web.sign_in import plain_page, read_form
from verifier.domain.errors import BadInput
from verifier.review.people.demo import demo_person, is_demo
from verifier.review.people.roles import ROLE_WORDS, Person, Role
from verifier.review.people.sessions import close_session, open_session
from verifier.store.repository import Store

VARIABLE: Final = "VERIFIER_ENTRY_SHA256"
"""Tells the server the digest of the key of the one address that signs in; only `verifier dashboard --demo` sets it."""
_SAYS: Final = {
    Role.MANAGER: "decides findings, watches, begins reviews, writes documents",
    Role.REVIEWER: "reads findings and writes documents, sees no pictures",
    Role.INDEPENDENT: "decides findings and watches, begins reviews",
    Role.ATTORNEY_GENERAL: "reads, sees pictures, exports evidence",
    Role.ADMINISTRATOR: "makes accounts and allows folders, sees no pictures",
}


def new_key() -> str:
    """Make a key for one sign-in; only its digest is passed on."""
    key = secrets.token_urlsafe(24)
    os.environ[VARIABLE] = _digest(key)
    return key


class Entry:
    """The addresses over one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def routes(self) -> list[Route]:
        """Return the routes: the address that signs in once, and the roles to try."""
        return [Route("/enter", self._enter), Route("/try", self._try, methods=["GET", "POST"])]

    async def _enter(self, request: Request) -> Response:
        """Signs in as the demo's administrator, once; the key is used up even where two ask at the same moment."""
        given, kept = _digest(request.query_params.get("key", "")), os.environ.get(VARIABLE, "")
        if not kept or not hmac.compare_digest(given, kept) or os.environ.pop(VARIABLE, "") != kept:
            told = (
                "This address was used already, or is not of this start of the dashboard. Start it again for a new one."
            )
            return PlainTextResponse(told, status_code=403)
        try:
            person = await run_sync(demo_person, self._store, Role.ADMINISTRATOR)
        except BadInput as error:
            return PlainTextResponse(str(error), status_code=403)
        return signed_in(request, await run_sync(self._opened, person), "/try")

    async def _try(self, request: Request) -> Response:
        """Show the roles as buttons; taking one ends the session of the one before."""
        if not await run_sync(is_demo, self._store):
            return RedirectResponse("/", status_code=303)
        if request.method == "GET":
            return _roles(request.state.person)
        form = await read_form(request) if same_origin(request) else None
        wanted = (form or {}).get("role", "")
        if wanted not in {role.value for role in Role}:
            return PlainTextResponse("there is no such role", status_code=400)
        person = await run_sync(demo_person, self._store, Role(wanted))
        await run_sync(close_session, self._store, token_of(request))
        return signed_in(request, await run_sync(self._opened, person), "/")

    def _opened(self, person: Person) -> str:
        return open_session(self._store, person, how="demo")


def _roles(person: Person) -> Response:
    lead = (
        f"<p>You are signed in as {escape(ROLE_WORDS[person.role])}. This home holds the demo's data alone: "
        "try any role. You may come back here from the menu.</p>"
    )
    buttons = "".join(
        f"<button type=submit name=role value='{role.value}'>{escape(ROLE_WORDS[role])}</button>"
        f"<p class=says>{escape(says)}</p>"
        for role, says in _SAYS.items()
    )
    return plain_page("Try a role", lead, buttons)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
