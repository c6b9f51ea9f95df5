"""What the recording says of its own picture: a `view_check` every minute, and one for each other view.

Its `occlusion` is what three quarters of the looks saw hidden at least: hands come and go, a thing on the lens stays.
`lost` stretches are those in which the camera looked elsewhere; nothing seen in them, or missed, is evidence.
"""

from __future__ import annotations

from statistics import median

import msgspec

from verifier.domain.events import AnyEvent, ViewCheck
from verifier.domain.layout import Layout
from verifier.domain.observations import Drift, Observation, Point, Quality, View
from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import event
from verifier.reconstruct.table.zones import bounds, inside

REGIONS = {"shoe_face": "shoe", "discard": "discard", "tray": "tray", "plunger": "drop", "table_number": "table_number"}
"""Regions that the law names, and the layout's zones that hold them; the sixth, `spaces`, are the betting spaces."""


class ViewLog:
    """Feed `step` with observations in order of time; it returns samples of the view as they are complete."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._view: View | None = None
        """As last known."""
        self._own: View | None = None
        """Of the sample under way; None while no look of it knows."""
        self._seen: list[tuple[float, Quality]] = []
        self.lost: list[tuple[float, float]] = []

    def step(self, observation: Observation) -> list[AnyEvent]:
        """Take one observation."""
        quality = observation.quality
        if quality is None:
            return []
        changed = quality.view is not None and quality.view != self._view
        full = bool(self._seen) and observation.t - self._seen[0][0] >= par.VIEW_EVERY_S
        done = self.flush() if full or (changed and self._view is not None) else []
        if quality.view is not None:
            self._view = self._own = quality.view
        self._seen.append((observation.t, quality))
        return done

    def flush(self) -> list[AnyEvent]:
        """Return the sample that is under way."""
        seen, self._seen = self._seen, []
        own, self._own = self._own, None
        if not seen:
            return []
        if self._view == "lost":  # and what follows it, as long as nobody knows better
            self.lost.append((seen[0][0] - par.STEADY_LAG_S, seen[-1][0]))
        return [self._check(seen, own)]

    def _check(self, seen: list[tuple[float, Quality]], view: View | None) -> ViewCheck:
        drifts = [q.drift for _, q in seen if q.drift is not None]
        drift = drifts[-1] if drifts else None
        regions, p = self._regions(drift, view)
        return event(
            ViewCheck,
            seen[0][0],
            seen[-1][0],
            p,
            orientation=self._layout.dealer_side if view in ("steady", "shifted") else None,
            homography_drift=None if drift is None else round(drift.reach(self._layout.image_size), 1),
            regions_ok=regions,
            sharpness=_sharpness(seen),
            occlusion=_hidden(seen),
        )

    def _regions(self, drift: Drift | None, view: View | None) -> tuple[dict[str, bool | None] | None, float]:
        """Which regions are in view, and how sure that is; None where the view is unknown."""
        if drift is not None:
            return {name: self._in_view(name, drift) for name in (*REGIONS, "spaces")}, drift.p
        if view == "lost":
            return dict.fromkeys((*REGIONS, "spaces"), False), par.WEAK_P
        return None, 1.0

    def _in_view(self, name: str, drift: Drift) -> bool | None:
        zone = getattr(self._layout.zones, REGIONS[name]) if name in REGIONS else None
        zones = [zone] if zone else [] if name in REGIONS else [space.area for space in self._layout.spaces.values()]
        if not zones:
            return None
        share = min(share_in_picture(zone, drift, self._layout.image_size) for zone in zones)
        return True if share >= par.VIEW_WHOLE_SHARE else False if share < par.VIEW_GONE_SHARE else None


def share_in_picture(polygon: list[Point], drift: Drift, size: tuple[int, int]) -> float:
    """Share of a region of the reference picture that lies within the picture now."""
    x0, y0, x1, y1 = bounds(polygon)
    steps = [(i + 0.5) / par.VIEW_POINTS for i in range(par.VIEW_POINTS)]
    grid = [(x0 + (x1 - x0) * u, y0 + (y1 - y0) * v) for u in steps for v in steps]
    now = [drift.now(point, size) for point in grid if inside(point, polygon)]
    return sum(0 <= x <= size[0] and 0 <= y <= size[1] for x, y in now) / len(now) if now else 0.0


def doubted(found: AnyEvent, lost: list[tuple[float, float]]) -> AnyEvent:
    """Return the event, occluded where it fell into a lost stretch: then it proves nothing alone."""
    if isinstance(found, ViewCheck) or not any(a <= found.t_end and found.t_start <= b for a, b in lost):
        return found
    return msgspec.structs.replace(found, occluded=True)


def _hidden(seen: list[tuple[float, Quality]]) -> float | None:
    """Return the share of the table that three quarters of a sample's looks saw hidden at least; None of a short
    sample.
    """
    if seen[-1][0] - seen[0][0] < par.VIEW_LASTING_S:
        return None
    shares = sorted(q.obstructed for _, q in seen if q.obstructed is not None)
    return round(shares[len(shares) // 4], 3) if shares else None


def _sharpness(seen: list[tuple[float, Quality]]) -> float | None:
    sharp = [q.sharpness for _, q in seen if q.sharpness is not None]
    return round(median(sharp), 1) if sharp else None
