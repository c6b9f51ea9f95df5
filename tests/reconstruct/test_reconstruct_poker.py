"""Hands of hold'em from what lay where: what happened, what the law says of it, and what is left open."""

from __future__ import annotations

import pytest
from msgspec import structs
from poker_scenes import DEALT_S, HOUSE, SEATS, Played, card_dwell, chip, layout, whole

from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport
from verifier.domain.observations import ButtonSeen, HandSeen, Observation
from verifier.law.judge import judge
from verifier.law.poker.unread import NEVER
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.poker.button import ButtonLog
from verifier.reconstruct.poker.card_dwells import CardDwell, with_glimpse
from verifier.reconstruct.poker.draw import draw_of
from verifier.reconstruct.poker.hand import as_many, of_board, of_burns
from verifier.reconstruct.poker.ordering import dealt_in_order
from verifier.reconstruct.poker.shuffles import shuffles_in
from verifier.reconstruct.scene import BackSeen
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

CLAUSE = "ND-09-04."


def told(played: Played, name: str) -> list[str]:
    found = []
    for event in played.events():
        if event.name == name:
            place = next((getattr(event, name) for name in ("from_", "to", "at") if hasattr(event, name)), "")
            found.append(f"{place} {getattr(event, 'card', getattr(event, 'action', ''))}".strip())
    return found


def judged(played: Played) -> FindingsReport:
    return judge(played.log())


def clauses(report: FindingsReport, verdict: str = "violation") -> set[str]:
    found = [one for one in report.findings if one.verdict == verdict]
    return {clause.removeprefix(CLAUSE) for one in found for clause in (one.clause, *one.also)}


def test_a_whole_hand_is_told_and_breaks_nothing() -> None:
    played = whole()
    assert told(played, "card_dealt")[:8] == [f"seat:{n} ??" for n in (1, 2, 3, 4)] * 2
    assert told(played, "card_dealt")[8:] == ["board 2c", "board 7s", "board 9h", "board 3d", "board 8c"]
    assert len(told(played, "card_burned")) == 3
    assert told(played, "player_action") == ["seat:2 fold", "seat:4 fold"]
    assert told(played, "card_revealed") == ["seat:1 As", "seat:1 Kd", "seat:3 9s", "seat:3 9d"]
    assert told(played, "pot_awarded") == ["seat:3"]
    report = judged(played)
    assert report.findings == []
    passed = {row.clause.removeprefix(CLAUSE) for row in report.clauses if row.verdict == "pass"}
    assert passed >= {"14-burn-policy", "7-left-of-button", "13-misdeal", "1-hand-ranking", "26-dealer-awards"}


def test_no_card_comes_out_of_a_shoe() -> None:
    assert all(event.shoe is None for event in whole().events())


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_a_missing_burn_is_a_violation(street: str) -> None:
    played = Played().deal().board(**{street: False})
    assert "14-burn-policy" in clauses(judged(played))


def test_two_burned_cards_are_a_violation() -> None:
    played = Played().deal().board()
    played.cards.append(card_dwell("burns", 38.0, xy=(-180.0, 250.0)))
    assert "14-burn-policy" in clauses(judged(played))


def test_a_burned_card_that_may_have_come_before_a_deal_or_after_it_is_told_where_it_is_due() -> None:
    """Its place was last searched just before the turn was dealt, and it shows before the river."""
    played = Played().deal().board(river=False)
    played.cards.append(card_dwell("burns", 46.0, late=6.1, xy=(-180.0, 250.0)))
    assert clauses(judged(played)) == set()


def test_a_burned_card_that_is_hardly_seen_accuses_nobody() -> None:
    played = Played().deal().board(turn=False)
    played.cards.append(card_dwell("burns", 41.5, late=3.0, xy=(-180.0, 250.0)))
    assert "14-burn-policy" not in clauses(judged(played))
    played.cards[-1] = card_dwell("burns", 41.5, late=0.5, xy=(-180.0, 250.0))
    assert "14-burn-policy" in clauses(judged(played))


@pytest.mark.parametrize(
    ("order", "clause"),
    [
        ((2, 3, 4, 1) * 2, "7-left-of-button"),
        ((1, 2, 3, 4, 3, 4, 1, 2), "7-left-of-button"),
        ((1, 2, 3, 4, 1, 2, 3, 4, 2), "13-misdeal"),
        ((1, 2, 4) * 2, "13-misdeal"),
    ],
)
def test_a_wrong_deal_that_is_played_on_is_a_violation(order: tuple[int, ...], clause: str) -> None:
    assert clause in clauses(judged(Played().deal(order).board()))


