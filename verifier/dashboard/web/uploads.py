"""The address to which a browser sends a recording in pieces."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from verifier.dashboard.web.cookies import same_origin
from verifier.domain.errors import BadInput
from verifier.review.orders.uploads import LONGEST_MOMENT, PIECE_BYTES, Upload, add_piece, begin_upload, came
from verifier.review.people.roles import Forbidden, Person
from verifier.store.repository import Store


class Uploads:
    """The addresses; the guard has put the person into the request."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def routes(self) -> list[Route]:
        """Beginning (name, size, when it was changed), adding a piece (its offset; the body), and what has come."""
        return [
            Route("/room/upload", self._begin, methods=["POST"]),
            Route("/room/upload/{upload_id}/came", self._came, methods=["POST"]),
            Route("/room/upload/{upload_id}/{offset:int}", self._piece, methods=["POST"]),
        ]

    async def _begin(self, request: Request) -> Response:
        name, size = request.query_params.get("name", ""), request.query_params.get("size", "")
        length = int(size) if size.isascii() and size.isdigit() else 0
        changed = request.query_params.get("changed", "")[:LONGEST_MOMENT]
        anew = "anew" in request.query_params
        return await _told(request, lambda person: begin_upload(self._store, person, name, length, changed, anew=anew))

    async def _came(self, request: Request) -> Response:
        return await _told(request, lambda person: came(person, str(request.path_params["upload_id"])))

    async def _piece(self, request: Request) -> Response:
        length = request.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()) or int(length) > PIECE_BYTES:
            return PlainTextResponse("too large", status_code=413)
        data = await request.body()
        where, offset = str(request.path_params["upload_id"]), int(request.path_params["offset"])
        return await _told(request, lambda person: add_piece(person, where, offset, data))


async def _told(request: Request, act: Callable[[Person], Upload | list[str]]) -> Response:
    """Do what the request asks and return what became of it; only a page of this dashboard may ask."""
    if not same_origin(request):
        return PlainTextResponse("not from this page", status_code=403)
    try:
        made = await run_sync(act, request.state.person)
    except Forbidden as error:
        return PlainTextResponse(str(error), status_code=403)
    except BadInput as error:
        return PlainTextResponse(str(error), status_code=400)
    except OSError as error:
        return PlainTextResponse(f"the recording cannot be written here ({error.strerror})", status_code=507)
    return JSONResponse(msgspec.to_builtins(made))
