"""Picking up the cards (99-01.3-08-11(13), (17))."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import CardsCollected, ChipsCollected, PayoffPlaced, PushTapped
from verifier.law import say
from verifier.law.hands import Hand, HandKey, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import even_money
from verifier.law.nd_twenty_one.s08_11.sub13_order import final_hands
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session

AFTER = "ND-08-11.13-cards-after-settlement"
PICKUP = "ND-08-11.17-pickup-order"
RECREATE = "ND-08-11.17-reconstructable"
DEALER_LAST = "ND-08-11.17-dealer-cards-last"
ELSEWHERE = ("shoe", "tray", "drop", "tip_receptacle")


def _remaining(game: Round) -> list[tuple[HandKey, CardsCollected]]:
    """Pick-ups of the hands whose cards stay until all is settled."""
    natural_round = game.dealer.natural is True
    keys = {h.key for h in (game.playing if natural_round else final_hands(game))}
    if natural_round:
        keys = {h.key for h in game.playing if not even_money(game, h) and (h.bust is False or h.split or h.doubled)}
    found = []
    for place, event in game.collected.items():
        key = hand_key(place)
        if key in keys:
            found.append((key, event))
    return sorted(found, key=lambda pair: pair[1].t_end)


@round_check(AFTER, partial="undetermined")
def cards_after_settlement(game: Round) -> Iterator[Instance]:
    """Check that the remaining cards are picked up only after everything is collected and paid."""
    picked = _remaining(game)
    if not picked:
        return
    moves: list[PayoffPlaced | ChipsCollected] = [*game.of(PayoffPlaced), *game.of(ChipsCollected)]
    money = [e for e in moves if e.t_start < game.mended_t]
    for key, event in picked:
        later = [e for e in money if e.t_start >= event.t_end]
        yield judged(
            AFTER,
            True if not later else None if game.dealer.natural is None else False,
            at=game.by_key[key].place,
            events=[event, *later],
            expected="cards are picked up only after all losing wagers are collected and all winners paid",
            observed=say.that(
                "the cards of {by_key} were picked up before {later} was settled",
                by_key=say.place(game.by_key[key].place),
                later=say.place(later[0].at) if later else "",
            ),
        )


@round_check(PICKUP, RECREATE, partial="undetermined")
def pickup_order(game: Round) -> Iterator[Instance]:
    """Remaining cards are picked up from the dealer's right to the left."""
    picked = _remaining(game)
    if len(picked) < 2:
        return
    spaces = [key[0] for key, _ in picked]
    turned = [(a, b) for a, b in itertools.pairwise(picked) if a[0][0] < b[0][0]]
    doubtful = game.dealer.natural is None or all(_at_once(a, b) for (_, a), (_, b) in turned)
    right = True if not turned else None if doubtful else False
    wrong = next((game.by_key[key].place for _, (key, _) in turned), None)
    yield judged(
        PICKUP,
        right,
        at=wrong,
        events=[e for _, e in picked],
        expected="cards are picked up from the dealer's right to the left",
        observed="cards were picked up in the order of spaces " + say.listed(", ", (s for s in spaces)),
        also=[RECREATE],
    )


def _at_once(a: CardsCollected, b: CardsCollected) -> bool:
    """Tell whether two acts overlap in time, as where nobody saw which came first."""
    return min(a.t_end, b.t_end) > max(a.t_start, b.t_start)


@round_check(RECREATE, partial="keep")
def kept_for_playback(game: Round) -> Iterator[Instance]:
    """Cards that are picked up stay together: none goes back into the shoe or elsewhere on the table."""
    for event in game.of(CardsCollected):
        if event.to in ELSEWHERE:
            yield judged(
                RECREATE,
                False,
                at=event.from_,
                key=event.id,
                events=[event],
                expected="cards are picked up so that each hand can be played back",
                observed=say.that(
                    "the cards of {event} went to the {event_2}",
                    event=say.place(event.from_),
                    event_2=event.to.replace("_", " "),
                ),
            )


@round_check(DEALER_LAST, partial="undetermined")
def dealer_cards_last(game: Round) -> Iterator[Instance]:
    """Check that the dealer's cards are picked up after the players'."""
    own = [e for e in game.of(CardsCollected) if e.from_ == "dealer"]
    others = [e for e in game.of(CardsCollected) if e.from_ != "dealer"]
    if not own or not others:
        return
    later = [e for e in others if e.t_start >= own[-1].t_end]
    yield judged(
        DEALER_LAST,
        not later,
        at="dealer",
        events=[own[-1], *later],
        expected="the dealer's cards are picked up last",
        observed=say.that(
            "the dealer's cards were picked up before those of {later}",
            later=say.listed(", ", (say.place(e.from_) for e in later)),
        ),
    )


@session_check(PICKUP, DEALER_LAST)
def none_left_lying(session: Session) -> Iterator[Instance]:
    """Check that all cards of a round are picked up by its end. A log without any pick-up tells of none."""
    for game in session.rounds if session.of(CardsCollected) else ():
        if game.opened and (game.closed or _settled(game)):
            for instance in _left_lying(session, game):
                yield msgspec.structs.replace(instance, round=game.number)


def _settled(game: Round) -> bool:
    """Tell whether every hand was settled or picked up, so that what remains of the round is the pick-up."""
    acts: list[PayoffPlaced | ChipsCollected | PushTapped] = [*game.of(PayoffPlaced), *game.of(ChipsCollected)]
    done = {hand_key(act.at) for act in [*acts, *game.of(PushTapped)]}
    done |= {hand_key(act.from_) for act in game.of(CardsCollected)}
    return bool(game.playing) and all(hand.key in done for hand in game.playing)


def _left_lying(session: Session, game: Round) -> Iterator[Instance]:
    """Yield the cards that nobody was seen to pick up. It is open where the act may only have gone unseen: in a
    recording, where no cards of the round have a record, where the numbers of those that were picked up leave one out,
    and where the log ends amid the pick-up.
    """
    picked = game.of(CardsCollected)
    unseen = max((event.order or 0 for event in picked), default=0) > len(picked)
    told = picked and game.closed and not (session.from_pixels or unseen or game.lacks_records)
    lying = [(PICKUP, hand.place, hand.cards) for hand in game.playing if not _picked_up(hand, picked)]
    if game.dealer.cards and not any(event.from_ == "dealer" for event in picked):
        lying.append((DEALER_LAST, "dealer", game.dealer.cards))
    for clause, place, cards in lying:
        yield judged(
            clause,
            False if told else None,
            at=place,
            key="lying",
            events=[cards[-1].dealt, *picked],
            expected="all remaining cards are picked up at the end of a round",
            observed=say.that("the cards of {place} were not picked up", place=say.place(place))
            + ("" if game.closed else " before the log ended"),
            incident=f"lying {game.number}",
        )


def _picked_up(hand: Hand, picked: Sequence[CardsCollected]) -> bool:
    """Tell whether a hand's cards were picked up, by themselves or with the other hands of a space that was split."""
    done = hand.cards[-1].dealt.t_end
    for event in picked:
        key = hand_key(event.from_)
        if key == hand.key or (key is not None and key[0] == hand.key[0] and event.t_start >= done):
            return True
    return False
