"""The parts of a night: what is found, when it works, what it counts, what it tells."""

from __future__ import annotations

import io
import json
import socketserver
import threading
from datetime import datetime, time
from html import unescape
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from batch_fakes import CHAIN, make_table, record
from pypdf import PdfReader
from rich.console import Console
from rich.text import Text

from verifier.cli import run
from verifier.domain.coverage import CoverageReport, Stretch
from verifier.domain.errors import BadInput
from verifier.review.batch import shift
from verifier.review.batch.hours import Hours, night_of, read_time
from verifier.review.batch.mail import message_of, send_report
from verifier.review.batch.metrics import metrics_text
from verifier.review.batch.progress import Progress, progress_line
from verifier.review.batch.report import NOT_RECORDED, MorningReport, morning_report
from verifier.review.batch.report_files import report_page, report_stills, summary, write_report
from verifier.review.batch.sources import find_sources
from verifier.review.batch.tally import Tally
from verifier.review.batch.to_look_at import PICTURED, ToLookAt
from verifier.review.pipeline.plan import segments_of
from verifier.review.pipeline.values import Facts, Part
from verifier.review.wording import local_time
from verifier.store.night.journal import JobRecord
from verifier.store.repository import Store


def test_folders_globs_and_manifests_name_each_recording_once(tmp_path: Path) -> None:
    deep = make_table(tmp_path / "site" / "table2")
    for name in ("a.mp4", "b.MKV", "c.ts", "notes.txt", ".hidden.mp4"):
        (deep / name).write_bytes(b"x")
    (deep / "b.layout.yaml").write_bytes(b"x")
    (tmp_path / "review" / "clips").mkdir(parents=True)
    (tmp_path / "review" / "findings.json").write_text("{}")
    (tmp_path / "review" / "clips" / "r1.mp4").write_bytes(b"x")
    (tmp_path / "night.csv").write_text(
        "file,site,table,start,priority\nsite/table2/a.mp4,77,9,2026-11-17 21:00:00,flagged\n"
    )
    found = find_sources([str(tmp_path / "night.csv"), str(tmp_path), str(tmp_path / "**" / "*.ts")])
    assert [Path(one.path).name for one in found] == ["a.mp4", "b.MKV", "c.ts"]
    assert (found[0].site, found[0].start, found[0].priority) == ("77", "2026-11-17T21:00:00", "flagged")
    assert [Path(str(one.layout)).name for one in found] == ["layout.yaml", "b.layout.yaml", "layout.yaml"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name\nx", "unknown columns: name"),
        ("file,start\na.mp4,tonight", "line 2, column start"),
        ("file,priority\na.mp4,urgent", "line 2, column priority"),
        ("file\n\n,", "column file"),
    ],
)
def test_a_manifest_that_cannot_be_used(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "night.csv").write_text(text)
    with pytest.raises(BadInput, match=says):
        find_sources([str(tmp_path / "night.csv")])


def test_the_window_over_midnight() -> None:
    hours = Hours(time(22), time(8))
    assert hours.wait_from(datetime(2026, 11, 17, 23)) == hours.wait_from(datetime(2026, 11, 18, 7, 59)) == 0.0
    assert hours.wait_from(datetime(2026, 11, 17, 21)) == 3600.0
    assert hours.stop_after(datetime(2026, 11, 17, 23)) == datetime(2026, 11, 18, 8)
    assert Hours().stop_after(datetime(2026, 11, 17, 23)) is None
    assert night_of(datetime(2026, 11, 18, 7)) == night_of(datetime(2026, 11, 17, 13)) == "2026-11-17"
    with pytest.raises(BadInput, match="expected a time"):
        read_time("eight")