def test_without_a_button_the_start_is_not_assessed() -> None:
    played = Played(button=None).deal((2, 3, 4, 1) * 2).board()
    row = next(row for row in judged(played).clauses if row.clause == f"{CLAUSE}7-left-of-button")
    assert row.verdict == "not_assessed"
    assert "neither the button nor the blinds were seen" in (row.why or "")


def test_blinds_tell_the_button_where_it_is_not_seen() -> None:
    played = Played(button=None).deal((2, 3, 4, 1) * 2).board()
    for number, t in ((1, 7.0), (2, 8.0)):
        x, y = SEATS[number]
        played.dwells.append(chip((x, y + 80.0), t, 28.0))
    assert "7-left-of-button" in clauses(judged(played))


def test_a_card_that_is_seen_late_is_told_in_its_turn() -> None:
    played = Played().deal().board()
    played.cards[1] = structs.replace(played.cards[1], rest=12.7, early=8.0)
    assert clauses(judged(played)) == set()
    played.cards[1] = structs.replace(played.cards[1], rest=12.75, early=12.4)  # in the middle between two others
    assert "7-left-of-button" in clauses(judged(played))


def test_the_order_is_kept_where_it_cannot_have_been_another() -> None:
    cards = [card_dwell(f"seat:{number}", 10.0 + index) for index, number in enumerate((1, 2, 3, 3, 2, 1))]
    assert [card.place for _, card, _ in dealt_in_order(cards)] == [card.place for card in cards]


def test_a_second_card_that_nobody_saw_leaves_the_deal_open() -> None:
    played = Played().deal((1, 2, 3, 4, 1, 2, 3)).board()
    weak = [e for e in played.events() if e.name == "card_dealt" and getattr(e, "to", "") == "seat:4" and e.weak]
    assert len(weak) == 1
    assert "13-misdeal" not in clauses(judged(played))


def test_an_exposed_card_that_stays_is_a_violation() -> None:
    played = Played().deal().board()
    played.cards[1] = structs.replace(played.cards[1], faced=True, up=None, text="Qh", rank_p=0.99)
    assert "12-exposed-card" in clauses(judged(played))


def test_an_exposed_card_that_is_replaced_after_the_round_is_lawful() -> None:
    played = Played().deal((1, 2, 3, 4, 1, 2, 3, 4, 2)).board()
    exposed = structs.replace(played.cards[1], faced=True, text="Qh", rank_p=0.99, until=13.0, gone=13.5)
    played.cards[1] = exposed
    played.cards.append(card_dwell("burns", 14.0, xy=(-160.0, 250.0), faced=True, up=14.0, text="Qh", rank_p=0.99))
    report = judged(played)
    assert "12-exposed-card" not in clauses(report) | clauses(report, "undetermined")
    assert clauses(report) == set()


def test_a_replacement_that_nobody_saw_leaves_the_exposed_card_open() -> None:
    played = Played().deal().board()
    exposed = structs.replace(played.cards[1], faced=True, text="Qh", rank_p=0.99, until=14.5, gone=14.6)
    played.cards[1] = exposed
    report = judged(played)
    assert "12-exposed-card" in clauses(report, "undetermined")
    assert "12-exposed-card" not in clauses(report)


def test_a_pot_pushed_to_the_worse_hand_is_a_violation() -> None:
    played = Played().deal().fold(2, 20.0).board().fold(4, 36.0)
    played.show(1, 60.0, ("As", "Kd")).show(3, 62.0, ("9s", "9d")).push(1)
    assert "1-hand-ranking" in clauses(judged(played))


def test_a_winner_whose_hand_was_taken_to_the_muck_is_killed() -> None:
    played = Played().deal().fold(2, 20.0).board().fold(4, 36.0)
    played.show(1, 60.0, ("As", "Kd")).show(3, 62.0, ("9s", "9d")).fold(3, 66.0).push(1)
    assert told(played, "cards_collected") == ["seat:3"]
    assert "24.j-no-kill-winner" in clauses(judged(played))


def test_a_pot_pushed_to_a_folded_hand_is_a_violation() -> None:
    played = Played().deal().fold(2, 20.0).board().fold(4, 36.0)
    played.show(1, 60.0, ("As", "Kd")).show(3, 62.0, ("9s", "9d")).push(2)
    assert "24.c-premature-discard" in clauses(judged(played))


def test_a_tie_that_is_not_shared_is_a_violation_whatever_the_stakes() -> None:
    played = Played().deal().fold(2, 20.0).board().fold(4, 36.0)
    played.show(1, 60.0, ("As", "Kd")).show(3, 62.0, ("Ah", "Kc")).push(3)
    x, y = SEATS[1]
    played.dwells.append(chip((x, y + 80.0), 26.0, 28.0))
    assert "25-tie-break" in clauses(judged(played))


