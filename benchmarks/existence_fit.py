"""Fits the log odds of `verifier.reconstruct.resting.existence` on tracks of cards whose truth is known.

    python benchmarks/existence_fit.py --recordings 9 --held-out 12 [--first-seed N]

Performs recordings, easy to hard in turn, sees them without pixels and compares each track with where cards truly lay.
What passes for a card is rare: in the recordings that the weights are fitted on it is made FALSE_TIMES as common, and
the tracks that are none count so much less. The cases of watched recordings (CASES) are learnt from, too, and the
weights are held to START (`TIE`): what neither shows stays as it is. Held-out recordings are seen as they
are; the table tells how many of their tracks are rightly held to be a card or none, under both weights.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, cast

import msgspec
import numpy as np
from numpy.typing import NDArray
from rounds import IN_TURN, SIZE, TILT
from scipy.optimize import minimize

from verifier.reconstruct import parameters as par
from verifier.reconstruct.decoder import Reconstructor
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.existence import Evidence, weighed
from verifier.reconstruct.table.zones import TableMap, Xy
from verifier.simulate.detections import LEVELS, Level, Noise, noisy_observations
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import Performance, perform
from verifier.simulate.render import Camera

ROUNDS: Final = 3
FALSE_TIMES: Final = 10.0
"""How many times as common as it is what passes for a card is made, to learn from."""
TIE: Final = 2.0
"""How strongly weights are held to START, in nats for a difference of one."""
STEP_S: Final = 0.1
STILL_MM: Final = 3.0
"""A card that moves by no more from one moment to the next lies still."""
NEAR_MM: Final = 25.0
LATE_S: Final = 0.25
"""A track lies where a card lies this near to it, within so long."""
LEAST_SHARE: Final = 0.4
MOMENTS: Final = 9
"""In so great a share of as many moments of each stay."""


START: Final = {
    "card": 6.5,
    "doubtful": -2.5,
    "unread": -2.5,
    "brief": -1.1,
    "faint": -4.8,
    "missed": -1.0,
    "covered": -1.7,
    "by itself": -4.4,
    "upon": -3.7,
    "like": -0.7,
    "outlived": -5.0,
    "instead": -5.2,
    "between": -8.0,
    "passing": -8.0,
    "last": 8.0,
}
"""Where the search begins: these tell the 41 cases of the tests of `existing` apart with nearly the widest margin."""
CASES: Final[dict[str, tuple[Evidence, bool]]] = {
    "a bank note that a player laid": ({"card": 1.0, "by itself": 1.0, "doubtful": 1.0, "unread": 0.02}, False),
    "a face that nobody laid and nothing reads": ({"card": 1.0, "by itself": 1.0, "unread": 1.0}, False),
    "what nobody laid upon a card": ({"card": 1.0, "by itself": 1.0, "upon": 1.0, "unread": 0.02}, False),
    "a second look at a card": ({"card": 1.0, "upon": 1.0, "like": 1.0, "doubtful": 1.0, "unread": 0.02}, False),
    "letters of the felt": ({"card": 1.0, "faint": 1.0, "missed": 1.0, "unread": 0.5}, False),
    "the other card of a pair, by a hand that was missed": (
        {"card": 1.0, "by itself": 1.0, "like": 1.0, "brief": 1.0, "unread": 0.01},
        True,
    ),
    "a card of its rank laid upon it": ({"card": 1.0, "upon": 1.0, "like": 1.0, "missed": 1.0, "unread": 0.05}, True),
    "a glimpse of a face in plain view": ({"card": 1.0, "doubtful": 1.0, "unread": 1.0, "brief": 1.0}, True),
    "a card on its way": ({"card": 1.0, "passing": 1.0}, False),
    "the card that made a bust": ({"card": 1.0, "passing": 1.0, "last": 1.0, "brief": 1.0, "unread": 0.02}, True),
}
"""Evidence for tracks as in the tests that watched recordings gave, and whether they are cards."""


class Lain(NamedTuple):
    """A card that lay still at `xy` (mm, as the layout maps it) from `t0` to `t1` (s)."""

    card: int
    name: str
    xy: Xy
    t0: float
    t1: float


class Sample(NamedTuple):
    """A track's evidence, and whether it is a card of its own: `own`, a `second` track of one, or `none`."""

    found: Evidence
    truth: str


