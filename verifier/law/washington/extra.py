"""Doubles and splits, and what a short bank does to them (subsections 14, 16/17)."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardsMoved, WagerCovered
from verifier.engine.totals import is_pair
from verifier.law import say
from verifier.law.amounts import Amount, seen, total
from verifier.law.hands import SETTLED_BACK, Hand, HeldCard, agree, rank_text
from verifier.law.instances import Instance, judged
from verifier.law.money import stake_of
from verifier.law.registry import WASHINGTON, round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session
from verifier.law.washington.clauses import DOUBLE, DOUBLE_SHORT, MATCH, SPLIT, SPLIT_SHORT
from verifier.law.washington.ledger import in_round, ledger, stacked, told


@round_check(DOUBLE, rulebooks=WASHINGTON)
def doubled_on_two_cards(game: Round) -> Iterator[Instance]:
    """Check that a hand is doubled on two cards, where house rules allow it."""
    for hand in game.hands:
        if not hand.doubled or not hand.stakes["double"].placed:
            continue
        placed = hand.stakes["double"].placed[0]
        before = [c for c in hand.cards if c.t <= placed.t_start + 0.01]
        allowed = game.house.wa_double_allowed is not False
        yield judged(
            DOUBLE,
            allowed and len(before) == 2,
            at=hand.place,
            key="cards",
            events=[*(c.dealt for c in hand.cards), placed],
            expected="a hand is doubled on its first two cards" if allowed else "no double, by house rule",
            observed=say.that("{hand} doubled with {before} cards", hand=say.place(hand.place), before=len(before)),
        )


@session_check(DOUBLE, DOUBLE_SHORT, rulebooks=WASHINGTON)
def doubles_covered(session: Session) -> Iterator[Instance]:
    """Check that a double equals the wager, or with a short bank what remains of it, and that it is covered. Without a
    bank there is none.
    """
    for game in session.rounds:
        for hand in game.hands:
            kind = "split" if hand.key[1] else "original"
            if game.opened and hand.doubled and hand.stakes["double"].placed and kind in hand.stakes:
                yield from (in_round(i, game) for i in _double(session, game, hand, kind))


def _double(session: Session, game: Round, hand: Hand, kind: str) -> Iterator[Instance]:
    placed = hand.stakes["double"].placed
    own, base, bank = hand.stakes["double"].amount, stake_of(game, hand, kind), ledger(session).at(placed[0])
    over = base.high is not None and own.low > base.high
    same, short = own.equals(base), _less(bank, base)
    right = same if short is False else (None if short is None else own.equals(bank))
    if short is None and same:
        right = True
    clause = DOUBLE if over or short is False else DOUBLE_SHORT
    if over or right is not None or not stacked(own, base):
        yield judged(
            clause,
            False if over else right,
            at=hand.place,
            events=placed,
            expected=say.that(
                "the double of {hand} is {base}, or all that remains of a bank that is smaller",
                hand=say.place(hand.place),
                base=base,
            ),
            observed=say.that(
                "{hand} doubled with {own} and the bank held {bank}", hand=say.place(hand.place), own=own, bank=bank
            ),
            also=[DOUBLE_SHORT if clause == DOUBLE else DOUBLE],
            incident=f"double {hand.place}",
        )
    if right:
        yield judged(DOUBLE_SHORT, True, at=hand.place)
    yield from _double_covered(session, game, hand, own)


def _double_covered(session: Session, game: Round, hand: Hand, own: Amount) -> Iterator[Instance]:
    """Check that a double of an amount is covered."""
    placed = hand.stakes["double"].placed
    covers = _covers(game, hand, placed[0].t_start)
    part = total(seen(e.cents, e.lower_bound) for e in covers)
    enough = part.equals(own)
    if (covers and (enough is not None or not stacked(part, own))) or (
        not covers and game.closed and told(session, WagerCovered)
    ):
        yield judged(
            DOUBLE_SHORT,
            enough if covers else False,
            at=hand.place,
            key="cover",
            events=[*placed, *covers],
            expected=say.that("the double of {hand} is covered with {own}", hand=say.place(hand.place), own=own),
            observed=say.that("it was covered with {part}", part=part),
            also=() if enough else [MATCH],
            incident=f"double {hand.place}",
        )


def _covers(game: Round, hand: Hand, since: float) -> list[WagerCovered]:
    return [e for e in game.at(WagerCovered, hand.key) if e.t_start >= since]


def _less(bank: Amount, wanted: Amount) -> bool | None:
    """Tell whether the bank holds less than wanted."""
    if bank.high is None or wanted.high is None:
        return None
    return True if bank.high < wanted.low else False if bank.low >= wanted.high else None


@round_check(SPLIT, rulebooks=WASHINGTON)
def pair_split(game: Round) -> Iterator[Instance]:
    """Check that only a pair in the first two cards is split, and that it is split again only by house rule."""
    for event, _, new, pair in game.folded.splits:
        yield judged(
            SPLIT,
            _is_pair(pair),
            at=event.from_,
            key=event.id,
            events=[*(card.dealt for card in pair), event],
            expected="only a pair is split",
            observed=say.that("{event} was split with ", event=say.place(event.from_))
            + say.cards(rank_text(card.ranks) for card in pair),
        )
        if new[1] > 1:
            yield judged(
                SPLIT,
                game.house.wa_resplit,
                at=event.from_,
                key=f"{event.id} again",
                events=[event],
                expected="a hand is split again only by house rule",
                observed=say.that("space {new} was split again", new=new[0]),
            )


def _is_pair(pair: tuple[HeldCard, ...]) -> bool | None:
    """Equal ranks; whether two different ten-counts are a pair the proposals do not say."""
    if len(pair) != 2:
        return False
    same = agree(a == b for a in pair[0].ranks for b in pair[1].ranks)
    alike = agree(is_pair(a, b) for a in pair[0].ranks for b in pair[1].ranks)
    return None if same is False and alike is not False else same


@session_check(SPLIT, SPLIT_SHORT, rulebooks=WASHINGTON)
def splits_covered(session: Session) -> Iterator[Instance]:
    """Check that the second bet equals the first. With a short bank both hands share what is wagered and what remains
    of it.
    """
    for game in session.rounds:
        for event, old, new, _ in game.folded.splits:
            hand, first = game.by_key.get(new), game.by_key.get(old)
            if game.opened and hand is not None and first is not None and "split" in hand.stakes:
                yield from (in_round(i, game) for i in _split(session, game, event, first, hand))


def _split(session: Session, game: Round, event: CardsMoved, first: Hand, hand: Hand) -> Iterator[Instance]:
    stake = first.stakes.get("original") or first.stakes.get("split")
    if stake is None or not stake.placed:
        return
    placed, own, now = hand.stakes["split"].placed, hand.stakes["split"].amount, stake.amount
    before = stake.first.less(total(seen(e.cents) for e in stake.returned if e.reason not in SETTLED_BACK))
    bank = ledger(session).at(min((*placed, *stake.changed, event), key=lambda e: e.t_end))
    short = _less(bank, before)
    same = own.equals(before) if not stake.changed else None if short is None else False
    if short is False or (short is None and same):
        clause, right = SPLIT, same
    else:
        clause, right = SPLIT_SHORT, _shared(own + now, before + bank)
        if bank.high == 0 and before.exact and before.low <= game.house.table_limits.min:
            right = False
    if right is not None or not stacked(own, before):
        yield judged(
            clause,
            right,
            at=hand.place,
            key=event.id,
            events=[*placed, *stake.changed, event],
            expected=say.that(
                "the second bet equals the first, {before}, or both share what is wagered and the bank of {bank}",
                before=before,
                bank=bank,
            ),
            observed=say.that(
                "{first} stood at {now} and {hand} at {own}",
                first=say.place(first.place),
                now=now,
                hand=say.place(hand.place),
                own=own,
            ),
            also=[] if right else [SPLIT_SHORT if clause == SPLIT else SPLIT],
            incident=f"split {hand.place}",
        )
    if short is False and game.closed and told(session, WagerCovered):
        yield from _split_covered(game, event, first, hand)


def _split_covered(game: Round, event: CardsMoved, first: Hand, hand: Hand) -> Iterator[Instance]:
    """Check that the second bet of a split is covered, before it is doubled; a cover may lie at the first hand."""
    placed, own = hand.stakes["split"].placed, hand.stakes["split"].amount
    begun = placed[0].t_start
    doubled = hand.stakes["double"].placed[0].t_start if hand.doubled else float("inf")
    covers = [e for e in _covers(game, hand, begun) if e.t_start < doubled]
    if covers or not _covers(game, first, begun):
        part = total(seen(e.cents, e.lower_bound) for e in covers)
        enough = part.equals(own)
        yield judged(
            MATCH,
            enough,
            at=hand.place,
            key=event.id,
            events=[*placed, *covers],
            expected=say.that("the second bet of {hand} is covered with {own}", hand=say.place(hand.place), own=own),
            observed=say.that("it was covered with {part}", part=part),
            also=() if enough else [SPLIT_SHORT],
            incident=f"split {hand.place}",
        )


def _shared(sum_of_wagers: Amount, most: Amount) -> bool | None:
    if sum_of_wagers.high is not None and sum_of_wagers.high <= most.low:
        return True
    return False if most.high is not None and sum_of_wagers.low > most.high else None
