"""The demo's one-time address and its roles, and recordings that are sent in pieces."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from verifier.dashboard.web import entry
from verifier.dashboard.web.cookies import COOKIE
from verifier.dashboard.web.entry import Entry, new_key
from verifier.dashboard.web.guard import Guard
from verifier.dashboard.web.sign_in import SignIn
from verifier.dashboard.web.uploads import Uploads
from verifier.domain.errors import BadInput
from verifier.review.orders import uploads
from verifier.review.people.accounts import NewAccount, check_password, create, create_first
from verifier.review.people.demo import NAMES, is_demo, make_demo
from verifier.review.people.roles import Person, Role
from verifier.review.people.sessions import open_session, person_of_session
from verifier.store.repository import Store

PASSWORD = "correct horse battery"
HERE = "http://localhost"
TALKS = {"origin": HERE}


async def _who(request: Request) -> Response:
    return PlainTextResponse(request.state.person.name)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.delenv(entry.VARIABLE, raising=False)
    return Store()


@pytest.fixture
def browser(store: Store) -> Iterator[TestClient]:
    routes = [
        *SignIn(store).routes(),
        *Entry(store).routes(),
        *Uploads(store).routes(),
        Route("/{page:path}", _who),
    ]
    guard = Middleware(Guard, knows=lambda token: person_of_session(store, token))
    with TestClient(Starlette(routes=routes, middleware=[guard]), base_url=HERE, follow_redirects=False) as client:
        yield client


def test_the_address_signs_in_once_and_every_role_can_be_tried(store: Store, browser: TestClient) -> None:
    make_demo(store)
    key = new_key()
    assert key not in os.environ[entry.VARIABLE]
    first = browser.get(f"/enter?key={key}")
    assert (first.status_code, first.headers["location"]) == (303, "/try")
    assert browser.get("/queue").text == "demo-administrator"
    page = browser.get("/try").text
    for role in Role:
        assert f"value='{role.value}'" in page
        before = browser.cookies[COOKIE]
        assert browser.post("/try", data={"role": role.value}, headers=TALKS).status_code == 303
        assert browser.get("/queue").text == NAMES[role][0]
        assert person_of_session(store, before) is None
    browser.cookies.clear()
    assert browser.get(f"/enter?key={key}").status_code == 403
    assert browser.get("/queue").status_code == 401


@pytest.mark.parametrize("key", ["", "wrong"])
def test_no_other_key_signs_in(store: Store, browser: TestClient, key: str) -> None:
    make_demo(store)
    assert browser.get(f"/enter?key={key}").status_code == 403  # before any was made
    right = new_key()
    assert browser.get(f"/enter?key={key}").status_code == 403
    assert COOKIE not in browser.cookies
    assert browser.get(f"/enter?key={right}").status_code == 303  # a wrong one uses nothing up


def test_an_own_home_has_no_such_doors(store: Store, browser: TestClient) -> None:
    chief = create_first(store, "ada", "Ada", PASSWORD)
    with pytest.raises(BadInput, match="accounts of its own"):
        make_demo(store)
    assert browser.get(f"/enter?key={new_key()}").status_code == 403
    browser.cookies.set(COOKIE, open_session(store, chief))
    assert browser.get("/try").headers["location"] == "/"
    assert browser.post("/try", data={"role": "manager"}, headers=TALKS).headers["location"] == "/"
    assert browser.get("/queue").text == "ada"


def test_a_demo_in_which_somebody_makes_an_account_is_no_demo_any_more(store: Store, browser: TestClient) -> None:
    make_demo(store)
    make_demo(store)  # once more changes nothing
    assert is_demo(store)
    chief = Person(name="demo-administrator", full_name="", role=Role.ADMINISTRATOR)
    create(store, chief, NewAccount(name="kim", full_name="Kim", role=Role.MANAGER, password=PASSWORD))
    assert not is_demo(store)
    assert browser.get(f"/enter?key={new_key()}").status_code == 403


def test_no_demo_account_has_a_password(store: Store) -> None:
    make_demo(store)
    for name, _ in NAMES.values():
        for password in ("", "demo", name, "None"):
            assert check_password(store, name, password) is None


def test_a_foreign_page_takes_no_role_and_no_role_is_made_up(store: Store, browser: TestClient) -> None:
    make_demo(store)
    browser.get(f"/enter?key={new_key()}")
    assert browser.post("/try", data={"role": "manager"}, headers={"origin": "http://evil"}).status_code == 403
    assert browser.post("/try", data={"role": "king"}, headers=TALKS).status_code == 400
    assert browser.get("/queue").text == "demo-administrator"


@pytest.fixture
def kim(store: Store, browser: TestClient) -> Person:
    chief = create_first(store, "ada", "Ada", PASSWORD)
    person = create(store, chief, NewAccount(name="kim", full_name="Kim", role=Role.MANAGER, password=PASSWORD))
    browser.cookies.set(COOKIE, open_session(store, person))
    return person


def send(browser: TestClient, data: bytes, name: str = "cam 7.mp4", changed: str = "1") -> dict[str, object]:
    told = browser.post(f"/room/upload?name={name}&size={len(data)}&changed={changed}", headers=TALKS)
    assert told.status_code == 200, told.text
    return dict(told.json())


def test_a_recording_comes_in_pieces_and_goes_on_where_it_broke_off(
    browser: TestClient, kim: Person, own_home: Path
) -> None:
    data = bytes(range(256)) * 40
    first = send(browser, data)
    half = browser.post(f"/room/upload/{first['id']}/0", content=data[:5000], headers=TALKS).json()
    assert half["got"] == 5000
    assert not Path(half["path"]).exists()
    again = send(browser, data)
    assert (again["id"], again["got"]) == (first["id"], 5000)
    wrong = browser.post(f"/room/upload/{first['id']}/4000", content=data[4000:], headers=TALKS)
    assert (wrong.status_code, "5000 bytes have come" in wrong.text) == (400, True)
    done = browser.post(f"/room/upload/{first['id']}/5000", content=data[5000:], headers=TALKS).json()
    assert Path(done["path"]).read_bytes() == data
    assert Path(done["path"]).is_relative_to(own_home)
    assert send(browser, data)["id"] != first["id"]  # whole: the next one is another


def test_another_file_of_the_same_name_and_size_never_goes_on_where_one_broke_off(
    browser: TestClient, kim: Person
) -> None:
    """Recorders write files of one size, each day under the same names."""
    monday, tuesday = b"m" * 6000, b"t" * 6000
    first = send(browser, monday, changed="1700000000000")
    browser.post(f"/room/upload/{first['id']}/0", content=monday[:4000], headers=TALKS)
    other = send(browser, tuesday, changed="1700000086400")
    assert (other["id"] != first["id"], other["got"]) == (True, 0)
    done = browser.post(f"/room/upload/{other['id']}/0", content=tuesday, headers=TALKS).json()
    assert Path(done["path"]).read_bytes() == tuesday
    assert send(browser, monday, changed="1700000000000")["got"] == 4000


def test_what_has_come_is_told_by_its_contents_and_another_file_begins_anew(
    browser: TestClient, kim: Person, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy keeps the moment of its last change: name, size and moment do not tell one film from another."""
    monkeypatch.setattr(uploads, "PIECE_BYTES", 1000)
    monday, tuesday = b"m" * 6000, b"t" * 6000
    first = send(browser, monday)
    for place in (0, 1000):
        browser.post(f"/room/upload/{first['id']}/{place}", content=monday[place : place + 1000], headers=TALKS)
    browser.post(f"/room/upload/{first['id']}/2000", content=monday[:500], headers=TALKS)
    again = send(browser, tuesday)
    told = browser.post(f"/room/upload/{again['id']}/came", headers=TALKS).json()
    assert told == [hashlib.sha256(one).hexdigest() for one in (b"m" * 1000, b"m" * 1000, b"m" * 500)]
    anew = browser.post("/room/upload?name=cam 7.mp4&size=6000&changed=1&anew=1", headers=TALKS).json()
    assert (anew["id"] != first["id"], anew["got"]) == (True, 0)
    assert [one.name for one in (own_home / "uploads").iterdir()] == [anew["id"]], "the beginning of the other is gone"
    assert browser.post(f"/room/upload/{anew['id']}/came", headers=TALKS).json() == []
    assert browser.post(f"/room/upload/{anew['id']}/came", headers={"origin": "http://evil"}).status_code == 403


