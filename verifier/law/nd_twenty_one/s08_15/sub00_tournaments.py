"""Tournaments: rules, chips, spaces, bets (99-01.3-08-15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

import msgspec

from verifier.domain.events import ButtonMoved, CurrencySpread, PlayerPresence, RoundEnded
from verifier.law import say
from verifier.law.entries import Entry, as_flag, as_number
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import stake_of
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.rows import of_row
from verifier.law.session import Session

RULES = "ND-08-15.0-tournament-rules"
NO_VALUE = "ND-08-15.1-no-value-chips"
SPACES = "ND-08-15.2-one-or-two-spaces"
BUTTON = "ND-08-15.2-button-clockwise"
LENGTH = "ND-08-15.2-length-set"
NO_MOVE = "ND-08-15.3-no-move-stop"
EACH_HAND = "ND-08-15.3-min-bet-each-hand"
CASH_OUT = "ND-08-15.3-no-early-cash-out"
MOST = "ND-08-15.4-most-chips-wins"
ON: Final[dict[str, object]] = {"tournament_rules": "on"}
READS = ("tournament",)


@session_check(RULES, LENGTH, CASH_OUT, reads=READS)
def tournament_rules(session: Session) -> Iterator[Instance]:
    """Rules are disclosed, a length is set and kept, and nobody cashes out before the end."""
    for entry in session.records.of("tournament"):
        told = entry.told("rules_disclosed", "disclosed", "rules_posted")
        if told is not None:
            yield of_row(RULES, told, entry, expected="the tournament's rules are disclosed", observed="they are not")
        yield from _length(session, entry)
        early = entry.names("early_cash_outs", "cashed_out_early", "early_cash_out")
        flag = entry.flag("early_cash_out", "cashed_out_early")
        if (early is not None or flag is not None) and entry.flag("withdrew", "withdrawn") is not True:
            yield of_row(
                CASH_OUT,
                not flag if flag is not None else _all_withdrew(entry),
                entry,
                expected="nobody cashes out before the end but to withdraw",
                observed="a player cashed out",
            )


def _all_withdrew(entry: Entry) -> bool | None:
    """Tell whether those who cashed out early withdrew; a bare name is of one who did not."""
    given = entry.get("early_cash_outs", "cashed_out_early", "early_cash_out")
    people = given if isinstance(given, list) else [given]
    said = [as_flag(p.get("withdrew", p.get("withdrawn"))) if isinstance(p, Mapping) else False for p in people if p]
    return False if False in said else (None if None in said else True)


def _length(session: Session, entry: Entry) -> Iterator[Instance]:
    names = ("hands", "number_of_hands", "shoes", "number_of_shoes", "time_limit", "minutes", "length")
    told = entry.told(*names)
    hands, played = entry.number("hands", "number_of_hands"), entry.number("rounds_played", "hands_played")
    if told is False or (told and (hands is None or played is None)):
        yield of_row(LENGTH, told, entry, expected="time, shoes or hands are set", observed="no length is set")
    elif hands is not None and played is not None:
        yield of_row(
            LENGTH,
            hands == played,
            entry,
            expected=say.that("{hands} hands are played", hands=say.number(hands)),
            observed=say.that("{played} were played", played=say.number(played)),
        )


@session_check(NO_VALUE, needs=ON, reads=("currency_spread",))
def no_cash(session: Session) -> Iterator[Instance]:
    """No cash is changed at a tournament table."""
    for event in session.of(CurrencySpread):
        yield judged(
            NO_VALUE,
            None,
            key=event.id,
            at="inner",
            events=[event],
            expected="tournament chips are given for the entry fee only",
            observed="cash was changed at a tournament table",
        )


@session_check(NO_VALUE, MOST, reads=READS)
def tournament_chips(session: Session) -> Iterator[Instance]:
    """Every player starts with the same no-value chips; who ends with the most wins."""
    for entry in session.records.of("tournament"):
        starts = _numbers(entry.get("starting_chips", "start_chips"))
        if starts:
            yield of_row(
                NO_VALUE,
                len(set(starts.values())) == 1,
                entry,
                expected="all players start with the same chips",
                observed="they start with "
                + say.listed(", ", (say.that("{v}", v=say.number(v)) for v in sorted(set(starts.values())))),
            )
        valued = entry.flag("chips_redeemable", "redeemable")
        if valued is not None:
            yield of_row(
                NO_VALUE,
                not valued,
                entry,
                key="value",
                expected="tournament chips have no cash value",
                observed="they can be redeemed",
            )
        yield from _winner(entry)


def _winner(entry: Entry) -> Iterator[Instance]:
    finals = _numbers(entry.get("final_chips", "chip_counts", "final_counts"))
    winners = {w.lower() for w in entry.names("winner", "winners") or ()}
    if finals and winners:
        most = max(finals.values())
        best = {name for name, chips in finals.items() if chips == most}
        agreed = entry.flag("split_prize", "prize_split") is True and len(winners) == 2
        yield of_row(
            MOST,
            agreed or winners <= best,
            entry,
            expected=say.that(
                "{best} wins with {most} chips", best=say.listed(" or ", sorted(best)), most=say.number(most)
            ),
            observed=say.that("{winners} won", winners=say.listed(", ", sorted(winners))),
        )


def _numbers(value: object) -> dict[str, float]:
    if not isinstance(value, Mapping):
        return {}
    found = {str(name).lower(): as_number(number) for name, number in value.items()}
    return {name: number for name, number in found.items() if number is not None}


@session_check(SPACES, EACH_HAND, NO_MOVE, needs=ON, reads=("player_presence", "wager_placed"))
def players_stay(session: Session) -> Iterator[Instance]:
    """Check that a player has one or two spaces, bets on each hand and does not leave before the end."""
    seated: dict[int, PlayerPresence] = {}
    arrivals = [e for e in session.of(PlayerPresence) if e.phase == "arrive"]
    for event in arrivals:
        seated |= dict.fromkeys(event.spaces or (), event)
        if event.spaces:
            yield judged(
                SPACES,
                len(event.spaces) <= 2,
                key=event.id,
                at=f"space:{min(event.spaces)}",
                events=[event],
                expected="a player is assigned one or two spaces",
                observed=say.that("{spaces} spaces", spaces=len(event.spaces)),
            )
    for event in session.of(PlayerPresence):
        later = [g for g in session.rounds if g.first_card and g.first_card.t_start > event.t_end]
        if event.phase == "leave" and later:
            back = any(a.t_start >= event.t_end and set(a.spaces or ()) & set(event.spaces or ()) for a in arrivals)
            yield judged(
                NO_MOVE,
                False if back else None,
                key=event.id,
                events=[event],
                expected="a player does not pause or change tables in a tournament",
                observed="a player left and came back" if back else "a player left before the end",
            )
    yield from _bets(session, seated)


def _bets(session: Session, seated: Mapping[int, PlayerPresence]) -> Iterator[Instance]:
    """Each assigned space bets on each hand; one that bet before and bets again is assigned, whoever told so."""
    gone = [e for e in session.of(PlayerPresence) if e.phase == "leave"]
    wagered = [{hand.key[0] for hand in game.hands if hand.has_wager} for game in session.rounds]
    for index, game in enumerate(session.rounds):
        first = game.first_card
        if first is None or not game.bets_seen:
            continue
        here = {
            space
            for space, arrival in seated.items()
            if arrival.t_end <= first.t_start
            and not any(space in (e.spaces or ()) and arrival.t_end < e.t_start < first.t_start for e in gone)
        }
        earlier, later = set().union(*wagered[:index]), set().union(*wagered[index + 1 :])
        skipped = (earlier & later) - wagered[index]
        left = {space for e in gone if e.t_start < first.t_start for space in e.spaces or ()}
        for space in sorted(here | (skipped - left)):
            right: bool | None = space in wagered[index]
            if not right and space not in here and (session.from_pixels or game.card_missing):
                right = None
            yield msgspec.structs.replace(
                judged(
                    EACH_HAND,
                    right,
                    key=f"{game.number} {space}",
                    at=f"space:{space}",
                    events=[first],
                    also=[NO_MOVE],
                    expected=say.that("space {space} bets on each hand of the tournament", space=space),
                    observed=say.that("it had no bet in round {number}", number=game.number),
                ),
                round=game.number,
            )


@round_check(EACH_HAND, needs=ON, partial="undetermined")
def tournament_bets(game: Round) -> Iterator[Instance]:
    """Check that a bet is within the limits that the organization set. A limit of 25.00 is the law's own for money, and
    perhaps none that the organization set.
    """
    limits = game.house.table_limits
    for hand in game.hands:
        stake = hand.stakes.get("original")
        if stake is None or not stake.placed or not hand.cards or stake.given_back:
            continue
        amount = stake_of(game, hand, "original")
        high, low = amount.low > limits.max, amount.high is not None and amount.high < limits.min
        right: bool | None = not high and not low
        if high and limits.max == game.figures.wager_most_cents:
            right = None
        yield judged(
            EACH_HAND,
            right,
            at=hand.place,
            key="limits",
            events=stake.placed,
            expected=say.that(
                "a bet is from {min} to {max} in chips of the tournament",
                min=say.cents(limits.min),
                max=say.cents(limits.max),
            ),
            observed=say.that("{hand} bet {amount}", hand=say.place(hand.place), amount=amount),
            uncounted=right is None and not amount.exact,
        )


@session_check(BUTTON, needs=ON, reads=("button_moved",))
def button_clockwise(session: Session) -> Iterator[Instance]:
    """Check that a betting button moves one place clockwise after each hand: to the next space on the dealer's
    left-hand count.
    """
    spaces = sorted({hand.key[0] for game in session.rounds for hand in game.hands if hand.has_wager})
    moves = session.of(ButtonMoved)
    for before, after in pairwise(moves):
        played = _played_between(session, before, after)
        for game in played[:-1]:
            yield _stayed(before, after, game, right=False)
        at, to = hand_key(before.to), hand_key(after.to)
        if at is None or to is None or at[0] not in spaces or to[0] not in spaces:
            continue
        steps = (spaces.index(to[0]) - spaces.index(at[0])) % len(spaces)
        expected = spaces[(spaces.index(at[0]) + 1) % len(spaces)]
        yield judged(
            BUTTON,
            steps in {1 % len(spaces), len(played) % len(spaces)} if played else to[0] == expected,
            key=after.id,
            at=after.to,
            events=[before, after],
            expected=say.that("the button moves from space {at} to space {expected}", at=at[0], expected=expected),
            observed=say.that("it moved to space {to}", to=to[0]),
        )
    for game in _played_between(session, moves[-1], None)[:-1] if moves else ():
        yield _stayed(moves[-1], None, game, right=None)


def _played_between(session: Session, before: ButtonMoved, after: ButtonMoved | None) -> list[Round]:
    """Return the rounds that ended between two moves of the button, or after its last one."""
    ends = [(game, game.of(RoundEnded)) for game in session.rounds]
    return [
        game
        for game, ended in ends
        if ended and before.t_end <= ended[0].t_start and (after is None or ended[0].t_start <= after.t_start)
    ]


def _stayed(before: ButtonMoved, after: ButtonMoved | None, game: Round, *, right: bool | None) -> Instance:
    """Return the finding that the button stayed after a hand; open where the log tells of no later move."""
    return msgspec.structs.replace(
        judged(
            BUTTON,
            right,
            key=f"{before.id} {game.number}",
            at=before.to,
            events=[before, *game.of(RoundEnded), *([after] if after else [])],
            expected="the button moves one place clockwise after each hand",
            observed=say.that("it did not move after round {number}", number=game.number or 0),
        ),
        round=game.number,
    )
