"""`verifier dashboard`."""

from __future__ import annotations

import socket
import subprocess
import sys
import webbrowser
from pathlib import Path
from threading import Timer

import click

from verifier.dashboard.settings import flags
from verifier.domain.errors import BadInput

_MAIN = Path(__file__).parent / "main.py"
_OPEN_AFTER_S = 2.0


@click.command("dashboard")
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Port on this computer.")
@click.option("--open/--no-open", "open_browser", default=True, help="Open a browser window.")
def dashboard_command(port: int, open_browser: bool) -> int:
    """Opens the review dashboard in the browser; it listens on this computer only."""
    from verifier.store.repository import Store

    check_port(port)
    Store().close()
    address = f"http://localhost:{port}"
    click.echo(f"The dashboard is at {address} (this computer only). Stop it with Ctrl+C.")
    timer = Timer(_OPEN_AFTER_S, webbrowser.open, [address])
    if open_browser and sys.stdout.isatty():
        timer.start()
    try:
        return subprocess.call([sys.executable, "-m", "streamlit", "run", str(_MAIN), *flags(port)])
    except KeyboardInterrupt:
        return 0
    finally:
        timer.cancel()


def check_port(port: int) -> None:
    """Raises BadInput where something else listens at `port` of this computer, or it may not be used."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except PermissionError as error:
            raise BadInput(f"port {port}", "may not be used", "choose one above 1023 with --port") from error
        except OSError as error:
            raise BadInput(f"port {port}", "is in use", "choose another with --port") from error