def test_a_pot_pushed_before_the_board_is_complete_is_a_violation() -> None:
    played = Played().deal().fold(2, 20.0).street(30.0, ("2c", "7s", "9h")).push(1)
    assert "26-dealer-awards" in clauses(judged(played))


def test_a_hand_that_went_while_nobody_could_see_leaves_the_award_open() -> None:
    played = Played().deal().fold(2, 20.0).fold(4, 21.0).street(30.0, ("2c", "7s", "9h")).push(1)
    played.cards = [
        structs.replace(one, until=64.0, gone=74.0) if one.place == "seat:3" else one for one in played.cards
    ]
    report = judged(played)
    assert "26-dealer-awards" in clauses(report, "undetermined")
    assert "26-dealer-awards" not in clauses(report)


def test_bets_on_the_way_to_the_pot_award_nothing() -> None:
    played = Played().deal().board()
    played.dwells += [chip((-20.0, 160.0), 25.0), chip((24.0, 160.0), 26.0)]
    x, y = SEATS[1]
    played.dwells.append(chip((x, y + 80.0), 55.0, 58.0))
    assert told(played, "pot_awarded") == []


def test_stakes_are_lower_bounds() -> None:
    played = Played().deal().board()
    x, y = SEATS[2]
    played.dwells += [chip((x, y + 80.0), 18.0, 25.0, 500), chip((x + 42.0, y + 80.0), 18.2, 25.0, 100)]
    (wager,) = [event for event in played.events() if event.name == "wager_placed"]
    assert (wager.at, wager.cents, wager.lower_bound) == ("seat:2", 600, True)  # type: ignore[union-attr]


def test_cards_taken_back_before_the_flop_are_a_misdeal() -> None:
    played = Played().deal((1, 2, 3, 4, 1, 2, 3, 4, 2))
    ended = [event for event in played.events() if event.name == "round_ended"]
    assert [event.reason for event in ended] == ["misdeal"]  # type: ignore[union-attr]
    assert clauses(judged(played)) == set()


def test_a_hand_that_lay_there_when_the_recording_began_is_not_judged_by_its_deal() -> None:
    played = Played(begun=False).deal((2, 3, 4, 1) * 2).board()
    assert "7-left-of-button" not in clauses(judged(played))


def test_two_cards_that_read_alike_are_one_that_was_misread() -> None:
    played = Played().deal().board().show(1, 60.0, ("9h", "Kd"))
    played.cards = [
        structs.replace(one, rank_p=0.95) if one.place == "seat:1" and one.text == "9h" else one for one in played.cards
    ]
    assert "seat:1 ?h" in told(played, "card_revealed")


@pytest.mark.parametrize(
    ("ranks", "verdict"), [({"K": 0.9, "Q": 0.1}, "pass"), ({"K": 0.9, "8": 0.1}, "undetermined"), ({}, "undetermined")]
)
def test_a_doubtful_rank_is_told_with_its_alternatives(ranks: dict[str, float], verdict: str) -> None:
    """A king and a queen leave an ace high, which loses to a pair of twos; with an eight a pair of eights wins."""
    played = Played().deal().fold(2, 20.0).board().fold(4, 36.0)
    played = played.show(1, 60.0, ("As", "Kd")).show(3, 62.0, ("2s", "6d")).push(3)
    played.cards = [
        structs.replace(one, text="?d", rank_p=0.9, ranks=ranks) if one.place == "seat:1" and one.text == "Kd" else one
        for one in played.cards
    ]
    (row,) = [row for row in judged(played).clauses if row.clause.endswith("1-hand-ranking")]
    assert row.verdict == verdict


BURNS = (-240.0, 250.0)


@pytest.mark.parametrize(
    ("start", "end", "at", "open_"),
    [
        (38.0, 39.5, BURNS, True),
        (38.0, 39.5, (0.0, 100.0), False),
        (28.5, 29.5, BURNS, False),  # before the flop: that was for the flop
        (35.0, 40.0 - par.POKER_TAKEN_S - 0.2, BURNS, False),
    ],
)
def test_a_card_may_be_burned_onto_others_where_the_dealers_hand_was(
    start: float, end: float, at: tuple[float, float], *, open_: bool
) -> None:
    played = whole().reach(start, end, at)
    played.cards = [one for one in played.cards if one.place != "burns" or one.rest != 39.0]
    report = judged(played)
    assert ("14-burn-policy" in clauses(report)) is not open_
    assert ("14-burn-policy" in clauses(report, "undetermined")) is open_


@pytest.mark.parametrize("there", [True, False])
def test_the_first_burned_card_may_be_overlooked_where_the_dealers_hand_was(*, there: bool) -> None:
    played = whole().reach(28.0, 29.5, BURNS if there else (0.0, 100.0))
    played.cards = [one for one in played.cards if one.place != "burns" or one.rest > 30.0]
    report = judged(played)
    assert ("14-burn-policy" in clauses(report)) is not there
    assert ("14-burn-policy" in clauses(report, "undetermined")) is there


