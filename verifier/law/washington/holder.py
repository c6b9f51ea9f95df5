"""Who deals and banks: a player, one shoe each, to the left; newcomers and passers (subsections 2, 3, 9/10, 12/13)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Literal

from verifier.domain.events import (
    BankChanged,
    CardDealt,
    Cut,
    DealerShift,
    PlayerPresence,
    Shuffle,
    TableState,
    WagerPlaced,
)
from verifier.law import say
from verifier.law.hands import space_of
from verifier.law.instances import Instance, judged
from verifier.law.registry import WASHINGTON, explain, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session
from verifier.law.washington.clauses import (
    FIRST_CUT,
    NEW_PLAYER,
    OFFER,
    ONE_SHOE,
    PASS_AFTER_HAND,
    PASSER,
    PASSES_LEFT,
    PLAYER_DEALS,
)
from verifier.law.washington.ledger import in_round
from verifier.law.washington.seats import Reign, clockwise, dealer_of, number, occupied, reigns, seat_of_space
from verifier.law.washington.wagers import first_wagers

OTHERS_FIRST = 2
"""Other players who deal before a newcomer may, and hands that a passer sits out."""
B_ONLY = ("wa-blackjack-b",)


@session_check(PLAYER_DEALS, rulebooks=WASHINGTON)
def player_deals(session: Session) -> Iterator[Instance]:
    """Check that the dealer/banker is a player at the table, not a dealer of the house."""
    for reign in reigns(session):
        seats = occupied(session, reign.rounds[0].events[0].t_start)
        named = number(reign.seat) > 0
        if session.from_pixels and not named:
            continue
        seated = None if seats and named and reign.seat not in seats else named
        yield in_round(
            judged(
                PLAYER_DEALS,
                seated,
                key=reign.seat,
                at="dealer",
                events=reign.rounds[0].of(CardDealt)[:1],
                expected="a player at the table deals and banks",
                observed=say.that("{reign} dealt, who does not sit there", reign=say.place(reign.seat)),
            ),
            reign.rounds[0],
        )


@session_check(FIRST_CUT, rulebooks=WASHINGTON)
def first_dealer_by_cut(session: Session) -> Iterator[Instance]:
    """At a new table the cards are cut to determine the first dealer/banker."""
    first = next((e for e in session.of(DealerShift) if e.phase == "start"), None)
    cards = session.of(CardDealt)
    if first is None or (cards and cards[0].t_start < first.t_start):
        return
    cuts = [e for e in session.of(Cut) if e.t_end <= first.t_start]
    opened = any(e.state == "open" and e.t_end <= first.t_start for e in session.of(TableState))
    if cuts or opened:
        yield judged(
            FIRST_CUT,
            bool(cuts),
            key=first.id,
            at="dealer",
            events=[first],
            expected="the cards are cut to determine the first dealer/banker of a new table",
            observed="the table opened and the first dealer/banker began without a cut",
        )


@session_check(ONE_SHOE, rulebooks=WASHINGTON)
def one_shoe_each(session: Session) -> Iterator[Instance]:
    """Nobody is dealer/banker for two shoes in a row."""
    for before, after in itertools.pairwise(session.rounds):
        first = after.first_card
        if first is None or before.first_card is None or dealer_of(before) is None:
            continue
        shuffles = [e for e in session.of(Shuffle) if before.events[-1].t_end <= e.t_start and e.t_end <= first.t_start]
        own = [e for e in shuffles if e.scope != "discards"]
        new_shoe = first.shoe is not None and before.first_card.shoe not in (None, first.shoe)
        if own or new_shoe:
            yield in_round(
                judged(
                    ONE_SHOE,
                    dealer_of(before) != dealer_of(after),
                    key=first.id,
                    at="dealer",
                    events=[*own, first],
                    expected="another player is dealer/banker for the next shoe",
                    observed=say.that(
                        "{dealer_of} dealt two shoes in a row", dealer_of=say.place(dealer_of(before) or "dealer")
                    ),
                ),
                after,
            )


@session_check(PASSES_LEFT, OFFER, rulebooks=WASHINGTON)
def passes_to_the_left(session: Session) -> Iterator[Instance]:
    """Check that the bank and the deal pass to the left, and that whoever is passed over was offered the deal and
    declined it.
    """
    for before, after in itertools.pairwise(reigns(session)):
        begun, ended = after.rounds[0].events[0].t_start, before.rounds[-1].events[-1].t_end
        changes = [e for e in session.of(BankChanged) if e.action == "passed" and ended <= e.t_end <= begun]
        begun = changes[0].t_end if changes else begun
        seats = occupied(session, begun)
        if not seats or after.seat not in seats:
            continue
        declined = _declined(session, before.rounds[0].events[0].t_start, begun)
        left = [s for s in clockwise(seats, before.seat) if s not in declined]
        row = [s for s in left if _new(session, s, begun) is not True]
        sure = [s for s in row if _new(session, s, begun) is False]
        wanted = row[0] if row else after.seat
        right: bool | None = after.seat == wanted
        if not right and after.seat in sure[:1]:
            right = None  # whether a newcomer to the left may deal is open
        early = left[:1] == [after.seat] and not right
        instance = judged(
            PASSES_LEFT,
            right,
            key=f"{after.start}",
            at="dealer",
            events=[*changes, after.rounds[0].first_card],
            expected=say.that(
                "the deal passes from {before} to {wanted} at the left",
                before=say.place(before.seat),
                wanted=say.place(wanted),
            ),
            observed=say.that("it passed to {after}", after=say.place(after.seat)),
            also=[OFFER],
            incident=f"newcomer {after.start}" if early else None,
            rank=6,
        )
        yield in_round(instance, after.rounds[0])


def _declined(session: Session, since: float, until: float) -> set[str]:
    """Return the seats whose players declined the deal in a stretch of time."""
    told = [e for e in session.of(PlayerPresence) if e.phase == "pass_deal"]
    return {seat for e in told if e.t_start >= since and e.t_end <= until for seat in e.at or ()}


def _new(session: Session, seat: str, t: float) -> bool | None:
    """In the proposal B: whether a player came too lately to deal; None where the text leaves that open."""
    waited = _waited(session, seat, t) if session.rulebook in B_ONLY else None
    return waited is not None and (None if waited == "open" else waited == "no")


def _waited(session: Session, seat: str, t: float) -> Literal["yes", "no", "open"] | None:
    """Tell whether two others have dealt since a player came; None where the player sat there from the start.

    The text does not say whether the dealer in whose shoe the player came counts: open where that decides.
    """
    came = [e for e in session.of(PlayerPresence) if e.phase == "arrive" and seat in (e.at or ()) and e.t_end <= t]
    if not came or came[-1].t_end <= _begun(session):
        return None
    arrived = came[-1].t_end
    others = [r for r in reigns(session) if r.seat != seat and r.rounds[0].events[0].t_start < t]
    sitting = _sitting(session, arrived)
    after = {r.seat for r in others if r.rounds[0].events[0].t_start >= arrived and r.seat != sitting}
    both = {r.seat for r in others if r.rounds[-1].events[-1].t_end >= arrived}
    if len(after) >= OTHERS_FIRST:
        return "yes"
    return "open" if len(both) >= OTHERS_FIRST else "no"


def _begun(session: Session) -> float:
    """When the game in the log began: with its first round, or a dealer/banker's start before that."""
    starts = [e.t_start for e in session.of(DealerShift) if e.phase == "start"]
    return min([*starts, *(g.events[0].t_start for g in session.rounds)], default=0.0)


