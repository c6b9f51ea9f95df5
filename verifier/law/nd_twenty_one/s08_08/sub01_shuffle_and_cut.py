"""Shuffle and cut (99-01.3-08-08(1))."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from verifier.domain.events import CardDealt, Cut, DealerShift, IndicatorCard, PlayerPresence, Shuffle, TableState
from verifier.law import say
from verifier.law.entries import plain
from verifier.law.instances import Instance, judged, untold
from verifier.law.nd_twenty_one.s08_08.sub02_indicator import CARDS_IN_DECK, MOST_DECKS, ON_INDICATOR, by_machine
from verifier.law.registry import session_check
from verifier.law.session import Session
from verifier.law.shoes import after, amid_round, at_round

SHUFFLED = "ND-08-08.1-shuffle-before-play"
CUT = "ND-08-08.1-offer-cut"
DECLINED = "ND-08-08.1-all-decline"
TEN = "ND-08-08.1-cut-ten-cards"
CUT_ABOUT = 2
"""Cards by which the depth of a cut, told from the height of the stack, may be off (site policy)."""
ROTATED = "ND-08-08.1-rotate-cut"
METHOD = "ND-08-08.1-standard-shuffle"
SAME_SEAT = 3
"""Cuts in a row by one seat that call for a look (policy of this project)."""


def _whole(session: Session) -> list[Shuffle]:
    """Shuffles of all cards, which begin a shoe."""
    return [e for e in session.of(Shuffle) if e.scope != "discards"]


@session_check(SHUFFLED)
def shuffled_before_shoe(session: Session) -> Iterator[Instance]:
    """Each shoe that begins in the log begins with a shuffle of all cards."""
    cards = [e for e in session.of(CardDealt) if e.shoe is not None]
    for before, first in itertools.pairwise([None, *cards]):
        assert first is not None
        since = before.t_end if before else float("-inf")
        shuffles = [s for s in session.of(Shuffle) if since <= s.t_end <= first.t_end]
        shown = None if before else _shown_from_its_beginning(session, first)
        if before.shoe == first.shoe if before else not (_begins_shoe(session, first) and (shuffles or shown)):
            continue
        whole: bool | None = any(s.scope == "all" or amid_round(session, s) for s in shuffles)
        if not whole and any(s.scope is None for s in shuffles):
            whole = session.from_pixels or None
        if not shuffles and (by_machine(session) or (before is None and shown != "opened")):
            whole = None
        yield at_round(
            judged(
                SHUFFLED,
                whole,
                key=first.id,
                at="shoe",
                events=[before, *shuffles, first],
                expected="all cards are shuffled before a new shoe is dealt",
                observed=say.that("shoe {shoe} was dealt ", shoe=first.shoe) + _shuffled_words(shuffles),
                also=_indicated(session, before, first) if before else [],
            ),
            first,
        )


def _shuffled_words(shuffles: Sequence[Shuffle]) -> str:
    if any(shuffle.scope is None for shuffle in shuffles):
        return "after a shuffle of which nobody saw whether it was of all cards"
    return "with the discards alone shuffled" if shuffles else "without a shuffle on record"


def _begins_shoe(session: Session, first: CardDealt) -> bool:
    """Tell whether the log's first card is the first of its shoe and of a round."""
    game = session.rounds[0]
    return first.seq == 1 and game.opened and game.first_card is not None and game.first_card.id == first.id


def _shown_from_its_beginning(session: Session, first: CardDealt) -> Literal["opened", "loaded"] | None:
    """Tell what the log shows of the time before its first card: the table's opening, or only that a dealer came and
    the shoe was loaded. A dealer may come once another has shuffled; a log that begins later tells of neither.
    """
    before = [e for e in session.events if e.t_end <= first.t_start and not e.weak]
    opened = [e for e in before if isinstance(e, TableState) and e.state == "open"]
    if opened and not session.from_pixels:
        return "opened"
    came = [e for e in before if isinstance(e, DealerShift) and e.phase == "start"]
    loading = [e for e in before if isinstance(e, Cut | IndicatorCard)]
    return "loaded" if came and any(e.t_start >= came[0].t_end for e in loading) else None


def _indicated(session: Session, before: CardDealt, after: CardDealt) -> list[str]:
    """Return the clause on the indicator card, where one had appeared in the shoe that was dealt out."""
    shown = [c.t_end for c in session.of(IndicatorCard) if c.action == "appeared" and c.t_end <= after.t_end]
    dealt_on = bool(shown) and not any(shown[-1] <= s.t_end <= before.t_end for s in session.of(Shuffle))
    return [ON_INDICATOR] if dealt_on else []


