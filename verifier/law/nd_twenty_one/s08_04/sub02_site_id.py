"""The site's name in the picture (99-01.3-08-04(2))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.shared.signs import VISIBLE, sign
from verifier.law.registry import session_check
from verifier.law.session import Session

SITE = "ND-08-04.2-site-id"


@session_check(SITE, VISIBLE, video=True, reads=("overlay_read of site_id",))
def site_read(session: Session) -> Iterator[Instance]:
    """Check that the site identification stands in the picture and is that of the recording."""
    yield from sign(session, "site_id", session.header.site, SITE)