@pytest.mark.parametrize("mucked", [False, True])
def test_cards_that_show_at_a_seat_again_were_not_folded(*, mucked: bool) -> None:
    played = Played().deal().board().push(3)
    played.cards = [
        structs.replace(one, until=42.0, gone=42.2) if one.place == "seat:1" else one for one in played.cards
    ]
    played.cards += [card_dwell("muck", 43.0)] if mucked else []
    x, y = SEATS[1]
    played.cards += [card_dwell("seat:1", 45.0, xy=(x + 56.0 * turn, y + 30.0)) for turn in (1, 2)]
    assert ("seat:1 fold" in told(played, "player_action")) is mucked


def _halves(t: float) -> list[BackSeen]:
    return [BackSeen(t, (x, 300.0), 0.95) for x in (-40.0, 40.0)]


def test_a_shuffle_shows_two_halves_under_the_dealers_hands() -> None:
    table, hands = TableMap.of(layout()), HandLog()
    body = Body.of(table)
    backs = []
    for number in range(40):
        t = number / 8.0
        hand = {"p": 0.95, "box": (760.0, 780.0, 840.0, 850.0), "owner": "dealer", "side": "left"}
        hands.add(detections_of(Observation(t=t, hands=[HandSeen(**hand)]), table, body))  # type: ignore[arg-type]
        backs += _halves(t)
    (shuffle,) = shuffles_in(backs, hands, table, 0.0, 5.0)
    assert shuffle.t_end - shuffle.t_start > 4.0
    assert shuffles_in(backs[::2], hands, table, 0.0, 5.0) == []  # one back in each look: the deck
    assert shuffles_in(backs, hands, table, 0.0, 5.0, busy=[0.5, 2.5, 4.5]) == []  # cards are being dealt


def test_the_button_is_told_where_it_rests() -> None:
    table = TableMap.of(layout())
    log, body = ButtonLog(table), Body.of(table)

    def look(t: float, seat: int) -> None:
        x, y = SEATS[seat]
        button = ButtonSeen(p=0.9, center=(x + 820.0, y + 500.0), radius=25.0)
        log.add(detections_of(Observation(t=t, buttons=[button]), table, body))

    for number in range(20):
        look(number / 8.0, 1 if number < 10 else 2)
    moves = log.moves(99.0)
    assert [(move.from_, move.to) for move in moves] == [(None, "seat:1"), ("seat:1", "seat:2")]  # type: ignore[union-attr]
    assert log.moves(99.0) == []


class Sights:
    """Looks at the button before seats, by a log of it."""

    def __init__(self) -> None:
        self.table = TableMap.of(layout())
        self.log, self.body = ButtonLog(self.table), Body.of(self.table)

    def look(self, start: float, end: float, seat: int, p: float = 0.9) -> None:
        x, y = SEATS[seat]
        button = ButtonSeen(p=p, center=(x + 820.0, y + 500.0), radius=25.0)
        for step in range(round((end - start) * 2)):
            self.log.add(detections_of(Observation(t=start + step / 2, buttons=[button]), self.table, self.body))

    def moves(self, until: float) -> list[tuple[str, bool | None]]:
        return [(move.to, move.occluded) for move in self.log.moves(until)]  # type: ignore[union-attr]


def test_a_button_that_nobody_saw_move_before_the_deal_or_after_it_is_in_doubt() -> None:
    sights = Sights()
    sights.look(0.0, 5.0, 1)
    sights.look(12.0, 16.0, 2)
    assert sights.moves(4.0) == [("seat:1", False)]
    assert sights.moves(10.0) == [("seat:2", True)]  # gone from seat 1 after 4.5 s, seen at seat 2 from 12 s on


def test_a_button_seen_before_the_deal_is_in_no_doubt() -> None:
    sights = Sights()
    sights.look(0.0, 5.0, 1)
    sights.look(12.0, 16.0, 2)
    assert sights.moves(13.0) == [("seat:1", False), ("seat:2", False)]


@pytest.mark.parametrize(("p", "told"), [(par.POKER_BUTTON_P, True), (par.POKER_BUTTON_P - 0.01, False)])
def test_an_unlikely_button_tells_of_no_seat(p: float, *, told: bool) -> None:
    sights = Sights()
    sights.look(0.0, 5.0, 1, p)
    assert bool(sights.moves(99.0)) is told


@pytest.mark.parametrize(("pause", "same"), [(-0.5, True), (0.5, False)])
def test_a_disc_that_becomes_surely_the_button_was_it_before(pause: float, *, same: bool) -> None:
    sights, again = Sights(), 4.5 + par.POKER_BUTTON_HIDDEN_S + pause
    sights.look(0.0, 5.0, 1, 0.4)
    sights.look(again, again + 4.0, 1)
    (move,) = sights.log.moves(99.0)
    assert move.t_start == pytest.approx(0.0 if same else again, abs=0.01)


