"""How Streamlit runs here: on this computer only, telling nobody, light or dark as the browser is set."""

from __future__ import annotations

from typing import Final

UPLOAD_MB: Final = 64
"""Megabytes (of 1024 x 1024 bytes) of the largest upload: told on the pages, held by Streamlit and by the guard.

Streamlit keeps an upload in memory, so that this bounds the dashboard's; a clip of a finding has 1 to 5.
"""
SETTINGS: Final[dict[str, str | bool | int | list[str]]] = {
    "browser.gatherUsageStats": False,
    "browser.serverAddress": "localhost",
    "server.address": "127.0.0.1",
    "server.allowedHosts": ["localhost", "127.0.0.1"],
    "server.headless": True,
    "server.maxUploadSize": UPLOAD_MB,
    "server.showEmailPrompt": False,
    "server.fileWatcherType": "none",
    "runner.postScriptGC": False,  # a search of the whole memory after each run: 0.3 s in which nobody is answered
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "type",
    "client.showErrorLinks": False,
    "theme.font": "sans-serif",
    "theme.codeFont": "monospace",
    "theme.light.primaryColor": "#0b5c3b",
    "theme.light.textColor": "#101214",  # captions are drawn at 60 % of it: 5:1 on white
    "theme.dark.primaryColor": "#45b383",  # 6:1 as text on the dark ground; white text stands on #0b5c3b (main.py)
}
"""Option -> value; `.streamlit/config.toml` at the top says the same for `streamlit run app.py`."""

LOGO: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 132 32" width="132" height="32" role="img">'
    "<title>Verifier</title>"
    '<rect width="132" height="32" rx="6" fill="#0b5c3b"/><rect x="8" y="5" width="16" height="22" rx="2" fill="#fff"/>'
    '<path d="M11 16l4 4 7-9" fill="none" stroke="#0b5c3b" stroke-width="3"/>'
    '<text x="34" y="23" fill="#fff" font-family="sans-serif" font-size="20" font-weight="bold">Verifier</text></svg>'
)
"""A card with a tick and the name: white on a plate of its own, 8:1, so that it reads on dark and on light ground."""


def flags(port: int) -> list[str]:
    """Return the settings as flags of `streamlit run`."""
    given = [f"--server.port={port}"]
    for name, value in SETTINGS.items():
        if name == "server.headless":
            continue
        for one in value if isinstance(value, list) else [value]:
            given.append(f"--{name}={str(one).lower() if isinstance(one, bool) else one}")
    return given
