"""Judges whether a layout fits a recording, by what was read in a few pictures and by where things came to rest.

Each check says fits (True), does not fit (False) or unknown (None). One that says False is enough: then the layout is
another table's, or the picture is turned, and nothing of that recording is judged. The limits lie far from what right
layouts show (docs/recordings.md, "Whether the layout fits"), so that a right one is never refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from shapely.geometry import Point
from shapely.geometry import Polygon as Shape

from verifier.domain.coverage import FitCheck
from verifier.domain.layout import CARD_MM, Layout, Polygon
from verifier.domain.observations import Box
from verifier.reconstruct.table.zones import TableMap
from verifier.review.fit.things import BIN, BIN_MM, Things
from verifier.vision.glimpse import Glimpse, Pose, Text
from verifier.vision.signs import Sign, SignSeen, What, plain_number, pooled

SURE_SIGN: Final = 0.9
"""Probability from which a sign that says another number is believed."""
FEWEST_READS: Final = 2
"""Pictures in which it must say so."""
IN_PLACE_MM: Final = 15.0
"""A text belongs to its zone where its middle lies no farther than this outside of it: zones are drawn by hand."""
FEWEST_LETTERS: Final = 12
"""Letters of clear words that tell that a picture is mirrored; read the wrong way round a table has 0 to 4."""
ONE_WAY: Final = frozenset("2345679")
"""Digits that a mirror makes unreadable; a sign with one of them tells whether the picture is mirrored."""
MORE_LETTERS: Final = 3
"""Times as many as are read the other way round."""
FEWEST_LOOKS: Final = 12
"""Looks, of cards or of chips at rest, from which their places and sizes tell anything: 5 s with two of them."""
SIZES: Final = (0.85, 1.18)
"""A card's side by the layout's scale, between which it fits: right layouts gave 0.94 to 1.02."""
OTHER_SIZES: Final = (0.75, 1.33)
"""Beyond these it is another scale. A card at the rim of a tilted view is smaller or larger by up to a tenth."""
LEGIBLE_PX: Final = 28.0
"""Pixels of a card's width below which its index is not to be read."""
STAKED: Final = (0.3, 0.5)
"""Share of looks with a dealt hand that have a chip at that space's wager spot: up to the first it is no spot, from
the second on it is one. Right layouts gave 0.74 and more; ones that lie 40 mm aside 0.2, a hand's width 0.2."""
NEAR_SPOTS: Final = 0.25
"""Share of the chips before the players that lie on a wager spot, up to which the spots are elsewhere; right: 0.4."""
SPOT_BINS: Final = round(30.0 / BIN_MM)
TOWARD: Final = (0.3, 0.6)
"""Share of hands over the dealer's part of the table that point to the dealer's side: up to the first it is the
dealer's, from the second on the dealer sits elsewhere. Right layouts gave up to 0.1."""
FEWEST_HANDS: Final = 30
DRAW_AGAIN: Final = "use this table's own layout, or draw it again on a picture of this recording"
STRAY_LOOKS: Final = 6
STRAY_SHARE: Final = 0.01
"""Looks at a hand that lies at no space, and their share of all looks at dealt hands, from which the layout may lack a
space. The shipped recording and 18 simulated tables gave none; without one of the spaces that were played they gave
0.22 to 0.41, and 0.01 to 0.7 (November 2026)."""
NO_SPACE: Final = "hands of cards lie where the layout has no space, and were not judged: draw every space"
NO_WAGER: Final = "cards were dealt, no wager was seen: draw the betting spots"
UNCHECKED_SEATS: Final = "whether seats, board and pot lie where the layout has them is not checked"
NO_CLOCK: Final = "none"
TELL_DATE: Final = "tell the day of play by --date"


