"""The table as an equipment record describes it, and the felt's words (99-01.3-08-02(1))."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.domain.events import OverlayRead
from verifier.law import say
from verifier.law.entries import Entry
from verifier.law.instances import Instance, judged, untold
from verifier.law.registry import session_check
from verifier.law.rows import of_row
from verifier.law.session import Session

STANDS = "ND-08-02.1-felt-statement-s17"
HITS = "ND-08-02.1-felt-statement-h17"
GREEN = "ND-08-02.1-green-surface"
GRAPHICS = "ND-08-02.1-no-graphics"
SEVEN = "ND-08-02.1-max-seven-spaces"
SHOE = "ND-08-02.3-shoe-on-left"
READS = ("equipment",)


@session_check(STANDS, reads=("overlay_read of felt",))
def felt_says_stand(session: Session) -> Iterator[Instance]:
    """Check that the felt says what naturals pay and that the dealer stands on 17."""
    if not session.house.hit_soft_17:
        yield from _felt_words(session, STANDS)


@session_check(HITS, needs={"hit_soft_17": True}, reads=("overlay_read of felt",))
def felt_says_hit(session: Session) -> Iterator[Instance]:
    """Check that the felt says what naturals pay and that the dealer hits a soft 17."""
    yield from _felt_words(session, HITS)


def _felt_words(session: Session, clause: str) -> Iterator[Instance]:
    """Check what the felt says; equivalent words are allowed."""
    hits = session.house.hit_soft_17
    for event in session.of(OverlayRead):
        if event.what != "felt":
            continue
        if not event.text:
            yield untold(clause, "what the felt says", event)
            continue
        text = " ".join(event.text.lower().replace("seventeen", "17").replace("sixteen", "16").split())
        says_hit = bool(re.search(r"(hit|draw)s?\b[^.]*soft 17", text))
        says_stand = bool(re.search(r"stand[^.]*17", text)) and not says_hit
        natural = bool(re.search(r"3 (to|:|for) 2|3:2|three to two", text))
        wrong_odds = bool(re.search(r"6 (to|:) 5|6:5|six to five", text))
        agrees, denies = (says_hit, says_stand) if hits else (says_stand, says_hit)
        right = False if wrong_odds or (denies and hits is not None) else (True if agrees and natural else None)
        yield judged(
            clause,
            right,
            key=event.id,
            events=[event],
            expected="the felt says: Blackjack pays 3 to 2, "
            + ("dealer must hit soft 17" if hits else "dealer must stand on 17 and must draw to 16"),
            observed=say.that("it says").detail("{event}", event=event.text),
        )


@session_check(GREEN, GRAPHICS, SEVEN, SHOE, reads=READS)
def table_surface(session: Session) -> Iterator[Instance]:
    """Check that the surface is green, without graphics, with seven spaces at most and the shoe at the dealer's
    left.
    """
    for entry in session.records.of("equipment"):
        colour = entry.words("surface_colour", "surface_color", "felt_colour", "felt_color", "surface")
        if colour is not None:
            yield of_row(
                GREEN,
                "green" in colour,
                entry,
                expected="the surface is green",
                observed=say.that("it is {colour}", colour=colour),
            )
        yield from _graphics(entry)
        spaces = entry.number("betting_spaces", "spaces")
        if spaces is not None:
            yield of_row(
                SEVEN,
                spaces <= 7,
                entry,
                expected="the layout has at most seven spaces",
                observed=say.that("it has {spaces}", spaces=say.number(spaces)),
            )
        side = entry.words("shoe_side", "shoe_position", "shoe")
        if side and side.split()[-1] in ("left", "right"):
            yield of_row(
                SHOE,
                side.endswith("left"),
                entry,
                expected="the shoe is at the dealer's left",
                observed=say.that("at the {side}", side=side),
            )


def _graphics(entry: Entry) -> Iterator[Instance]:
    """Check that what is printed on the surface was authorized."""
    graphics = entry.told("graphics", "imprinted_graphics")
    if graphics is not None:
        approved = entry.flag("graphics_authorized", "graphics_authorised", "graphics_approved") is True
        yield of_row(
            GRAPHICS,
            not graphics or approved,
            entry,
            expected="the surface has no graphics but authorized ones",
            observed="it has graphics that were not authorized",
        )
