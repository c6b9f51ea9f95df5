"""Hardships of a recording made out of a round's observations: what is told surely stays true, and nobody is accused.

The recording begins or ends within the round, the camera is knocked, a hand lies on cards for seconds, looks are
dropped, the picture freezes, the light is dim.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import pytest
from test_reconstruct_view import shifted

from verifier.domain.events import AnyEvent, CardDealt, EventLog
from verifier.domain.observations import CardSeen, Drift, HandSeen, Observation, ObservationsHeader, Quality
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.review.score import nothing_false, unmatched
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import Performance, perform
from verifier.simulate.render.camera import Camera
from verifier.simulate.truth_observations import truth_observations

SIZE = (640, 360)
CAMERA = Camera.straight(SIZE)
Seen = list[Observation]
Span = tuple[float, float]
NOT_PLAYED = ("view_check", "cut", "indicator_card")


@pytest.fixture(scope="module")
def performance() -> Performance:
    return perform(5, rounds=1, spaces=3, shift_change=False, shuffle=False)


@pytest.fixture(scope="module")
def seen(performance: Performance) -> Seen:
    return list(truth_observations(performance, CAMERA, hz=7.5))


def begun_late(seen: Seen, play: Span) -> tuple[Seen, Span]:
    return [one for one in seen if one.t > play[0] + 4.0], (0.0, play[0] + 5.0)


def ended_early(seen: Seen, play: Span) -> tuple[Seen, Span]:
    return [one for one in seen if one.t < play[1] - 6.0], (play[1] - 7.0, 1e9)


def knocked(seen: Seen, play: Span) -> tuple[Seen, Span]:
    """The camera is knocked amid the round; vision tells of it five seconds later."""
    t, drift = sum(play) / 2, Drift(dx=7.0, dy=-5.0, roll=0.6, scale=1.0, p=1.0)
    told = Quality(sharpness=200.0, obstructed=0.0, luma=100.0, view="shifted", drift=drift)
    same = Quality(sharpness=200.0, obstructed=0.0, luma=100.0, view="same")
    moved = [shifted(one, drift, SIZE) if one.t >= t else one for one in seen]
    graded = [msgspec.structs.replace(one, quality=told if one.t >= t + 5.0 else same) for one in moved]
    return graded, (t - 1.0, t + 6.0)


def hand_on_cards(seen: Seen, play: Span) -> tuple[Seen, Span]:
    """A player's hand lies on the first card for five seconds; nothing of it is seen meanwhile."""
    t0 = sum(play) / 2
    under = next(card for one in seen if one.t >= t0 for card in one.cards if card.face == "up")
    x, y = middle(under)
    hand = HandSeen(
        id=None, owner="player", side="right", facing="back", p=0.95, box=(x - 22, y - 26, x + 22, y + 26), fingers=0
    )
    covered = [
        msgspec.structs.replace(one, hands=[*one.hands, hand], cards=[c for c in one.cards if not near(c, (x, y))])
        if t0 <= one.t < t0 + 5.0
        else one
        for one in seen
    ]
    return covered, (t0 - 1.0, t0 + 6.0)


def looks_dropped(seen: Seen, play: Span) -> tuple[Seen, Span]:
    t0 = sum(play) / 2
    return [one for one in seen if not t0 < one.t < t0 + 2.5], (t0 - 1.0, t0 + 3.5)


def frozen(seen: Seen, play: Span) -> tuple[Seen, Span]:
    """The picture stands still for two seconds and a half, and then jumps."""
    t0 = sum(play) / 2
    still = max((one for one in seen if one.t <= t0), key=lambda one: one.t)
    return [
        msgspec.structs.replace(still, t=one.t, frame=one.frame) if t0 < one.t < t0 + 2.5 else one for one in seen
    ], (t0 - 1.0, t0 + 3.5)


