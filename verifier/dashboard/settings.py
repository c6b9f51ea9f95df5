"""How Streamlit runs here: on this computer only, telling nobody, light or dark as the browser is set."""

from __future__ import annotations

from typing import Final

SETTINGS: Final[dict[str, str | bool | int | list[str]]] = {
    "browser.gatherUsageStats": False,
    "browser.serverAddress": "localhost",
    "server.address": "127.0.0.1",
    "server.allowedHosts": ["localhost", "127.0.0.1"],
    "server.headless": True,
    "server.showEmailPrompt": False,
    "server.fileWatcherType": "none",
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "type",
    "client.showErrorLinks": False,
    "theme.font": "sans-serif",
    "theme.codeFont": "monospace",
    "theme.light.primaryColor": "#0b5c3b",
    "theme.light.textColor": "#101214",  # captions are drawn at 60 % of it: 5:1 on white
    "theme.dark.primaryColor": "#2f8f63",
}
"""Option -> value; `.streamlit/config.toml` at the top says the same for `streamlit run app.py`."""


def flags(port: int) -> list[str]:
    """The settings as flags of `streamlit run`."""
    given = [f"--server.port={port}"]
    for name, value in SETTINGS.items():
        if name == "server.headless":
            continue
        for one in value if isinstance(value, list) else [value]:
            given.append(f"--{name}={str(one).lower() if isinstance(one, bool) else one}")
    return given
