"""Reviews that people ask for: the queue, the process that works it off, and the folders that are allowed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from batch_fakes import CHAIN, make_table, record
from batch_night import Here
from msgspec import structs
from review_fakes import make_layout

from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.review.batch import shift
from verifier.review.batch.report import MorningReport
from verifier.review.order_values import OrderProgress, ReviewOrder, ask, free, order_of, progress_of
from verifier.review.orders import runner, start
from verifier.review.orders.browse import allow, chosen, forbid, listing
from verifier.review.orders.runner import LEASE, Runner
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.store.floor import Floor
from verifier.store.home import database_url, home
from verifier.store.night.lease import Lease
from verifier.store.queue import Ordered, ReviewQueue
from verifier.store.repository import Store

KIM = Person(name="kim", full_name="Kim", role=Role.MANAGER)
ADA = Person(name="ada", full_name="Ada", role=Role.ADMINISTRATOR)
ROB = Person(name="rob", full_name="Rob", role=Role.REVIEWER)


@pytest.fixture(autouse=True)
def table(own_home: Path) -> None:
    floor = Floor(Store())
    floor.add_layout("0123", "2", structs.replace(make_layout(), site="0123", table="2"), "kim")
    floor.add_house("0123", "2", House(video_surveillance="present"), "kim")


def asked(*files: Path, **told: str) -> int:
    told = told or {"site": "0123", "table": "2"}
    return ask(Store(), KIM, ReviewOrder(files=[str(one) for one in files], **told))


def work() -> None:
    assert Runner(Store(), Here, CHAIN).run(idle=0.0)


def order(number: int) -> Ordered:
    found = ReviewQueue(Store()).order(number)
    assert found is not None
    return found


def test_orders_are_worked_off_one_after_the_other(tmp_path: Path) -> None:
    first = asked(record(tmp_path / "a.mp4", 8, clock="2026-11-17T21:00:00"))
    second = asked(record(tmp_path / "b.mp4", 8, 200, clock="2026-11-18T21:00:00"))
    work()
    assert [order(one).state for one in (first, second)] == ["done", "done"]
    reviews = [progress_of(order(one)).reviews for one in (first, second)]
    assert sorted(one.id for one in Store().reviews()) == sorted(name for some in reviews for name in some)
    assert len(Store().findings(reviews[0])) == 1
    assert {link.deed.actor for link in Store().audit(act="review_asked") if link.deed} == {"kim"}


def test_a_recording_that_cannot_be_reviewed_fails_with_its_reason_and_the_next_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_text("no video")
    os.utime(broken, (1e9, 1e9))
    unknown = record(tmp_path / "a.mp4", 8, clock="2026-11-17T21:00:00")
    numbers = [asked(broken), asked(tmp_path / "gone.mp4"), asked(unknown, site="0999", table="9")]
    good = asked(record(tmp_path / "b.mp4", 8, 200, clock="2026-11-18T21:00:00"))
    monkeypatch.setattr(runner, "PATIENCE_S", 1.0)
    work()
    told = {number: " ".join(progress_of(order(number)).told) for number in numbers}
    assert "broken.mp4" in told[numbers[0]]
    assert "gone.mp4" in told[numbers[1]]
    assert "no kept table fits" in told[numbers[2]]
    assert order(good).state == "done"
    assert order(numbers[1]).state == "failed"


def test_what_was_stopped_before_it_began_is_not_done_until_it_goes_on(tmp_path: Path) -> None:
    number = asked(record(tmp_path / "a.mp4", 8, clock="2026-11-17T21:00:00"))
    queue = ReviewQueue(Store())
    queue.cancel(number, "kim")
    work()
    assert order(number).state == "cancelled"
    assert not Store().reviews()
    queue.go_on(number, "kim")
    work()
    assert order(number).state == "done"
    with pytest.raises(BadInput, match="has ended"):
        queue.cancel(number, "kim")


@pytest.mark.slow
def test_a_killed_runner_is_followed_by_another_and_a_stop_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runner is a process of its own: it outlives who began it; killed, its order waits and goes on."""
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parent}:{Path(__file__).parents[1]}:{Path.cwd()}")
    monkeypatch.setattr(start, "_begun_at", -1e9)
    number = asked(record(tmp_path / "a.mp4", 8, clock="2026-11-17T21:00:00", slow=0.4))
    first = start.ensure_runner(Store(), CHAIN)
    assert first is not None
    assert os.getsid(first) == first
    assert start.ensure_runner(Store(), CHAIN) is None
    _wait(lambda: order(number).state == "running")
    os.kill(first, signal.SIGKILL)
    _wait(lambda: Lease(database_url(), LEASE).held_by() is None)
    monkeypatch.setattr(start, "_begun_at", -1e9)
    second = start.ensure_runner(Store(), CHAIN)
    assert second not in (None, first)
    try:
        _wait(lambda: order(number).state == "running")
        ReviewQueue(Store()).cancel(number, "kim")
        _wait(lambda: order(number).state in ("cancelled", "done"))
        if order(number).state == "cancelled":
            ReviewQueue(Store()).go_on(number, "kim")
            _wait(lambda: order(number).state == "done")
    finally:
        os.kill(second or 0, signal.SIGTERM)
    assert len(Store().reviews()) == 1