def fit_checks(
    layout: Layout,
    seen: Glimpse,
    things: Things,
    *,
    clock_read: bool,
    start: float,
    end: float,
    day: str | None = None,
) -> list[FitCheck]:
    """All checks of one recording, which is judged from `start` to `end` (s).

    `clock_read`: whether the burned-in clock was followed while it was watched. `day` is the day of play, if told.
    """
    placed = (
        [_check("seats", None, UNCHECKED_SEATS)]
        if layout.game == "poker"
        else [spaces_check(things), wager_check(things)]
    )
    checks = [
        *written_checks(layout, seen),
        clock_check(layout, seen, clock_read=clock_read, day=day),
        size_check(layout, things),
        *placed,
        hands_check(things),
    ]
    return [msgspec.structs.replace(check, t_start=start, t_end=end) for check in checks]


def written_checks(layout: Layout, seen: Glimpse) -> list[FitCheck]:
    """Make the checks that are possible before a recording is watched: of what is written in a few of its pictures."""
    return [
        sign_check("site", layout.site, seen),
        sign_check("table", layout.table, seen),
        orientation_check(layout, seen, mirrored=TableMap.of(layout).mirror < 0),
        place_check(layout, seen),
    ]


def _check(
    name: str, ok: bool | None, says: str, expected: str | None = None, seen: str | None = None, p: float | None = None
) -> FitCheck:
    return FitCheck(name=name, ok=ok, says=says, expected=expected, seen=seen, p=p, t_start=0.0, t_end=0.0)


def sign_check(what: What, wanted: str | None, seen: Glimpse) -> FitCheck:
    """Tell whether the sign in the picture names the layout's site or table."""
    sign = sign_of(what, seen)
    name = f"{what}_sign"
    if sign is None:
        return _check(name, None, f"no sign of the {what} could be read in the picture", wanted)
    p = round(sign.p, 3)
    if wanted is None:
        says = f"the picture's sign reads {what} {sign.number}; the layout names none"
        return _check(name, None, says, None, sign.number, p)
    read, named = plain_number(sign.number), plain_number(wanted)
    if read == named:
        return _check(name, True, f"the picture's sign reads {what} {sign.number}", wanted, sign.number, p)
    says = f"the picture's sign reads {what} {sign.number}, the layout says {wanted}"
    partly = read in named or named in read
    sure = sign.p >= SURE_SIGN and sign.reads >= FEWEST_READS and (not partly or sign.reads >= max(3, seen.pictures))
    return _check(name, False if sure else None, says, wanted, sign.number, p)


def sign_of(what: What, seen: Glimpse) -> Sign | None:
    """Return what the sign says with the picture held as signs read best; else what is read in the layout's zone."""
    signs = [text for text in seen.texts if text.what == what]
    found = [text for text in signs if not text.in_zone]
    best = [text for text in found if text.pose == seen.pose] or found or signs
    return pooled(what, (_as_sign(what, text) for text in best))


def _as_sign(what: What, text: Text) -> SignSeen:
    return SignSeen(what, text.says, text.says, text.score, text.box)


def place_check(layout: Layout, seen: Glimpse) -> FitCheck:
    """Tell whether the signs stand where the layout has them."""
    zones: dict[str, Polygon | None] = {"site": layout.zones.site_id, "table": layout.zones.table_number}
    gaps = _gaps(zones, (text for text in seen.texts if text.pose == seen.pose), layout.scale)
    if not gaps:
        return _check("sign_place", None, "no sign was found that the layout has a zone for")
    inside, outside = ([gap for gap in gaps if (gap <= IN_PLACE_MM) is right] for right in (True, False))
    measured = f"{max(gaps):.0f} mm outside" if outside else "in its zone"
    if not outside:
        return _check("sign_place", True, "the signs stand where the layout has them", "in their zones", measured)
    says = f"the signs stand elsewhere than the layout has them, up to {max(gaps):.0f} mm off"
    return _check("sign_place", None if inside else False, says, "in their zones", measured)


