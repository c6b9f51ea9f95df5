"""Hand-made observations of what is done in the inner table area between rounds, on the table of `recon_scenes`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs
from recon_scenes import box, chain, chip, frames, hand, layout

from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.observations import ChipSeen, Observation, ObservationsHeader
from verifier.reconstruct import reconstruct

At = tuple[float, float]
REST_LEFT, REST_RIGHT = (330.0, 620.0), (860.0, 590.0)
TRAY, RECEPTACLE, DROP = (600.0, 750.0), (950.0, 760.0), (1090.0, 770.0)
LEFT, RIGHT = 400.0, 650.0
"""Where chip groups are laid, in x."""
FELT = (600.0, 395.0)


def with_drop() -> Layout:
    """The table with a drop box."""
    plain = layout()
    return structs.replace(plain, zones=structs.replace(plain.zones, drop=box(1040, 660, 1140, 790)))


def stack(x: float, values: Sequence[int]) -> list[ChipSeen]:
    """Columns of one value from `x` on, of which only the top chips show."""
    return [chip(x + 47.0 * number, 500.0, value) for number, value in enumerate(dict.fromkeys(values))]


def fan(x: float, values: Sequence[int]) -> list[ChipSeen]:
    """The same columns spread toward the dealer."""
    return [
        chip(x + 47.0 * number, 500.0 + 23.0 * level, value)
        for number, value in enumerate(dict.fromkeys(values))
        for level in range(values.count(value))
    ]


def look(
    looks: int,
    chips: Sequence[ChipSeen] = (),
    *,
    left: At = REST_LEFT,
    right: At = REST_RIGHT,
    player: At | None = None,
) -> list[Observation]:
    """Looks at chips and hands that stay where they are."""
    hands = [hand(*left, side="left"), hand(*right, side="right")]
    if player is not None:
        hands.append(hand(*player, "player"))
    return frames(looks / 7.5, chips=list(chips), hands=hands)


def bring(values: Sequence[int], x: float, lying: Sequence[ChipSeen], *, side: str = "right") -> list[Observation]:
    """A hand takes chips from the tray and lays them down."""
    way: list[At] = [TRAY, TRAY, TRAY, ((TRAY[0] + x) / 2, 650.0), (x + 20.0, 555.0), (x + 20.0, 555.0)]
    return along(way, lying, side) + look(2, [*lying, *stack(x, values)])


def spread(
    values: Sequence[int], x: float, lying: Sequence[ChipSeen], *, side: str, seconds: float = 1.6
) -> list[Observation]:
    """A hand fans what lies at `x`, and leaves it for some seconds."""
    way: list[At] = [(x + 30.0, 560.0), (x + 30.0, 590.0), (x + 30.0, 620.0)]
    return along(way, [*lying, *stack(x, values)], side) + look(round(7.5 * seconds), [*lying, *fan(x, values)])


def push(values: Sequence[int], x: float, lying: Sequence[ChipSeen]) -> list[Observation]:
    """The right hand pushes the columns to the player of space 2."""
    held = along([(x, 590.0), (x, 570.0)], [*lying, *stack(x, values)], "right")
    return (
        held + along([(x, 470.0), (x, 330.0), (x, 290.0), (x, 290.0), (740.0, 460.0)], lying, "right") + look(4, lying)
    )


def put(place: At, x: float, lying: Sequence[ChipSeen], left: Sequence[ChipSeen], *, side: str) -> list[Observation]:
    """A hand takes up what lies at `x`, of all that is `lying`, and carries it away; `left` lies on."""
    grip = along([(x + 20.0, 555.0), (x + 20.0, 555.0)], lying, side)
    middle = ((place[0] + x) / 2, 640.0)
    return grip + along([(x + 20.0, 555.0), middle, place, place, place], left, side) + look(6, left)


def along(way: Sequence[At], chips: Sequence[ChipSeen], side: str) -> list[Observation]:
    seen: list[Observation] = []
    for at in way:
        seen += look(1, chips, left=at) if side == "left" else look(1, chips, right=at)
    return seen


def handed(values: Sequence[int]) -> list[Observation]:
    """A player lays chips before the dealer, who draws them to the left and lays them down."""
    laid = [chip(600.0, 395.0, values[0])]
    reach = _reach((), laid)
    way: list[At] = [(470.0, 520.0), FELT, FELT]
    return reach + along(way, laid, "left") + along([(450.0, 480.0), (420.0, 555.0), (420.0, 555.0)], (), "left")


def _reach(before: Sequence[ChipSeen], after: Sequence[ChipSeen]) -> list[Observation]:
    """The player of space 2 reaches in over the rim, lays something down and draws back."""
    way: list[At] = [(600.0, -60.0), (600.0, 60.0), (600.0, 200.0), (600.0, 330.0)]
    seen = [one for at in way for one in look(1, before, player=at)] + look(2, after, player=way[-1])
    return seen + [one for at in reversed(way[:-1]) for one in look(1, after, player=at)] + look(1, after)


def bills() -> list[Observation]:
    """A player's hand, then the dealer's at one place and at work in the inner area; bills themselves are not seen."""
    way: list[At] = [(740.0, 500.0), FELT, FELT, (500.0, 500.0), (400.0, 560.0), (450.0, 560.0), (500.0, 560.0)]
    return _reach((), ()) + along(way, (), "right")


def drop() -> list[Observation]:
    """The right hand dwells at the drop box."""
    return along([(500.0, 560.0), (700.0, 600.0), (900.0, 690.0), DROP, DROP, DROP, DROP], (), "right") + look(8)


def run(*parts: list[Observation], table: Layout | None = None):
    """The events of the parts one after another."""
    seen = chain(look(15), *parts, look(15))
    return reconstruct(seen, table or with_drop(), House(), ObservationsHeader()).events
