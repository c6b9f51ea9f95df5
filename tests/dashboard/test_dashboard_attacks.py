"""Attacks on the dashboard's server: no page, picture or connection without a session, forms only from here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from review_fakes import SHOWN, fake_stages, finding, write_inputs
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from verifier.dashboard.web.cookies import COOKIE, safe_target
from verifier.dashboard.web.guard import UPLOAD_MOST, Guard, is_open
from verifier.dashboard.web.pictures import Pictures
from verifier.dashboard.web.sign_in import SignIn
from verifier.review.people.accounts import NewAccount, by_other_service, create, create_first
from verifier.review.people.roles import Role
from verifier.review.people.sessions import open_session, person_of_session
from verifier.review.recording import review_recording
from verifier.store.repository import Store

PASSWORD = "correct horse battery"
HERE = "http://testserver"
PAGE = {"accept": "text/html"}


async def _page(request: Request) -> Response:
    return PlainTextResponse(f"the page of {request.state.person.name}")


async def _talk(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("in")
    await socket.close()


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def browser(store: Store) -> Iterator[TestClient]:
    routes = [
        *SignIn(store).routes(), *Pictures(store).routes(), WebSocketRoute("/_stcore/stream", _talk),
        Route("/{path:path}", _page, methods=["GET", "POST"]),
    ]  # fmt: skip
    app = Starlette(routes=routes, middleware=[Middleware(Guard, knows=lambda token: person_of_session(store, token))])
    with TestClient(app, follow_redirects=False, base_url=HERE) as client:
        yield client


def people(store: Store) -> None:
    chief = create_first(store, "ada", "Ada", PASSWORD)
    for name, role in (("kim", Role.MANAGER), ("rob", Role.REVIEWER), ("agent", Role.ATTORNEY_GENERAL)):
        create(store, chief, NewAccount(name=name, full_name=name, role=role, password=PASSWORD))


def enter(browser: TestClient, name: str, password: str = PASSWORD, origin: str | None = HERE) -> int:
    headers = {"origin": origin} if origin else {}
    return browser.post("/sign-in", data={"name": name, "password": password}, headers=headers).status_code


@pytest.mark.parametrize(
    "path",
    ["/", "/queue", "/people", "/media/abc.mp4", "/room/video/x", "/_stcore/upload_file/a/b", "/static/../people",
     "/sign-in/../people", "//people", "/app/static/x", "/_stcore/host-config"],
)  # fmt: skip
def test_nothing_opens_without_signing_in(browser: TestClient, store: Store, path: str) -> None:
    people(store)
    response = browser.request("GET", HERE + path)
    assert response.status_code in (303, 401)
    assert "the page of" not in response.text
    assert browser.post(HERE + path).status_code == 401


def test_the_connection_of_the_pages_needs_a_session(browser: TestClient, store: Store) -> None:
    people(store)
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/_stcore/stream"):
        pass
    enter(browser, "kim")
    with browser.websocket_connect("/_stcore/stream") as socket:
        assert socket.receive_text() == "in"


def test_a_page_leads_to_sign_in_and_back(browser: TestClient, store: Store) -> None:
    people(store)
    response = browser.get("/finding?id=x-0001", headers=PAGE)
    assert response.headers["location"] == "/sign-in?next=/finding%3Fid%3Dx-0001"
    entered = browser.post(
        response.headers["location"], data={"name": "kim", "password": PASSWORD}, headers={"origin": HERE}
    )
    assert entered.headers["location"] == "/finding?id=x-0001"
    assert browser.get("/finding").text == "the page of kim"


def test_the_cookie_is_for_no_script_and_no_other_site(browser: TestClient, store: Store) -> None:
    people(store)
    response = browser.post("/sign-in", data={"name": "kim", "password": PASSWORD}, headers={"origin": HERE})
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "http://testserver.evil.example"])
def test_a_form_from_elsewhere_signs_nobody_in(browser: TestClient, store: Store, origin: str | None) -> None:
    people(store)
    assert enter(browser, "kim", origin=origin) == 403
    assert browser.cookies.get(COOKIE) is None


@pytest.mark.parametrize("token", ["", "x", "' OR 1=1 --", "a" * 5000])
def test_a_made_up_session_is_none(browser: TestClient, store: Store, token: str) -> None:
    people(store)
    browser.cookies.set(COOKIE, token)
    assert browser.get("/queue").status_code == 401


def test_a_session_that_was_closed_is_worth_nothing_to_a_thief(browser: TestClient, store: Store) -> None:
    people(store)
    enter(browser, "kim")
    stolen = browser.cookies[COOKIE]
    browser.post("/sign-out", headers={"origin": HERE})
    browser.cookies.set(COOKIE, stolen)
    assert browser.get("/queue").status_code == 401


@pytest.mark.parametrize(
    "target",
    ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/a\r\nset-cookie: x"],
)
def test_signing_in_leads_nowhere_else(target: str) -> None:
    assert safe_target(target) == "/"
    assert safe_target("/finding?id=3") == "/finding?id=3"


def test_markup_in_a_name_is_shown_as_text(browser: TestClient, store: Store) -> None:
    response = browser.post(
        "/first", data={"name": "<script>", "full name": "x", "password": PASSWORD}, headers={"origin": HERE}
    )
    assert response.status_code == 400
    assert "<script>" not in response.text
    assert "default-src 'none'" in response.headers["content-security-policy"]


def test_the_first_account_is_made_by_the_first_visitor_only(browser: TestClient, store: Store) -> None:
    assert browser.get("/sign-in").headers["location"] == "/first"
    form = {"name": "ada", "full name": "Ada", "password": PASSWORD}
    assert browser.post("/first", data=form, headers={"origin": HERE}).headers["location"] == "/people"
    browser.cookies.clear()
    assert (
        browser.post("/first", data={**form, "name": "eve"}, headers={"origin": HERE}).headers["location"] == "/sign-in"
    )
    assert enter(browser, "eve") == 401


def test_an_oversized_request_is_refused(browser: TestClient, store: Store) -> None:
    people(store)
    enter(browser, "kim")
    for length in (str(UPLOAD_MOST + 1), "-5", "many"):
        assert browser.post("/_stcore/upload_file", content=b"x", headers={"content-length": length}).status_code == 413
    assert browser.post("/sign-in", content=b"x" * 9000, headers={"origin": HERE}).status_code == 403


@pytest.mark.parametrize(("name", "status"), [("kim", 200), ("agent", 200), ("rob", 403), ("ada", 403)])
def test_video_is_for_whom_the_rule_allows(
    browser: TestClient, store: Store, tmp_path: Path, name: str, status: int
) -> None:
    people(store)
    reviewed = review_recording(
        *write_inputs(tmp_path), tmp_path / "out", stages=fake_stages(SHOWN, finding()), store=store
    )
    enter(browser, name)
    assert browser.get(f"/room/video/{reviewed.review.id}/0").status_code == status
    assert browser.get(f"/room/clip/{reviewed.findings[0].id}").status_code == status
    part = browser.get(f"/room/video/{reviewed.review.id}/0", headers={"range": "bytes=0-9"})
    assert (part.status_code, len(part.content) == 10) == ((206, True) if status == 200 else (403, False))
    for path in ("..%2f..%2fetc%2fpasswd", "%2e%2e", "x' OR 1=1 --", "nobody"):
        assert (
            browser.get(f"/room/video/{path}/0").status_code in (403, 404)
            or "root:" not in browser.get(f"/room/video/{path}/0").text
        )


def test_only_sign_in_and_the_programs_own_files_are_open() -> None:
    asked = ("/sign-in", "/static/js/x.js", "/first", "/static/../x", "/media/x")
    assert [path for path in asked if is_open(path)] == ["/sign-in", "/static/js/x.js", "/first"]


def test_a_session_in_the_store_is_a_hash_only(store: Store) -> None:
    people(store)
    kim = by_other_service(store, "kim")
    assert kim is not None
    token = open_session(store, kim)
    assert token.encode() not in (Path(str(store._address).removeprefix("sqlite:///"))).read_bytes()