def dim(seen: Seen, play: Span) -> tuple[Seen, Span]:
    """All is seen with less confidence, a fifth of the looks at each thing fails, ranks are doubtful."""

    def dimmed(number: int, one: Observation) -> Observation:
        cards = [
            msgspec.structs.replace(card, p=0.8 * card.p, ranks={card.rank: 0.7} if card.rank else None)
            for i, card in enumerate(one.cards)
            if (number + i) % 5
        ]
        chips = [
            msgspec.structs.replace(chip, p=0.9 * chip.p) for i, chip in enumerate(one.chips) if (number + 2 * i) % 5
        ]
        return msgspec.structs.replace(one, cards=cards, chips=chips)

    return [dimmed(number, one) for number, one in enumerate(seen)], (1e9, 1e9)


def quick(seen: Seen, play: Span) -> tuple[Seen, Span]:
    """Every other look comes 0.02 s after the one before: cards beside a hand seem to have slipped aside."""

    def slipped(card: CardSeen, hands: Sequence[HandSeen]) -> CardSeen:
        if not any(near(card, ((hand.box[0] + hand.box[2]) / 2, (hand.box[1] + hand.box[3]) / 2)) for hand in hands):
            return card
        return msgspec.structs.replace(card, quad=tuple((x + 5.0, y - 4.0) for x, y in card.quad))  # type: ignore[arg-type]

    out = []
    for one in seen:
        out.append(one)
        cards = [slipped(card, one.hands) for card in one.cards]
        out.append(msgspec.structs.replace(one, t=one.t + 0.02, cards=cards))
    return out, (1e9, 1e9)


def middle(card: CardSeen) -> tuple[float, float]:
    return sum(x for x, _ in card.quad) / 4, sum(y for _, y in card.quad) / 4


def near(card: CardSeen, xy: tuple[float, float], reach: float = 24.0) -> bool:
    x, y = middle(card)
    return abs(x - xy[0]) < reach and abs(y - xy[1]) < reach


def outside(events: Sequence[AnyEvent], span: Span) -> list[AnyEvent]:
    return [one for one in events if one.t_end < span[0] or one.t_start > span[1]]


HARDSHIPS: list[Callable[[Seen, Span], tuple[Seen, Span]]] = [
    begun_late, ended_early, knocked, hand_on_cards, looks_dropped, frozen, dim, quick
]  # fmt: skip


@pytest.fixture(scope="module", params=HARDSHIPS, ids=lambda one: one.__name__)
def suffered(request: pytest.FixtureRequest, performance: Performance, seen: Seen) -> tuple[EventLog, Span]:
    """What is told of the round that suffers a hardship, and when the hardship was."""
    dealt = [one for one in performance.events.events if isinstance(one, CardDealt)]
    shown, span = request.param(seen, (dealt[0].t_start, performance.events.events[-1].t_end))
    layout = layout_for(performance.plan, CAMERA, site="0001", table="1")
    return reconstruct(shown, layout, performance.house, ObservationsHeader()), span


def test_what_is_told_surely_at_other_times_is_true(suffered: tuple[EventLog, Span], performance: Performance) -> None:
    log, span = suffered
    told = [one for one in log.events if not one.weak and one.name not in NOT_PLAYED]
    _, invented = unmatched(performance.events.events, told, 2.0, nothing_false)
    assert [(one.name, one.t_end) for one in outside(invented, span)] == []


def test_nobody_is_accused(suffered: tuple[EventLog, Span]) -> None:
    log, _ = suffered
    judged = judge(EventLog(msgspec.structs.replace(log.header, video="0" * 64), log.events))
    assert [one.clause for one in judged.findings if one.verdict == "violation"] == []


def test_all_that_happened_at_other_times_is_told(suffered: tuple[EventLog, Span], performance: Performance) -> None:
    log, span = suffered
    truth = [one for one in performance.events.events if one.name not in NOT_PLAYED]
    missed, _ = unmatched(truth, log.events, 2.0, nothing_false)
    assert [(one.name, one.t_end) for one in outside(missed, span)] == []
