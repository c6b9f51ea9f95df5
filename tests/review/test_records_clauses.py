"""Which clauses of records a review judges from what is imported: all but those about what no recording tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from review_fakes import SHOWN, FakeReconstructor, as_made, fake_stages, finding, write_inputs

from verifier.cli import run
from verifier.domain.events import AnyEvent, EventLog, TrayTransfer
from verifier.domain.findings import FindingsReport
from verifier.domain.house import House, TableLimits
from verifier.domain.layout import Layout
from verifier.domain.observations import ObservationsHeader
from verifier.formats.events import read_events, write_events
from verifier.formats.findings import read_findings
from verifier.formats.house import write_house
from verifier.formats.record_kinds import record_kinds
from verifier.law.catalogue import by_id
from verifier.law.judge import judge
from verifier.review.recording import review_recording
from verifier.store.repository import Store

EVERY_KIND = Path(__file__).parent / "records_of_every_kind.json"
"""Records of site 0123 about 2026-11-17, the day of the stand-in recording, a record of each kind at least."""
TRAY = {"ND-08-05.1-fill-slip", "ND-08-05.1-credit-slip", "ND-08-05.1-temporary-tray"}
"""They ask for chips that came into the tray or left it: no recording of ours tells that."""
PICTURE = {"ND-08-11.19-colour-up-policy"}
"""It asks for chips that are coloured up: the picture tells that, no record."""
OTHER_SITES = {"ND-08-02.3-nonjumbo-approval", "ND-08-12.0-alternative-policy"}
"""They are about sites with other house options: small cards, a policy of its own for mistakes."""


class ReconstructorOfHouse(FakeReconstructor):
    """The stand-in with the house options that a reconstruction writes into the log's header."""

    def __init__(self, layout: Layout, house: House, header: ObservationsHeader) -> None:
        super().__init__(layout, house, header)
        self._house: dict[str, Any] = msgspec.to_builtins(house)

    def log(self) -> EventLog:
        told = super().log()
        return EventLog(msgspec.structs.replace(told.header, house=self._house), told.events)


def reviewed(tmp_path: Path, **options: Any) -> FindingsReport:
    video, layout, house = write_inputs(tmp_path / "night")
    limits = TableLimits(min=100, max=2500)
    write_house(house, House(video_surveillance="present", table_limits=limits, **options))
    stages = msgspec.structs.replace(fake_stages(SHOWN, finding()), judge=judge, reconstructor=ReconstructorOfHouse)
    return review_recording(video, layout, house, tmp_path / "out", stages=stages).report


def left(report: FindingsReport) -> set[str]:
    """The clauses of records of which nothing is said."""
    rows = [row for row in report.clauses if by_id("nd-twenty-one")[row.clause].observability == "records"]
    assert len(rows) == 99
    return {row.clause for row in rows if row.verdict in ("not_assessed", "not_applicable")}


def test_a_review_judges_93_of_99_clauses_of_records(tmp_path: Path) -> None:
    assert {one["kind"] for one in msgspec.json.decode(EVERY_KIND.read_bytes())["records"]} >= NEEDED
    assert run(["records", "import", str(EVERY_KIND)]) == 0
    assert left(reviewed(tmp_path)) == TRAY | PICTURE | OTHER_SITES


NEEDED = record_kinds().keys() - {"tax_return", "tray_inventory", "ag_contact", "transfer", "attestation"}
"""Kinds without which a clause of records could not be judged; of the others attestations are about other clauses, and
the rest give a clause of theirs a further way to be told."""


def test_two_more_are_judged_at_sites_of_other_options(tmp_path: Path) -> None:
    assert run(["records", "import", str(EVERY_KIND)]) == 0
    options = {"card_reader_cards": "non_jumbo", "dealing_method": "hole_card_reader"}
    assert OTHER_SITES - left(reviewed(tmp_path / "small", **options)) == {"ND-08-02.3-nonjumbo-approval"}
    own = left(reviewed(tmp_path / "own", mistake_policy="alternative"))
    assert OTHER_SITES - own == {"ND-08-12.0-alternative-policy"}


def test_without_records_all_but_what_the_house_options_tell_is_left_open(tmp_path: Path) -> None:
    assert len(left(reviewed(tmp_path))) == 98  # the posted maximum stands in the house options


@pytest.mark.parametrize(("cents", "verdict"), [(15000, "pass"), (14500, "violation")])
def test_a_fill_slip_is_held_against_chips_that_came_into_the_tray(tmp_path: Path, cents: int, verdict: str) -> None:
    """A log that tells of the tray, as an annotation tool writes it; `reconstruct` does not tell of it yet."""
    reviewed(tmp_path)
    path = Path(Store().reviews()[0].folder) / "events.jsonl"
    log = read_events(path)
    move: AnyEvent = TrayTransfer(
        id="fill", t_start=5.0, t_end=5.5, p=0.95, source="manual", direction="fill", cents=cents
    )
    write_events(path, type(log)(log.header, tuple(sorted((*log.events, move), key=lambda one: one.t_end))))
    as_made(path)
    slips = {"records": [one for one in msgspec.json.decode(EVERY_KIND.read_bytes())["records"] if is_first_fill(one)]}
    file = tmp_path / "slip.json"
    file.write_bytes(msgspec.json.encode(slips["records"]))
    run(["records", "import", str(file)])
    rows = {row.clause: row.verdict for row in read_findings(path.with_name("findings.json")).clauses}
    assert rows["ND-08-05.1-fill-slip"] == "pass"
    assert rows["ND-08-05.3.b-slip-quantities"] == verdict


def is_first_fill(record: dict[str, Any]) -> bool:
    return record["kind"] == "fill_slip" and record["number"] == "101"
