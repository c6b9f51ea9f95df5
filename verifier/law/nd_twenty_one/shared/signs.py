"""Numbers and names in the picture, for the checks of several sections (99-01.3-08-02(1), 04(2))."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from verifier.domain.events import OverlayRead
from verifier.law import say
from verifier.law.entries import table_name
from verifier.law.instances import Instance, judged
from verifier.law.session import Session

VISIBLE = "ND-08-04.2-id-visible"


def sign(session: Session, what: str, own: str | None, clause: str) -> Iterator[Instance]:
    """Instances for a sign in the picture: read as its own text, as another, or not at all."""
    reads = [e for e in session.of(OverlayRead) if e.what == what]
    texts = Counter(table_name(e.text) for e in reads if e.text and not e.weak)
    if not reads or own is None:
        return
    name = what.replace("_", " ")
    if not texts:
        yield judged(
            clause,
            None,
            events=reads,
            expected=say.that("the {name} stands in the picture", name=name),
            observed="it could not be read",
        )
        return
    text, votes = texts.most_common(1)[0]
    same = text == table_name(own)
    if same:
        yield judged(clause, True)
    yield judged(
        VISIBLE,
        True if same else (None if session.from_pixels and votes < 2 else False),
        key=what,
        events=reads,
        expected=say.that("the {name} in the picture is that of the recording, {own}", name=name, own=own),
        observed=say.that("it reads {text}", text=text),
        also=[clause],
    )
