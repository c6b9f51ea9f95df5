from __future__ import annotations

import numpy as np
import pytest
from vision_fakes import detection

from verifier.vision.fitting import fit
from verifier.vision.regions import ALL, TILES, WHOLE_PICTURE, Region, complete, regions_of, tile, whole_in

SIZE = (1280, 720)
RIGHT = Region(0.5, 0.0, 1.0, 1.0)


def changed(x0: int, y0: int, x1: int, y1: int) -> np.ndarray:
    mask = np.zeros((180, 320), np.uint8)
    mask[y0:y1, x0:x1] = 255
    return mask


@pytest.mark.parametrize("box", [(100, 60, 130, 90), (0, 0, 10, 10), (300, 150, 320, 180), (150, 10, 170, 170)])
def test_a_region_holds_what_changed_with_a_card_round_it(box: tuple[int, int, int, int]) -> None:
    (region,) = regions_of(changed(*box))
    x0, y0, x1, y1 = region.pixels(320, 180)
    assert x0 <= max(0, box[0] - 17) + 1
    assert y0 <= max(0, box[1] - 17) + 1
    assert x1 >= min(320, box[2] + 17) - 1
    assert y1 >= min(180, box[3] + 17) - 1
    assert region.area <= 0.8


def test_single_pixels_of_noise_do_not_widen_a_region() -> None:
    mask = changed(100, 60, 130, 90)
    mask[5, 5] = mask[170, 310] = 255
    assert regions_of(mask) == regions_of(changed(100, 60, 130, 90))


def test_two_far_places_are_two_regions_and_two_near_ones_one() -> None:
    both = changed(20, 20, 40, 40) | changed(280, 140, 300, 160)
    assert set(regions_of(both)) == {*regions_of(changed(20, 20, 40, 40)), *regions_of(changed(280, 140, 300, 160))}
    assert len(regions_of(changed(20, 20, 40, 40) | changed(60, 20, 80, 40))) == 1


def test_where_much_or_nothing_changed_the_whole_picture_is_searched() -> None:
    assert regions_of(changed(5, 5, 310, 175)) == WHOLE_PICTURE
    assert regions_of(changed(0, 0, 0, 0)) == WHOLE_PICTURE


def test_what_lies_elsewhere_stands_and_what_left_the_region_is_gone() -> None:
    still, gone = detection("card_up", 200, 300, 40, 60), detection("chip", 900, 300, 28, 28)
    fresh = detection("hand", 1000, 300, 90, 120)
    assert complete([still, gone], [fresh], [RIGHT], SIZE) == [still, fresh]
    assert complete([still, gone], [fresh], [ALL], SIZE) == [fresh]


def test_what_the_regions_touch_is_not_the_same_detection_as_before() -> None:
    near, far = detection("hand", 641, 300, 90, 120), detection("hand", 200, 300, 90, 120)
    known = complete([near, far], [], [RIGHT], SIZE)
    assert [d.box.tolist() for d in known] == [near.box.tolist(), far.box.tolist()]
    assert (near in known, far in known) == (False, True)


def test_what_the_regions_edge_cuts_is_taken_from_before() -> None:
    before = detection("card_up", 641, 300, 40, 60)
    (kept,) = complete([before], [], [RIGHT], SIZE)
    assert kept.box is before.box
    assert not whole_in(detection("card_up", 651, 300, 20, 60), RIGHT.pixels(*SIZE), SIZE)
    assert not whole_in(detection("card_up", 651, 300, 30, 60), RIGHT.pixels(*SIZE), SIZE)
    assert whole_in(detection("card_up", 664, 300, 40, 60), RIGHT.pixels(*SIZE), SIZE)


def test_at_the_pictures_edge_what_is_cut_counts() -> None:
    assert whole_in(detection("hand", 1260, 700, 90, 120), RIGHT.pixels(*SIZE), SIZE)


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (704, 480), (1921, 1079), (640, 360)])
@pytest.mark.parametrize("wide_and_high", TILES)
def test_a_tile_at_the_lower_right_edge_reaches_it(size: tuple[int, int], wide_and_high: tuple[float, float]) -> None:
    at_the_corner = tile(Region(1 - wide_and_high[0], 1 - wide_and_high[1], 1.0, 1.0))
    x0, y0, x1, y1 = at_the_corner.pixels(*size)
    assert (x1, y1) == size
    hand = detection("hand", size[0] - 20, size[1] - 25, 40, 50)
    assert whole_in(hand, (x0, y0, x1, y1), size)
    assert complete([hand], [], [at_the_corner], size) == []


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1921, 1079)])
def test_tiles_of_one_size_are_of_one_size_in_pixels_and_lie_within_the_picture(size: tuple[int, int]) -> None:
    for wide, high in TILES:
        places = [(x * (1 - wide) / 50, y * (1 - high) / 50) for x in range(51) for y in range(51)]
        parts = [Region(x, y, x + wide, y + high).pixels(*size) for x, y in places]
        assert len({(x1 - x0, y1 - y0) for x0, y0, x1, y1 in parts}) == 1
        assert all((x1 - x0) % 2 == 0 for x0, _, x1, _ in parts), "so that halving is exact"
        assert high == 1.0 or all((y1 - y0) % 2 == 0 for _, y0, _, y1 in parts)
        assert all(min(x0, y0) >= 0 and x1 <= size[0] and y1 <= size[1] for x0, y0, x1, y1 in parts)
        assert all(
            abs(x0 - x * size[0]) <= 2 and abs(y1 - (y + high) * size[1]) <= 2
            for (x, y), (x0, _, _, y1) in zip(places, parts, strict=True)
        )


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_tiles_take_no_more_of_the_network_than_their_share(size: tuple[int, int]) -> None:
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    for wide, high in TILES:
        blob = fit(picture, 960, Region(0.0, 0.0, wide, high).pixels(*size)).blob
        assert blob.shape[2] == 32 * round(wide * 30)
        assert blob.shape[1] == 32 * round(high * 17)


def test_a_region_is_scaled_as_the_whole_picture_is() -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    fitted = fit(picture, 640, RIGHT.pixels(*SIZE))
    assert (fitted.scale, fitted.bounds, fitted.blob.shape[1:3]) == (0.5, (640, 0, 1280, 720), (384, 320))


def test_tiles_fill_the_networks_stride_wherever_they_lie() -> None:
    shapes = set()
    for x in range(0, 300, 7):
        (region,) = regions_of(changed(x, 90, x + 20, 110))
        fitted = fit(np.zeros((1080, 1920, 3), np.uint8), 960, region.pixels(1920, 1080))
        shapes.add(fitted.blob.shape[1:3])
    assert shapes == {(224, 192)}
