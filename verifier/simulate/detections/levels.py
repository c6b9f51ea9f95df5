"""How much the detectors miss and misread, at three levels of difficulty, and one without faults to compare with.

The rates follow what the shipped models saw of simulated recordings that nothing was tuned to, compared look by look
and rest by rest (`benchmarks/detection_noise.py`): an object that rests is misjudged once for all its looks much more
often than by each look anew, as a real network errs on a real picture; most misses are of things in motion or half
covered.
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


class NoteFaults(Struct, frozen=True):
    """Faults of the finder and reader of bank notes; rates a look."""

    missed: float = 0.0
    off_mm: float = 0.0
    """About how far off its place a bill is seen in mm, and its angle in degrees."""
    badly: float = 0.0
    """Share of bills that are misread in most looks."""
    misread: float = 0.0
    """Rate at which the others are."""
    face_wrong: float = 0.0
    ghost: float = 0.0


class Noise(Struct, frozen=True, kw_only=True):
    """Faults of a detector. Lengths in pixels of a picture 1280 wide, rates a look unless said otherwise."""

    face_up: Stubborn
    face_down: Stubborn
    covered: Stubborn
    """Backs of which less than COVERED shows."""
    chip: Stubborn
    hand: Stubborn
    misread: float
    """Multiplies the shares of cards that are unread or misread (by what of them shows, resting or moving)."""
    colour_wrong: float
    """Share of chips whose colour is misread for as long as they rest; of moving ones COLOUR_MOVING times as many."""
    side_wrong: float
    owner_wrong: float
    fingers_wrong: float
    jitter: float
    ghost_back: float
    """Rate at which a hand begins to pass for a card's back, for a few looks."""
    ghost_chip: float
    ghost_card: float
    ghost_hand: float
    felt_ghosts: float
    """Expected number of places of a table where print now and then passes for a card's back, and for a chip."""
    bills: float
    """Share of bills that pass for a card now and then."""
    notes: NoteFaults
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
        face_up=_NEVER, face_down=_NEVER, covered=_NEVER, chip=_NEVER, hand=_NEVER, misread=0.0, colour_wrong=0.0,
        side_wrong=0.0, owner_wrong=0.0, fingers_wrong=0.0, jitter=0.0, ghost_back=0.0, ghost_chip=0.0,
        ghost_card=0.0, ghost_hand=0.0, felt_ghosts=0.0, bills=0.0, broken_track=0.0, gaps_an_hour=0.0,
        leans_an_hour=0.0, bumps_an_hour=0.0,
        notes=NoteFaults(),
    ),
    "easy": Noise(
        face_up=Stubborn(0.006, 0.25, 0.001, 0.05), face_down=Stubborn(0.015, 0.7, 0.01, 0.06),
        covered=Stubborn(0.35, 0.85, 0.08, 0.33), chip=Stubborn(0.012, 0.7, 0.002, 0.09),
        hand=Stubborn(0.02, 0.3, 0.005, 0.03), misread=0.9, colour_wrong=0.001, side_wrong=0.002, owner_wrong=0.001,
        fingers_wrong=0.001, jitter=0.55, ghost_back=0.018, ghost_chip=0.02, ghost_card=0.01, ghost_hand=0.02,
        felt_ghosts=0.2, bills=0.25, broken_track=0.08, gaps_an_hour=2.0, leans_an_hour=0.0, bumps_an_hour=0.0,
        notes=NoteFaults(0.01, 2.0, 0.04, 0.005, 0.005, 0.005),
    ),
    "typical": Noise(
        face_up=Stubborn(0.012, 0.25, 0.003, 0.05), face_down=Stubborn(0.025, 0.7, 0.012, 0.11),
        covered=Stubborn(0.38, 0.85, 0.1, 0.34), chip=Stubborn(0.015, 0.7, 0.003, 0.08),
        hand=Stubborn(0.03, 0.4, 0.01, 0.035), misread=1.0, colour_wrong=0.001, side_wrong=0.004, owner_wrong=0.001,
        fingers_wrong=0.002, jitter=0.6, ghost_back=0.018, ghost_chip=0.03, ghost_card=0.008, ghost_hand=0.025,
        felt_ghosts=0.3, bills=0.25, broken_track=0.08, gaps_an_hour=6.0, leans_an_hour=3.0, bumps_an_hour=0.3,
        notes=NoteFaults(0.03, 3.0, 0.08, 0.01, 0.01, 0.01),
    ),
    "hard": Noise(
        face_up=Stubborn(0.015, 0.3, 0.003, 0.06), face_down=Stubborn(0.03, 0.75, 0.02, 0.17),
        covered=Stubborn(0.5, 0.85, 0.15, 0.45), chip=Stubborn(0.045, 0.75, 0.01, 0.11),
        hand=Stubborn(0.04, 0.4, 0.01, 0.04), misread=1.3, colour_wrong=0.002, side_wrong=0.006, owner_wrong=0.002,
        fingers_wrong=0.002, jitter=0.7, ghost_back=0.022, ghost_chip=0.03, ghost_card=0.015, ghost_hand=0.02,
        felt_ghosts=0.6, bills=0.25, broken_track=0.1, gaps_an_hour=20.0, leans_an_hour=12.0, bumps_an_hour=1.5,
        notes=NoteFaults(0.08, 4.0, 0.15, 0.02, 0.02, 0.02),
    ),
}  # fmt: skip

COVERED: Final = 0.75
COLOUR_MOVING: Final = 35.0
UNREAD_BY_SHARE: Final = ((0.3, 0.01), (0.5, 0.005), (0.75, 0.012), (1.01, 0.001))
WRONG_BY_SHARE: Final = ((0.3, 0.04), (0.5, 0.02), (0.75, 0.008), (1.01, 0.005))
"""Shares of resting cards that stay unread, or are misread, by the share of the card that shows (upper bounds)."""
MISREAD_MOVING: Final = 0.02
"""Shares of moving cards that are unread, and that are misread."""
UNSEEN_BY_SHARE: Final = ((0.2, 0.5), (0.3, 0.2), (0.5, 0.05), (0.75, 0.02), (1.01, 0.0))
"""Rate at which a card is missed for little of it shows; twice as often while it moves."""

CONFUSED: Final[dict[str, str]] = {
    "A": "448", "2": "334", "3": "2276", "4": "665", "5": "AA48", "6": "885", "7": "TT3J", "8": "937", "9": "T78",
    "T": "789", "J": "7777772K", "Q": "KKKKKKJ8", "K": "JJ99AA8",
}  # fmt: skip
"""What a rank is misread for, as often as in the confusion matrix of docs/models.md."""


def by_share(table: tuple[tuple[float, float], ...], share: float) -> float:
    """Return the entry of a table of upper bounds that a visible share falls in."""
    return next(value for bound, value in table if share < bound)
