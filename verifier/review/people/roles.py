"""Roles and the acts that each may do; what is not named here is refused."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from verifier.domain.errors import BadInput


class Role(StrEnum):
    """What a person is for the review room."""

    REVIEWER = "reviewer"
    MANAGER = "manager"
    INDEPENDENT = "independent"
    ATTORNEY_GENERAL = "attorney_general"
    ADMINISTRATOR = "administrator"


class Act(StrEnum):
    """What can be done."""

    READ = "read findings"
    VIDEO = "see video"
    JUDGE = "judge findings"
    WATCH = "watch recordings"
    BEGIN = "begin reviews"
    CALIBRATE = "draw zones"
    DOCUMENT = "write documents"
    EXPORT = "export evidence"
    RETAIN = "hold and purge"
    RECORDS = "keep records"
    POLICY = "set a site's policy"
    AUDIT = "read the audit log"
    PEOPLE = "manage accounts"
    FOLDERS = "allow folders of recordings"


ROLE_WORDS: Final = {
    Role.REVIEWER: "Reviewer",
    Role.MANAGER: "Gaming or shift manager",
    Role.INDEPENDENT: "Independent person",
    Role.ATTORNEY_GENERAL: "Attorney general (read only)",
    Role.ADMINISTRATOR: "Administrator of accounts",
}
_SEEING: Final = frozenset({Act.VIDEO, Act.JUDGE, Act.WATCH, Act.BEGIN})
_INDEPENDENT: Final = frozenset({Act.READ, Act.DOCUMENT, Act.EXPORT}) | _SEEING
GRANTS: Final[dict[Role, frozenset[Act]]] = {
    Role.REVIEWER: frozenset({Act.READ, Act.DOCUMENT}),
    Role.MANAGER: frozenset(Act) - {Act.PEOPLE, Act.FOLDERS},
    Role.INDEPENDENT: _INDEPENDENT,
    Role.ATTORNEY_GENERAL: frozenset({Act.READ, Act.VIDEO, Act.EXPORT, Act.AUDIT}),
    Role.ADMINISTRATOR: frozenset({Act.READ, Act.AUDIT, Act.PEOPLE, Act.FOLDERS, Act.RECORDS}),
}
"""N.D. Admin. Code 99-01.3-08-04(4)(a): stored video is for a gaming or shift manager or an independent person only.

08-04(8) lets others review who did not deal that shift; a reviewer sees video only with an authority of its own on
record. Who administers accounts sees no video.
"""


class Person(Struct, frozen=True, kw_only=True):
    """Somebody who is signed in. `authority`: a reviewer who is authorised for video under 08-04(4)(a)."""

    name: str
    full_name: str
    role: Role
    authority: bool = False

    def may(self, act: Act) -> bool:
        """Tell whether the role, or a reviewer's authority, allows `act`."""
        if act in GRANTS[self.role]:
            return True
        return self.role is Role.REVIEWER and self.authority and act in _SEEING

    @property
    def signature(self) -> str:
        """How the person is named beside what they did: `Kim Olson (kim)`."""
        return f"{self.full_name} ({self.name})"


class Forbidden(BadInput):
    """The person may not do this."""


def require(person: Person, act: Act) -> None:
    """Raise Forbidden if `person` may not do `act`."""
    if not person.may(act):
        role = ROLE_WORDS[person.role]
        raise Forbidden(act.value, f"is not allowed for {person.name} ({role})", "ask a manager or an administrator")
