"""Hand signals and hit cards (99-01.3-08-11(4), (5), 12(8), 12(15))."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import AnyEvent, CardDealt, HandSignal
from verifier.law import say
from verifier.law.hands import Hand, HeldCard, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import even_money
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import ROUNDING_S, Session

HIT = "ND-08-11.4-hand-signal-hit"
BYPASS = "ND-08-11.4-hand-signal-bypass"
REQUESTED = "ND-08-11.5-deal-as-requested"
MISSED = "ND-08-12.15-missed-hit"
ERROR_CARD = "ND-08-12.8-exposed-error-card"
DECISIONS = ("hit", "stand", "split", "double")
LONGEST_ACT = 1.5
"""Seconds for which an act lasts at most: of a record that is longer nobody knows when in it the act was."""
SLACK = 0.3 + ROUNDING_S
"""Seconds by which a signal may begin after the card has begun to leave the shoe (site policy, measuring)."""


def signals(game: Round, hand: Hand) -> list[HandSignal]:
    """Signals of a hand; those of a split hand may be named at its space."""
    own = list(game.at(HandSignal, hand.key))
    if hand.key[1]:
        begun = hand.dealt[0].t_end if hand.dealt else float("inf")
        own += [
            s for s in game.at(HandSignal, (hand.key[0], 0)) if s.t_start >= begun and not _other_plays(game, hand, s)
        ]
    return own


def _other_plays(game: Round, hand: Hand, signal: HandSignal) -> bool:
    """Tell whether hand 0 of the space gets its next card after the signal, so that the signal was its own."""
    first = game.by_key.get((hand.key[0], 0))
    return first is not None and any(card.t_start >= signal.t_start for card in first.dealt)


def hit_cards(hand: Hand) -> list[tuple[HeldCard, HeldCard]]:
    """Cards that a hand was dealt beyond its first two, each with the card before it; those of a double left out."""
    double_t = float("inf")
    if hand.doubled and hand.stakes["double"].placed:
        double_t = hand.stakes["double"].placed[0].t_start
    pairs = zip(hand.cards[1:], hand.cards[2:], strict=False)
    return [(card, before) for before, card in pairs if card.t < double_t]


@round_check(HIT, ERROR_CARD)
def hit_signalled(game: Round) -> Iterator[Instance]:
    """No hit card without a hit signal of that hand since its previous card."""
    for hand in game.playing:
        if hand.ace_split:
            continue  # no card may follow a split ace's second, asked for or not: 09(2)(c)
        shown = signals(game, hand)
        for card, before in hit_cards(hand):
            yield judged(
                HIT,
                _asked_for(shown, hand, before, card),
                at=hand.place,
                key=card.dealt.id,
                events=[before.dealt, *_between(shown, before, card), card.dealt],
                expected=say.that("{hand} signals for a hit before it is dealt a card", hand=say.place(hand.place)),
                observed=say.that(
                    "{hand} was dealt {card} at {t_start} s without a hit signal",
                    hand=say.place(hand.place),
                    card=card.text,
                    t_start=say.moment(card.dealt.t_start),
                ),
                also=[ERROR_CARD, *([REQUESTED] if _between(shown, before, card) else [])],
                incident=_unasked(hand, card.dealt),
            )


def _asked_for(shown: Sequence[HandSignal], hand: Hand, before: HeldCard, card: HeldCard) -> bool | None:
    """Tell whether a hand asked for a card; None where a signal before it was seen weakly, and may have been any."""
    unsure = any(signal.weak for signal in _between(shown, before, card))
    return bool(_asked(shown, hand, before, card)) or (None if unsure else False)


def _unasked(hand: Hand, card: CardDealt) -> str:
    """Return the incident of a card that came to a hand that had not asked for it."""
    return f"hit {hand.place} {card.id}"


def _asked(shown: Sequence[HandSignal], hand: Hand, before: HeldCard, card: HeldCard) -> list[HandSignal]:
    """Return the signals of a hand that ask for a card, among those that it showed."""
    return [
        s
        for s in shown
        if s.meaning in ("hit", "double")
        and s.t_end >= before.dealt.t_start
        and s.t_start <= card.dealt.t_start + SLACK
        and not _answered(hand, before, s)
    ]


def _gone_astray(game: Round, asking: Hand, signal: HandSignal) -> str | None:
    """Return the incident of the next card after a signal, where it came to another hand that had not asked for it."""
    later = [
        (card.dealt.t_start, other, before, card)
        for other in game.playing
        for card, before in hit_cards(other)
        if card.dealt.t_start >= signal.t_start
    ]
    if not later:
        return None
    _, other, before, card = min(later, key=lambda one: one[0])
    astray = other is not asking and not _asked(signals(game, other), other, before, card)
    return _unasked(other, card.dealt) if astray else None


def _answered(hand: Hand, before: HeldCard, signal: HandSignal) -> bool:
    """Tell whether a signal had its card in `before`: begun before that card, over before it lay, it asks for no
    other.
    """
    asked_for = before in hand.cards[2:]
    return asked_for and signal.t_start < before.dealt.t_start and signal.t_end < before.dealt.t_end


def _between(shown: Sequence[HandSignal], before: HeldCard, card: HeldCard) -> list[HandSignal]:
    return [s for s in shown if before.dealt.t_start <= s.t_end and s.t_start <= card.dealt.t_start]


def decided_only_after(game: Round, hand: Hand, t: float) -> list[HandSignal]:
    """Decisions that a hand signalled only after a moment, where by then it had not decided to stand."""
    if not hand.cards or hand.cards[-1].dealt.t_start >= t or not undecided(game, hand, t):
        return []
    return [s for s in _decisions(game, hand) if s.t_start >= t - 0.01] if _needs_stand(game, hand) else []


def undecided(game: Round, hand: Hand, t: float) -> bool:
    """Tell whether a hand that may have to signal to stand had not done so by a moment."""
    stood = any(s.meaning == "stand" and s.t_start < t for s in _decisions(game, hand))
    return not stood and _needs_stand(game, hand) is not False


def _decisions(game: Round, hand: Hand) -> list[HandSignal]:
    """Return the decisions that a hand signalled since its last card."""
    last = hand.cards[-1].dealt
    return [s for s in signals(game, hand) if s.meaning in DECISIONS and s.t_end >= last.t_start]


@round_check(BYPASS)
def not_bypassed(game: Round) -> Iterator[Instance]:
    """Check that the dealer moves on from a hand only after it has signalled to stand."""
    for hand in game.playing:
        needed = _needs_stand(game, hand)
        if needed is False:
            continue
        act = _moved_on(game, hand)
        if act is None:
            continue
        last = hand.cards[-1].dealt
        shown = [s for s in signals(game, hand) if s.meaning == "stand"]
        later = [s for s in shown if s.t_end >= last.t_start]
        stands = [s for s in later if s.t_start <= act.t_start + SLACK]
        if not stands and len(hand.cards) > 2:
            stands = [s for s in shown if _decided_from(game, hand) <= s.t_end and s.t_start <= act.t_start + SLACK]
        perhaps = act.t_end - act.t_start > LONGEST_ACT and any(s.t_start < act.t_end for s in later)
        if (
            not stands
            and not (isinstance(act, CardDealt) and hand_key(act.to))
            and decided_only_after(game, hand, act.t_end)
        ):
            continue  # the dealer's own turn came too early, which is judged with the dealer's second card
        right: bool | None = True if stands else (False if needed and not perhaps else None)
        others = [s for s in signals(game, hand) if last.t_start <= s.t_end and s.t_start <= act.t_start + SLACK]
        yield judged(
            BYPASS,
            right,
            at=hand.place,
            events=[last, *others, act],
            expected=say.that("{hand} signals to stand before the dealer moves on", hand=say.place(hand.place)),
            observed=say.that(
                "{hand} had {hand_2} and the dealer moved on at {t_start} s without a stand signal",
                hand=say.place(hand.place),
                hand_2=hand.text(),
                t_start=say.moment(act.t_start),
            ),
            incident=f"passed over {hand.place}",
        )


def _decided_from(game: Round, hand: Hand) -> float:
    """When a hand's last decision may begin (s): with its last card, or before cards dealt on a stand signal."""
    last = hand.cards[-1].dealt
    for card, before in reversed(hit_cards(hand)):
        shown = _between(signals(game, hand), before, card)
        if card.dealt is not last or not shown or any(s.meaning != "stand" for s in shown):
            break
        last = before.dealt
    return last.t_start


