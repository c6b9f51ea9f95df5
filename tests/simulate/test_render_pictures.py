"""Pictures of scenes: sizes, colours, splits, and that what is drawn is where the truth says."""

from __future__ import annotations

import numpy as np
import pytest

from verifier.domain.cards import Card
from verifier.simulate.render import Camera, Look, Renderer, annotate
from verifier.simulate.render.cards import face_texture, style_of
from verifier.simulate.render.chips import chip_style, stripes
from verifier.simulate.render.decks import MORE_DECKS, SVG_DECKS, WILD_STYLE
from verifier.simulate.render.glyphs import FONTS
from verifier.simulate.render.ornaments import ornament
from verifier.simulate.render.pips import PIPS
from verifier.simulate.scene import CardSprite, ChipSprite, HandSprite, PropSprite, Scene
from verifier.simulate.table import plan_table

SIZE = (640, 360)
PLAN = plan_table(5)
CAMERA = Camera.straight(SIZE)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(PLAN, Look.plain(4), CAMERA)


def card(number: int = 1, text: str = "Kh", **more: object) -> CardSprite:
    fields = {"id": number, "card": Card.parse(text), "face": "up", "xy": (0.0, -60.0)} | more
    return CardSprite(**fields)  # type: ignore[arg-type]


def test_a_picture_has_the_cameras_size_and_is_the_same_each_time(renderer: Renderer) -> None:
    scene = Scene(t=2.0, cards=(card(),), clock="2026-11-02 21:14:07")
    first = renderer.render(scene)
    assert first.shape == (360, 640, 3)
    assert first.dtype == np.uint8
    assert np.array_equal(first, Renderer(PLAN, Look.plain(4), CAMERA).render(scene))


def test_frames_drawn_on_kept_sprites_equal_frames_drawn_afresh() -> None:
    look = Look.plain(4)
    kept = Renderer(PLAN, look, CAMERA)
    cards = tuple(card(i, "9s", xy=(-300.0 + 90 * i, 0.0)) for i in range(6))
    scenes = [Scene(cards=cards, hands=(hand(xy=(-100.0 + 40 * i, 60.0)),)) for i in range(3)]
    scenes += [Scene(cards=cards[1:]), Scene(cards=cards[:3]), Scene(), Scene(cards=cards)]
    for scene in scenes:
        assert np.array_equal(kept.render(scene), Renderer(PLAN, look, CAMERA).render(scene))


