"""Crops of chips rendered without a table: repeatable, labelled by the colour that the rules prescribe."""

import numpy as np
from click.testing import CliRunner

from verifier.train.commands import train_group
from verifier.train.crop_sets import COLOURS, load_crops
from verifier.train.crops import CHIP_INPUT
from verifier.train.piled_chips import _developed, pile, shows_colour, write_piled_chips


def test_heaps_of_chips_are_labelled_and_repeatable() -> None:
    one, two = (pile(np.random.default_rng(3)) for _ in range(2))
    assert len(one[0]) == len(one[1]) > 0 and one[1] == two[1]
    assert all(np.array_equal(a, b) for a, b in zip(one[0], two[0], strict=True))
    assert all(crop.shape == (*CHIP_INPUT, 3) for crop in one[0])


def test_heaps_of_sets_for_home_and_club_show_other_faces_of_the_same_colours() -> None:
    rooms, sets = (pile(np.random.default_rng(3), share) for share in (0.0, 1.0))
    assert not any(np.array_equal(a, b) for a, b in zip(rooms[0], sets[0], strict=False))
    numbers = [number for seed in range(60) for number in pile(np.random.default_rng(seed), 1.0)[1]]
    assert set(numbers) == set(range(len(COLOURS)))


def test_pale_heaps_are_of_white_and_pink_chips_most_of_all() -> None:
    numbers = [number for seed in range(60) for number in pile(np.random.default_rng(seed), 0.0, 1.0)[1]]
    shares = np.bincount(numbers, minlength=len(COLOURS)) / len(numbers)
    assert 0.6 < shares[COLOURS.index("white")] + shares[COLOURS.index("pink")] < 0.95


def test_heaps_of_chips_show_every_colour_and_the_prescribed_ones_most() -> None:
    numbers = [number for seed in range(60) for number in pile(np.random.default_rng(seed))[1]]
    shares = np.bincount(numbers, minlength=len(COLOURS)) / len(numbers)
    assert shares.min() > 0.02
    assert shares[COLOURS.index("other")] < 0.25


def test_a_white_chip_is_lighter_in_its_crop_than_a_black_one() -> None:
    light: dict[str, list[float]] = {"white": [], "black": []}
    for seed in range(80):
        for crop, number in zip(*pile(np.random.default_rng(seed)), strict=True):
            if COLOURS[number] in light:
                ring = crop[5:8, 14:18]
                light[COLOURS[number]].append(float(np.median(ring)))
    assert np.median(light["white"]) > np.median(light["black"]) + 30


def test_no_development_makes_a_pink_chip_white() -> None:
    """What is pale beyond telling would be learnt as pink, and then white chips were taken for pink ones."""
    pink = np.full((8, 8, 3), (185, 150, 238), np.uint8)
    for seed in range(300):
        b, g, r = _developed(pink, np.random.default_rng(seed))[0, 0].astype(float)
        assert min(b, g, r) < 0.87 * max(b, g, r), seed


def test_a_crop_that_has_lost_its_chips_colour_teaches_nothing() -> None:
    pink = np.full((32, 32, 3), (185, 150, 238), np.uint8)
    burnt = np.full((32, 32, 3), (250, 246, 255), np.uint8)
    assert shows_colour(pink, "pink") and not shows_colour(burnt, "pink")
    assert shows_colour(burnt, "white") and shows_colour(pink // 9, "black")
    for seed in range(60):
        crops, numbers = pile(np.random.default_rng(seed), 0.5)
        assert all(shows_colour(crop, COLOURS[number]) for crop, number in zip(crops, numbers, strict=True))


def test_heaps_of_chips_are_kept_as_the_reader_learns_from_them(tmp_path) -> None:
    written = write_piled_chips(tmp_path / "train-chips-1.npz", 12, 1)
    crops, labels = load_crops([tmp_path / "train-chips-1.npz"], "chips")
    assert len(crops) == len(labels) == written >= 12 and labels.shape[1] == 1


def test_the_command_writes_both_parts(tmp_path) -> None:
    told = CliRunner().invoke(train_group, ["chip-heaps", "--out", str(tmp_path), "--count", "20"])
    assert told.exit_code == 0, told.output
    assert {path.name for path in (tmp_path / "crops").iterdir()} == {"train-chips-0.npz", "val-chips-0.npz"}
