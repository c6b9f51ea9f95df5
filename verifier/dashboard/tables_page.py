"""The kept tables: versions of layout and house options with their dates, the folder, and YAML in and out."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pandas as pd
import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import escaped, shown_errors, store
from verifier.dashboard.house_form import house_form
from verifier.domain.house import House
from verifier.review.floor.exchange import import_table, write_table
from verifier.review.floor.keeping import keep_house_version
from verifier.review.people.roles import Act, Person, require
from verifier.review.wording import local_time
from verifier.store.floor import SINCE_EVER, Floor, GamingTable

_YAML_MB = 1


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.READ)
    st.title("Tables")
    floor = Floor(store())
    tables = {one.label: one for one in floor.tables()}
    if not tables:
        st.info("No table is kept yet. Begin a new review and choose 'It is a new table', or bring one in as a file.")
    else:
        table = tables[st.selectbox("Table", list(tables), key="tables table")]
        _versions(table)
        _folder(person, floor, table)
        _house(person, table)
        _out(table)
    if person.may(Act.CALIBRATE) and person.may(Act.POLICY):
        _in(person, floor)


def _versions(table: GamingTable) -> None:
    st.dataframe(
        pd.DataFrame(
            {
                "What": {"layout": "Layout", "house": "House options", "cards": "Cards"}[one.kind],
                "Version": one.version,
                "Holds from": one.valid_from or "ever",
                "Kept by": one.made_by,
                "On": local_time(one.made_at),
                "Why": one.reason,
            }
            for one in table.versions
        ),
        hide_index=True,
        width="stretch",
    )
    st.caption("A recording is judged by the version that held on its day of play. No version is ever changed.")


def _folder(person: Person, floor: Floor, table: GamingTable) -> None:
    folders = ["", *sorted({*floor.folders(), *([table.folder] if table.folder else [])})]
    if not person.may(Act.CALIBRATE):
        return
    chosen = st.selectbox(
        "All recordings below this folder are of this table",
        folders,
        index=folders.index(table.folder),
        format_func=lambda one: one or "(no folder: the table is found by its signs)",
        key=f"folder {table.label}",
    )
    if chosen != table.folder and st.button("Keep the folder", key="keep folder"):
        floor.put_table(table.site, table.table, chosen, person.name)
        st.rerun()


def _house(person: Person, table: GamingTable) -> None:
    newest, drawn = table.in_force("house", None), table.in_force("layout", None)
    game = drawn.layout.game if drawn is not None else "twenty-one"
    with st.expander("House options", expanded=newest is None), shown_errors():
        house = house_form(
            f"house {table.label} {newest.version if newest else 0}", newest.house if newest else House(), game
        )
        if not person.may(Act.POLICY):
            return
        left, right = st.columns([1, 3])
        since = left.date_input("Hold from", value=None, format="YYYY-MM-DD", help="Empty: ever.")
        reason = right.text_input("Why they change", key=f"reason {table.label}")
        if st.button("Keep these options", type="primary", key="keep house"):
            day = since.isoformat() if since else SINCE_EVER
            keep_house_version(store(), person, table, house, since=day, reason=reason)
            st.rerun()


def _out(table: GamingTable) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.yaml"
        write_table(path, table)
        name = f"{table.site}-{table.table}.table.yaml"
        st.download_button("Download the table as a file", path.read_bytes(), file_name=name, mime="text/yaml")


def _in(person: Person, floor: Floor) -> None:
    with st.expander("Bring a table in from a file"):
        given = st.file_uploader("A table's file, as this page writes it", type=["yaml"], max_upload_size=_YAML_MB)
        if given is None or not st.button("Keep the table of this file", key="import"):
            return
        require(person, Act.CALIBRATE)
        with shown_errors(), tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.yaml"
            path.write_bytes(given.getvalue())
            made = import_table(floor, path, person.name)
            st.success(escaped(f"Kept: {made.label}"))