def _needs_stand(game: Round, hand: Hand) -> bool | None:
    """Tell whether a hand must signal to stand: not when bust, doubled, a split ace, a natural, or at 21."""
    if hand.doubled or hand.ace_split or even_money(game, hand):
        return False
    open_totals = {total.best < 21 for total in hand.totals}
    if open_totals == {False}:
        return False
    if game.reader and game.dealer.natural is not False and game.dealer.up_high is not False:
        return False if game.dealer.natural else None
    return True if open_totals == {True} and not _perhaps_aces(game, hand) else None


def _perhaps_aces(game: Round, hand: Hand) -> bool:
    """Tell whether a hand was split off cards of which none was read: they may have been aces."""
    pairs = (pair for _, old, new, pair in game.folded.splits if hand.key in (old, new))
    return any(all("A" in card.ranks for card in pair) for pair in pairs)


def _moved_on(game: Round, hand: Hand) -> AnyEvent | None:
    """Return the act that moved on from a hand after its last card: the first card to a later hand, or the dealer's
    turn.
    """
    last = hand.cards[-1].t
    begun = max(last, game.deal_end or 0.0)
    for event in game.of(CardDealt):
        key = hand_key(event.to)
        if event.t_start >= begun - 0.01 and key is not None and key > hand.key and is_hit(game, event):
            return event
    if game.turned is not None and game.turned.t_start >= begun - 0.01:
        return game.turned
    own = [c for c in game.dealer_dealt[1 if game.no_hole else 2 :] if c.t_start >= begun - 0.01]
    return own[0] if own else None


