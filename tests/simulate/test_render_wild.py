"""Looks of every kind: bent lenses keep the truth exact, kinds differ, seeds reproduce, the splits share nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from verifier.domain.cards import Card
from verifier.simulate.render import Camera, Look, Renderer, annotate
from verifier.simulate.render.back_art import back_art
from verifier.simulate.render.backs import back_texture
from verifier.simulate.render.cards import face_texture, style_of
from verifier.simulate.render.chips import OTHER_CENTS, chip_style, chip_texture, colour_of
from verifier.simulate.render.court_plain import plain_court
from verifier.simulate.render.decks import WILD_STYLE, sample_deck
from verifier.simulate.render.glyphs import MORE_FONTS
from verifier.simulate.render.look import SETS, WILD
from verifier.simulate.render.skin import hand_texture
from verifier.simulate.render.surfaces import draw_surface
from verifier.simulate.scene import CardSprite, Scene
from verifier.simulate.table import plan_table

SIZE = (480, 270)
PLAN = plan_table(3)
CAMERA = Camera.straight(SIZE)


def wild(seed: int, split: str = "train") -> Look:
    return Look.sample(np.random.default_rng(seed), split, svg=False, wild=1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("bend", [-0.5, -0.2, 0.15])
@pytest.mark.parametrize("xy", [(-600.0, 250.0), (500.0, -220.0), (0.0, 0.0)])
def test_a_card_is_where_the_truth_says_behind_a_bent_lens(bend: float, xy: tuple[float, float]) -> None:
    camera = replace(CAMERA, bend=bend)
    scene = Scene(cards=(CardSprite(id=1, card=Card.parse("2s"), face="up", xy=xy, angle=20.0),))
    renderer = Renderer(PLAN, replace(Look.plain(4), shadow=0.0), camera)
    changed = renderer.render(scene).astype(int) - renderer.render(Scene()).astype(int)
    ys, xs = np.nonzero(np.abs(changed).sum(2) > 100)
    quad = np.array(annotate(scene, camera).cards[0].quad)
    assert np.allclose((xs.min(), ys.min()), quad.min(0), atol=2.5)
    assert np.allclose((xs.max(), ys.max()), quad.max(0), atol=2.5)
    straight = np.array(annotate(scene, CAMERA).cards[0].quad)
    assert bool(np.abs(quad - straight).max() > 1.0) is (xy != (0.0, 0.0))


@pytest.mark.parametrize("bend", [-0.5, 0.15])
def test_bending_has_an_inverse_and_windows_keep_it(bend: float) -> None:
    camera = replace(Camera.sample(np.random.default_rng(3), SIZE, "hard"), bend=bend)
    pixels = np.random.default_rng(1).uniform((0, 0), SIZE, (50, 2))
    assert np.allclose(camera.bent(camera.straightened(pixels)), pixels, atol=0.05)
    points = [(20.0, 30.0, 0.0), (-500.0, 210.0, 0.0)]
    assert np.allclose(camera.ground(camera.project(points)), [p[:2] for p in points], atol=0.5)
    window = camera.window(100, 50, (640, 640), 1.5)
    assert np.allclose(window.project(points), (camera.project(points) - (100, 50)) * 1.5)


def test_the_pinhole_picture_reaches_as_far_as_the_bent_one() -> None:
    camera = replace(CAMERA, bend=-0.4)
    wide = camera.pinhole()
    corners = camera.straightened(np.array([(0, 0), (480, 0), (480, 270), (0, 270)], float))
    corners += np.array(wide.middle) - camera.middle
    assert corners.min() >= 0 and (corners <= wide.size).all()


def test_looks_of_every_kind_follow_from_their_seed_and_vary() -> None:
    looks = [wild(seed) for seed in range(60)]
    assert looks == [wild(seed) for seed in range(60)]
    assert len({look.surface for look in looks}) == 7
    assert len({look.back for look in looks}) == len({look.maker for look in looks}) == 60
    people = [look.person("P1") for look in looks]
    for field in ("glove", "pattern", "tattoo", "nails", "ring"):
        assert len({getattr(person, field) for person in people}) > 2, field


def test_the_splits_share_no_deck_back_maker_or_font() -> None:
    assert not set(MORE_FONTS["train"]) & set(MORE_FONTS["test"])
    for field in ("deck", "back", "maker", "seed"):
        values = [{getattr(wild(seed, split), field) for seed in range(80)} for split in ("train", "test")]
        assert not values[0] & values[1], field


def test_three_in_ten_makers_of_every_kind_make_sets_for_home_and_club() -> None:
    makers = [wild(seed).maker for seed in range(80)]
    assert 0.15 < np.mean([maker >= SETS for maker in makers]) < 0.45


def test_chips_of_a_set_keep_the_body_of_their_value_under_another_face() -> None:
    set_of, own = chip_texture(500, SETS + 8, 2.0), chip_texture(500, 8, 2.0)
    assert chip_style(500, SETS + 8).body == chip_style(500, 8).body
    assert not np.array_equal(set_of.pixels, own.pixels)


def test_a_card_rooms_look_has_nothing_of_the_others() -> None:
    look = Look.sample(np.random.default_rng(3), "train")
    assert look.back < WILD and look.maker < WILD and look.surface == "table" and not look.wild
    assert int(sample_deck(np.random.default_rng(3), "train", svg=False).rsplit(":", 1)[1]) < WILD_STYLE


def test_backs_are_many_and_the_same_each_time() -> None:
    drawn = [back_art(seed, (63, 88), 1.0) for seed in range(WILD, WILD + 40)]
    assert np.array_equal(drawn[7], back_art(WILD + 7, (63, 88), 1.0))
    assert len({image.tobytes() for image in drawn}) == 40
    bordered = [bool((image[1, 5:-5] > 190).all()) for image in drawn]
    assert 8 < sum(bordered) < 36
    assert back_texture(WILD + 7, 1.0).pixels.shape == back_texture(8, 1.0).pixels.shape


def test_decks_differ_in_index_paper_and_colours() -> None:
    styles = [style_of(f"style:train:{WILD_STYLE + n}") for n in range(200)]
    assert {style.any_court for style in styles} == {style.bare for style in styles} == {True, False}
    assert min(style.index for style in styles) < 8 and max(style.index for style in styles) > 23
    assert any(style.border for style in styles) and any(min(style.paper) < 225 for style in styles)
    four = next(style for style in styles if style.blue_green)
    assert four.ink("d")[0] > four.ink("d")[2] and four.ink("c")[1] > four.ink("c")[2]


@pytest.mark.parametrize("rank", list("JQK"))
def test_figures_differ_between_decks(rank: str) -> None:
    names = [f"style:train:{WILD_STYLE + n}" for n in range(12)]
    assert len({face_texture(name, rank, "h", 1.0).pixels.tobytes() for name in names}) == 12


def test_other_chips_look_like_no_prescribed_one_and_makers_differ() -> None:
    assert all(colour_of(cents) == "other" for cents in OTHER_CENTS)
    styles = [chip_style(500, WILD + n) for n in range(60)]
    assert {style.stamped for style in styles} == {True, False} and len({style.band for style in styles}) == 5
    assert len({style.spots for style in styles}) > 4
    assert len({chip_texture(500, WILD + n, 1.0).pixels.tobytes() for n in range(10)}) == 10
    for style in styles:
        assert style.body[2] > style.body[0] + 70


@pytest.mark.parametrize("surface", ["wood", "carpet", "plain", "cloth", "paper", "pattern"])
def test_grounds_fill_the_picture(surface: str) -> None:
    look = replace(wild(2), surface=surface)  # type: ignore[arg-type]
    first, again, other = (draw_surface(look, CAMERA, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.shape == (270, 480, 3) and np.array_equal(first, again)
    assert np.abs(first.astype(int) - other).mean() > 2
    assert (first.reshape(-1, 3).std(0) > 0.5).all()


def test_gloves_and_tattoos_show() -> None:
    bare = replace(Look.plain(1).person("P1"), nails=None, ring=None)
    curls = (0.0, 0.0, 0.0, 0.0, 0.0)
    plain, gloved, inked = (
        hand_texture(("left", "back", curls, 0.5), person, 0.5).pixels.astype(int)
        for person in (bare, replace(bare, glove=(190.0, 120.0, 50.0)), replace(bare, tattoo=5))
    )
    assert np.array_equal(plain[..., 3], gloved[..., 3])
    assert gloved[..., 0].sum() > gloved[..., 2].sum() and plain[..., 2].sum() > plain[..., 0].sum()
    assert np.abs(inked - plain).max() > 30


def test_court_cards_may_be_big_letters_or_paintings_that_differ_by_rank_and_stay_the_same() -> None:
    kinds: dict[str | None, str] = {}
    for number in range(WILD_STYLE, WILD_STYLE + 400):
        style = style_of(f"style:train:{number}")
        if style.any_court:
            kinds.setdefault(plain_court(style.court), f"style:train:{number}")
    assert set(kinds) == {"letter", "painted", None}
    for deck in kinds.values():
        faces = [face_texture(deck, rank, "h", 2.0).pixels for rank in "JQK"]
        middles = [
            face[face.shape[0] // 3 : -face.shape[0] // 3, face.shape[1] // 3 : -face.shape[1] // 3] for face in faces
        ]
        assert all(np.ptp(middle) > 100 for middle in middles)
        assert not np.array_equal(middles[0], middles[1]) and not np.array_equal(middles[1], middles[2])
        face_texture.cache_clear()
        assert np.array_equal(face_texture(deck, "J", "h", 2.0).pixels, faces[0])