class Watching(Reconstructor):
    """A reconstruction that keeps the tracks that it weighs."""

    tracks: list[list[tuple[CardTrack, Evidence]]]

    def _existing(self, tracks: Sequence[CardTrack]) -> list[CardTrack]:
        self.tracks.append(weighed(tracks, self._hands))
        return super()._existing(tracks)


def samples(seed: int, level: Level, false_times: float) -> list[Sample]:
    """Return the tracks of one recording, with their truth."""
    played = perform(seed, ROUNDS)
    camera = Camera.sample(np.random.default_rng([seed, 77]), SIZE, TILT[level])  # type: ignore[arg-type]
    layout = layout_for(played.plan, camera, site=played.site, table=played.table)
    decoder = Watching(layout, played.house)
    decoder.tracks = []
    for seen in noisy_observations(played, camera, troubled(LEVELS[level], false_times)):
        decoder.step(seen)
    decoder.flush()
    lain = list(lying(played, camera, TableMap.of(layout)))
    return [sample for tracks in decoder.tracks for sample in labelled(tracks, lain)]


def troubled(noise: Noise, times: float) -> Noise:
    """Return the faults with what passes for a card so many times as common."""
    return msgspec.structs.replace(
        noise,
        ghost_back=min(0.5, times * noise.ghost_back),
        ghost_card=min(0.5, times * noise.ghost_card),
        felt_ghosts=times * noise.felt_ghosts,
        bills=min(1.0, times * noise.bills),
    )


def lying(played: Performance, camera: Camera, table: TableMap) -> Iterator[Lain]:
    """Yield where the cards of a performance lay still, and when."""
    lain: dict[int, Lain] = {}
    places: dict[int, Xy] = {}
    for number in range(int(played.duration / STEP_S)):
        t = number * STEP_S
        here = {sprite.id: sprite for sprite in played.scene_at(t).cards}
        for ident in [ident for ident in places if ident not in here]:
            del places[ident]
        for ident in [one for one in lain if one not in here or math.dist(here[one].xy, places[one]) > STILL_MM]:
            yield lain.pop(ident)
        for ident, sprite in here.items():
            if ident in lain:
                lain[ident] = lain[ident]._replace(t1=t)
                continue
            if ident in places and math.dist(sprite.xy, places[ident]) <= STILL_MM:
                x, y = camera.project([(*sprite.xy, sprite.z)])[0].tolist()
                lain[ident] = Lain(ident, str(sprite.card), table.mm((x, y)), t - STEP_S, t)
            places[ident] = sprite.xy
    yield from lain.values()


def labelled(tracks: Sequence[tuple[CardTrack, Evidence]], lain: Sequence[Lain]) -> Iterator[Sample]:
    """Yield the evidence of a round's tracks with their truth; of those of one card the one seen most is its own."""
    taken: set[int] = set()
    for track, found in sorted(tracks, key=lambda pair: -pair[0].n):
        card = nearest(track, lain)
        yield Sample(found, "none" if card is None else "second" if card in taken else "own")
        taken |= {card} - {None}


def nearest(track: CardTrack, lain: Sequence[Lain]) -> int | None:
    """Return the card that lay where a track did, of several the one that it reads as; None where none lay."""
    votes = Counter[int]()
    agreed = dict[int, float]()
    for xy, t0, t1 in track.dwells:
        for t in np.linspace(t0, t1, MOMENTS).tolist():
            for one in lain:
                gap = math.dist(one.xy, xy)
                if one.t0 - LATE_S <= t <= one.t1 + LATE_S and gap <= NEAR_MM:
                    votes[one.card] += 1
                    agreed[one.card] = (one.name == track.text) + (one.name[:-1] == track.rank) - gap / NEAR_MM
    there = [card for card, count in votes.items() if count >= LEAST_SHARE * MOMENTS * len(track.dwells)]
    return max(there, key=lambda card: agreed[card], default=None)


