"""Who may do what, signing in, being locked out, sessions that end."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from verifier.domain.errors import BadInput
from verifier.review.people.accounts import (
    FAILURES_ALLOWED,
    LOCKED_MINUTES,
    NewAccount,
    accounts,
    change,
    check_password,
    create,
    create_first,
    set_password,
)
from verifier.review.people.roles import GRANTS, Act, Forbidden, Person, Role, require
from verifier.review.people.sessions import IDLE_MINUTES, LONGEST_HOURS, close_session, open_session, person_of_session
from verifier.store.repository import Store

PASSWORD = "correct horse battery"


class Wall:
    def __init__(self) -> None:
        self.time = datetime.fromisoformat("2026-11-20T02:00:00+00:00")

    def now(self) -> str:
        return self.time.isoformat(timespec="seconds")

    def wait(self, minutes: float) -> None:
        self.time += timedelta(minutes=minutes)


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def store(wall: Wall) -> Store:
    return Store(now=wall.now)


@pytest.fixture
def chief(store: Store) -> Person:
    return create_first(store, "Ada", "Ada Admin", PASSWORD)


def test_only_managers_and_independent_persons_see_video() -> None:
    """N.D. Admin. Code 99-01.3-08-04(4)(a); the attorney general reads everything."""
    seeing = {role for role in Role if Person(name="x", full_name="X", role=role).may(Act.VIDEO)}
    assert seeing == {Role.MANAGER, Role.INDEPENDENT, Role.ATTORNEY_GENERAL}
    assert Person(name="x", full_name="X", role=Role.REVIEWER, authority=True).may(Act.VIDEO)
    assert not Person(name="x", full_name="X", role=Role.ADMINISTRATOR, authority=True).may(Act.VIDEO)


def test_the_attorney_general_writes_nothing() -> None:
    writing = {Act.JUDGE, Act.WATCH, Act.CALIBRATE, Act.DOCUMENT, Act.RETAIN, Act.POLICY, Act.PEOPLE}
    assert not GRANTS[Role.ATTORNEY_GENERAL] & writing


@pytest.mark.parametrize("act", list(Act))
@pytest.mark.parametrize("role", list(Role))
def test_what_is_not_granted_is_refused(role: Role, act: Act) -> None:
    person = Person(name="x", full_name="X", role=role)
    if act in GRANTS[role]:
        require(person, act)
    else:
        with pytest.raises(Forbidden):
            require(person, act)


def test_the_first_account_is_made_once(store: Store, chief: Person) -> None:
    assert (chief.name, chief.role) == ("ada", Role.ADMINISTRATOR)
    with pytest.raises(BadInput, match="there is one already"):
        create_first(store, "eve", "Eve", PASSWORD)


@pytest.mark.parametrize("password", ["short", "x" * 300, "aaaaaaaaaaaaaaaa", "my name is ada 1"])
def test_weak_passwords_are_refused(store: Store, password: str) -> None:
    with pytest.raises(BadInput, match="password"):
        create_first(store, "ada", "Ada", password)


@pytest.mark.parametrize("name", ["", "../../etc", "a b", "<script>", "x" * 200, "é"])
def test_names_that_could_be_more_than_names_are_refused(store: Store, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be an account's name"):
        create_first(store, name, "Somebody", PASSWORD)


def test_the_password_is_kept_as_argon2id_only(store: Store, chief: Person) -> None:
    data = b"".join(
        file.read_bytes() for file in Path(str(store._address).removeprefix("sqlite:///")).parent.glob("*.sqlite*")
    )
    assert PASSWORD.encode() not in data
    assert b"$argon2id$" in data


def test_five_failures_lock_an_account_for_a_while(store: Store, chief: Person, wall: Wall) -> None:
    for _ in range(FAILURES_ALLOWED):
        assert check_password(store, "ada", "wrong password !") is None
    assert check_password(store, "ada", PASSWORD) is None
    wall.wait(LOCKED_MINUTES + 1)
    assert check_password(store, "ADA", PASSWORD) == chief


def test_a_shut_account_and_an_unknown_name_are_refused_alike(store: Store, chief: Person) -> None:
    create(store, chief, NewAccount(name="kim", full_name="Kim", role=Role.MANAGER, password=PASSWORD))
    change(store, chief, "kim", role=Role.MANAGER, authority=False, active=False)
    assert check_password(store, "kim", PASSWORD) is None
    assert check_password(store, "nobody", PASSWORD) is None


def test_an_account_without_password_has_no_way_in_by_password(store: Store, chief: Person) -> None:
    create(store, chief, NewAccount(name="kim@example.org", full_name="Kim", role=Role.MANAGER))
    for password in ("", "None", PASSWORD):
        assert check_password(store, "kim@example.org", password) is None


def test_a_session_is_its_persons_until_it_ends(store: Store, chief: Person, wall: Wall) -> None:
    token = open_session(store, chief)
    assert person_of_session(store, token) == chief
    assert person_of_session(store, token + "x") is None
    assert person_of_session(store, None) is None
    close_session(store, token)
    assert person_of_session(store, token) is None


def test_sessions_end_when_idle_and_after_a_shift(store: Store, chief: Person, wall: Wall) -> None:
    idle, busy = open_session(store, chief), open_session(store, chief)
    for _ in range(int(LONGEST_HOURS * 60 / (IDLE_MINUTES - 5)) - 1):
        wall.wait(IDLE_MINUTES - 5)
        assert person_of_session(store, busy) == chief
    assert person_of_session(store, idle) is None
    wall.wait(IDLE_MINUTES - 1)
    wall.wait(IDLE_MINUTES - 1)
    assert person_of_session(store, busy) is None


def test_a_new_password_and_a_changed_role_end_the_sessions(store: Store, chief: Person) -> None:
    kim = create(store, chief, NewAccount(name="kim", full_name="Kim", role=Role.MANAGER, password=PASSWORD))
    token = open_session(store, kim)
    change(store, chief, "kim", role=Role.REVIEWER, authority=False, active=True)
    assert person_of_session(store, token) is None
    token = open_session(store, kim)
    set_password(store, kim, "kim", PASSWORD + "!")
    assert person_of_session(store, token) is None


def test_only_an_administrator_manages_accounts(store: Store, chief: Person) -> None:
    kim = create(store, chief, NewAccount(name="kim", full_name="Kim", role=Role.MANAGER, password=PASSWORD))
    new = NewAccount(name="eve", full_name="Eve", role=Role.ADMINISTRATOR, password=PASSWORD)
    for attempt in (
        lambda: create(store, kim, new),
        lambda: accounts(store, kim),
        lambda: set_password(store, kim, "ada", PASSWORD),
        lambda: change(store, kim, "kim", role=Role.ADMINISTRATOR, authority=True, active=True),
    ):
        with pytest.raises(Forbidden):
            attempt()
    with pytest.raises(BadInput, match="is taken"):
        create(store, chief, NewAccount(name="KIM", full_name="Kim", role=Role.MANAGER))
    with pytest.raises(BadInput, match="your own account"):
        change(store, chief, "ada", role=Role.REVIEWER, authority=False, active=True)


def test_sign_ins_stand_in_the_audit_log(store: Store, chief: Person) -> None:
    check_password(store, "ada", "wrong password !")
    check_password(store, "my secret password", "x")
    open_session(store, chief)
    acts = [(link.deed.act, link.deed.subject) for link in store.audit() if link.deed]
    assert acts == [
        ("first_account", "user/ada"),
        ("sign_in_failed", "user/ada"),
        ("sign_in_failed", "user/unknown"),
        ("sign_in", "user/ada"),
    ]
