"""Sign-in by OpenID Connect: set up by the environment, and only for people who have an account here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from authlib.integrations.starlette_client import OAuthError
from openid_provider import CLIENT, SECRET, Provider, served
from starlette.applications import Starlette
from starlette.testclient import TestClient

from verifier.dashboard.web.cookies import COOKIE
from verifier.dashboard.web.oidc import OpenId, state_keeper
from verifier.dashboard.web.service import Service, configured
from verifier.domain.errors import BadInput
from verifier.review.people.accounts import NewAccount, change, create, create_first
from verifier.review.people.roles import Role
from verifier.review.people.sessions import person_of_session
from verifier.store.repository import Store

SERVICE = Service("https://id.example.org/.well-known/openid-configuration", "client", "secret", "Example")


class Answers:
    """Stands for the client library: gives the claims of a checked token, or fails as it does."""

    def __init__(self, claims: dict[str, Any] | None) -> None:
        self._claims = claims

    async def authorize_access_token(self, request: object) -> dict[str, Any]:
        if self._claims is None:
            raise OAuthError("mismatching_state")
        return {"userinfo": self._claims}


@pytest.fixture
def store() -> Store:
    kept = Store()
    chief = create_first(kept, "ada", "Ada", "correct horse battery")
    for name in ("kim@example.org", "gone@example.org"):
        create(kept, chief, NewAccount(name=name, full_name="Kim", role=Role.MANAGER))
    change(kept, chief, "gone@example.org", role=Role.MANAGER, authority=False, active=False)
    return kept


def answered(store: Store, claims: dict[str, Any] | None) -> tuple[str, str | None]:
    """Where the browser is sent, and its session's token."""
    other = OpenId(store, SERVICE)
    other._client = Answers(claims)
    with TestClient(Starlette(routes=other.routes(), middleware=[state_keeper()]), follow_redirects=False) as browser:
        response = browser.get("/oidc/callback?code=x&state=y")
        return response.headers["location"], browser.cookies.get(COOKIE)


def test_a_known_person_is_let_in(store: Store) -> None:
    target, token = answered(store, {"email": "Kim@Example.org", "email_verified": True})
    assert target == "/"
    person = person_of_session(store, token)
    assert person is not None
    assert person.name == "kim@example.org"


@pytest.mark.parametrize(
    "claims",
    [
        None,
        {},
        {"email": "kim@example.org"},
        {"email": "kim@example.org", "email_verified": "true"},
        {"email": "stranger@example.org", "email_verified": True},
        {"email": "gone@example.org", "email_verified": True},
        {"preferred_username": "kim@example.org", "email_verified": True},
    ],
)
def test_anybody_else_is_refused(store: Store, claims: dict[str, Any] | None) -> None:
    assert answered(store, claims) == ("/sign-in?refused", None)


def test_it_is_set_up_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VERIFIER_OIDC_URL", raising=False)
    assert configured() is None
    for name, value in (("URL", SERVICE.url), ("CLIENT_ID", "client"), ("NAME", "Example")):
        monkeypatch.setenv(f"VERIFIER_OIDC_{name}", value)
    with pytest.raises(BadInput, match="without VERIFIER_OIDC_CLIENT_SECRET"):
        configured()
    monkeypatch.setenv("VERIFIER_OIDC_CLIENT_SECRET", "secret")
    assert configured() == SERVICE


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider()
    with served(made.app) as made.address:
        yield made


@pytest.fixture
def room(store: Store, provider: Provider) -> Iterator[str]:
    """The room's two addresses, served for true, set up for the provider."""
    service = Service(f"{provider.address}/.well-known/openid-configuration", CLIENT, SECRET, "Example")
    with served(Starlette(routes=OpenId(store, service).routes(), middleware=[state_keeper()])) as address:
        yield address


def walked(browser: httpx.Client, address: str) -> httpx.Response:
    """Follows the redirects of a sign-in from its start to where the room sends the browser in the end."""
    answer = browser.get(address)
    while "/oidc/" in (target := answer.headers["location"]) or "/authorize" in target:
        answer = browser.get(target)
    return answer


def test_the_whole_way_to_a_provider_and_back_signs_in(store: Store, provider: Provider, room: str) -> None:
    with httpx.Client() as browser:
        answer = walked(browser, f"{room}/oidc/start")
        token = browser.cookies.get(COOKIE)
    assert answer.headers["location"] == "/"
    person = person_of_session(store, token)
    assert person is not None
    assert person.name == "kim@example.org"
    (asked,) = provider.asked
    assert (asked["client_id"], asked["response_type"], asked["code_challenge_method"]) == (CLIENT, "code", "S256")
    assert asked["redirect_uri"] == f"{room}/oidc/callback"


@pytest.mark.parametrize("lie", ["state", "nonce", "issuer", "audience", "expired", "key"])
def test_an_answer_that_is_not_right_signs_nobody_in(provider: Provider, room: str, lie: str) -> None:
    provider.lie = lie
    with httpx.Client() as browser:
        assert walked(browser, f"{room}/oidc/start").headers["location"] == "/sign-in?refused"
        assert browser.cookies.get(COOKIE) is None


def test_an_answer_is_good_once_and_in_the_browser_that_asked_only(provider: Provider, room: str) -> None:
    with httpx.Client() as browser, httpx.Client() as thief:
        at_provider = browser.get(f"{room}/oidc/start").headers["location"]
        back = browser.get(at_provider).headers["location"]
        assert thief.get(back).headers["location"] == "/sign-in?refused"
        assert browser.get(back).headers["location"] == "/"
        assert browser.get(back).headers["location"] == "/sign-in?refused"


def test_a_provider_that_is_away_is_told_and_nobody_comes_in(store: Store) -> None:
    service = Service("http://127.0.0.1:9/.well-known/openid-configuration", CLIENT, SECRET, "Example")
    with TestClient(Starlette(routes=OpenId(store, service).routes(), middleware=[state_keeper()])) as browser:
        answer = browser.get("/oidc/start", follow_redirects=False)
    assert answer.headers["location"] == "/sign-in?refused"
