from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from vision_fakes import Kings, NoText, Squares

from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import NamedHash
from verifier.vision import commands
from verifier.vision.networks import Networks, load_networks
from verifier.vision.observe import observe
from verifier.vision.quality import QualityMeter
from verifier.vision.runtime import opencv_on_one_thread

Encode = Callable[..., Path]
NETWORKS = Networks(Squares(), Kings(), (NamedHash(name="squares", sha256="0"),), NoText())


def layout(size: tuple[int, int] = (320, 240)) -> Layout:
    square = [(10.0, 10.0), (300.0, 10.0), (300.0, 200.0), (10.0, 200.0)]
    zones = Zones(dealer=square, inner=square)
    return Layout(version=1, image_size=size, zones=zones, spaces={1: SpaceZones(area=square)}, pixels_per_mm=0.5)


def test_a_recording_is_watched_from_end_to_end(encode: Encode) -> None:
    watch = observe(encode(range(0, 4000, 40)), layout(), networks=NETWORKS)
    seen = list(watch)
    assert watch.header.video is not None
    assert watch.header.video.frames == 100
    assert watch.header.models == [NamedHash(name="squares", sha256="0")]
    assert 28 <= len(seen) <= 32
    assert [o.t for o in seen] == sorted(o.t for o in seen)
    assert all(o.frame == round(o.t / 0.04) for o in seen)
    assert {(c.rank, c.suit) for o in seen for c in o.cards} == {("K", "h")}
    assert len({c.id for o in seen for c in o.cards}) <= 3
    assert seen[0].quality is not None
    assert watch.coverage.complete


def test_the_same_recording_gives_the_same_observations(encode: Encode) -> None:
    path = encode(range(0, 2000, 40))
    assert list(observe(path, networks=NETWORKS)) == list(observe(path, networks=NETWORKS))


def test_opencv_adds_no_threads_of_its_own_to_those_of_the_watch_and_has_them_back_after_it(encode: Encode) -> None:
    cv2.setNumThreads(2)
    threads = {cv2.getNumThreads() for _ in observe(encode(range(0, 1000, 40)), networks=NETWORKS)}
    assert threads == {1}
    assert cv2.getNumThreads() == 2


def test_opencv_has_its_threads_back_when_the_last_of_two_watches_that_overlap_has_ended() -> None:
    cv2.setNumThreads(2)
    first, second = opencv_on_one_thread(), opencv_on_one_thread()
    threads = []
    for step in (first.__enter__, second.__enter__, lambda: first.__exit__(None, None, None)):
        step()
        threads.append(cv2.getNumThreads())
    second.__exit__(None, None, None)
    assert (threads, cv2.getNumThreads()) == ([1, 1, 1], 2)


def test_a_cut_recording_is_observed_up_to_the_cut(encode: Encode) -> None:
    path = encode(range(0, 8000, 40), options={"movflags": "faststart"})
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    watch = observe(path, networks=NETWORKS)
    last = list(watch)[-1]
    assert not watch.coverage.complete
    assert watch.coverage.reviewed == pytest.approx(last.t, abs=0.4)


def test_no_closer_look_is_had_where_the_recorder_paused(encode: Encode) -> None:
    path = encode([*range(0, 1000, 40), *range(9000, 10000, 40)], size=(1600, 240))
    watch = observe(path, networks=NETWORKS, long_side=800)
    assert watch.closer(0.0, 3.0) is not None
    assert watch.closer(4.0, 6.0) is None


def test_a_layout_of_another_size_is_refused(encode: Encode) -> None:
    with pytest.raises(BadInput, match="its picture is 320x240, but the layout is drawn in 640x480"):
        observe(encode(range(0, 400, 40)), layout((640, 480)), networks=NETWORKS)


def test_leaving_early_stops_the_decoder(encode: Encode) -> None:
    for _ in observe(encode(range(0, 4000, 40)), networks=NETWORKS):
        break


def test_missing_models_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="restore the models folder"):
        load_networks(tmp_path)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    monkeypatch.setattr(commands, "load_networks", lambda *_, **__: NETWORKS)

    def call(*arguments: object) -> tuple[int, str, str]:
        result = CliRunner().invoke(commands.detect_command, [str(a) for a in arguments], standalone_mode=False)
        assert result.exception is None
        return int(result.return_value), result.stdout, result.stderr

    return call


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    import cv2

    picture = np.full((400, 600, 3), 80, np.uint8)
    picture[20:110, 100:160] = 240
    cv2.imwrite(str(tmp_path / "photo.png"), picture)
    return tmp_path / "photo.png"


def test_detect_writes_one_record_a_picture(run, photo: Path) -> None:
    code, out, err = run(photo, "--json", photo)
    first, second = (json.loads(line) for line in out.splitlines())
    assert (code, err) == (0, "")
    assert first == second
    assert (first["image"], first["t"], first["frame"]) == (str(photo), 0.0, 0)
    (card,) = first["cards"]
    assert (card["id"], card["face"], card["rank"], card["suit"]) == (None, "up", "K", "h")
    assert np.mean(card["quad"], axis=0) == pytest.approx([130, 65], abs=1)


def test_detect_shows_a_table(run, photo: Path) -> None:
    code, out, _ = run(photo)
    assert code == 0
    assert "Kh" in out
    assert "1 cards, 0 chips, 0 hands" in out


@pytest.mark.parametrize("content", [None, b"", b"no picture at all"])
def test_a_bad_picture_is_one_line_and_the_rest_goes_on(
    run, photo: Path, tmp_path: Path, content: bytes | None
) -> None:
    bad = tmp_path / "bad.jpg"
    if content is not None:
        bad.write_bytes(content)
    code, out, err = run(bad, "--json", photo)
    assert code == 2
    assert len(err.splitlines()) == 1
    assert "bad.jpg" in err
    assert len(out.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "said"), [("", "is a folder, not a picture; name a picture in it"), ("x" * 300, "cannot be read")]
)
def test_a_folder_or_an_impossible_name_does_not_cost_the_pictures_after_it(
    run, photo: Path, tmp_path: Path, name: str, said: str
) -> None:
    code, out, err = run(tmp_path / name, "--json", photo)
    assert (code, len(err.splitlines()), len(out.splitlines())) == (2, 1, 1)
    assert said in err


def test_a_dark_picture_is_obstructed_and_a_sharp_one_sharper() -> None:
    meter = QualityMeter()
    assert meter.measure(0.0, np.zeros((240, 320, 3), np.uint8), []).obstructed == 1.0
    rough = np.random.default_rng(0).integers(0, 255, (240, 320, 3), dtype=np.uint8)
    assert QualityMeter().measure(0.0, rough, []).sharpness > 1000


def test_something_before_the_table_is_obstruction_until_it_goes() -> None:
    meter = QualityMeter()
    clear = np.full((240, 320, 3), 90, np.uint8)
    covered = clear.copy()
    covered[:, :160] = 200
    values = [meter.measure(float(t), covered if 5 <= t < 8 else clear, []).obstructed for t in range(12)]
    assert max(values[:5] + values[10:]) == 0.0
    assert min(values[5:8]) == pytest.approx(0.5, abs=0.03)


def test_no_usage_reports_are_loaded() -> None:
    code = "import verifier.vision.observe, sys; sys.exit(sys.modules['openvino_telemetry'] is not None)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
