"""Findings that an earlier version worded are shown in the words of now, and kept as they were written."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
from review_fakes import fake_stages, finding, write_inputs
from rich.console import Console

from verifier.domain.facts import Facts
from verifier.review.batch.to_look_at import to_look_at
from verifier.review.printing import print_review
from verifier.review.queue import load_queue
from verifier.review.recording import review_recording
from verifier.review.weekly_lines import finding_line
from verifier.review.wording import accusation
from verifier.store.repository import Store

BEFORE = finding(expected="space:3/1 is paid 17.00", observed="space:3/1 was paid 15.00", brief="space:3/1 got 15.00")
DUE, SEEN = "Space 3 (split hand 1) is paid $17.00", "Space 3 (split hand 1) was paid $15.00"


def test_a_finding_of_an_earlier_version_is_shown_in_the_words_of_now(tmp_path: Path, own_home: Path) -> None:
    inputs = write_inputs(tmp_path)
    made = review_recording(*inputs, tmp_path / "out", stages=fake_stages(BEFORE))
    console = Console(file=io.StringIO(), width=180)
    print_review(console, made)
    assert isinstance(console.file, io.StringIO)
    printed = " ".join(console.file.getvalue().split())
    assert "$15.00" in printed and "space:3/1" not in printed
    (item,) = load_queue(Store())
    line = finding_line(item)
    assert (line.expected, line.observed, line.says) == (DUE, SEEN, "Space 3 (split hand 1) got $15.00")
    (one,) = to_look_at(Store(), [item.review.id])
    assert (one.expected, one.observed, one.says) == (DUE, SEEN, "Space 3 (split hand 1) got $15.00")
    assert item.stored.finding == BEFORE, "what is kept stays as it was written"


def test_what_a_person_wrote_and_what_has_facts_is_shown_as_it_stands() -> None:
    by_person = msgspec.structs.replace(BEFORE, events=[], brief=msgspec.UNSET)
    assert by_person.worded_now() == by_person
    assert accusation(by_person) == "Space:3/1 was paid 15.00"
    of_now = msgspec.structs.replace(BEFORE, facts=Facts(said=["", "it was paid"]))
    assert of_now.worded_now() == of_now


def test_a_finding_without_a_short_sentence_gets_none() -> None:
    whole = msgspec.structs.replace(BEFORE, brief=msgspec.UNSET)
    assert not whole.worded_now().shortened
    assert accusation(whole) == SEEN