def lain(place: str, xy: tuple[float, float], rest: float, until: float, *, up: bool = False) -> CardDwell:
    return CardDwell(
        place=place,
        xy=xy,
        rest=rest,
        early=rest,
        until=until,
        gone=until,
        up=rest if up else None,
        faced=up,
        text="9c" if up else "??",
        rank_p=0.0,
        p=0.9,
    )


@pytest.mark.parametrize(("lies", "cards"), [(par.POKER_BOARD_S, 2), (par.POKER_BOARD_S - 0.1, 1)])
def test_a_card_that_is_gathered_was_not_dealt_to_the_board(lies: float, cards: int) -> None:
    board = [lain("board", (0.0, 0.0), 10.0, 60.0, up=True), lain("board", (70.0, 0.0), 58.0, 58.0 + lies, up=True)]
    assert len(of_board(board)) == cards


def test_cards_that_were_covered_are_as_many_as_were_seen_at_once() -> None:
    one, other = lain("seat:1", (0.0, 0.0), 10.0, 20.0), lain("seat:1", (50.0, 0.0), 11.0, 60.0)
    first, second = as_many([one, other, lain("seat:1", (4.0, 0.0), 25.0, 70.0)], 2)
    assert (first.rest, first.until, second) == (10.0, 70.0, other)
    assert len(as_many([one, other, lain("seat:1", (4.0, 0.0), 15.0, 60.0)], 2)) == 3


def test_what_lay_apart_from_a_hand_that_has_its_cards_is_none_of_it() -> None:
    one, other = lain("seat:1", (0.0, 0.0), 10.0, 60.0), lain("seat:1", (50.0, 0.0), 14.0, 60.0)
    for apart, kept in ((par.POKER_BESIDE_MM, False), (par.POKER_BESIDE_MM + 1.0, True)):
        ghost = lain("seat:1", (-apart, 0.0), 11.0, 13.0)
        assert (as_many([one, ghost, other], 2) == [one, other]) is kept
    assert as_many([one, ghost], 2) == [one, ghost]  # there may be nothing else to be seen of the second card


def test_a_burned_card_that_shows_anew_where_it_lay_is_no_further_one() -> None:
    def lies(x: float, rest: float, until: float) -> CardDwell:
        return lain("burns", (x, 0.0), rest, until)

    three = [lies(0.0, 10.0, 90.0), lies(33.0, 20.0, 30.0), lies(66.0, 30.0, 80.0)]
    assert len(of_burns(three)) == 3
    assert len(of_burns([*three, lies(34.0, 70.0, 90.0)])) == 3
    assert len(of_burns([*three, lies(-par.POKER_SAME_CARD_MM - 1.0, 70.0, 90.0)])) == 4


def test_what_pixels_do_not_tell_is_withheld_in_words() -> None:
    report = judged(whole())
    rows = {row.clause: row for row in report.clauses}
    for clause, why in NEVER.items():
        assert rows[clause].verdict == "not_assessed"
        assert rows[clause].why == why


def test_a_log_that_a_person_wrote_is_judged_whole() -> None:
    log = whole().log()
    header = structs.replace(log.header, video=None)
    rows = {row.clause: row for row in judge(EventLog(header, log.events)).clauses}
    assert rows[f"{CLAUSE}7-deal-from-hand"].verdict == "pass"


def test_without_a_place_for_burned_cards_burning_is_not_assessed() -> None:
    played = Played().deal().board(flop=False, turn=False, river=False)
    row = next(row for row in judged(played).clauses if row.clause == f"{CLAUSE}14-burn-policy")
    assert (row.verdict, "no burned card" in (row.why or "")) == ("not_assessed", True)


def test_the_house_names_the_seats() -> None:
    house = structs.replace(HOUSE, seats=["seat:1", "seat:2", "seat:3"])
    report = judge(Played().deal().board().log(house))
    assert "13-misdeal" in clauses(report)


@pytest.mark.parametrize(("ago", "early"), [(par.POKER_GLIMPSE_S, True), (par.POKER_GLIMPSE_S + 0.1, False)])
def test_a_card_may_have_come_when_something_was_glimpsed_at_its_spot(ago: float, *, early: bool) -> None:
    card = lain("seat:1", (0.0, 0.0), 20.0, 60.0)
    assert (with_glimpse(card, [(20.0 - ago, (5.0, 0.0))], HandLog()).early < 20.0) is early
    assert with_glimpse(card, [(19.0, (par.POKER_SAME_CARD_MM + 1.0, 0.0))], HandLog()).early == 20.0


