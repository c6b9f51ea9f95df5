"""The order of settlement, and the tap of a tie (99-01.3-08-11(13))."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from verifier.domain.events import AnyEvent, ChipsCollected, ChipsFanned, PayoffPlaced, PushTapped
from verifier.law import say
from verifier.law.hands import STAKES, Hand, HandKey, space_of
from verifier.law.instances import Instance, judged
from verifier.law.money import moved, outcomes, right_way
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.say import Said
from verifier.law.session import Session
from verifier.law.side_by_side import as_split_off

RIGHT_TO_LEFT = "ND-08-11.13-settle-right-to-left"
REPEAT = "ND-08-11.13-repeat-order"
TAP = "ND-08-11.13-tap-push"


@lru_cache(maxsize=4)
def final_hands(game: Round) -> tuple[Hand, ...]:
    """Hands that are settled last, by comparison with the dealer's finished hand; it may still be a natural where its
    cards were not read.
    """
    if game.dealer.natural is True or game.dealer_done_t is None:
        return ()
    return tuple(hand for hand in game.playing if hand.bust is False and not _early_natural(game, hand))


def _early_natural(game: Round, hand: Hand) -> bool:
    """Tell whether a natural is settled apart: against an ace or ten, at once against 2-9, or for even money."""
    if hand.natural is False or hand.doubled:
        return False
    if game.dealer.up_high is not False or hand.natural is None:
        return True
    paid = moved(game, hand).payoffs
    return not paid or (game.dealer_done_t is not None and paid[0].t_start < game.dealer_done_t)


def _touches(game: Round, hand: Hand) -> list[AnyEvent]:
    """Return the acts of settlement at a hand once the dealer is done."""
    done = game.dealer_done_t or 0.0
    found: list[AnyEvent] = [e for e in game.at(ChipsCollected, hand.key) if e.kind in STAKES]
    found += [e for e in game.at(PayoffPlaced, hand.key) if e.kind in STAKES]
    found += [e for e in game.at(ChipsFanned, hand.key) if e.owner == "wager"]
    found += game.at(PushTapped, hand.key)
    return [e for e in found if e.t_end > done]


def _firsts(acts: Mapping[HandKey, Sequence[AnyEvent]]) -> list[tuple[HandKey, AnyEvent]]:
    """Return the hands in the order of the first act at each, with that act."""
    firsts = [(key, min(found, key=lambda e: e.t_end)) for key, found in acts.items()]
    return sorted(firsts, key=lambda pair: (pair[1].t_end, [-part for part in pair[0]]))


@round_check(RIGHT_TO_LEFT, REPEAT, partial="undetermined")
def settled_right_to_left(game: Round) -> Iterator[Instance]:
    """Check that final settlement goes hand by hand from the dealer's right to the left."""
    hands = [hand for hand in final_hands(game) if right_way(game, hand)]
    acts = {hand.key: found for hand in hands if (found := _touches(game, hand))}
    if len(acts) < 2:
        return
    touched = _firsts({key: [e for e in found if not e.weak] or found for key, found in acts.items()})
    order = [key for key, _ in touched]
    right = _in_order(touched)
    if right and _in_order(_firsts(acts)) is not True:
        right = None  # in its turn by what was seen surely, before its turn by what was seen weakly
    if right is False and _in_order([(as_split_off(game, key), event) for key, event in touched]) is not False:
        right = None
    if right is False and game.dealer.natural is None:
        right = None
    grouped = right is False and _by_groups(game, order)
    instance = judged(
        REPEAT if grouped else RIGHT_TO_LEFT,
        right,
        at=None if right else _first_wrong(game, order),
        events=[e for _, e in touched],
        expected="hands are settled from the dealer's right to the left, collecting and paying as they come",
        observed="hands were settled in the order "
        + say.listed(", ", (name_of(key) for key in order))
        + (" (all of one kind first)" if grouped else ""),
        also=[RIGHT_TO_LEFT if grouped else REPEAT],
    )
    yield instance
    if right:
        yield judged(REPEAT, True)


