import copy

import pytest
import yaml

from verifier.domain.errors import BadInput
from verifier.domain.house import House, TableLimits
from verifier.formats.house import house_from, read_house, write_house
from verifier.formats.layout import layout_from, read_layout, write_layout

SQUARE = [[100, 100], [200, 100], [200, 200], [100, 200]]
LAYOUT = {
    "version": 1, "name": "Fargo table 2", "site": "0123", "table": "2", "image_size": [1280, 720],
    "pixels_per_mm": 0.72,
    "zones": {"dealer": [[0, 500], [1280, 500], [1280, 720], [0, 720]], "inner": SQUARE, "shoe": SQUARE},
    "spaces": {1: {"area": SQUARE, "wager": SQUARE}, 7: {"area": SQUARE}},
}  # fmt: skip


def changed(path, value):
    layout = copy.deepcopy(LAYOUT)
    part = layout
    for step in path[:-1]:
        part = part[step]
    if value is None:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return layout


def write(tmp_path, value, name="table.layout.yaml"):
    path = tmp_path / name
    path.write_text(value if isinstance(value, str) else yaml.safe_dump(value, sort_keys=False), "utf-8")
    return path


def test_a_layout_round_trips(tmp_path):
    layout = read_layout(write(tmp_path, yaml.dump(LAYOUT, Dumper=NoAlias)))
    assert layout.scale == 0.72 and sorted(layout.spaces) == [1, 7]
    write_layout(tmp_path / "again.yaml", layout)
    assert read_layout(tmp_path / "again.yaml") == layout
    assert len((tmp_path / "again.yaml").read_text().splitlines()) < 50


class NoAlias(yaml.SafeDumper):
    def ignore_aliases(self, data):
        return True


BAD = [
    (["zones", "shoe"], [[0, 0], [10, 10], [10, 0], [0, 10]], "zones.shoe", "crosses itself"),
    (["zones", "shoe"], [[0, 0], [10, 10]], "zones.shoe", "a list of at least 3"),
    (["zones", "shoe"], [[0, 0], [10, 10], [20, 20]], "zones.shoe", "no area"),
    (["zones", "shoe"], [[2000, 0], [2100, 0], [2100, 100]], "zones.shoe", "outside the picture of 1280 x 720"),
    (["zones", "shoe"], [[0, 0], [10, "x"], [20, 0]], "zones.shoe[1][1]", "a number"),
    (["zones", "shoe"], [[0, 0], [10, float("inf")], [20, 0]], "zones.shoe", "finite"),
    (["zones", "schoe"], SQUARE, "zones.schoe", "did you mean shoe?"),
    (["zones", "dealer"], None, "zones.dealer", "missing"),
    (["zones", "inner"], None, "zones.inner", "missing"),
    (["zones"], None, "zones", "missing"),
    (["spaces"], {}, "spaces", "at least one"),
    (["spaces", 8], {"area": SQUARE}, "spaces", "from 1 to 7"),
    (["spaces", 1, "area"], None, "spaces.1.area", "missing"),
    (["spaces", 7, "area"], [[0, 0], [1, 1], [2, "x"]], "spaces.7.area[2][1]", "a number"),
    (["spaces", 1, "wagers"], SQUARE, "spaces.1.wagers", "did you mean wager?"),
    (["pixels_per_mm"], None, "pixels_per_mm", "neither is given"),
    (["card_px"], [45.0, 63.0], "pixels_per_mm", "both are given"),
    (["pixels_per_mm"], 0, "pixels_per_mm", "above 0"),
    (["pixels_per_mm"], float("nan"), "pixels_per_mm", "above 0"),
    (["table"], 2, "table", "expected text"),
    (["version"], 2, "version", "expected 1"),
    (["image_size"], [1280], "image_size", "a list of 2"),
    (["dealer_side"], "south", "dealer_side", "bottom"),
]


@pytest.mark.parametrize(("path", "value", "field", "said"), BAD)
def test_a_bad_layout_names_field_and_expectation(path, value, field, said):
    with pytest.raises(BadInput) as caught:
        layout_from(changed(path, value))
    assert caught.value.where is not None and caught.value.where.endswith(field)
    assert said in caught.value.cause


