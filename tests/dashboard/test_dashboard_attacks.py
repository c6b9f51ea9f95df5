"""Attacks on the dashboard's server: no page, picture or connection without a session, forms only from here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from time import sleep

import pytest
from review_fakes import SHOWN, fake_stages, finding, write_inputs
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from verifier.dashboard.settings import SETTINGS, UPLOAD_MB
from verifier.dashboard.web.cookies import COOKIE, safe_target
from verifier.dashboard.web.doors import UPLOAD_MOST
from verifier.dashboard.web.guard import Guard, is_open
from verifier.dashboard.web.pictures import Pictures
from verifier.dashboard.web.shown import addresses_in
from verifier.dashboard.web.sign_in import SignIn
from verifier.domain.errors import BadInput
from verifier.review.people import passwords
from verifier.review.people.accounts import (
    NewAccount,
    anybody,
    by_other_service,
    check_password,
    create,
    create_first,
)
from verifier.review.people.roles import Person, Role
from verifier.review.people.sessions import open_session, person_of_session
from verifier.review.people.views import Views
from verifier.review.recording import review_recording
from verifier.store.repository import Store

PASSWORD = "correct horse battery"
HERE = "http://localhost"
TALKS = {"origin": HERE}
PAGE = {"accept": "text/html"}


async def _page(request: Request) -> Response:
    return PlainTextResponse(f"the page of {request.state.person.name}")


async def _talk(socket: WebSocket) -> None:
    """A page's connection: Streamlit's messages are bytes with the addresses of what they show somewhere in them."""
    await socket.accept()
    await socket.send_bytes(b"\x0a\x2c/media/5f22ab.mp4\x12\x05")
    await socket.send_text("in")
    await socket.close()


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def browser(store: Store) -> Iterator[TestClient]:
    routes = [
        *SignIn(store).routes(),
        *Pictures(store).routes(),
        WebSocketRoute("/_stcore/stream", _talk),
        Route("/{path:path}", _page, methods=["GET", "POST"]),
    ]
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
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect("ws://localhost/_stcore/stream"):
        pass
    enter(browser, "kim")
    strange = (
        "file://localhost",
        "evil://localhost",
        "http://localhost.",
        "http://localhost@evil.example",
        "http://LOCALHOST",
    )
    for origin in (None, "http://localhost:1", "http://evil.example", "null", *strange):
        headers = {"origin": origin} if origin else {}
        with (
            pytest.raises(WebSocketDisconnect),
            browser.websocket_connect("ws://localhost/_stcore/stream", headers=headers),
        ):
            pass
    with browser.websocket_connect("ws://localhost/_stcore/stream", headers=TALKS) as socket:
        socket.receive_bytes()
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


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "http://localhost.evil.example"])
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
    assert browser.post("/first", data=form, headers={"origin": HERE}).headers["location"] == "/guide"
    browser.cookies.clear()
    assert (
        browser.post("/first", data={**form, "name": "eve"}, headers={"origin": HERE}).headers["location"] == "/sign-in"
    )
    assert enter(browser, "eve") == 401


def test_an_oversized_request_is_refused(browser: TestClient, store: Store) -> None:
    people(store)
    enter(browser, "kim")
    for length in (str(UPLOAD_MOST + 1), "-5", "many", b"\xb2"):  # the last is a digit to Python, and no number
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
    assert browser.get(f"/room/frame/{reviewed.review.id}/0/50").status_code == status
    assert browser.get(f"/room/looks/{reviewed.review.id}/0/0.0/8.0").status_code == status
    assert browser.get(f"/room/still/{reviewed.findings[1].id}/0").status_code == status
    watches = 200 if name == "kim" else 403
    assert browser.get(f"/room/along/{reviewed.review.id}").status_code == watches, "what people watched of it"
    for wrong in (
        "still/nobody/0",
        f"still/{reviewed.findings[1].id}/9",
        "frame/nobody/0/0",
        "frame/{}/1/0",
        "frame/{}/0/80",
        "looks/{}/1/0.0/8.0",
        "looks/{}/0/0.0/120.1",
        "along/nobody",
    ):
        told = browser.get("/room/" + wrong.format(reviewed.review.id)).status_code
        assert told == (404 if status == 200 else 403), wrong
    part = browser.get(f"/room/video/{reviewed.review.id}/0", headers={"range": "bytes=0-9"})
    assert (part.status_code, len(part.content) == 10) == ((206, True) if status == 200 else (403, False))
    for path in ("..%2f..%2fetc%2fpasswd", "%2e%2e", "x' OR 1=1 --", "nobody"):
        assert (
            browser.get(f"/room/video/{path}/0").status_code in (403, 404)
            or "root:" not in browser.get(f"/room/video/{path}/0").text
        )


def test_a_media_file_is_for_the_session_whose_page_showed_it(browser: TestClient, store: Store) -> None:
    """The case media_without_right: rob, who may see no video, knows the address of kim's clip."""
    people(store)
    enter(browser, "kim")
    assert browser.get("/media/5f22ab.mp4").status_code == 404, "before a page showed it"
    with browser.websocket_connect("ws://localhost/_stcore/stream", headers=TALKS) as socket:
        socket.receive_bytes()
    assert browser.get("/media/5f22ab.mp4").status_code == 200
    assert browser.get("/media/5f22a.mp4").status_code == 404
    enter(browser, "rob")
    for path in ("/media/5f22ab.mp4", "//media/5f22ab.mp4", "/x/../media/5f22ab.mp4", "/media%2f5f22ab.mp4"):
        assert "the page of" not in browser.get(HERE + path).text or path.startswith(("//", "/media%2f")), path


