"""How much the detectors miss and misread, at three levels of difficulty, and one without faults to compare with.

The rates follow what was measured of the shipped models on unseen simulated recordings (docs/accuracy.md, "Sight", and
the tables by visible share in docs/models.md); how faults hang together over time is a model: an object that rests is
misjudged once for all its looks much more often than by each look anew, as a real network errs on a real picture.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

Level = Literal["faultless", "easy", "typical", "hard"]


class Stubborn(Struct, frozen=True):
    """Misses of one kind of object: `share` of the resting ones are missed at rate `bad`, the others at `usual`."""

    share: float
    bad: float
    usual: float
    moving: float


class Noise(Struct, frozen=True, kw_only=True):
    """Faults of a detector. Lengths in pixels of a picture 1280 wide, rates a look unless said otherwise."""

    face_up: Stubborn
    face_down: Stubborn
    chip: Stubborn
    hand: Stubborn
    misread: float
    """Multiplies the shares of resting cards that are unread or misread (by what of them shows)."""
    colour_wrong: float
    """Share of chips whose colour is misread for as long as they rest."""
    side_wrong: float
    side_unknown: float
    owner_wrong: float
    fingers_wrong: float
    jitter: float
    ghost_chip: float
    ghost_card: float
    ghost_hand: float
    felt_ghosts: float
    """Expected number of places of a table where print now and then passes for a card's back."""
    broken_track: float
    """Share of looks at a moving object after which it has another track."""
    gaps_an_hour: float
    """Stretches of 0.4 to 2.5 s without a usable picture."""
    leans_an_hour: float
    """Somebody leans over a part of the table for 1 to 4 s and hides it."""
    bumps_an_hour: float
    """The camera is knocked and stays 2 to 5 pixels off."""


_NEVER: Final = Stubborn(0.0, 0.0, 0.0, 0.0)
LEVELS: Final[dict[Level, Noise]] = {
    "faultless": Noise(
        face_up=_NEVER, face_down=_NEVER, chip=_NEVER, hand=_NEVER, misread=0.0, colour_wrong=0.0, side_wrong=0.0,
        side_unknown=0.0, owner_wrong=0.0, fingers_wrong=0.0, jitter=0.0, ghost_chip=0.0, ghost_card=0.0,
        ghost_hand=0.0, felt_ghosts=0.0, broken_track=0.0, gaps_an_hour=0.0, leans_an_hour=0.0, bumps_an_hour=0.0,
    ),
    "easy": Noise(
        face_up=Stubborn(0.01, 0.3, 0.004, 0.06), face_down=Stubborn(0.04, 0.85, 0.18, 0.5),
        chip=Stubborn(0.015, 0.45, 0.003, 0.1), hand=Stubborn(0.0, 0.0, 0.006, 0.03), misread=0.7,
        colour_wrong=0.002, side_wrong=0.005, side_unknown=0.01, owner_wrong=0.002, fingers_wrong=0.015, jitter=0.6,
        ghost_chip=0.004, ghost_card=0.005, ghost_hand=0.008, felt_ghosts=0.2, broken_track=0.02, gaps_an_hour=2.0,
        leans_an_hour=0.0, bumps_an_hour=0.0,
    ),
    "typical": Noise(
        face_up=Stubborn(0.012, 0.35, 0.005, 0.08), face_down=Stubborn(0.06, 0.85, 0.2, 0.5),
        chip=Stubborn(0.02, 0.5, 0.004, 0.13), hand=Stubborn(0.0, 0.0, 0.012, 0.06), misread=1.0,
        colour_wrong=0.003, side_wrong=0.01, side_unknown=0.015, owner_wrong=0.002, fingers_wrong=0.02, jitter=0.9,
        ghost_chip=0.004, ghost_card=0.006, ghost_hand=0.02, felt_ghosts=0.5, broken_track=0.03, gaps_an_hour=6.0,
        leans_an_hour=3.0, bumps_an_hour=0.3,
    ),
    "hard": Noise(
        face_up=Stubborn(0.02, 0.4, 0.008, 0.12), face_down=Stubborn(0.09, 0.9, 0.22, 0.55),
        chip=Stubborn(0.04, 0.5, 0.007, 0.2), hand=Stubborn(0.0, 0.0, 0.015, 0.08), misread=1.7,
        colour_wrong=0.006, side_wrong=0.015, side_unknown=0.03, owner_wrong=0.004, fingers_wrong=0.03, jitter=1.4,
        ghost_chip=0.004, ghost_card=0.01, ghost_hand=0.05, felt_ghosts=1.0, broken_track=0.05, gaps_an_hour=20.0,
        leans_an_hour=12.0, bumps_an_hour=1.5,
    ),
}  # fmt: skip

UNREAD_BY_SHARE: Final = ((0.3, 0.6), (0.5, 0.3), (0.75, 0.05), (1.01, 0.008))
WRONG_BY_SHARE: Final = ((0.3, 0.1), (0.5, 0.09), (0.75, 0.03), (1.01, 0.007))
"""Shares of resting cards that stay unread, or are misread, by the share of the card that shows (upper bounds)."""
UNSEEN_BY_SHARE: Final = ((0.2, 0.85), (0.3, 0.4), (0.5, 0.12), (0.75, 0.02), (1.01, 0.0))
"""Rate at which a card is missed for little of it shows."""

CONFUSED: Final[dict[str, str]] = {
    "A": "448", "2": "334", "3": "2276", "4": "665", "5": "AA48", "6": "885", "7": "TT3J", "8": "937", "9": "T78",
    "T": "789", "J": "7777772K", "Q": "KKKKKKJ8", "K": "JJ99AA8",
}  # fmt: skip
"""What a rank is misread for, as often as in the confusion matrix of docs/models.md."""


def by_share(table: tuple[tuple[float, float], ...], share: float) -> float:
    """The entry of a table of upper bounds that a visible share falls in."""
    return next(value for bound, value in table if share < bound)
