"""What the tests in a real browser share: which browser, how long is waited, where a dashboard listens."""

from __future__ import annotations

import os
import shutil
import socket
import time

from playwright.sync_api import expect

PASSWORD = "correct horse battery"
REQUIRED = "VERIFIER_REQUIRE_BROWSER" in os.environ
"""Set where a missing browser is a failure and no reason to skip."""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--disable-features=OptimizationGuideModelDownloading,OnDeviceModelService,Translate",
]  # fmt: skip
PATIENCE_S = 150
expect.set_options(timeout=PATIENCE_S * 1000)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    for _ in range(PATIENCE_S * 10):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the dashboard did not start")
