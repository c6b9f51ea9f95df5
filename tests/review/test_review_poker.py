"""A recording of a poker table is reviewed as poker: hands, findings with clips; refused at another table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs
from review_fakes import SIZE, fake_stages, make_video, write_inputs

from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.layout import Layout, SeatZones, Zones
from verifier.domain.observations import CardSeen, HandSeen, Observation, ObservationsHeader
from verifier.formats.events import read_events
from verifier.formats.findings import read_findings
from verifier.formats.house import write_house
from verifier.formats.layout import write_layout
from verifier.law.judge import judge
from verifier.reconstruct.reconstruction import Reconstruction
from verifier.recording.probe import Coverage, Probe
from verifier.review.pipeline.chain import Chain
from verifier.review.recording import review_recording
from verifier.vision.quality import Bearings

SCALE = 0.2
"""Pixels a millimetre."""
SEATS = {1: (-600.0, 0.0), 2: (0.0, -300.0), 3: (600.0, 0.0)}
SECONDS, TAKEN_S = 20, 15.0
DEALT = [(2.5 + 0.5 * index, seat, index // 3) for index, seat in enumerate((1, 2, 3) * 2)]
BURNED_S = 10.5
BOARD = [(8.0, "2c"), (8.5, "7s"), (9.0, "9h"), (11.5, "3d")]
"""When cards are laid: one is burned before the turn, and none before the flop."""


def _pixel(x: float, y: float) -> tuple[float, float]:
    return SIZE[0] / 2 + x * SCALE, SIZE[1] / 2 + y * SCALE


def _box(x: float, y: float, half: float) -> list[tuple[float, float]]:
    return [_pixel(x + a * half, y + b * half) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def _layout() -> Layout:
    zones = Zones(
        dealer=_box(0, 350, 60),
        inner=_box(0, 350, 60),
        board=_box(35, 0, 140),
        pot=_box(0, 190, 50),
        muck=_box(250, 300, 60),
        burns=_box(-250, 300, 60),
    )
    seats = {number: SeatZones(area=_box(*at, 120)) for number, at in SEATS.items()}
    return Layout(version=1, image_size=SIZE, zones=zones, seats=seats, pixels_per_mm=SCALE, site="0123", table="2")


def _card(x: float, y: float, text: str = "") -> CardSeen:
    a, b, c, d = (_pixel(x + i * 31.5, y + j * 44.0) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    if not text:
        return CardSeen(face="down", p=0.98, quad=(a, b, c, d))
    return CardSeen(face="up", p=0.98, quad=(a, b, c, d), rank=text[0], suit=text[1], ranks={text[0]: 0.99})  # type: ignore[arg-type, dict-item]


class _Watch:
    """Sees the hand, and the dealer's hands over the table as all cards are taken."""

    bearings = Bearings(None, None)

    def __init__(self, stretch: Probe) -> None:
        self.header = ObservationsHeader(video=stretch.info, sample_hz=7.5)

    def __iter__(self) -> Iterator[Observation]:
        for step in range(int(SECONDS * 7.5)):
            t = step / 7.5
            cards = [_card(SEATS[s][0] + 58.0 * n, SEATS[s][1]) for at, s, n in DEALT if at <= t < TAKEN_S]
            cards += [_card(70.0 * (i - 1), 0.0, text) for i, (at, text) in enumerate(BOARD) if at <= t < TAKEN_S]
            cards += [_card(-250.0, 300.0)] if BURNED_S <= t < TAKEN_S else []
            wide = 760.0 if abs(t - TAKEN_S) < 0.4 else 60.0
            (x0, y0), (x1, y1) = _pixel(-wide, 340.0 - wide), _pixel(wide, 340.0 + wide)
            hand = HandSeen(owner="dealer", side="left", facing="back", p=0.95, box=(x0, y0, x1, y1))
            clock = f"2026-11-17T21:00:{int(t):02d}"
            yield Observation(t=t, frame=step, clock=clock, cards=cards, hands=[hand])

    coverage = Coverage(float(SECONDS), float(SECONDS))


def _chain() -> Chain:
    real = {"eye": lambda stretch, *_: _Watch(stretch), "reconstructor": Reconstruction, "judge": judge}
    return structs.replace(fake_stages(), **real)


def _house() -> House:
    return House(
        rulebook="nd-poker",
        video_surveillance="present",
        poker_variant="holdem",
        poker_game="high",
        poker_burn_procedure="before_additional_cards",
    )


def test_a_poker_table_is_reviewed_as_poker(tmp_path: Path) -> None:
    write_layout(tmp_path / "layout.yaml", _layout())
    write_house(tmp_path / "house.yaml", _house())
    video = make_video(tmp_path / "video.mp4", SECONDS)
    reviewed = review_recording(
        video, tmp_path / "layout.yaml", tmp_path / "house.yaml", tmp_path / "out", stages=_chain()
    )
    log = read_events(tmp_path / "out" / "events.jsonl")
    assert log.header.rulebook == "nd-poker"
    assert [event.to for event in log.events if event.name == "card_dealt"] == [
        *("seat:1", "seat:2", "seat:3") * 2,
        *("board",) * 4,
    ]  # type: ignore[union-attr]
    report = read_findings(tmp_path / "out" / "findings.json")
    burns = [one for one in report.findings if one.clause == "ND-09-04.14-burn-policy"]
    assert [(one.verdict, one.round, one.at) for one in burns] == [("violation", 1, "board")]
    assert {row.clause for row in report.clauses if row.verdict == "pass"} >= {"ND-09-04.13-misdeal"}
    assert any(stored.clip for stored in reviewed.findings)


def test_poker_is_refused_at_a_table_of_betting_spaces(tmp_path: Path) -> None:
    video, layout, _ = write_inputs(tmp_path)
    write_house(tmp_path / "house.yaml", _house())
    with pytest.raises(BadInput, match="nd-poker judges poker, the layout is of a twenty-one table"):
        review_recording(video, layout, tmp_path / "house.yaml", tmp_path / "out", stages=_chain())


def test_twenty_one_is_refused_at_a_poker_table(tmp_path: Path) -> None:
    video, _, house = write_inputs(tmp_path)
    write_layout(tmp_path / "layout.yaml", _layout())
    with pytest.raises(BadInput, match="nd-twenty-one judges twenty-one, the layout is of a poker table"):
        review_recording(video, tmp_path / "layout.yaml", house, tmp_path / "out", stages=_chain())