def is_hit(game: Round, event: CardDealt) -> bool:
    """Tell whether a card is beyond the initial two of its space (a late second card of 12(2) is not)."""
    key = hand_key(event.to)
    hand = game.by_key.get(key) if key else None
    if hand is None:
        return False
    return bool(hand.key[1]) or event not in hand.dealt[:2]


@round_check(REQUESTED, MISSED)
def dealt_as_requested(game: Round) -> Iterator[Instance]:
    """Check that a hand that signals for a hit gets a card, face up."""
    for hand in game.playing:
        hits = hit_cards(hand)
        for card, _ in hits:
            yield judged(
                REQUESTED,
                card.dealt.face == "up",
                at=hand.place,
                key=card.dealt.id,
                events=[card.dealt],
                expected="hit cards are dealt face up",
                observed=say.that("a hit card of {hand} was dealt face down", hand=say.place(hand.place)),
                incident=f"face {card.dealt.id}",
                rank=4,
            )
        shown = [s for s in signals(game, hand) if s.meaning in ("hit", "stand", "double", "split")]
        last = shown[-1] if shown else None
        if last is None or last.meaning != "hit" or hand.doubled or _moved_on(game, hand) is None:
            continue
        unanswered = last.t_start > hand.dealt[-1].t_end
        astray = _gone_astray(game, hand, last) if unanswered else None
        yield judged(
            REQUESTED,
            not unanswered,
            at=hand.place,
            key="last",
            events=[last],
            expected=say.that("{hand} is dealt the card that it signalled for", hand=say.place(hand.place)),
            observed=say.that(
                "{hand} signalled for a hit at {t_start} s and got no card",
                hand=say.place(hand.place),
                t_start=say.moment(last.t_start),
            ),
            also=[MISSED],
            incident=astray or f"passed over {hand.place}",
            rank=6 if astray else 4,
        )


@session_check(REQUESTED)
def signal_passed_over(session: Session) -> Iterator[Instance]:
    """Check that a hit signal is answered with a card. One that a stand signal followed without a card may have been
    misread.
    """
    for game in session.rounds:
        if not game.opened:
            continue
        for hand in game.playing:
            shown = [s for s in signals(game, hand) if s.meaning in DECISIONS]
            for asked, then in itertools.pairwise(shown):
                if (asked.meaning, then.meaning) != ("hit", "stand") or asked.t_start <= hand.cards[1].dealt.t_start:
                    continue
                if then.t_start < asked.t_end:  # one gesture, told as either
                    continue
                if not any(asked.t_start - SLACK <= card.t_end and card.t_start <= then.t_end for card in hand.dealt):
                    astray = _gone_astray(game, hand, asked)
                    instance = judged(
                        REQUESTED,
                        None if session.from_pixels or game.lacks_records else False,
                        at=hand.place,
                        key=asked.id,
                        events=[asked, then],
                        expected=say.that("{hand} is dealt the card that it signalled for", hand=say.place(hand.place)),
                        observed=say.that(
                            "{hand} signalled for a hit at {t_start} s and got no card",
                            hand=say.place(hand.place),
                            t_start=say.moment(asked.t_start),
                        ),
                        incident=astray,
                        rank=6 if astray else 5,
                    )
                    yield msgspec.structs.replace(instance, round=game.number)