def test_two_tabs_that_send_the_same_piece_at_once_add_it_once(
    store: Store, kim: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both were told that nothing had come, and the piece stood twice in a recording of the right size."""
    started = uploads.begin_upload(store, kim, "a.mp4", 4000)
    together, real = threading.Barrier(2), uploads.upload_of

    def known(person: Person, upload_id: str) -> uploads.Upload:
        found = real(person, upload_id)
        with suppress(threading.BrokenBarrierError):
            together.wait(0.3)
        return found

    monkeypatch.setattr(uploads, "upload_of", known)

    def add(data: bytes) -> bool:
        try:
            uploads.add_piece(kim, started.id, 0, data)
        except BadInput:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(add, (b"a" * 2000, b"a" * 2000))) == [False, True]
    assert real(kim, started.id).got == 2000


@pytest.mark.parametrize("left", ['{"by": "kim", "na', "", "[]", "{}"])
def test_an_upload_whose_description_is_damaged_keeps_nobody_from_sending(
    browser: TestClient, kim: Person, own_home: Path, left: str
) -> None:
    """half_written_documents: the disk was full when it began."""
    first = send(browser, b"abc")
    (own_home / "uploads" / str(first["id"]) / "upload.json").write_text(left, encoding="utf-8")
    again = send(browser, b"abc")
    assert again["id"] != first["id"]
    assert browser.post(f"/room/upload/{first['id']}/0", content=b"abc", headers=TALKS).status_code == 400
    assert browser.post(f"/room/upload/{again['id']}/0", content=b"abc", headers=TALKS).status_code == 200


@pytest.mark.parametrize("name", ["../../etc/passwd.mp4", "..\\..\\x.mp4", "/etc/a.mp4", ".hidden.mp4", "a\0b.mp4"])
def test_no_name_leads_out_of_the_uploads(browser: TestClient, kim: Person, own_home: Path, name: str) -> None:
    told = browser.post("/room/upload", params={"name": name, "size": "3"}, headers=TALKS).json()
    path = Path(browser.post(f"/room/upload/{told['id']}/0", content=b"abc", headers=TALKS).json()["path"])
    assert path.is_file()
    assert path.parent.parent == own_home / "uploads"


def test_what_is_no_recording_or_too_much_is_refused(
    store: Store, browser: TestClient, kim: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in (("a.exe", "3"), ("a.mp4", "0"), ("a.mp4", "-3"), ("a.mp4", "x"), ("", "3"), ("a.mp4", "²")):
        assert browser.post("/room/upload", params={"name": name, "size": size}, headers=TALKS).status_code == 400
    assert "no space" in browser.post(f"/room/upload?name=a.mp4&size={10**18}", headers=TALKS).text
    first = send(browser, b"abc")
    assert browser.post(f"/room/upload/{first['id']}/0", content=b"abcd", headers=TALKS).status_code == 400
    assert browser.post("/room/upload/../0", content=b"abc", headers=TALKS).status_code in (400, 404, 405)
    monkeypatch.setattr("verifier.dashboard.web.uploads.PIECE_BYTES", 2)
    assert browser.post(f"/room/upload/{first['id']}/0", content=b"abc", headers=TALKS).status_code == 413
    assert uploads.SPARE_BYTES > uploads.PIECE_BYTES


def test_nobody_else_sends_or_goes_on(store: Store, browser: TestClient, kim: Person) -> None:
    first = send(browser, b"abc")
    url = f"/room/upload/{first['id']}/0"
    assert browser.post(url, content=b"abc", headers={"origin": "http://evil"}).status_code == 403
    chief = Person(name="ada", full_name="Ada", role=Role.ADMINISTRATOR)
    pat = create(store, chief, NewAccount(name="pat", full_name="Pat", role=Role.MANAGER, password=PASSWORD))
    rob = create(store, chief, NewAccount(name="rob", full_name="Rob", role=Role.REVIEWER, password=PASSWORD))
    browser.cookies.set(COOKIE, open_session(store, pat))
    assert browser.post(url, content=b"abc", headers=TALKS).status_code == 400
    browser.cookies.set(COOKIE, open_session(store, rob))
    assert browser.post(url, content=b"abc", headers=TALKS).status_code == 403
    assert browser.post("/room/upload?name=a.mp4&size=3", headers=TALKS).status_code == 403
    browser.cookies.clear()
    assert browser.post(url, content=b"abc", headers=TALKS).status_code == 401
