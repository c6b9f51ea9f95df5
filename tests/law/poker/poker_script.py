"""Poker logs written as short scripts, one act a line or between semicolons; a blank line begins the next hand.

`deal 1 2 3` gives a card down to each of these seats; `up 2 Kh` one face up; `a 3 raise 300` is an act; `all 3 call 50`
the same with the last chip; `show 1 Ah Ad`, `award 1 400`, `award 2 200 low`, `end misdeal`; see `_WORDS`.
"""

from __future__ import annotations

from typing import Any

import msgspec
from touching import touching

from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport
from verifier.law.judge import judge

Record = dict[str, Any]
HOUSE: dict[str, Any] = {
    "poker_game": "high", "poker_variant": "holdem", "poker_blinds": {"small": 50, "big": 100},
    "poker_button_draw": "set_position", "poker_burn_procedure": "before_additional_cards",
}  # fmt: skip
LEAD = "shuffle; cut; button 4"
BLINDS = f"{LEAD}; blind 1 50 small; blind 2 100 big"
DEALT = f"{BLINDS}; deal 1 2 3 4 1 2 3 4"
CALLED = f"{DEALT}; a 3 call 100; a 4 fold; a 1 call 50; a 2 check"
BOARD = "burn; board 2c 7d 9h; a 1 check; a 2 check; a 3 check; burn; board Ts; a 1 check; a 2 check; a 3 check; burn"
RIVER = f"{CALLED}; {BOARD}; board 3s; a 1 check; a 2 check; a 3 check"
"""Three players to the river of a hand of hold'em without a bet: 3.00 in the pot, board 2c 7d 9h Ts 3s."""


def _seat(text: str) -> str:
    return f"seat:{text}" if text.isdigit() else text


def _word(word: str, rest: list[str]) -> list[Record]:
    seat = _seat(rest[0]) if rest else ""
    cents = int(rest[1]) if len(rest) > 1 and rest[1].isdigit() else None
    if word == "deal":
        return [{"event": "card_dealt", "card": "??", "to": _seat(s), "face": "down", "seq": None} for s in rest]
    if word == "up":
        return [{"event": "card_dealt", "card": rest[1], "to": seat, "face": "up", "seq": None}]
    if word == "board":
        return [{"event": "card_dealt", "card": c, "to": "board", "face": "up", "seq": None} for c in rest]
    if word in ("a", "all"):
        amount = int(rest[2]) if len(rest) > 2 and rest[2] != "?" else None
        chips = {"chips": {rest[3]: int(rest[4])}} if len(rest) > 4 else {}
        return [
            {"event": "player_action", "at": seat, "action": rest[1], "cents": amount, "all_in": word == "all", **chips}
        ]
    if word in ("show", "expose", "shows"):
        how = {"show": "showdown", "expose": "exposed_error", "shows": "by_player"}[word]
        return [{"event": "card_revealed", "card": c, "at": seat, "how": how} for c in rest[1:]]
    if word == "award":
        portion = rest[2] if len(rest) > 2 else "high"
        pot = int(rest[3]) if len(rest) > 3 else 0
        return [{"event": "pot_awarded", "at": seat, "cents": cents, "pot": pot, "portion": portion}]
    single: dict[str, Record] = {
        "shuffle": {"event": "shuffle", "method": "hand", "scope": rest[0] if rest else "all"},
        "cut": {"event": "cut", "by": rest[0] if rest else "dealer"},
        "button": {"event": "button_moved", "to": seat},
        "blind": {
            "event": "wager_placed",
            "kind": "blind",
            "at": seat,
            "cents": cents,
            "blind": rest[2] if len(rest) > 2 else None,
        },
        "ante": {"event": "wager_placed", "kind": "ante", "at": seat, "cents": cents},
        "chips": {"event": "wager_placed", "kind": "bet", "at": seat, "cents": cents},
        "change": {
            "event": "wager_changed",
            "kind": rest[3] if len(rest) > 3 else "bet",
            "at": seat,
            "cents_before": cents,
            "cents_after": int(rest[2]) if len(rest) > 2 and rest[2].isdigit() else None,
            "by": "player",
        },
        "burn": {
            "event": "card_burned",
            "card": rest[0] if rest else "??",
            "face_shown": bool(rest),
            "reason": rest[1] if len(rest) > 1 else None,
        },
        "muck": {"event": "player_action", "at": seat, "action": "muck"},
        "concede": {"event": "player_action", "at": seat, "action": "concede"},
        "collect": {
            "event": "cards_collected",
            "from": seat,
            "order": None,
            "to": rest[1] if len(rest) > 1 else "muck",
        },
        "return": {
            "event": "chips_returned",
            "kind": "bet",
            "at": seat,
            "cents": cents,
            "reason": rest[2] if len(rest) > 2 else "excess",
        },
        "sweep": {
            "event": "chips_collected",
            "kind": rest[2] if len(rest) > 2 else "bet",
            "at": seat,
            "cents": cents,
            "to": "pot",
        },
        "look": {"event": "cards_inspected", "action": rest[0] if rest else "inspect"},
        "open": {"event": "table_state", "state": "open"},
        "leave": {"event": "player_presence", "phase": "leave", "at": [seat]},
        "arrive": {"event": "player_presence", "phase": "arrive", "at": [seat]},
        "say": {
            "event": "announcement",
            "topic": rest[0] if rest else "",
            "text": " ".join(rest[1:]) or None,
            "cents": int(rest[1]) if len(rest) > 1 and rest[1].isdigit() else None,
            "source": "audio",
        },
        "faced": {"event": "card_revealed", "card": rest[0] if rest else "??", "at": "hand", "how": "turned"},
        "end": {"event": "round_ended", "reason": " ".join(rest) or None},
    }
    return [single[word]]


