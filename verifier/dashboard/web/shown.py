"""Which of Streamlit's media files each session was shown: nobody else gets them, whoever knows their address."""

from __future__ import annotations

import re
from collections import OrderedDict
from threading import Lock
from typing import Final

from starlette.types import Message, Send

_ADDRESS: Final = re.compile(rb"/media/[0-9a-zA-Z]+(?:\.[0-9a-zA-Z]+)?")
_WITH_LENGTH: Final = re.compile(rb"(?s)(.)(?=/media/)")
"""The byte before a text in a protobuf message: its length, where it is below 128."""
_SESSIONS_KEPT: Final = 500
_ADDRESSES_KEPT: Final = 20_000


class Shown:
    """Remembers the addresses that a page told a session's browser; the pages have checked the role before."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, OrderedDict[str, None]] = OrderedDict()
        self._lock = Lock()

    def listening(self, token: str, send: Send) -> Send:
        """`send` of a session's connection, with its messages read on the way."""

        async def sending(message: Message) -> None:
            if message["type"] == "websocket.send" and message.get("bytes"):
                self._note(token, message["bytes"])
            await send(message)

        return sending

    def was_shown(self, token: str, path: str) -> bool:
        """Tell whether a page showed this file to the session."""
        with self._lock:
            return path in self._of.get(token, ())

    def _note(self, token: str, told: bytes) -> None:
        found = addresses_in(told)
        if not found:
            return
        with self._lock:
            known = self._of.setdefault(token, OrderedDict())
            self._of.move_to_end(token)
            for address in found:
                known[address] = None
                known.move_to_end(address)
            while len(known) > _ADDRESSES_KEPT:
                known.popitem(last=False)
            while len(self._of) > _SESSIONS_KEPT:
                self._of.popitem(last=False)


def addresses_in(told: bytes) -> list[str]:
    """Return the addresses of media files in a message to a browser.

    A text in protobuf is not ended but counted: what comes after an address may be a letter, so its length decides.
    Within other text, such as JSON, an address ends where something else than a letter or digit follows.
    """
    counted = (told[one.end() : one.end() + one[1][0]] for one in _WITH_LENGTH.finditer(told))
    found = [text for text in counted if _ADDRESS.fullmatch(text)]
    return [address.decode() for address in dict.fromkeys([*found, *_ADDRESS.findall(told)])]
