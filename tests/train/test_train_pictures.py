import numpy as np
import pytest

from verifier.simulate.render import Camera, Look
from verifier.simulate.scene import CardSprite, HandSprite, PropSprite, Scene
from verifier.simulate.table import CARD_MM, plan_table
from verifier.train.degrade import degrade, recoded
from verifier.train.labels import labels_of
from verifier.train.pictures import PicturePlan, chips_upon, shots, truth_of, write_batch
from verifier.train.scenes import KINDS, SceneSampler
from verifier.train.views import CARD_WIDTHS


@pytest.mark.parametrize("kind", [name for name, _ in KINDS])
def test_scenes_follow_from_their_seed(kind) -> None:
    one, other, third = (SceneSampler(plan_table(5), np.random.default_rng(s)).sample(kind) for s in (4, 4, 5))
    assert one == other
    assert kind == "empty" or one != third
    ids = [thing.id for group in (one.cards, one.chips, one.bills, one.hands, one.props) for thing in group]
    assert len(ids) == len(set(ids))


def test_the_inner_area_is_covered_by_both_of_the_dealers_hands() -> None:
    for seed in range(5):
        scene = SceneSampler(plan_table(5), np.random.default_rng(seed)).sample("inner")
        shown = [hand for hand in scene.hands if hand.owner == "dealer"]
        assert [hand.side for hand in shown] == ["left", "right"]
        assert len({hand.facing for hand in shown}) == 1 and shown[0].facing in ("back", "palm")
        assert shown[0].elbow[0] < shown[1].elbow[0] and min(hand.elbow[1] for hand in shown) > shown[0].xy[1]


def test_at_times_chips_lie_upon_cards_that_nothing_covers() -> None:
    scene = Scene(
        cards=tuple(
            CardSprite(id=n, card="5h", face="up", xy=(x, 0.0), z=z) for n, x, z in ((1, 0.0, 0.5), (2, 30.0, 1.0))
        )
    )
    laid = [chips_upon(scene, np.random.default_rng(seed)).chips for seed in range(40)]
    assert 8 < sum(map(bool, laid)) < 28
    for chips in filter(None, laid):
        assert {chip.id for chip in chips}.isdisjoint({1, 2}) and len({chip.id for chip in chips}) == len(chips)
        assert all(abs(chip.xy[0] - 30) < 25 and abs(chip.xy[1]) < 25 and chip.z > 1.0 for chip in chips)
    assert chips_upon(Scene(), np.random.default_rng(0)) == Scene()


def test_shares_of_the_pictures_add_up() -> None:
    assert sum(share for _, share in KINDS) == pytest.approx(1)
    assert sum(share for _, _, share in CARD_WIDTHS) == pytest.approx(1)


def test_pictures_follow_from_their_seed_and_labels_lie_inside() -> None:
    plan = PicturePlan(size=192, windows=2)
    first, again = list(shots(11, plan)), list(shots(11, plan))
    assert all(np.array_equal(a.image, b.image) and a.truth == b.truth for a, b in zip(first, again, strict=True))
    for shot in first:
        assert shot.image.shape == (192, 192, 3)
        for label in labels_of(shot.truth, (192, 192)):
            assert np.min(label.quad) >= 0 and np.max(label.quad) <= 191


def test_a_batch_leaves_pictures_labels_and_crops(tmp_path) -> None:
    for name in ("images/train", "images/val", "labels/train", "labels/val", "crops"):
        (tmp_path / name).mkdir(parents=True)
    assert write_batch(tmp_path, PicturePlan(size=160, windows=2), [19, 20]) == 4
    assert len(list((tmp_path / "images" / "val").iterdir())) == 2
    names = {path.stem for path in (tmp_path / "images" / "train").iterdir()}
    assert names == {path.stem for path in (tmp_path / "labels" / "train").iterdir()} and len(names) == 2


def test_degraded_pictures_keep_their_size_and_most_of_their_content() -> None:
    rng = np.random.default_rng(0)
    image = np.zeros((120, 160, 3), np.uint8)
    image[40:80, 50:110] = (40, 180, 220)
    assert np.abs(recoded(image, 24).astype(int) - image).mean() < 6
    for _ in range(8):
        out = degrade(image, rng)
        assert out.shape == image.shape and np.abs(out.astype(int) - image).mean() < 15


@pytest.mark.parametrize(("cut_at", "backs"), [(None, 1), ((100.0, 40.0), 1), ((2.0, -3.0), 0)])
def test_a_pile_shows_a_back_unless_the_cut_card_lies_on_it(cut_at, backs) -> None:
    props = [PropSprite(id=1, kind="pile", xy=(0.0, 0.0), size=CARD_MM)]
    if cut_at is not None:
        props.append(PropSprite(id=2, kind="cut_card", xy=cut_at, size=CARD_MM, z=31.0))
    look = Look.plain()
    camera = Camera.sample(np.random.default_rng(0), (640, 360), "easy")
    truth = truth_of(Scene(props=tuple(props)), camera, look)
    assert [card.face for card in truth.cards] == ["down"] * backs


def test_a_pile_that_a_hand_covers_shows_less_of_its_back() -> None:
    pile = PropSprite(id=1, kind="pile", xy=(0.0, 0.0), size=CARD_MM)
    hand = HandSprite(
        id=2,
        owner="dealer",
        person="d",
        side="right",
        facing="back",
        shape="flat",
        xy=(0.0, 40.0),
        angle=0.0,
        elbow=(0.0, 330.0),
        z=60.0,
    )
    camera = Camera.sample(np.random.default_rng(0), (640, 360), "easy")
    bare, covered = (
        truth_of(Scene(props=(pile,), hands=hands), camera, Look.plain()).cards[0].visible or 0.0
        for hands in ((), (hand,))
    )
    assert bare > 0.95 and covered < 0.7
