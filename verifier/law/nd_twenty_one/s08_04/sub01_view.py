"""The camera's view: what it covers, from above, as the dealer sees it (99-01.3-08-04(1)(b)-(c), 04(3))."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from verifier.domain.events import ViewCheck
from verifier.law import say
from verifier.law.entries import as_number, plain
from verifier.law.instances import Instance, judged, untold
from verifier.law.registry import session_check
from verifier.law.session import Session

ABOVE = "ND-08-04.1.b-above-centre"
PERSPECTIVE = "ND-08-04.1.b-dealer-perspective"
PROPER = "ND-08-04.3-proper-view"
UPRIGHT, TURNED = 15.0, 45.0
MOVED = 100.0
"""Drift of the picture from which the camera moved, whatever the unit (the vocabulary names none; own policy)."""
_RIGHT_WAY: Final = frozenset(
    {
        "ok",
        "bottom",
        "dealer_bottom",
        "dealer",
        "dealer_perspective",
        "correct",
        "dealers_perspective",
        "normal",
        "standard",
        "upright",
    }
)
_WRONG_WAY: Final = frozenset({
    "mirrored", "rotated", "upside_down", "top", "dealer_top", "left", "dealer_left", "right", "dealer_right", "player",
    "players", "wrong", "flipped",
})  # fmt: skip
VIEWS = {
    "shoe_face": "ND-08-04.1.c-view-shoe-face",
    "spaces": "ND-08-04.1.c-view-betting-spaces",
    "discard": "ND-08-04.1.c-view-discard",
    "tray": "ND-08-04.1.c-view-tray",
    "plunger": "ND-08-04.1.c-view-plunger",
    "table_number": "ND-08-04.1.c-view-table-number",
}


def orientation(check: ViewCheck) -> bool | None:
    """Tell whether the picture shows the table as the dealer sees it; None where the sample does not tell."""
    value = check.orientation
    if isinstance(value, dict):
        value = value.get("ok", value.get("dealer_side", value.get("degrees")))
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and as_number(value) is None:
        name = plain(value)
        wrong = name in _WRONG_WAY or name.startswith(("rotated", "mirror", "upside", "flip"))
        return True if name in _RIGHT_WAY else (False if wrong else None)
    degrees = as_number(value)
    if degrees is None:
        return None
    turn = abs((degrees + 180) % 360 - 180)
    return True if turn <= UPRIGHT else (False if turn >= TURNED else None)


@session_check(PERSPECTIVE, ABOVE, PROPER, video=True, reads=("view_check",))
def view_kept(session: Session) -> Iterator[Instance]:
    """Check that the camera stands above the table's middle, shows it as the dealer sees it, and keeps its field of
    view.
    """
    before: object = None
    for check in session.of(ViewCheck):
        right = orientation(check)
        if check.orientation is None:
            yield untold(PERSPECTIVE, "which way round the picture is", check)
        elif check.orientation != before or check.weak:
            before = None if check.weak else check.orientation
            yield judged(
                PERSPECTIVE,
                right,
                key=check.id,
                events=[check],
                expected="the tray is at the bottom, the shoe at the left, the discard holder at the right",
                observed=say.that("the picture is turned").detail(
                    "{orientation_words}", orientation_words=_orientation_words(check.orientation)
                ),
            )
        above = check.orientation.get("above_centre") if isinstance(check.orientation, dict) else None
        if isinstance(above, bool):
            yield judged(
                ABOVE,
                above,
                key=check.id,
                events=[check],
                expected="the camera is above the middle of the table",
                observed="it is not",
            )
        yield from _kept(check)


def _kept(check: ViewCheck) -> Iterator[Instance]:
    """Check that the camera keeps its field of view; it is open where it moved and all regions are still in view."""
    regions = [seen for seen in (check.regions_ok or {}).values() if seen is not None]
    moved = check.homography_drift is not None and check.homography_drift >= MOVED
    if not regions:
        yield untold(PROPER, "whether the camera kept its field of view", check, seldom=True)
    elif all(regions):
        yield judged(
            PROPER,
            None if moved else True,
            key=check.id,
            events=[check],
            expected="the camera keeps its field of view",
            observed=say.that(
                "it moved by {homography_drift}, and every region is still in view",
                homography_drift=say.number(round(check.homography_drift or 0)),
            ),
        )


def _orientation_words(value: object) -> str:
    return ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else str(value).replace("_", " ")


@session_check(*VIEWS.values(), video=True, reads=("view_check",))
def field_of_view(session: Session) -> Iterator[Instance]:
    """Check that the camera sees the six parts of the table that the rules name. Each stretch without one of them is
    one finding.
    """
    for region, clause in VIEWS.items():
        told = [
            (check, seen)
            for check in session.of(ViewCheck)
            if (seen := (check.regions_ok or {}).get(region)) is not None
        ]
        if not told:
            yield from _never_told(session, region, clause)
        for seen, stretch in itertools.groupby(told, key=lambda pair: pair[1]):
            checks = [check for check, _ in stretch]
            name = region.replace("_", " ")
            yield judged(
                clause,
                seen,
                key=checks[0].id,
                events=[checks[0], checks[-1]],
                expected=say.that("the {name} is in view", name=name),
                observed=say.that("the {name} was not in view", name=name),
                also=[] if seen else [PROPER],
                incident=f"view {checks[0].id} {checks[-1].id}",
            )


def _never_told(session: Session, region: str, clause: str) -> Iterator[Instance]:
    """Leave it open whether a part of the table was in view, if no look at the picture could tell."""
    asked = [check for check in session.of(ViewCheck) if region in (check.regions_ok or {})]
    if asked:
        name = region.replace("_", " ")
        yield judged(
            clause,
            None,
            key=asked[0].id,
            events=[asked[0], asked[-1]],
            expected=say.that("the {name} is in view", name=name),
            observed=say.that("whether the {name} was in view was not seen", name=name),
            incident=f"view {asked[0].id}",
            uncounted=True,
        )
