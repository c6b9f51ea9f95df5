"""A table that is not kept yet: its layout as the recording shows it, and its house options, confirmed by a person."""

from __future__ import annotations

import cv2
import numpy as np
import streamlit as st

from verifier.dashboard.common import escaped, shown_errors, store
from verifier.dashboard.house_form import house_form
from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.names import path_of
from verifier.review.calibrate.doubts import assumed, told_together
from verifier.review.floor.keeping import keep_new_table
from verifier.review.order_values import ReviewOrder, ask, order_of, progress_of
from verifier.review.orders.proposing import KeptProposal, proposal_of, still_of
from verifier.review.orders.start import ensure_runner
from verifier.review.people.roles import Act, Person
from verifier.review.stills import draw_layout
from verifier.store.floor import Floor, GamingTable
from verifier.store.queue import OPEN_STATES, Ordered, ReviewQueue


def new_table_panel(person: Person, files: list[str]) -> GamingTable | None:
    """Propose a table from the first recording; give it once a person has confirmed and kept it."""
    if not (person.may(Act.CALIBRATE) and person.may(Act.POLICY)):
        st.info("A manager keeps new tables. Choose a table that is kept, or ask a manager.")
        return None
    order = _proposing(files)
    if order is None:
        st.caption("The software looks at the recording and proposes the table's layout; you look it over.")
        if st.button("Propose the table from the recording", type="primary", icon=":material/auto_fix_high:"):
            with shown_errors():
                number = ask(store(), person, ReviewOrder(files=files[:1], propose=True))
                st.query_params["proposal"] = str(number)
                ensure_runner(store())
                st.rerun()
        return None
    if order.state in OPEN_STATES:
        _waiting(order.id)
        return None
    kept = proposal_of(order.id)
    if kept is None:
        told = " ".join(progress_of(order).told) or "it was stopped"
        st.error(escaped(f"No layout could be proposed: {told}"), icon=":material/error:")
        if st.button("Try again", key="propose again"):
            ReviewQueue(store()).go_on(order.id, person.name)
            st.rerun()
        return None
    return _confirmed(person, order.id, kept, files)


def _proposing(files: list[str]) -> Ordered | None:
    """Return the order for a proposal from this recording: that of the address, so that a reload finds it."""
    number = str(st.query_params.get("proposal", ""))
    order = ReviewQueue(store()).order(int(number)) if number.isdigit() else None
    return order if order is not None and order_of(order).propose and order_of(order).files == files[:1] else None


@st.fragment(run_every=1.0)
def _waiting(number: int) -> None:
    ensure_runner(store())
    order = ReviewQueue(store()).order(number)
    if order is None or order.state not in OPEN_STATES:
        st.rerun()
        return
    progress = progress_of(order)
    st.progress(progress.share, text=f"{progress.stage or 'Waits for its turn'} …")


def _confirmed(person: Person, number: int, kept: KeptProposal, files: list[str]) -> GamingTable | None:
    picture = cv2.imread(str(still_of(number)))
    if picture is not None:
        drawn = draw_layout(np.asarray(picture, np.uint8), kept.layout, assumed(kept.doubts))
        shows = "The proposed zones, drawn over the picture"
        st.image(cv2.cvtColor(drawn, cv2.COLOR_BGR2RGB), shows, width="stretch")
    st.caption(
        "Do the outlines lie on the table's spots, tray, shoe and signs? If one lies wrong, drag it under "
        "'Draw a table's zones' after keeping the table."
    )
    if doubts := told_together(kept.doubts):
        with st.expander("Not sure: look at these first", expanded=True):
            for names, why in doubts:
                st.markdown(f"**{escaped(names)}**: {escaped(why or 'not found in the picture')}")
    left, right = st.columns(2)
    told = Floor(store()).site_of_file(path_of(files[0])) or kept.layout.site or ""
    site = left.text_input("Site, as its sign says", told, key=f"new site {number}")
    table = right.text_input("Table, as its sign says", kept.layout.table or "", key=f"new name {number}")
    _differing_signs(kept.layout, site.strip(), table.strip())
    st.markdown("**House options**")
    with shown_errors():
        house = house_form(f"new house {number}", _usual(site))
        return _kept(person, kept, house, site, table)
    return None


def _differing_signs(layout: Layout, site: str, table: str) -> None:
    """Say where the form and the signs in the picture differ: such a recording would not be judged."""
    pairs = (("site", layout.site, site), ("table", layout.table, table))
    for what, read, said in pairs:
        if read and said and read != said:
            told = f"The sign in the picture reads {what} {read}, not {said}."
            told += " A recording whose signs differ from its table's is not judged. Is it the right folder?"
            st.warning(escaped(told), icon=":material/warning:")


def _usual(site: str) -> House:
    """Return the options of another table of the site, which are mostly the same; else options that state nothing."""
    others = [one.in_force("house", None) for one in Floor(store()).tables() if one.site == site]
    return next((one.house for one in others if one is not None), House())


def _kept(person: Person, kept: KeptProposal, house: House, site: str, table: str) -> GamingTable | None:
    if not st.button("Keep this table and begin the review", type="primary", icon=":material/check:", key="keep"):
        return None
    try:
        return keep_new_table(store(), person, kept.layout, house, site, table)
    except BadInput as error:
        st.error(str(error), icon=":material/error:")
        return None
