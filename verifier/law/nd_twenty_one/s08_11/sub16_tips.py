"""How winning tips are handled under video surveillance (99-01.3-08-11(16)(a),(b))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardsCollected, ChipsFanned, HandsClear, PayoffPlaced, TipDeposited, WagerMoved
from verifier.engine.outcomes import PAID
from verifier.law import say
from verifier.law.hands import STAKES, Hand, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import outcomes
from verifier.law.nd_twenty_one.s08_11.sub14_tips import EQUAL, paid_together, tip_moves, tipped
from verifier.law.nd_twenty_one.s08_11.sub16_payoff import single_chip, stack
from verifier.law.registry import round_check
from verifier.law.rounds import Round
from verifier.law.wording import hand_words

REPOSITION = "ND-08-11.16.a-tip-reposition"
CONSISTENT = "ND-08-11.16-option-consistent"
AFTER_HANDS = "ND-08-11.16.b-tips-after-hands"
BESIDE = "ND-08-11.16.b-tip-beside-fan"
AWAY = "ND-08-11.16.b-tip-hands-away"
_TIPS = ("tip", "tip_double")


def _winners(game: Round) -> list[Hand]:
    return [hand for hand in tipped(game) if tip_moves(game, hand).payoffs and _may_win(game, hand)]


def _may_win(game: Round, hand: Hand) -> bool:
    """Tell whether a hand's tip may be due a payoff; one that was paid without is the money checks' finding."""
    possible = outcomes(game, hand)
    return not possible or not possible.isdisjoint(PAID - {"even_money"})


def _paid(game: Round) -> list[PayoffPlaced]:
    """Return the payoffs of tips, without those of tips that were surely not won."""
    wrong = {e.id for hand in tipped(game) if not _may_win(game, hand) for e in tip_moves(game, hand).payoffs}
    return [e for e in game.of(PayoffPlaced) if e.kind in _TIPS and e.id not in wrong]


def _of_space(place: str, hand: Hand) -> bool:
    key = hand_key(place)
    return key is not None and key[0] == hand.key[0]


@round_check(REPOSITION, CONSISTENT, video=True, partial="undetermined")
def tip_repositioned(game: Round) -> Iterator[Instance]:
    """Winning tips are moved to the inner table area with the left hand and fanned."""
    for hand in _winners(game):
        paid = tip_moves(game, hand).payoffs[0]
        moves = [m for m in game.of(WagerMoved) if m.kind in _TIPS and m.to == "inner" and _of_space(m.from_, hand)]
        moves = [m for m in moves if m.t_start <= paid.t_end]
        fans = [f for f in _fans(game, "tip", hand.key[0]) if f.t_start <= paid.t_end]
        placed = hand.tips["tip"].placed
        alone = single_chip(placed) if placed else None
        shown = placed[0].cents if len(placed) == 1 else None
        single = stack(alone, _fans(game, "tip_payoff", hand.key[0]), "tip", shown)
        problem = None
        if not moves:
            problem = "was not moved to the inner table area"
        elif not fans and single is not True:
            problem = "was not fanned"
        right: bool | None = problem is None
        if moves and not fans and single is None:
            right = None
        elif right and all(move.kind != "tip" for move in moves):
            right, problem = None, "was not moved by itself, though its double was,"
        either = bool(moves) and right is False and alone is None
        yield judged(
            REPOSITION,
            right,
            at=hand.place,
            events=[*placed, *moves, paid],
            expected=say.that(
                "the tip of {hand} is moved to the inner table area with the left hand and fanned",
                hand=say.place(hand.place),
            ),
            observed=say.that(
                "the tip of {hand} {problem} before it was paid", hand=say.place(hand.place), problem=problem
            )
            + (
                say.that(", or was one chip of {shown} and was overpaid", shown=say.cents(shown or 0)) if either else ""
            ),
            also=[EQUAL] if either else [],
            incident=f"tip moved {hand.place}",
        )
        yield from _tip_hand(hand, moves)
        yield from _tip_time(game, hand, moves)


def _tip_hand(hand: Hand, moves: list[WagerMoved]) -> Iterator[Instance]:
    for move in moves:
        right = None if move.hand in (None, "unknown") else move.hand == "left"
        yield judged(
            REPOSITION,
            right,
            at=hand.place,
            key="hand",
            events=[move],
            expected="the tip is moved with the left hand",
            observed=say.that(
                "the tip of {hand} was moved with {hand_2}", hand=say.place(hand.place), hand_2=hand_words(move.hand)
            ),
            uncounted=move.hand is None,
        )


def _tip_time(game: Round, hand: Hand, moves: list[WagerMoved]) -> Iterator[Instance]:
    """With each hand before its payoff, or by option after all winning hands are paid."""
    own = [e for e in game.at(PayoffPlaced, hand.key) if e.kind in STAKES]
    every = [e for e in game.of(PayoffPlaced) if e.kind in STAKES]
    if not moves or not own:
        return
    if game.house.tips_fanned_after:
        right = moves[0].t_end >= max(e.t_start for e in every)
        words = "after all winning hands are paid, as the site's option has it"
    else:
        right = moves[0].t_start <= own[0].t_end
        words = "before the hand is paid"
    yield judged(
        REPOSITION,
        right,
        at=hand.place,
        key="time",
        events=[moves[0], *own],
        expected=say.that("the tip is moved {words}", words=words),
        observed=say.that("the tip of {hand} was moved at another time", hand=say.place(hand.place)),
        also=[CONSISTENT],
    )


@round_check(AFTER_HANDS, video=True, partial="undetermined")
def tips_after_hands(game: Round) -> Iterator[Instance]:
    """Tips are paid after all winning hands, and after the tip is fanned."""
    tips = _paid(game)
    hands = [e for e in game.of(PayoffPlaced) if e.kind in STAKES]
    for tip in tips:
        later = [e for e in hands if e.t_start >= tip.t_end and not _after_playback(game, e)]
        key = hand_key(tip.at)
        fans = [f for f in game.of(ChipsFanned) if f.owner == "tip" and key and _key(f.at) == key[0]]
        late_fan = bool(fans) and all(f.t_start >= tip.t_end for f in fans)
        yield judged(
            AFTER_HANDS,
            not later and not late_fan,
            at=tip.at,
            key=tip.id,
            events=[tip, *later],
            expected="tips are paid after all winning hands are paid and the tips are fanned",
            observed=say.that("the tip of {tip} was paid before ", tip=say.place(tip.at))
            + (say.that("{later}", later=say.place(later[0].at)) if later else "it was fanned"),
        )


def _key(place: str) -> int | None:
    key = hand_key(place)
    return key[0] if key else None


def _after_playback(game: Round, event: PayoffPlaced) -> bool:
    return event.t_start >= game.mended_t


def _fans(game: Round, owner: str, space: int | None) -> list[ChipsFanned]:
    """Return the fans of a space's tip or of its payoff. One that names no space counts for any."""
    return [f for f in game.of(ChipsFanned) if f.owner == owner and _key(f.at) in (None, space)]


