"""A small OpenID Connect provider for tests: discovery, authorization code with PKCE, signed tokens, keys."""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT, SECRET = "room", "a secret of the room"


class Provider:
    """Signs in whoever comes as `claims` say. `lie` makes one thing wrong, as a bad provider or a thief would."""

    def __init__(self) -> None:
        self.claims: dict[str, object] = {"email": "kim@example.org", "email_verified": True}
        self.lie = ""
        self.address = ""
        self.asked: list[dict[str, str]] = []
        self._key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig", "alg": "RS256"})
        self._other = RSAKey.generate_key(2048, {"kid": "one", "use": "sig", "alg": "RS256"})
        self._codes: dict[str, dict[str, str]] = {}
        self.app = Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._discovery),
                Route("/keys", self._keys),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
            ]
        )

    async def _discovery(self, request: Request) -> Response:
        at = self.address
        return JSONResponse(
            {
                "issuer": at,
                "authorization_endpoint": f"{at}/authorize",
                "token_endpoint": f"{at}/token",
                "jwks_uri": f"{at}/keys",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "code_challenge_methods_supported": ["S256"],
            }
        )

    async def _keys(self, request: Request) -> Response:
        return JSONResponse({"keys": [self._key.as_dict(private=False)]})

    async def _authorize(self, request: Request) -> Response:
        """The person agrees at once; the browser goes back with a code."""
        asked = dict(request.query_params)
        self.asked.append(asked)
        code = secrets.token_urlsafe(8)
        self._codes[code] = asked
        state = "another" if self.lie == "state" else asked["state"]
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': state})}", 303)

    async def _token(self, request: Request) -> Response:
        """Trades a code once, for the client that knows its secret and who began the sign-in (PKCE)."""
        form = await request.form()
        asked = self._codes.pop(str(form.get("code")), None)
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        proof = hashlib.sha256(str(form.get("code_verifier", "")).encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).rstrip(b"=").decode()
        known = request.headers.get("authorization") == f"Basic {basic}".replace("+", "%2B")
        if asked is None or asked.get("code_challenge") != challenge or not known:
            return JSONResponse({"error": "invalid_grant"}, 400)
        return JSONResponse({"access_token": "x", "token_type": "Bearer", "id_token": self._id_token(asked["nonce"])})

    def _id_token(self, nonce: str) -> str:
        now = int(time.time())
        claims: dict[str, Any] = {
            "iss": "https://evil.example" if self.lie == "issuer" else self.address,
            "aud": "somebody else" if self.lie == "audience" else CLIENT,
            "nonce": "another" if self.lie == "nonce" else nonce,
            "iat": now - 7200 if self.lie == "expired" else now,
            "exp": now - 3600 if self.lie == "expired" else now + 300,
            "sub": "1",
            **self.claims,
        }
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, self._other if self.lie == "key" else self._key)


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """Serves an app on a port of this computer; gives its address."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
