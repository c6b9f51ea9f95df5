"""Which planted deviations no camera above the table could show."""

import pytest

from verifier.domain.events import ChipsFanned, EventLog, EventsHeader, PayoffPlaced, WagerPlaced
from verifier.review.score_findings import Deviation
from verifier.review.score_hidden import hidden, seen_from_above
from verifier.simulate.perform import perform

HEADER = EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one")


def common(number: int, t: float) -> dict[str, object]:
    return {"id": f"e{number}", "t_start": t, "t_end": t + 0.5, "p": 1.0, "source": "video", "round": 1}


def stake(**other) -> WagerPlaced:
    chips = {"500": 1, "100": 2}
    return WagerPlaced(
        **common(1, 1.0), **({"kind": "original", "at": "space:2", "cents": 700, "chips": chips} | other)
    )  # type: ignore[arg-type]


def spread(**other) -> ChipsFanned:
    told = {"owner": "wager", "kind": "original", "at": "space:2/0", "cents": 700}
    return ChipsFanned(**common(2, 9.0), **(told | other))  # type: ignore[arg-type]


def seen(*events) -> tuple[int | None, bool | None]:
    first = seen_from_above(EventLog(HEADER, events)).events[0]
    assert isinstance(first, WagerPlaced | PayoffPlaced)
    return first.cents, first.lower_bound


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ((stake(),), (100, True)),
        ((stake(), spread()), (700, None)),
        ((stake(), spread(owner="payoff")), (100, True)),
        ((stake(), spread(kind="double")), (100, True)),
        ((stake(), spread(at="space:3")), (100, True)),
        ((stake(cents=500, chips={"500": 1}),), (500, None)),
        ((stake(cents=700, chips=None),), (700, None)),
    ],
    ids=["a stack", "spread", "its payoff spread", "its double spread", "another spread", "a chip", "chips not told"],
)
def test_a_stack_that_nobody_spread_shows_its_top_chip(events, told) -> None:
    assert seen(*events) == told


@pytest.mark.parametrize(
    ("clause", "unseen"), [("ND-08-09.2.c-split-wager-equal", True), ("ND-08-11.16-hand-by-hand", False)]
)
def test_what_lies_in_stacks_is_hidden_and_what_is_done_is_not(clause: str, unseen: bool) -> None:
    played = perform(31_000 + len(clause), 2, (clause,), spaces=4)
    planted = [Deviation(clause=one.clause, round=one.round) for one in played.deviations]
    assert planted and hidden(played.events, planted) == (planted if unseen else [])