def _wait(told: object) -> None:
    until = time.monotonic() + 120
    while not told():  # type: ignore[operator]
        assert time.monotonic() < until
        time.sleep(0.2)


def test_a_second_runner_ends_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lease, "take", lambda self: "somebody")
    number = asked(record(tmp_path / "a.mp4", 2))
    assert not Runner(Store(), Here, CHAIN).run(idle=0.0)
    assert order(number).state == "waiting"


def test_only_who_may_begin_reviews_asks_for_one() -> None:
    with pytest.raises(Forbidden):
        ask(Store(), ROB, ReviewOrder(files=["/a.mp4"]))
    ask(Store(), structs.replace(ROB, authority=True), ReviewOrder(files=["/a.mp4"]))


def test_progress_has_a_share() -> None:
    assert OrderProgress().share == 0.0
    assert OrderProgress(seen=30.0, planned=120.0).share == 0.25
    assert OrderProgress(seen=130.0, planned=120.0).share == 1.0


def test_no_way_leads_out_of_an_allowed_folder(tmp_path: Path) -> None:
    store, top = Store(), tmp_path / "recordings"
    (top / "site" / "7").mkdir(parents=True)
    make_table(tmp_path / "secret")
    record(top / "site" / "7" / "a.mp4", 1)
    record(tmp_path / "secret" / "b.mp4", 1)
    (top / "site" / "notes.txt").write_text("no recording")
    (top / "site" / ".hidden.mp4").write_text("hidden")
    (top / "site" / "out.mp4").symlink_to(tmp_path / "secret" / "b.mp4")
    (top / "out").symlink_to(tmp_path / "secret")
    (top / "site" / "in.mp4").symlink_to(top / "site" / "7" / "a.mp4")
    with pytest.raises(Forbidden):
        allow(store, KIM, str(top))
    with pytest.raises(BadInput, match="not allowed"):
        listing(store, KIM, str(top))
    root = allow(store, ADA, f" {top} ")
    assert listing(store, KIM, root).folders == ["site"]
    site = listing(store, KIM, root, "site")
    assert (site.folders, [one.name for one in site.recordings]) == (["7"], ["in.mp4"])
    assert site.recordings[0].path == str(top / "site" / "7" / "a.mp4")
    for way in ("..", "site/../..", "out", "/etc", "site/7/a.mp4", "site/\0", "nothing"):
        with pytest.raises(BadInput):
            listing(store, KIM, root, way)
    with pytest.raises(BadInput, match="does not lie there"):
        chosen(store, KIM, root, "site", ["../../secret/b.mp4"])
    assert chosen(store, KIM, root, "site/7", ["a.mp4"]) == [str(top / "site" / "7" / "a.mp4")]
    forbid(store, ADA, root)
    with pytest.raises(BadInput, match="not allowed"):
        chosen(store, KIM, root, "site/7", ["a.mp4"])


