"""Puts the pages behind the guard: routes and middleware of the dashboard's server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from pathlib import Path
from typing import Final

from anyio.to_thread import run_sync
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from verifier.dashboard.web.entry import Entry
from verifier.dashboard.web.guard import Guard
from verifier.dashboard.web.notes import note_routes
from verifier.dashboard.web.pictures import Pictures
from verifier.dashboard.web.service import configured
from verifier.dashboard.web.sign_in import SignIn
from verifier.dashboard.web.uploads import Uploads
from verifier.review.pending import write_all_pending
from verifier.review.people.sessions import person_of_session
from verifier.store.repository import Store

SCRIPT: Final = Path(__file__).parents[1] / "main.py"


@cache
def _store() -> Store:
    return Store()


def routes() -> list[BaseRoute]:
    """Sign-in, the other service's where one is set up, the recordings' pictures, uploads, and the demo's doors."""
    service = configured()
    signing_in = SignIn(_store(), service.name if service else None).routes()
    found: list[BaseRoute] = [
        *signing_in,
        *Pictures(_store()).routes(),
        *Uploads(_store()).routes(),
        *note_routes(),
        *Entry(_store()).routes(),
    ]
    if service is not None:
        from verifier.dashboard.web.oidc import OpenId

        found += OpenId(_store(), service).routes()
    return found


@asynccontextmanager
async def lifespan(_app: object) -> AsyncIterator[None]:
    """When the server ends, decisions that wait are written: their people pressed the button and may be gone."""
    yield
    await run_sync(write_all_pending)


def middleware() -> list[Middleware]:
    """Return the middleware: the guard, and what remembers a sign-in by another service."""
    guard = [Middleware(Guard, knows=partial(person_of_session, _store()))]
    if configured() is not None:
        from verifier.dashboard.web.oidc import state_keeper

        guard.append(state_keeper())
    return guard
