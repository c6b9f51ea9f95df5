"""Whether a layout fits: each check at its limits."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from verifier.domain.coverage import FitCheck
from verifier.domain.layout import CARD_MM, Layout, SeatZones, SpaceZones, Zones
from verifier.review.fit.judgement import (
    DRAW_AGAIN,
    FEWEST_HANDS,
    FEWEST_LETTERS,
    FEWEST_LOOKS,
    IN_PLACE_MM,
    LEGIBLE_PX,
    MORE_LETTERS,
    NEAR_SPOTS,
    NO_CLOCK,
    NO_WAGER,
    OTHER_SIZES,
    SIZES,
    SPOT_BINS,
    STAKED,
    TELL_DATE,
    TOWARD,
    clock_check,
    fit_checks,
    hands_check,
    misfits,
    orientation_check,
    place_check,
    sign_check,
    size_check,
    wager_check,
)
from verifier.review.fit.things import BIN, Things
from verifier.review.fit.wording import TITLES, fit_line
from verifier.vision.glimpse import UPRIGHT, Glimpse, Letters, Pose, Text, Written

MIRROR, OVER = Pose(0, mirrored=True), Pose(180)


def box(x: float, y: float, w: float = 60.0, h: float = 20.0) -> list[tuple[float, float]]:
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


LAYOUT = Layout(
    version=1,
    image_size=(1280, 720),
    site="0131",
    table="7",
    pixels_per_mm=0.5,
    zones=Zones(
        dealer=box(500, 400, 300, 100),
        inner=box(400, 380, 450, 150),
        site_id=box(200, 600),
        table_number=box(300, 600),
        clock=box(20, 20, 250),
    ),
    spaces={
        1: SpaceZones(area=box(200, 100, 250, 200), wager=box(300, 150)),
        2: SpaceZones(area=box(700, 100, 250, 200), wager=box(800, 150)),
    },
)


def text(
    what: Written,
    says: str,
    x: float,
    y: float,
    pose: Pose = UPRIGHT,
    *,
    score: float = 0.98,
    in_zone: bool = False,
) -> Text:
    """A text whose middle stands at x, y."""
    return Text(what=what, says=says, score=score, box=(x - 20, y - 5, x + 20, y + 5), pose=pose, in_zone=in_zone)


def glimpse(*texts: Text, pictures: int = 3, letters: tuple[Letters, ...] = (), posed: bool = False) -> Glimpse:
    return Glimpse(pictures=pictures, texts=texts, letters=letters, posed=posed)


def site(*says: str, score: float = 0.98) -> Glimpse:
    return glimpse(*(text("site", one, 230, 610, score=score) for one in says))


@pytest.mark.parametrize(
    ("seen", "ok"),
    [
        (site("0131"), True),
        (site("O131", "131"), True),
        (site(), None),
        (site("0026", "0026"), False),
        (site("0026"), None),  # one picture alone does not accuse
        (site("0026", "0026", "0131"), None),  # nor two against one
        (site("013", "013"), None),  # may be cut off
        (site("013", "013", "013"), False),  # in all three pictures it is not
    ],
)
def test_another_number_must_be_read_surely(seen: Glimpse, ok: bool | None) -> None:
    assert sign_check("site", "0131", seen).ok is ok


def test_a_sign_tells_what_was_read_and_what_the_layout_says() -> None:
    check = sign_check("site", "0026", site("0131", "0131"))
    assert (check.name, check.expected, check.seen) == ("site_sign", "0026", "0131")
    assert check.says == "the picture's sign reads site 0131, the layout says 0026"
    assert sign_check("site", None, site("0131")).ok is None


@pytest.mark.parametrize(("reads", "ok"), [(2, False), (1, None)])
def test_how_sure_another_number_must_be(reads: int, ok: bool | None) -> None:
    """Two reads of 0.98 are 0.975 sure against the doubt; beside one of another number they are 0.65."""
    assert sign_check("site", "0026", site(*["0131"] * reads)).ok is ok


def test_signs_are_read_the_way_in_which_most_reads_and_found_ones_go_before_the_zones() -> None:
    """All three pictures were read upright, one alone upside down."""
    upright = [text("table", "7", 330, 610, score=0.9)] * 3
    assert sign_check("table", "7", glimpse(*upright, text("table", "1", 950, 110, OVER, score=0.89))).ok is True
    assert sign_check("table", "1", glimpse(*upright, text("table", "1", 950, 110, OVER, score=0.91))).ok is True
    zone = glimpse(text("table", "7", 330, 610), *[text("table", "4", 330, 610, in_zone=True)] * 3)
    assert sign_check("table", "7", zone).ok is True


OUT = IN_PLACE_MM * 0.5
"""The limit in pixels."""


@pytest.mark.parametrize(("off", "ok"), [(0.0, True), (OUT, True), (OUT + 0.1, False)])
def test_a_sign_stands_in_its_zone(off: float, ok: bool) -> None:
    check = place_check(LAYOUT, glimpse(text("site", "0131", 260 + off, 610)))
    assert check.ok is ok


def test_of_two_signs_one_in_its_zone_leaves_it_open() -> None:
    seen = glimpse(text("site", "0131", 230, 610), text("table", "7", 500, 610))
    assert place_check(LAYOUT, seen).ok is None
    assert place_check(LAYOUT, glimpse()).ok is None
    assert place_check(LAYOUT, glimpse(text("site", "0131", 230, 610, in_zone=True))).ok is None


def orientation(seen: Glimpse, *, mirrored: bool = False) -> FitCheck:
    return orientation_check(LAYOUT, seen, mirrored=mirrored)


def test_a_picture_is_upside_down_where_its_text_reads_only_so() -> None:
    turned = orientation(glimpse(text("site", "0131", 1050, 110, OVER), text("clock", "2026", 1100, 690, OVER)))
    assert (turned.ok, turned.says) == (False, "the picture is upside down")
    assert orientation(glimpse(text("site", "0131", 1050, 610, MIRROR))).says == "the picture is mirrored"
    assert orientation(glimpse(text("site", "0131", 230, 610))).ok is True
    assert orientation(glimpse()).ok is None


def test_a_layout_drawn_on_a_turned_picture_fits_that() -> None:
    """Its signs read only upside down, but where the layout has them."""
    assert orientation(glimpse(text("site", "0131", 230, 610, OVER))).ok is True
    upright_clock = glimpse(*[text("clock", "2026", 100, 30)] * 3, text("site", "0131", 230, 610, OVER))
    assert orientation(upright_clock).ok is True


@pytest.mark.parametrize(
    ("plain", "other", "ok"),
    [
        (0, FEWEST_LETTERS, False),
        (0, FEWEST_LETTERS - 1, None),
        (4, MORE_LETTERS * 4, False),
        (5, MORE_LETTERS * 5 - 1, None),
        (20, 0, None),
    ],
)
def test_words_tell_that_a_picture_is_mirrored(plain: int, other: int, ok: bool | None) -> None:
    letters = (Letters(UPRIGHT, plain), Letters(MIRROR, other))
    assert orientation(glimpse(letters=letters, posed=True)).ok is ok
    assert orientation(glimpse(letters=letters, posed=False)).ok is None


def test_a_layout_of_a_mirrored_picture_does_not_fit_one_that_is_not() -> None:
    letters = (Letters(UPRIGHT, 20), Letters(MIRROR, 0))
    assert orientation(glimpse(letters=letters, posed=True), mirrored=True).ok is False
    swapped = (Letters(UPRIGHT, 0), Letters(MIRROR, 20))
    assert orientation(glimpse(letters=swapped, posed=True), mirrored=True).ok is None


@pytest.mark.parametrize(
    ("what", "says", "ok"), [("site", "0131", False), ("site", "0110", True), ("clock", "2026", True)]
)
def test_spaces_that_are_numbered_from_the_wrong_side_do_not_fit(what: Written, says: str, ok: bool) -> None:
    """other_tables_layout: a sign that reads as it is tells that the picture is not mirrored; a burned-in clock does
    not.
    """
    assert orientation(glimpse(text(what, says, 230, 610)), mirrored=True).ok is ok
    assert orientation(glimpse(text(what, says, 230, 610))).ok is True


def test_a_clock_is_read_in_its_zone_elsewhere_or_not_at_all() -> None:
    there = clock_check(LAYOUT, glimpse(text("clock", "2026", 100, 30)), clock_read=False)
    elsewhere = clock_check(LAYOUT, glimpse(text("clock", "2026", 1100, 690)), clock_read=False)
    none = clock_check(LAYOUT, glimpse(), clock_read=False)
    assert (there.ok, elsewhere.ok, none.ok) == (True, None, None)
    assert "elsewhere" in elsewhere.says
    assert (none.seen, none.says) == (NO_CLOCK, f"no clock was seen where the layout has one; {TELL_DATE}")
    told = clock_check(LAYOUT, glimpse(), clock_read=False, day="2026-11-16")
    assert told.says == "no clock was seen where the layout has one; the day of play is told: 2026-11-16"
    assert clock_check(LAYOUT, glimpse(), clock_read=True).ok is True


def things(**counts: Counter[int] | Counter[str]) -> Things:
    made = Things(LAYOUT)
    for name, counted in counts.items():
        setattr(made, name, counted)
    return made


def sized(ratio: float, looks: int = FEWEST_LOOKS, layout: Layout = LAYOUT) -> FitCheck:
    return size_check(layout, things(sizes=Counter({round(ratio / BIN): looks})))


LARGE = msgspec.structs.replace(LAYOUT, pixels_per_mm=1.0)


@pytest.mark.parametrize(
    ("ratio", "ok"),
    [
        (1.0, True),
        (SIZES[0] + 0.01, True),
        (SIZES[0] - 0.03, None),
        (SIZES[1], True),
        (SIZES[1] + 0.02, None),
        (OTHER_SIZES[0] + 0.01, None),
        (OTHER_SIZES[0] - 0.01, False),
        (OTHER_SIZES[1] - 0.01, None),
        (OTHER_SIZES[1] + 0.01, False),
    ],
)
def test_cards_are_as_large_as_the_layout_says(ratio: float, ok: bool | None) -> None:
    assert sized(ratio, layout=LARGE).ok is ok
    assert sized(ratio, FEWEST_LOOKS - 1, LARGE).ok is None


def test_cards_below_the_legible_size_are_told() -> None:
    scale = LEGIBLE_PX / CARD_MM[0]
    legible = sized(1.0, layout=msgspec.structs.replace(LAYOUT, pixels_per_mm=scale + 1e-6))
    small = sized(1.0, layout=msgspec.structs.replace(LAYOUT, pixels_per_mm=scale - 1e-4))
    assert (legible.ok, small.ok) == (True, None)
    assert "not to be read" in small.says


def wagers(staked: int, near: int, *, looks: int = 100, chips: int = 100) -> FitCheck:
    gaps = Counter({SPOT_BINS - 1: near, SPOT_BINS: chips - near})
    return wager_check(things(carded=Counter({1: looks}), staked=Counter({1: staked}), spot_gaps=gaps))


FEW, MANY, AWAY = round(100 * STAKED[0]), round(100 * STAKED[1]), round(100 * NEAR_SPOTS)


@pytest.mark.parametrize(
    ("staked", "near", "ok"),
    [
        (FEW, AWAY, False),
        (FEW + 1, AWAY, None),
        (FEW, AWAY + 1, None),  # chips lie at the spots: they are not elsewhere
        (MANY, 0, True),
        (MANY - 1, 0, None),
        (0, 0, False),
    ],
)
def test_wagers_lie_at_the_spots(staked: int, near: int, ok: bool | None) -> None:
    assert wagers(staked, near).ok is ok


def test_a_table_whose_chips_are_never_seen_is_not_another_table() -> None:
    check = wagers(0, 0, chips=FEWEST_LOOKS - 1)
    assert (check.ok, check.says) == (None, NO_WAGER)
    assert wagers(0, 0, chips=FEWEST_LOOKS).ok is False
    assert wagers(0, 0, looks=FEWEST_LOOKS - 1).ok is None


def test_spots_that_are_not_drawn_are_asked_for() -> None:
    bare = msgspec.structs.replace(LAYOUT, spaces={1: SpaceZones(area=box(200, 100)), 2: LAYOUT.spaces[2]})
    made = Things(bare)
    made.carded, made.staked = Counter({1: 50, 2: 50}), Counter({2: 50})
    check = wager_check(made)
    assert (check.ok, check.says) == (None, f"space 1: {NO_WAGER}")
    made.carded = Counter({1: 50})
    assert wager_check(made).says == NO_WAGER


@pytest.mark.parametrize(("toward", "ok"), [(30, True), (31, None), (59, None), (60, False)])
def test_the_dealers_hands_come_from_the_dealers_side(toward: int, ok: bool | None) -> None:
    assert TOWARD == (0.3, 0.6)
    assert hands_check(things(pointing=Counter(toward=toward, away=100 - toward))).ok is ok


def test_few_hands_tell_nothing() -> None:
    assert hands_check(things(pointing=Counter(toward=FEWEST_HANDS - 1, across=50))).ok is None
    assert hands_check(things(pointing=Counter(toward=FEWEST_HANDS))).ok is False


POKER = msgspec.structs.replace(
    LAYOUT, spaces={}, seats={1: SeatZones(area=[(10, 10), (90, 10), (90, 60)], cards=[(20, 20), (60, 20), (60, 40)])}
)


@pytest.mark.parametrize(
    ("layout", "without"),
    [(LAYOUT, {"seats"}), (POKER, {"spaces", "wagers"})],
    ids=["twenty-one", "poker"],
)
def test_every_check_has_its_times_and_its_name_in_words(layout: Layout, without: set[str]) -> None:
    checks = fit_checks(layout, glimpse(), Things(layout), clock_read=False, start=3.0, end=9.0)
    assert [check.name for check in checks] == [name for name in TITLES if name not in without]
    assert {(check.t_start, check.t_end) for check in checks} == {(3.0, 9.0)}
    assert all(check.ok is None for check in checks) and misfits(checks) is None


def test_one_check_that_fails_is_enough_and_tells_why_and_what_to_do() -> None:
    checks = [sign_check("site", "0026", site("0131", "0131")), sign_check("table", "7", glimpse())]
    cause = misfits(checks)
    assert cause == (
        "the layout does not fit this recording: the picture's sign reads site 0131, the layout says 0026; "
        f"{DRAW_AGAIN}"
    )


def test_the_line_of_the_command_says_what_is_not_known() -> None:
    from verifier.domain.coverage import Fit

    good, open_, bad = (
        FitCheck(name="clock", ok=ok, says=says, t_start=0.0, t_end=1.0)
        for ok, says in ((True, "the clock was read"), (None, "no sign was read"), (False, "the picture is mirrored"))
    )
    assert fit_line(Fit(ok=True, checks=[good, open_])) == "Layout: 1 of 2 checks fit. Not known: no sign was read"
    assert fit_line(Fit(ok=True, checks=[good])) == "Layout: 1 of 1 checks fit."
    assert fit_line(Fit(ok=False, checks=[good, bad])) == "Layout: DOES NOT FIT: the picture is mirrored."
