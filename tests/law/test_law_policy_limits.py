"""Each figure that this project chose (docs/law.md, "Policies of this project"), with a log on either side of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from law_build import Log, hand_out, row
from record_rows import given, poh
from washington_build import Washington

from verifier.domain.events import CardBurned, CardDealt, ChipsCollected, EventLog, EventsHeader, RecordingSegment
from verifier.law.consistency import inconsistencies
from verifier.law.gaps import jumped, resumptions
from verifier.law.readings import ranks_of

Limit = tuple[str, Callable[[], Log], str]
"""Clause, log, and verdict."""
RATE, REAL = "04.1.a-no-time-lapse", "04.1.a-real-time"
CLOCK, CLEAR, LINES = "04.1.a-time-date-overlay", "04.6-picture-clear", "04.1.b-hires-colour"
HIT, BYPASS = "11.4-hand-signal-hit", "11.4-hand-signal-bypass"


def told(event: str, **own: Any) -> Callable[[], Log]:
    """A log of one record and nothing else."""

    def make() -> Log:
        log = Log()
        log.add(event, **own)
        return log

    return make


def clocks(*readings: tuple[float, str]) -> Callable[[], Log]:
    """Readings of the picture's clock, each at a media time (s)."""

    def make() -> Log:
        log = Log()
        for t, text in readings:
            log.add("overlay_read", what="clock", text=f"2026-11-02 21:{text}", t_start=t, t_end=t)
        return log

    return make


def recorded(**own: Any) -> Callable[[], Log]:
    """A recorder's segment of 1,000 s with ten pictures a second."""
    return told("recording_segment", **{"recorder_id": "1", "start": 0, "end": 1000, "fps": 10.0, **own})


def cut(cards: int) -> Callable[[], Log]:
    """A stack of six decks that is cut so many cards deep."""

    def make() -> Log:
        log = hand_out("Th 8d 9s 9c", {2: 1000})
        return log.change(log.one("cut"), depth_cards=cards)

    return make


def cut_by(*seats: str) -> Callable[[], Log]:
    def make() -> Log:
        log = Log()
        for seat in seats:
            log.add("cut", by="player", seat=seat)
        return log

    return make


def drawn(**own: Any) -> Callable[[], Log]:
    """A player's third card, asked for by a signal."""

    def make() -> Log:
        log = hand_out("5h 7d 6s Tc 9h", {2: 1000}, "hit")
        return log.change(log.one("card_dealt", card="9h"), **own)

    return make


def signalled(after: float) -> Callable[[], Log]:
    """A hit signal that begins so many seconds after its card has begun to leave the shoe."""

    def make() -> Log:
        log = hand_out("5h 7d 6s Tc 9h", {2: 1000}, "hit")
        begun = log.one("card_dealt", card="9h")["t_start"]
        signal = log.one("hand_signal", meaning="hit")
        return log.change(signal, t_start=round(begun + after, 3), t_end=round(begun + after + 0.2, 3))

    return make


def stood(after: float, lasts: float = 0.7) -> Callable[[], Log]:
    """A stand signal that begins so many seconds after the hole card has begun to be turned, which `lasts` so long."""

    def make() -> Log:
        log = hand_out("Th 7d 9s Tc", {2: 1000})
        turned = log.one("card_revealed")
        begun = turned["t_start"]
        log.change(turned, t_end=round(begun + lasts, 3))
        return log.change(log.one("hand_signal"), t_start=round(begun + after, 3), t_end=round(begun + after + 0.1, 3))

    return make


def doubled(**own: Any) -> Callable[[], Log]:
    """A doubled hand's card."""

    def make() -> Log:
        log = hand_out("5h 7d 6s Tc Th", {2: 1000}, "double")
        return log.change(log.one("card_dealt", card="Th"), **own)

    return make


def split_ace(**own: Any) -> Callable[[], Log]:
    """The card of a split ace."""

    def make() -> Log:
        log = hand_out("Ah 7d As Tc Td 9h", {2: 1000}, "split")
        return log.change(log.one("card_dealt", card="Td"), **own)

    return make


def touched(seconds: float) -> Callable[[], Log]:
    def make() -> Log:
        log = hand_out("Th 8d 9s 9c", {2: 1000})
        t = log.one("card_revealed")["t_start"] - 0.1
        log.insert_after(
            log.all("card_dealt")[-1], "touch", by="player", object="card", at="space:2", displaced=False,
            t_start=round(t - seconds, 3), t_end=t,
        )  # fmt: skip
        return log

    return make


def away(seconds: float) -> Callable[[], Log]:
    """A dealer who leaves an open table and is back so many seconds later."""

    def make() -> Log:
        log = Log()
        log.add("table_state", state="open", dealer_present=False, tray="open", t_start=10.0, t_end=10.5)
        back = 10.0 + seconds
        log.add("table_state", state="open", dealer_present=True, tray="open", t_start=back, t_end=back + 0.5)
        return log

    return make