def test_segments_cover_a_part_without_overlap_and_short_recordings_stay_whole() -> None:
    facts = Facts(path="a", sha256="0" * 64, bytes=1, modified_ns=1, kept="", seconds=1060.0, divisible=True)
    some = segments_of(Part(facts=facts, at=0.0, begin=100.0, end=1060.0))
    assert [(one.begin, one.end) for one in some] == [(100 + 120 * i, 100 + 120 * (i + 1)) for i in range(8)]
    assert [one.warm for one in some] == [one.begin - 5 for one in some]
    (whole,) = segments_of(Part(facts=facts, at=0.0, begin=0.0, end=150.0))
    assert whole.whole
    lasts = [segments_of(Part(facts=facts, at=0.0, begin=0.0, end=seconds))[-1] for seconds in range(151, 700, 7)]
    assert all(30.0 <= last.end - last.begin <= 150.0 for last in lasts), "a kill repeats no more than that"


def test_the_remaining_time_follows_the_pace_of_late() -> None:
    now = [0.0]
    tally = Tally(files=3, now=lambda: now[0])
    tally.looked_at = 3
    tally.plan(36000.0)
    assert tally.remaining is None
    for second in range(1, 101):
        now[0] = float(second)
        tally.watched(10.0)
        tally.spent({"watch": 1.0})
        tally.progress({1: 0.0})
    assert tally.pace == pytest.approx(10.0)
    assert tally.remaining == pytest.approx(3500.0)
    assert "10.0 times real time, about 58 min left" in progress_line(tally)
    text = metrics_text(tally)
    assert "\nverifier_night_watched_seconds_total 1000\n" in text
    assert '\nverifier_night_stage_seconds_total{stage="watch"} 100\n' in text


def test_a_terminal_shows_a_bar_for_each_table_and_one_for_all() -> None:
    tally = Tally(files=2)
    tally.looked_at = 2
    tally.plan(100.0, ("0123", "2"))
    tally.plan(300.0, ("0123", "7"))
    tally.watched(50.0, ("0123", "2"))
    tally.progress({5: 30.0}, {5: ("0123", "7")})
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    with Progress(console=console) as progress:
        progress(tally)
    lines = Text.from_ansi(console.file.getvalue()).plain.splitlines()  # type: ignore[attr-defined]
    shares = {line.split("  ")[0].split(" ━")[0].strip(): line.split()[-2] for line in lines if line.endswith("%")}
    assert shares == {"all tables": "20", "site 0123, table 2": "50", "site 0123, table 7": "10"}
    assert any(line.startswith("1.3 min of 6.7 min watched") for line in lines)


def test_what_was_not_looked_at_yet_counts_in_the_remaining_time() -> None:
    now = [0.0]
    tally = Tally(files=4, now=lambda: now[0])
    tally.looked_at = 1
    tally.plan(1000.0)
    now[0] = 10.0
    tally.progress({1: 100.0})
    assert tally.remaining == pytest.approx((900.0 + 3 * 1000.0) / 10.0)
    assert progress_line(tally).startswith("1.7 min of 16.7 min watched in the first 1 of 4 recordings, 10.0 times")


def a_job(name: str, start: str, end: str, **changes: object) -> JobRecord:
    base = JobRecord(
        key=name,
        night="2026-11-17",
        site="0123",
        table="2",
        names=[name],
        review_id=name,
        state="reviewed",
        cause=None,
        attempts=1,
        recorded=3600.0,
        reviewed=3600.0,
        clock_start=f"2026-11-17T{start}",
        clock_end=f"2026-11-17T{end}",
        findings={"major": 2},
        unwatched=[],
        finished_at="",
    )
    return msgspec.structs.replace(base, **changes)


def a_report(*jobs: JobRecord, unfinished: int = 0) -> MorningReport:
    return morning_report("2026-11-17", jobs, Tally(files=len(jobs)), unfinished, datetime(2026, 11, 18, 8))


