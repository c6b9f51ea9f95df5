import numpy as np
import pytest

from verifier.simulate.table import plan_table
from verifier.train.degrade import recoded
from verifier.train.faults import FAULTS, faulty
from verifier.train.pictures import PicturePlan, shots
from verifier.train.scenes import WILD_KINDS, SceneSampler
from verifier.train.views import WILD_WIDTHS


def picture() -> np.ndarray:
    rng = np.random.default_rng(0)
    image = np.full((120, 160, 3), (60, 110, 50), np.uint8)
    image[40:80, 50:110] = (40, 180, 220)
    return np.clip(image + rng.normal(0, 6, image.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("fault", [fault for fault, _ in FAULTS], ids=lambda fault: fault.__name__)
def test_each_fault_changes_the_picture_and_follows_from_its_seed(fault) -> None:
    image = picture()
    kept = image.copy()
    for seed in range(4):
        first, again = (fault(image, np.random.default_rng(seed)) for _ in range(2))
        assert first.shape == image.shape and first.dtype == np.uint8
        assert np.array_equal(first, again)
        assert np.array_equal(image, kept), "a fault must not write into its argument"
    assert any((fault(image, np.random.default_rng(seed)) != image).any() for seed in range(4))


def test_without_a_share_nothing_is_faulty() -> None:
    assert np.array_equal(faulty(picture(), np.random.default_rng(1), 0.0), picture())


@pytest.mark.parametrize("codec", ["h264", "hevc"])
def test_recorders_lose_more_at_lower_rates(codec) -> None:
    image = picture()
    fine, coarse = (np.abs(recoded(image, crf, codec).astype(int) - image).mean() for crf in (12, 40))
    assert 0 < fine < coarse < 12


def test_wild_shares_add_up() -> None:
    assert sum(share for _, share in WILD_KINDS) == pytest.approx(1)
    assert sum(share for _, _, share in WILD_WIDTHS) == pytest.approx(1)


def test_close_and_strewn_scenes_hold_face_down_cards_and_chips() -> None:
    scenes = [
        SceneSampler(plan_table(3), np.random.default_rng(s)).sample(k) for s in range(15) for k in ("close", "strewn")
    ]
    faces = [card.face for scene in scenes for card in scene.cards]
    assert 0.3 < faces.count("down") / len(faces) < 0.7
    assert any(scene.chips for scene in scenes) and any(scene.hands for scene in scenes)


def test_wild_pictures_follow_from_their_seed() -> None:
    plan = PicturePlan(size=160, windows=2, performed=0.0, wild=1.0)
    first, again = list(shots(5, plan)), list(shots(5, plan))
    assert all(np.array_equal(a.image, b.image) and a.truth == b.truth for a, b in zip(first, again, strict=True))