def equipped(*values: str) -> Callable[[], Log]:
    return told("record_entry", type="equipment", fields={"chips": [*values]})


def held(said: str) -> Callable[[], Log]:
    """A percent-of-hold of one third."""
    return lambda: given([poh(gross_proceeds=300_000, prizes=200_000, adjusted_gross_proceeds=100_000, hold=said)])


def paid(cents: int) -> Callable[[], Log]:
    """A wager of ten dollars that won, and what was paid for it."""

    def make() -> Log:
        log = hand_out("Th 7d 9s Tc", {2: 1000})
        return log.change(log.one("payoff_placed"), cents=cents, chips=None)

    return make


LIMITS: list[Limit] = [
    ("11.12-highest-wins", paid(1049), "pass"),
    ("11.12-highest-wins", paid(1050), "violation"),
    ("11.12-highest-wins", paid(951), "pass"),
    ("11.12-highest-wins", paid(950), "violation"),
    ("08.1-cut-ten-cards", cut(302), "pass"),
    ("08.1-cut-ten-cards", cut(303), "undetermined"),
    ("08.1-cut-ten-cards", cut(304), "undetermined"),
    ("08.1-cut-ten-cards", cut(305), "violation"),
    ("08.1-rotate-cut", cut_by("space:2"), "not_applicable"),
    ("08.1-rotate-cut", cut_by("space:2", "space:2"), "pass"),
    ("08.1-rotate-cut", cut_by("space:2", "space:2", "space:2"), "undetermined"),
    (REAL, clocks((0.0, "00:00"), (10.0, "00:12")), "pass"),
    (REAL, clocks((0.0, "00:00"), (9.9, "00:12")), "violation"),
    (CLOCK, clocks((0.0, "00:00"), (10.0, "00:08")), "pass"),
    (CLOCK, clocks((0.0, "00:00"), (10.1, "00:08")), "violation"),
    (REAL, clocks((0.0, "00"), (10.0, "01")), "pass"),  # a clock without seconds
    (REAL, clocks((0.0, "00"), (59.0, "02")), "violation"),
    (REAL, clocks((0.0, "00:00"), (10.0, "00:30"), (20.0, "00:22")), "pass"),  # one odd reading
    (REAL, clocks((0.0, "00:00"), (10.0, "00:30"), (20.0, "00:23")), "violation"),
    (RATE, recorded(fps=10.0), "pass"),
    (RATE, recorded(fps=9.9), "undetermined"),
    (RATE, recorded(fps=5.0), "undetermined"),
    (RATE, recorded(fps=4.9), "violation"),
    (REAL, recorded(dropped_frames=20), "pass"),
    (REAL, recorded(dropped_frames=21), "undetermined"),
    (REAL, recorded(dropped_frames=200), "undetermined"),
    (REAL, recorded(dropped_frames=201), "violation"),
    (LINES, recorded(resolution=[400, 300]), "pass"),
    (LINES, recorded(resolution="400x299"), "violation"),
    (CLEAR, told("view_check", readable_share=0.8), "pass"),
    (CLEAR, told("view_check", readable_share=0.79), "undetermined"),
    (CLEAR, told("view_check", readable_share=0.5), "undetermined"),
    (CLEAR, told("view_check", readable_share=0.49), "violation"),
    (CLEAR, told("view_check", occlusion=0.2), "pass"),
    (CLEAR, told("view_check", occlusion=0.21), "undetermined"),
    (CLEAR, told("view_check", occlusion=0.5), "undetermined"),
    (CLEAR, told("view_check", occlusion=0.51), "violation"),
    ("10.2-card-overlap", drawn(overlap=0.27), "pass"),
    ("10.2-card-overlap", drawn(overlap=0.28), "violation"),
    ("10.2-card-overlap", drawn(overlap=0.5, angle=44.9), "violation"),
    ("10.2-card-overlap", drawn(overlap=0.5, angle=-44.9), "violation"),
    ("10.2-card-overlap", drawn(overlap=0.5, angle=45.0), "not_assessed"),  # a card that lies across
    (HIT, signalled(0.29), "pass"),
    (HIT, signalled(0.31), "violation"),
    (BYPASS, stood(0.29), "pass"),
    (BYPASS, stood(0.31), "violation"),
    (BYPASS, stood(0.31, lasts=1.5), "violation"),
    (BYPASS, stood(0.31, lasts=1.6), "undetermined"),
    ("11.3.b-double-card-angle", doubled(angle=65.0), "pass"),
    ("11.3.b-double-card-angle", doubled(angle=64.9), "violation"),
    ("11.3.b-double-card-angle", doubled(angle=115.0), "pass"),
    ("11.3.b-double-card-angle", doubled(angle=115.1), "violation"),
    ("11.3.b-double-card-angle", doubled(angle=-90.0), "pass"),
    ("11.3.b-double-card-angle", doubled(angle=270.0), "pass"),
    ("11.3.b-double-card-angle", doubled(angle=180.0), "violation"),
    ("11.3.b-double-card-angle", doubled(angle=90.0, face="down"), "violation"),
    ("11.3.a-split-ace-card-angle", split_ace(angle=65.0), "pass"),
    ("11.3.a-split-ace-card-angle", split_ace(angle=64.9), "violation"),
    ("11.2-no-card-touch", touched(1.5), "violation"),
    ("11.2-no-card-touch", touched(1.49), "undetermined"),
    ("03.4-unattended-tray", away(10.0), "not_applicable"),
    ("03.4-unattended-tray", away(10.1), "violation"),
    ("03.1-25-chip-offered", equipped("1", "2", "5", "100"), "violation"),
    ("03.1-25-chip-offered", equipped("1", "2", "5"), "undetermined"),
    ("03.1-25-chip-offered", equipped("1", "5", "25"), "pass"),
    ("01.3-poh-formula", held("33.3"), "pass"),
    ("01.3-poh-formula", held("33.4"), "violation"),
    ("01.3-poh-formula", held("33"), "pass"),
    ("01.3-poh-formula", held("34"), "violation"),
]