@round_check(BESIDE, AWAY, video=True, partial="undetermined")
def tip_fanned(game: Round) -> Iterator[Instance]:
    """Each tip gets a payoff of its own that is fanned, and the hands then leave the tips."""
    tips = _paid(game)
    if not tips:
        return
    pooled = paid_together(game)
    if pooled:
        yield judged(
            BESIDE,
            False,
            at=tips[-1].at,
            key="pooled",
            events=tips,
            expected="each winning tip gets a payoff of its own, placed beside it and fanned",
            observed=say.that(
                "the tips of {pooled} were paid together",
                pooled=say.listed(", ", (say.place(hand.place) for hand in pooled)),
            ),
        )
    yield from (_fanned(game, tip) for tip in tips)
    after = [e for e in (*game.of(CardsCollected), *game.of(TipDeposited)) if e.t_start >= tips[-1].t_end]
    limit = min((e.t_start for e in after), default=None)
    clear = [c for c in game.of(HandsClear) if c.t_end >= tips[-1].t_end and (limit is None or c.t_start <= limit)]
    clear = [c for c in clear if not c.region.startswith("space")]
    if clear or game.closed:
        yield judged(
            AWAY,
            bool(clear),
            at=tips[-1].at,
            events=tips,
            expected="the hands leave the tips before the cards are picked up",
            observed="the hands never left the paid tips",
        )


def _fanned(game: Round, tip: PayoffPlaced) -> Instance:
    """Tell whether a tip's payoff was fanned. One that shows one chip may be too little instead."""
    own = [f for f in _fans(game, "tip_payoff", _key(tip.at)) if f.t_end >= tip.t_end]
    alone = single_chip([tip])
    right = True if own else stack(alone, _fans(game, "tip", _key(tip.at)), tip.kind, tip.cents)
    if right is False and not game.closed:
        right = None
    either = right is False and alone is None
    little = say.that(", or was one chip of {cents} and too little", cents=say.cents(tip.cents or 0))
    return judged(
        BESIDE,
        right,
        at=tip.at,
        key=tip.id,
        events=[tip],
        expected="each tip payoff is placed beside the tip and fanned",
        observed=say.that("the tip payoff of {tip} was not fanned", tip=say.place(tip.at)) + (little if either else ""),
        also=[EQUAL] if either else [],
    )
