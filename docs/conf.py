"""How Sphinx makes a site of these pages (`make docs`). Neither reading it nor its search needs a network."""

from __future__ import annotations

import re
from pathlib import Path

_ROOT = Path(__file__).parents[1]
project = "verifier"
author = "the verifier project"
release = re.search(r'__version__ = "(.+)"', (_ROOT / "verifier" / "__init__.py").read_text(encoding="utf-8"))[1]
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["tasklist"]
exclude_patterns = ["_build"]
suppress_warnings = ["myst.xref_missing", "myst.header"]
"""Links to files beside these pages, which `tests/test_docs.py` holds to be there, lead nowhere in the site."""
html_theme = "furo"
html_title = f"verifier {release}"
html_show_sphinx = False