@pytest.mark.parametrize(
    ("clause", "make", "verdict"), LIMITS, ids=[f"{n}-{x[0]}-{x[2]}" for n, x in enumerate(LIMITS)]
)
def test_the_policy_decides_where_it_says(clause: str, make: Callable[[], Log], verdict: str) -> None:
    log = make()
    channels = ["video", "records"]
    assert row(log.judge(channels=channels), f"ND-08-{clause}") == verdict


@pytest.mark.parametrize(
    ("behind", "verdict"),
    [(16, "pass"), (15, "undetermined"), (36, "pass"), (37, "undetermined"), (11, "undetermined"), (10, "violation"),
     (41, "undetermined"), (42, "violation")],
)  # fmt: skip
def test_a_blank_card_lies_about_a_quarter_from_the_end(behind: int, verdict: str) -> None:
    """Two decks: a quarter is 26 cards, a tenth of them 10.4, 15 in a hundred 15.6."""
    log = Washington().play().log
    log.change(log.one("indicator_card", action="inserted"), cards_remaining=behind)
    assert row(log.judge(rulebook="wa-blackjack-a"), "WA-125.9-blank-card") == verdict


@pytest.mark.parametrize(("cents", "verdict"), [(50_000, "pass"), (50_001, "violation")])
def test_a_minimum_bank_is_500_dollars_at_most(cents: int, verdict: str) -> None:
    log = Washington(wa_min_bank=cents).play().log
    assert row(log.judge(rulebook="wa-blackjack-a"), "WA-125.3-min-bank-500") == verdict


@pytest.mark.parametrize(("p", "verdict"), [(0.75, "violation"), (0.74, "undetermined")])
def test_in_a_recording_a_violation_rests_on_records_that_were_seen_surely(p: float, verdict: str) -> None:
    log = doubled(angle=0.0, p=p)()
    assert row(log.judge(video="0" * 64), "ND-08-11.3.b-double-card-angle") == verdict
    assert row(log.judge(), "ND-08-11.3.b-double-card-angle") == "violation"


@pytest.mark.parametrize(("p", "verdict"), [(0.5, "violation"), (0.49, "undetermined")])
def test_a_weak_record_alone_makes_no_violation(p: float, verdict: str) -> None:
    log = hand_out("Th 8d 9s 9c", {2: 1000})
    log.insert_after(log.all("card_dealt")[-1], "touch", by="player", object="card", at="space:2", displaced=True, p=p)
    assert row(log.judge(), "ND-08-11.2-no-card-touch") == verdict


@pytest.mark.parametrize(("begun", "new"), [(102.0, False), (102.1, True)])
def test_a_segment_goes_on_from_the_one_before_within_two_seconds(begun: float, new: bool) -> None:
    common: Any = {"p": 1.0, "source": "video", "recorder_id": "1"}
    before = RecordingSegment(id="a", t_start=0.0, t_end=100.0, start=0, end=100, **common)
    after = RecordingSegment(id="b", t_start=100.0, t_end=200.0, start=begun, end=200, **common)
    assert resumptions([before, after]) == ([0.0, 100.0] if new else [0.0])