@pytest.mark.parametrize("path", ["", "recordings", "/nowhere/at/all", __file__])
def test_only_a_folder_by_its_whole_path_is_allowed(path: str) -> None:
    with pytest.raises(BadInput, match="is no folder"):
        allow(Store(), ADA, path)


def shift_over(*places: Path, tell: Callable[[object], None] = lambda tally: None) -> MorningReport:
    wanted = shift.Order(places=[str(one) for one in places], folders=shift.Folders(home() / "night"), chain=CHAIN)
    made, _ = shift.Shift(wanted, tell).run()
    return made


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shift, "make_engine", lambda order, setup: Here(setup))


@pytest.mark.usefixtures("here")
def test_a_night_shift_stands_in_the_queue_and_the_runner_leaves_its_recordings_alone(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    mine = asked(record(folder / "a.mp4", 8, clock="2026-11-17T21:00:00"))
    link = tmp_path / "link.mp4"
    link.symlink_to(folder / "a.mp4")
    linked, other = asked(link), asked(record(tmp_path / "b.mp4", 8, 200, clock="2026-11-18T21:00:00"))
    seen: list[tuple[str, int | None]] = []

    def tell(tally: object) -> None:
        if not seen:
            queue = ReviewQueue(Store())
            (night,) = [one for one in queue.open_orders() if one.state == "night"]
            taken = queue.take(free)
            seen.append((night.state, taken.id if taken else None))

    report = shift_over(folder, tell=tell)
    assert seen == [("night", other)], "the one whose recording the night has not in hand, by any name"
    assert [order(one).state for one in (mine, linked)] == ["waiting", "waiting"]
    (night,) = [one for one in ReviewQueue(Store()).orders() if order_of(one).night]
    assert (night.state, order_of(night).night) == ("done", report.night)
    assert len(progress_of(night).reviews) == 1
    assert ReviewQueue(Store()).take(free) is not None, "free as soon as the night is over"


@pytest.mark.usefixtures("here")
def test_what_the_runner_has_in_hand_waits_for_the_next_night(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 8, clock="2026-11-17T21:00:00")
    record(folder / "b.mp4", 8, 200, clock="2026-11-18T21:00:00")
    number = asked(folder / "a.mp4")
    assert ReviewQueue(Store()).take(free) is not None
    report = shift_over(folder)
    assert [(Path(one.recording).name, one.state) for one in report.failures] == [("a.mp4", "waiting")]
    assert "reviewed in the dashboard" in report.failures[0].cause and report.exit_code == 3
    assert [one.video_name for one in Store().reviews()] == ["b.mp4"]
    ReviewQueue(Store()).tell(number, "{}", "done")
    assert shift_over(folder).complete


@pytest.mark.usefixtures("here")
def test_a_night_is_stopped_from_the_queue_and_one_that_died_is_no_longer_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shift, "TELL_S", 0.0)
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 8, clock="2026-11-17T21:00:00")
    queue = ReviewQueue(Store())
    dead, _ = queue.begin_night('{"files":[],"night":"2026-11-16"}', "software", "night/2026-11-16")

    def stop(tally: object) -> None:
        for one in ReviewQueue(Store()).open_orders():
            if not one.cancelled:
                queue.cancel(one.id, "kim")

    report = shift_over(folder, tell=stop)
    assert report.unfinished and not Store().reviews()
    states = {order_of(one).night: one.state for one in queue.orders()}
    assert states == {"2026-11-16": "cancelled", report.night: "cancelled"} and order(dead).state == "cancelled"
    assert shift_over(folder).unfinished == 0 and len(Store().reviews()) == 1
