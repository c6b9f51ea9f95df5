"""The site's records: what is kept, files in, templates out, and what the law says of them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import VERDICT_WORDS, escaped, shown_errors, store
from verifier.dashboard.downloads import KINDS
from verifier.dashboard.judged_again import remember, show_remembered
from verifier.domain.errors import BadInput
from verifier.formats.record_kinds import record_kinds
from verifier.review.intake.importing import import_records, judge_again
from verifier.review.intake.withdrawing import keep_again, take_back, withdrawable
from verifier.review.people.roles import Act, Person, require
from verifier.review.recheck import Rechecked
from verifier.review.records.site import check_site
from verifier.review.records.templates import FORMATS, columns_of, template
from verifier.review.wording import local_time
from verifier.store.site_records import MOST_REASON, KeptRecord, SiteRecords

MOST_MB = 8
"""Megabytes of a file, as `formats.files.MOST_FILE_BYTES` has it."""
MOST_SHOWN = 1000
"""Records that the page lists; `verifier records list` lists all."""
_EVERY = "Every kind"
_BY_FILE = "As the file says"


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.READ)
    st.title("Records")
    st.caption("Slips, counts, reports and other records of the site. They are judged together with the recordings.")
    show_remembered()
    records = SiteRecords(store())
    sites = records.sites()
    if person.may(Act.RECORDS):
        with st.expander("Bring records in", expanded=not sites):
            _in(person)
    with st.expander("Templates"):
        _templates()
    if not sites:
        st.info("No record is kept yet.")
        return
    left, middle, right = st.columns(3)
    site = str(left.selectbox("Site", sites, key="records site"))
    kind = str(middle.selectbox("Kind", [_EVERY, *record_kinds()], format_func=_title, key="records kind"))
    last = right.date_input("Day", value="today", format="YYYY-MM-DD", key="records day") or date.today()
    _findings(site, last)
    found = records.standing(site, kind=None if kind == _EVERY else kind)[::-1]
    _list(found)
    _withdraw(person, found[:MOST_SHOWN])


def _title(kind: str) -> str:
    return record_kinds()[kind].title if kind in record_kinds() else kind


def _in(person: Person) -> None:
    with st.form("records in", clear_on_submit=True):
        given = st.file_uploader(
            "CSV, XLSX or JSON", type=["csv", "xlsx", "json"], accept_multiple_files=True, max_upload_size=MOST_MB
        )
        left, right = st.columns(2)
        site = left.text_input("Site of rows that name none")
        kind = right.selectbox("Kind", [_BY_FILE, *record_kinds()], format_func=_title)
        if st.form_submit_button("Keep these records") and given:
            with shown_errors():
                _keep(person, given, site.strip() or None, None if kind == _BY_FILE else str(kind))


def _keep(person: Person, given: list[UploadedFile], site: str | None, kind: str | None) -> None:
    """Keep all records of the files, or none, and judge again the reviews that they bear on."""
    require(person, Act.RECORDS)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, one in enumerate(given, start=1):
            path = Path(folder) / str(number) / (Path(one.name.replace("\\", "/")).name or "records")
            path.parent.mkdir()
            path.write_bytes(one.getvalue())
            paths.append(path)
        made = import_records(store(), paths, person.name, site, kind)
    with st.spinner("Judging the reviews of these days again"):
        results = judge_again(store(), made.kept)
    _told(f"{len(made.new)} new, {len(made.changed)} in a further version, {made.same} known already.", results)


def _templates() -> None:
    kind = record_kinds()[str(st.selectbox("Template for", list(record_kinds()), format_func=_title))]
    for column, form in zip(st.columns(len(FORMATS)), FORMATS, strict=True):
        column.download_button(
            form.upper(),
            partial(template, kind.name, form),
            file_name=f"records-{kind.name}.{form}",
            mime=KINDS[f".{form}"],
            width="stretch",
            on_click="ignore",
        )
    rows = [{"Column": name, "Write": example, "Tells": says} for name, example, says in columns_of(kind)]
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
    st.caption("An empty cell says nothing. Write (blank) where the paper's field is empty.")


def _findings(site: str, last: date) -> None:
    found = check_site(store(), site, last - timedelta(days=6), last)
    st.subheader("What the records show")
    judged = f"{found.records} records, {len(found.verdicts)} clauses judged. {found.by_word}"
    st.caption(f"{found.first} to {found.last}: {judged}")
    if not found.findings:
        st.success("No fault was found in these records.", icon=":material/check_circle:")
    for one in found.findings:
        st.markdown(f"{VERDICT_WORDS[one.verdict]} **{escaped(one.title)}** {one.day}")
        st.caption(escaped(f"{one.cite}. Expected: {one.expected}. Observed: {one.observed}."))


def _list(found: Sequence[KeptRecord]) -> None:
    st.subheader("Kept records")
    st.dataframe(pd.DataFrame(_row(one) for one in found[:MOST_SHOWN]), hide_index=True, width="stretch")
    if len(found) > MOST_SHOWN:
        st.caption(f"The newest {MOST_SHOWN} of {len(found)}; choose a kind to see fewer.")


def _withdraw(person: Person, found: Sequence[KeptRecord]) -> None:
    """Take one of the listed records back, with a reason; what was taken back last can be put back."""
    mine = {one.id: one for one in withdrawable(person, found)}
    if mine:
        with st.expander("Withdraw a record"), st.form("withdraw", clear_on_submit=True):
            _withdrawal(person, mine)
    _undo(person)


def _withdrawal(person: Person, mine: dict[int, KeptRecord]) -> None:
    """Draw the form; what is taken back can be put back even where judging the reviews again then fails."""
    st.caption("It counts no longer, and its versions stay. What an account signed, only that account takes back.")
    number = st.selectbox("Record", list(mine), format_func=lambda one: _named(mine[one]))
    reason = st.text_input("Why is it withdrawn?", max_chars=MOST_REASON)
    if not st.form_submit_button("Withdraw", icon=":material/undo:"):
        return
    with shown_errors():
        take_back(store(), person, mine[number], person.name, reason)
        st.session_state["records withdrawn"] = mine[number]
        _judge(mine[number], f"Withdrawn: {_named(mine[number])}.")


def _undo(person: Person) -> None:
    gone = st.session_state.get("records withdrawn")
    if not isinstance(gone, KeptRecord):
        return
    if st.button(f"Put {_named(gone)} back", icon=":material/undo:", key="put back"):
        with shown_errors():
            keep_again(store(), person, gone)
            del st.session_state["records withdrawn"]
            _judge(gone, f"Put back: {_named(gone)}.")


def _judge(record: KeptRecord, done: str) -> None:
    """Judge again what a record bears on. Where that fails the page says what was done, and why it failed."""
    try:
        with st.spinner("Judging the reviews of these days again"):
            results = judge_again(store(), [record])
    except BadInput:
        st.warning(
            escaped(f"{done} The reviews of these days could not all be judged again."), icon=":material/warning:"
        )
        raise
    _told(done, results)


def _told(text: str, results: Sequence[Rechecked]) -> None:
    remember(text, results)
    st.rerun()


def _named(one: KeptRecord) -> str:
    table = f", table {one.table}" if one.table else ""
    return f"{_title(one.kind)} {one.name}, {one.day or 'no day'}{table}"


def _row(one: KeptRecord) -> dict[str, object]:
    return {
        "Kind": _title(one.kind),
        "Day": one.day,
        "Table": one.table,
        "Record": one.name,
        "Version": one.version,
        "File": one.source,
        "Kept by": one.made_by,
        "On": local_time(one.made_at),
    }
