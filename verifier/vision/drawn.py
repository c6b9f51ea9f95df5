"""A recording as its layout is drawn: where the picture changes its size, it is scaled to the layout's."""

from __future__ import annotations

from verifier.domain.layout import CARD_MM, Layout
from verifier.recording.probe import Probe
from verifier.vision.fitting import CARD_WIDTH


def as_drawn(video: Probe, layout: Layout) -> Probe:
    """Return the recording with pictures of the layout's size, where it has any; else as it is.

    What shows the same view in another size is scaled, as long as cards keep the width that the network needs, or that
    of the layout where this is less. The rest is not watched.
    """
    width, height = layout.image_size
    return video.fitted((width, height), min(1.0, CARD_WIDTH / (layout.scale * CARD_MM[0])))
