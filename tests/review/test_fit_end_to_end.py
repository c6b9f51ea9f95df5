"""Real encoded video, whole models: a layout that does not fit accuses nobody; what is missing is told."""

from __future__ import annotations

import subprocess
from pathlib import Path

import imageio_ffmpeg
import msgspec
import pytest

from verifier.domain.coverage import FitCheck
from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.formats.layout import read_layout, write_layout
from verifier.review.pipeline.account import CLOCK
from verifier.review.recording import Reviewed, review_recording

SOURCE = Path(__file__).parents[2] / "sample_videos" / "flagged"
BEGIN, SECONDS = 71.5, 16.0
"""A dealt round of the shipped recording; with its own layout: 0 violations, 3 undetermined, 34 pass."""
HIDE_CLOCK = "drawbox=x=10:y=10:w=330:h=50:color=black:t=fill"

pytestmark = pytest.mark.slow


def cut(folder: Path, filters: str = "null") -> Path:
    """A short cut of the shipped recording, changed by filters of FFmpeg."""
    out = folder / "play.mp4"
    chosen = ["-ss", str(BEGIN), "-i", str(SOURCE / "video.mp4"), "-t", str(SECONDS), "-vf", filters]
    encoded = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-bf", "0", "-g", "30", str(out)]
    subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-y", *chosen, *encoded], check=True)
    return out


def reviewed(folder: Path, filters: str = "null", layout: Layout | None = None) -> Reviewed:
    write_layout(folder / "layout.yaml", layout or read_layout(SOURCE / "layout.yaml"))
    return review_recording(cut(folder, filters), folder / "layout.yaml", SOURCE / "house.yaml", folder / "out")


def check(result: Reviewed, name: str) -> FitCheck:
    assert result.coverage.fit is not None
    return next(one for one in result.coverage.fit.checks if one.name == name)


def refused(result: Reviewed) -> str:
    """Why a recording was not judged: nothing of it counts as clean, and nobody is accused."""
    assert result.coverage.fit is not None and not result.coverage.fit.ok
    assert result.exit_code == 3
    assert result.coverage.watched == 0.0
    assert {row.verdict for row in result.report.clauses} <= {"undetermined", "not_assessed", "not_applicable"}
    (told,) = result.report.findings
    assert told.verdict == "undetermined" and "the layout does not fit this recording" in told.observed
    return told.observed


@pytest.mark.parametrize(
    ("filters", "words"),
    [("hflip,vflip", "upside down"), ("hflip", "mirrored"), ("crop=960:540:0:180,scale=1280:720", "elsewhere")],
)
def test_a_picture_that_was_turned_mirrored_or_cropped_is_not_judged(tmp_path: Path, filters: str, words: str) -> None:
    """Case recording_upside_down."""
    assert words in refused(reviewed(tmp_path, filters))


def test_the_layout_of_another_table_of_the_same_size_is_not_used(tmp_path: Path) -> None:
    """Case other_tables_layout."""
    other = msgspec.structs.replace(read_layout(SOURCE / "layout.yaml"), site="0026")
    told = refused(reviewed(tmp_path, layout=other))
    assert "the picture's sign reads site 0131, the layout says 0026" in told


def moved(layout: Layout, pixels: float) -> Layout:
    def zones(value: Zones | SpaceZones) -> dict[str, list[tuple[float, float]]]:
        named = {name: getattr(value, name) for name in value.__struct_fields__}
        return {name: [(x + pixels, y) for x, y in zone] for name, zone in named.items() if zone is not None}

    spaces = {number: SpaceZones(**zones(space)) for number, space in layout.spaces.items()}
    return msgspec.structs.replace(layout, zones=Zones(**zones(layout.zones)), spaces=spaces)


def test_a_layout_shifted_by_a_hands_width_is_found_by_where_wagers_lie(tmp_path: Path) -> None:
    layout = read_layout(SOURCE / "layout.yaml")
    bare = msgspec.structs.replace(layout.zones, site_id=None, table_number=None)
    shifted = moved(msgspec.structs.replace(layout, zones=bare), 85 * layout.scale)
    assert "wager spots" in refused(reviewed(tmp_path, layout=shifted))


def test_without_wager_spots_nothing_about_money_passes(tmp_path: Path) -> None:
    """Case layout_without_wager_spots."""
    layout = read_layout(SOURCE / "layout.yaml")
    spaces = {number: msgspec.structs.replace(space, wager=None) for number, space in layout.spaces.items()}
    result = reviewed(tmp_path, layout=msgspec.structs.replace(layout, spaces=spaces))
    assert result.exit_code == 4
    assert "draw the betting spots" in check(result, "wagers").says
    verdicts = {row.clause: row.verdict for row in result.report.clauses}
    money = ("ND-08-09.1-range-1-25", "ND-08-09.2-original-before-cards", "ND-08-11.12-highest-wins")
    assert {verdicts[clause] for clause in money} == {"undetermined"}
    assert result.report.summary["violation"] == 0
    assert any("no wager was seen" in one.observed for one in result.report.findings)


def test_a_recording_without_its_clock_is_judged_and_told(tmp_path: Path) -> None:
    """Case recording_without_clock."""
    result = reviewed(tmp_path, HIDE_CLOCK)
    verdicts = {row.clause: row.verdict for row in result.report.clauses}
    assert (verdicts[CLOCK], result.exit_code) == ("undetermined", 4)
    assert "--date" in check(result, "clock").says
    assert {verdicts[clause] for clause in ("ND-08-04.1.a-real-time", "ND-08-04.1.a-no-time-lapse")} == {"not_assessed"}
    assert {name: result.report.summary[name] for name in ("violation", "undetermined", "pass")} == {
        "violation": 0,
        "undetermined": 4,
        "pass": 37,
    }


def test_the_tables_own_layout_fits(tmp_path: Path) -> None:
    result = reviewed(tmp_path)
    assert result.coverage.fit is not None and result.coverage.fit.ok
    assert {one.name for one in result.coverage.fit.checks if one.ok is not True} == set()
    assert {name: result.report.summary[name] for name in ("violation", "undetermined", "pass")} == {
        "violation": 0,
        "undetermined": 3,
        "pass": 41,
    }