@session_check(CUT, DECLINED, TEN)
def cut_offered(session: Session) -> Iterator[Instance]:
    """Check that the stack is cut between the shuffle and the first card, ten cards or more from either end."""
    for shuffle in _whole(session):
        if shuffle.method == "machine":
            continue
        cards = after(session.of(CardDealt), shuffle.t_end)
        limit = cards[0].t_end if cards else None
        cuts = [c for c in session.of(Cut) if c.t_start >= shuffle.t_start and (limit is None or c.t_end <= limit)]
        if not cuts and (limit is None or session.from_pixels):
            continue
        unseen = bool(cuts) and all(cut.occluded for cut in cuts)
        was = "was seen" if unseen else "was made"
        yield judged(
            CUT,
            None if unseen or (not cuts and shuffle.scope is None) else bool(cuts),
            key=shuffle.id,
            at="shoe",
            events=[shuffle],
            expected="the stack is offered for a cut after the shuffle",
            observed=say.that("no cut {was} between the shuffle and the first card", was=was),
            also=[DECLINED],
        )
    least = session.figures.cut_least_cards
    most = (session.house.deck_count or MOST_DECKS) * CARDS_IN_DECK - least
    for cut in session.of(Cut):
        if cut.depth_cards is None:
            yield untold(TEN, "how deep the cut was", cut, at="shoe")
        else:
            yield judged(
                TEN,
                _within(cut.depth_cards, least, most, CUT_ABOUT),
                key=cut.id,
                at="shoe",
                events=[cut],
                expected=say.that(
                    "the cutting card goes in {least} or more cards from either end",
                    least=say.figure("cut_least_cards", least),
                ),
                observed=say.that("it went in {depth_cards} cards deep", depth_cards=cut.depth_cards),
            )


def _within(value: int, least: int, most: int, slack: int) -> bool | None:
    """Tell whether a number is within two limits; None where it passes one by no more than its reading may be off."""
    return True if least <= value <= most else (None if least - slack <= value <= most + slack else False)


@session_check(ROTATED)
def cut_rotated(session: Session) -> Iterator[Instance]:
    """Check that the opportunity to cut goes round among the players."""
    cuts = [c for c in session.of(Cut) if c.by == "player" and c.seat is not None]
    seated = {space for e in session.of(PlayerPresence) if e.phase == "arrive" for space in e.spaces or ()}
    for seat, group in groupby(cuts, key=lambda c: str(c.seat)):
        row = list(group)
        if len(row) < SAME_SEAT and len(cuts) > 1:
            yield judged(ROTATED, True, key=row[0].id)
        elif len(row) >= SAME_SEAT:
            alone = len(seated) == 1
            yield judged(
                ROTATED,
                True if alone else None,
                key=row[0].id,
                events=row,
                expected="the cut is offered to the players in turn",
                observed=say.that("seat {seat} cut {row} times in a row", seat=say.place(seat), row=len(row)).then(
                    "who was offered the cut is not known"
                ),
            )


@session_check(METHOD, needs={"shuffle_method": None}, video=True)
def standard_shuffle(session: Session) -> Iterator[Instance]:
    """Cards are shuffled by the site's standard method."""
    given = session.house.shuffle_method or []
    methods = [plain(m) for m in ([given] if isinstance(given, str) else given)]
    by_machine = any("machine" in m for m in methods)
    for shuffle in session.of(Shuffle):
        if shuffle.method is None:
            yield untold(METHOD, "how the cards were shuffled", shuffle, at="shoe")
            continue
        right: bool | None = by_machine if shuffle.method == "machine" else any("machine" not in m for m in methods)
        if right and isinstance(shuffle.phases, list) and len(methods) > 1:
            right = set(map(plain, map(str, shuffle.phases))) <= set(methods) or None
        yield judged(
            METHOD,
            right,
            key=shuffle.id,
            at="shoe",
            events=[shuffle],
            expected=say.that("cards are shuffled by the site's method").detail(
                "{methods}", methods=", ".join(methods).replace("_", " ")
            ),
            observed=say.that("they were shuffled by {method}", method=shuffle.method)
            + (
                say.that(" ({phases})", phases=say.listed(", ", shuffle.phases))
                if isinstance(shuffle.phases, list)
                else ""
            ),
        )
