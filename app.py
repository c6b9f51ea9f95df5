"""Starts the dashboard: `streamlit run app.py`, or better `verifier dashboard`."""

from __future__ import annotations

import streamlit as st

from verifier.dashboard.web.server import SCRIPT, lifespan, middleware, routes

app = st.App(SCRIPT, routes=routes(), middleware=middleware(), lifespan=lifespan)
