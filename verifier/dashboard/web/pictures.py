"""Recordings and clips for the browser: only for who may see video, only those that the store knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from verifier.domain.errors import BadInput
from verifier.review.people.roles import Forbidden, Person
from verifier.review.playback import clip_file, piece, recording
from verifier.store.repository import Store

Find = Callable[[Person], Path]
"""Finds the file for a person; raises Forbidden or BadInput."""


class Pictures:
    """The addresses of moving pictures; the guard has put the person into the request."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def routes(self) -> list[Route]:
        """The original (with ranges), its pieces, and the clip of a finding."""
        return [
            Route("/room/video/{review_id}", self._video),
            Route("/room/piece/{review_id}/{number:int}", self._piece),
            Route("/room/clip/{finding_id}", self._clip),
        ]

    async def _video(self, request: Request) -> Response:
        return await self._file(request, lambda person: recording(self._store, person, _named(request, "review_id"))[1])

    async def _piece(self, request: Request) -> Response:
        def cut(person: Person) -> Path:
            review, video = recording(self._store, person, _named(request, "review_id"))
            return piece(review, video, int(request.path_params["number"]))

        return await self._file(request, cut)

    async def _clip(self, request: Request) -> Response:
        return await self._file(request, lambda person: clip_file(self._store, person, _named(request, "finding_id")))

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
