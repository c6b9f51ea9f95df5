"""The size of a picture, from its head alone: a small file may unfold to a huge picture."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Sequence

from PIL import Image

warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
"""It goes to the terminal; whoever asks for a size judges it."""


def picture_size(data: bytes, kinds: Sequence[str]) -> tuple[int, int] | None:
    """Return width and height of a picture of one of these kinds (Pillow's names); None where it is none.

    Raises `OverflowError` where it is larger than Pillow tells.
    """
    try:
        with Image.open(io.BytesIO(data), formats=list(kinds)) as found:
            return found.size
    except Image.DecompressionBombError as error:
        raise OverflowError from error
    except (OSError, ValueError, SyntaxError, struct.error):
        return None
