"""Cards alone on the table of recon_scenes, as another detector or a person may give them: no chips, hands or suits."""

from __future__ import annotations

from recon_scenes import card, layout

from verifier.domain.house import House
from verifier.domain.observations import CardSeen, Observation, ObservationsHeader
from verifier.reconstruct import reconstruct

SPACE_1 = (300.0, 300.0)


def lying(t0, t1, x, y, rank, *, turned=None, across=False):
    """A card that lies from `t0` to `t1`; `turned` is when its back becomes its face."""
    return t0, t1, x, y, rank, turned, across


def seen(cards, hz=7.5, until=40.0, backs=True, p=0.95):
    """Looks at cards, `hz` a second: rank and quad, no suit, no posterior, no id."""
    for number in range(int(until * hz)):
        t = round(number / hz, 3)
        there = []
        for t0, t1, x, y, rank, turned, across in cards:
            down = turned is not None and t < turned
            if t0 <= t < t1 and (backs or not down):
                quad = card(x, y, rank, across=across).quad
                there.append(CardSeen(face="down" if down else "up", p=p, quad=quad, rank=None if down else rank))
        yield Observation(t=t, cards=there)


def log_of(cards, table=None, **how):
    return reconstruct(seen(cards, **how), table or layout(), House(), ObservationsHeader())


def told(log, place):
    """Ranks dealt to a place, in order."""
    return [e.card[0] for e in log.events if e.name == "card_dealt" and e.to == place]


def splits(log):
    return [(e.from_, e.to) for e in log.events if e.name == "cards_moved"]


def hand(x, y, ranks, start, end, step=(-33.0, 45.0), pace=1.0):
    return [lying(start + i * pace, end, x + i * step[0], y + i * step[1], rank) for i, rank in enumerate(ranks)]


def dealer(end, ranks="7T"):
    up, hole = ranks
    return [lying(2.0, end, 600.0, 540.0, up), lying(4.0, end, 672.0, 540.0, hole, turned=end - 4.0)]


def split_pair(rank, after, then, end=24.0):
    """A pair whose second card is moved to the right at 8 s; the next card lies in its place `after` that."""
    x, y = SPACE_1
    return [
        lying(1.0, end, x, y, rank),
        lying(3.0, 8.0, x - 33, y + 45, rank),
        lying(8.2, end, x + 80, y, rank),
        lying(8.0 + after, end, x - 33, y + 45, then),
        lying(12.0, end, x + 47, y + 45, "9"),
        *dealer(end),
    ]
