"""Cards burned before play (99-01.3-08-08(3), 12(13))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardBurned, CardDealt, DealerShift, PlayerPresence, RoundEnded, Shuffle, WagerPlaced
from verifier.domain.places import Place
from verifier.law import say
from verifier.law.entries import plain
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_12.sub01_face_up import face_up_cards, may_be
from verifier.law.registry import session_check
from verifier.law.session import Session
from verifier.law.shoes import after, at_round, shoe_burns, until

BURN = "ND-08-08.3-burn-first-card"
LATE_BURN = "ND-08-12.13-late-burn"
NOT_SHOWN = "ND-08-08.3-burn-not-shown"
NEW_DEALER = "ND-08-08.3-new-dealer-burn"
RETURNING = "ND-08-08.3-returning-player"
FACE_UP_REASONS = ("face_up", "faceup", "face_up_in_shoe", "faceup_in_shoe", "shoe_mouth")
"""Reasons of a burn by which the card was found face up in the shoe (12(1))."""


@session_check(BURN, LATE_BURN)
def burned_after_shuffle(session: Session) -> Iterator[Instance]:
    """Check that the first card after a shuffle is burned. A forgotten one may be burned after the first complete round
    (12(13)), and where the log ends before, it still may.
    """
    burns = shoe_burns(session)
    for shuffle in session.of(Shuffle):
        cards = after(session.of(CardDealt), shuffle.t_end)
        if not cards or (shuffle.scope == "discards" and shuffle.round is not None):
            continue
        first = cards[0]
        if any(shuffle.t_end - 0.01 <= b.t_start and b.t_end <= first.t_end for b in burns):
            yield judged(BURN, True, key=shuffle.id)
            continue
        ends = after(session.of(RoundEnded), first.t_end)
        following = after(cards, ends[0].t_end) if ends else []
        since = ends[0].t_start if ends else float("inf")
        late = [b for b in burns if b.t_start >= since and (not following or b.t_end <= following[0].t_end)]
        if late and session.house.mistake_policy == "statute":
            yield judged(LATE_BURN, True, key=shuffle.id)
            continue
        may_follow = not ends and first.round is not None and {card.round for card in cards} == {first.round}
        relieved = any(
            shift.t_start <= shuffle.t_start and not _unknown(session, shift) for shift in _relief(session, first)
        )
        yield at_round(
            judged(
                BURN,
                None if may_follow and session.house.mistake_policy == "statute" else False,
                at="shoe",
                key=shuffle.id,
                events=[shuffle, first],
                expected="the first card after a shuffle is burned face down before any card is dealt",
                observed=say.that(
                    "the first card after the shuffle was dealt to {first} and none was burned",
                    first=say.place(first.to),
                )
                + (", before the first round was complete" if may_follow else ""),
                also=[*([LATE_BURN] if following else []), *([NEW_DEALER] if relieved else [])],
                incident=f"burn {shuffle.id}",
            ),
            first,
        )


@session_check(NOT_SHOWN)
def burn_not_shown(session: Session) -> Iterator[Instance]:
    """Check that a card burned from the shoe is not shown, unless it lay open already: face up in the shoe, or drawn in
    error.

    What a record names as its reason excuses nothing but a card that was found face up in the shoe or that was dropped.
    """
    for burn in shoe_burns(session):
        shown = burn.face_shown
        right = True if shown is False or _lay_open(session, burn) else (None if shown is None else False)
        yield judged(
            NOT_SHOWN,
            right,
            at="discard",
            key=burn.id,
            events=[burn],
            uncounted=burn.weak,
            expected="the value of a burned card is not shown",
            observed=say.that("the burned card {card} was shown", card=say.card(burn.card))
            if shown
            else "whether the burned card was shown was not to be seen",
        )


def _lay_open(session: Session, burn: CardBurned) -> bool:
    """Tell whether the face of a burned card was open before it was burned."""
    reason = plain(burn.reason or "")
    if reason in FACE_UP_REASONS or "drop" in reason:
        return True
    seen = [card for card in face_up_cards(session) if card.t_start <= burn.t_start and may_be(burn, card) is not False]
    drawn = until(session.of(CardDealt), burn.t_start)
    if seen and not (drawn and drawn[-1].t_start > seen[-1].t_end):
        return True
    return _drawn_in_error(session, burn)


def _drawn_in_error(session: Session, burn: CardBurned) -> bool:
    """Tell whether a card was burned amid a round, where it was drawn in error (12(8)), not as the first after a
    shuffle.
    """
    for game in session.rounds:
        if any(own.id == burn.id for own in game.of(CardBurned)):
            before = until(game.of(CardDealt), burn.t_start)
            shuffled = until(game.of(Shuffle), burn.t_start)
            return bool(before) and not (shuffled and before[-1].t_end <= shuffled[-1].t_end)
    return False


@session_check(NEW_DEALER)
def new_dealer_burns(session: Session) -> Iterator[Instance]:
    """Each new dealer burns a card before dealing. Where nobody told who came, it may be the one before who comes
    back.
    """
    burns = shoe_burns(session)
    for shift in _new_dealers(session):
        cards = after(session.of(CardDealt), shift.t_start)
        if not cards:
            continue
        first = cards[0]
        burned = any(shift.t_start - 0.01 <= b.t_start and b.t_end <= first.t_end for b in burns)
        after_shuffle = any(shift.t_start <= s.t_start and s.t_end <= first.t_end for s in session.of(Shuffle))
        instance = judged(
            NEW_DEALER,
            burned or (None if _unknown(session, shift) else False),
            key=shift.id,
            at="shoe",
            events=[shift, first],
            expected="a new dealer burns one card before dealing",
            observed=say.that("{dealer} dealt without burning a card", dealer=shift.dealer or "the new dealer"),
        )
        if burned or not after_shuffle:
            yield at_round(instance, first)


def _new_dealers(session: Session) -> Iterator[DealerShift]:
    """Yield the starts of shifts of another dealer than the one before."""
    previous: str | None = None
    for shift in session.of(DealerShift):
        same = previous is not None and shift.dealer == previous
        previous = shift.dealer or previous
        if shift.phase == "start" and not same:
            yield shift


def _unknown(session: Session, shift: DealerShift) -> bool:
    """Tell whether nobody told who came after another dealer: no name, or in a recording the number of a dealer who
    was not told apart from the one before (`how`).
    """
    if session.from_pixels and shift.how is None:
        return True
    before = [*until(session.of(DealerShift), shift.t_start), *until(session.of(CardDealt), shift.t_start)]
    return shift.dealer is None and bool(before)


def _relief(session: Session, first: CardDealt) -> list[DealerShift]:
    """Return the new dealers who came before a card that is the first one they dealt, and after others had dealt."""
    before = until(session.of(CardDealt), first.t_start)
    return [s for s in _new_dealers(session) if before and before[-1].t_end <= s.t_start <= first.t_end]


@session_check(RETURNING)
def returning_player(session: Session) -> Iterator[Instance]:
    """When a player comes to a table without players, the dealer reshuffles or burns a card.

    Who wagers is there, whether or not the log told of the arrival; a space beside one that was left may have been the
    second of that player's two (01(2)).
    """
    present: set[object] = set()
    untold: set[int] = set()
    doubtful: set[int] = set()
    known = False
    for event in session.events:
        if isinstance(event, WagerPlaced) and event.kind == "original" and not event.weak:
            number = Place.parse(event.at).number or 0
            untold |= set() if number in present else {number}
            doubtful.discard(number)
        if not isinstance(event, PlayerPresence):
            continue
        seats = set(event.spaces or event.at or ())
        if event.phase == "leave":
            beside = {n for n in untold - seats if {n - 1, n + 1} & seats}
            present, untold, doubtful = present - seats, untold - seats - beside, (doubtful | beside) - seats
            known = True
            continue
        empty = known and not present and not untold
        present, untold = present | seats, untold - seats
        cards = after(session.of(CardDealt), event.t_end)
        if not empty or not cards:
            continue
        yield _returned(session, event, cards[0], wrong=None if doubtful else False)


def _returned(session: Session, event: PlayerPresence, first: CardDealt, *, wrong: bool | None) -> Instance:
    """Tell whether cards were shuffled or one was burned between a player's coming and the first card."""
    acts = [*session.of(Shuffle), *shoe_burns(session)]
    right = any(event.t_start <= act.t_end <= first.t_end for act in acts)
    return at_round(
        judged(
            RETURNING,
            right or wrong,
            key=event.id,
            at="shoe",
            events=[event, first],
            expected="the dealer reshuffles or burns a card when a player comes to an empty table",
            observed="cards were dealt without either",
        ),
        first,
    )