def dealt(number: int | None, shoe: int = 1) -> CardDealt:
    return CardDealt(
        id=f"c{number}", t_start=0.0, t_end=1.0, p=1.0, source="video", card="Th", to="space:2", face="up", seq=number,
        shoe=shoe,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("following", "burned", "left_out"),
    [(dealt(6), 0, False), (dealt(7), 0, True), (dealt(18), 0, True), (dealt(19), 0, False),
     (dealt(7), 1, False), (dealt(8), 1, True), (dealt(19), 1, True), (dealt(20), 1, False),
     (dealt(8, shoe=2), 0, False), (dealt(None), 0, False)],
)  # fmt: skip
def test_up_to_twelve_numbers_left_out_between_rounds_are_cards_without_a_record(
    following: CardDealt, burned: int, left_out: bool
) -> None:
    """The last card before has number 5."""
    burn = CardBurned(id="b", t_start=0.0, t_end=1.0, p=1.0, source="video", card="??", face_shown=False)
    assert jumped([dealt(4), dealt(5)], [following], [burn] * burned) == left_out


def test_a_burn_from_before_the_last_card_explains_no_number_left_out_between_rounds() -> None:
    early = CardBurned(id="b", t_start=0.0, t_end=0.5, p=1.0, source="video", card="??", face_shown=False)
    last = msgspec.structs.replace(dealt(5), t_start=0.6, t_end=0.9)
    assert jumped([last], [dealt(7)], [early])


@pytest.mark.parametrize(("overlap", "verdict"), [(0.33, "undetermined"), (0.34, "violation")])
def test_in_a_recording_a_share_that_is_covered_may_be_off(overlap: float, verdict: str) -> None:
    log = drawn(overlap=overlap)()
    assert row(log.judge(video="0" * 64), "ND-08-10.2-card-overlap") == verdict


@pytest.mark.parametrize(
    ("posterior", "ranks"),
    [({"K": 0.9, "Q": 0.1}, "K"), ({"K": 0.89, "Q": 0.11}, "KQ"), ({"K": 0.8, "Q": 0.18, "J": 0.02}, "KQJ"),
     ({"K": 0.8, "Q": 0.181, "J": 0.019}, "KQ")],
)  # fmt: skip
def test_a_card_may_be_what_its_reading_leaves_open(posterior: dict[str, float], ranks: str) -> None:
    assert ranks_of("Kh", posterior) == frozenset(ranks)


def practice(sweeps: int, by_hand: int) -> EventLog:
    """A log in which chips were collected so many times in either way; its header tells no option."""
    common: Any = {"t_start": 0.0, "t_end": 1.0, "p": 1.0, "source": "video", "cents": 500, "kind": "original"}
    modes: list[Any] = [*["sweep"] * sweeps, *["hand_by_hand"] * by_hand]
    events = tuple(
        ChipsCollected(id=f"c{number}", at="space:2", to="tray", mode=mode, **common)
        for number, mode in enumerate(modes)
    )
    header = EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one", site="0123")
    return EventLog(header=header, events=events)


@pytest.mark.parametrize(
    ("sweeps", "by_hand", "told"), [(0, 5, True), (0, 4, False), (1, 9, True), (1, 8, False), (5, 0, False)]
)
def test_a_site_s_practice_is_what_most_acts_of_a_log_show(sweeps: int, by_hand: int, told: bool) -> None:
    """Five acts at least, nine in ten of them alike: then it is compared with that of another log, which sweeps."""
    found = inconsistencies([("one", practice(5, 0)), ("other", practice(sweeps, by_hand))])
    assert [one.option for one in found] == (["sweep_or_hand_by_hand"] if told else [])


@pytest.mark.parametrize(("missed", "verdict"), [(0, "violation"), (3, "undetermined"), (4, "violation")])
def test_holes_in_the_numbers_of_a_round_s_cards_leave_open_what_follows_from_them(missed: int, verdict: str) -> None:
    """One to three are cards without a record; more are another way of numbering."""
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    log.change(log.one("payoff_placed"), cents=2000, chips={"500": 4})
    last = log.all("card_dealt")[-1]
    log.change(last, seq=last["seq"] + missed)
    assert row(log.judge(), "ND-08-11.12-highest-wins") == verdict


@pytest.mark.parametrize(("most", "verdict"), [(2500, "pass"), (2501, "violation")])
def test_a_table_s_maximum_is_25_dollars_at_most(most: int, verdict: str) -> None:
    limits = {"min": 100, "max": most}
    assert row(hand_out("Th 7d 9s Tc", {2: 1000}, table_limits=limits).judge(), "ND-08-09.1-table-max") == verdict
    posted = given([("house_rules", {"on": "2026-11-02", "tables": [limits]})])
    assert row(posted.judge(channels=["video", "records"]), "ND-08-09.1-table-max") == verdict