def _in_order(touched: Sequence[tuple[HandKey, AnyEvent]]) -> bool | None:
    """Tell whether hands come from the dealer's right to the left; None where only overlapping acts say otherwise."""
    wrong = [
        earlier.t_end <= later.t_start
        for (key, earlier), (other, later) in itertools.combinations(touched, 2)
        if other > key
    ]
    return True if not wrong else False if any(wrong) else None


def name_of(key: HandKey) -> Said:
    """Return a hand in words."""
    return say.that("space {key}", key=key[0]) + (say.that(" hand {key}", key=key[1]) if key[1] else "")


def _first_wrong(game: Round, order: Sequence[HandKey]) -> str | None:
    for before, after in itertools.pairwise(order):
        if after > before:
            return game.by_key[after].place
    return None


def _by_groups(game: Round, order: Sequence[HandKey]) -> bool:
    """Tell whether winners and losers were each settled in order, but one kind before the other."""
    signs = [moved(game, game.by_key[key]).sign for key in order]
    changes = sum(1 for a, b in itertools.pairwise(signs) if a != b)
    groups = [[k for k, s in zip(order, signs, strict=True) if s == sign] for sign in set(signs)]
    return changes == len(groups) - 1 and all(g == sorted(g, reverse=True) for g in groups)


@round_check(TAP, partial="undetermined")
def push_tapped(game: Round) -> Iterator[Instance]:
    """At a tie the dealer taps the table."""
    for hand in final_hands(game):
        if outcomes(game, hand) != {"push"} or moved(game, hand).events:
            continue
        taps = [e for e in game.of(PushTapped) if space_of(e.at) == hand.key[0]]
        due = game.figures.taps_at_tie
        if 0 < len(taps) < due or (not taps and not game.closed):  # `tap_for_each_tie` judges too few
            continue
        unplaced = any(space_of(e.at) is None for e in game.of(PushTapped))
        yield judged(
            TAP,
            True if len(taps) >= due else None if unplaced else False,
            at=hand.place,
            events=[c.dealt for c in hand.cards],
            expected=say.that(
                "the dealer taps the table{due} at the tie of {hand}", due=_times(due), hand=say.place(hand.place)
            ),
            observed=say.that("{dealer}", dealer=game.dealer.text()).then(
                "{hand} tied with {hand_2} and the table was not tapped", hand=say.place(hand.place), hand_2=hand.text()
            ),
        )


def _times(taps: int) -> Said | str:
    return "" if taps == 1 else say.that(" {taps} times", taps=taps)


def _ties(count: int) -> Said | str:
    return "the tie" if count == 1 else say.that("each of the {count} ties", count=count)


@session_check(TAP)
def tap_for_each_tie(session: Session) -> Iterator[Instance]:
    """Each tie is tapped, also of hands of one space; of two taps side by side a recording may show one."""
    for game in session.rounds:
        for space in {hand.key[0] for hand in final_hands(game)} if game.opened and game.closed else ():
            ties = [hand for hand in final_hands(game) if hand.key[0] == space and outcomes(game, hand) == {"push"}]
            ties = [hand for hand in ties if not moved(game, hand).events]
            taps = [e for e in game.of(PushTapped) if space_of(e.at) == space]
            due = game.figures.taps_at_tie
            if 0 < len(taps) < due * len(ties):
                bare = [hand for hand in ties if not game.at(PushTapped, hand.key)] or ties
                instance = judged(
                    TAP,
                    None if session.from_pixels or game.lacks_records else False,
                    at=bare[-1].place,
                    key="each",
                    events=[*(c.dealt for hand in ties for c in hand.cards), *taps],
                    expected=say.that(
                        "the dealer taps the table{due} at {ties} of space {space}",
                        due=_times(due),
                        ties=_ties(len(ties)),
                        space=space,
                    ),
                    observed=say.that(
                        "the table was tapped {taps} time{part} there", taps=len(taps), part="s"[: len(taps) > 1]
                    ),
                )
                yield msgspec.structs.replace(instance, round=game.number)
