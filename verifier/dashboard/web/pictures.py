"""Recordings and clips for the browser: only for who may see video, only what the store knows, each view noted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from verifier.dashboard.common import log_of
from verifier.dashboard.parts.marks import whole_told
from verifier.domain.errors import BadInput
from verifier.review.clip_looks import clip_looks_of, frame_picture, stretch_around
from verifier.review.originals import Original, number_at
from verifier.review.people.roles import Act, Forbidden, Person, require
from verifier.review.people.views import Views
from verifier.review.playback import clip_file, film, known_review, piece, recording_file, still_file
from verifier.review.queue import item
from verifier.review.round_view import view_round
from verifier.review.watch.whole import along
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
        """Of a recording: files (with ranges), pieces, frames, what was seen. Of a finding: clip and stills."""
        return [
            Route("/room/video/{review_id}/{file:int}", self._video),
            Route("/room/piece/{review_id}/{file:int}/{number:int}", self._piece),
            Route("/room/clip/{finding_id}", self._clip),
            Route("/room/still/{finding_id}/{number:int}", self._still),
            Route("/room/frame/{review_id}/{file:int}/{number:int}", self._frame),
            Route("/room/ahead/{finding_id}", self._ahead),
            Route("/room/along/{review_id}", self._along),
            Route("/room/looks/{review_id}/{file:int}/{start:float}/{end:float}", self._clip_looks),
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
            ahead = "clip, fetched ahead" if "ahead" in request.query_params else "clip"
            self._views.note(person, f"finding/{finding}", ahead)
            return found

        return await self._file(request, clip)

    async def _frame(self, request: Request) -> Response:
        def picture(person: Person) -> bytes:
            review, _ = self._original(request, person)
            file, number = int(request.path_params["file"]), int(request.path_params["number"])
            made = frame_picture(film(review, file), number)
            self._views.note(person, f"review/{review.id}", f"file {file}, frames")
            return made

        return await self._made(request, picture, "image/jpeg")

    async def _ahead(self, request: Request) -> Response:
        """Where the looks of a finding's page are, for a player that fetches it before the page is opened."""

        def told(person: Person) -> bytes:
            require(person, Act.VIDEO)
            found = item(self._store, person, _named(request, "finding_id"))
            if found is None:
                raise BadInput("finding", "is none", "choose one of the list")
            review, finding = found.review, found.stored.finding
            log = log_of(review) if found.stored.current else None
            moments = [step.t for step in view_round(log, finding).steps] if log is not None else []
            start, end = stretch_around(review, finding, moments)
            number = number_at(review, finding.t_end)
            return msgspec.json.encode({"clip_looks": f"/room/looks/{review.id}/{number}/{start:.3f}/{end:.3f}"})

        return await self._made(request, told, "application/json")

    async def _along(self, request: Request) -> Response:
        """Tell the rounds, findings, gaps, watched stretches and bookmarks of a whole recording."""

        def told(person: Person) -> bytes:
            review, _ = known_review(self._store, person, _named(request, "review_id"))
            known = along(self._store, person, review, log_of(review))
            return whole_told(known, review.duration or max((one.t_end for one in known), default=0.0))

        return await self._made(request, told, "application/json")

    async def _clip_looks(self, request: Request) -> Response:
        def told(person: Person) -> bytes:
            review, file, start, end = self._stretch(request, person)
            self._views.note(person, f"review/{review.id}", f"file {file}, what was seen")
            return msgspec.json.encode(clip_looks_of(review, file, start, end))

        return await self._made(request, told, "application/json")

    def _stretch(self, request: Request, person: Person) -> tuple[ReviewRecord, int, float, float]:
        """Return the requested stretch, also where the original is gone: what was seen is kept with the review."""
        named = request.path_params
        review, files = known_review(self._store, person, str(named["review_id"]))
        if not 0 <= named["file"] < files:
            raise BadInput(f"file {named['file']}", f"is none of the files 0 to {files - 1}", "choose one of the list")
        return review, int(named["file"]), float(named["start"]), float(named["end"])

    async def _made(self, request: Request, make: Callable[[Person], bytes], kind: str) -> Response:
        try:
            made = await run_sync(make, request.state.person)
        except Forbidden as error:
            return PlainTextResponse(str(error), status_code=403)
        except BadInput as error:
            return PlainTextResponse(str(error), status_code=404)
        return Response(made, media_type=kind)

    async def _still(self, request: Request) -> Response:
        def still(person: Person) -> Path:
            finding = _named(request, "finding_id")
            found = still_file(self._store, person, finding, int(request.path_params["number"]))
            self._views.note(person, f"finding/{finding}", "stills")
            return found

        return await self._file(request, still)

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