def drawn(*seats: int, up: bool = True) -> list[CardDwell]:
    return [lain(f"seat:{seat}", (100.0 * seat, 0.0), 10.0 + seat, 30.0, up=up) for seat in seats]


def test_a_card_to_each_player_face_up_is_a_draw_for_the_button() -> None:
    drafts = draw_of(drawn(1, 2, 4)) or []
    dealt = [(one.to, one.face) for one in drafts if one.name == "card_dealt"]  # type: ignore[union-attr]
    assert dealt == [("seat:1", "up"), ("seat:2", "up"), ("seat:4", "up")]
    assert [one.from_ for one in drafts if one.name == "cards_collected"] == ["seat:1", "seat:2", "seat:4"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "cards",
    [
        drawn(1, 2, 4, up=False),
        drawn(1),
        [*drawn(1, 2), lain("seat:1", (160.0, 0.0), 12.5, 30.0, up=True)],
        [*drawn(1, 2), lain("board", (0.0, 0.0), 15.0, 30.0, up=True)],
    ],
    ids=["backs", "one seat", "two cards", "a board"],
)
def test_what_is_dealt_for_a_hand_is_no_draw(cards: list[CardDwell]) -> None:
    assert draw_of(cards) is None


def test_without_a_draw_its_clauses_are_withheld() -> None:
    rows = {row.clause: row for row in judged(whole()).clauses}
    assert "no draw for the button was seen" in (rows[f"{CLAUSE}8-suit-tiebreak"].why or "")


STUD = structs.replace(HOUSE, poker_variant="seven_card_stud", poker_blinds=None, poker_ante=100)
DRAW = structs.replace(STUD, poker_variant="five_card_draw")


def spot(number: int, column: int, row: int = 0) -> tuple[float, float]:
    x, y = SEATS[number]
    return (x + 40.0 * column - 60.0, y + 50.0 * row)


def anted(*seats: int) -> Played:
    """A hand before which these seats put in a dollar, one after the other."""
    played = Played()
    for index, number in enumerate(seats):
        x, y = SEATS[number]
        played.dwells.append(chip((x, y + 80.0), 6.5 + 0.5 * index, 9.5))
    return played


def dealt_stud(played: Played, *, burns: bool = True) -> Played:
    """Two cards down and one up to each of three players, then three more up and one down."""
    faces = iter(f"{rank}{suit}" for suit in "shdc" for rank in "23456789TJQK")
    t = 10.0
    for street, ups in enumerate(("ddu", "u", "u", "u", "d")):
        if street:
            t += 8.0
            if burns or street != 2:
                played.cards.append(card_dwell("burns", t - 1.0, xy=(-300.0 + 34.0 * street, 250.0)))
        for turn, face in enumerate(ups):
            for number in (1, 2, 3):
                up = {"faced": True, "up": t, "text": next(faces), "rank_p": 0.99} if face == "u" else {}
                at = spot(number, street + turn if street == 0 else street + 1, int(face == "d"))
                played.cards.append(card_dwell(f"seat:{number}", t, xy=at, **up))
                t += DEALT_S
    return played


def test_stud_is_told_street_by_street() -> None:
    played = dealt_stud(anted(1, 2, 3))
    events = played.events(STUD)
    dealt = [event for event in events if event.name == "card_dealt"]
    assert [event.to for event in dealt] == ["seat:1", "seat:2", "seat:3"] * 7
    assert [event.face for event in dealt[6:9]] == ["up"] * 3 and dealt[0].card == "??"
    assert [event.kind for event in events if event.name == "wager_placed"] == ["ante"] * 3
    rows = {row.clause.removeprefix(CLAUSE): row.verdict for row in judge(played.log(STUD_OF_THREE)).clauses}
    assert {rows[name] for name in ("14-burn-policy", "13-misdeal", "7-left-of-button", "9-ante")} == {"pass"}


STUD_OF_THREE = structs.replace(STUD, seats=["seat:1", "seat:2", "seat:3"])


def test_a_missing_burn_in_stud_is_a_violation() -> None:
    assert clauses(judge(dealt_stud(anted(1, 2, 3), burns=False).log(STUD_OF_THREE))) == {"14-burn-policy"}


@pytest.mark.parametrize("reached", [False, True])
def test_an_ante_that_is_not_there_is_missing_unless_a_hand_may_have_laid_it(*, reached: bool) -> None:
    played = dealt_stud(anted(1, 3))
    if reached:
        x, y = TableMap.of(layout()).seats[2].bets
        for step in range(8):
            box = (x + 790.0, y + 490.0, x + 810.0, y + 510.0)
            hand = HandSeen(owner="player", side="right", p=0.95, box=box)
            table = TableMap.of(layout())
            played.hands.add(detections_of(Observation(t=7.0 + step / 8, hands=[hand]), table, Body.of(table)))
    report = judge(played.log(STUD_OF_THREE))
    assert ("9-ante" in clauses(report)) is not reached
    assert ("9-ante" in clauses(report, "undetermined")) is reached


