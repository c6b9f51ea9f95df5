"""Sign-in by OpenID Connect, set up by the environment; it lets in only whom an administrator gave an account."""

from __future__ import annotations

import secrets

from anyio.to_thread import run_sync
from authlib.integrations.starlette_client import OAuth, OAuthError
from httpx import HTTPError
from joserfc.errors import JoseError
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from verifier.dashboard.web.cookies import signed_in
from verifier.dashboard.web.service import Service
from verifier.review.people.accounts import by_other_service
from verifier.review.people.sessions import open_session
from verifier.store.repository import Store

_MINUTES = 10


class OpenId:
    """The two addresses of a sign-in by another service."""

    def __init__(self, store: Store, service: Service) -> None:
        self._store = store
        oauth = OAuth()
        oauth.register(
            "service",
            server_metadata_url=service.url,
            client_id=service.client_id,
            client_secret=service.client_secret,
            client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256"},
        )
        self._client = oauth.create_client("service")

    def routes(self) -> list[Route]:
        """Where the sign-in starts, and where the service sends the browser back to."""
        return [Route("/oidc/start", self._start), Route("/oidc/callback", self._callback)]

    async def _start(self, request: Request) -> Response:
        try:
            response: Response = await self._client.authorize_redirect(request, str(request.url_for("_callback")))
        except (OAuthError, HTTPError):
            return _refused()
        return response

    async def _callback(self, request: Request) -> Response:
        """Take the service's answer; Authlib checks state, nonce, signature, issuer and audience."""
        try:
            token = await self._client.authorize_access_token(request)
        except (OAuthError, JoseError, HTTPError, ValueError):
            return _refused()
        claims = token.get("userinfo") or {}
        if not claims.get("email") or claims.get("email_verified") is not True:
            return _refused()
        person = await run_sync(by_other_service, self._store, str(claims["email"]))
        if person is None:
            return _refused()
        opened = await run_sync(lambda: open_session(self._store, person, how="openid connect"))
        return signed_in(request, opened, "/")


def state_keeper() -> Middleware:
    """Return what keeps a sign-in's state in the browser for ten minutes, signed with a key of this run."""
    key = secrets.token_hex(32)
    return Middleware(
        SessionMiddleware, secret_key=key, session_cookie="verifier_oidc", max_age=_MINUTES * 60, path="/oidc"
    )


def _refused() -> Response:
    return RedirectResponse("/sign-in?refused", status_code=303)
