"""`verifier dashboard`."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import click

from verifier.dashboard.settings import flags
from verifier.domain.errors import BadInput
from verifier.formats.terminal import open_terminal

_MAIN = Path(__file__).parent / "serve.py"


@click.command("dashboard")
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Port on this computer.")
@click.option("--open/--no-open", "open_browser", default=True, help="Open a browser window.")
@click.option("--demo", is_flag=True, help="Offer each role to try, in a home that has no accounts of its own.")
def dashboard_command(port: int, open_browser: bool, demo: bool) -> int:
    """Open the review dashboard in the browser; it listens on this computer only."""
    from streamlit.web import cli as streamlit

    from verifier.dashboard.web.entry import new_key
    from verifier.review.orders.start import ensure_runner
    from verifier.review.people.accounts import anybody
    from verifier.review.people.demo import is_demo, make_demo
    from verifier.store.repository import Store

    check_port(port)
    store, address = Store(), f"http://localhost:{port}"
    demo = demo and (is_demo(store) or not anybody(store))
    if demo:
        make_demo(store)
    told = f"{address}/enter?key={new_key()}" if demo else address
    click.echo(f"The dashboard is at {told} (this computer only). Stop it with Ctrl+C.")
    if demo:
        click.echo("That address signs in once, as the demo's administrator; there every role can be tried.")
    elif not anybody(store):
        click.echo("Nobody has an account yet: open it and make the first one, the administrator's.")
    ensure_runner(store)
    store.close()
    window = open_browser and sys.stdout.isatty()
    arguments = ["run", str(_MAIN), *flags(port), f"--server.headless={str(not window).lower()}"]
    with open_terminal():
        streamlit.main(arguments, prog_name="streamlit", standalone_mode=False)
    return 0


def check_port(port: int) -> None:
    """Raise BadInput if something else listens at `port` of this computer, or the port may not be used."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except PermissionError as error:
            raise BadInput(f"port {port}", "may not be used", "choose one above 1023 with --port") from error
        except OSError as error:
            raise BadInput(f"port {port}", "is in use", "choose another with --port") from error
