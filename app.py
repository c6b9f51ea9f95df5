"""Starts the dashboard: `streamlit run app.py`, or better `verifier dashboard`."""

from __future__ import annotations

import runpy
from pathlib import Path

import verifier.dashboard

runpy.run_path(str(Path(verifier.dashboard.__file__).parent / "main.py"), run_name="__main__")
