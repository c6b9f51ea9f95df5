"""A closer look: what it does not find again is doubted, what it finds stays, and nothing else is looked at."""

from itertools import pairwise
from pathlib import Path

import batch_fakes
import pytest
from msgspec import structs
from review_fakes import (
    EVENTS,
    FAN,
    SECONDS,
    SHOW,
    FakeReconstructor,
    FakeWatch,
    fake_stages,
    finding,
    make_layout,
    make_video,
    report,
    write_inputs,
)

from verifier.domain.events import AnyEvent, EventLog, EventsHeader, PayoffPlaced
from verifier.domain.findings import Finding, FindingsReport, Unconfirmed
from verifier.domain.layout import Layout
from verifier.domain.observations import Observation
from verifier.recording.probe import Probe, probe
from verifier.review.closer import LEAST_S, Confirmed, Span, confirmed, replaced, spans, uncounted
from verifier.review.pipeline.examine import examine, probe_of
from verifier.review.pipeline.folders import Folders
from verifier.review.pipeline.nearer import Nearer
from verifier.review.pipeline.values import Facts, Part, RecordingSet, Source
from verifier.review.products import unconfirmed_of
from verifier.review.recording import review_recording
from verifier.vision.quality import Bearings

LOG = EventLog(EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one"), EVENTS)  # type: ignore[arg-type]
PAYOFF = "e7"
BREACH = finding(events=[PAYOFF])


def at(*times: float, frame: int = 0) -> list[Observation]:
    return [Observation(t=t, frame=frame) for t in times]


def with_payoffs(*places: str) -> EventLog:
    """The round with a payoff at each of these places."""
    paid = [structs.replace(LOG.events[-1], id=f"e{7 + i}", at=place) for i, place in enumerate(places)]  # type: ignore[call-arg]
    return EventLog(LOG.header, (*LOG.events[:-1], *paid))


def unnumbered(breach: Finding) -> Finding:
    """As it is listed: the log that its events are numbers of is not kept."""
    return structs.replace(breach, events=[])


def listed(made: Confirmed) -> list[tuple[str, str | None]]:
    """Which look alone told what, where, and is not among the findings."""
    return [(one.look, one.told.at) for one in made.unconfirmed]


def judge(log: EventLog) -> FindingsReport:
    """A payoff that is surely told broke the law; of one that is not sure nobody knows."""
    told = [event for event in log.events if isinstance(event, PayoffPlaced)]
    verdicts = ("undetermined" if event.weak else "violation" for event in told)
    return report(
        *(
            finding(verdict=verdict, at=event.at, events=[event.id])
            for verdict, event in zip(verdicts, told, strict=True)
        )
    )


def looked(log: EventLog, again: EventLog) -> tuple[Confirmed, list[Span]]:
    """What becomes of `log` when a closer look tells `again`, and where it looked."""
    asked: list[Span] = []

    def look(span: Span) -> list[Observation]:
        asked.append(span)
        return at(span[0])

    return confirmed(log, judge, lambda looks: again, look), asked


def test_a_breach_that_both_looks_tell_stays_one() -> None:
    made, asked = looked(LOG, LOG)
    assert made == Confirmed(LOG, report(BREACH))
    assert asked == [(0.0, pytest.approx(7.0))]  # the round, and two seconds about it


def test_a_breach_that_only_the_first_look_tells_is_listed_and_the_closer_look_stands() -> None:
    without = EventLog(LOG.header, tuple(event for event in LOG.events if event.id != PAYOFF))
    made, _ = looked(LOG, without)
    assert made == Confirmed(without, report(), [Unconfirmed(look="first", told=unnumbered(BREACH))])


def test_where_both_looks_hold_as_much_against_a_stretch_the_first_stands_undetermined() -> None:
    made, _ = looked(LOG, with_payoffs("space:2"))
    assert [(one.verdict, one.at) for one in made.report.findings] == [("undetermined", "space:1")]
    assert [event.id for event in made.log.events if event.weak] == [PAYOFF]
    assert judge(made.log) == made.report
    assert listed(made) == [("closer", "space:2")], "that of space 1 is among the findings"


def test_a_breach_that_the_plainer_closer_look_tells_alone_is_undetermined() -> None:
    made, _ = looked(with_payoffs("space:1", "space:3"), with_payoffs("space:2"))
    assert [(one.verdict, one.at) for one in made.report.findings] == [("undetermined", "space:2")]
    assert judge(made.log) == made.report
    assert listed(made) == [("first", "space:1"), ("first", "space:3")]


def test_what_the_closer_look_tells_beyond_what_both_tell_is_listed_and_the_first_stands() -> None:
    made, _ = looked(LOG, with_payoffs("space:1", "space:2"))
    assert (made.log, made.report) == (LOG, report(BREACH))
    assert listed(made) == [("closer", "space:2")]


def test_with_what_one_look_tells_alone_stands_what_the_other_held_against_the_same_place() -> None:
    short = finding("ND-08-11.16.b-order", t_start=5.0, t_end=5.5)
    elsewhere, later = finding(SHOW, at="space:2"), finding(SHOW, t_start=30.0, t_end=31.0)
    reports = iter([report(BREACH), report(short, elsewhere, later), *[report()] * 9])
    made = confirmed(LOG, lambda log: next(reports), lambda looks: LOG, lambda span: at(0.0))
    first = next(one for one in made.unconfirmed if one.look == "first")
    assert first == Unconfirmed(look="first", told=unnumbered(BREACH), instead=[unnumbered(short)])


def test_without_a_breach_nothing_is_looked_at_again() -> None:
    lawful = EventLog(LOG.header, LOG.events[:-1])
    assert looked(lawful, LOG) == (Confirmed(lawful, judge(lawful)), [])


DEALT = LOG.events[1]
UNCOUNTED = structs.replace(DEALT, card="??", ranks=None, several=True)  # type: ignore[call-arg]
FURTHER = structs.replace(UNCOUNTED, id="e2b", p=0.45, several=False)


def cards_of(*cards: AnyEvent, paid: bool = False) -> EventLog:
    """The round, without a breach unless `paid`, with these in place of the first card."""
    return EventLog(LOG.header, (LOG.events[0], *cards, *LOG.events[2 : None if paid else -1]))


def numbered(count: int) -> list[AnyEvent]:
    return [structs.replace(DEALT, id=f"e2{number}") for number in range(count)]


FOUND_AS_ONE = cards_of(UNCOUNTED, FURTHER)


@pytest.mark.parametrize(
    ("nearer", "stands"),
    [
        (cards_of(*numbered(2)), True),
        (cards_of(*numbered(3)), True),
        (cards_of(DEALT), False),
        (cards_of(), False),
        (FOUND_AS_ONE, False),
        (cards_of(*numbered(2), structs.replace(UNCOUNTED, id="e9")), False),
        (cards_of(DEALT, structs.replace(DEALT, id="e9", occluded=True)), False),
    ],
    ids=["two", "three", "one", "none", "as before", "two and more", "one surely"],
)
def test_cards_whose_number_is_not_known_are_looked_at_and_counted(nearer: EventLog, stands: bool) -> None:
    """One card where there seemed to be several is no count: the two looks differ."""
    made, asked = looked(FOUND_AS_ONE, nearer)
    assert asked == [(0.0, pytest.approx(5.6))], "its round, and two seconds about it"
    assert made == Confirmed(nearer if stands else FOUND_AS_ONE, report())


def test_what_a_closer_look_that_counts_tells_alone_is_undetermined() -> None:
    made, _ = looked(FOUND_AS_ONE, cards_of(*numbered(2), paid=True))
    assert [one.verdict for one in made.report.findings] == ["undetermined"]


def test_a_closer_look_at_a_breach_does_not_do_away_with_a_doubt_of_number() -> None:
    """The first look tells of a breach that the closer one does not, and of cards that neither has counted."""
    first = cards_of(UNCOUNTED, FURTHER, paid=True)
    made, _ = looked(first, cards_of(DEALT))
    assert [one.verdict for one in made.report.findings] == ["undetermined"]
    assert [event.id for event in uncounted(made.log)] == [UNCOUNTED.id]


def test_of_too_many_a_breach_is_looked_at_before_cards_that_are_not_counted() -> None:
    many = [
        structs.replace(UNCOUNTED, id=f"d{n}", round=None, t_start=100.0 * n, t_end=100.0 * n) for n in range(1, 11)
    ]
    chosen = spans(EventLog(LOG.header, tuple(many)), report(finding(round=None, t_start=900.0, t_end=900.0)))
    assert chosen == [*((100.0 * n - 20, 100.0 * n + 20) for n in range(1, 4)), (880.0, 920.0)]
    assert sum(end - start for start, end in chosen) <= LEAST_S


def test_where_no_closer_look_can_be_had_the_first_stands() -> None:
    made = confirmed(LOG, judge, lambda looks: LOG, lambda span: None)
    assert made == Confirmed(LOG, report(BREACH))


def test_the_closer_look_stands_in_place_of_the_first_and_time_goes_on() -> None:
    seen = at(*(step / 2 for step in range(20)))
    looks = [((2.0, 4.0), at(2.0, 2.1, 3.9, frame=1)), ((9.0, 12.0), at(9.2, 9.9, frame=1))]
    shown = list(replaced(seen, looks))
    assert all(one.t < other.t for one, other in pairwise(shown))
    assert [one.t for one in shown if one.frame == 1] == [2.0, 2.1, 3.9, 9.2, 9.9]
    assert [one.t for one in shown if one.frame == 0] == [s / 2 for s in (*range(4), *range(8, 18))]


def test_rounds_that_overlap_are_looked_at_once_and_what_took_hours_not_at_all() -> None:
    near = finding(round=None, t_start=30.0, t_end=31.0)
    close = finding(round=None, t_start=45.0, t_end=46.0)
    hours = finding(round=None, t_start=0.0, t_end=3600.0)
    doubt = finding(round=None, t_start=500.0, t_end=501.0, verdict="undetermined")
    assert spans(LOG, report(near, close, hours, doubt)) == [(10.0, 66.0)]


def test_of_too_many_the_least_sure_are_looked_at() -> None:
    many = [finding(round=None, t_start=100.0 * n, t_end=100.0 * n, p=0.5 + n / 100) for n in range(1, 11)]
    chosen = spans(LOG, report(*reversed(many)))
    assert chosen == [(100.0 * n - 20, 100.0 * n + 20) for n in range(1, 5)]
    assert sum(end - start for start, end in chosen) <= LEAST_S


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (finding(t_start=8.0, t_end=8.5), True),
        (finding("ND-08-10.1.b-order", also=[FAN]), True),
        (finding(at="space:2"), False),
        (finding(t_start=12.0, t_end=13.0), False),
        (finding(verdict="undetermined"), False),
    ],
)
def test_the_same_breach_is_of_the_same_clause_place_and_time(other: Finding, same: bool) -> None:
    reports = iter([report(BREACH), report(other), *[report(BREACH)] * 9])
    nearer = EventLog(LOG.header, LOG.events[:-1])
    made = confirmed(LOG, lambda log: next(reports), lambda looks: nearer, lambda span: at(0.0))
    assert (made.log == LOG) is same, "a breach told by one look alone makes a record weak"


