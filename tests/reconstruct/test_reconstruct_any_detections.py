"""Whatever cards and chips are seen, and however often, they are followed without an error."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from recon_scenes import card, chip, hand, layout

from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.parameters.tolerances import CARD_TOLERANCES, CHIP_TOLERANCES
from verifier.reconstruct.resting.card_tracks import tell
from verifier.reconstruct.resting.cardsettle import CardSettler
from verifier.reconstruct.resting.chip_dwells import chip_dwells
from verifier.reconstruct.resting.settle import ChipSettler
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
STEPS = st.sampled_from([0, 6, 12, 20, -8, -30, 45])
PS = st.sampled_from([0.55, 0.75, 0.95])


@st.composite
def cards(draw: st.DrawFn) -> CardSeen:
    seen = card(600 + draw(STEPS), 300 + draw(STEPS), draw(st.sampled_from(["5", "T", None])))
    return replace(seen, p=draw(PS))


@st.composite
def chips(draw: st.DrawFn) -> ChipSeen:
    return replace(chip(600 + draw(STEPS), 140 + draw(STEPS), draw(st.sampled_from([100, 500]))), p=draw(PS))


@st.composite
def hands(draw: st.DrawFn) -> HandSeen:
    return hand(600 + 3 * draw(STEPS), 300 + 3 * draw(STEPS), draw(st.sampled_from(["dealer", "player"])))


LOOKS = st.lists(
    st.tuples(
        st.sampled_from([0.13, 0.4, 1.0, 2.6]),
        st.lists(cards(), max_size=3),
        st.lists(chips(), max_size=3),
        st.lists(hands(), max_size=2),
    ),
    min_size=2,
    max_size=25,
)


CREEPS = [(0.13, [replace(card(600, y, "5"), p=0.55)], [], []) for y in (320, 320, 320, 320, 312, 300, 300, 300)]
"""A card that creeps from its place to another: the last looks at the one are the first at the other."""


@settings(max_examples=300, deadline=None)
@example(CREEPS)
@given(LOOKS)
def test_whatever_is_seen_is_followed(
    looks: list[tuple[float, list[CardSeen], list[ChipSeen], list[HandSeen]]],
) -> None:
    settlers, log = (CardSettler(CARD_TOLERANCES), ChipSettler(CHIP_TOLERANCES)), HandLog()
    t = 0.0
    for i, (late, *seen) in enumerate(looks):
        t += late
        detection = detections_of(Observation(t=t, frame=i, cards=seen[0], chips=seen[1], hands=seen[2]), TABLE, BODY)
        cover = log.cover(detection)
        settlers[0].step(t, detection.cards, cover)
        settlers[1].step(t, detection.chips, cover)
        log.add(detection)
    for settler in settlers:
        for track in settler.settled():
            assert track.t_first <= track.t_rest <= track.t_last <= t
            assert all(a.t1 <= b.t0 for a, b in pairwise(track.dwells))
    assert all(dwell.t0 <= dwell.t1 for dwell in chip_dwells([*settlers[1].settled(), *settlers[1].ended]))
    assert all(
        card_track.t_first <= card_track.t_last
        for card_track in tell([*settlers[0].settled(), *settlers[0].ended], TABLE)
    )
