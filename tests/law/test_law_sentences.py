"""What a check says becomes sentences in one place, and facts that a program reads (docs/law.md)."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import msgspec
import pytest
from law_build import findings, hand_out
from msgspec import UNSET

import verifier
from verifier.domain.facts import (
    CardsFact,
    Facts,
    MoneyFact,
    NumberFact,
    PlaceFact,
    WordsFact,
)
from verifier.domain.findings import Finding, FindingsReport
from verifier.formats.findings import read_findings, write_findings
from verifier.law import say
from verifier.law.amounts import UNKNOWN, Amount
from verifier.law.figures import Figures
from verifier.law.sentences import BRIEF_MOST, MOST_WRITTEN, REMARKS, facts_of, sentence, with_papers

PROGRAM = Path(verifier.__file__).parent
SENTENCES = ("expected", "observed", "brief")
WIN = "Th 8d 9s 9c"


def told(**changes: Any) -> Finding:
    base: dict[str, Any] = {
        "clause": "ND-08-11.16.a-fan-payoff",
        "cite": "08-11(16)(a)",
        "title": "Payoff fanned",
        "verdict": "violation",
        "severity": "major",
        "round": 1,
        "at": "space:3",
        "t_start": 1.0,
        "t_end": 2.0,
        "clock": None,
        "p": 0.9,
        "expected": "it is fanned",
        "observed": "it was not",
        "events": ["e1"],
    }
    return Finding(**{**base, **changes})


def words(said: say.Said | str) -> str:
    return sentence(said).text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (say.that("{hand} lost", hand=say.place("space:3")), "space 3 lost"),
        (say.that("{hand} lost", hand=say.place("space:3/1")), "space 3 (split hand 1) lost"),
        (say.that("{seat} cut", seat=say.place("seat:2")), "seat 2 cut"),
        (say.that("{seat} cut", seat=say.place(None)), "somebody not seen cut"),
        (say.that("on the {where}", where=say.place("insurance_line")), "on the insurance_line"),
        (say.that("{sum}", sum=Amount(500, 500)), "$5.00"),
        (say.that("{sum}", sum=Amount(500, 1000)), "$5.00 to $10.00"),
        (say.that("{sum}", sum=Amount(500, None)), "$5.00 or more"),
        (say.that("{sum}", sum=UNKNOWN), "an amount not seen"),
        (say.that("{sum}", sum=say.cents(-1050)), "-$10.50"),
        (say.cards(["10", "6", "5"], 21, 21), "10-6-5 = 21"),
        (say.cards("AK", 22, 22), "A-K = 22 (over 21)"),
        (say.cards("A?", 12, 21, of_dealer=True), "dealer A-? = 12 to 21"),
        (say.cards(()), "no cards"),
        (say.that("at {t} s", t=say.moment(12.34)), "at 12.3 s"),
        (say.that("{n} of {whole}", n=3, whole=say.number(2.5)), "3 of 2.5"),
        (say.that("{part} hidden", part=say.share(0.1234, 1)), "12.3% hidden"),
        (say.that("by {day}", day=say.day(None)), "by an unknown day"),
        (say.that("up to {most}", most=say.figure("wager_most_cents", 2500, money=True)), "up to $25.00"),
        (say.that("{n} decks", n=say.figure("decks", 6)), "6 decks"),
        (say.listed(" and ", ["a", say.place("seat:1")]), "a and seat 1"),
        (say.that("a").then("b").detail("c") + "d", "a; b: cd"),
        (say.that("{nested}!", nested=say.that("{n} chips", n=2)), "2 chips!"),
    ],
)
def test_each_fact_has_its_words(said: say.Said, text: str) -> None:
    assert words(said) == text


def test_facts_keep_their_part_in_the_sentence() -> None:
    said = say.that("{hand} was paid {paid}", hand=say.place("space:3"), paid=Amount(500, 500)).then(
        "it had {cards}", cards=say.cards("TK", 20, 20)
    )
    assert sentence(said).facts == [
        PlaceFact(role="hand", at="space:3"),
        MoneyFact(role="paid", low=500, high=500),
        CardsFact(role="cards", cards=("T", "K"), low=20, high=20),
    ]


def test_a_number_that_json_cannot_hold_is_told_in_words() -> None:
    for value in (float("inf"), MOST_WRITTEN + 1):
        (fact,) = sentence(say.that("{n}", n=value)).facts
        assert isinstance(fact, WordsFact) and fact.role == "n"
    assert sentence(say.that("{n}", n=MOST_WRITTEN)).facts == [NumberFact(role="n", value=MOST_WRITTEN)]


@pytest.mark.parametrize(
    ("said", "brief"),
    [
        (say.that("a").detail("b" * (BRIEF_MOST - 3)), "a: " + "b" * (BRIEF_MOST - 3)),
        (say.that("a").detail("b" * (BRIEF_MOST - 2)), "a"),
        (say.that("a").then("b" * (BRIEF_MOST - 2)), "a"),
        (say.that("a").then("b").detail("c" * BRIEF_MOST), "a; b"),
        (say.that("a" * (BRIEF_MOST + 1)), "a" * (BRIEF_MOST + 1)),
        (
            say.cards(("10", "J"), 20, 20, of_dealer=True).then("space 3 had 19").detail("x" * BRIEF_MOST),
            "the dealer had 20 (10-J); space 3 had 19",
        ),
        (
            say.cards(("10", "J", "2"), 22, 22, of_dealer=True).then("b" * BRIEF_MOST),
            "the dealer had 22 (10-J-2), over 21; " + "b" * BRIEF_MOST,
        ),
        (say.that("while {it} showed", it=say.cards("A7", 18, 18, of_dealer=True)), "while dealer A-7 = 18 showed"),
    ],
)
def test_the_short_sentence_leaves_out_what_the_long_one_rests_on(said: say.Said, brief: str) -> None:
    assert sentence(said).brief == brief


def test_a_remark_is_told_once_after_what_was_seen() -> None:
    assert sentence("it was not fanned", ("narrow", "narrow")).text == f"it was not fanned; {REMARKS['narrow']}"
    assert sentence("", ("narrow",)).text == REMARKS["narrow"]


def test_nothing_else_can_word_what_a_check_says() -> None:
    with pytest.raises(TypeError, match=r"verifier\.law\.sentences"):
        f"{say.that('it was paid')}"


def test_a_finding_carries_the_cards_totals_amounts_and_places_of_its_sentences() -> None:
    log = hand_out(WIN, {2: 1000})
    log.change(log.one("payoff_placed"), cents=500)
    (found,) = findings(log.judge())
    assert isinstance(found.facts, Facts)
    kinds = {type(one) for one in (*found.facts.expected, *found.facts.observed)}
    assert {CardsFact, MoneyFact, PlaceFact} <= kinds
    assert MoneyFact(role="paid", low=500, high=500) in found.facts.observed
    assert [one.of_dealer for one in found.facts.observed if isinstance(one, CardsFact)] == [True, False]


def test_facts_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    log = hand_out(WIN, {2: 1000})
    log.change(log.one("payoff_placed"), cents=500)
    report = log.judge()
    assert report.findings
    write_findings(tmp_path / "f.json", report)
    assert read_findings(tmp_path / "f.json") == report


def test_findings_of_before_have_no_facts_and_still_read(tmp_path: Path) -> None:
    old = FindingsReport(rulebook="nd-twenty-one", law_as_of="2024-01-01", summary={}, findings=[told()], clauses=[])
    text = msgspec.json.encode(old)
    assert b"facts" not in text and b"brief" not in text
    (tmp_path / "f.json").write_bytes(text)
    (found,) = read_findings(tmp_path / "f.json").findings
    assert (found.facts, found.brief, found.observed) == (UNSET, UNSET, "it was not")


def test_a_finding_is_the_same_however_its_facts_are_worded() -> None:
    facts = Facts(said=["it is fanned", "it was paid {paid}"], observed=[MoneyFact(role="paid", low=500, high=500)])
    one = told(facts=facts, observed="it was paid $5.00")
    assert one.same_as(told(facts=facts, observed="it was paid five dollars", brief="short"))
    assert not one.same_as(told(facts=msgspec.structs.replace(facts, observed=[])))
    assert one.same_as(told(facts=facts, clock="2026-11-16T21:07:09")), "the same moment, read elsewhere"
    assert not one.same_as(told(facts=facts, p=0.8)) and not one.same_as(told(facts=facts, at="space:4"))


def test_another_accusation_of_the_same_facts_is_another_finding() -> None:
    """`swept` and `collected with the left hand` are of one clause, one place and one moment."""
    space = say.place("space:2")
    swept, by_left = (
        told(observed=made.text, facts=facts_of(sentence(""), made, ()))
        for made in map(
            sentence,
            (
                say.that("the chips of {hand} were swept", hand=space),
                say.that("the chips of {hand} were collected with the left hand", hand=space),
            ),
        )
    )
    assert isinstance(swept.facts, Facts) and isinstance(by_left.facts, Facts)
    assert swept.facts.observed == by_left.facts.observed
    assert swept.facts.said == ["", "the chips of {hand} were swept"]
    assert not swept.same_as(by_left) and swept.same_as(swept)


def test_without_facts_the_words_of_now_tell_findings_apart() -> None:
    before = told(observed="space:3/1 was paid 5.00")
    now = told(observed="space 3 (split hand 1) was paid $5.00", facts=Facts(said=["", "{hand} was paid {paid}"]))
    assert before.same_as(now) and now.same_as(before) and before.same_as(before)
    other = msgspec.structs.replace(now, observed="space 3 (split hand 1) was paid $15.00")
    assert not before.same_as(other) and not other.same_as(before) and not told().same_as(told(observed="else"))


def test_the_papers_of_a_finding_are_facts_and_go_before_its_sentence() -> None:
    found = with_papers(told(facts=Facts()), [f"slip {n}" for n in range(4)])
    assert found.observed == "slip 0; slip 1; slip 2 and 1 more: it was not" and found.brief == "it was not"
    assert isinstance(found.facts, Facts) and found.facts.papers == [f"slip {n}" for n in range(4)]
    assert with_papers(told(), ["a", "b", "c"]).observed == "a; b; c: it was not"
    assert with_papers(told(), []) == told()


# No module reads a sentence to decide something


def sources(room: str = "") -> list[tuple[str, ast.Module]]:
    """The modules of a room, or of all, by their place in the program."""
    files = sorted((PROGRAM / room).rglob("*.py"))
    return [(str(file.relative_to(PROGRAM)), ast.parse(file.read_text())) for file in files]


STARTS = {"startswith", "endswith", "find", "index", "partition", "rpartition", "split", "count", "replace"}
READING = STARTS | {"removeprefix", "removesuffix", "match", "fullmatch", "search", "sub", "findall", "finditer"}


def reads(tree: ast.AST) -> list[int]:
    """Lines at which a sentence field of a finding is compared, cut, searched or asked whether it is there."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            if not (isinstance(called, ast.Attribute) and called.attr in READING):
                continue
            parts: list[ast.AST] = [called.value, *node.args]
        elif isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Subscript):
            parts = [node.value]
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            parts = [node.test]
        elif isinstance(node, ast.comprehension):
            parts = list(node.ifs)
        else:
            continue
        lines += [one.lineno for part in parts for one in ast.walk(part) if _is_sentence(one)]
    return lines


