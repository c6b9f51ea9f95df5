"""The address to which a page sends a note while it is being typed."""

from __future__ import annotations

from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from verifier.dashboard.web.cookies import same_origin
from verifier.domain.errors import BadInput
from verifier.review.judging import NOTE_MOST
from verifier.review.notes import keep_note
from verifier.review.people.roles import Forbidden

_BODY_MOST: Final = 4 * NOTE_MOST
"""Bytes of the longest note in UTF-8."""


def note_routes() -> list[Route]:
    """Where the note on a finding is kept; the guard has put the person into the request."""
    return [Route("/room/note/{finding_id}", _note, methods=["POST"])]


async def _note(request: Request) -> Response:
    length = request.headers.get("content-length", "")
    if not same_origin(request):
        return PlainTextResponse("not from this page", status_code=403)
    if not (length.isascii() and length.isdigit()) or int(length) > _BODY_MOST:
        return PlainTextResponse("too large", status_code=413)
    note = (await request.body()).decode("utf-8", "replace")
    try:
        await run_sync(keep_note, request.state.person, str(request.path_params["finding_id"]), note)
    except Forbidden as error:
        return PlainTextResponse(str(error), status_code=403)
    except BadInput as error:
        return PlainTextResponse(str(error), status_code=400)
    except OSError as error:
        return PlainTextResponse(f"the note cannot be kept ({error.strerror})", status_code=507)
    return Response(status_code=204)
