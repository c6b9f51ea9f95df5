"""Things that lie in the wrong place, from an encoded recording to the findings: real pixels, real models."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.review.recording import review_recording
from verifier.simulate.commands import look_and_camera
from verifier.simulate.perform import perform
from verifier.simulate.record import record
from verifier.store.repository import Store

PLAYED = (
    (7002, ("ND-08-09.2.b-insurance-line", "ND-08-11.10.f-hit-position", "ND-08-11.16.a-payoff-beside")),
    (
        7011,
        ("ND-08-09.2.a-tip-position", "ND-08-09.2.c-split-wager-horizontal", "ND-08-11.3.a-split-side-by-side"),
    ),
)
"""A round each, of 43 and 44 seconds."""


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "clauses"), PLAYED)
def test_what_lies_elsewhere_is_found_in_a_recording(
    seed: int, clauses: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("VERIFIER_DATABASE_URL", raising=False)
    Store()
    played = perform(seed, 1, clauses, spaces=4, shuffle=False, shift_change=False)
    look, camera = look_and_camera(seed, (1280, 720), "typical", "test")
    record(played, look, camera, tmp_path, 10, preset="ultrafast")
    files = [tmp_path / name for name in ("video.mp4", "layout.yaml", "house.yaml")]
    reviewed = review_recording(*files, tmp_path / "review")
    found = {(one.finding.clause, one.finding.at) for one in reviewed.findings if one.finding.verdict == "violation"}
    assert found == {(planted.clause, planted.at) for planted in played.deviations}
