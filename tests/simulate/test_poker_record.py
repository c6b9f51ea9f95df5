"""A recorded poker table: the picture shows what the layout says, and the command refuses what poker has not."""

from __future__ import annotations

import json
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from verifier.domain.errors import BadInput
from verifier.formats.events import read_events
from verifier.formats.house import read_house
from verifier.formats.layout import read_layout
from verifier.simulate.commands import simulate_command
from verifier.simulate.poker_table import plan_poker
from verifier.simulate.render import Camera, Look, Renderer
from verifier.simulate.scene import Scene
from verifier.simulate.table import plan_table

SMALL = "--rulebook nd-poker --rounds 1 --spaces 3 --size 320x180 --fps 15 --quiet"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("poker") / "one"
    wanted = ["--deviate", "ND-09-04.1-hand-ranking"]
    arguments = ["--seed", "12", *SMALL.split(), *wanted, "--out", str(out)]
    result = CliRunner().invoke(simulate_command, arguments, standalone_mode=False)
    assert result.exception is None, result.exception
    return out


def test_the_layout_is_of_a_poker_table_with_its_signs(folder: Path) -> None:
    layout, truth = read_layout(folder / "layout.yaml"), read_events(folder / "truth.events.jsonl")
    assert layout.game == "poker" and sorted(layout.seats or {}) == [1, 2, 3, 4]
    assert None not in (layout.zones.clock, layout.zones.table_number, layout.zones.site_id, layout.zones.burns)
    assert (layout.site, layout.table) == (truth.header.site, truth.header.table)
    assert read_house(folder / "house.yaml").rulebook == "nd-poker"


def test_a_clause_names_the_breach(folder: Path) -> None:
    (planted,) = json.loads((folder / "truth.deviations.json").read_text())
    assert planted["clause"] == "ND-09-04.1-hand-ranking" and planted["round"] == 1


def test_the_video_shows_the_board_where_the_layout_says(folder: Path) -> None:
    truth, layout = read_events(folder / "truth.events.jsonl"), read_layout(folder / "layout.yaml")
    flop = [e.t_end for e in truth.events if e.name == "card_dealt" and e.to == "board"]
    assert len(flop) >= 3
    shown: list[np.ndarray] = []
    with av.open(str(folder / "video.mp4")) as container:
        for frame in container.decode(video=0):
            if frame.time is not None and (not shown or (len(shown) == 1 and frame.time >= flop[2] + 1.0)):
                shown.append(frame.to_ndarray(format="gray"))
    mask = np.zeros(shown[0].shape, np.uint8)
    cv2.fillPoly(mask, [np.round(np.array(layout.zones.board)).astype(np.int32)], 255)
    before, after = (picture[mask > 0].mean() for picture in shown)
    assert after > before + 20.0  # white faces on the felt


def test_looks_differ_and_no_twenty_one_is_printed() -> None:
    camera = Camera.straight((320, 180))
    plan = plan_poker(6)
    tables = [Renderer(plan, Look.plain(seed), camera).render(Scene()) for seed in range(4)]
    assert len({table.tobytes() for table in tables}) == 4
    assert not np.array_equal(tables[0], Renderer(plan_table(6), Look.plain(0), camera).render(Scene()))


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        (["--deviate", "ND-08-11.16.a-fan-payoff"], "is no breach of poker"),
        (["--shuffle"], "poker is played without it"),
        (["--spaces", "2"], "too few for poker"),
        (["--spaces", "6", "--game", "five_card_draw"], "too many for five_card_draw"),
        (["--rulebook", "nd-twenty-one", "--game", "omaha"], "is a game of poker"),
    ],
)
def test_refusals(more: list[str], cause: str, tmp_path: Path) -> None:
    arguments = ["--seed", "1", "--rulebook", "nd-poker", "--out", str(tmp_path / "x"), *more]
    result = CliRunner().invoke(simulate_command, arguments, standalone_mode=False)
    assert isinstance(result.exception, BadInput)
    assert cause in str(result.exception)
