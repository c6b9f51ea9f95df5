"""The camera's view: from above, as the dealer sees it, clear (99-01.3-08-04(1)(b), 04(3), 04(6))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any, Final

from verifier.domain.events import ViewCheck
from verifier.law.entries import as_number, plain
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

ABOVE = "ND-08-04.1.b-above-centre"
PERSPECTIVE = "ND-08-04.1.b-dealer-perspective"
PROPER = "ND-08-04.3-proper-view"
CLEAR = "ND-08-04.6-picture-clear"
CLEAR_ENOUGH, NOT_CLEAR = 0.8, 0.5
FREE_ENOUGH, OBSTRUCTED = 0.2, 0.5
"""Median share of readable objects, and of the table that is hidden: above the one a pass, below the other a violation
(the rule has no numbers; policy of this project)."""
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


def orientation(check: ViewCheck) -> bool | None:
    """Whether the picture shows the table as the dealer sees it; None where the sample does not tell."""
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
    """The camera stands above the table's middle, shows it as the dealer sees it, and keeps its field of view."""
    before: object = None
    for check in session.of(ViewCheck):
        right = orientation(check)
        if check.orientation is not None and (check.orientation != before or check.weak):
            before = None if check.weak else check.orientation
            yield judged(
                PERSPECTIVE,
                right,
                key=check.id,
                events=[check],
                expected="the tray is at the bottom, the shoe at the left, the discard holder at the right",
                observed=f"the picture is turned: {_orientation_words(check.orientation)}",
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
        regions = [seen for seen in (check.regions_ok or {}).values() if seen is not None]
        moved = check.homography_drift is not None and check.homography_drift >= MOVED
        if regions and all(regions):
            yield judged(
                PROPER,
                None if moved else True,
                key=check.id,
                events=[check],
                expected="the camera keeps its field of view",
                observed=f"it moved by {check.homography_drift or 0:.0f}, and every region is still in view",
            )


def _orientation_words(value: Any) -> str:
    return ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else str(value).replace("_", " ")


@session_check(CLEAR, video=True, reads=("view_check",))
def picture_clear(session: Session) -> Iterator[Instance]:
    """Cards, currency and chips are clear and nothing stands before them, over the samples of the recording."""
    checks = [c for c in session.of(ViewCheck) if not c.weak]
    for what, values in _shares(checks).items():
        middle = median(values)
        yield judged(
            CLEAR,
            True if middle >= CLEAR_ENOUGH else (False if middle < NOT_CLEAR else None),
            key=what,
            events=checks[:5],
            expected=f"{what} can be read in the picture",
            observed=f"{middle:.0%} of them could be read",
        )
    hidden = [c.occlusion for c in checks if c.occlusion is not None]
    if hidden:
        middle = median(hidden)
        yield judged(
            CLEAR,
            True if middle <= FREE_ENOUGH else (False if middle > OBSTRUCTED else None),
            key="hidden",
            events=checks[:5],
            expected="nothing stands before the table",
            observed=f"{middle:.0%} of the table was hidden",
        )


def _shares(checks: Sequence[ViewCheck]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for check in checks:
        share = check.readable_share
        named = share if isinstance(share, dict) else {"cards, currency and chips": share}
        for what, value in named.items():
            number = as_number(value)
            if number is not None:
                found.setdefault(str(what), []).append(number)
    return found