def test_the_report_tells_what_is_odd_about_recordings_that_were_watched(tmp_path: Path) -> None:
    lost = [("22:10:00", "22:20:00", "the picture is dark")]
    stretches = [
        Stretch(
            t_start=0.0, t_end=9.0, clock_start="2026-11-17T22:00:00", state="watched", why="the file holds 2 <tracks>"
        ),
        Stretch(t_start=9.0, t_end=20.0, state="obstructed", why="the picture is dark"),
        Stretch(t_start=20.0, t_end=25.0, state="watched", why="the stamps leap by -63.0 s here"),
        Stretch(t_start=25.0, t_end=30.0, state="watched"),
    ]
    account = CoverageReport(recorded=30.0, watched=19.0, stretches=stretches)
    jobs = [a_job("a.mp4", "22:00:00", "23:00:00", unwatched=lost), a_job("b.mp4", "23:00:00", "23:30:00")]
    made = morning_report(
        "2026-11-17",
        jobs,
        Tally(files=2),
        0,
        datetime(2026, 11, 18, 8),
        account=lambda job: account if job is jobs[0] else None,
    )
    assert [(one.since, one.what, one.recording) for one in made.tables[0].notes] == [
        ("2026-11-17T22:00:00", "the file holds 2 <tracks>", "a.mp4"),
        ("20 s", "the stamps leap by -63.0 s here", "a.mp4"),
    ]
    files = write_report(made, tmp_path)
    page, paper = files.page.read_text(), PdfReader(files.pdf)
    assert "the file holds 2 &lt;tracks&gt;" in page
    assert "What is odd about the recordings" in page
    assert "the stamps leap by -63.0 s" in "".join(one.extract_text() for one in paper.pages)
    assert "What is odd" not in report_page(a_report(jobs[1]))


def test_the_hour_that_summer_time_skips_is_no_gap() -> None:
    def jobs(day: str, end: str, start: str) -> list[JobRecord]:
        first, last = f"{day}T{end}", f"{day}T{start}"
        early = a_job("a.mp4", "20:00:00", "21:00:00", clock_start=f"{day}T00:00:00", clock_end=first)
        return [early, a_job("b.mp4", "20:00:00", "21:00:00", clock_start=last, clock_end=f"{day}T09:00:00")]

    def gaps(*told: str) -> list[tuple[str, str]]:
        return [(gap.start[11:], gap.end[11:]) for gap in a_report(*jobs(*told)).tables[0].gaps]

    assert gaps("2027-03-14", "01:59:59", "03:00:00") == []
    assert gaps("2027-03-14", "01:59:59", "03:00:01") == [("01:59:59", "03:00:01")]
    assert gaps("2027-03-15", "01:59:59", "03:00:00") == [("01:59:59", "03:00:00")]


def test_what_is_missing_in_a_short_night_is_told_in_minutes() -> None:
    """pause_without_pictures: `0.1 of 0.1 recorded hours were reviewed` tells of no pause of 39 s."""
    lost = [("2026-11-17T22:01:51", "2026-11-17T22:02:30", "no pictures were recorded here, or they are lost")]
    report = a_report(a_job("b.mp4", "22:00:00", "22:04:11", recorded=251.0, reviewed=212.0, unwatched=lost))
    assert summary(report).startswith("0.1 of 0.1 recorded hours were reviewed, 0.7 minutes were not")


def test_the_report_names_every_gap_and_failure(tmp_path: Path) -> None:
    lost = [("2026-11-17T22:10:00", "2026-11-17T22:20:00", "the picture is dark")]
    failed = a_job("c.mp4", "23:00:00", "23:30:00", state="failed", cause="<the share> is away", table="3", findings={})
    report = a_report(
        a_job("b.mp4", "22:00:00", "23:00:00", reviewed=3000.0, unwatched=lost),
        a_job("a.mp4", "20:00:00", "21:00:00"),
        msgspec.structs.replace(failed, recorded=1800.0, reviewed=0.0),
    )
    assert [gap.cause for gap in report.tables[0].gaps] == [NOT_RECORDED, "the picture is dark"]
    assert (report.hours_recorded, report.hours_reviewed, report.exit_code) == (2.5, 1.833, 3)
    assert summary(report).startswith("1.8 of 2.5 recorded hours were reviewed, 0.7 were not; 1 recording failed")
    files = write_report(report, tmp_path / "report")
    assert "&lt;the share&gt; is away" in files.page.read_text()
    told = "".join(page.extract_text() for page in PdfReader(files.pdf).pages)
    assert "the picture is dark" in told
    assert json.loads(files.json.read_text())["format"] == "verifier-night"