def test_a_bad_layout_names_its_line(tmp_path):
    text = yaml.dump(changed(["zones", "shoe"], "x"), Dumper=NoAlias, sort_keys=False)
    number = next(n for n, line in enumerate(text.splitlines(), 1) if "shoe" in line)
    with pytest.raises(BadInput) as caught:
        read_layout(write(tmp_path, text))
    assert caught.value.where == f"line {number}, field zones.shoe"


def test_an_unquoted_site_number_is_explained(tmp_path):
    text = yaml.dump(LAYOUT, Dumper=NoAlias).replace("'0123'", "0123")
    with pytest.raises(BadInput, match=r"found 83, expected text or null \(write it in quotes\);"):
        read_layout(write(tmp_path, text))


def test_an_unquoted_ratio_is_explained(tmp_path):
    with pytest.raises(BadInput, match=r"found 182, expected one of 3:2, 6:5 or null \(write it in quotes\);"):
        read_house(write(tmp_path, "blackjack_payoff: 3:2\n"))


@pytest.mark.parametrize("text", ["dealing_method: 1\n", "deck_count: six\n", "seats: [4]\n"])
def test_quotes_are_not_asked_for_where_they_would_not_help(tmp_path, text):
    with pytest.raises(BadInput) as caught:
        read_house(write(tmp_path, text))
    assert "quotes" not in caught.value.cause


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\na: 2\n", "'a' occurs twice"),
        ("a: &x [1]\nb: *x\n", "aliases"),
        ("a: !!python/object/apply:os.system ['true']\n", "tags (!)"),
        ("a: !!int ''\n", "tags (!)"),
        ("a: [1, 2\n", "no YAML"),
        ("just words\n", "expected names with values"),
        ("# nothing\n", "empty"),
        ("a: 1\n---\nb: 2\n", "no YAML"),
        ("? [1, 2]\n: 3\n", "file"),
        ("a: 2026-99-99\n", "file"),
    ],
)
def test_unsafe_or_broken_yaml_is_refused(tmp_path, text, said):
    with pytest.raises(BadInput) as caught:
        read_house(write(tmp_path, text, "house.yaml"))
    assert said in str(caught.value)


def test_a_house_round_trips(tmp_path):
    house = House(dealing_method="hole_card_reader", hit_soft_17=True, table_limits=TableLimits(min=200, max=2500))
    write_house(tmp_path / "house.yaml", house)
    assert read_house(tmp_path / "house.yaml") == house


def test_a_house_without_options_stands_on_the_rule(tmp_path):
    write_house(tmp_path / "house.yaml", House())
    assert read_house(tmp_path / "house.yaml") == House()


def test_a_bare_off_is_read_as_a_word(tmp_path):
    assert read_house(write(tmp_path, "tournament_rules: on\n", "house.yaml")).tournament_rules == "on"
    assert read_house(write(tmp_path, "tournament_rules: off\n", "house.yaml")).tournament_rules == "off"


def test_null_means_left_out():
    assert house_from({"even_money": None, "deck_count": None}) == House()


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("deck_count: 6\nhit_soft_17: maybe\n", "line 2, field hit_soft_17", "true or false"),
        ("deck_count: 12\n", "line 1, field deck_count", "from 1 to 8"),
        ("even_money: true\ndek_count: 6\n", "line 2, field dek_count", "did you mean deck_count?"),
        ("table_limits:\n  min: 500\n  max: 100\n", "line 1, field table_limits", "above the most"),
        ("table_limits:\n  min: 500\n  maks: 100\n", "line 3, field table_limits.maks", "unknown"),
    ],
)
def test_a_bad_house_option_names_its_line(tmp_path, text, where, said):
    with pytest.raises(BadInput) as caught:
        read_house(write(tmp_path, text, "house.yaml"))
    assert caught.value.where == where
    assert said in caught.value.cause


@pytest.mark.parametrize("field", ["site", "table"])
@pytest.mark.parametrize(
    "name", ["0123\u200b", "\uff10123", "0123 ", " 0123", "01\u202e23", "0123\n", "01  23", "e\u0301", "0123\u00ad"]
)
def test_a_name_that_looks_like_another_is_refused(field, name):
    """A recording under such a name would be in no document of the site that it looks like."""
    with pytest.raises(BadInput, match="only look like others"):
        layout_from(changed([field], name))
    assert layout_from(changed([field], "Café 01/23"))
