"""What becomes of every clause of each rulebook in a plain log, and what a channel, option or date changes in it."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from law_build import Log, hand_out, play_on
from manual_build import Manual
from poker_script import RIVER, judged
from reports import hold_text, hold_titles, whole
from washington_build import Washington

from verifier.domain.findings import FindingsReport

GROUP = "whole-reports"
ALL = ["video", "audio", "records"]
HEADERS: dict[str, dict[str, Any]] = {
    "with audio": {"channels": ["video", "audio"]},
    "with records": {"channels": ["video", "records"]},
    "with all channels": {"channels": ALL},
    "records alone": {"channels": ["records"]},
    "of a recording": {"video": "table-2.mp4"},
    "of 2005": {"date": "2005-06-01"},
    "of 2015": {"date": "2015-06-01"},
    "of 2022": {"date": "2022-12-31"},
    "of 2023": {"date": "2023-01-01"},
    "of 2026": {"date": "2026-11-02"},
}
OPTIONS: dict[str, dict[str, Any]] = {
    "without surveillance": {"video_surveillance": "absent"},
    "surveillance not configured": {"video_surveillance": None},
    "no tournaments": {"tournament_rules": "off"},
    "a tournament": {"tournament_rules": "on"},
    "another mistake policy": {"mistake_policy": "alternative"},
    "no hole card": {"dealing_method": "no_hole_card"},
    "a card reader": {"dealing_method": "hole_card_reader"},
    "hand by hand": {"sweep_or_hand_by_hand": "hand_by_hand"},
    "no insurance": {"insurance_allowed": False},
    "no tips": {"tip_betting": "not_permitted"},
    "a machine shuffles": {"shuffle_method": "machine"},
}


def two_rounds(**house: Any) -> Log:
    log = hand_out("8h 9c 7d 8s Td Tc Td 9d", {2: (1000, 200), 4: 500}, "split", **house)
    play_on(log, "Th 7d 9s Tc", {2: 1000})
    return log


def _unconfigured(log: Log) -> Log:
    log.house = {}
    return log


@cache
def _plain() -> FindingsReport:
    return two_rounds().judge()


def test_every_clause_of_a_plain_log() -> None:
    hold_text(GROUP, "twenty-one", whole(_plain()))


@pytest.mark.parametrize("name", HEADERS)
def test_what_a_header_changes(name: str) -> None:
    hold_text(GROUP, f"twenty-one {name}", whole(two_rounds().judge(**HEADERS[name]), _plain()))


@pytest.mark.parametrize("name", OPTIONS)
def test_what_an_option_changes(name: str) -> None:
    hold_text(GROUP, f"twenty-one {name}", whole(two_rounds(**OPTIONS[name]).judge(), _plain()))


OTHERS = {
    "nothing configured": lambda: _unconfigured(two_rounds()).judge(),
    "manual": lambda: Manual(seed=3).play().play().log.judge(rulebook="house-manual"),
    "manual with all channels": lambda: Manual(seed=3).play().play().log.judge(rulebook="house-manual", channels=ALL),
    "manual with nothing configured": lambda: Manual(**dict.fromkeys(Manual().log.house)).play().judge(),
    "washington a": lambda: Washington("a").play().play().judge(),
    "washington b": lambda: Washington("b").play().play().judge(),
    "washington b with all channels": lambda: Washington("b").play().play().judge(channels=ALL),
    "poker": lambda: judged(f"{RIVER}; show 1 Ah Kd; show 2 9s 2h; show 3 5h 5c; award 2 300"),
    "poker with all channels": lambda: judged(
        f"{RIVER}; show 1 Ah Kd; show 2 9s 2h; show 3 5h 5c; award 2 300", {"channels": ALL}
    ),
    "poker of a recording": lambda: judged(
        f"{RIVER}; show 1 Ah Kd; show 2 9s 2h; show 3 5h 5c; award 2 300", {"video": "table-2.mp4"}
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_every_clause_of_other_rulebooks(name: str) -> None:
    hold_text(GROUP, name, whole(OTHERS[name]()))


def test_each_kept_text_is_of_a_log() -> None:
    own = [f"twenty-one {name}" for name in (*HEADERS, *OPTIONS)]
    hold_titles(GROUP, ["twenty-one", *own, *OTHERS])
