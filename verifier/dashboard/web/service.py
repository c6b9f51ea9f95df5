"""The OpenID Connect service that signs people in, as the environment sets it up."""

from __future__ import annotations

import os

from msgspec import Struct

from verifier.domain.errors import BadInput


class Service(Struct, frozen=True):
    """An OpenID Connect service: its discovery document, this dashboard's client there, its name on the button."""

    url: str
    client_id: str
    client_secret: str
    name: str


def configured() -> Service | None:
    """Return the service of `VERIFIER_OIDC_URL`, `_CLIENT_ID`, `_CLIENT_SECRET` and `_NAME`; None if no URL is
    set.
    """
    found = {
        name: os.environ.get(f"VERIFIER_OIDC_{name}", "") for name in ("URL", "CLIENT_ID", "CLIENT_SECRET", "NAME")
    }
    if not found["URL"]:
        return None
    missing = [f"VERIFIER_OIDC_{name}" for name in ("CLIENT_ID", "CLIENT_SECRET") if not found[name]]
    if missing:
        raise BadInput("VERIFIER_OIDC_URL", f"is set without {' and '.join(missing)}", "set all three or none")
    return Service(found["URL"], found["CLIENT_ID"], found["CLIENT_SECRET"], found["NAME"] or "your organization")