def _is_sentence(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr in SENTENCES
        and not (isinstance(node.value, ast.Name) and node.value.id in ("check", "self"))
    )


@pytest.mark.parametrize(
    "text",
    ["'paid' in one.observed", "one.observed.partition('; ')", "re.search('x', f.expected)", "f.observed[:9]",
     "[f for f in a if f.observed not in told]", "x if f.brief else y", "NOT in (told.observed,)"],
)  # fmt: skip
def test_the_search_below_finds_a_read_sentence(text: str) -> None:
    assert reads(ast.parse(text))


MADE_HERE = {"law/sentences.py", "law/incidents.py", "review/pipeline/account.py"}
"""Where sentences are made. Their own text is compared with its short form there, and no other."""
WRITTEN_BY_A_PERSON = {"review/watch/marks.py"}
"""What a person typed, which may not be empty, and is cut to its greatest length."""


def test_no_module_reads_a_sentence_to_decide_something() -> None:
    found = {file: reads(tree) for file, tree in sources() if file not in MADE_HERE | WRITTEN_BY_A_PERSON}
    assert {file: lines for file, lines in found.items() if lines} == {}


def worded_in_place(tree: ast.AST) -> list[int]:
    """Lines at which a sentence is put together by a check itself."""
    given = [node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg in ("expected", "observed")]
    return [part.lineno for node in given for part in ast.walk(node.value) if isinstance(part, ast.JoinedStr)]


def test_no_check_puts_a_sentence_together_itself() -> None:
    assert worded_in_place(ast.parse("judged(observed=f'{hand} lost')"))
    law = {file: worded_in_place(tree) for file, tree in sources("law") if file not in MADE_HERE}
    assert {file: lines for file, lines in law.items() if lines} == {}


def test_each_figure_that_is_told_is_one_of_the_law() -> None:
    calls = [
        node
        for _, tree in sources("law")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "say.figure"
    ]
    named = {ast.literal_eval(node.args[0]) for node in calls}
    assert len(named) > 10 and named <= set(Figures.__struct_fields__)
    money = {ast.literal_eval(node.args[0]) for node in calls if any(one.arg == "money" for one in node.keywords)}
    assert money == {name for name in named if name.endswith("_cents")}