def dealt_draw(drawn: int) -> Played:
    """Five cards to each of three players; player 2 throws two away and gets `drawn` others."""
    played, t = anted(1, 2, 3), 10.0
    for turn in range(5):
        for number in (1, 2, 3):
            played.cards.append(card_dwell(f"seat:{number}", t, xy=spot(number, turn)))
            t += DEALT_S
    thrown = [card for card in played.cards if card.place == "seat:2"][:2]
    played.cards = [
        structs.replace(one, until=28.0, gone=29.0) if any(one is card for card in thrown) else one
        for one in played.cards
    ]
    played.cards += [card_dwell("muck", 29.5), card_dwell("burns", 32.0)]
    played.cards += [card_dwell("seat:2", 33.0 + DEALT_S * turn, xy=spot(2, turn, 1)) for turn in range(drawn)]
    return played


def test_cards_thrown_away_are_discards_and_those_that_come_for_them_a_further_dealing() -> None:
    events = dealt_draw(2).events(DRAW)
    assert [event.from_ for event in events if event.name == "cards_collected"] == ["seat:2"] * 2
    assert [event.to for event in events if event.name == "card_dealt"][15:] == ["seat:2"] * 2
    report = judge(dealt_draw(2).log(STUD_OF_THREE_DRAW))
    assert report.findings == []


STUD_OF_THREE_DRAW = structs.replace(DRAW, seats=STUD_OF_THREE.seats)


def test_a_drawn_card_that_no_look_shows_accuses_nobody() -> None:
    events = dealt_draw(1).events(DRAW)
    assert [event.weak for event in events if event.name == "card_dealt"][15:] == [False, True]
    assert clauses(judge(dealt_draw(1).log(STUD_OF_THREE_DRAW))) == set()


def bets(played: Played, *acts: tuple[int, float]) -> Played:
    """Blinds of seats 1 and 2, and chips pushed forward by others at these times."""
    for number, t in ((1, 7.0), (2, 8.0), *acts):
        x, y = SEATS[number]
        played.dwells.append(chip((x + 5.0 * t, y + 80.0), t, 28.0))
    return played


@pytest.mark.parametrize(("acts", "found"), [(((3, 16.0), (4, 18.0)), False), (((4, 16.0), (3, 18.0)), True)])
def test_who_opens_shows_by_chips(acts: tuple[tuple[int, float], ...], *, found: bool) -> None:
    report = judged(bets(Played().deal().board(), *acts))
    assert ("10-first-round-start" in clauses(report)) is found


def test_which_of_two_acts_came_first_is_left_open_where_it_hardly_shows() -> None:
    report = judged(bets(Played().deal().board(), (4, 16.0), (3, 16.3)))
    row = next(row for row in report.clauses if row.clause == f"{CLAUSE}10-first-round-start")
    assert row.verdict == "not_applicable"


def test_who_stays_in_without_a_chip_has_not_matched() -> None:
    assert "10-match-or-raise" in clauses(judged(bets(Played().deal().board(), (3, 16.0))))
    folded = bets(Played().deal().fold(4, 18.0).board(), (3, 16.0))
    assert clauses(judged(folded)) == set()


@pytest.mark.parametrize(("acts", "verdict"), [(3, "violation"), (2, "undetermined"), (1, "pass")])
def test_a_misdeal_is_called_too_late_when_three_have_acted(acts: int, verdict: str) -> None:
    played = bets(Played().deal((1, 2, 3, 4) * 2 + (2,)), *((n, 16.0 + n) for n in (3, 4, 1)[:acts]))
    played.cards = [structs.replace(one, until=70.0, gone=70.4) for one in played.cards]
    row = next(row for row in judged(played).clauses if row.clause == f"{CLAUSE}13-substantial-action")
    assert row.verdict == verdict


def test_cards_gathered_hand_by_hand_are_a_misdeal_and_no_folds() -> None:
    played = Played().deal((1, 2, 3, 4) * 2 + (2,))
    ends = {number: 76.0 + number for number in SEATS}
    played.cards = [
        structs.replace(one, until=ends[int(one.place[-1])], gone=ends[int(one.place[-1])] + 0.4)
        for one in played.cards
    ]
    assert told(played, "player_action") == []
    assert [event.reason for event in played.events() if event.name == "round_ended"] == ["misdeal"]  # type: ignore[union-attr]


