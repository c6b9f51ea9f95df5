"""A person at the dashboard without a browser: signs in, and talks to the pages as a browser does."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType

import httpx
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect


class RoomSession:
    """One signed-in connection to the dashboard at `address`; `widgets` and `texts` are those of the page now."""

    def __init__(self, address: str, name: str, password: str, patience_s: float) -> None:
        form = {"name": name, "password": password}
        with httpx.Client(timeout=patience_s) as browser:
            answer = browser.post(f"{address}/sign-in", data=form, headers={"origin": address})
            assert answer.status_code == 303, answer.text
            cookie = "; ".join(f"{key}={value}" for key, value in browser.cookies.items())
        self._patience = patience_s
        self._open = ExitStack()
        stream = connect(
            f"{address.replace('http', 'ws')}/_stcore/stream",
            additional_headers={"Cookie": cookie},
            origin=address,
            subprotocols=["streamlit"],
            open_timeout=patience_s,
            ping_interval=None,
            max_size=None,
        )  # type: ignore[arg-type]
        self._socket = self._open.enter_context(stream)
        self._page = ""
        self.widgets: dict[str, str] = {}
        self.texts: list[str] = []

    def __enter__(self) -> RoomSession:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._open.close()

    def open(self, page: str, query: str = "") -> None:
        """Opens a page by its address."""
        message = BackMsg()
        message.rerun_script.page_name, message.rerun_script.query_string = page, query
        self._run(message)

    def press(self, button: str, **typed: str) -> None:
        """Presses the button whose key begins as named, with texts typed into fields whose keys begin as named."""
        message = BackMsg()
        message.rerun_script.page_script_hash = self._page
        for start, text in typed.items():
            field = self._named(start)
            message.rerun_script.widget_states.widgets.append(WidgetState(id=field, string_value=text))
        message.rerun_script.widget_states.widgets.append(WidgetState(id=self._named(button), trigger_value=True))
        self._run(message)

    def shows(self, start: str) -> bool:
        """Whether the page shows something whose key begins so."""
        return any(key.startswith(start) for key in self.widgets)

    def _named(self, start: str) -> str:
        return next(name for key, name in self.widgets.items() if key.startswith(start))

    def _run(self, message: BackMsg) -> None:
        self.texts = []
        self._socket.send(message.SerializeToString())
        while True:
            data = self._socket.recv(timeout=self._patience)
            assert isinstance(data, bytes)
            told = ForwardMsg.FromString(data)
            kind = told.WhichOneof("type")
            if kind == "new_session":
                self._page, self.widgets = told.new_session.page_script_hash, {}
            elif kind == "navigation":
                self._page = told.navigation.page_script_hash
            elif kind == "delta" and told.delta.WhichOneof("type") == "new_element":
                self._take(told)
            elif kind == "script_finished" and told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return

    def _take(self, told: ForwardMsg) -> None:
        element = told.delta.new_element
        kind = element.WhichOneof("type")
        shown = getattr(element, str(kind), None)
        self.texts += [text for name in ("body", "label") if (text := getattr(shown, name, ""))]
        name = getattr(shown, "id", "")
        if isinstance(name, str) and name.startswith("$$ID-"):
            self.widgets[name.split("-", 2)[2]] = name