def test_recordings_of_one_table_at_one_time_leave_no_gap_between_them() -> None:
    report = a_report(
        a_job("a.mp4", "20:00:00", "23:00:00"),
        a_job("b.mp4", "20:00:00", "23:00:00"),
        a_job("c.mp4", "20:30:00", "21:00:00"),
        a_job("d.mp4", "23:10:00", "23:30:00"),
    )
    assert [(gap.start[11:], gap.end[11:]) for gap in report.tables[0].gaps] == [("23:00:00", "23:10:00")]


def test_exit_codes_of_a_night() -> None:
    clean = a_job("a.mp4", "20:00:00", "21:00:00", findings={})
    assert a_report(clean).exit_code == 0
    assert a_report(a_job("a.mp4", "20:00:00", "21:00:00")).exit_code == 4
    assert a_report(clean, unfinished=1).exit_code == 3


class _Mailbox(socketserver.StreamRequestHandler):
    """As much of a mail server as takes one message."""

    letters: list[bytes] = []  # noqa: RUF012

    def handle(self) -> None:
        self.wfile.write(b"220 hello\r\n")
        while line := self.rfile.readline():
            if line.upper().startswith(b"DATA"):
                self.wfile.write(b"354 go on\r\n")
                letter = b""
                while not letter.endswith(b"\r\n.\r\n"):
                    letter += self.rfile.readline()
                self.letters.append(letter)
            self.wfile.write(b"221 bye\r\n" if line.upper().startswith(b"QUIT") else b"250 ok\r\n")


def test_the_report_goes_out_by_mail(tmp_path: Path) -> None:
    report = a_report(a_job("a.mp4", "20:00:00", "21:00:00"))
    files = write_report(report, tmp_path)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Mailbox) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        mailed = f"smtp://127.0.0.1:{server.server_address[1]}"
        send_report(report, files, ["kim@example.org"], mailed, head="17:" + "ab" * 16)
        server.shutdown()
    (letter,) = _Mailbox.letters
    assert b"Subject: Night of 2026-11-17: all watched, 2 findings" in letter
    assert b"night-2026-11-17.pdf" in letter
    assert b"verifier evidence log --pin 17:abababababababababababababababab" in letter, "a pin of the audit log"
    with pytest.raises(BadInput, match="VERIFIER_SMTP_URL"):
        send_report(report, files, ["kim@example.org"], "nonsense")


def test_a_mailed_head_is_a_pin_of_the_log_as_it_stands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert shift._log_head() == "", "nothing is written yet"
    Store().note("kim", "view")
    mailed = shift._log_head()
    assert run(["evidence", "log", "--pin", mailed]) == 0
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "another"))
    Store().note("lee", "view")
    assert run(["evidence", "log", "--pin", mailed]) == 4, "another log"
    monkeypatch.setenv("VERIFIER_DATABASE_URL", f"sqlite:///{tmp_path / 'night'}/none/x.sqlite")
    (tmp_path / "night").write_text("no folder")
    assert shift._log_head() == "", "the store is away"


def to_look(number: int, still: Path | None = None, **changes: Any) -> ToLookAt:
    link = f"http://localhost:8501/finding?id=f-{number}"
    base = ToLookAt(
        finding=f"f-{number}",
        review="r",
        clause="ND-08-10.6.b-fan",
        cite="N.D. Admin. Code 99-01.3-08-10(6)(b)",
        title="Fan the payoff",
        says=f"Stack <{number}> was not fanned",
        shortened=True,
        verdict="violation",
        severity="major",
        sure="95% sure",
        site="0123",
        table="2",
        when="2026-11-17 21:04:05",
        where="space 3",
        recording="a.mp4",
        expected="Chips are fanned",
        observed="A stack",
        still=str(still) if still else None,
        link=link,
        to_do="Watch its clip.",
    )
    return msgspec.structs.replace(base, **changes)