def hand(**more: object) -> HandSprite:
    fields: dict[str, object] = {
        "id": 9,
        "owner": "dealer",
        "person": "D1",
        "side": "left",
        "facing": "back",
        "shape": "open",
        "xy": (0.0, 100.0),
        "angle": 0.0,
        "elbow": (0.0, 500.0),
    }
    return HandSprite(**(fields | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "sprites",
    [
        {"cards": (card(),)},
        {"chips": (ChipSprite(id=1, cents=500, xy=(0.0, -60.0)),)},
        {"hands": (hand(),)},
        {"props": (PropSprite(id=1, kind="tip_receptacle", xy=(0.0, -60.0)),)},
        {"props": (PropSprite(id=1, kind="card pile", xy=(0.0, -60.0), size=(63.0, 88.0)),)},
    ],
)
def test_each_kind_of_sprite_shows(renderer: Renderer, sprites: dict[str, tuple[object, ...]]) -> None:
    empty = renderer.render(Scene()).astype(int)
    full = renderer.render(Scene(**sprites)).astype(int)  # type: ignore[arg-type]
    assert (np.abs(full - empty).sum(2) > 60).sum() > 80


def test_a_card_is_drawn_where_its_quad_says(renderer: Renderer) -> None:
    scene = Scene(cards=(card(text="2s", xy=(-200.0, 40.0), angle=20.0),))
    changed = renderer.render(scene).astype(int) - renderer.render(Scene()).astype(int)
    ys, xs = np.nonzero(changed.sum(2) > 150)
    quad = np.array(annotate(scene, CAMERA).cards[0].quad)
    assert np.allclose((xs.min(), ys.min()), quad.min(0), atol=2.5)
    assert np.allclose((xs.max(), ys.max()), quad.max(0), atol=2.5)


@pytest.mark.parametrize(
    ("cents", "channel_order"), [(500, "red"), (2500, "green"), (200, "pink"), (50, "mustard"), (1000, "blue")]
)
def test_a_chips_body_has_its_prescribed_colour(cents: int, channel_order: str) -> None:
    for maker in range(0, 20, 3):
        b, g, r = chip_style(cents, maker).body
        said = {
            "red": r > g + 70 and r > b + 70,
            "green": g > r + 25 and g > b + 25,
            "pink": r > g + 40 and b > g + 10,
            "mustard": r > b + 100 and g > b + 60,
            "blue": b > r + 60,
        }
        assert said[channel_order], (maker, b, g, r)


@pytest.mark.parametrize(
    ("cents", "count"), [(50, {0}), (100, {4}), (200, {8}), (500, {6}), (2500, {8, 3}), (10000, {12})]
)
def test_edge_spots_are_the_prescribed_ones(cents: int, count: set[int]) -> None:
    assert {len(stripes(chip_style(cents, maker))) for maker in range(40)} == count


def test_black_chips_have_white_spots() -> None:
    assert min(chip_style(10000, 8).spot) > 200


@pytest.mark.parametrize("rank", list("23456789T"))
def test_a_card_has_as_many_pips_as_its_rank_and_they_are_symmetrical(rank: str) -> None:
    spots = PIPS[rank]
    assert len(spots) == (10 if rank == "T" else int(rank))
    if rank != "7":
        turned = {(round(-x, 6) + 0.0, round(-y, 6) + 0.0) for x, y in spots}
        assert turned == {(round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in spots}


def test_red_suits_are_red_and_black_suits_black() -> None:
    for suit, red in (("h", True), ("d", True), ("s", False), ("c", False)):
        pixels = face_texture("style:train:3", "9", suit, 1.4).pixels[..., :3].astype(int)
        strong = pixels[..., 2] - pixels[..., :2].max(2) > 80
        assert bool(strong.mean() > 0.03) is red


def test_a_card_has_two_equal_ends() -> None:
    pixels = face_texture("style:train:9", "K", "h", 2.0).pixels.astype(int)
    turned = pixels[::-1, ::-1]
    assert np.abs(pixels - turned).mean() < 12


def test_train_and_test_share_no_deck_font_or_maker() -> None:
    art = {split: {*SVG_DECKS[split], *MORE_DECKS[split]} for split in ("train", "test")}
    assert not art["train"] & art["test"]
    assert not set(FONTS["train"]) & set(FONTS["test"])
    rng = np.random.default_rng(1)
    looks = {split: [Look.sample(rng, split) for _ in range(60)] for split in ("train", "test")}
    for field in ("deck", "maker", "back", "seed"):
        values = {split: {getattr(look, field) for look in looks[split]} for split in looks}
        assert not values["train"] & values["test"], field


def test_a_look_follows_from_its_seed() -> None:
    assert Look.sample(np.random.default_rng(5), "train") == Look.sample(np.random.default_rng(5), "train")
    look = Look.plain(2)
    assert look.person("D1") == look.person("D1")
    assert look.person("D1") != look.person("D2")


def test_turned_cards_show_the_other_side(renderer: Renderer) -> None:
    early, late = (Scene(cards=(card(face="down", turn=turn),)) for turn in (0.3, 0.7))
    assert annotate(early, CAMERA).cards[0].face == "down"
    assert annotate(late, CAMERA).cards[0].face == "up"
    assert not np.array_equal(renderer.render(early), renderer.render(late))


def test_some_drawn_decks_of_any_kind_have_ornaments_the_same_on_every_card() -> None:
    decks = [f"style:train:{number}" for number in range(WILD_STYLE, WILD_STYLE + 60)]
    framed = [deck for deck in decks if style_of(deck).ornament is not None]
    assert 5 < len(framed) < 35
    blank = [np.full((352, 252, 3), 250, np.uint8) for _ in range(3)]
    for image, seed in zip(blank, (style_of(framed[0]).ornament, style_of(framed[0]).ornament, 12), strict=True):
        ornament(image, seed, 4.0, (20.0, 20.0, 200.0))
    assert (blank[0] < 245).any() and np.array_equal(blank[0], blank[1]) and not np.array_equal(blank[0], blank[2])
    assert (blank[0][: 4 * 3] == 250).all(), "nothing is drawn at the very edge"


def test_decks_of_card_rooms_have_no_ornaments() -> None:
    assert all(style_of(f"style:{split}:{n}").ornament is None for split in ("train", "test") for n in range(300))
