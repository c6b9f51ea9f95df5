"""Hand-made observations of a small table: one pixel is one millimetre, spaces 1 to 3, the dealer at the bottom."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import BillSeen, CardSeen, ChipSeen, HandSeen, Observation
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.parameters.tolerances import CARD_TOLERANCES, CHIP_TOLERANCES
from verifier.reconstruct.resting.card_tracks import CardTrack, tell
from verifier.reconstruct.resting.cardsettle import CardSettler
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.resting.settle import Settler
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.detections import Body, ChipDetection, detections_of
from verifier.reconstruct.table.zones import TableMap

HZ = 7.5
COLOURS = {50: "mustard", 100: "white", 200: "pink", 500: "red", 2500: "green"}


def box(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float]]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def layout(side: str = "bottom") -> Layout:
    spaces = {}
    for number, x in ((1, 300.0), (2, 600.0), (3, 900.0)):
        spaces[number] = SpaceZones(
            area=box(x - 140, 40, x + 140, 420),
            wager=box(x - 40, 100, x + 40, 180),
            cards=box(x - 40, 260, x + 40, 340),
            tip=box(x - 87, 149, x - 37, 199),
        )
    zones = Zones(
        dealer=box(480, 480, 800, 600),
        inner=box(320, 440, 880, 640),
        shoe=box(20, 500, 150, 700),
        discard=box(1050, 500, 1180, 700),
        tray=box(350, 660, 850, 790),
        tip_receptacle=box(900, 660, 1000, 790),
    )
    return Layout(
        version=1,
        image_size=(1200, 800),
        zones=zones,
        spaces=spaces,
        dealer_side=side,
        pixels_per_mm=1.0,
        site="0001",
        table="1",
    )


def card(
    x: float, y: float, rank: str | None = "K", *, face: str = "up", across: bool = False, p: float = 0.95
) -> CardSeen:
    w, h = (44.0, 31.5) if across else (31.5, 44.0)
    quad = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
    up = face == "up"
    return CardSeen(
        id=None,
        face=face,
        p=p,
        quad=quad,
        rank=rank if up else None,
        suit="h" if up and rank else None,
        ranks={rank: 0.97} if up and rank else None,
        visible=1.0,
    )


def chip(x: float, y: float, cents: int = 500) -> ChipSeen:
    return ChipSeen(id=None, colour=COLOURS[cents], p=0.95, center=(x, y), radius=19.5, cents=cents)


def bill(
    x: float, y: float, cents: int = 1000, *, across: bool = False, face: str = "down", sure: float = 0.98
) -> BillSeen:
    """A bank note with its long side toward the dealer, or `across`; its value is read with probability `sure`."""
    w, h = (78.0, 33.0) if across else (33.0, 78.0)
    quad = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
    return BillSeen(p=0.95, quad=quad, face=face, cents=cents, values={str(cents): sure, "100": round(1 - sure, 3)})


def hand(
    x: float, y: float, owner: str = "dealer", *, side: str = "right", fingers: int | None = 5, facing: str = "back"
) -> HandSeen:
    """A hand with its box round (x, y)."""
    return HandSeen(
        id=None, owner=owner, side=side, facing=facing, p=0.9, box=(x - 45, y - 60, x + 45, y + 60), fingers=fingers
    )


def frames(seconds: float, start: float = 0.0, **seen: object) -> list[Observation]:
    """Looks at a scene that does not change for some seconds."""
    count = round(seconds * HZ)
    return [Observation(t=round(start + i / HZ, 3), frame=i, **seen) for i in range(count)]  # type: ignore[arg-type]


def chain(*parts: Iterable[Observation]) -> list[Observation]:
    """Parts one after another, their times counted on."""
    result: list[Observation] = []
    for part in parts:
        for seen in part:
            number = len(result)
            result.append(
                Observation(
                    t=round(number / HZ, 3),
                    frame=number,
                    clock=seen.clock,
                    cards=seen.cards,
                    chips=seen.chips,
                    hands=seen.hands,
                    bills=seen.bills,
                )
            )
    return result


def card_tracks(seen: list[Observation]) -> list[CardTrack]:
    """What is told of the cards in these observations of the table."""
    table = TableMap.of(layout())
    body = Body.of(table)
    settler = CardSettler(CARD_TOLERANCES)
    log = HandLog()
    for one in seen:
        detection = detections_of(one, table, body)
        settler.step(detection.t, detection.cards, log.cover(detection))
        log.add(detection)
    return tell([*settler.ended, *settler.tracks], table)


def chips_settled(seen: list[Observation]) -> Settler[ChipDetection]:
    """What has become of the chips in these observations of the table."""
    table = TableMap.of(layout())
    body = Body.of(table)
    settler: Settler[ChipDetection] = Settler(CHIP_TOLERANCES)
    log = HandLog()
    for one in seen:
        detection = detections_of(one, table, body)
        settler.step(detection.t, detection.chips, log.cover(detection))
        log.add(detection)
    return settler


def scene(hands: HandLog, dwells: dict[int, list[ChipDwell]] | None = None) -> RoundScene:
    """A round of 40 s at the table, without cards, with chips by space."""
    return RoundScene(
        table=TableMap.of(layout()),
        hands=hands,
        cards=(),
        dwells={1: [], 2: [], 3: [], **(dwells or {})},
        since=0.0,
        start=1.0,
        end=40.0,
        begun=True,
        ended=True,
    )


def dwell(x: float, y: float, t0: float, t1: float, cents: int = 500) -> ChipDwell:
    """A chip at x, y millimetres from the wager spot of space 2, from t0 to t1."""
    at, track = TableMap.of(layout()).spaces[2].wager, int(100 * t0 + x + y)
    return ChipDwell((at[0] + x, at[1] + y), cents, t0, t1, 0.99, 19.5, 90, track, True, t1 - 0.2)
