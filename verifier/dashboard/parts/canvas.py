"""A picture with polygons to drag."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Final

import cv2
import msgspec
import streamlit as st

from verifier.dashboard.parts import source
from verifier.domain.errors import BadInput
from verifier.review.calibrate.proposal import Drawing, Picture

_RENDER: Final = st.components.v2.component(
    "verifier_canvas",
    html="<div class='canvas'><svg role='application' aria-label='Zones of the table' tabindex='-1'>"
    "<image></image><g></g></svg>"
    "<p>Chosen: <b data-part='told'></b>. Drag a zone or a corner; Tab and arrow keys move a corner "
    "(Shift: ten steps), + adds a corner, Delete takes it away.</p>"
    "<button type='button' data-part='undo'>Undo (Ctrl+Z)</button></div>",
    css=source("canvas.css"),
    js=source("canvas.js"),
)


def canvas(key: str, picture: Picture, drawing: Drawing, version: str, assumed: Sequence[str] = ()) -> Drawing:
    """Draw `drawing` over `picture` (BGR) and give it as the person has changed it; a new `version` starts anew.

    The zones named in `assumed` say so until they are moved.
    """
    _, image = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])
    data = {
        "image": "data:image/jpeg;base64," + base64.b64encode(image.tobytes()).decode(),
        "width": picture.shape[1],
        "height": picture.shape[0],
        "drawing": {name: [list(point) for point in points] for name, points in drawing.items()},
        "assumed": list(assumed),
        "version": version,
    }
    result = _RENDER(key=f"{key} {version}", data=data, default={"drawing": None}, on_drawing_change=lambda: None)
    changed = getattr(result, "drawing", None)
    if not changed:
        return drawing
    try:
        return msgspec.convert(dict(changed), Drawing)
    except msgspec.ValidationError as error:
        raise BadInput("drawing", str(error), "draw it again") from error