def test_a_card_taken_to_the_burned_cards_is_not_the_one_that_comes_in_its_place() -> None:
    came = {"faced": True, "up": 15.0, "text": "Qh", "rank_p": 0.99, "came": "Kc", "back": 14.0}
    played = Played().deal().board()
    played.cards[1] = structs.replace(played.cards[1], **came)
    report = judged(played)
    assert "12-exposed-card" in clauses(report)
    played.cards.append(card_dwell("burns", 13.0, xy=(-160.0, 250.0), faced=True, up=13.0, text="Kc", rank_p=0.99))
    assert clauses(judged(played)) == set()


def test_a_back_that_shows_alone_after_the_deal_may_have_been_overlooked() -> None:
    played = Played().deal().board()
    played.cards[5] = structs.replace(played.cards[5], rest=18.0, early=17.5)
    report = judged(played)
    assert clauses(report) == set()
    assert "13-misdeal" in clauses(report, "undetermined")


@pytest.mark.parametrize(("covered", "burned"), [(True, 2), (False, 1)])
def test_what_goes_again_at_the_burned_cards_is_none_unless_a_card_covers_it(*, covered: bool, burned: int) -> None:
    brief = lain("burns", (0.0, 0.0), 10.0, 10.6)
    other = lain("burns", (34.0 if covered else 100.0, 0.0), 10.9, 60.0)
    assert len(of_burns([brief, other])) == burned


@pytest.mark.parametrize(("t", "altered"), [(12.2, True), (15.0, False)])
def test_chips_that_come_amid_the_deal_alter_the_ante(t: float, *, altered: bool) -> None:
    played = dealt_stud(anted(1, 2, 3))
    x, y = SEATS[2]
    played.dwells.append(chip((x, y + 80.0), t, 20.0))
    report = judge(played.log(STUD_OF_THREE))
    assert ("9-ante-fixed" in clauses(report)) is altered


def test_a_card_of_a_later_dealing_that_shows_long_after_the_others_was_overlooked() -> None:
    played = dealt_stud(anted(1, 2, 3))
    last = [index for index, card in enumerate(played.cards) if card.place == "seat:1"][-1]
    played.cards[last] = structs.replace(played.cards[last], rest=62.0, early=61.8)
    dealt = [event for event in played.events(STUD) if event.name == "card_dealt"][-3:]
    assert [(event.to, event.weak) for event in dealt] == [("seat:1", True), ("seat:2", False), ("seat:3", False)]
    assert "7-left-of-button" not in clauses(judge(played.log(STUD_OF_THREE)))


def test_where_no_ante_at_all_was_seen_nobody_is_accused() -> None:
    assert "9-ante" not in clauses(judge(dealt_stud(anted()).log(STUD_OF_THREE)))
    assert "9-ante" in clauses(judge(dealt_stud(anted(1)).log(STUD_OF_THREE)))


@pytest.mark.parametrize(
    ("last", "verdict"), [(36.0, "pass"), (41.0, "undetermined"), (60.0, "violation"), (None, "violation")]
)
def test_hands_that_show_before_further_cards_tell_that_all_had_to(last: float | None, verdict: str) -> None:
    """Two hands show on the flop, so that players are all-in and the betting is over (09-04(24)); the turn is at 40."""
    played = Played().deal().fold(4, 20.0).board().show(1, 34.0, ("As", "Kd")).show(3, 35.0, ("9s", "9d"))
    if last is not None:
        played.show(2, last, ("Js", "Jd"))
    (row,) = [row for row in judged(played.push(3)).clauses if row.clause.endswith("24-all-in-show")]
    assert row.verdict == verdict


def test_two_hands_that_do_not_show_may_still_bet_against_each_other() -> None:
    played = Played().deal().board().show(1, 34.0, ("As", "Kd")).show(3, 35.0, ("9s", "9d")).push(3)
    (row,) = [row for row in judged(played).clauses if row.clause.endswith("24-all-in-show")]
    assert row.verdict == "undetermined"


@pytest.mark.parametrize(("t", "verdict"), [(38.0, "not_assessed"), (55.0, "violation")])
def test_chips_that_are_bet_before_the_last_card_tell_that_the_betting_was_not_over(t: float, verdict: str) -> None:
    played = Played().deal().fold(4, 20.0).board().show(1, 34.0, ("As", "Kd")).show(3, 35.0, ("9s", "9d")).push(3)
    x, y = SEATS[1]
    played.dwells.append(chip((x, y + 80.0), t, 66.0))
    (row,) = [row for row in judged(played).clauses if row.clause.endswith("24-all-in-show")]
    assert row.verdict == verdict


def test_where_no_hands_show_before_further_cards_nobody_knows_who_is_all_in() -> None:
    (row,) = [row for row in judged(whole()).clauses if row.clause.endswith("24-all-in-show")]
    assert row.verdict == "not_assessed"