def log_of(script: str, header: dict[str, Any] | None = None, **house: Any) -> EventLog:
    """The event log of a script. `weak` before a line makes its records weak; `null` leaves out its amounts."""
    records: list[Record] = []
    for number, hand in enumerate(script.split("\n\n"), start=1):
        for line in hand.replace("\n", ";").split(";"):
            words = line.split()
            if words:
                records += _records(words, number, len(records))
    options = {k: v for k, v in {**HOUSE, **house}.items() if v is not None}
    raw = {
        "header": {
            "format": "verifier-events",
            "version": 1,
            "rulebook": "nd-poker",
            "channels": ["video"],
            "house": options,
            **(header or {}),
        },
        "events": records,
    }
    return msgspec.convert(raw, EventLog)


def _records(words: list[str], number: int, count: int) -> list[Record]:
    weak = words[0] == "weak"
    words = words[1:] if weak else words
    lead = words[0] in ("shuffle", "cut", "button", "look", "open", "leave", "arrive")
    found = []
    for own in _word(words[0], words[1:]):
        count += 1
        base = {
            "id": f"e{count:04d}",
            "t_start": count * 1.0,
            "t_end": count + 0.5,
            "p": 0.4 if weak else 0.99,
            "source": "video",
            "round": None if lead else number,
        }
        found.append({**base, **own})
    return found


def judged(script: str, header: dict[str, Any] | None = None, **house: Any) -> FindingsReport:
    return judge(log_of(script, header, **house))


def touched(script: str, **house: Any) -> FindingsReport:
    """The report of the hand if each act begins as the one before it ends."""
    return judge(touching(log_of(script, **house)))


def verdict(report: FindingsReport, clause: str) -> str:
    """The clause's worst verdict."""
    return next(row.verdict for row in report.clauses if row.clause == f"ND-09-04.{clause}")


def violations(report: FindingsReport) -> list[str]:
    return [f"{f.round} {f.clause}: {f.observed}" for f in report.findings if f.verdict == "violation"]
