"""What only a person can attest: the clauses of a day or a week, a yes or no for each, signed with the account."""

from __future__ import annotations

from datetime import date
from typing import Final

import streamlit as st

from verifier.dashboard.common import escaped, shown_errors, store
from verifier.dashboard.judged_again import remember, show_remembered
from verifier.law.catalogue import Clause
from verifier.review.intake.importing import judge_again
from verifier.review.people.roles import Person
from verifier.review.records.attesting import MOST_REMARK, Answer, Span, Term, answered, asked, attest

_WORDS: Final = {None: "Open", True: "Kept", False: "Not kept"}
_VALUES: Final = {word: value for value, word in _WORDS.items()}
_ALL: Final = "All tables"


def show(person: Person, site: str, span: tuple[date, date], term: Term, tables: list[str]) -> None:
    """Draw the form; `span` are the first and the last day (dates) that it is about, `tables` those of the site."""
    show_remembered()
    with st.expander("What only a person can attest"):
        st.caption(
            "No camera shows these. Your answer counts for these days, and is shown as your statement everywhere. "
            "A clause that you leave open stays not assessed."
        )
        named = str(st.selectbox("Attested for", [_ALL, *tables], key=f"attest {term} table"))
        about = Span(site=site, first=span[0], last=span[1], table="" if named == _ALL else named)
        clauses, before = asked(store(), about, term), answered(store(), about, person)
        with st.form(f"attest {term} {site} {span[0]} {named}", border=False):
            answers = [_asked(one, before.get(one.id), f"{term} {site} {span[0]} {named}") for one in clauses]
            if st.form_submit_button(f"Sign as {person.signature}"):
                with shown_errors():
                    _keep(person, about, term, answers)


def _asked(clause: Clause, before: Answer | None, form: str) -> Answer:
    """Draw one clause of a form; give what the person says of it."""
    left, right = st.columns([3, 2])
    answer = left.radio(
        f"{clause.title}, {clause.cite.removeprefix('N.D. Admin. Code ')}",
        list(_WORDS.values()),
        index=list(_WORDS).index(before.fulfilled if before else None),
        horizontal=True,
        key=f"attest {form} {clause.id}",
    )
    left.caption(escaped(clause.requirement))
    remark = right.text_input(
        f"Remark on {clause.title}",
        before.statement if before else "",
        max_chars=MOST_REMARK,
        key=f"remark {form} {clause.id}",
    )
    return Answer(clause=clause.id, fulfilled=_VALUES[str(answer)], statement=remark)


def _keep(person: Person, about: Span, term: Term, answers: list[Answer]) -> None:
    done = attest(store(), person, about, term, answers)
    with st.spinner("Judging the reviews of these days again"):
        results = judge_again(store(), done.changed)
    signed = f"Signed: {len(done.made.new)} new, {len(done.made.changed)} in a further version, "
    remember(f"{signed}{len(done.withdrawn)} taken back.", results)
    st.rerun()
