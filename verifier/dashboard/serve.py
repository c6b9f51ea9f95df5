"""The dashboard as `streamlit run` takes it: pages behind sign-in."""

from __future__ import annotations

import streamlit as st

from verifier.dashboard.web.server import SCRIPT, lifespan, middleware, routes
from verifier.dashboard.web.warm import load_meanwhile

app = st.App(SCRIPT, routes=routes(), middleware=middleware(), lifespan=lifespan)
load_meanwhile()