def _gaps(zones: dict[str, Polygon | None], texts: Iterable[Text], scale: float) -> list[float]:
    """Millimetres by which texts of these kinds stand outside of their zones; 0 inside."""
    return [
        Shape(zone).buffer(0).distance(Point(_middle(text.box))) / scale
        for text in texts
        if not text.in_zone and (zone := zones.get(text.what)) is not None
    ]


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def orientation_check(layout: Layout, seen: Glimpse, *, mirrored: bool) -> FitCheck:
    """Tell whether the picture is the way round that the layout was drawn on; `mirrored`: it was drawn on a mirrored
    one.

    A text that reads only with the picture held otherwise, and does not stand where the layout has it, tells that the
    picture was turned since.
    """
    zones = {"site": layout.zones.site_id, "table": layout.zones.table_number, "clock": layout.zones.clock}
    turned = [text for text in seen.texts if not text.pose.upright]
    placed = [text for text in turned if any(gap <= IN_PLACE_MM for gap in _gaps(zones, [text], layout.scale))]
    if placed:
        return _check("orientation", True, "the picture is held as the layout was drawn", _pose_words(placed[0].pose))
    if not seen.pose.upright:
        words = _pose_words(seen.pose)
        return _check("orientation", False, f"the picture is {words}", "upright", words)
    plain, other = (
        max((one.count for one in seen.letters if one.pose.mirrored is side), default=0) for side in (False, True)
    )
    read, unread = (plain, other) if mirrored else (other, plain)
    if seen.posed and read >= FEWEST_LETTERS and read >= MORE_LETTERS * unread:
        words = "not mirrored" if mirrored else "mirrored"
        says = f"the picture is {words}: words read only the other way round than the layout was drawn"
        return _check("orientation", False, says, "mirrored" if mirrored else "not mirrored", words)
    upright = [text for text in seen.texts if text.pose.upright and not text.in_zone]
    if mirrored and any(text.what != "clock" and ONE_WAY.intersection(text.says) for text in upright):
        says = "the layout numbers the spaces from the dealer's right, as in a mirrored picture, and this one is not"
        return _check("orientation", False, says, "mirrored", "not mirrored")
    if upright:
        return _check("orientation", True, "the picture's text reads upright", "upright", "upright")
    return _check("orientation", None, "no text tells which way up the picture is")


def _pose_words(pose: Pose) -> str:
    turns = {0: "upright", 90: "turned by a quarter", 180: "upside down", 270: "turned by a quarter"}
    if not pose.mirrored:
        return turns[pose.turn]
    return "mirrored" if pose.turn == 0 else f"mirrored and {turns[pose.turn]}"


def clock_check(layout: Layout, seen: Glimpse, *, clock_read: bool, day: str | None = None) -> FitCheck:
    """Tell whether the burned-in clock is legible where the layout has it. Without one the play can be judged,
    not dated.
    """
    zone = layout.zones.clock
    found = [text for text in seen.texts if text.what == "clock"]
    where = "in its zone" if zone is not None else None
    elsewhere = [text for text in found if not text.in_zone]
    gaps = _gaps({"clock": zone}, elsewhere, layout.scale)
    if zone is not None and elsewhere and min(gaps) > IN_PLACE_MM:
        x, y = _middle(elsewhere[0].box)
        says = f"the clock stands elsewhere than the layout has it, at {x:.0f}, {y:.0f} of the picture"
        return _check("clock", None, says, where, "elsewhere")
    if found or clock_read:
        return _check("clock", True, "the picture's clock was read", where, "read")
    place = "where the layout has one" if zone is not None else "in the picture"
    hint = f"the day of play is told: {day}" if day else TELL_DATE
    return _check("clock", None, f"no clock was seen {place}; {hint}", where, NO_CLOCK)