def fitted(found: Sequence[Sample], start: dict[str, float] = START) -> dict[str, float]:
    """Return the log odds under which the truth is likeliest, that of the cases of recordings, too, held to `start`."""
    names, cases = list(start), list(CASES.values())
    every = [*((one.found, one.truth == "own") for one in found), *cases]
    x = np.array([[evidence.get(name, 0.0) for name in names] for evidence, _ in every])
    own = np.array([truth for _, truth in every])
    counts = np.where(own, 1.0, 1.0 / FALSE_TIMES)
    counts[len(found) :] = 1.0
    held = np.array([start[name] for name in names])

    def loss(weights: NDArray[np.float64]) -> float:
        odds = np.where(own, 1.0, -1.0) * (x @ weights)
        return float((counts * np.logaddexp(0.0, -odds)).sum() + TIE * ((weights - held) ** 2).sum())

    best = minimize(loss, held, method="L-BFGS-B")
    return {name: round(float(value), 2) for name, value in zip(names, best.x, strict=True)}


def told(found: Sequence[Sample], weights: dict[str, float]) -> str:
    """Return how many tracks of each truth are held to be cards, and the mean log loss (nats), as cells of a table."""
    odds = [sum(weights[name] * value for name, value in one.found.items()) for one in found]
    cells = []
    for truth in ("own", "second", "none"):
        here = [value >= 0.0 for value, one in zip(odds, found, strict=True) if one.truth == truth]
        cells.append(f"{sum(here)} of {len(here)}")
    signed = [value if one.truth == "own" else -value for value, one in zip(odds, found, strict=True)]
    loss = [math.log1p(math.exp(-value)) for value in signed]
    return " | ".join([*cells, f"{sum(loss) / max(1, len(loss)):.4f}"])


def gathered(first: int, count: int, false_times: float) -> list[Sample]:
    """Return the tracks of so many recordings."""
    found: list[Sample] = []
    for number in range(count):
        level = cast(Level, IN_TURN[number % len(IN_TURN)])
        found += samples(first + number, level, false_times)
        print(f"{first + number} {level}: {len(found)} tracks so far", flush=True)
    return found


def main() -> None:
    """Fit what is asked for and print weights and figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recordings", type=int, default=9, help="recordings that the weights are fitted on")
    parser.add_argument("--held-out", type=int, default=12, help="recordings that only measure them")
    parser.add_argument("--first-seed", type=int, default=971_000, help="held-out ones follow those fitted on")
    arguments = parser.parse_args()
    first, count = arguments.first_seed, arguments.recordings
    learnt = gathered(first, count, FALSE_TIMES)
    unseen = gathered(first + count, arguments.held_out, 1.0)
    stands = dict(par.EXISTENCE_ODDS)
    weights = fitted(learnt)
    shown = {name: (sum(one.found[name] for one in learnt if one.truth == "own"),
                    sum(one.found[name] for one in learnt if one.truth != "own")) for name in START}  # fmt: skip
    print("\n| evidence | own | none or second | start | stands | fitted |\n| -- | -- | -- | -- | -- | -- |")
    for name, (own, none) in shown.items():
        print(f"| {name} | {own:.0f} | {none:.0f} | {START[name]} | {stands[name]} | {weights[name]} |")
    print("\n| tracks | weights | own | second | none | log loss |\n| -- | -- | -- | -- | -- | -- |")
    for name, found in (("fitted on", learnt), ("held out", unseen)):
        for words, odds in (("start", START), ("as they stand", stands), ("fitted", weights)):
            print(f"| {name} | {words} | {told(found, odds)} |")


if __name__ == "__main__":
    main()