def test_each_view_stands_in_the_audit_log(browser: TestClient, store: Store, tmp_path: Path) -> None:
    people(store)
    reviewed = review_recording(
        *write_inputs(tmp_path), tmp_path / "out", stages=fake_stages(SHOWN, finding()), store=store
    )
    enter(browser, "kim")
    for _ in range(3):
        browser.get(f"/room/video/{reviewed.review.id}/0", headers={"range": "bytes=0-9"})
    browser.get(f"/room/clip/{reviewed.findings[0].id}")
    browser.get(f"/room/piece/{reviewed.review.id}/0/0")
    for number in range(3):
        browser.get(f"/room/frame/{reviewed.review.id}/0/{number}")
    browser.get(f"/room/looks/{reviewed.review.id}/0/0.0/8.0")
    enter(browser, "rob")
    browser.get(f"/room/clip/{reviewed.findings[0].id}")
    deeds = [link.deed for link in store.audit(act="view") if link.deed]
    assert [(deed.actor, deed.subject, deed.detail["part"]) for deed in deeds] == [
        ("kim", f"review/{reviewed.review.id}", "file 0"),
        ("kim", f"finding/{reviewed.findings[0].id}", "clip"),
        ("kim", f"review/{reviewed.review.id}", "file 0, piece 0"),
        ("kim", f"review/{reviewed.review.id}", "file 0, frames"),
        ("kim", f"review/{reviewed.review.id}", "file 0, what was seen"),
    ]


def test_one_view_lasts_ten_minutes(store: Store) -> None:
    kim, clock = Person(name="kim", full_name="Kim", role=Role.MANAGER), iter((0.0, 1.0, 599.9, 600.0, 1199.9))
    views = Views(store, lambda: next(clock))
    for _ in range(5):
        views.note(kim, "review/x")
    assert len(store.audit(act="view")) == 2


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8501", "localhost.evil.example", "127.0.0.1.evil.example", "localhost@evil.example",
     "localhost evil.example", "", "[::2]", "localhost:x", "localhost.", "127.1", "0x7f.1"],
)  # fmt: skip
def test_no_address_answers_to_another_name(browser: TestClient, store: Store, host: str) -> None:
    """The case host_ports_policy: a name that now means 127.0.0.1 brings a browser here."""
    forged = {"host": host, "origin": f"http://{host}"}
    form = {"name": "eve", "full name": "Eve", "password": PASSWORD}
    assert browser.post("/first", data=form, headers=forged).status_code == 421
    assert not anybody(store)
    for path in ("/", "/sign-in", "/first", "/oidc/start", "/_stcore/health", "/static/x.js"):
        assert browser.get(path, headers={"host": host}).status_code == 421
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect("ws://localhost/_stcore/stream", headers=forged):
        pass


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8501", "127.0.0.1:9", "[::1]:8501", "review.example:443"])
def test_its_own_names_are_answered(
    browser: TestClient, store: Store, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIFIER_HOSTS", "Review.example, other.example")
    assert browser.get("/first", headers={"host": host}).status_code == 200


def test_a_page_of_another_port_signs_nobody_out(browser: TestClient, store: Store) -> None:
    people(store)
    enter(browser, "kim")
    assert browser.get("/sign-out", headers={"referer": "http://localhost:1/"}).status_code == 405
    for origin in ("http://localhost:1", "http://evil.example", "null"):
        assert browser.post("/sign-out", headers={"origin": origin}).status_code == 403
    assert browser.post("/sign-out").status_code == 403
    assert browser.get("/queue").text == "the page of kim"
    assert browser.post("/sign-out", headers={"origin": HERE}).status_code == 303
    assert browser.get("/queue").status_code == 401


def test_every_page_fetches_nothing_from_elsewhere(browser: TestClient, store: Store) -> None:
    people(store)
    enter(browser, "kim")
    for path in ("/queue", "/finding", "/_stcore/host-config", "/media/x"):
        rules = dict(rule.split(" ", 1) for rule in browser.get(path).headers["content-security-policy"].split("; "))
        assert rules["default-src"] == "'none'"
        own = {"'self'", "'none'", "data:", "blob:", "'unsafe-inline'", "ws://localhost", "wss://localhost"}
        places = {place for rule in rules.values() for place in rule.split() if not place.startswith("'sha256-")}
        assert places <= own, path
        assert "'unsafe-inline'" not in rules["script-src"]


def test_a_request_that_hides_its_size_is_refused(browser: TestClient, store: Store) -> None:
    people(store)
    enter(browser, "kim")
    chunks = (b"x" for _ in range(3))
    answer = browser.post("/_stcore/upload_file", content=chunks, headers={"origin": HERE})
    assert answer.status_code == 413


def test_one_limit_is_told_and_held() -> None:
    config = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text())
    assert UPLOAD_MOST == UPLOAD_MB << 20
    assert SETTINGS["server.maxUploadSize"] == UPLOAD_MB == config["server"]["maxUploadSize"]


