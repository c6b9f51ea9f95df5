"""Times of presentation for recordings that tell only when packets are decoded, as AVI does."""

from __future__ import annotations

from collections import deque
from typing import Any

import av


class Restamp:
    """Gives each frame of one pass the next of its packets' times: frames come in order of presentation.

    A key frame is shown where it is decoded, save what precedes it: times from before it that are left are of frames
    that were lost.
    """

    def __init__(self) -> None:
        self._sent: deque[int] = deque()

    def sent(self, packet: av.Packet[Any]) -> None:
        """Takes a packet that goes to the decoder."""
        if packet.pts is not None and not packet.is_discard:
            self._sent.append(packet.pts)

    def came(self, frame: av.VideoFrame) -> None:
        """Sets the time of a frame that came out of the decoder, damaged or not."""
        while frame.key_frame and frame.pts is not None and self._sent and self._sent[0] < frame.pts:
            self._sent.popleft()
        if self._sent:
            frame.pts = self._sent.popleft()
