"""Cards: from the shoe, looking at the down card, busted hands, no lifting (subsections 2, 5 to 7, 11/12, 15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.domain.events import (
    Announcement,
    CardDealt,
    CardRevealed,
    CardsMoved,
    ChipsCollected,
    HandSignal,
    HoleCardCheck,
    Touch,
)
from verifier.engine.totals import LIMIT
from verifier.law import say
from verifier.law.entries import plain
from verifier.law.hands import hand_key, space_of
from verifier.law.instances import Instance, judged
from verifier.law.manual.deal import initial_cards
from verifier.law.registry import WASHINGTON, adopt, explain, round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session
from verifier.law.washington.clauses import MAY_PEEK, NO_LIFT, SHALL_PEEK, SHOE, SPOKEN, TURN_DOWN
from verifier.law.washington.ledger import in_round, told

WORDS = ("hit", "stand", "stay", "double", "double_down", "split")
"""Decisions of players in words."""
NEAR = 1.0
"""Seconds around the turning down or splitting of a hand in which the player moves cards lawfully (project policy)."""


@round_check(SHOE, rulebooks=WASHINGTON, partial="keep")
def from_the_shoe(game: Round) -> Iterator[Instance]:
    """Every card comes from the shoe."""
    for card in game.of(CardDealt):
        elsewhere = card.source_place == "elsewhere"
        if elsewhere or card.shoe is not None:
            yield judged(
                SHOE,
                not elsewhere,
                at=card.to,
                key=card.id,
                events=[card],
                expected="cards are dealt from the shoe",
                observed=say.that("the card for {card} came from elsewhere", card=say.place(card.to)),
            )


def _player_acts(game: Round) -> list[CardDealt]:
    """Players' cards beyond the deal."""
    initial = {card.id for _, card in initial_cards(game)}
    return [c for c in game.of(CardDealt) if hand_key(c.to) is not None and c.id not in initial]


_LOOKED = {
    "peek": "the down card was looked at with {cards} up",
    "reader": "the down card was put in a reader with {cards} up; whether that is a look the text does not say",
}


@round_check(MAY_PEEK, rulebooks=("wa-blackjack-a",), partial="undetermined")
def looked_too_early(game: Round) -> Iterator[Instance]:
    """Check that the down card is looked at early only with an ace or ten-count up, and otherwise not before the turn
    to draw.

    Whether a reader looks at it, which tells a natural and no card, the text does not say: it knows none.
    """
    acts = _player_acts(game)
    for check in game.of(HoleCardCheck):
        own_turn, high = _at_own_turn(game, check, acts), game.dealer.up_high
        right = True if high or own_turn else None if None in (high, own_turn) else False
        if game.deal_end is not None and check.t_end < game.deal_end:
            right = False
        if check.how != "peek":
            right = right or None
        yield judged(
            MAY_PEEK,
            right,
            at="dealer",
            key=check.id,
            events=[*(c.dealt for c in game.dealer.cards[:2]), check],
            expected="the down card is looked at only with an ace or ten-count up, or at the turn to draw",
            observed=say.that(_LOOKED[check.how], cards=game.dealer.cards[0].text if game.dealer.cards else "?"),
        )


def _at_own_turn(game: Round, check: HoleCardCheck, acts: Sequence[CardDealt]) -> bool | None:
    """Tell whether all players were done: no card and no decision of theirs follows the look.

    Who stands without a word leaves no record: a hand that may still have decided then leaves it open, but for a look
    that is clearly nearer to the deal than to the dealer's own turn.
    """
    if any(card.t_start >= check.t_end for card in acts):
        return False
    decided = _decisions(game)
    if any(t >= check.t_end for t in decided):
        return False
    if decided or (acts and not _may_follow(game, acts[-1])):
        return True
    if game.turned is None or len(game.dealer_dealt) < 2:
        return None
    if game.turned.t_start <= check.t_end:
        return True
    since, until = check.t_start - game.dealer_dealt[1].t_end, game.turned.t_start - check.t_end
    return False if not acts and since * 2 < until else None


def _decisions(game: Round) -> list[float]:
    """Moments (s) at which players were seen or heard to decide in the round, before the dealer's own turn."""
    heard = [a.t_start for a in game.of(Announcement) if plain(a.text or "") in WORDS]
    signs = [s.t_start for s in game.of(HandSignal) if s.meaning in WORDS]
    return [t for t in (*heard, *signs) if game.turned is None or t < game.turned.t_end]


def _may_follow(game: Round, last: CardDealt) -> bool:
    """Tell whether a hand after the one that got the last card may still have had to decide."""
    drawn = hand_key(last.to)
    return any(
        drawn is not None and hand.key > drawn and not hand.doubled and any(t.best < LIMIT for t in hand.totals)
        for hand in game.playing
    )