def _sitting(session: Session, t: float) -> str | None:
    """Return the dealer/banker at a moment: the last who had begun a shift by then, or dealt."""
    shifts = [(e.t_start, e.dealer) for e in session.of(DealerShift) if e.phase == "start" and e.t_start <= t]
    dealt = [(g.events[0].t_start, dealer_of(g)) for g in session.rounds if g.events[0].t_start <= t and dealer_of(g)]
    return max([*shifts, *dealt], key=lambda pair: pair[0], default=(t, None))[1]


@session_check(NEW_PLAYER, rulebooks=B_ONLY)
def newcomer_waits(session: Session) -> Iterator[Instance]:
    """Check that a new player is not dealer/banker until two other players have dealt."""
    for reign in reigns(session):
        waited = _waited(session, reign.seat, reign.rounds[0].events[0].t_start)
        if waited is not None:
            yield in_round(
                judged(
                    NEW_PLAYER,
                    {"yes": True, "no": False, "open": None}[waited],
                    key=f"{reign.start}",
                    at="dealer",
                    events=reign.rounds[0].of(CardDealt)[:1],
                    expected="a new player deals only after two others have",
                    observed=say.that("{reign} dealt before that", reign=say.place(reign.seat))
                    if waited == "no"
                    else say.that(
                        "{reign} dealt after two others, one of whom was dealing when {reign} came",
                        reign=say.place(reign.seat),
                    ),
                    incident=f"newcomer {reign.start}",
                    rank=1,
                ),
                reign.rounds[0],
            )


@session_check(PASSER, rulebooks=B_ONLY)
def passer_sits_out(session: Session) -> Iterator[Instance]:
    """Who passes the deal does not play in the first two hands of the next dealer/banker."""
    for event in session.of(PlayerPresence):
        if event.phase != "pass_deal":
            continue
        reign = next((r for r in reigns(session) if r.rounds[0].events[0].t_start >= event.t_end), None)
        for seat in event.at or ():
            if reign is not None and not _has_dealt(session, seat, event.t_start):
                for game in reign.rounds[:OTHERS_FIRST]:
                    yield in_round(_sits_out(session, reign, game, seat, event), game)


def _has_dealt(session: Session, seat: str, t: float) -> bool:
    """Tell whether the player who passes is the dealer/banker, who may after one full hand and play on."""
    games = [g for g in session.rounds if g.events[-1].t_end <= t]
    return bool(games) and dealer_of(games[-1]) == seat


def _unnamed(wager: WagerPlaced) -> bool:
    """Tell whether a wager does not tell the seat that placed it."""
    return number(wager.by or "") == 0


def _seat(session: Session, game: Round, wager: WagerPlaced) -> str | None:
    space = space_of(wager.at)
    return None if space is None else seat_of_space(session, game, space)


def _sits_out(session: Session, reign: Reign, game: Round, seat: str, event: PlayerPresence) -> Instance:
    wagers = first_wagers(game)
    named = [w for w in wagers if w.by == seat]
    placed = [w for w in wagers if _unnamed(w) and _seat(session, game, w) == seat]
    unknown = session.house.seats is None and any(_unnamed(w) for w in wagers)
    return judged(
        PASSER,
        False if named or placed else None if unknown else True,
        key=f"{event.id} {seat} {game.number}",
        at=(named or placed or wagers)[0].at if wagers else None,
        events=[event, *named, *placed],
        expected=say.that(
            "{seat}, who passed the deal, sits out the first two hands of {reign}",
            seat=say.place(seat),
            reign=say.place(reign.seat),
        ),
        observed=say.that("{seat} wagered", seat=say.place(seat)),
    )


explain({PASS_AFTER_HAND: "a permission, which cannot be violated"})
