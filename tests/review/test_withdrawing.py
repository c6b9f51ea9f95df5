"""Who may take a record back: what an account signed is its own; a deed tells of it, and it can be put back."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from msgspec import structs

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.review.intake.withdrawing import may_withdraw, put_back, withdraw, withdrawable
from verifier.review.people.accounts import NewAccount, create, create_first
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.review.records.attesting import Answer, Span, attest
from verifier.store.repository import Store
from verifier.store.site_records import KeptRecord, SiteRecords

DAY = date(2026, 11, 17)
CASH = "ND-08-06.1-cash-separate"
PASSWORD = "correct horse battery"
SLIPS = "number,date,time,table,game,cashier_initials\n101,2026-11-17,9:15 p.m.,2,21,CC\n"


def person(name: str, role: Role) -> Person:
    return Person(name=name, full_name=name.title(), role=role)


LEE, KIM, ADA = person("lee", Role.REVIEWER), person("kim", Role.MANAGER), person("ada", Role.ADMINISTRATOR)


def accounts() -> None:
    chief = create_first(Store(), "ada", "Ada", PASSWORD)
    for one in (LEE, KIM):
        create(Store(), chief, NewAccount(name=one.name, full_name=one.full_name, role=one.role, password=PASSWORD))


def signed(who: Person = LEE) -> KeptRecord:
    """A statement that an account signed in the room."""
    span = Span(site="0123", first=DAY, last=DAY, table="2")
    return attest(Store(), who, span, "day", [Answer(clause=CASH, fulfilled=True)], DAY).made.new[0]


def slip(tmp_path: Path) -> KeptRecord:
    file = tmp_path / "slips.csv"
    file.write_text(SLIPS)
    assert run(["records", "import", str(file), "--site", "0123", "--kind", "fill_slip"]) == 0
    return SiteRecords(Store()).standing(kind="fill_slip")[0]


@pytest.mark.parametrize(("who", "may"), [(LEE, True), (KIM, False), (ADA, True), (None, False)])
def test_what_an_account_signed_only_that_account_or_an_administrator_takes_back(who: Person | None, may: bool) -> None:
    record = signed()
    assert may_withdraw(who, record) == may
    if may:
        gone, _ = withdraw(Store(), who, record, who.name if who else "root", "a slip of the pen")
        assert gone.withdrawn == "a slip of the pen" and SiteRecords(Store()).standing() == []
        return
    with pytest.raises(Forbidden, match=r"signed by the account lee, .* let lee take it back, or an administrator"):
        withdraw(Store(), who, record, who.name if who else "root", "a slip of the pen")
    assert [one.id for one in SiteRecords(Store()).standing()] == [record.id]


@pytest.mark.parametrize(("who", "may"), [(LEE, False), (KIM, True), (ADA, True), (None, True)])
def test_any_other_record_takes_back_who_keeps_records(tmp_path: Path, who: Person | None, may: bool) -> None:
    record = slip(tmp_path)
    assert may_withdraw(who, record) == may
    if who is not None:
        assert withdrawable(who, [record]) == ([record] if may else [])
    if not may:
        with pytest.raises(Forbidden, match="keep records: is not allowed for lee"):
            withdraw(Store(), who, record, "lee", "why")


@pytest.mark.parametrize(
    ("given", "code", "says"),
    [
        ([], 2, "was signed by the account lee, and may not be taken back by who runs the command"),
        (["--by", "kim"], 2, "may not be taken back by kim"),
        (["--by", "nobody"], 2, "'nobody' is no account"),
        (["--by", "lee"], 0, ""),
        (["--by", "ada"], 0, ""),
    ],
)
def test_the_command_line_takes_back_for_the_account_that_it_names(
    capsys: pytest.CaptureFixture[str], given: list[str], code: int, says: str
) -> None:
    accounts()
    record = signed()
    assert run(["records", "withdraw", str(record.id), "--reason", "wrong day", *given]) == code
    if code:
        (line,) = capsys.readouterr().err.splitlines()
        assert says in line and len(SiteRecords(Store()).standing()) == 1
        return
    (*_, deed) = [link.deed for link in Store().audit() if link.deed]
    assert (deed.act, deed.detail["reason"], deed.detail["named"]) == ("records", "wrong day", given[1])
    assert SiteRecords(Store()).standing() == []


def test_a_record_that_was_taken_back_is_put_back_as_it_was() -> None:
    record = signed()
    with pytest.raises(BadInput, match="stands already"):
        put_back(Store(), LEE, record)
    withdraw(Store(), LEE, record, "lee", "wrong day")
    with pytest.raises(Forbidden):
        put_back(Store(), KIM, record)
    put_back(Store(), LEE, record)
    (again,) = SiteRecords(Store()).standing()
    assert (again.version, again.fields, again.made_by) == (3, record.fields, "lee")
    assert run(["evidence", "log"]) == 0


def test_what_was_changed_and_taken_back_again_since_is_not_put_back_as_it_was_before() -> None:
    record = signed()
    withdraw(Store(), LEE, record, "lee", "wrong day")
    SiteRecords(Store()).add([structs.replace(record, fields={**record.fields, "note": "another"})], "lee")
    (second,) = SiteRecords(Store()).standing()
    withdraw(Store(), ADA, second, "ada", "never true")
    with pytest.raises(BadInput, match="is not the version that was taken back last"):
        put_back(Store(), LEE, record)
    assert SiteRecords(Store()).standing() == []
    put_back(Store(), LEE, second)
    assert [one.fields for one in SiteRecords(Store()).standing()] == [second.fields]
