import numpy as np
import pytest

from verifier.domain.errors import BadInput
from verifier.domain.observations import Observation
from verifier.train import evaluate as evaluation
from verifier.train.evaluate import frames, score_real, score_simulated


def test_unseen_frames_follow_from_their_seed() -> None:
    (one,), (again,) = list(frames(1, 77)), list(frames(1, 77))
    assert one.image.shape == (720, 1280, 3)
    assert np.array_equal(one.image, again.image) and one.truth == again.truth


def test_truth_itself_scores_full_marks() -> None:
    shots = iter(list(frames(2, 78)))
    found = score_simulated(lambda image: next(shots).truth, 2, 78)
    assert found["chip recall"] == found["hand recall"] == found["chip colour accuracy"] == 1
    assert found["card precision"] == 1 and found["card rank F1"] > 0.97


def test_seeing_nothing_scores_nothing() -> None:
    found = score_simulated(lambda image: Observation(t=0, frame=0), 1, 78)
    assert found["card rank recall"] == found["chip recall"] == 0


def test_a_folder_without_real_sets_is_refused(tmp_path) -> None:
    with pytest.raises(BadInput, match="cards-edje"):
        score_real(lambda image: Observation(t=0, frame=0), tmp_path)


def test_evaluation_names_its_parts(monkeypatch) -> None:
    monkeypatch.setattr(evaluation, "load_eyes", lambda models: None)
    assert evaluation.evaluate(0) == {}