def test_passwords_are_hashed_two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The case bombs: a hundred failed sign-ins at once took 1.5 GiB, 64 MiB each."""
    now, most, turn = 0, 0, Lock()

    class Slow:
        def verify(self, kept: str, password: str) -> bool:
            nonlocal now, most
            with turn:
                now += 1
                most = max(most, now)
            sleep(0.01)
            with turn:
                now -= 1
            return False

    monkeypatch.setattr(passwords, "_HASHER", Slow())
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda _: passwords.fits("x", "y"), range(40)))
    assert most == passwords.AT_ONCE == 2


@pytest.mark.parametrize(
    "name", ["\u212aim", "k\u0456m", "\uff4bim", "ki\u200bm", "kim\u00ad", "\u202ekim", "\u017fam"]
)
def test_letters_that_look_alike_are_nobodys(store: Store, name: str) -> None:
    """Kelvin's sign and the long s fold into k and s; others only look like them."""
    people(store)
    create(
        store,
        Person(name="ada", full_name="Ada", role=Role.ADMINISTRATOR),
        NewAccount(name="sam", full_name="Sam", role=Role.MANAGER, password=PASSWORD),
    )
    assert check_password(store, name, PASSWORD) is None
    assert by_other_service(store, name) is None
    with pytest.raises(BadInput, match="cannot be an account's name"):
        create(
            store,
            Person(name="ada", full_name="Ada", role=Role.ADMINISTRATOR),
            NewAccount(name=name, full_name="x", role=Role.MANAGER, password=PASSWORD),
        )


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Kim Ols\u043en", "several scripts"),
        ("Kim\u200b Olson", "nobody sees"),
        ("\u202eKim", "nobody sees"),
        (" ", "empty"),
    ],
)
def test_a_full_name_is_not_taken_for_another(store: Store, name: str, says: str) -> None:
    people(store)
    with pytest.raises(BadInput, match=says):
        create(
            store,
            Person(name="ada", full_name="Ada", role=Role.ADMINISTRATOR),
            NewAccount(name="kim2", full_name=name, role=Role.MANAGER, password=PASSWORD),
        )


def test_a_full_name_in_one_script_is_kept(store: Store) -> None:
    people(store)
    for number, name in enumerate(("Zo\u00eb  O'Neil-Smith", "\u039c\u03b1\u03c1\u03af\u03b1", "\uff2b\uff49\uff4d 2")):
        made = create(
            store,
            Person(name="ada", full_name="Ada", role=Role.ADMINISTRATOR),
            NewAccount(name=f"p{number}", full_name=name, role=Role.MANAGER, password=PASSWORD),
        )
        assert made.full_name == ("Zo\u00eb O'Neil-Smith", "\u039c\u03b1\u03c1\u03af\u03b1", "Kim 2")[number]


def test_only_sign_in_and_the_programs_own_files_are_open() -> None:
    asked = ("/sign-in", "/static/js/x.js", "/first", "/static/../x", "/media/x")
    assert [path for path in asked if is_open(path)] == ["/sign-in", "/static/js/x.js", "/first"]


def test_a_session_in_the_store_is_a_hash_only(store: Store) -> None:
    people(store)
    kim = by_other_service(store, "kim")
    assert kim is not None
    token = open_session(store, kim)
    assert token.encode() not in (Path(str(store._address).removeprefix("sqlite:///"))).read_bytes()


def test_a_media_address_is_known_by_its_length_whatever_comes_after_it() -> None:
    address = f"/media/{'4c' * 16}.mp4"
    counted = bytes([len(address)]) + address.encode()
    for after in (b"", b"H\x01", b"P\x01", b"\x18\x00", b'"'):
        assert address in addresses_in(b"\x0a" + counted + after)
    assert address in addresses_in(b'{"url": "' + address.encode() + b'"}')
    assert addresses_in(b"/media/") == []