class Sobering(FakeReconstructor):
    """Tells of a breach until it is made a second time, for the closer look."""

    made = 0

    def log(self) -> EventLog:
        Sobering.made += 1
        return LOG if Sobering.made == 1 else EventLog(LOG.header, LOG.events[:-1])


@pytest.mark.parametrize(("until", "told"), [(SECONDS, []), (3.0, ["violation"])])
def test_a_review_keeps_what_a_closer_look_says_if_it_shows_all(tmp_path: Path, until: float, told: list[str]) -> None:
    video, layout, house = write_inputs(tmp_path)
    Sobering.made = 0
    stages = structs.replace(
        fake_stages(), reconstructor=Sobering, judge=judge, closer=lambda facts, *_: FakeWatch(facts, until)
    )
    stage: list[str] = []
    done = review_recording(video, layout, house, tmp_path / "out", lambda name, *_: stage.append(name), stages=stages)
    assert [one.finding.verdict for one in done.findings] == told
    assert stage.count("looking closer") == 2 * until
    for folder in (tmp_path / "out", Path(done.review.folder)):
        assert (folder / "unconfirmed.json").exists() is (told == [])
        assert [one.told.clause for one in unconfirmed_of(folder)] == ([] if told else [FAN])


def test_a_night_looks_closer_at_a_stretch_of_one_file_in_its_own_time(tmp_path: Path) -> None:
    part = Part(facts=facts_of(tmp_path, "a.mp4"), at=100.0, begin=0.0, end=8.0)
    other = Part(facts=facts_of(tmp_path, "b.mp4"), at=108.0, begin=1.0, end=8.0)
    asked: list[Span] = []

    def closer(facts: Probe, layout: Layout, bearings: Bearings | None, span: Span) -> FakeWatch:
        asked.append(span)
        return FakeWatch(probe(facts.path), SECONDS)

    chain = structs.replace(batch_fakes.chain(), closer=closer)
    recording_set = RecordingSet(source=Source(path="a.mp4", layout=None, house=None), parts=[part, other])
    nearer = Nearer(recording_set, "config", make_layout(), chain, Folders(tmp_path / "night"), lambda *_: None)
    shown = nearer.look((95.0, 104.0))
    assert shown is not None and (shown[0].t, asked) == (100.0, [(0.0, 4.0)])
    assert nearer.look((105.0, 112.0)) is None, "it goes on in another file"
    (tmp_path / "b.mp4").unlink()
    assert nearer.look((110.0, 112.0)) is None, "the file is gone: the first look stands"


def test_what_a_night_keeps_of_a_recording_is_what_was_probed(tmp_path: Path) -> None:
    video = make_video(tmp_path / "a.mp4")
    probed = probe(video)
    folders = Folders(tmp_path / "night")
    chain = structs.replace(batch_fakes.chain(), probe=lambda *_: probed)
    kept = probe_of(examine(Source(path=str(video), layout=None, house=None), chain, folders, lambda _: None), folders)
    assert (kept.facts, kept.first, kept.last, kept.end) == (probed.facts, 0, len(probed.times), probed.end)
    assert (kept.times.tolist(), kept.spare.tolist()) == (probed.times.tolist(), probed.spare.tolist())


def facts_of(folder: Path, name: str) -> Facts:
    """A recording that was examined for a night in `folder`."""
    folders = Folders(folder / "night")
    source = Source(path=str(make_video(folder / name)), layout=None, house=None)
    return examine(source, batch_fakes.chain(), folders, lambda _: None)