def test_page_paper_and_letter_tell_the_same_of_each_finding(tmp_path: Path) -> None:
    still = tmp_path / "still.jpg"
    cv2.imwrite(str(still), np.full((720, 1280, 3), 90, np.uint8))
    jobs = [a_job("a.mp4", "20:00:00", "21:00:00")]
    found = [
        to_look(1, still, shortened=False),
        to_look(2, decided="confirmed by Kim Olson (kim)"),
        to_look(3, tmp_path / "gone.jpg"),
    ]
    report = morning_report("2026-11-17", jobs, Tally(files=1), 0, datetime(2026, 11, 18, 8), found=found)
    files = write_report(report, tmp_path / "report")
    paper = PdfReader(files.pdf)
    printed = " ".join("".join(page.extract_text() for page in paper.pages).split())
    page = files.page.read_text()
    letter = message_of(report, files, "v@example.org", ["kim@example.org"])
    plain, html = letter.get_payload()[0].get_payload()
    parts = [one.get_content_type() for one in letter.walk()]
    assert parts.count("image/jpeg") == 1 == page.count("data:image/jpeg") == len(paper.pages[0].images)
    assert "cid:still-1@verifier" in html.as_string() and "data:image" not in html.as_string()
    for told in (unescape(page), printed, plain.get_content()):
        for one in found:
            assert one.says in told
            assert told.index(one.says) < told.index("Fan the payoff", told.index(one.says)), "the accusation first"
        for words in ("ND-08-10.6.b-fan", "99-01.3-08-10(6)(b)", "table 2", "2026-11-17 21:04:05", "A stack"):
            assert words in told
        assert told.count("To do: Watch its clip.") == 2 and "Decided: confirmed by Kim Olson (kim)." in told
        assert told.index("Stack <1>") < told.index("Stack <2>") < told.index("Stack <3>")
        assert told.count("Seen: A stack") == 2, "nothing is told twice"
    assert local_time("2026-11-18T08:00:00") in printed, "with its time zone"
    links = {str(a.get_object()["/A"]["/URI"]) for sheet in paper.pages for a in sheet.get("/Annots", [])}
    assert links == {one.link for one in found}
    assert all(one.link in page and one.link in plain.get_content() for one in found)


def test_the_most_serious_findings_have_their_stills_and_no_more(tmp_path: Path) -> None:
    still = tmp_path / "still.jpg"
    cv2.imwrite(str(still), np.full((72, 128, 3), 90, np.uint8))
    found = [to_look(number, still) for number in range(PICTURED + 1)]
    report = morning_report("2026-11-17", [], Tally(files=1), 0, datetime(2026, 11, 18, 8), found=found)
    assert list(report_stills(report)) == [one.finding for one in found[:PICTURED]]


@pytest.mark.slow
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    night = make_table(tmp_path / "night")
    record(night / "a.mp4", 8, clock="2026-11-17T21:00:00")
    (night / "b.mp4").write_text("no video")
    order = shift.Order(
        places=[str(night)],
        folders=shift.Folders(tmp_path / "home" / "night"),
        chain=CHAIN,
        workers=1,
        metrics=tmp_path / "m.prom",
    )
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parent}:{Path(__file__).parents[1]}")
    report, files = shift.Shift(order, lambda tally: None).run()
    assert report.exit_code == 3
    assert files.pdf.read_bytes().startswith(b"%PDF")
    assert "verifier_night_recordings 2" in (tmp_path / "m.prom").read_text()
    assert run(["batch", str(tmp_path / "nothing")]) == 2
    assert "no such folder" in capsys.readouterr().err
