"""The sign-in page, the page of the very first account, and signing out; plain HTML without scripts."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Final

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from verifier.dashboard.web.cookies import COOKIE, safe_target, same_origin, signed_in, token_of
from verifier.domain.errors import BadInput
from verifier.review.people.accounts import anybody, check_password, create_first
from verifier.review.people.passwords import AT_ONCE, SHORTEST
from verifier.review.people.sessions import close_session, open_session
from verifier.store.repository import Store

_TEMPLATE: Final = (Path(__file__).parent / "sign_in.html").read_text(encoding="utf-8")
_BODY_MOST: Final = 8192
_WAITING_MOST: Final = 64
"""Sign-ins that may wait for their turn, about half a minute; more are told to come back."""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
_WRONG: Final = "The name or the password is wrong, or the account is locked for a while."


class SignIn:
    """The pages over one store; `other` is the name of the OpenID Connect service, where one is set up."""

    def __init__(self, store: Store, other: str | None = None) -> None:
        self._store = store
        self._other = other
        self._turns = CapacityLimiter(AT_ONCE)
        self._waiting = 0

    def routes(self) -> list[Route]:
        """Their addresses."""
        return [
            Route("/sign-in", self._sign_in, methods=["GET", "POST"]),
            Route("/first", self._first, methods=["GET", "POST"]),
            Route("/sign-out", self._sign_out, methods=["POST", "GET"]),
        ]

    async def _sign_in(self, request: Request) -> Response:
        if not await run_sync(anybody, self._store):
            return RedirectResponse("/first", status_code=303)
        target = safe_target(request.query_params.get("next"))
        if request.method == "GET":
            told = "No account here fits that sign-in." if "refused" in request.query_params else ""
            return self._page(target, told, 200)
        form = await _form(request)
        if form is None:
            return self._page(target, "That form did not come from this page.", 403)
        if self._waiting >= _WAITING_MOST:
            return self._page(target, "Very many people sign in at this moment. Try again in a minute.", 503)
        self._waiting += 1
        try:
            given = form.get("name", ""), form.get("password", "")
            person = await run_sync(check_password, self._store, *given, limiter=self._turns)
        finally:
            self._waiting -= 1
        if person is None:
            return self._page(target, _WRONG, 401)
        return signed_in(request, await run_sync(open_session, self._store, person), target)

    async def _first(self, request: Request) -> Response:
        if await run_sync(anybody, self._store):
            return RedirectResponse("/sign-in", status_code=303)
        if request.method == "GET":
            return _first_page("", 200)
        form = await _form(request)
        if form is None:
            return _first_page("That form did not come from this page.", 403)
        names = form.get("name", ""), form.get("full name", ""), form.get("password", "")
        try:
            person = await run_sync(create_first, self._store, *names)
        except BadInput as error:
            return _first_page(str(error), 400)
        return signed_in(request, await run_sync(open_session, self._store, person), "/guide")

    async def _sign_out(self, request: Request) -> Response:
        if request.method != "POST":
            return PlainTextResponse("Sign out with the button in the menu.", status_code=405)
        await run_sync(close_session, self._store, token_of(request))
        response = RedirectResponse("/sign-in", status_code=303)
        response.delete_cookie(COOKIE, path="/")
        return response

    def _page(self, target: str, told: str, status: int) -> Response:
        other = (
            f"<p class=or>or</p><a class=other href='/oidc/start'>Sign in with {escape(self._other)}</a>"
            if self._other
            else ""
        )
        fields = _field("name", "Name", "text", "username") + _field(
            "password", "Password", "password", "current-password"
        )
        return _html("Sign in", "", fields, "Sign in", told, status, after=other)


def _first_page(told: str, status: int) -> Response:
    lead = (
        "<p>Nobody has an account yet. The first one administers the accounts of all others; "
        "it sees findings but no video (99-01.3-08-04(4)(a)).</p>"
    )
    fields = (
        _field("name", "Name to sign in with", "text", "username")
        + _field("full name", "Full name, as in documents", "text", "name")
        + _field("password", f"Password, at least {SHORTEST} characters", "password", "new-password")
    )
    return _html("Set up the first account", lead, fields, "Make the account", told, status)


def _field(name: str, label: str, kind: str, fill: str) -> str:
    focus = " autofocus" if name == "name" else ""
    box = f"<input name='{name}' type='{kind}' autocomplete='{fill}' maxlength=200 required{focus}>"
    return f"<label>{escape(label)}{box}</label>"


def plain_page(title: str, lead: str, fields: str) -> Response:
    """Return a page in the style of sign-in whose form has buttons of its own."""
    return _html(title, lead, fields, "", "", 200)


def _html(title: str, lead: str, fields: str, act: str, told: str, status: int, *, after: str = "") -> Response:
    warning = f"<p class=told role=alert>⚠ {escape(told)}</p>" if told else ""
    parts = {"TITLE": title, "LEAD": lead, "FIELDS": fields, "ACT": act, "TOLD": warning, "AFTER": after}
    page = _TEMPLATE if act else _TEMPLATE.replace('<button type="submit"><!--ACT--></button>\n', "")
    for name, text in parts.items():
        page = page.replace(f"<!--{name}-->", text)
    headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-store", "Referrer-Policy": "same-origin"}
    return HTMLResponse(page, status_code=status, headers=headers)


async def read_form(request: Request) -> dict[str, str] | None:
    """Return the fields of a form that this dashboard's own page sent; None for any other."""
    return await _form(request)


async def _form(request: Request) -> dict[str, str] | None:
    """Return the fields of a form that this dashboard's own page sent; None for any other."""
    length = request.headers.get("content-length", "")
    if not same_origin(request) or not (length.isascii() and length.isdigit()) or int(length) > _BODY_MOST:
        return None
    async with request.form(max_files=0, max_fields=5) as form:
        return {name: value for name, value in form.items() if isinstance(value, str)}