adopt(("wa-blackjack-b",), looked_too_early, {MAY_PEEK: SHALL_PEEK})


@session_check(SHALL_PEEK, rulebooks=("wa-blackjack-b",), reads=("hole_card_check",))
def looked_with_ten_or_ace(session: Session) -> Iterator[Instance]:
    """With an ace or ten-count up the dealer/banker looks at the down card before play goes on."""
    for game in session.rounds if told(session, HoleCardCheck) else ():
        if game.opened:
            yield from (in_round(instance, game) for instance in _looked(game))


def _looked(game: Round) -> Iterator[Instance]:
    acts, checks = _player_acts(game), game.of(HoleCardCheck)
    if game.dealer.up_high is False or len(game.dealer_dealt) < 2 or not (acts or game.closed):
        return
    in_time = [c for c in checks if not acts or c.t_start <= acts[0].t_end]
    turned = game.turned is not None and game.dealer.natural is not False and not acts
    looked = bool(in_time) or turned
    if game.dealer.up_high is None and in_time:
        return
    yield judged(
        SHALL_PEEK,
        None if game.dealer.up_high is None else looked,
        at="dealer",
        key="due",
        events=[*game.dealer_dealt[:2], *acts[:1]],
        expected="with an ace or ten-count up the dealer/banker looks at the down card before play goes on",
        observed="it was not looked at" if not checks else "it was looked at after play had gone on",
    )


@session_check(TURN_DOWN, rulebooks=WASHINGTON)
def busted_hand_turned_down(session: Session) -> Iterator[Instance]:
    """Check that a busted player turns the hand down and the bet is collected before the next player plays."""
    for game in session.rounds:
        if game.opened:
            yield from (in_round(instance, game) for instance in _busted(session, game))


def _moved_on(game: Round, space: int, t: float) -> list[CardDealt | CardRevealed]:
    """Cards of later spaces after a moment, and the turning of the dealer's card; players decide by word, not sign."""
    cards = [c for c in _player_acts(game) if (space_of(c.to) or 0) > space]
    turned = [game.turned] if game.turned is not None else []
    acts: tuple[CardDealt | CardRevealed, ...] = (*cards, *turned)
    return sorted((e for e in acts if e.t_start >= t), key=lambda e: e.t_end)


def _busted(session: Session, game: Round) -> Iterator[Instance]:
    seen = told(session, CardsMoved, lambda event: getattr(event, "kind", "") == "turn_down")
    for hand in game.playing:
        if hand.bust is not True:
            continue
        over = hand.cards[-1].t
        downs = [m for m in game.of(CardsMoved) if m.kind == "turn_down" and hand_key(m.from_) == hand.key]
        later = _moved_on(game, hand.key[0], over)
        taken = [e for e in game.at(ChipsCollected, hand.key) if e.kind != "insurance"]
        if not game.closed and not later:
            continue
        late = bool(taken) and bool(later) and later[0].t_end <= taken[0].t_start
        yield judged(
            TURN_DOWN,
            False if late else bool(downs) or (False if seen else None),
            at=hand.place,
            events=[hand.cards[-1].dealt, *taken, *later[:1]],
            expected="a busted hand is turned down and its bet collected before the next player plays",
            observed="the bet was collected after the next player had played" if late else "it was not turned down",
        )


@round_check(NO_LIFT, rulebooks=WASHINGTON, partial="keep")
def cards_not_lifted(game: Round) -> Iterator[Instance]:
    """Check that a player neither lifts cards nor slides them away. Turning down a busted hand is no such act."""
    for touch in game.of(Touch):
        if touch.by != "player" or touch.object != "card" or _own_act(game, touch):
            continue
        yield judged(
            NO_LIFT,
            None if touch.displaced is None else not touch.displaced,
            at=touch.at,
            key=touch.id,
            events=[touch],
            expected="players neither lift cards nor slide them out of their area",
            observed=say.that(
                "a player moved a card of {touch} at {t_start} s",
                touch=say.place(touch.at),
                t_start=say.moment(touch.t_start),
            ),
        )
    yield judged(NO_LIFT, True)


def _own_act(game: Round, touch: Touch) -> bool:
    key = hand_key(touch.at)
    return any(
        m.kind in ("turn_down", "split")
        and hand_key(m.from_) == key
        and m.t_start - NEAR <= touch.t_end
        and touch.t_start <= m.t_end + NEAR
        for m in game.of(CardsMoved)
    )


explain({SPOKEN: "an announcement in an event log does not tell which player spoke"})
