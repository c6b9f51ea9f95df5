"""What a site allows for watching; the rule names no speed, so a site that says nothing gets real time."""

from __future__ import annotations

from typing import Final

from sqlalchemy import select

from verifier.domain.errors import BadInput
from verifier.review.people.roles import Act, Person, require
from verifier.store.repository import Store
from verifier.store.room.tables import PolicyRow

SPEEDS: Final = (1.0, 1.25, 1.5, 2.0)
_SPEED: Final = "fastest speed"


def fastest(store: Store, site: str) -> float:
    """Return the fastest speed at which watching counts at a site; 1.0 if the site never set one."""
    newest = select(PolicyRow.value).where(PolicyRow.site == site, PolicyRow.name == _SPEED)
    with store.reading() as session:
        value = session.scalar(newest.order_by(PolicyRow.id.desc()).limit(1))
    return float(value) if value is not None else SPEEDS[0]


def allow(store: Store, person: Person, site: str, speed: float) -> None:
    """Set a site's fastest speed; what was watched before keeps its minutes."""
    require(person, Act.POLICY)
    if speed not in SPEEDS:
        raise BadInput("speed", f"{speed:g} is none that can be allowed", f"choose one of {SPEEDS}")
    with store.acting(person.name, "policy", f"site/{site}", {"fastest": speed}) as session:
        session.add(PolicyRow(site=site, name=_SPEED, value=str(speed), set_by=person.name, set_at=store.now()))
