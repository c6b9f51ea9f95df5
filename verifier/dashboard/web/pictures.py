"""Recordings and clips for the browser: only for who may see video, only what the store knows, each view noted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from verifier.domain.errors import BadInput
from verifier.review.originals import Original
from verifier.review.people.roles import Forbidden, Person
from verifier.review.people.views import Views
from verifier.review.playback import clip_file, piece, recording_file
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord

Find = Callable[[Person], Path]
"""Finds the file for a person; raises Forbidden or BadInput."""


class Pictures:
    """The addresses of moving pictures; the guard has put the person into the request."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._views = Views(store)

    def routes(self) -> list[Route]:
        """A recording's files (with ranges), their pieces, and the clip of a finding."""
        return [
            Route("/room/video/{review_id}/{file:int}", self._video),
            Route("/room/piece/{review_id}/{file:int}/{number:int}", self._piece),
            Route("/room/clip/{finding_id}", self._clip),
        ]

    async def _video(self, request: Request) -> Response:
        def whole(person: Person) -> Path:
            review, original = self._original(request, person)
            self._views.note(person, f"review/{review.id}", f"file {request.path_params['file']}")
            return original.file

        return await self._file(request, whole)

    async def _piece(self, request: Request) -> Response:
        def cut(person: Person) -> Path:
            review, original = self._original(request, person)
            number = int(request.path_params["number"])
            found = piece(review, original, number)
            self._views.note(person, f"review/{review.id}", f"file {request.path_params['file']}, piece {number}")
            return found

        return await self._file(request, cut)

    def _original(self, request: Request, person: Person) -> tuple[ReviewRecord, Original]:
        number = int(request.path_params["file"])
        return recording_file(self._store, person, _named(request, "review_id"), number)

    async def _clip(self, request: Request) -> Response:
        def clip(person: Person) -> Path:
            finding = _named(request, "finding_id")
            found = clip_file(self._store, person, finding)
            self._views.note(person, f"finding/{finding}", "clip")
            return found

        return await self._file(request, clip)

    async def _file(self, request: Request, find: Find) -> Response:
        try:
            path = await run_sync(find, request.state.person)
        except Forbidden as error:
            return PlainTextResponse(str(error), status_code=403)
        except BadInput as error:
            return PlainTextResponse(str(error), status_code=404)
        return FileResponse(path, media_type="video/mp4" if path.suffix == ".mp4" else None)


def _named(request: Request, name: str) -> str:
    return str(request.path_params[name])