def size_check(layout: Layout, things: Things) -> FitCheck:
    """Tell whether cards are as large as the layout's scale says, and large enough to be read."""
    wanted = CARD_MM[0] * layout.scale
    expected = f"{wanted:.0f} pixels wide"
    looks = sum(things.sizes.values())
    if looks < FEWEST_LOOKS:
        return _check("card_size", None, "too few cards were seen to measure them", expected)
    ratio = _median(things.sizes) * BIN
    width = ratio * wanted
    seen = f"{width:.0f} pixels wide"
    if not OTHER_SIZES[0] < ratio < OTHER_SIZES[1]:
        says = f"a card is {width:.0f} pixels wide, by the layout's scale it would be {wanted:.0f}"
        return _check("card_size", False, says, expected, seen)
    if width < LEGIBLE_PX:
        says = f"a card is {width:.0f} pixels wide: below {LEGIBLE_PX:.0f} its index is not to be read"
        return _check("card_size", None, says, expected, seen)
    right = SIZES[0] <= ratio <= SIZES[1]
    return _check("card_size", right or None, f"a card is {width:.0f} pixels wide", expected, seen)


def _median(counted: Counter[int]) -> int:
    left = sum(counted.values()) / 2
    for value in sorted(counted):
        left -= counted[value]
        if left <= 0:
            return value
    raise ValueError("nothing was counted")


def spaces_check(things: Things) -> FitCheck:
    """Tell whether hands are dealt at spaces of the layout only. Never false: the spaces that it has can be judged."""
    expected = "a space for each dealt hand"
    carded = sum(things.carded.values())
    share = things.astray / max(1, carded + things.astray)
    if things.astray >= STRAY_LOOKS and share >= STRAY_SHARE:
        return _check("spaces", None, NO_SPACE, expected, f"a hand elsewhere in {things.astray} looks")
    if carded < FEWEST_LOOKS:
        return _check("spaces", None, "too few hands were dealt to tell whether the layout has all spaces", expected)
    return _check("spaces", True, "each dealt hand lies at a space", expected, "none elsewhere")


def wager_check(things: Things) -> FitCheck:
    """Tell whether wagers lie at the layout's spots while hands are dealt at them."""
    expected = "a wager at each spot with cards"
    undrawn = [number for number in things.spaces if number not in things.drawn and things.carded[number]]
    carded = sum(things.carded[number] for number in things.drawn)
    if carded < FEWEST_LOOKS:
        if undrawn:
            return _check("wagers", None, NO_WAGER, expected, f"no spot of space {_listed(undrawn)} is drawn")
        return _check("wagers", None, "too few hands were dealt to look for their wagers", expected)
    share = sum(things.staked[number] for number in things.drawn) / carded
    chips = sum(things.spot_gaps.values())
    near = sum(count for gap, count in things.spot_gaps.items() if gap < SPOT_BINS) / chips if chips else 0.0
    seen = f"a chip in {share:.0%} of the looks at dealt hands"
    if share <= STAKED[0]:
        if chips >= FEWEST_LOOKS and near <= NEAR_SPOTS:
            says = "chips come to rest elsewhere than at the layout's wager spots"
            return _check("wagers", False, says, expected, seen)
        return _check("wagers", None, NO_WAGER, expected, seen)
    if undrawn:
        return _check("wagers", None, f"space {_listed(undrawn)}: {NO_WAGER}", expected, seen)
    says = "wagers lie at the layout's spots"
    return _check("wagers", True if share >= STAKED[1] else None, says, expected, seen)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def hands_check(things: Things) -> FitCheck:
    """Tell whether the hands at the dealer's work come from the dealer's side."""
    expected = "the dealer's hands come from the dealer's side"
    away, toward = things.pointing["away"], things.pointing["toward"]
    if away + toward < FEWEST_HANDS:
        return _check("dealer_side", None, "too few hands were seen to tell where the dealer sits", expected)
    share = toward / (away + toward)
    seen = f"{share:.0%} of the hands point to the dealer's side"
    if share >= TOWARD[1]:
        return _check("dealer_side", False, "the dealer's hands come from the players' side", expected, seen)
    return _check("dealer_side", True if share <= TOWARD[0] else None, expected, expected, seen)


def misfits(checks: Iterable[FitCheck]) -> str | None:
    """Why the layout does not fit and what to do, as one sentence; None if it does."""
    reasons = [check.says for check in checks if check.ok is False]
    if not reasons:
        return None
    return f"the layout does not fit this recording: {', and '.join(reasons)}; {DRAW_AGAIN}"
