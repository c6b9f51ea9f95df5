"""Options that a site must apply alike at all its tables: compared over its logs (99-01.3-08-10(1), 11(13), 11(16))."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from msgspec import Struct

from verifier.domain.events import ChipsCollected, ChipsFanned, EventLog

SITE_OPTIONS = {
    "dealing_method": "ND-08-10.1-one-method",
    "sweep_or_hand_by_hand": "ND-08-11.13-option-consistent",
    "payoff_fan_hand": "ND-08-11.16-option-consistent",
    "tips_fanned_after": "ND-08-11.16-option-consistent",
}
"""Options that hold for a whole site, each with the clause that says so."""
LEAST_SEEN = 5
"""Acts of a log from which the way they are done is taken as its practice (policy of this project)."""


class Inconsistency(Struct, frozen=True, kw_only=True):
    """An option that differs within a site: for each value the logs in which it was configured or practised."""

    site: str
    option: str
    clause: str
    values: dict[str, list[str]]


def inconsistencies(logs: Iterable[tuple[str, EventLog]]) -> list[Inconsistency]:
    """Options that differ between logs (each with a name) of one site. A site may change one: the reader judges."""
    found: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, log in logs:
        for option, value in {**_practised(log), **_configured(log)}.items():
            if log.header.site is not None:
                found[log.header.site, option][value].append(name)
    return [
        Inconsistency(
            site=site, option=option, clause=SITE_OPTIONS[option], values={k: values[k] for k in sorted(values)}
        )
        for (site, option), values in sorted(found.items())
        if len(values) > 1
    ]


def _configured(log: EventLog) -> dict[str, str]:
    house = log.header.house
    return {option: str(house[option]).lower() for option in SITE_OPTIONS if house.get(option) is not None}


def _practised(log: EventLog) -> dict[str, str]:
    """Ways in which most acts of a log are done."""
    hands = Counter(str(e.hand) for e in log.events if isinstance(e, ChipsFanned) and e.owner == "wager" and not e.weak)
    modes = Counter(str(e.mode) for e in log.events if isinstance(e, ChipsCollected) and not e.weak)
    found = {}
    for option, counts, values in (
        ("payoff_fan_hand", hands, ("left", "right")),
        ("sweep_or_hand_by_hand", modes, ("sweep", "hand_by_hand")),
    ):
        seen = {value: counts[value] for value in values}
        whole = sum(seen.values())
        best = max(seen, key=lambda value: seen[value])
        if whole >= LEAST_SEEN and seen[best] >= 0.9 * whole:
            found[option] = best
    return found
